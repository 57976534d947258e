"""Measures what of a sweep is not measured yet, round by round, and keeps its table."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from weir.diagnostics import WeirError, diagnostic, trying
from weir.engine.measuring.listener import Listener
from weir.engine.measuring.run_directory import StoredRun, load_run
from weir.engine.measuring.runnable import Finished, Runnable, RunOptions, Slot, Verified
from weir.engine.measuring.runner import run_in_turn
from weir.engine.verifying.digests import hold_against_each_other
from weir.lab.sweeping import state, table
from weir.lab.sweeping.point import Cell
from weir.lab.sweeping.record import Record, Round, take
from weir.model.catalog import Catalog

#: What is told of each run: it, its cell, how many are done and are to be, and the seconds that are left.
Ran = Callable[[StoredRun, Cell, int, int, float], None]


@dataclass
class Sweep:
    """`runnables`: of each cell of the record, in their order.

    `most_s`: no round is begun that would not be done after so many seconds, but the first; None: all of them are.
    """

    at: state.State
    record: Record
    runnables: Sequence[Runnable]
    options: RunOptions
    catalog: Catalog
    listener: Listener
    told: Ran
    most_s: float | None = None
    clock: Callable[[], float] = time.monotonic
    ignored: state.Ignored = field(default_factory=state.Ignored)
    out_of_time: bool = False
    _made: dict[tuple[int, int], StoredRun] = field(default_factory=dict)  # by round and index of the cell
    _verified: dict[int, Verified | None] = field(default_factory=dict)
    _walls: dict[int, float] = field(default_factory=dict)

    def go_on(self) -> bool:
        """Until everything is measured; True where it was interrupted. What is there already is not measured again.

        WeirError where a run cannot be made or kept: what was measured until then is there, and in the table.
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
            self._hold(round_)
            self.write_table()
            longest = max(longest, self.clock() - since)
        return False

    def _measure(self, round_: Round, missing: Sequence[int]) -> bool:
        """True where it was interrupted."""
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
            self.told(run, cell, len(self.record.rows), len(self.record.rows) + len(rest) + left,
                      self._left_s(round_, rest))
        return False

    def _hold(self, round_: Round) -> None:
        """Answers of equal work are equal, in a round and against the first one that was measured here."""
        held = sorted(self._made.items())
        lines = hold_against_each_other([Finished(run.path, run.results, self.runnables[index].document)
                                         for (_, index), run in held], self.catalog)
        for line in lines:
            self.listener.say(line)
        for (number, index), run in held if lines else ():
            self.record.keep(number, run, self.record.cells[index].number)
        first = min(number for number, _ in self._made)
        self._made = {place: run for place, run in self._made.items() if place[0] == first}

    def _left_s(self, round_: Round, rest: Sequence[int]) -> float:
        """What is left takes as long as it took before, and what was not yet run as long as the others."""
        order = self.record.order
        mean = sum(self._walls.values()) / len(self._walls)
        each = sum(self._walls.get(index, mean) for index in range(order.cells))
        return sum(self._walls.get(index, mean) for index in rest) + (order.repetitions - round_.planned - 1) * each

    def write_table(self) -> None:
        """WeirError where it cannot be written."""
        with trying(f"write {self.at.folder / table.TABLE}"):
            table.write(self.at.folder, self.record.table(), self.record.columns)
