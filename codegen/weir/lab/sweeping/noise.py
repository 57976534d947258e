"""A/A test: measure the same point twice in every round. It shows the differences that the machine itself causes, and
how many rounds it takes to find a real one.

The order of the two sides is arbitrary, so the differences of the rounds count with both signs. Weir resamples
comparisons from them, makes one side slower, and judges them like `weir compare` (docs/statistics.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from weir.lab.sweeping.table import Row
from weir.read.comparing.statistics import of_logarithms, paired_interval

#: Name of the axis, which no parameter can have, and its values, the two sides.
AXIS, SIDES = "AA", ("first", "second")
#: Default rounds of an A/A test.
REPETITIONS = 16
#: Slowdowns to find, and the required share of comparisons that find them.
SLOWDOWNS, FOUND = (0.05, 0.10), 0.9
#: Numbers of rounds to try, comparisons to draw for each, and bootstrap resamples of each comparison.
ROUNDS, DRAWN, RESAMPLES = (8, 10, 12, 16, 20, 24, 32, 48), 200, 200
#: Smallest difference that counts (`weir compare --threshold`).
THRESHOLD = 0.01
#: Column -> title, and whether a slowdown increases it.
LOOKED_AT = {"throughput_items_per_s": ("throughput", False), "latency_p50_ns": ("p50 latency", True),
             "latency_p99_ns": ("p99 latency", True)}


@dataclass(frozen=True)
class Noise:
    """Noise of one quantity at one point. `ratio`: second side over first, with its interval (None below 8 rounds);
    `single`: median relative difference of the two sides of a round; `needed`: slowdown -> smallest number of `ROUNDS`
    that finds it 9 times of 10, None if none does, and no entry with too few rounds.
    """

    column: str
    rounds: int
    ratio: float
    interval: tuple[float, float] | None
    single: float
    needed: Mapping[float, int | None]

    def as_json(self) -> dict[str, Any]:
        """Return the noise as plain JSON values."""
        return {"column": self.column, "rounds": self.rounds, "ratio": self.ratio,
                "interval": list(self.interval) if self.interval else None, "single": self.single,
                "needed": [{"slowdown": slowdown, "rounds": rounds} for slowdown, rounds in self.needed.items()]}

    def words(self) -> str:
        """Return the noise as a sentence."""
        what, _ = LOOKED_AT[self.column]
        said = f"{what}: second over first {self.ratio - 1:+.2%}"
        if self.interval:
            said += f" ({self.interval[0] - 1:+.2%} .. {self.interval[1] - 1:+.2%})"
        said += f", {self.single:.1%} between the two sides of a round"
        for slowdown, rounds in self.needed.items():
            said += (f"; a slowdown of {slowdown:.0%} is found {FOUND * 10:.0f} times of 10 "
                     + (f"with {rounds} rounds" if rounds else f"with more than {ROUNDS[-1]} rounds"))
        return said


def noise_of(first: Sequence[Row], second: Sequence[Row]) -> list[Noise]:
    """Return the noise of each quantity over the rounds in which both sides are ok and have it."""
    found = []
    for column, (_, slower_is_more) in LOOKED_AT.items():
        a, b = ({row["round"]: float(row[column]) for row in side if row["status"] == "ok" and row[column]}
                for side in (first, second))
        differences = np.array([math.log(b[round_] / a[round_]) for round_ in sorted(a.keys() & b.keys())])
        if not differences.size:
            continue
        ratio, interval = of_logarithms(differences)
        needed = {slowdown: rounds_needed(differences, slowdown, slower_is_more)
                  for slowdown in SLOWDOWNS} if interval else {}
        found.append(Noise(column, differences.size, ratio, interval,
                           math.expm1(float(np.median(np.abs(differences)))), needed))
    return found


def rounds_needed(differences: np.ndarray, slowdown: float, slower_is_more: bool) -> int | None:
    """Return the smallest number of `ROUNDS` that finds a slowdown often enough, None if none does.

    `slowdown`: extra time of B, as a share of A.
    """
    effect = math.log1p(slowdown) * (1 if slower_is_more else -1)
    return next((rounds for rounds in ROUNDS if power(differences, effect, rounds) >= FOUND), None)


def power(differences: np.ndarray, effect: float, rounds: int) -> float:
    """Return the share of comparisons with `rounds` rounds that call B worse, for a log ratio of `effect`."""
    both = np.concatenate([differences, -differences])
    rng = np.random.default_rng(rounds)
    worse = 0
    for _ in range(DRAWN):
        low, high = paired_interval(rng.choice(both, rounds) + effect, resamples=RESAMPLES)
        worse += high < math.log(1 - THRESHOLD) if effect < 0 else low > math.log(1 + THRESHOLD)
    return worse / DRAWN
