"""Constellations of gr-digital, as data."""

from __future__ import annotations

import cmath
import math
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

#: Names of the module in flowgraphs.
NAMES = ("digital", "gnuradio.digital")
NORMALIZATIONS = ("NO_NORMALIZATION", "POWER_NORMALIZATION", "AMPLITUDE_NORMALIZATION")


@dataclass(frozen=True, eq=False)
class Constellation:
    """Points of a constellation, as GNU Radio holds them in float32. `coded`: whether the differential code `code`
    precedes them. `decides_nearest`: whether GNU Radio decides for the nearest point, not by sectors of the plane.
    """

    points: tuple[complex, ...]
    code: tuple[int, ...] = ()
    symmetry: int = 1
    dimensions: int = 1
    coded: bool = False
    decides_nearest: bool = True

    @property
    def arity(self) -> int:
        """Return the number of symbols."""
        return len(self.points) // self.dimensions


def _single(value: float) -> float:
    return float(struct.unpack("f", struct.pack("f", value))[0])


def _scaled(points: Sequence[complex], by: float) -> tuple[complex, ...]:
    return tuple(complex(_single(_single(it.real) * by), _single(_single(it.imag) * by)) for it in map(complex, points))


def _normalized(points: Sequence[complex], how: object) -> tuple[complex, ...]:
    """Scale points to a mean magnitude or power of 1, by sums in float32."""
    if how not in (*NORMALIZATIONS, *range(len(NORMALIZATIONS))):
        raise ValueError(f"there is no normalization {how}")
    kind = how if isinstance(how, int) else NORMALIZATIONS.index(str(how))
    total = 0.0
    for it in map(complex, points):
        total = _single(total + _single(abs(it) if kind == 2 else abs(it) ** 2))
    if kind == 0:
        return _scaled(points, 1.0)
    return _scaled(points, _single(len(points) / total if kind == 2 else math.sqrt(len(points) / total)))


def _given(points: Sequence[complex], code: Sequence[int], symmetry: int, dimensions: int,
           how: object = "AMPLITUDE_NORMALIZATION") -> Constellation:
    if not isinstance(points, list) or not isinstance(code, list) or not points:
        raise ValueError("a constellation needs a list of points, and one of codes")
    if isinstance(dimensions, bool) or not isinstance(dimensions, int) or dimensions < 1 or len(points) % dimensions:
        raise ValueError("each point of a constellation needs all its dimensions")
    if len(code) not in (0, len(points) // dimensions):
        raise ValueError("each symbol of a constellation needs its code")
    return Constellation(_normalized(points, how), tuple(code), symmetry, dimensions, bool(code))


def _rectangular(points: Sequence[complex], code: Sequence[int], symmetry: int, *sectors: object) -> Constellation:
    if len(sectors) not in (4, 5):
        raise TypeError("a rectangular constellation has numbers and widths of sectors")
    return replace(_given(points, code, symmetry, 1, *sectors[4:]), decides_nearest=False)


#: Points at odd multiples of pi / 8, with the errors of their float32.
_EIGHTHS = (0.923879504 + 0.382683456j, 0.382683426 + 0.923879504j, -0.382683516 + 0.923879504j,
            -0.923879623 + 0.382683277j, -0.923879504 - 0.382683426j, -0.382683128 - 0.92387968j,
            0.382683605 - 0.923879445j, 0.923879564 - 0.382683426j)


def _psk8(*order: int) -> Constellation:
    return Constellation(_scaled([_EIGHTHS[at] for at in order], 1.0), symmetry=8)


def _qam16() -> Constellation:
    """Return the points of each quadrant's four, which the same code of two bits turns into each other."""
    thirds = ((1, -1), (-1, -1), (3, -3), (-3, -3), (-3, -1), (3, -1), (-1, -3), (1, -3), (-3, 3), (3, 3), (-1, 1),
              (1, 1), (1, 3), (-1, 3), (3, 1), (-3, 1))
    return Constellation(_scaled([complex(*it) for it in thirds], _single(math.sqrt(0.1))), symmetry=4)


def _qpsk(signs: Sequence[complex], code: tuple[int, ...], coded: bool) -> Constellation:
    return Constellation(_scaled(signs, _single(math.sqrt(2))), code, 4, coded=coded)


def _psk(points: int = 4, code: str = "gray", differential: bool = True) -> Constellation:
    """Return points of equal distances on a circle, those of neighbours by codes that differ in one bit if `code` says
    so: before the difference of symbols is taken, else by the order of the points.
    """
    if isinstance(points, bool) or points not in (2, 4, 8, 16, 32, 64, 128, 256):
        raise ValueError("a PSK constellation has 2 to 256 points, a power of two")
    if code not in ("gray", "none"):
        raise ValueError("the code of a PSK constellation is \"gray\" or \"none\"")
    gray = [it ^ it >> 1 for it in range(points)] if code == "gray" else []
    circle = [cmath.exp(2j * math.pi * it / points) for it in range(points)]
    if gray and not differential:
        circle = [circle[gray.index(it)] for it in range(points)]
    made = _given(circle, gray if differential else [], points, 1)
    return replace(made, decides_nearest=False)


#: Levels in order -> codes that differ in one bit from those of their neighbours.
_GRAY = (0, 1, 3, 2)
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "constellation_bpsk": lambda: Constellation((-1 + 0j, 1 + 0j), symmetry=2),
    "constellation_qpsk": lambda: _qpsk((-1 - 1j, 1 - 1j, -1 + 1j, 1 + 1j), (0, 2, 3, 1), False),
    "constellation_dqpsk": lambda: _qpsk((1 + 1j, -1 + 1j, -1 - 1j, 1 - 1j), (0, 1, 3, 2), True),
    "constellation_8psk": lambda: _psk8(0, 3, 7, 4, 1, 2, 6, 5),
    "constellation_8psk_natural": lambda: _psk8(7, 0, 1, 2, 3, 4, 5, 6),
    "constellation_16qam": _qam16,
    "constellation_calcdist": _given, "constellation_rect": _rectangular,
    "psk_constellation": _psk, "psk_2": lambda: [[-1, 1], [0, 1]],
    "psk_4": lambda: [[-1 - 1j, 1 - 1j, -1 + 1j, 1 + 1j], [0, 1, 2, 3]],
    "qam_16": lambda: [[complex(x, y) for y in (-3, -1, 1, 3) for x in (-3, -1, 1, 3)],
                       [y + 4 * x for y in _GRAY for x in _GRAY]]}
METHODS: dict[str, Callable[[Constellation], Any]] = {
    "base": lambda it: it, "points": lambda it: list(it.points), "arity": lambda it: it.arity,
    "bits_per_symbol": lambda it: it.arity.bit_length() - 1, "pre_diff_code": lambda it: list(it.code),
    "apply_pre_diff_code": lambda it: it.coded, "dimensionality": lambda it: it.dimensions,
    "rotational_symmetry": lambda it: it.symmetry}
