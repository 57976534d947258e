"""Taps of filters designed by a window, from the textbooks: the ideal response, cut off and weighted.

The number of taps follows the rule that flowgraphs rely on: attenuation of the window in dB, times sample rate, over
22 times the width of the transition, made odd.
"""

from __future__ import annotations

import math
from collections.abc import Callable

MOST_TAPS = 20_000

#: dB that each window's side lobes lie below the pass band.
WINDOWS = {"WIN_HAMMING": 53.0, "WIN_HANN": 44.0, "WIN_HANNING": 44.0, "WIN_BLACKMAN": 74.0, "WIN_RECTANGULAR": 21.0,
           "WIN_KAISER": 0.0, "WIN_BLACKMAN_hARRIS": 92.0}
_COSINES = {"WIN_HAMMING": (0.54, 0.46), "WIN_HANN": (0.5, 0.5), "WIN_HANNING": (0.5, 0.5),
            "WIN_BLACKMAN": (0.42, 0.5, 0.08), "WIN_RECTANGULAR": (1.0,),
            "WIN_BLACKMAN_hARRIS": (0.35875, 0.48829, 0.14128, 0.01168)}
_NUMBERED = ("WIN_HAMMING", "WIN_HANN", "WIN_BLACKMAN", "WIN_RECTANGULAR", "WIN_KAISER", "WIN_BLACKMAN_hARRIS")


def window(kind: str | int, count: int, beta: float) -> list[float]:
    """Symmetric weights. ValueError for a window that is not known."""
    kind = _NUMBERED[kind] if isinstance(kind, int) else str(kind)
    if kind == "WIN_KAISER":
        scale, middle = _bessel(beta), (count - 1) / 2 or 1.0
        return [_bessel(beta * math.sqrt(max(0.0, 1 - ((n - middle) / middle) ** 2))) / scale for n in range(count)]
    if kind not in _COSINES:
        raise ValueError(f"the window {kind} is not known here")
    terms, last = _COSINES[kind], max(1, count - 1)
    return [sum((-1) ** k * a * math.cos(2 * math.pi * k * n / last) for k, a in enumerate(terms))
            for n in range(count)]


def _bessel(x: float) -> float:
    """The modified Bessel function of order 0, by its series."""
    if abs(x) > 500:
        raise ValueError("beta is too large")
    term = total = 1.0
    for k in range(1, 2000):
        term *= (x / (2 * k)) ** 2
        total += term
        if term < total * 1e-17:
            break
    return total


def tap_count(rate: float, width: float, kind: str | int, beta: float) -> int:
    kind = _NUMBERED[kind] if isinstance(kind, int) else str(kind)
    attenuation = beta / 0.1102 + 8.7 if kind == "WIN_KAISER" else WINDOWS[kind]
    _positive(rate, width)
    count = int(attenuation * rate / (22.0 * width)) | 1
    if count > MOST_TAPS:
        raise ValueError(f"the filter has more than {MOST_TAPS} taps")
    return count


def _positive(*values: float) -> None:
    if any(isinstance(v, complex) or v <= 0 for v in values):
        raise ValueError("rates and frequencies of a filter lie above 0")


def _windowed(ideal: Callable[[int], float], rate: float, width: float, kind: str | int, beta: float) -> list[float]:
    count = tap_count(rate, width, kind, beta)
    return [ideal(n) * w for n, w in zip(range(-(count // 2), count // 2 + 1), window(kind, count, beta))]


def _scaled(taps: list[float], gain: float, response: Callable[[int], float]) -> list[float]:
    """So that the filter's answer is `gain` where `response` measures."""
    half = len(taps) // 2
    scale = gain / sum(tap * response(n - half) for n, tap in enumerate(taps))
    return [tap * scale for tap in taps]


def _sinc(n: int, angle: float) -> float:
    return angle / math.pi if n == 0 else math.sin(n * angle) / (n * math.pi)


def low_pass(gain: float, sampling_freq: float, cutoff_freq: float, transition_width: float,
             window: str | int = "WIN_HAMMING", param: float = 6.76) -> list[float]:
    _positive(sampling_freq, cutoff_freq)
    angle = 2 * math.pi * cutoff_freq / sampling_freq
    return _scaled(_windowed(lambda n: _sinc(n, angle), sampling_freq, transition_width, window, param), gain,
                   lambda n: 1.0)


def high_pass(gain: float, sampling_freq: float, cutoff_freq: float, transition_width: float,
              window: str | int = "WIN_HAMMING", param: float = 6.76) -> list[float]:
    _positive(sampling_freq, cutoff_freq)
    angle = 2 * math.pi * cutoff_freq / sampling_freq
    taps = _windowed(lambda n: (n == 0) - _sinc(n, angle), sampling_freq, transition_width, window, param)
    return _scaled(taps, gain, lambda n: math.cos(n * math.pi))


def band_pass(gain: float, sampling_freq: float, low_cutoff_freq: float, high_cutoff_freq: float,
              transition_width: float, window: str | int = "WIN_HAMMING", param: float = 6.76) -> list[float]:
    _positive(sampling_freq, low_cutoff_freq, high_cutoff_freq - low_cutoff_freq)
    low, high = (2 * math.pi * f / sampling_freq for f in (low_cutoff_freq, high_cutoff_freq))
    taps = _windowed(lambda n: _sinc(n, high) - _sinc(n, low), sampling_freq, transition_width, window, param)
    return _scaled(taps, gain, lambda n: math.cos(n * (low + high) / 2))


def band_reject(gain: float, sampling_freq: float, low_cutoff_freq: float, high_cutoff_freq: float,
                transition_width: float, window: str | int = "WIN_HAMMING", param: float = 6.76) -> list[float]:
    _positive(sampling_freq, low_cutoff_freq, high_cutoff_freq - low_cutoff_freq)
    low, high = (2 * math.pi * f / sampling_freq for f in (low_cutoff_freq, high_cutoff_freq))
    taps = _windowed(lambda n: (n == 0) - _sinc(n, high) + _sinc(n, low), sampling_freq, transition_width, window,
                     param)
    return _scaled(taps, gain, lambda n: 1.0)


def root_raised_cosine(gain: float, sampling_freq: float, symbol_rate: float, alpha: float, ntaps: int) -> list[float]:
    """The square root of a raised cosine spectrum, as an impulse response whose taps sum up to `gain`."""
    _positive(sampling_freq, symbol_rate, alpha, ntaps)
    count = int(ntaps) | 1
    if count > MOST_TAPS or alpha > 1:
        raise ValueError("a root raised cosine has an alpha up to 1 and a bounded number of taps")
    a, taps = alpha, []
    for n in range(-(count // 2), count // 2 + 1):
        t = n * symbol_rate / sampling_freq
        edge = 1 - (4 * a * t) ** 2
        if n == 0:
            taps.append(1 - a + 4 * a / math.pi)
        elif abs(edge) < 1e-6:
            taps.append(a / math.sqrt(2) * ((1 + 2 / math.pi) * math.sin(math.pi / (4 * a))
                                            + (1 - 2 / math.pi) * math.cos(math.pi / (4 * a))))
        else:
            taps.append((math.sin(math.pi * t * (1 - a)) + 4 * a * t * math.cos(math.pi * t * (1 + a)))
                        / (math.pi * t * edge))
    scale = gain / sum(taps)
    return [tap * scale for tap in taps]


def resampler(interpolation: int, decimation: int, fractional_bw: float = 0.0) -> list[float]:
    """The low pass that a rational resampler has where no taps are given: 0.4 of the lower rate, Kaiser of beta 7."""
    common = math.gcd(int(interpolation), int(decimation))
    up, down = int(interpolation) // common, int(decimation) // common
    _positive(up, down)
    narrower = min(1.0, up / down)
    width = narrower * (0.5 - (fractional_bw or 0.4))
    return low_pass(up, up, narrower * 0.5 - width / 2, width, "WIN_KAISER", 7.0)


TAPS: dict[str, Callable[..., list[float]]] = {
    "low_pass": low_pass, "high_pass": high_pass, "band_pass": band_pass, "band_reject": band_reject,
    "root_raised_cosine": root_raised_cosine, "resampler": resampler}
