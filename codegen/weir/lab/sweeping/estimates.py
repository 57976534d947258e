"""What the rounds of a sweep say of each point: a number, with an interval where there are enough rounds.

The estimator is that of comparisons (docs/statistics.md): the pseudomedian, and a bootstrap over rounds. A quantile of
latency is taken of each run, and then of the rounds: events of one run are not independent. Of response failures it is
that of all rounds together: most rounds may have none, and of these a median says nothing. By how much a quantity
differs from that of one value of an axis is told round by round: what slows all runs of a round down cancels out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from weir.engine.measuring.points import shown, value_text
from weir.lab.sweeping.point import Axis, Cell
from weir.lab.sweeping.table import Row, bare_items_per_s
from weir.model.document.sweeps import FAILURES, OF_CEILING
from weir.read.comparing.statistics import of_logarithms, share_of_failures, typical

#: Column -> its words.
SHOWN = {"throughput_items_per_s": "throughput", "latency_p50_ns": "p50", "latency_p95_ns": "p95",
         "latency_p99_ns": "p99"}
#: And what figures call them, with what else they may show.
WORDS = {**{column: f"latency, {words}" for column, words in SHOWN.items() if column.endswith("_ns")},
         "throughput_items_per_s": "throughput", "latency_mean_ns": "mean latency", "elapsed_s": "run time",
         OF_CEILING: "share of the bare kernel", FAILURES: "response failures"}
#: What they are in: `quantities.figure` writes them.
UNITS = {**dict.fromkeys(WORDS, "ns"), "throughput_items_per_s": "items/s", "elapsed_s": "s", OF_CEILING: "share",
         FAILURES: "ratio"}
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimated:
    """Of one column at one point. `rounds` that have it; `interval`: None with too few of them. `below`: what the value
    is below, where that is all that can be said of it.
    """

    value: float | None
    interval: tuple[float, float] | None
    rounds: int
    below: float | None = None

    def as_json(self) -> dict[str, Any]:
        """Returns it as plain JSON values."""
        return {"value": self.value, "interval": list(self.interval) if self.interval else None,
                "rounds": self.rounds, **({} if self.below is None else {"below": self.below})}


def estimated(rows: Sequence[Row], column: str) -> Estimated:
    """Of the rows of one point that are ok."""
    if column == FAILURES:
        return _failures([row for row in rows if row["status"] == "ok" and row[FAILURES] is not None])
    values = [float(row[column]) for row in rows if row["status"] == "ok" and (row[column] or 0) > 0]
    if not values:
        return Estimated(None, None, 0)
    return Estimated(*of_logarithms(np.log(np.asarray(values)), CONFIDENCE), len(values))


def _failures(rows: Sequence[Row]) -> Estimated:
    """Of all rows together; where nothing failed, what that is below."""
    if not rows:
        return Estimated(None, None, 0)
    due = np.array([row["answered"] + row["latency_lost"] for row in rows], float)
    share = share_of_failures(np.array([row[FAILURES] for row in rows]) * due, due, CONFIDENCE)
    return Estimated(share.value, share.interval, len(rows), share.below)


def ceiling_of(rows: Sequence[Row]) -> float | None:
    """Items/s of the bare kernel, over all runs that are ok; None where no run has it."""
    return typical([rate for row in rows if row["status"] == "ok" and (rate := bare_items_per_s(row))])


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
    """In per cent of the base, of every round in which both are ok and have it."""
    a, b = ({row["round"]: float(row[column]) for row in of if row["status"] == "ok" and (row[column] or 0) > 0}
            for of in (base, rows))
    return [100 * (b[round_] / a[round_] - 1) for round_ in sorted(a.keys() & b.keys())]


def difference(base: Sequence[Row], rows: Sequence[Row], column: str) -> Estimated:
    """Of the ratios of the rounds, in per cent of the base."""
    logs = np.log1p(np.asarray(differences(base, rows, column)) / 100)
    if not logs.size:
        return Estimated(None, None, 0)
    ratio, interval = of_logarithms(logs, CONFIDENCE)
    return Estimated(100 * (ratio - 1), interval and (100 * (interval[0] - 1), 100 * (interval[1] - 1)), int(logs.size))
