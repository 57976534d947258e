"""Cells of the tables of a page: a number is shown as people write it, and sorted by what it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from markupsafe import Markup

from weir.read.reporting.quantities import MISSING, Entry, duration, grouped, si

#: A number stays with its unit, and an interval together: it may stand below what it is of.
_BREAKS_NOT = re.compile(r" (?![(|])")
#: Behind it such a space alone would not do.
_BAR = "|\u2060"


def _as(form: str) -> Callable[[float | None], str]:
    return lambda value: MISSING if value is None else form.format(value)


#: How a number may be shown.
SHOWN: Mapping[str, Callable[[Any], str]] = {
    "count": grouped, "duration": duration, "rate": lambda value: si(value, "items/s"), "plain": _as("{}"),
    "whole": _as("{:.0f}"), "share": lambda value: MISSING if value is None else f"{value * 100:.0f} %"}


def number(value: float | None, show: str = "count", behind: str = "") -> Markup:
    """The cell of a number. `show`: one of SHOWN; `behind`: a sign that follows it."""
    return entry(Entry(SHOWN[show](value) + behind, value))


def entry(it: Entry) -> Markup:
    """The cell of a number that has its text."""
    by = Markup("") if it.value is None else Markup(' data-v="{}"').format(repr(it.value))
    return Markup('<td class="n"{}>{}</td>').format(by, _BREAKS_NOT.sub("\u00a0", it.text).replace("|", _BAR))
