"""Progress of sweeps and searches: lines for people, or objects of `--progress=json`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from weir.cli.verbs import say, show
from weir.cli.verbs._running import before_runs
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


def _emit(phase: str, done: int = 0, total: int | None = None, left_s: float | None = None, run_id: str | None = None,
          items_per_s: float | None = None, deployment: str | None = None, **more: Any) -> None:
    """Print one object of `--progress=json`."""
    emit_progress({"phase": phase, "done": done, "total": total,
                   "eta_s": None if left_s is None else round(left_s, 1), "run_id": run_id, "items_per_s": items_per_s,
                   "deployment": deployment, **more})


class RateProgress:
    """Progress of searches for sustainable rates."""

    def __init__(self, as_json: bool):
        self._as_json = as_json
        self._done: Counter[str | None] = Counter()

    def say(self, text: str) -> None:
        if not self._as_json:
            say(text)

    def tried(self, trial: Measured, left_s: float, deployment: str | None = None) -> None:
        """Report a finished trial. `deployment` names the searched one if there are several."""
        self._done[deployment] += 1
        if self._as_json:
            _emit("rate", self._done[deployment], None, left_s, trial.run_id, trial.load, deployment,
                  loss_ratio=trial.loss_ratio)
            return
        disturbed = ", disturbed" if trial.disturbed else ""
        say(f"{si(trial.load, 'items/s')} for {trial.duration_s:g} s: {100 * trial.loss_ratio:.3g} % of items late, "
            f"p99 {duration(trial.p99_ns)}{disturbed}; at most {left_s:.0f} s left")


@dataclass(frozen=True)
class _Quiet(Listener):
    """Listener that reports waiting for other runs, and stays quiet about the steps of each run."""

    as_json: bool = False

    def waits(self) -> None:
        if self.as_json:
            _emit("waiting")
        super().waits()

    def step(self, deployment: str, what: str) -> None:
        pass

    def phase(self, name: str, done: int = 0, total: int | None = None, run_id: str | None = None,
              deployment: str | None = None) -> None:
        pass

    def runs(self, deployment: str, run_id: str) -> None:
        pass


class SweepProgress(RateProgress):
    """Progress of a sweep: `weir.lab.sweeping.listener.SweepListener` for a terminal, or for `--progress=json`.

    `project` is the project file that warnings of plans name.
    """

    def __init__(self, as_json: bool, project: str | None):
        super().__init__(as_json)
        self._phase, self._project = "sweep", project
        self._columns: Sequence[str] = ()
        self.run_listener: Listener = _Quiet(self.say, as_json=as_json)
        self.names: Mapping[int, str] = {}

    def warns(self, found: Sequence[Diagnostic]) -> None:
        if self._project:
            show(found, self._project)

    def needs(self, pipeline: Pipeline, plans: Sequence[Plan]) -> None:
        before_runs(pipeline, plans)

    def begins(self, record: Record, phase: str = "sweep") -> None:
        """Begin a sweep, or a part of the `search` before it."""
        self._columns, self._phase = record.columns, phase
        self.names, _ = labels(record.cells, record.columns)

    def builds(self, text: str) -> None:
        """Report a build step, such as `flow: compiling the graph`."""
        if self._as_json:
            deployment, _, what = text.partition(": ")
            _emit(what, deployment=deployment)
        else:
            say(text)

    def ran(self, run: StoredRun, cell: Cell, done: int, total: int, left_s: float) -> None:
        results = run.results
        if self._as_json:
            _emit(self._phase, done, total, left_s, results["run_id"], results["throughput_items_per_s"],
                  results["deployment"], point=dict(zip(self._columns, cell.values)), status=results["status"])
            return
        p50 = (results["latency"] or {}).get("p50_ns")
        figures = [si(results["throughput_items_per_s"], "items/s"), *([f"p50 {duration(p50)}"] if p50 else [])]
        outcome = "  ".join(figures) if results["status"] == "ok" else results["status"]
        width = len(str(total))
        lead = "" if self._phase == "sweep" else f"{self._phase} "
        say(f"{lead}[{done:>{width}}/{total}] {self.names[cell.number]}: {outcome}, {words(left_s)} left")


#: Minimum seconds between two lines about the same phase.
QUIET_S = 10.0


@dataclass
class SearchProgress:
    """Progress of a search, with the remaining budget. `end` is a time of the monotonic clock, None before the
    first measurement.
    """

    budget_s: float
    as_json: bool
    end: float | None = None
    _said: tuple[str, float] = ("", 0.0)
    _at: tuple[str, int, int | None, int | None] = ("", 0, None, None)

    def __call__(self, what: str, done: int, total: int | None, left: int | None = None) -> None:
        self._at = what, done, total, left
        if self.as_json:
            self._emit()
        elif what != self._said[0] or time.monotonic() - self._said[1] > QUIET_S:
            self._said = what, time.monotonic()
            say(f"{what}, {self._left_s():.0f} s left" if self.end is not None else what)

    def begins(self, name: str) -> None:
        """Report the start of a candidate's run. The results of a round follow when the whole round is done."""
        if self.as_json:
            self._emit(name)
            what, done, total, left = self._at
            self._at = what, done + 1, total, left

    def _left_s(self) -> float:
        return self.budget_s if self.end is None else max(0.0, self.end - time.monotonic())

    def _emit(self, deployment: str | None = None) -> None:
        what, done, total, left = self._at
        more: dict[str, Any] = {} if left is None else {"left": left}
        _emit(what, done, total, self._left_s(), deployment=deployment, **more)
