"""What the blocks of a sweep say of each point: a number, with an interval where there are enough blocks.

The estimator is that of comparisons (docs/statistics.md): the pseudomedian, and a bootstrap over blocks. A quantile of
latency is taken of each run, and then of the blocks: events of one run are not independent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from weir.comparing.statistics import MIN_BLOCKS, paired_interval, pseudomedian
from weir.document.sweeps import OF_CEILING
from weir.sweeping.table import Row, bare_items_per_s

#: Column -> its words.
SHOWN = {"throughput_items_per_s": "throughput", "latency_p50_ns": "p50", "latency_p95_ns": "p95",
         "latency_p99_ns": "p99"}
#: And what figures call them, with what else they may show.
WORDS = {**{column: f"latency, {words}" for column, words in SHOWN.items() if column.endswith("_ns")},
         "throughput_items_per_s": "throughput", "latency_mean_ns": "mean latency", "elapsed_s": "run time",
         OF_CEILING: "share of the bare kernel"}
#: What they are in: `quantities.figure` writes them.
UNITS = {**dict.fromkeys(WORDS, "ns"), "throughput_items_per_s": "items/s", "elapsed_s": "s", OF_CEILING: "share"}
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Estimated:
    """Of one column at one point. `blocks` that have it; `interval`: None with too few of them."""

    value: float | None
    interval: tuple[float, float] | None
    blocks: int

    def as_json(self) -> dict[str, object]:
        return {"value": self.value, "interval": list(self.interval) if self.interval else None,
                "blocks": self.blocks}


def estimated(rows: Sequence[Row], column: str) -> Estimated:
    """Of the rows of one point that are ok."""
    values = [float(row[column]) for row in rows if row["status"] == "ok" and (row[column] or 0) > 0]
    if not values:
        return Estimated(None, None, 0)
    logs = np.log(np.asarray(values))
    enough = len(values) >= MIN_BLOCKS
    interval = tuple(map(math.exp, paired_interval(logs, CONFIDENCE))) if enough else None
    return Estimated(math.exp(float(pseudomedian(logs))), interval, len(values))


def ceiling_of(rows: Sequence[Row]) -> float | None:
    """Items/s of the bare kernel, over all runs that are ok; None where no run has it."""
    bare = [rate for row in rows if row["status"] == "ok" and (rate := bare_items_per_s(row))]
    return math.exp(float(pseudomedian(np.log(np.asarray(bare))))) if bare else None
