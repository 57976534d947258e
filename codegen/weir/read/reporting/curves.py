"""The curves of wires, as the editor draws them."""

from __future__ import annotations

import math
from collections.abc import Iterable

Point = tuple[float, float]


Box = tuple[float, float, float, float]  # left, top, right, bottom

_ARM, _GAP = 80.0, 24.0


def lane_between(source: Box, target: Box, others: Iterable[Box]) -> float | None:
    """Where a wire leads back to the left between two blocks of which one lies below the other: the middle of the
    widest way there that is free of `others`. None where there is none.
    """
    upper, lower = (source, target) if source[3] < target[3] else (target, source)
    left, right = target[0] - _ARM, source[2] + _ARM
    taken = sorted((top, bottom) for x0, top, x1, bottom in others
                   if x0 < right and x1 > left and top < lower[1] and bottom > upper[3])
    best, at = None, upper[3]
    for top, bottom in [*taken, (lower[1], lower[1])]:
        if top - at >= 2 * _GAP and (best is None or top - at > best[1] - best[0]):
            best = (at, top)
        at = max(at, bottom)
    return (best[0] + best[1]) / 2 if best else None


def wire_path(start: Point, end: Point, via: tuple[Point, ...] = (), band: tuple[float, float] | None = None,
              lane: float | None = None) -> str:
    """A cubic from port to port, or a curve through `via`. To the left, it goes along the `lane`, or bows around
    `band`: top and bottom of the blocks at both ends.
    """
    (x0, y0), (x1, y1) = start, end
    if via:
        return _through([start, *via, end])
    dx = x1 - x0
    if dx >= 0:
        arm = min(max(24.0, min(160.0, dx / 2)), max(dx, 24.0))
        return f"M{x0:g} {y0:g}C{x0 + arm:g} {y0:g} {x1 - arm:g} {y1:g} {x1:g} {y1:g}"
    top, bottom = band or (min(y0, y1) - 80, max(y0, y1) + 24)
    gap, middle = min(max(abs(y1 - y0) / 4, _GAP), _ARM), (y0 + y1) / 2
    below, above = bottom + gap, top - gap
    bow = lane if lane is not None else above if abs(above - middle) < abs(below - middle) else below
    return (f"M{x0:g} {y0:g}C{x0 + 80:g} {y0:g} {x0 + 80:g} {bow:g} {x0:g} {bow:g}L{x1:g} {bow:g}"
            f"C{x1 - 80:g} {bow:g} {x1 - 80:g} {y1:g} {x1:g} {y1:g}")


def _through(points: list[Point]) -> str:
    """Level at both ends, and at each point in the direction from its neighbour to the next."""
    def direction(i: int) -> Point:
        if i in (0, len(points) - 1):
            return 1.0, 0.0
        dx, dy = points[i + 1][0] - points[i - 1][0], points[i + 1][1] - points[i - 1][1]
        length = math.hypot(dx, dy)
        return (dx / length, dy / length) if length else (1.0, 0.0)

    path = f"M{points[0][0]:g} {points[0][1]:g}"
    for i, (a, b) in enumerate(zip(points, points[1:])):
        arm, (ux, uy), (vx, vy) = min(0.4 * math.dist(a, b), 160.0), direction(i), direction(i + 1)
        path += (f"C{a[0] + arm * ux:g} {a[1] + arm * uy:g} {b[0] - arm * vx:g} {b[1] - arm * vy:g} {b[0]:g} {b[1]:g}")
    return path
