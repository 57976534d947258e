"""Measures what of a sweep is not measured yet, block by block, and keeps its table."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from weir.catalog import Catalog
from weir.diagnostics import WeirError, os_error
from weir.measuring.listener import Listener
from weir.measuring.run_directory import StoredRun, load_run
from weir.measuring.runnable import Finished, Runnable, RunOptions, Slot, Verified
from weir.measuring.runner import run_in_turn
from weir.sweeping import state, table
from weir.sweeping.axes import Cell
from weir.sweeping.order import Block
from weir.sweeping.record import Record
from weir.verifying.digests import hold_against_each_other

#: What is told of each run: it, its cell, how many are done and are to be, and the seconds that are left.
Told = Callable[[StoredRun, Cell, int, int, float], None]


@dataclass
class Sweep:
    """`runnables`: of each cell of the record, in their order.

    `most_s`: no block is begun that would not be done after so many seconds, but the first; None: all of them are.
    """

    at: state.State
    record: Record
    runnables: Sequence[Runnable]
    options: RunOptions
    catalog: Catalog
    listener: Listener
    told: Told
    most_s: float | None = None
    clock: Callable[[], float] = time.monotonic
    ignored: state.Ignored = field(default_factory=state.Ignored)
    out_of_time: bool = False
    _held: dict[state.Place, StoredRun] = field(default_factory=dict)
    _verified: dict[int, Verified | None] = field(default_factory=dict)
    _walls: dict[int, float] = field(default_factory=dict)

    def go_on(self) -> bool:
        """Until everything is measured; True where it was interrupted. What is there already is not measured again.

        WeirError where a run cannot be made or kept: what was measured until then is there, and in the table.
        """
        there, self.ignored = state.done(self.at)
        try:
            return self._blocks(there)
        finally:
            self.write_table()

    def _blocks(self, there: dict[state.Place, StoredRun]) -> bool:
        begun, longest = self.clock(), 0.0
        while block := self.record.following:
            own = {place: run for place, run in there.items() if place[0] == block.number}
            missing = self.record.take(there)
            self._held.update(own)
            since = self.clock()
            if missing and self.most_s is not None and longest and since - begun + longest > self.most_s:
                self.out_of_time = True
                return False
            if self._measure(block, missing):
                return True
            self._hold(block)
            self.record.end(block)
            if missing:
                self.write_table()
                longest = max(longest, self.clock() - since)
        return False

    def _measure(self, block: Block, missing: Sequence[int]) -> bool:
        """True where it was interrupted."""
        for done, position in enumerate(missing, 1):
            index = block.order[position]
            slot = Slot(self.at.id, self.record.order.seed, self.record.order.repetitions, block.number, position,
                        len(block.order))
            since = self.clock()
            made, interrupted = run_in_turn(self.runnables[index], self.options, slot, self.listener, self._verified,
                                            index)
            if interrupted:
                return True
            run = self._held[block.number, position] = load_run(made.path)
            self.record.keep(block, position, run)
            self._walls[index] = self.clock() - since
            rest = [block.order[at] for at in missing[done:]]
            self.told(run, self.record.cells[index], len(self.record.rows), self._total(block),
                      self._left_s(block, rest))
        return False

    def _hold(self, block: Block) -> None:
        """Answers of equal work are equal, in a block and against the first one."""
        blocks = self.record.blocks
        held = sorted(self._held.items())
        lines = hold_against_each_other(
            [Finished(run.path, run.results, self.runnables[blocks[number].order[position]].document)
             for (number, position), run in held], self.catalog)
        for line in lines:
            self.listener.say(line)
        for (number, position), run in held if lines else ():
            self.record.keep(blocks[number], position, run)
        if block.number:  # the first one stays to be held against
            self._held = {place: run for place, run in self._held.items() if place[0] == 0}

    def _total(self, block: Block) -> int:
        """Runs in all, as far as is known: which blocks will be disturbed nobody knows."""
        order = self.record.order
        return (block.number + order.repetitions - block.planned) * order.cells

    def _left_s(self, block: Block, rest: Sequence[int]) -> float:
        """What is left takes as long as it took before, and what was not yet run as long as the others."""
        order = self.record.order
        mean = sum(self._walls.values()) / len(self._walls)
        each = sum(self._walls.get(index, mean) for index in range(order.cells))
        return sum(self._walls.get(index, mean) for index in rest) + (order.repetitions - block.planned - 1) * each

    def write_table(self) -> None:
        """WeirError where it cannot be written."""
        try:
            table.write(self.at.folder, self.record.table(), self.record.columns)
        except OSError as error:
            raise WeirError(os_error(error, f"write {self.at.folder / table.TABLE}")) from None
