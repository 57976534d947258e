"""Ratios of two sides with intervals: pseudomedians of log ratios, bootstrap over rounds, tests, Holm's correction.

docs/statistics.md has the reasons, and the simulated coverage of these methods.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

#: Minimum number of rounds for an interval; below, the verdict is "not enough data".
MIN_ROUNDS = 8
RESAMPLES = 10_000
SEED = 1
#: Maximum number of values in one step of the bootstrap.
_AT_ONCE = 4_000_000


@dataclass(frozen=True)
class Estimate:
    """Ratios B over A. `interval` is None with too few rounds; `p_value` belongs to the hypothesis "no difference"."""

    ratio: float
    interval: tuple[float, float] | None
    p_value: float | None


@dataclass(frozen=True)
class Share:
    """Share of failed trials. `interval`: None with too few rounds; `below`: upper bound if none failed."""

    value: float
    interval: tuple[float, float] | None
    below: float | None


def compare_paired(a: Sequence[float], b: Sequence[float], confidence: float = 0.95) -> Estimate:
    """Compare paired values: a[i] and b[i] belong to one round. All values are above 0."""
    from scipy.stats import wilcoxon

    differences = np.log(np.asarray(b, float)) - np.log(np.asarray(a, float))
    ratio, interval = of_logarithms(differences, confidence)
    if interval is None:
        return Estimate(ratio, None, None)
    # Wilcoxon drops equal pairs; SciPy would drop them too, but with another distribution and a warning.
    different = differences[differences != 0.0]
    p_value = float(wilcoxon(different).pvalue) if different.size else 1.0
    return Estimate(ratio, interval, p_value)


def of_logarithms(logs: np.ndarray, confidence: float = 0.95) -> tuple[float, tuple[float, float] | None]:
    """Return the pseudomedian of one value for each round and its interval (None below MIN_ROUNDS), from logarithms."""
    middle = math.exp(pseudomedian(logs))
    if logs.size < MIN_ROUNDS:
        return middle, None
    low, high = paired_interval(logs, confidence)
    return middle, (math.exp(low), math.exp(high))


def typical(values: Sequence[float]) -> float | None:
    """Return the pseudomedian of values above 0 by their logarithms, None without values."""
    return math.exp(pseudomedian(np.log(np.asarray(values, float)))) if len(values) else None


def compare_successive(a: Sequence[float], b: Sequence[float], confidence: float = 0.95) -> Estimate:
    """Compare sides that were measured one after the other, each in order; the lengths may differ. All values are above
    0.

    A change of the machine between the sides looks like a difference. The drift within the sides estimates such
    changes, and widens the interval.
    """
    from scipy.stats import mannwhitneyu

    logs = np.log(np.asarray(a, float)), np.log(np.asarray(b, float))
    ratio = math.exp(shift(*logs))
    if min(side.size for side in logs) < MIN_ROUNDS:
        return Estimate(ratio, None, None)
    low, high = successive_interval(*logs, confidence)
    return Estimate(ratio, (math.exp(low), math.exp(high)), float(mannwhitneyu(*logs).pvalue))


def pseudomedian(values: np.ndarray) -> np.ndarray:
    """Return the Hodges-Lehmann estimator over the last axis: the median of the means of all pairs, including each
    value with itself.
    """
    i, j = np.triu_indices(values.shape[-1])
    return np.median((values[..., i] + values[..., j]) / 2.0, axis=-1)


def shift(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the two-sample Hodges-Lehmann estimator over the last axis: the median of all differences b - a."""
    differences = b[..., :, None] - a[..., None, :]
    return np.median(differences.reshape(*differences.shape[:-2], -1), axis=-1)


def paired_interval(differences: np.ndarray, confidence: float = 0.95,
                    resamples: int = RESAMPLES) -> tuple[float, float]:
    """Return the interval of the pseudomedian, by resampling rounds."""
    n = differences.size
    return _interval(lambda draw: pseudomedian(differences[draw(n)]), n * (n + 1) // 2, n, confidence, resamples)


def successive_interval(a: np.ndarray, b: np.ndarray, confidence: float = 0.95,
                        resamples: int = RESAMPLES) -> tuple[float, float]:
    """Return the interval of the shift, by resampling each side separately, widened by the drift within the sides."""
    low, high = _interval(lambda draw: shift(a[draw(a.size)], b[draw(b.size)]), a.size * b.size, min(a.size, b.size),
                          confidence, resamples)
    wider = drift(a) + drift(b)
    return low - wider, high + wider


def drift(values: np.ndarray) -> float:
    """Return the distance of the two halves of a series, without the middle value of an odd number."""
    half = values.size // 2
    return float(abs(pseudomedian(values[-half:]) - pseudomedian(values[:half])))


def _interval(statistic: Callable, width: int, n: int, confidence: float, resamples: int) -> tuple[float, float]:
    rng = np.random.default_rng(SEED)
    at_once = max(1, _AT_ONCE // width)
    values = []
    for begin in range(0, resamples, at_once):
        count = min(at_once, resamples - begin)
        values.append(statistic(lambda size, count=count: rng.integers(0, size, (count, size))))
    tail = tail_level(n, confidence)
    low, high = np.quantile(np.concatenate(values), [tail, 1.0 - tail])
    return float(low), float(high)


def share_of_failures(failed: Sequence[float], trials: Sequence[float], confidence: float = 0.95) -> Share:
    """Return the share of failures over all rounds, which have more than 0 trials in all.

    The interval resamples rounds, because failures cluster within a round: trials are not independent, and a binomial
    interval would be wrong.
    """
    of = np.asarray(trials, float)
    lost, of = np.asarray(failed, float)[of > 0], of[of > 0]
    if not lost.any():
        return Share(0.0, None, upper_bound(of.sum(), confidence))
    n = lost.size

    def ratio(draw: Callable) -> np.ndarray:
        drawn = draw(n)
        return lost[drawn].sum(axis=-1) / of[drawn].sum(axis=-1)

    interval = _interval(ratio, n, n, confidence, RESAMPLES) if n >= MIN_ROUNDS else None
    return Share(float(lost.sum() / of.sum()), interval, None)


def upper_bound(trials: float, confidence: float = 0.95) -> float:
    """Return the upper bound of the share of failures if none of `trials` independent trials failed: the one-sided
    bound of Clopper and Pearson (1934), 3 / trials at 95 % (the rule of three, Hanley and Lippman-Hand 1983).
    """
    return -math.expm1(math.log1p(-confidence) / trials)


def tail_level(n: int, confidence: float) -> float:
    """Return the tail quantile of the bootstrap distribution on each side.

    Resampling n values underestimates their variance by (n - 1) / n and ignores Student's t, so plain percentiles are
    too narrow for small n. Hesterberg (2015) moves the percentiles outwards to correct this.
    """
    from scipy.stats import norm, t

    return float(norm.cdf(-math.sqrt(n / (n - 1)) * t.ppf((1.0 + confidence) / 2.0, n - 1)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values with Holm's step-down correction for multiple tests."""
    corrected, highest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        corrected[index] = highest
    return corrected
