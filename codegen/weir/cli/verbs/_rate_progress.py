"""How far a search for a sustainable rate is: lines for people, or objects of `--progress=json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weir.cli.verbs import say
from weir.engine.measuring.child import emit_progress
from weir.read.reporting.quantities import duration, si

if TYPE_CHECKING:
    from weir.lab.rating.trials import Measured


class RateProgress:
    """`deployment`: that is said with each trial, where there are several to search."""

    def __init__(self, as_json: bool, deployment: str | None = None):
        self._as_json, self._deployment = as_json, deployment
        self._done = 0

    def say(self, text: str) -> None:
        if not self._as_json:
            say(text)

    def tried(self, trial: Measured, left_s: float) -> None:
        self._done += 1
        if self._as_json:
            emit_progress({"phase": "rate", "done": self._done, "total": None, "eta_s": round(left_s, 1),
                           "run_id": trial.run_id, "items_per_s": trial.load, "deployment": self._deployment,
                           "loss_ratio": trial.loss_ratio})
            return
        disturbed = ", disturbed" if trial.disturbed else ""
        say(f"{si(trial.load, 'items/s')} for {trial.duration_s:g} s: {100 * trial.loss_ratio:.3g} % too late, "
            f"p99 {duration(trial.p99_ns)}{disturbed}; at most {left_s:.0f} s left")
