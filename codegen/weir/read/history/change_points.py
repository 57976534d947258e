"""Change points of a series: places where its level changes, by a rank test.

For every place with enough values on both sides, Wilcoxon's standardized rank sum compares the values before and after
it. The largest of these is the statistic. Without a change, its distribution depends only on the number of values, so
it is simulated once for each number. If the statistic is significant, the series is cut there, and both parts are
tested in the same way (binary segmentation). docs/history.md has the simulated error rates.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

#: Minimum number of values, and minimum on each side of a change.
LEAST, LEAST_SIDE = 8, 3
LEVEL, CONFIDENCE = 0.05, 0.95
#: Permutations for the null distribution.
DRAWN, SEED = 9_999, 1
#: Maximum deficit of a place against the best one, in twice the log likelihood; by simulation, 95 % include the truth.
WITHIN = 7.0
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Change:
    """Change of the level. `at`: place of the first value of the new level, with its interval from `first` to `last`;
    `ratio`: new level over old one, with its interval. The old level begins at `begin`, the new one ends before `end`.
    """

    at: int
    first: int
    last: int
    ratio: float
    interval: tuple[float, float]
    begin: int
    end: int


def _standardised(ranks: np.ndarray) -> np.ndarray:
    """Return the standardized rank sum at each possible place, over the last axis."""
    n = ranks.shape[-1]
    before = np.arange(LEAST_SIDE, n - LEAST_SIDE + 1)
    sums = np.cumsum(ranks, axis=-1)[..., before - 1]
    return np.abs(sums - before * (n + 1) / 2.0) / np.sqrt(before * (n - before) * (n + 1) / 12.0)


@functools.lru_cache(maxsize=256)
def _null(n: int) -> np.ndarray:
    """Return the sorted statistics of `DRAWN` series of n distinct values without a change."""
    rng = np.random.default_rng(SEED)
    order = np.tile(np.arange(1.0, n + 1.0), (DRAWN, 1))
    return np.sort(_standardised(rng.permuted(order, axis=1)).max(axis=1))


def _p_value(statistic: float, n: int) -> float:
    null = _null(n)
    return float((1 + null.size - int(np.searchsorted(null, statistic - _ROUNDING))) / (null.size + 1))


@functools.lru_cache(maxsize=256)
def least_p(n: int) -> float:
    """Return the smallest possible p-value of n values: one half is above the other."""
    return _p_value(float(_standardised(np.arange(1.0, n + 1.0)).max()), n)


def p_value(values: Sequence[float]) -> float:
    """Return the p-value of "no change" for at least `LEAST` values."""
    return _p_value(float(_standardised(_ranks(np.asarray(values, float))).max()), len(values))


def _ranks(values: np.ndarray) -> np.ndarray:
    from scipy.stats import rankdata

    return rankdata(values, axis=-1)


def testable(lengths: Sequence[int]) -> list[int]:
    """Return the indices of series that can be tested together: as many of the longest as could still be significant
    after the correction for their number.
    """
    order = sorted((i for i, n in enumerate(lengths) if n >= LEAST), key=lambda i: -lengths[i])
    fit = [k for k in range(1, len(order) + 1) if least_p(lengths[order[k - 1]]) <= LEVEL / k]
    return sorted(order[:max(fit, default=0)])


def levels(p_values: Sequence[float]) -> list[float | None]:
    """Return Holm's level for each of several series, None for series without changes."""
    found: list[float | None] = [None] * len(p_values)
    for rank, i in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        level = LEVEL / (len(p_values) - rank)
        if p_values[i] > level:
            break
        found[i] = level
    return found


def changes(values: Sequence[float], level: float) -> list[Change]:
    """Return the changes of a series of values above 0. Each is estimated between its neighbours."""
    logs = np.log(np.asarray(values, float))
    places = sorted(_places(logs, 0, level))
    for i in range(len(places)):  # refine each place, since later changes were unknown when it was found
        begin, end = _window(places, i, logs.size)
        places[i] = begin + _place(logs[begin:end])
    found = []
    for i, at in enumerate(places):
        begin, end = _window(places, i, logs.size)
        first, last = _places_that_fit(logs[begin:end])
        ratio, interval = ratio_of(logs[begin:at], logs[at:end])
        found.append(Change(at, begin + first, begin + last, ratio, interval, begin, end))
    return found


def _window(places: Sequence[int], i: int, n: int) -> tuple[int, int]:
    return places[i - 1] if i else 0, places[i + 1] if i + 1 < len(places) else n


def _places(logs: np.ndarray, offset: int, level: float) -> list[int]:
    if logs.size < LEAST or p_value(logs) > level:
        return []
    at = _place(logs)
    return [*_places(logs[:at], offset, level), offset + at, *_places(logs[at:], offset + at, level)]


def _place(logs: np.ndarray) -> int:
    return LEAST_SIDE + int(np.argmax(_standardised(_ranks(logs))))


def _places_that_fit(logs: np.ndarray) -> tuple[int, int]:
    """Return the first and the last place that explain the ranks almost as well as the best one: the log likelihood for
    normal ranks is at most `WITHIN` / 2 lower.
    """
    squared = _standardised(_ranks(logs)) ** 2 / (logs.size - 1)  # the share of the ranks' variance that a cut explains
    less = logs.size * np.log((1 - squared) / (1 - squared.max()))
    fit = np.flatnonzero(less <= WITHIN)
    return LEAST_SIDE + int(fit[0]), LEAST_SIDE + int(fit[-1])


def ratio_of(before: np.ndarray, behind: np.ndarray) -> tuple[float, tuple[float, float]]:
    """Return the ratio of two sides from logarithms: the Hodges-Lehmann shift, with the interval of the Mann-Whitney
    test (Hollander and Wolfe).
    """
    from scipy.stats import norm

    differences = np.sort((behind[:, None] - before[None, :]).ravel())
    pairs, n = differences.size, before.size + behind.size
    reach = norm.ppf((1 + CONFIDENCE) / 2) * math.sqrt(pairs * (n + 1) / 12)
    low = min(max(math.floor(pairs / 2 - reach), 1), pairs) - 1
    return (math.exp(float(np.median(differences))),
            (math.exp(float(differences[low])), math.exp(float(differences[pairs - 1 - low]))))
