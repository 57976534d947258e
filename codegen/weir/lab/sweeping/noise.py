"""A/A: one thing measured twice in every round: what differences this machine makes by itself, and so with how many
rounds a real one is found.

Which of the two is the first means nothing, so the differences of the rounds count with both signs. Comparisons of as
many rounds are drawn from them, one side made slower, and judged as `weir compare` does (docs/statistics.md).
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
#: Rounds of an A/A, where nobody asks for others.
REPETITIONS = 16
#: Slowdowns that are looked for, and how often they are to be found.
SLOWDOWNS, FOUND = (0.05, 0.10), 0.9
#: Numbers of rounds that are tried, comparisons that are drawn for each, and resamples of each one's bootstrap.
ROUNDS, DRAWN, RESAMPLES = (8, 10, 12, 16, 20, 24, 32, 48), 200, 200
#: Less than this is not called a difference (`weir compare --threshold`).
THRESHOLD = 0.01
#: Column -> what it is, and whether a slowdown makes it larger.
LOOKED_AT = {"throughput_items_per_s": ("throughput", False), "latency_p50_ns": ("p50 latency", True),
             "latency_p99_ns": ("p99 latency", True)}


@dataclass(frozen=True)
class Noise:
    """Of one quantity at one point. `ratio` of the second side over the first, with its interval, None with fewer than
    8 rounds; `single`: by how much the sides of one round differ, as a share, the median over the rounds. `needed`: by
    slowdown, the smallest number of rounds of `ROUNDS` that finds it 9 times of 10; None where none does, and no
    entry where there are too few rounds to tell.
    """

    column: str
    rounds: int
    ratio: float
    interval: tuple[float, float] | None
    single: float
    needed: Mapping[float, int | None]

    def as_json(self) -> dict[str, Any]:
        """Returns it as plain JSON values."""
        return {"column": self.column, "rounds": self.rounds, "ratio": self.ratio,
                "interval": list(self.interval) if self.interval else None, "single": self.single,
                "needed": [{"slowdown": slowdown, "rounds": rounds} for slowdown, rounds in self.needed.items()]}

    def words(self) -> str:
        """It in a sentence."""
        what, _ = LOOKED_AT[self.column]
        said = f"{what}: second over first {self.ratio - 1:+.2%}"
        if self.interval:
            said += f" ({self.interval[0] - 1:+.2%} .. {self.interval[1] - 1:+.2%})"
        said += f", {self.single:.1%} between the two of a round"
        for slowdown, rounds in self.needed.items():
            said += (f"; {slowdown:.0%} slower is found {FOUND * 10:.0f} times of 10 "
                     + (f"with {rounds} rounds" if rounds else f"with more than {ROUNDS[-1]} rounds"))
        return said


def noise_of(first: Sequence[Row], second: Sequence[Row]) -> list[Noise]:
    """Of the rows of both sides of a point; rounds count in which both are ok and have the quantity."""
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
    """The smallest number of rounds that finds it often enough, None where none of `ROUNDS` does.

    `slowdown`: B takes so much longer, as a share of A.
    """
    effect = math.log1p(slowdown) * (1 if slower_is_more else -1)
    return next((rounds for rounds in ROUNDS if power(differences, effect, rounds) >= FOUND), None)


def power(differences: np.ndarray, effect: float, rounds: int) -> float:
    """The share of comparisons of so many rounds that call B worse, where its logarithm differs by `effect`."""
    both = np.concatenate([differences, -differences])
    rng = np.random.default_rng(rounds)
    worse = 0
    for _ in range(DRAWN):
        low, high = paired_interval(rng.choice(both, rounds) + effect, resamples=RESAMPLES)
        worse += high < math.log(1 - THRESHOLD) if effect < 0 else low > math.log(1 + THRESHOLD)
    return worse / DRAWN
