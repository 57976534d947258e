"""The curves of wires, as the editor draws them."""

from __future__ import annotations

import math
from collections.abc import Iterable

from weir.read.reporting.look import LOOK

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom

_ARM, _GAP = LOOK["wire"]["arm"], LOOK["wire"]["gap"]


def lane_between(source: Box, target: Box, others: Iterable[Box]) -> float | None:
    """Return the height at which a wire leads back to the left between two blocks, one below the other. It is the
    middle of the widest gap without `others`, or None if there is no gap.
    """
    upper, lower = (source, target) if source[3] < target[3] else (target, source)
    left, right = target[0] - _ARM["returning"], source[2] + _ARM["returning"]
    taken = sorted((top, bottom) for x0, top, x1, bottom in others
                   if x0 < right and x1 > left and top < lower[1] and bottom > upper[3])
    best, at = None, upper[3]
    for top, bottom in [*taken, (lower[1], lower[1])]:
        if top - at >= 2 * _GAP["least"] and (best is None or top - at > best[1] - best[0]):
            best = (at, top)
        at = max(at, bottom)
    return (best[0] + best[1]) / 2 if best else None


def wire_path(start: Point, end: Point, via: tuple[Point, ...] = (), band: tuple[float, float] | None = None,
              lane: float | None = None) -> str:
    """Return the path of a wire: a cubic from port to port, or a curve through `via`.

    A wire to the left follows `lane`, or bows around `band`, the top and bottom of the blocks at both ends.
    """
    (x0, y0), (x1, y1) = start, end
    if via:
        return _through([start, *via, end])
    dx = x1 - x0
    if dx >= 0:
        arm = min(max(_ARM["least"], min(_ARM["most"], dx / 2)), max(dx, _ARM["least"]))
        return f"M{x0:g} {y0:g}C{x0 + arm:g} {y0:g} {x1 - arm:g} {y1:g} {x1:g} {y1:g}"
    top, bottom = band or (min(y0, y1) - _GAP["most"], max(y0, y1) + _GAP["least"])
    gap, middle = min(max(abs(y1 - y0) / 4, _GAP["least"]), _GAP["most"]), (y0 + y1) / 2
    below, above = bottom + gap, top - gap
    bow = lane if lane is not None else above if abs(above - middle) < abs(below - middle) else below
    right, left = x0 + _ARM["returning"], x1 - _ARM["returning"]
    return (f"M{x0:g} {y0:g}C{right:g} {y0:g} {right:g} {bow:g} {x0:g} {bow:g}L{x1:g} {bow:g}"
            f"C{left:g} {bow:g} {left:g} {y1:g} {x1:g} {y1:g}")


def _through(points: list[Point]) -> str:
    """Return a curve through points. It is level at both ends. At each other point, its tangent is parallel to the line
    between the neighbours.
    """
    def direction(i: int) -> Point:
        if i in (0, len(points) - 1):
            return 1.0, 0.0
        dx, dy = points[i + 1][0] - points[i - 1][0], points[i + 1][1] - points[i - 1][1]
        length = math.hypot(dx, dy)
        return (dx / length, dy / length) if length else (1.0, 0.0)

    path = f"M{points[0][0]:g} {points[0][1]:g}"
    for i, (a, b) in enumerate(zip(points, points[1:])):
        arm, (ux, uy), (vx, vy) = min(_ARM["share"] * math.dist(a, b), _ARM["most"]), direction(i), direction(i + 1)
        path += (f"C{a[0] + arm * ux:g} {a[1] + arm * uy:g} {b[0] - arm * vx:g} {b[1] - arm * vy:g} {b[0]:g} {b[1]:g}")
    return path
