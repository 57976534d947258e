"""Who hears how far a sweep is: the command line prints it, and other callers may ignore it."""

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


class Told(Protocol):
    """Hears each step of a sweep. Nothing of it changes what is measured."""

    listener: Listener

    def say(self, text: str) -> None:
        """A line for people."""

    def warns(self, found: Sequence[Diagnostic]) -> None:
        """Warnings of plans."""

    def needs(self, pipeline: Pipeline, plans: Sequence[Plan]) -> None:
        """Plans that are about to be built: what they need may be installed now."""

    def builds(self, text: str) -> None:
        """A step of a build, such as `flow: compiling the graph`."""

    def begins(self, record: Record, phase: str = "sweep") -> None:
        """The runs that follow are of this record: the sweep's, or those of the `search` before it."""

    def ran(self, run: StoredRun, cell: Cell, done: int, total: int, left_s: float) -> None:
        """A run is in the table."""

    def tried(self, trial: Measured, left_s: float, deployment: str | None = None) -> None:
        """A trial of the search for what a deployment sustains has ended."""
