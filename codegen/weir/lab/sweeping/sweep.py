"""Measure the missing runs of a sweep round by round, and write its table."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from weir.diagnostics import WeirError, diagnostic, trying
from weir.engine.measuring.listener import Listener
from weir.engine.measuring.run_directory import StoredRun, load_run
from weir.engine.measuring.runnable import Finished, Runnable, RunOptions, Slot, Verified
from weir.engine.measuring.runner import run_in_turn
from weir.engine.verifying.digests import mark_different_digests
from weir.lab.sweeping import state, table
from weir.lab.sweeping.point import Cell
from weir.lab.sweeping.record import Record, Round, take
from weir.model.catalog import Catalog

#: Callback after each run: run, cell, finished runs, all runs, and remaining seconds.
Ran = Callable[[StoredRun, Cell, int, int, float], None]


@dataclass
class Sweep:
    """Measurement of a sweep. `runnables`: programs of the record's cells, in order.

    `most_s`: except for the first, begin only rounds that can end within these seconds; None: no limit.
    """

    at: state.State
    record: Record
    runnables: Sequence[Runnable]
    options: RunOptions
    catalog: Catalog
    listener: Listener
    on_run: Ran
    most_s: float | None = None
    clock: Callable[[], float] = time.monotonic
    ignored: state.Ignored = field(default_factory=state.Ignored)
    out_of_time: bool = False
    _made: dict[tuple[int, int], StoredRun] = field(default_factory=dict)  # by round and index of the cell
    _verified: dict[int, Verified | None] = field(default_factory=dict)
    _walls: dict[int, float] = field(default_factory=dict)

    def go_on(self) -> bool:
        """Measure all missing runs. Returns True if it was interrupted.

        Raises WeirError if a run fails or cannot be stored; the folder and the table keep the runs until then.
        """
        self.ignored = take(self.record, self.at)
        try:
            return self._rounds()
        finally:
            self.write_table()

    def _rounds(self) -> bool:
        begun, longest = self.clock(), 0.0
        while round_ := self.record.following:
            since = self.clock()
            if self.most_s is not None and longest and since - begun + longest > self.most_s:
                self.out_of_time = True
                return False
            if self._measure(round_, self.record.missing(round_)):
                return True
            self._compare_outputs(round_)
            self.write_table()
            longest = max(longest, self.clock() - since)
        return False

    def _measure(self, round_: Round, missing: Sequence[int]) -> bool:
        """Measure the missing positions of a round. Returns True if it was interrupted."""
        order = self.record.order
        for done, position in enumerate(missing, 1):
            index = round_.order[position]
            cell = self.record.cells[index]
            slot = Slot(self.at.id, order.seed, order.repetitions, round_.number, position, order.cells, cell.number)
            since = self.clock()
            made, interrupted = run_in_turn(self.runnables[index], self.options, slot, self.listener, self._verified,
                                            index)
            if interrupted:
                return True
            run = load_run(made.path)
            if why := state.no_result(run):
                raise WeirError(diagnostic("E_DISK_FULL", "", f"{run.path}: {why}"))
            self.record.keep(round_.number, run, cell.number)
            self._made[round_.number, index] = run
            self._walls[index] = self.clock() - since
            rest = [round_.order[at] for at in missing[done:]]
            left = (order.repetitions - round_.planned - 1) * order.cells
            self.on_run(run, cell, len(self.record.rows), len(self.record.rows) + len(rest) + left,
                        self._left_s(round_, rest))
        return False

    def _compare_outputs(self, round_: Round) -> None:
        """Check that equal work gives equal outputs within a round, and compared with the first round of this call."""
        made = sorted(self._made.items())
        lines = mark_different_digests([Finished(run.path, run.results, self.runnables[index].document)
                                        for (_, index), run in made], self.catalog)
        for line in lines:
            self.listener.say(line)
        for (number, index), run in made if lines else ():
            self.record.keep(number, run, self.record.cells[index].number)
        first = min(number for number, _ in self._made)
        self._made = {place: run for place, run in self._made.items() if place[0] == first}

    def _left_s(self, round_: Round, rest: Sequence[int]) -> float:
        """Return the estimated remaining seconds: cells take as long as before, and new cells as long as the mean."""
        order = self.record.order
        mean = sum(self._walls.values()) / len(self._walls)
        each = sum(self._walls.get(index, mean) for index in range(order.cells))
        return sum(self._walls.get(index, mean) for index in rest) + (order.repetitions - round_.planned - 1) * each

    def write_table(self) -> None:
        """Write the table. Raises WeirError if that fails."""
        with trying(f"write {self.at.folder / table.TABLE}"):
            table.write(self.at.folder, self.record.table(), self.record.columns)
