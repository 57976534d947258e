"""Numbers as people write them: SI prefixes, durations, grouped digits."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from weir.model.document import digits

MISSING = "–"


@dataclass(frozen=True)
class Entry:
    """Table entry. `value`: sort key. None: the table sorts by the text, or the number was not measured."""

    text: str
    value: float | None = None


def aligned(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Return the lines of a table with two spaces between columns. `right`: indices of right-aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(cell.rjust(width) if i in right else cell.ljust(width)
                      for i, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]


def significant(value: float, digits: int = 3) -> str:
    """Format a value with `digits` significant digits and no exponent: 1.23, 45.6, 789."""
    if value == 0:
        return "0"
    rounded = float(f"{value:.{digits}g}")  # round first: 999.9 needs the places of 1000
    places = max(0, digits - 1 - math.floor(math.log10(abs(rounded))))
    return f"{value:.{places}f}"


def si(value: float | None, unit: str) -> str:
    """Return "1.23 G" and the unit, or MISSING for None."""
    if value is None:
        return MISSING
    magnitude = abs(value)
    for factor, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if magnitude >= factor * 0.9995:
            return f"{significant(value / factor)} {prefix}{unit}"
    return f"{significant(value)} {unit}"


def duration(ns: float | None) -> str:
    """Format nanoseconds: 123 ns, 4.56 µs, 7.89 ms, 1.2 s."""
    if ns is None:
        return MISSING
    for factor, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if abs(ns) >= factor * 0.9995:
            return f"{significant(ns / factor)} {unit}"
    return f"{significant(ns)} ns"


def quantity(value: float | None, unit: str) -> str:
    """Format a value of a metric."""
    if value is None:
        return MISSING
    return duration(value * 1e9) if unit == "s" else figure(value, unit)


def percent(value: float) -> str:
    """Format a difference: +3.1 %."""
    return f"{value:+.1f} %"


def figure(value: float, unit: str) -> str:
    """Format a number for a table or a point. `unit`: ns, share, ratio (possibly tiny), % (a difference), or a unit
    with SI prefixes.
    """
    if unit in ("share", "ratio", "%"):
        return percent(value) if unit == "%" else significant(value)
    return duration(value) if unit == "ns" else si(value, unit)


def load_words(load: Mapping[str, Any]) -> str:
    """Say whether the graph kept up with its paced sources. `load`: from results.json."""
    kept_up = {True: ": kept up", False: ": did not keep up", None: ""}[load["kept_up"]]
    return (f"offered {si(load['offered_items_per_s'], 'items/s')}, "
            f"delivered {si(load['delivered_items_per_s'], 'items/s')}{kept_up}")


def tick(text: str) -> str:
    """Shorten a number for an axis: 1.50 G becomes 1.5 G, 10.0 µs becomes 10 µs."""
    number, space, unit = text.partition(" ")
    return (number.rstrip("0").rstrip(".") if "." in number else number) + space + unit


def grouped(value: int | None) -> str:
    """Group digits in threes with thin no-break spaces."""
    return MISSING if value is None else digits.grouped(value)


def binary(value: float) -> str:
    """Format bytes: 16 KiB, 2 MiB."""
    for factor, unit in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if value >= factor:
            return f"{significant(value / factor)} {unit}"
    return f"{value:g} B"
