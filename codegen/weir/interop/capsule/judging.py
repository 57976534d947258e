"""Judge whether a repeated sweep confirms the claims of a capsule: by shape, not by absolute numbers.

Two contenders at one point are a pair. Weir compares their ratio round by round, because a faster machine does not
change it. The ratios of the capsule and of this machine are two independent samples. The interval of their difference
is that of two sides measured one after the other (docs/statistics.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from weir.read.comparing.statistics import MIN_ROUNDS, paired_interval, pseudomedian, shift, successive_interval

AGREES, DIFFERS, TOO_FEW = "agrees", "differs", "not enough data"
#: The interval is so wide that it may hide a noticeable change.
TOO_WIDE = "too wide to tell"
NOT_MEASURED, NOT_TRIED, TIED = "not measured", "not tried", "tied"
#: Tolerated difference of a ratio: the same code at other addresses lost up to 7 % (docs/statistics.md).
TOLERANCE = 0.10
#: An order is lost only if the ratio changed by more than the first number. A change of the second must not go
#: unnoticed.
THRESHOLD, NOTICED = 0.02, 0.30
CONFIDENCE, RESAMPLES = 0.95, 2000
#: Quantities that decide. Others are only shown: latency tails depend more on the machine than on the contender.
DECIDING = ("throughput_items_per_s", "latency_p50_ns")

#: Quantity -> point -> round -> value above 0.
Values = Mapping[str, Mapping[str, Mapping[int, float]]]


@dataclass(frozen=True)
class Pair:
    """Two contenders at one place. `first` and `other` are points in `Values`."""

    at: str
    first: str
    other: str
    names: tuple[str, str]


@dataclass(frozen=True)
class Ratio:
    """Ratio of the second contender to the first. `interval` is None with fewer than 8 rounds. `order` is 1 if the
    second has more, -1 if the first has, 0 if the interval leaves it open, and None without an interval.
    """

    value: float | None
    interval: tuple[float, float] | None
    rounds: int

    @property
    def order(self) -> int | None:
        """Return 1 or -1 if the whole interval lies above or below 1, 0 if it contains 1, None without an interval."""
        if self.interval is None:
            return None
        return 1 if self.interval[0] > 1.0 else -1 if self.interval[1] < 1.0 else 0

    def as_json(self) -> dict[str, object]:
        """Return the fields as plain JSON values."""
        return {"ratio": self.value, "interval": list(self.interval) if self.interval else None,
                "rounds": self.rounds}


@dataclass(frozen=True)
class Claim:
    """Claim of the capsule about a pair, and the result here. `change` is the ratio here over the ratio there."""

    quantity: str
    pair: Pair
    there: Ratio
    here: Ratio
    change: Ratio
    order: str
    ratio: str

    @property
    def decides(self) -> bool:
        """Return whether the verdict depends on this claim."""
        return self.quantity in DECIDING

    @property
    def verdict(self) -> str:
        """Return the verdict over order and ratio. "differs" wins. Even with the same significant order, the interval
        of the ratio may be too wide to tell.
        """
        if DIFFERS in (self.order, self.ratio):
            return DIFFERS
        return AGREES if (self.order, self.ratio) == (AGREES, TOO_WIDE) else self.ratio

    def as_json(self) -> dict[str, object]:
        """Return the fields as plain JSON values."""
        return {"quantity": self.quantity, "decides": self.decides, "at": self.pair.at,
                "contenders": list(self.pair.names), "there": self.there.as_json(), "here": self.here.as_json(),
                "change": self.change.as_json(), "order": self.order, "ratio": self.ratio, "verdict": self.verdict}


def judged(pairs: Sequence[Pair], there: Values, here: Values, tried: frozenset[str], tolerance: float = TOLERANCE,
           resamples: int = RESAMPLES) -> list[Claim]:
    """Return a claim for each quantity that the capsule has for a pair. `tried`: the points measured here.

    With k deciding claims, intervals have the confidence 1 - 0.05/k, as in a comparison with k gates.
    """
    wanted = [(quantity, pair, _logs(there[quantity], pair)) for quantity in there for pair in pairs]
    wanted = [it for it in wanted if it[2].size]
    deciding = sum(quantity in DECIDING and logs.size >= MIN_ROUNDS for quantity, _, logs in wanted)
    confidence = 1.0 - (1.0 - CONFIDENCE) / max(1, deciding)
    return [_claim(quantity, pair, logs, _logs(here.get(quantity, {}), pair), {pair.first, pair.other} <= tried,
                   confidence, tolerance, resamples) for quantity, pair, logs in wanted]


def _logs(points: Mapping[str, Mapping[int, float]], pair: Pair) -> np.ndarray:
    """Return the logarithms of the ratios, for the rounds that have both contenders."""
    first, other = points.get(pair.first, {}), points.get(pair.other, {})
    return np.array([math.log(other[round_] / first[round_]) for round_ in sorted(first.keys() & other.keys())])


def _claim(quantity: str, pair: Pair, then: np.ndarray, now: np.ndarray, tried: bool, confidence: float,
           tolerance: float, resamples: int) -> Claim:
    there, here = (_ratio(logs, confidence, resamples) for logs in (then, now))
    if not now.size:
        why = NOT_MEASURED if tried else NOT_TRIED
        return Claim(quantity, pair, there, here, Ratio(None, None, 0), why, why)
    rounds = min(then.size, now.size)
    apart = math.exp(float(shift(then, now)))
    if rounds < MIN_ROUNDS:
        return Claim(quantity, pair, there, here, Ratio(apart, None, rounds), TOO_FEW, TOO_FEW)
    interval = successive_interval(then, now, confidence, resamples)
    of_ratio = DIFFERS if _beyond(interval, tolerance) else AGREES
    # The interval for this claim alone is narrower than the one for all claims together.
    if of_ratio == AGREES and _reaches(interval, NOTICED):
        of_ratio = TOO_WIDE if _reaches(successive_interval(then, now, CONFIDENCE, resamples), NOTICED) else AGREES
    order = _order(there, here, interval, of_ratio)
    return Claim(quantity, pair, there, here, Ratio(apart, _exp(interval), rounds), order, of_ratio)


def _order(there: Ratio, here: Ratio, change: tuple[float, float], of_ratio: str) -> str:
    """Compare the order of a pair. Without an order in the capsule there is no claim. Without an order here, the
    verdict is "differs" only if the change is significant. Otherwise a repetition of a narrow result would fail about
    every second time.
    """
    if there.order == 0:
        return TIED
    if here.order == there.order:
        return AGREES
    if _beyond(change, THRESHOLD):
        return DIFFERS
    return of_ratio


def _beyond(interval: tuple[float, float], limit: float) -> bool:
    """Return whether the whole interval is more than `limit` away from no change."""
    return interval[0] > math.log1p(limit) or interval[1] < -math.log1p(limit)


def _reaches(interval: tuple[float, float], limit: float) -> bool:
    """Return whether a part of the interval is more than `limit` away from no change."""
    return max(-interval[0], interval[1]) > math.log1p(limit)


def _ratio(logs: np.ndarray, confidence: float, resamples: int) -> Ratio:
    if not logs.size:
        return Ratio(None, None, 0)
    enough = logs.size >= MIN_ROUNDS
    interval = _exp(paired_interval(logs, confidence, resamples)) if enough else None
    return Ratio(math.exp(float(pseudomedian(logs))), interval, logs.size)


def _exp(interval: tuple[float, float]) -> tuple[float, float]:
    return math.exp(interval[0]), math.exp(interval[1])


def counts(claims: Sequence[Claim]) -> Mapping[str, int]:
    """Return the number of deciding claims by verdict, the most frequent first."""
    found: dict[str, int] = {}
    for claim in claims:
        if claim.decides:
            found[claim.verdict] = found.get(claim.verdict, 0) + 1
    return dict(sorted(found.items(), key=lambda it: -it[1]))


def verdict(claims: Sequence[Claim], answers_differ: bool = False) -> str:
    """Return the verdict over all claims. It is "agrees" if no deciding claim differs, and more than half of them have
    enough data. `answers_differ`: programs with equal work had other results here.
    """
    found = counts(claims)
    if answers_differ or found.get(DIFFERS):
        return DIFFERS
    return AGREES if 2 * found.get(AGREES, 0) > sum(found.values()) else TOO_FEW
