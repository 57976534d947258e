"""How far a sweep is: lines for people, or objects of `--progress=json`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weir.cli.verbs import say, show
from weir.cli.verbs._rate_progress import RateProgress
from weir.cli.verbs._running import offer_runtimes
from weir.engine.measuring.child import emit_progress
from weir.engine.measuring.listener import Listener
from weir.lab.sweeping.axes import labels
from weir.lab.sweeping.prediction import words
from weir.read.reporting.quantities import duration, si

if TYPE_CHECKING:
    from weir.diagnostics import Diagnostic
    from weir.engine.measuring.run_directory import StoredRun
    from weir.engine.pipeline import Pipeline
    from weir.lab.rating.trials import Measured
    from weir.lab.sweeping.point import Cell
    from weir.lab.sweeping.record import Record
    from weir.model.planning.plan import Plan


@dataclass(frozen=True)
class _Quiet(Listener):
    """Says that it waits for others, and not what every run does."""

    as_json: bool = False

    def waits(self) -> None:
        if self.as_json:
            _phase("waiting")
        super().waits()

    def step(self, deployment: str, what: str) -> None:
        pass

    def phase(self, name: str, done: int = 0, total: int | None = None, run_id: str | None = None,
              deployment: str | None = None) -> None:
        pass

    def runs(self, deployment: str, run_id: str) -> None:
        pass


def _phase(name: str, deployment: str | None = None) -> None:
    emit_progress({"phase": name, "done": 0, "total": None, "eta_s": None, "run_id": None, "items_per_s": None,
                   "deployment": deployment})


class SweepProgress:
    """Tells of a sweep: `weir.lab.sweeping.told.Told` for a terminal, or for `--progress=json`.

    `project`: its file, where warnings of plans are told.
    """

    def __init__(self, as_json: bool, project: str | None):
        self._as_json, self._phase, self._project = as_json, "sweep", project
        self._columns: Sequence[str] = ()
        self._searches: dict[str, RateProgress] = {}
        self.listener: Listener = _Quiet(self.say, as_json=as_json)
        self.names: Mapping[int, str] = {}

    def warns(self, found: Sequence[Diagnostic]) -> None:
        if self._project:
            show(found, self._project)

    def needs(self, pipeline: Pipeline, plans: Sequence[Plan]) -> None:
        offer_runtimes(pipeline, plans)

    def tried(self, deployment: str, trial: Measured, left_s: float) -> None:
        if deployment not in self._searches:
            self._searches[deployment] = RateProgress(self._as_json, deployment)
        self._searches[deployment].tried(trial, left_s)

    def say(self, text: str) -> None:
        if not self._as_json:
            say(text)

    def begins(self, record: Record, phase: str = "sweep") -> None:
        """What comes is of it: a sweep, or a part of the `search` before it."""
        self._columns, self._phase = record.columns, phase
        self.names, _ = labels(record.cells, record.columns)

    def builds(self, text: str) -> None:
        """Told as `flow: compiling the graph`."""
        if self._as_json:
            deployment, _, what = text.partition(": ")
            _phase(what, deployment)
        else:
            say(text)

    def ran(self, run: StoredRun, cell: Cell, done: int, total: int, left_s: float) -> None:
        results = run.results
        if self._as_json:
            emit_progress({"phase": self._phase, "done": done, "total": total, "eta_s": round(left_s, 1),
                           "run_id": results["run_id"], "items_per_s": results["throughput_items_per_s"],
                           "deployment": results["deployment"], "point": dict(zip(self._columns, cell.values)),
                           "status": results["status"]})
            return
        p50 = (results["latency"] or {}).get("p50_ns")
        figures = [si(results["throughput_items_per_s"], "items/s"), *([f"p50 {duration(p50)}"] if p50 else [])]
        outcome = "  ".join(figures) if results["status"] == "ok" else results["status"]
        width = len(str(total))
        lead = "" if self._phase == "sweep" else f"{self._phase} "
        say(f"{lead}[{done:>{width}}/{total}] {self.names[cell.number]}: {outcome}, {words(left_s)} left")
