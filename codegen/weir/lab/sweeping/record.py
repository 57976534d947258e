"""Record of a sweep's runs: its rows, its disturbed rounds, and the next round.

Each run stores its round and point, so repeated or removed runs never change the identity of others. The seed and the
existing runs determine the next round, so a resumed sweep continues exactly where it stopped.

A round has every point once, in random order. Weir repeats a round as a whole, up to a limit, if other programs
disturbed it. Only CPU time of other programs and steal time decide this, never the results.
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
    """Round of a sweep. `planned`: index among the requested rounds; `again`: repeat of a disturbed round, 0 for the
    first attempt; `number`: unique for these two; `order`: cells by position.
    """

    number: int
    planned: int
    again: int
    order: tuple[int, ...]


def order_of(seed: int, planned: int, again: int, cells: int) -> tuple[int, ...]:
    """Return the order in which a round measures its cells."""
    order = list(range(cells))
    random.Random(f"{seed}/{planned}/{again}").shuffle(order)
    return tuple(order)


@dataclass(frozen=True)
class Order:
    """Order of a sweep: `repetitions` rounds, each repeated up to `repeats` times if it is disturbed."""

    seed: int
    cells: int
    repetitions: int
    repeats: int

    def round(self, planned: int, again: int) -> Round:
        """Return one round."""
        return Round(planned * (self.repeats + 1) + again, planned, again,
                     order_of(self.seed, planned, again, self.cells))

    def of_number(self, number: int) -> tuple[int, int]:
        """Return (planned, again) of a round's number."""
        return divmod(number, self.repeats + 1)


@dataclass
class Record:
    """Record of a sweep. `cells`: points in order; `columns`: names of the axes.

    `rows`: by round and point; `latest`: point -> newest run that is ok.
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
        """Add a run of a round. Raises KeyError if the point is unknown."""
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
        """Return whether every cell of a round is measured."""
        return self._counts.get(number, 0) == len(self.cells)

    @property
    def rounds(self) -> list[Round]:
        """Return the complete rounds in order of measurement, and the first incomplete one.

        The repeat of a round follows it, even if its runs no longer count as disturbed.
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
        """Return the next round to measure, None if all are complete."""
        last = self.rounds[-1]
        return None if self.is_whole(last.number) else last

    def missing(self, round_: Round) -> list[int]:
        """Return the positions of a round that are not measured yet."""
        return [position for position, index in enumerate(round_.order)
                if (round_.number, self.cells[index].number) not in self.rows]

    @property
    def whole(self) -> list[Round]:
        """Return the complete rounds."""
        return [round_ for round_ in self.rounds if self.is_whole(round_.number)]

    @property
    def disturbed(self) -> int:
        """Return the number of complete rounds that other programs disturbed."""
        return sum(round_.number in self._disturbed for round_ in self.whole)

    def table(self) -> list[Row]:
        """Return the rows in order of measurement. `round_disturbed` is None in an incomplete round."""
        rows = sorted(self.rows.values(), key=lambda row: (row["round"], row["position"]))
        for row in rows:
            row["round_disturbed"] = row["round"] in self._disturbed if self.is_whole(row["round"]) else None
        return rows


def axes_of(at: state.State) -> list[Axis]:
    """Return the axes of a sweep that has begun."""
    return [Axis(axis["key"], tuple(axis["values"]), tuple(map(str, axis["values"])),
                 parameter=is_parameter(axis["key"], at.value["document"])) for axis in at.value["axes"]]


def take(record: Record, at: state.State, read: state.Stored | None = None) -> state.Ignored:
    """Add all runs of the folder to the record, and return the runs that are in no table. `read`: its contents, if
    already read.
    """
    there, ignored = state.done(at, {cell.number for cell in record.cells},
                                record.order.repetitions * (record.order.repeats + 1), read)
    for (number, point), run in sorted(there.items()):
        record.keep(number, run, point)
    return ignored


def record_of(at: state.State, read: state.Stored | None = None) -> tuple[Record, state.Ignored]:
    """Return the record of a sweep's folder, as far as it is measured. `read`: its contents, if already read."""
    columns, value = at.value["columns"], at.value
    cells = [Cell(point["number"], point["deployment"], {}, None, tuple(point["values"][name] for name in columns), ())
             for point in value["points"]]
    record = Record(cells, columns, Order(value["seed"], len(cells), value["repetitions"], value["repeats"]))
    return record, take(record, at, read)
