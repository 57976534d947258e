"""How the intervals do on noise whose truth is known: coverage, false alarms, power. Makes the tables of the docs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass

import numpy as np

from weir.read.comparing.estimates import SAME, WORSE, verdict_of
from weir.read.comparing.metrics import BY_ID
from weir.read.comparing.statistics import paired_interval, successive_interval

#: One run's noise on the logarithm of its result: 2 % is what a machine that is shared with others shows.
SCALE = 0.02
ROUNDS = (8, 10, 16, 32)
RESAMPLES = 1000
THRESHOLD = 1.0
#: What has to be found: B takes 5 % longer.
EFFECT = -math.log(1.05)

Noise = Callable[[np.random.Generator, int], np.ndarray]


def normal(rng: np.random.Generator, runs: int) -> np.ndarray:
    """Logarithms of times with normal noise."""
    return SCALE * rng.standard_normal(runs)


def lognormal(rng: np.random.Generator, runs: int) -> np.ndarray:
    """Skewed: now and then a run is much slower, none is much faster."""
    return -SCALE * rng.lognormal(0.0, 1.0, runs)


def heavy_tailed(rng: np.random.Generator, runs: int) -> np.ndarray:
    """Student's t with 2 degrees of freedom: its variance is infinite."""
    return SCALE * rng.standard_t(2, runs)


def drifting(rng: np.random.Generator, runs: int) -> np.ndarray:
    """A trend of some scales over the whole time, and a random walk."""
    trend = np.linspace(0.0, 3.0 * rng.standard_normal(), runs)
    return SCALE * (rng.standard_normal(runs) + trend + np.cumsum(rng.standard_normal(runs)) / 3.0)


def shared_machine(rng: np.random.Generator, runs: int) -> np.ndarray:
    """A level that follows itself, and a neighbour who comes (a quarter of the time), stays, and takes up to 10 %."""
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
    """Two equal sides in one set: the order within each round is random. The interval of their log ratio."""
    runs = noise(rng, 2 * rounds).reshape(rounds, 2)
    flipped = rng.random(rounds) < 0.5
    return paired_interval(np.where(flipped, runs[:, 0] - runs[:, 1], runs[:, 1] - runs[:, 0]), resamples=RESAMPLES)


def one_after_other(noise: Noise, rng: np.random.Generator, rounds: int) -> tuple[float, float]:
    """The interval of two sides without a difference, measured one after the other."""
    runs = noise(rng, 2 * rounds)
    return successive_interval(runs[:rounds], runs[rounds:], resamples=RESAMPLES)


DESIGNS = {"interleaved": interleaved, "one after the other": one_after_other}


@dataclass(frozen=True)
class Cell:
    """Shares of simulated comparisons. `missed`: the 95 % interval lacks the truth, which with no threshold is a false
    alarm; `alarms`: better or worse, where both sides are equal; `found`: worse, where B takes 5 % longer; both with
    the default threshold. `width`: median length of the interval, as a share.
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
        """Returns it as plain JSON values."""
        return asdict(self)


def simulate(design: str, noise: str, rounds: int, comparisons: int) -> Cell:
    """The same numbers every time: the cell's name is the seed."""
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
    """Markdown, one line a cell."""
    lines = ["| measured | noise | rounds | interval misses | false alarms | +5 % found | width |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: |"]
    lines += [f"| {c.design} | {c.noise} | {c.rounds} | {c.missed:.1%} | {c.alarms:.1%} | {c.found:.0%} "
              f"| {c.width:.1%} |" for c in cells]
    return "\n".join(lines)
