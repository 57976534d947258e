"""A/A: one thing measured twice in every block: what differences this machine makes by itself, and so with how many
blocks a real one is found.

Which of the two is the first means nothing, so the differences of the blocks count with both signs. Comparisons of as
many blocks are drawn from them, one side made slower, and judged as `weir compare` does (docs/statistics.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from weir.lab.sweeping.table import Row
from weir.read.comparing.statistics import of_logarithms, paired_interval

#: The column, which no parameter can be called, and the values of the axis that tells the two sides apart.
AXIS, SIDES = "AA", ("first", "second")
#: Blocks of an A/A, where nobody asks for others.
REPETITIONS = 16
#: Slowdowns that are looked for, and how often they are to be found.
SLOWDOWNS, FOUND = (0.05, 0.10), 0.9
#: Numbers of blocks that are tried, comparisons that are drawn for each, and resamples of each one's bootstrap.
BLOCKS, DRAWN, RESAMPLES = (8, 10, 12, 16, 20, 24, 32, 48), 200, 200
#: Less than this is not called a difference (`weir compare --threshold`).
THRESHOLD = 0.01
#: Column -> what it is, and whether a slowdown makes it larger.
LOOKED_AT = {"throughput_items_per_s": ("throughput", False), "latency_p50_ns": ("p50 latency", True),
             "latency_p99_ns": ("p99 latency", True)}


@dataclass(frozen=True)
class Noise:
    """Of one quantity at one point. `ratio` of the second side over the first, with its interval, None with fewer than
    8 blocks; `single`: by how much the sides of one block differ, as a share, the median over the blocks. `needed`: by
    slowdown, the smallest number of blocks of `BLOCKS` that finds it 9 times of 10; None where none does, and no
    entry where there are too few blocks to tell.
    """

    column: str
    blocks: int
    ratio: float
    interval: tuple[float, float] | None
    single: float
    needed: Mapping[float, int | None]

    def as_json(self) -> dict[str, Any]:
        """Returns it as plain JSON values."""
        return {"column": self.column, "blocks": self.blocks, "ratio": self.ratio,
                "interval": list(self.interval) if self.interval else None, "single": self.single,
                "needed": [{"slowdown": slowdown, "blocks": blocks} for slowdown, blocks in self.needed.items()]}

    def words(self) -> str:
        """It in a sentence."""
        what, _ = LOOKED_AT[self.column]
        said = f"{what}: second over first {self.ratio - 1:+.2%}"
        if self.interval:
            said += f" ({self.interval[0] - 1:+.2%} .. {self.interval[1] - 1:+.2%})"
        said += f", {self.single:.1%} between the two of a block"
        for slowdown, blocks in self.needed.items():
            said += (f"; {slowdown:.0%} slower is found {FOUND * 10:.0f} times of 10 "
                     + (f"with {blocks} blocks" if blocks else f"with more than {BLOCKS[-1]} blocks"))
        return said


def noise_of(first: Sequence[Row], second: Sequence[Row]) -> list[Noise]:
    """Of the rows of both sides of a point; blocks count in which both are ok and have the quantity."""
    found = []
    for column, (_, slower_is_more) in LOOKED_AT.items():
        a, b = ({row["block"]: float(row[column]) for row in side if row["status"] == "ok" and row[column]}
                for side in (first, second))
        differences = np.array([math.log(b[block] / a[block]) for block in sorted(a.keys() & b.keys())])
        if not differences.size:
            continue
        ratio, interval = of_logarithms(differences)
        needed = {slowdown: blocks_needed(differences, slowdown, slower_is_more)
                  for slowdown in SLOWDOWNS} if interval else {}
        found.append(Noise(column, differences.size, ratio, interval,
                           math.expm1(float(np.median(np.abs(differences)))), needed))
    return found


def blocks_needed(differences: np.ndarray, slowdown: float, slower_is_more: bool) -> int | None:
    """The smallest number of blocks that finds it often enough, None where none of `BLOCKS` does.

    `slowdown`: B takes so much longer, as a share of A.
    """
    effect = math.log1p(slowdown) * (1 if slower_is_more else -1)
    return next((blocks for blocks in BLOCKS if power(differences, effect, blocks) >= FOUND), None)


def power(differences: np.ndarray, effect: float, blocks: int) -> float:
    """The share of comparisons of so many blocks that call B worse, where its logarithm differs by `effect`."""
    both = np.concatenate([differences, -differences])
    rng = np.random.default_rng(blocks)
    worse = 0
    for _ in range(DRAWN):
        low, high = paired_interval(rng.choice(both, blocks) + effect, resamples=RESAMPLES)
        worse += high < math.log(1 - THRESHOLD) if effect < 0 else low > math.log(1 + THRESHOLD)
    return worse / DRAWN
