"""What is known of the runs of a sweep: its rows, which blocks were disturbed, and what comes next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from weir.measuring.run_directory import StoredRun
from weir.sweeping import state
from weir.sweeping.axes import Axis, Cell
from weir.sweeping.order import Block, Order
from weir.sweeping.table import Row, row_of


@dataclass
class Record:
    """`cells`: what is measured, by the order of the sweep; `columns`: what its axes are called.

    `rows`: by block and position; `disturbed`: of each block that is whole; `latest`: of each cell, by its number, the
    newest run that is ok.
    """

    cells: Sequence[Cell]
    columns: Sequence[str]
    order: Order
    rows: dict[state.Place, Row] = field(default_factory=dict)
    disturbed: list[bool] = field(default_factory=list)
    latest: dict[int, StoredRun] = field(default_factory=dict)

    @property
    def blocks(self) -> list[Block]:
        """Those that are whole, and the next one where there is one."""
        return self.order.blocks(self.disturbed)

    @property
    def following(self) -> Block | None:
        """The block that is measured next; None where all are whole."""
        last = self.blocks[-1]
        return last if last.number == len(self.disturbed) else None

    def keep(self, block: Block, position: int, run: StoredRun) -> None:
        cell = self.cells[block.order[position]]
        known: Mapping[str, object] = {"block": block.number, "repetition": block.planned, "again": block.again,
                                       "position": position, "point": cell.number, "block_disturbed": None}
        if block.number < len(self.disturbed):
            known = {**known, "block_disturbed": self.disturbed[block.number]}
        self.rows[block.number, position] = row_of(run, dict(zip(self.columns, cell.values)), known)
        if run.status == "ok":
            self.latest[cell.number] = run

    def end(self, block: Block) -> None:
        """All of its runs are kept."""
        own = [self.rows[block.number, position] for position in range(len(block.order))]
        self.disturbed.append(any(row["disturbed"] for row in own))
        for row in own:
            row["block_disturbed"] = self.disturbed[-1]

    def take(self, there: dict[state.Place, StoredRun]) -> list[int]:
        """Keeps what is there of the following block, and gives the positions that are not."""
        block = self.following
        missing = []
        for position in range(len(block.order) if block else 0):
            run = there.pop((block.number, position), None)
            if run is None:
                missing.append(position)
            else:
                self.keep(block, position, run)
        return missing

    def table(self) -> list[Row]:
        return [row for _, row in sorted(self.rows.items())]


def axes_of(at: state.State) -> list[Axis]:
    return [Axis(axis["key"], tuple(axis["values"]), tuple(map(str, axis["values"]))) for axis in at.value["axes"]]


def record_of(at: state.State) -> tuple[Record, state.Ignored]:
    """Of a folder with a sweep in it, as far as it was measured."""
    columns, value = at.value["columns"], at.value
    cells = [Cell(point["number"], point["deployment"], {}, None, tuple(point["values"][name] for name in columns), ())
             for point in value["points"]]
    record = Record(cells, columns, Order(value["seed"], len(cells), value["repetitions"], value["repeats"]))
    there, ignored = state.done(at)
    while block := record.following:
        if record.take(there):
            break
        record.end(block)
    return record, ignored
