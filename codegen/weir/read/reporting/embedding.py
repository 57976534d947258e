"""Contents of HTML pages: figures in the page's colours with their data, also as files; and cells of tables, which show
formatted numbers and sort by their values.
"""

from __future__ import annotations

import base64
import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from weir.read.reporting.figures import COLOURS, EDGE, LINE, SOFT, TEXT, Drawing
from weir.read.reporting.quantities import MISSING, Entry, duration, grouped, si

_ID = re.compile(r'((?<= )id="|href="#|url\(#)')
#: Colours of figures -> what report.css calls them; in files they stay what they are.
_NAMES = {TEXT: "--text", SOFT: "--text2", LINE: "--line", EDGE: "--edge", "#FFFFFF": "--page",
          **{colour: f"--series{i}" for i, colour in enumerate(COLOURS)}}
_COLOUR = re.compile(r"(fill|stroke): (#[0-9a-fA-F]{6})")


@dataclass(frozen=True)
class Figure:
    """One of a page. `data`: what is behind it, as the address of a CSV file of that `name`; "" where nothing is."""

    svg: str
    caption: str
    number: int
    data: str = ""
    name: str = ""


def embedded(drawing: Drawing, number: int, folder: Path | None, prefix: str) -> Figure:
    """Also written to the folder, where there is one: as svg, png, pdf and csv. OSError where that fails."""
    data = csv_text(drawing.table)
    if folder:
        files = drawing.render("svg", "png", "pdf")
        if data:
            files["csv"] = data.encode()
        for form, content in files.items():
            (folder / f"{prefix}{drawing.id}.{form}").write_bytes(content)
    else:
        files = drawing.render("svg")
    text = files["svg"].decode()
    # The ids of one figure must not be those of another on the same page.
    mark = f"{prefix}{drawing.id}-"
    svg = _COLOUR.sub(_named, _ID.sub(lambda m: m[1] + mark, text[text.index("<svg"):]))
    return Figure(svg, drawing.caption, number, data_uri(data) if data else "", f"{prefix}{drawing.id}.csv")


def _named(found: re.Match) -> str:
    name = _NAMES.get(found[2].upper())
    return f"{found[1]}: var({name})" if name else found[0]


def csv_text(rows: Sequence[Sequence[object]]) -> str:
    """"" where there is none."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def data_uri(text: str) -> str:
    """The address of a CSV file with this text in it."""
    return "data:text/csv;base64," + base64.b64encode(text.encode()).decode()


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


#: What templates call them.
CELLS = {"number": number, "entry": entry}
