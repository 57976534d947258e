"""Frames, notes and points of wires from `ui`. Nothing in a drawing is an error, so invalid entries are ignored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from weir.read.reporting.look import LIGHT

COLOURS = LIGHT["decor"]
SMALLEST = (80.0, 40.0)
FARTHEST = 1e6


@dataclass(frozen=True)
class Part:
    """Frame with its title, or note with its text. `box`: left, top, right, bottom."""

    words: str
    colour: str
    box: tuple[float, float, float, float]


def frames(ui: object) -> tuple[Part, ...]:
    """Return the frames drawn in the editor."""
    return _parts(ui, "frames", "title")


def notes(ui: object) -> tuple[Part, ...]:
    """Return the notes written in the editor."""
    return _parts(ui, "notes", "text")


def reroutes(ui: object) -> dict[str, tuple[tuple[float, float], ...]]:
    """Return the map "src.out->dst.in" -> the points that the wire passes through."""
    found = {}
    for wire, points in _members(ui, "reroutes").items():
        if isinstance(points, list) and points and all(numbers(p, 2) for p in points):
            found[wire] = tuple((float(x), float(y)) for x, y in points)
    return found


def _parts(ui: object, key: str, words: str) -> tuple[Part, ...]:
    found = []
    for part in _members(ui, key).values():
        rect = part.get("rect") if isinstance(part, dict) else None
        if rect is None or not numbers(rect, 4) or rect[2] <= 0 or rect[3] <= 0:
            continue
        left, top = float(rect[0]), float(rect[1])
        box = (left, top, left + max(rect[2], SMALLEST[0]), top + max(rect[3], SMALLEST[1]))
        found.append(Part(_text(part.get(words)), COLOURS.get(_text(part.get("colour")), COLOURS["grey"]), box))
    return tuple(found)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _members(ui: object, key: str) -> Mapping:
    parts = ui.get(key) if isinstance(ui, dict) else None
    return parts if isinstance(parts, dict) else {}


def numbers(value: object, count: int) -> bool:
    """Return whether a JSON value is a list of `count` valid coordinates."""
    return (isinstance(value, list) and len(value) == count
            and all(isinstance(v, (int, float)) and not isinstance(v, bool) and abs(v) < FARTHEST for v in value))
