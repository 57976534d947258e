"""Judged part of a sweep: its contenders in pairs, with their values in each round."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from weir.engine.measuring.points import value_text
from weir.interop.capsule.judging import Pair, Values
from weir.lab.sweeping.axes import label, labels, same_but_contender
from weir.lab.sweeping.estimates import SHOWN
from weir.lab.sweeping.point import Axis, Cell
from weir.lab.sweeping.record import Record

#: With more contenders at a place, each is compared only with the first one, not with every other.
MOST_CONTENDERS = 40


def key_of(values: Sequence[object]) -> str:
    """Return a key for a point that is the same in the capsule and here, whatever the point's number is."""
    return value_text(list(values))


def values_of(record: Record) -> Values:
    """Return the values of the runs with status ok; quantities must be above 0."""
    keys = {cell.number: key_of(cell.values) for cell in record.cells}
    found: dict[str, dict[str, dict[int, float]]] = {column: {} for column in SHOWN}
    for (round_, point), row in sorted(record.rows.items()):
        for column in SHOWN if row["status"] == "ok" else ():
            if (row[column] or 0) > 0:
                found[column].setdefault(keys[point], {})[round_] = float(row[column])
    return {column: points for column, points in found.items() if points}


def pairs_of(record: Record, axes: Sequence[Axis]) -> list[Pair]:
    """Return the pairs of contenders at equal values of the other axes. Without several contenders, each point is one,
    and is compared with the first point.
    """
    groups: dict[str, list[Cell]] = {}
    for cell in record.cells:
        groups.setdefault(same_but_contender(cell.values, axes), []).append(cell)
    if max(map(len, groups.values())) == 1:
        names, _ = labels(record.cells, record.columns)
        first, *others = record.cells
        return [Pair("", key_of(first.values), key_of(cell.values), (names[first.number], names[cell.number]))
                for cell in others]
    return [Pair(_part(a, axes, record.columns, False), key_of(a.values), key_of(b.values),
                 (_part(a, axes, record.columns, True), _part(b, axes, record.columns, True)))
            for group in groups.values() for a, b in _couples(group)]


def _couples(group: Sequence[Cell]) -> Iterator[tuple[Cell, Cell]]:
    many = len(group) > MOST_CONTENDERS
    return ((group[0], other) for other in group[1:]) if many else itertools.combinations(group, 2)


def _part(cell: Cell, axes: Sequence[Axis], columns: Sequence[str], contenders: bool) -> str:
    """Return the label of the cell's contender, or of its place."""
    own = [(value, name) for value, name, axis in zip(cell.values, columns, axes) if axis.has_contenders == contenders]
    return label([value for value, _ in own], [name for _, name in own]) if own else ""


def not_tried(record: Record, here: Record, left_out: Sequence[Mapping], quick: bool) -> list[tuple[str, str]]:
    """Return (point, reason) for each point of the capsule that was not measured here. `left_out`: from sweep.json
    here.
    """
    why = {key_of([it["values"].get(name) for name in here.columns]): it["message"] for it in left_out}
    tried = {key_of(cell.values) for cell in here.cells}
    names, _ = labels(record.cells, record.columns)
    rest = "--quick leaves it out" if quick else "the sweep here has no such point"
    return [(names[cell.number], why.get(key_of(cell.values), rest)) for cell in record.cells
            if key_of(cell.values) not in tried]
