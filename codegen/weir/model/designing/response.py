"""Frequency response of taps, and figures measured on it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from weir.model.designing.design import Design

#: Points of a drawn response, and of the finest computed one. A drawn point is the largest of several computed ones.
POINTS, FINEST = 1024, 1 << 19
FLOOR_DB = -200.0


def magnitude_db(taps: Sequence[float]) -> np.ndarray:
    """Return the response in dB at equally spaced frequencies from 0 to half the sample rate, both included; at least
    FLOOR_DB.
    """
    length = max(8 * POINTS, 1 << math.ceil(math.log2(16 * len(taps))))
    whole = 1 << (len(taps) - 1).bit_length()  # fewer would truncate the taps
    magnitude = np.abs(np.fft.rfft(np.asarray(taps, float), max(min(length, FINEST), whole)))
    return 20 * np.log10(np.maximum(magnitude, 10 ** (FLOOR_DB / 20)))


def drawn(magnitude: np.ndarray, sample_rate: float) -> dict[str, list[float]]:
    """Return POINTS points, each the largest magnitude around it, so that no side lobe is lost."""
    step = (len(magnitude) - 1) // POINTS
    largest = magnitude[:-1].reshape(POINTS, step).max(axis=1)
    frequency = np.arange(POINTS) * (sample_rate / 2 / POINTS)
    return {"frequency_hz": [float(f) for f in frequency], "magnitude_db": [round(float(m), 3) for m in largest]}


def facts(design: Design, magnitude: np.ndarray, count: int) -> dict[str, object]:
    """Return figures measured on the response of a design's taps, None where a figure is undefined.

    Pass bands and stop bands begin half a transition from an edge. Attenuations are relative to the gain.
    """
    frequency = np.linspace(0.0, design.sample_rate / 2, len(magnitude))
    passing, stopping = bands(design)
    passed = np.concatenate([magnitude[:0], *(_within(frequency, magnitude, band) for band in passing)])
    stopped = [_within(frequency, magnitude, band) for band in stopping]
    gain = 20 * math.log10(abs(design.gain))
    lobes = [_beyond_the_lobe(one, *(0 < edge < design.sample_rate / 2 for edge in band))
             for one, band in zip(stopped, stopping)]
    return {**plain_facts(count), "delay_items": (count - 1) / 2, "delay_s": (count - 1) / 2 / design.sample_rate,
            "passband_hz": [list(band) for band in passing], "stopband_hz": [list(band) for band in stopping],
            "passband_ripple_db": round(float(np.ptp(passed)), 4) if passed.size else None,
            "stopband_attenuation_db": _below(gain, stopped), "side_lobes_db": _below(gain, lobes)}


def plain_facts(count: int) -> dict[str, object]:
    """Return the figures for arbitrary taps. They need not be symmetric, so even their delay depends on the frequency.
    """
    return {"number_of_taps": count, "delay_items": None, "delay_s": None, "passband_hz": [], "stopband_hz": [],
            "passband_ripple_db": None, "stopband_attenuation_db": None, "side_lobes_db": None}


def bands(design: Design) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Return the pass bands and the stop bands in Hz, without bands that a transition covers completely."""
    half, width = design.sample_rate / 2, design.half_transition()
    ends = [0.0, *(end for edge in design.edges() for end in (edge - width, edge + width)), half]
    between = [(low, min(high, half)) for low, high in zip(ends[::2], ends[1::2])]
    first, second = ([band for band in between[i::2] if band[0] < band[1]] for i in (0, 1))
    return (second, first) if design.kind in ("high_pass", "band_pass") else (first, second)


def _within(frequency: np.ndarray, magnitude: np.ndarray, band: tuple[float, float]) -> np.ndarray:
    """Return the magnitudes in the band and at its ends, where the response is steep."""
    first, last = np.interp(band, frequency, magnitude)
    return np.array([first, *magnitude[(frequency > band[0]) & (frequency < band[1])], last])


def _beyond_the_lobe(stopped: np.ndarray, at_start: bool, at_end: bool) -> np.ndarray:
    """Return the stop band without the main lobe, which falls from an edge to the first minimum."""
    rises = np.flatnonzero(np.diff(stopped) > 0)
    falls = np.flatnonzero(np.diff(stopped) < 0)
    first = (rises[0] if rises.size else stopped.size) if at_start else 0
    last = (falls[-1] + 1 if falls.size else 0) if at_end else stopped.size
    return stopped[first:last]


def _below(gain: float, parts: Sequence[np.ndarray]) -> float | None:
    parts = [part for part in parts if part.size]
    return round(gain - float(max(part.max() for part in parts)), 2) if parts else None
