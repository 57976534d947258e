#!/usr/bin/python3
"""Alternatives to the resampling of `weir compare`: error rates of other 95 % intervals (docs/statistics.md).

bench/statistics/alternatives.py [--comparisons 1000]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "codegen"))

from weir.read.comparing.simulation import NOISES, RESAMPLES  # noqa: E402
from weir.read.comparing.statistics import drift, pseudomedian, shift, tail_level  # noqa: E402

Statistic = Callable[[np.ndarray], np.ndarray]
ESTIMATES: Mapping[str, Statistic] = {"mean": lambda v: v.mean(axis=-1), "median": lambda v: np.median(v, axis=-1),
                                      "pseudomedian": pseudomedian}


def percentile(values: np.ndarray, of: Statistic, rng: np.random.Generator, tail: float) -> tuple[float, float]:
    """Return the percentile bootstrap interval of a statistic."""
    drawn = of(values[rng.integers(0, values.size, (RESAMPLES, values.size))])
    low, high = np.quantile(drawn, [tail, 1.0 - tail])
    return low, high


def bias_corrected(values: np.ndarray, of: Statistic, rng: np.random.Generator, _: float) -> tuple[float, float]:
    """Return the interval of the bias-corrected and accelerated bootstrap."""
    from scipy.stats import bootstrap

    found = bootstrap((values,), lambda v, axis: of(v), n_resamples=RESAMPLES, method="BCa", random_state=rng,
                      vectorized=True).confidence_interval
    return found.low, found.high


def studentized(values: np.ndarray, of: Statistic, rng: np.random.Generator, _: float) -> tuple[float, float]:
    """Return the symmetric bootstrap-t interval of the mean."""
    n = values.size
    drawn = values[rng.integers(0, n, (RESAMPLES, n))]
    spread = np.maximum(drawn.std(axis=-1, ddof=1), 1e-12)
    factor = np.quantile(np.abs(of(drawn) - of(values)) / spread, 0.95) * values.std(ddof=1)
    return of(values) - factor, of(values) + factor


METHODS = {
    **{f"{name}, percentile": (of, percentile, False) for name, of in ESTIMATES.items()},
    "mean, BCa": (ESTIMATES["mean"], bias_corrected, False),
    "mean, symmetric bootstrap-t": (ESTIMATES["mean"], studentized, False),
    **{f"{name}, expanded percentile": (of, percentile, True) for name, of in ESTIMATES.items()},
}


def misses(intervals: np.ndarray) -> str:
    """Return the share of intervals without 0, and the median width, as text."""
    share = np.mean((intervals[:, 0] > 0) | (intervals[:, 1] < 0))
    return f"{share:.1%} ({np.median(intervals[:, 1] - intervals[:, 0]):.1%})"


def paired(blocks: int, comparisons: int) -> None:
    """Print how often each method finds a difference between equal sides in paired rounds."""
    noises = ("normal", "lognormal", "heavy-tailed", "shared machine")
    print(f"| interleaved, {blocks} blocks | {' | '.join(noises)} |\n| --- |{' ---: |' * len(noises)}")
    for name, (of, method, expanded) in METHODS.items():
        tail = tail_level(blocks, 0.95) if expanded else 0.025
        cells = []
        for noise in noises:
            rng = np.random.default_rng(1)
            runs = log_ratios(noise, rng, comparisons, blocks)
            cells.append(misses(np.array([method(values, of, rng, tail) for values in runs])))
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def log_ratios(noise: str, rng: np.random.Generator, comparisons: int, blocks: int) -> np.ndarray:
    """Return log ratios of equal sides with random order within each round. Shape (comparisons, rounds)."""
    runs = np.stack([NOISES[noise](rng, 2 * blocks) for _ in range(comparisons)]).reshape(comparisons, blocks, 2)
    return np.where(rng.random((comparisons, blocks)) < 0.5, 1.0, -1.0) * (runs[..., 1] - runs[..., 0])


def successive(comparisons: int) -> None:
    """Print the same for sides that ran one after the other."""
    print("\n| one after the other | blocks | as independent runs | wider by the drift |\n| --- | ---: | ---: | ---: |")
    for noise in ("normal", "shared machine", "drifting"):
        for n in (8, 16):
            rng = np.random.default_rng(1)
            plain, wider = [], []
            for _ in range(comparisons):
                a, b = np.split(NOISES[noise](rng, 2 * n), 2)
                drawn = shift(a[rng.integers(0, n, (RESAMPLES, n))], b[rng.integers(0, n, (RESAMPLES, n))])
                tail, more = tail_level(n, 0.95), drift(a) + drift(b)
                low, high = np.quantile(drawn, [tail, 1.0 - tail])
                plain.append((low, high))
                wider.append((low - more, high + more))
            print(f"| {noise} | {n} | {misses(np.array(plain))} | {misses(np.array(wider))} |", flush=True)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--comparisons", type=int, default=1000, metavar="N", help="simulated ones a cell (1000)")
    args = parser.parse_args()
    paired(8, args.comparisons)
    successive(args.comparisons)


if __name__ == "__main__":
    main()
