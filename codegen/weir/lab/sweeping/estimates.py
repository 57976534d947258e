"""Estimates of each point over the rounds of a sweep, with intervals if there are enough rounds.

The estimator is that of comparisons (docs/statistics.md): the pseudomedian, with a bootstrap over rounds. Each run
gives one quantile of the latency, because the events of one run are not independent. Response failures are pooled over
all rounds, because most rounds may have none. Differences from another value of an axis are taken within each round,
so that a slowdown of the whole round cancels out.
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

#: Mean latency. It is shown with the ends of `SPREAD`, which are percentiles of the distribution.
MEAN, SPREAD = "latency_mean_ns", ("latency_p5_ns", "latency_p95_ns")
#: Column -> title.
SHOWN = {"throughput_items_per_s": "throughput", "latency_p50_ns": "p50", "latency_p95_ns": "p95",
         "latency_p99_ns": "p99"}
#: Column -> title in figures, which can show more columns.
WORDS = {**{column: f"latency, {words}" for column, words in SHOWN.items() if column.endswith("_ns")},
         "throughput_items_per_s": "throughput", MEAN: "mean latency", "elapsed_s": "run time",
         OF_CEILING: "share of the bare kernel", FAILURES: "response failures"}
#: Column -> unit of `quantities.figure`.
UNITS = {**dict.fromkeys(WORDS, "ns"), "throughput_items_per_s": "items/s", "elapsed_s": "s", OF_CEILING: "share",
         FAILURES: "ratio"}
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimated:
    """Estimate of one column at one point. `rounds`: those with a value; `interval`: None with too few of them;
    `below`: upper bound, if that is all that is known.
    """

    value: float | None
    interval: tuple[float, float] | None
    rounds: int
    below: float | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the estimate as plain JSON values."""
        return {"value": self.value, "interval": list(self.interval) if self.interval else None,
                "rounds": self.rounds, **({} if self.below is None else {"below": self.below})}


def estimated(rows: Sequence[Row], column: str) -> Estimated:
    """Estimate a column over the rows of one point that are ok."""
    if column == FAILURES:
        return _failures([row for row in rows if row["status"] == "ok" and row[FAILURES] is not None])
    values = [float(row[column]) for row in rows if row["status"] == "ok" and (row[column] or 0) > 0]
    if not values:
        return Estimated(None, None, 0)
    return Estimated(*of_logarithms(np.log(np.asarray(values)), CONFIDENCE), len(values))


def _failures(rows: Sequence[Row]) -> Estimated:
    """Estimate the share of response failures over all rows; an upper bound if nothing failed."""
    if not rows:
        return Estimated(None, None, 0)
    due = np.array([row["answered"] + row["latency_lost"] for row in rows], float)
    share = share_of_failures(np.array([row[FAILURES] for row in rows]) * due, due, CONFIDENCE)
    return Estimated(share.value, share.interval, len(rows), share.below)


def ceiling_of(rows: Sequence[Row]) -> float | None:
    """Return the typical rate of the bare kernel in items/s over all runs that are ok; None if no run has it."""
    return typical([rate for row in rows if row["status"] == "ok" and (rate := bare_items_per_s(row))])


@dataclass(frozen=True)
class Baseline:
    """Baseline of a comparison: the points with these values on the axes of these numbers. A point is compared with the
    one that differs from it in these axes alone.
    """

    values: Mapping[int, object]
    words: str

    def base_of(self, cell: Cell, cells: Sequence[Cell]) -> Cell | None:
        """Return the baseline point of `cell`, which differs in nothing else; None for a baseline or without one."""
        texts = [value_text(self.values.get(number, value)) for number, value in enumerate(cell.values)]
        if texts == list(map(value_text, cell.values)):
            return None
        return next((one for one in cells if list(map(value_text, one.values)) == texts), None)


def baseline_of(plot: Mapping, axes: Sequence[Axis]) -> Baseline | None:
    """Return the baseline that `plot` of a sweep names, or None."""
    against, numbers = plot.get("against", {}), {axis.key: number for number, axis in enumerate(axes)}
    if not against or not numbers.keys() >= against.keys():
        return None
    return Baseline({numbers[key]: value for key, value in against.items()},
                    "against " + " · ".join(f"{key}={shown(value)}" for key, value in against.items()))


def differences(base: Sequence[Row], rows: Sequence[Row], column: str) -> list[float]:
    """Return the difference of each round in percent of the baseline, for rounds in which both have the value."""
    a, b = ({row["round"]: float(row[column]) for row in of if row["status"] == "ok" and (row[column] or 0) > 0}
            for of in (base, rows))
    return [100 * (b[round_] / a[round_] - 1) for round_ in sorted(a.keys() & b.keys())]


def difference(base: Sequence[Row], rows: Sequence[Row], column: str) -> Estimated:
    """Estimate the difference over the rounds, in percent of the baseline."""
    logs = np.log1p(np.asarray(differences(base, rows, column)) / 100)
    if not logs.size:
        return Estimated(None, None, 0)
    ratio, interval = of_logarithms(logs, CONFIDENCE)
    return Estimated(100 * (ratio - 1), interval and (100 * (interval[0] - 1), 100 * (interval[1] - 1)), int(logs.size))
