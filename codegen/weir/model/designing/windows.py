"""Windows that cut an ideal response off, from the textbooks."""

from __future__ import annotations

import math

#: window -> dB that its side lobes lie below the pass band, and the terms of its sum of cosines.
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


def weights(window: str, count: int, beta: float = 0.0) -> list[float]:
    """Symmetric, `count` of them; `beta` is Kaiser's alone. ValueError for a window that is not known."""
    if count == 1:
        return [1.0]  # the ends of most windows are 0
    last = count - 1
    if window == KAISER:
        scale, middle = bessel(beta), last / 2
        return [bessel(beta * math.sqrt(max(0.0, 1 - (n / middle - 1) ** 2))) / scale for n in range(count)]
    if window not in COSINES:
        raise ValueError(f"the window {window} is not known here")
    _, terms = COSINES[window]
    return [sum((-1) ** k * a * math.cos(2 * math.pi * k * n / last) for k, a in enumerate(terms))
            for n in range(count)]


def attenuation_of(window: str, beta: float = 0.0) -> float:
    """Returns the side-lobe attenuation in dB; of Kaiser's by his formula for what he calls large attenuations."""
    return beta / 0.1102 + 8.7 if window == KAISER else COSINES[window][0]


def beta_for(attenuation_db: float) -> float:
    """Kaiser's beta for side lobes so far down."""
    if attenuation_db > 50:
        return 0.1102 * (attenuation_db - 8.7)
    if attenuation_db > 21:
        return 0.5842 * math.pow(attenuation_db - 21, 0.4) + 0.07886 * (attenuation_db - 21)
    return 0.0


def bessel(x: float) -> float:
    """The modified Bessel function of order 0, by its series."""
    if abs(x) > LARGEST_BETA:
        raise ValueError("beta is too large")
    term = total = 1.0
    for k in range(1, 2000):
        term *= (x / (2 * k)) ** 2
        total += term
        if term < total * 1e-17:
            break
    return total
