"""By how much a quantity differs from that of one value of an axis: block by block, so that what slows all runs of a
block down cancels out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from weir.engine.measuring.points import shown, value_text
from weir.lab.sweeping.estimates import CONFIDENCE, Estimated
from weir.lab.sweeping.point import Axis, Cell
from weir.lab.sweeping.table import Row
from weir.read.comparing.statistics import MIN_BLOCKS, paired_interval, pseudomedian


@dataclass(frozen=True)
class Against:
    """`axis`: its number; `value`: what the points with other values of it are held against."""

    axis: int
    value: object
    words: str

    def base_of(self, cell: Cell, cells: Sequence[Cell]) -> Cell | None:
        """The point that differs from this one in nothing else; None of such a point itself, and where there is none.
        """
        wanted = [*cell.values[:self.axis], self.value, *cell.values[self.axis + 1:]]
        texts = list(map(value_text, wanted))
        if texts == list(map(value_text, cell.values)):
            return None
        return next((one for one in cells if list(map(value_text, one.values)) == texts), None)


def against(plot: Mapping, axes: Sequence[Axis]) -> Against | None:
    """What `plot` of a sweep holds the others against; None where it says nothing of that."""
    for key, value in plot.get("against", {}).items():
        for number, axis in enumerate(axes):
            if axis.key == key:
                return Against(number, value, f"against {key}={shown(value)}")
    return None


def differences(base: Sequence[Row], rows: Sequence[Row], column: str) -> list[float]:
    """In per cent of the base, of every block in which both are ok and have it."""
    a, b = ({row["block"]: float(row[column]) for row in of if row["status"] == "ok" and (row[column] or 0) > 0}
            for of in (base, rows))
    return [100 * (b[block] / a[block] - 1) for block in sorted(a.keys() & b.keys())]


def difference(base: Sequence[Row], rows: Sequence[Row], column: str) -> Estimated:
    """Of the ratios of the blocks, in per cent of the base."""
    logs = np.log1p(np.asarray(differences(base, rows, column)) / 100)
    if not logs.size:
        return Estimated(None, None, 0)
    interval = paired_interval(logs, CONFIDENCE) if logs.size >= MIN_BLOCKS else None
    return Estimated(100 * math.expm1(float(pseudomedian(logs))),
                     (100 * math.expm1(interval[0]), 100 * math.expm1(interval[1])) if interval else None,
                     int(logs.size))
