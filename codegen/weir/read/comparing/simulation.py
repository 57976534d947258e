"""Simulation of the intervals on noise with a known truth: coverage, false alarms and power, for docs/statistics.md."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass

import numpy as np

from weir.read.comparing.estimates import SAME, WORSE, verdict_of
from weir.read.comparing.metrics import BY_ID
from weir.read.comparing.statistics import paired_interval, successive_interval

#: Standard deviation of a run's log result; 2 % is typical of a shared machine.
SCALE = 0.02
ROUNDS = (8, 10, 16, 32)
RESAMPLES = 1000
THRESHOLD = 1.0
#: Effect to find: B takes 5 % longer.
EFFECT = -math.log(1.05)

Noise = Callable[[np.random.Generator, int], np.ndarray]


def normal(rng: np.random.Generator, runs: int) -> np.ndarray:
    """Return logarithms of times with normal noise."""
    return SCALE * rng.standard_normal(runs)


def lognormal(rng: np.random.Generator, runs: int) -> np.ndarray:
    """Return skewed noise: some runs are much slower, none is much faster."""
    return -SCALE * rng.lognormal(0.0, 1.0, runs)


def heavy_tailed(rng: np.random.Generator, runs: int) -> np.ndarray:
    """Return Student's t noise with 2 degrees of freedom, which has infinite variance."""
    return SCALE * rng.standard_t(2, runs)


def drifting(rng: np.random.Generator, runs: int) -> np.ndarray:
    """Return noise with a trend over the whole time and a random walk."""
    trend = np.linspace(0.0, 3.0 * rng.standard_normal(), runs)
    return SCALE * (rng.standard_normal(runs) + trend + np.cumsum(rng.standard_normal(runs)) / 3.0)


def shared_machine(rng: np.random.Generator, runs: int) -> np.ndarray:
    """Return autocorrelated noise, with another program that runs a quarter of the time and takes up to 10 %."""
    level, busy = np.empty(runs), np.empty(runs)
    now, there = rng.standard_normal(), rng.random() < 0.25
    for i in range(runs):
        level[i], busy[i] = now, there
        now = 0.8 * now + 0.6 * rng.standard_normal()
        there = rng.random() < (0.8 if there else 0.2 / 3.0)
    return SCALE * (rng.standard_normal(runs) + 1.5 * level) - 0.1 * busy * rng.random(runs)


NOISES: Mapping[str, Noise] = {"normal": normal, "lognormal": lognormal, "heavy-tailed": heavy_tailed,
                               "drifting": drifting, "shared machine": shared_machine}


def interleaved(noise: Noise, rng: np.random.Generator, rounds: int) -> tuple[float, float]:
    """Return the interval of the log ratio of two equal sides in one set, with random order within each round."""
    runs = noise(rng, 2 * rounds).reshape(rounds, 2)
    flipped = rng.random(rounds) < 0.5
    return paired_interval(np.where(flipped, runs[:, 0] - runs[:, 1], runs[:, 1] - runs[:, 0]), resamples=RESAMPLES)


def one_after_other(noise: Noise, rng: np.random.Generator, rounds: int) -> tuple[float, float]:
    """Return the interval of two equal sides, measured one after the other."""
    runs = noise(rng, 2 * rounds)
    return successive_interval(runs[:rounds], runs[rounds:], resamples=RESAMPLES)


DESIGNS = {"interleaved": interleaved, "one after the other": one_after_other}


@dataclass(frozen=True)
class Cell:
    """Shares of simulated comparisons. `missed`: 95 % intervals without the truth, which are false alarms at threshold
    0; `alarms`: verdicts better or worse for equal sides; `found`: verdicts worse if B takes 5 % longer, both at the
    default threshold; `width`: median length of the interval, as a share.
    """

    design: str
    noise: str
    rounds: int
    comparisons: int
    missed: float
    alarms: float
    found: float
    width: float

    def as_json(self) -> dict[str, object]:
        """Return the cell as plain JSON values."""
        return asdict(self)


def simulate(design: str, noise: str, rounds: int, comparisons: int) -> Cell:
    """Simulate a cell. Its name is the seed, so the numbers are reproducible."""
    rng = np.random.default_rng(list(f"{design}/{noise}/{rounds}".encode()))
    gate = BY_ID["throughput_items_per_s"]
    intervals = [DESIGNS[design](NOISES[noise], rng, rounds) for _ in range(comparisons)]

    def share(of: Callable[[float, float], bool]) -> float:
        return sum(of(*interval) for interval in intervals) / comparisons

    def verdict(low: float, high: float, effect: float) -> str:
        return verdict_of(gate, (math.exp(low + effect), math.exp(high + effect)), THRESHOLD)

    return Cell(design, noise, rounds, comparisons, share(lambda low, high: not low <= 0.0 <= high),
                share(lambda low, high: verdict(low, high, 0.0) != SAME),
                share(lambda low, high: verdict(low, high, EFFECT) == WORSE),
                float(np.median([math.expm1(high - low) for low, high in intervals])))


def table(cells: list[Cell]) -> str:
    """Return a Markdown table with one line for each cell."""
    lines = ["| measured | noise | rounds | interval misses | false alarms | +5 % found | width |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: |"]
    lines += [f"| {c.design} | {c.noise} | {c.rounds} | {c.missed:.1%} | {c.alarms:.1%} | {c.found:.0%} "
              f"| {c.width:.1%} |" for c in cells]
    return "\n".join(lines)
