"""What is known of the runs of a sweep: its rows, which rounds others disturbed, and what comes next.

A run is known by its round and its point, which it carries itself: whatever is measured again, or removed by somebody,
no other run is taken for something else by that. What comes next is decided by the seed and by the runs that are there,
so that whoever goes on with a sweep goes on exactly there.

A round has every point once, in a random order. One that others on the machine disturbed is measured again, whole, as
often as was stated: because of foreign time and steal alone, and never because of what came out.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from weir.engine.measuring.run_directory import StoredRun
from weir.lab.sweeping import state
from weir.lab.sweeping.point import Axis, Cell
from weir.lab.sweeping.table import Row, row_of
from weir.model.document.sweeps import is_parameter


@dataclass(frozen=True)
class Round:
    """`planned`: of the repetitions that were asked for, which it is of; `again`: how manieth repetition of a disturbed
    one, 0 for the first; `number`: the same for these two, whatever else is measured. `order`: cells by position.
    """

    number: int
    planned: int
    again: int
    order: tuple[int, ...]


def order_of(seed: int, planned: int, again: int, cells: int) -> tuple[int, ...]:
    """The order in which a round's cells are measured."""
    order = list(range(cells))
    random.Random(f"{seed}/{planned}/{again}").shuffle(order)
    return tuple(order)


@dataclass(frozen=True)
class Order:
    """`repetitions` of every point, each round of them measured again up to `repeats` times where it was disturbed."""

    seed: int
    cells: int
    repetitions: int
    repeats: int

    def round(self, planned: int, again: int) -> Round:
        """One round."""
        return Round(planned * (self.repeats + 1) + again, planned, again,
                     order_of(self.seed, planned, again, self.cells))

    def of_number(self, number: int) -> tuple[int, int]:
        """(planned, again)."""
        return divmod(number, self.repeats + 1)


@dataclass
class Record:
    """`cells`: what is measured, by the order of the sweep; `columns`: what its axes are called.

    `rows`: by round and point; `latest`: of each point the newest run that is ok.
    """

    cells: Sequence[Cell]
    columns: Sequence[str]
    order: Order
    rows: dict[state.Place, Row] = field(default_factory=dict)
    latest: dict[int, StoredRun] = field(default_factory=dict)
    _counts: dict[int, int] = field(default_factory=dict)
    _disturbed: set[int] = field(default_factory=set)

    @cached_property
    def _cell_of(self) -> Mapping[int, Cell]:
        return {cell.number: cell for cell in self.cells}

    def keep(self, number: int, run: StoredRun, point: int) -> None:
        """A run of the round of that number. KeyError where there is no such point."""
        cell = self._cell_of[point]
        planned, again = self.order.of_number(number)
        known: Mapping[str, Any] = {"round": number, "repetition": planned, "again": again,
                                       "position": run.run["set"]["position"], "point": point}
        if (number, point) not in self.rows:
            self._counts[number] = self._counts.get(number, 0) + 1
        row = self.rows[number, point] = row_of(run, dict(zip(self.columns, cell.values)), known)
        if row["disturbed"]:
            self._disturbed.add(number)
        if run.status == "ok":
            self.latest[point] = run
        elif self.latest.get(point) is not None and self.latest[point].path == run.path:
            del self.latest[point]

    def is_whole(self, number: int) -> bool:
        """Whether every cell of a round was measured."""
        return self._counts.get(number, 0) == len(self.cells)

    @property
    def rounds(self) -> list[Round]:
        """Those that are whole, in the order in which they are measured, and the first one that is not, if any.

        A round that was measured again is followed by that, whatever its runs say now.
        """
        found, planned, again = [], 0, 0
        while planned < self.order.repetitions:
            round_ = self.order.round(planned, again)
            found.append(round_)
            if not self.is_whole(round_.number):
                break
            repeated = round_.number in self._disturbed or self._counts.get(round_.number + 1, 0) > 0
            planned, again = (planned, again + 1) if repeated and again < self.order.repeats else (planned + 1, 0)
        return found

    @property
    def following(self) -> Round | None:
        """The round that is measured next; None where all are whole."""
        last = self.rounds[-1]
        return None if self.is_whole(last.number) else last

    def missing(self, round_: Round) -> list[int]:
        """The positions of a round that are still to be measured."""
        return [position for position, index in enumerate(round_.order)
                if (round_.number, self.cells[index].number) not in self.rows]

    @property
    def whole(self) -> list[Round]:
        """The rounds of which every cell was measured."""
        return [round_ for round_ in self.rounds if self.is_whole(round_.number)]

    @property
    def disturbed(self) -> int:
        """How many of the whole rounds others disturbed."""
        return sum(round_.number in self._disturbed for round_ in self.whole)

    def table(self) -> list[Row]:
        """As they were measured. `round_disturbed`: None of a round that is not whole."""
        rows = sorted(self.rows.values(), key=lambda row: (row["round"], row["position"]))
        for row in rows:
            row["round_disturbed"] = row["round"] in self._disturbed if self.is_whole(row["round"]) else None
        return rows


def axes_of(at: state.State) -> list[Axis]:
    """The axes of a sweep that was begun."""
    return [Axis(axis["key"], tuple(axis["values"]), tuple(map(str, axis["values"])),
                 parameter=is_parameter(axis["key"], at.value["document"])) for axis in at.value["axes"]]


def take(record: Record, at: state.State, read: state.Stored | None = None) -> state.Ignored:
    """Everything that is in the folder, which may have been read; and what of it is in no table."""
    there, ignored = state.done(at, {cell.number for cell in record.cells},
                                record.order.repetitions * (record.order.repeats + 1), read)
    for (number, point), run in sorted(there.items()):
        record.keep(number, run, point)
    return ignored


def record_of(at: state.State, read: state.Stored | None = None) -> tuple[Record, state.Ignored]:
    """Of a folder with a sweep in it, as far as it was measured. `read`: what is in the folder, where it was read."""
    columns, value = at.value["columns"], at.value
    cells = [Cell(point["number"], point["deployment"], {}, None, tuple(point["values"][name] for name in columns), ())
             for point in value["points"]]
    record = Record(cells, columns, Order(value["seed"], len(cells), value["repetitions"], value["repeats"]))
    return record, take(record, at, read)
