"""Columns of a layout wrap into rows, as words of a text do, where all of them in one row would be shown too small."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

BETWEEN = 120  # from row to row; the wires to the next row lead back there
BESIDE = 160  # what these wires take at both ends of the rows together
WORTH = 1.15  # how many times larger all must be shown for more rows
READABLE = 0.7  # what is shown so large needs no rows
MOST_ROWS = 24
BACK = 2  # so many columns early a row may end, for fewer wires that lead back


@dataclass(frozen=True)
class Column:
    """`width` with the gap to the next; `top` and `bottom` of what is in it; `crossed`: wires over its left edge."""

    width: float
    top: float
    bottom: float
    crossed: int


def wrapped(columns: Sequence[Column], room: tuple[float, float]) -> list[range]:
    """The columns of each row: as few rows as let all of it be read in `room`, the width and height of a window, or
    show it as large as possible there.
    """
    best, largest = [range(len(columns))], 0.0
    for count in range(1, min(MOST_ROWS, len(columns)) + 1):
        limits = range(int(max(c.width for c in columns)), int(sum(c.width for c in columns)) + 2)
        narrowest = limits[min(bisect_left(limits, True, key=lambda at: len(_filled(columns, at)) <= count),
                               len(limits) - 1)]
        rows = _filled(columns, narrowest)
        shown = _shown(columns, rows, room)
        if shown > largest * WORTH:
            best, largest = rows, shown
    return best


def _filled(columns: Sequence[Column], limit: float) -> list[range]:
    starts, used, at = [0], 0.0, 0
    while at < len(columns):
        if used + columns[at].width > limit and at > starts[-1]:
            first = max(starts[-1] + 1, at - BACK)
            at = min(range(at, first - 1, -1), key=lambda i: columns[i].crossed)
            starts.append(at)
            used = 0.0
        used += columns[at].width
        at += 1
    return [range(a, b) for a, b in zip(starts, [*starts[1:], len(columns)])]


def _shown(columns: Sequence[Column], rows: Sequence[range], room: tuple[float, float]) -> float:
    width = max(sum(columns[i].width for i in row) for row in rows) + (BESIDE if len(rows) > 1 else 0)
    height = sum(heights(columns, row) for row in rows) + BETWEEN * (len(rows) - 1)
    return min(READABLE, room[0] / width, room[1] / height)


def heights(columns: Sequence[Column], row: range) -> float:
    """How high a row is."""
    return max(columns[i].bottom for i in row) - min(columns[i].top for i in row)
