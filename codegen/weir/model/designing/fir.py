"""Taps of odd-length symmetric FIR filters: an ideal impulse response, truncated and weighted by a window.

Windows are those of the textbooks. Frequencies and rates share one unit. `count` is the number of taps; an even one is
increased by one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

MOST_TAPS = 20_000
#: window -> side-lobe attenuation in dB, and the terms of its sum of cosines.
COSINES = {
    "rectangular": (21.0, (1.0,)),
    "hann": (44.0, (0.5, 0.5)),
    "hamming": (53.0, (0.54, 0.46)),
    "blackman": (74.0, (0.42, 0.5, 0.08)),
    "blackman_harris": (92.0, (0.35875, 0.48829, 0.14128, 0.01168)),
}
KAISER = "kaiser"
WINDOWS = (*COSINES, KAISER)

LARGEST_BETA = 500.0


def tap_count(sample_rate: float, transition: float, attenuation_db: float) -> int:
    """Return the tap count by GNU Radio's rule: dB times sample rate, over 22 times the transition, made odd."""
    return _odd(attenuation_db * sample_rate / (22.0 * transition))


def kaiser_count(sample_rate: float, transition: float, attenuation_db: float) -> int:
    """Return Kaiser's estimate of the tap count for this attenuation beyond the transition, made odd."""
    return _odd(math.ceil((attenuation_db - 7.95) / (2.285 * 2 * math.pi * transition / sample_rate) + 1))


def _odd(count: float) -> int:
    return int(min(count, 1e9)) | 1


def low_pass(sample_rate: float, cutoff: float, weight: Sequence[float], gain: float = 1.0) -> list[float]:
    """Taps of a low-pass filter, by the window method."""
    angle = _angle(cutoff, sample_rate)
    return _filter(lambda n: _sinc(n, angle), weight, gain, 0.0)


def high_pass(sample_rate: float, cutoff: float, weight: Sequence[float], gain: float = 1.0) -> list[float]:
    """Taps of a high-pass filter, by the window method."""
    angle = _angle(cutoff, sample_rate)
    return _filter(lambda n: (n == 0) - _sinc(n, angle), weight, gain, math.pi)


def band_pass(sample_rate: float, low_cutoff: float, high_cutoff: float, weight: Sequence[float],
              gain: float = 1.0) -> list[float]:
    """Taps of a band-pass filter, by the window method."""
    low, high = _angle(low_cutoff, sample_rate), _angle(high_cutoff, sample_rate)
    return _filter(lambda n: _sinc(n, high) - _sinc(n, low), weight, gain, (low + high) / 2)


def band_reject(sample_rate: float, low_cutoff: float, high_cutoff: float, weight: Sequence[float],
                gain: float = 1.0) -> list[float]:
    """Taps of a band-reject filter, by the window method."""
    low, high = _angle(low_cutoff, sample_rate), _angle(high_cutoff, sample_rate)
    return _filter(lambda n: (n == 0) - _sinc(n, high) + _sinc(n, low), weight, gain, 0.0)


def root_raised_cosine(sample_rate: float, symbol_rate: float, roll_off: float, count: int,
                       gain: float = 1.0) -> list[float]:
    """Return the impulse response of a root-raised-cosine filter, with taps that add up to `gain`."""
    def ideal(n: int) -> float:
        t, a = n * symbol_rate / sample_rate, roll_off
        edge = 1 - (4 * a * t) ** 2
        if n == 0:
            return 1 - a + 4 * a / math.pi
        if abs(edge) < 1e-6:
            return a / math.sqrt(2) * ((1 + 2 / math.pi) * math.sin(math.pi / (4 * a))
                                       + (1 - 2 / math.pi) * math.cos(math.pi / (4 * a)))
        return (math.sin(math.pi * t * (1 - a)) + 4 * a * t * math.cos(math.pi * t * (1 + a))) / (math.pi * t * edge)

    return _filter(ideal, [1.0] * _odd(count), gain, 0.0)


def _angle(frequency: float, sample_rate: float) -> float:
    return 2 * math.pi * frequency / sample_rate


def _sinc(n: int, angle: float) -> float:
    return angle / math.pi if n == 0 else math.sin(n * angle) / (n * math.pi)


def _filter(ideal: Callable[[int], float], weight: Sequence[float], gain: float, at: float) -> list[float]:
    """Return the weighted response, scaled to `gain` at the angle `at`. The second half mirrors the first, because
    rounding must not spoil the linear phase.
    """
    half = len(weight) // 2
    first = [ideal(n - half) * weight[n] for n in range(half)]
    middle = ideal(0) * weight[half]
    scale = gain / (middle + 2 * sum(tap * math.cos((n - half) * at) for n, tap in enumerate(first)))
    return [tap * scale for tap in (*first, middle, *reversed(first))]


def weights(window: str, count: int, beta: float = 0.0) -> list[float]:
    """Return `count` symmetric window weights. `beta` is for Kaiser windows only. Raises ValueError for an unknown
    window.
    """
    if count == 1:
        return [1.0]  # the ends of most windows are 0
    last = count - 1
    if window == KAISER:
        scale, middle = bessel(beta), last / 2
        return [bessel(beta * math.sqrt(max(0.0, 1 - (n / middle - 1) ** 2))) / scale for n in range(count)]
    if window not in COSINES:
        raise ValueError(f"unknown window {window}")
    _, terms = COSINES[window]
    return [sum((-1) ** k * a * math.cos(2 * math.pi * k * n / last) for k, a in enumerate(terms))
            for n in range(count)]


def attenuation_of(window: str, beta: float = 0.0) -> float:
    """Return the side-lobe attenuation in dB; for a Kaiser window, by Kaiser's formula for large attenuations."""
    return beta / 0.1102 + 8.7 if window == KAISER else COSINES[window][0]


def beta_for(attenuation_db: float) -> float:
    """Return Kaiser's beta for this side-lobe attenuation."""
    if attenuation_db > 50:
        return 0.1102 * (attenuation_db - 8.7)
    if attenuation_db > 21:
        return 0.5842 * math.pow(attenuation_db - 21, 0.4) + 0.07886 * (attenuation_db - 21)
    return 0.0


def bessel(x: float) -> float:
    """Return the modified Bessel function of order 0, by its series."""
    if abs(x) > LARGEST_BETA:
        raise ValueError("beta is too large")
    term = total = 1.0
    for k in range(1, 2000):
        term *= (x / (2 * k)) ** 2
        total += term
        if term < total * 1e-17:
            break
    return total
