"""Progress interface of a sweep. The command line prints the progress; other callers may ignore it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from weir.diagnostics import Diagnostic
from weir.engine.measuring.listener import Listener
from weir.engine.measuring.run_directory import StoredRun
from weir.engine.pipeline import Pipeline
from weir.lab.rating.trials import Measured
from weir.lab.sweeping.point import Cell
from weir.lab.sweeping.record import Record
from weir.model.planning.plan import Plan


class SweepListener(Protocol):
    """Receiver of a sweep's progress. It does not affect the measurement."""

    run_listener: Listener

    def say(self, text: str) -> None:
        """Report a line for people."""

    def warns(self, found: Sequence[Diagnostic]) -> None:
        """Report warnings of plans."""

    def needs(self, pipeline: Pipeline, plans: Sequence[Plan]) -> None:
        """Announce plans before the build, so that missing software can be installed."""

    def builds(self, text: str) -> None:
        """Report a build step, such as `flow: compiling the graph`."""

    def begins(self, record: Record, phase: str = "sweep") -> None:
        """Announce the record of the following runs: that of the sweep, or of the `search` before it."""

    def ran(self, run: StoredRun, cell: Cell, done: int, total: int, left_s: float) -> None:
        """Report a finished run."""

    def tried(self, trial: Measured, left_s: float, deployment: str | None = None) -> None:
        """Report a finished trial of the search for a sustainable rate."""
