"""Simulated sweeps for tests of the judgement of a reproduction: contenders of known levels, and noise per block."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

import numpy as np
from weir.interop.capsule import judging
from weir.interop.capsule.judging import Pair
from weir.read.comparing.simulation import NOISES

#: Contender -> logarithm of its level. a and b are nearly tied; c and d differ from them and from each other.
LEVELS = {"a": 0.0, "b": 0.02, "c": 0.3, "d": 0.8}
PLACES = ("p", "q")
QUANTITY = "throughput_items_per_s"
#: Fewer than in a real judgement, which makes intervals narrower and disagreement likelier.
RESAMPLES = 300
PAIRS = [Pair(place, f"{a}@{place}", f"{b}@{place}", (a, b)) for place in PLACES
         for a, b in itertools.combinations(LEVELS, 2)]
#: The machine of the second sweep has other absolute numbers.
FASTER = 1.5
#: Planted changes: contender -> increase of its logarithm.
CHANGES: Mapping[str, Mapping[str, float]] = {
    "none": {}, "c takes 30 % longer": {"c": -math.log(1.3)}, "c and d change places": {"c": 0.5, "d": -0.5}}


def drawn(rng: np.random.Generator, noise: str, blocks: int, change: Mapping[str, float], faster: float,
          moved: float = 0.0) -> dict[str, dict[int, float]]:
    """Return point -> block -> value. `moved`: standard deviation of each contender's change between two sweeps."""
    points = [f"{name}@{place}" for place in PLACES for name in LEVELS]
    level = {point: LEVELS[point[0]] + change.get(point[0], 0.0) + faster + moved * rng.standard_normal()
             for point in points}
    series = NOISES[noise](rng, blocks * len(points)).reshape(blocks, len(points))
    found: dict[str, dict[int, float]] = {point: {} for point in points}
    for block in range(blocks):
        for value, number in zip(series[block], rng.permutation(len(points))):
            found[points[number]][block] = math.exp(level[points[number]] + value)
    return found


def verdicts(noise: str, blocks: int, change: str, sweeps: int, moved: float = 0.0) -> dict[str, int]:
    """Draw the rows of sweeps and of their reproduction; equal arguments give equal rows."""
    rng = np.random.default_rng(list(f"{noise}/{blocks}/{change}/{moved}".encode()))
    found: dict[str, int] = {}
    for _ in range(sweeps):
        there = drawn(rng, noise, blocks, {}, 0.0)
        here = drawn(rng, noise, blocks, CHANGES[change], FASTER, moved)
        verdict = judging.verdict(judging.judged(PAIRS, {QUANTITY: there}, {QUANTITY: here}, frozenset(here),
                                                 resamples=RESAMPLES))
        found[verdict] = found.get(verdict, 0) + 1
    return found
