"""Measures what of a sweep is not measured yet, block by block, and keeps its table."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from weir.catalog import Catalog
from weir.diagnostics import WeirError, os_error
from weir.measuring.listener import Listener
from weir.measuring.run_directory import StoredRun, load_run
from weir.measuring.runnable import Finished, Runnable, RunOptions, Slot, Verified
from weir.measuring.runner import run_in_turn
from weir.sweeping import state, table
from weir.sweeping.axes import Cell
from weir.sweeping.order import Block, Order
from weir.verifying.digests import hold_against_each_other

#: What is told of each run: it, its cell, how many are done and are to be, and the seconds that are left.
Told = Callable[[StoredRun, Cell, int, int, float], None]


@dataclass
class Sweep:
    """`cells`: what is measured, by the order of the sweep. `columns`: what the axes are called.

    `most_s`: no block is begun that would not be done after so many seconds, but the first; None: all of them are.
    `rows`: what was measured, by block and position; `latest`: of each cell, by its number, the newest run that is ok.
    """

    at: state.State
    cells: Sequence[tuple[Cell, Runnable]]
    columns: Sequence[str]
    order: Order
    options: RunOptions
    catalog: Catalog
    listener: Listener
    told: Told
    most_s: float | None = None
    clock: Callable[[], float] = time.monotonic
    rows: dict[state.Place, table.Row] = field(default_factory=dict)
    disturbed: list[bool] = field(default_factory=list)
    latest: dict[int, StoredRun] = field(default_factory=dict)
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
        while (block := self.blocks()[-1]).number == len(self.disturbed):
            missing = []
            for position in range(len(block.order)):
                run = there.pop((block.number, position), None)
                if run is None:
                    missing.append(position)
                else:
                    self._keep(block, position, run)
            since = self.clock()
            if missing and self.most_s is not None and longest and since - begun + longest > self.most_s:
                self.out_of_time = True
                return False
            if self._measure(block, missing):
                return True
            self._end(block)
            if missing:
                self.write_table()
                longest = max(longest, self.clock() - since)
        return False

    def blocks(self) -> list[Block]:
        """Those that are measured whole, and the next one where there is one."""
        return self.order.blocks(self.disturbed)

    def _measure(self, block: Block, missing: Sequence[int]) -> bool:
        """True where it was interrupted."""
        for done, position in enumerate(missing, 1):
            index = block.order[position]
            cell, it = self.cells[index]
            slot = Slot(self.at.id, self.order.seed, self.order.repetitions, block.number, position, len(block.order))
            since = self.clock()
            made, interrupted = run_in_turn(it, self.options, slot, self.listener, self._verified, index)
            if interrupted:
                return True
            run = load_run(made.path)
            self._keep(block, position, run)
            self._walls[index] = self.clock() - since
            rest = [block.order[at] for at in missing[done:]]
            self.told(run, cell, len(self.rows), self._total(block), self._left_s(block, rest))
        return False

    def _keep(self, block: Block, position: int, run: StoredRun) -> None:
        place = block.number, position
        self._held[place] = run
        self.rows[place] = self._row(block, position, run)
        if run.status == "ok":
            self.latest[self.cells[block.order[position]][0].number] = run

    def _row(self, block: Block, position: int, run: StoredRun) -> table.Row:
        cell, _ = self.cells[block.order[position]]
        known: Mapping[str, object] = {"block": block.number, "repetition": block.planned, "again": block.again,
                                       "position": position, "point": cell.number, "block_disturbed": None}
        return table.row_of(run, dict(zip(self.columns, cell.values)), known)

    def _end(self, block: Block) -> None:
        """Answers of equal work are equal, in a block and against the first one; and whether others disturbed it."""
        blocks = self.blocks()
        places = sorted(self._held)
        finished = [Finished(run.path, run.results, self.cells[blocks[number].order[position]][1].document)
                    for (number, position), run in sorted(self._held.items())]
        lines = hold_against_each_other(finished, self.catalog)
        for line in lines:
            self.listener.say(line)
        for number, position in places if lines else ():
            known = self.rows[number, position]["block_disturbed"]
            self.rows[number, position] = self._row(blocks[number], position, self._held[number, position])
            self.rows[number, position]["block_disturbed"] = known
        own = [self.rows[block.number, position] for position in range(len(block.order))]
        self.disturbed.append(any(row["disturbed"] for row in own))
        for row in own:
            row["block_disturbed"] = self.disturbed[-1]
        if block.number:  # the first one stays to be held against
            self._held = {place: run for place, run in self._held.items() if place[0] == 0}

    def _total(self, block: Block) -> int:
        """Runs in all, as far as is known: which blocks will be disturbed nobody knows."""
        return (block.number + self.order.repetitions - block.planned) * self.order.cells

    def _left_s(self, block: Block, rest: Sequence[int]) -> float:
        """What is left takes as long as it took before, and what was not yet run as long as the others."""
        mean = sum(self._walls.values()) / len(self._walls)
        each = sum(self._walls.get(index, mean) for index in range(self.order.cells))
        return sum(self._walls.get(index, mean) for index in rest) + (self.order.repetitions - block.planned - 1) * each

    def write_table(self) -> None:
        """WeirError where it cannot be written."""
        try:
            table.write(self.at.folder, [row for _, row in sorted(self.rows.items())], self.columns)
        except OSError as error:
            raise WeirError(os_error(error, f"write {self.at.folder / table.TABLE}")) from None
