"""Parts of HTML pages: figures in the page's colours, with their data, and table cells with formatted numbers.

Figures can also be written to files. Tables sort by the values, not by the formatted numbers.
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
from weir.read.reporting.look import DARK
from weir.read.reporting.quantities import MISSING, Entry, duration, grouped, si

_ID = re.compile(r'((?<= )id="|href="#|url\(#)')
#: Colours of figures -> their variables in report.css. Figures in files keep the colours.
_NAMES = {TEXT: "--text", SOFT: "--text2", LINE: "--line", EDGE: "--edge", "#FFFFFF": "--page",
          **{colour: f"--series{i}" for i, colour in enumerate(COLOURS)}}
_COLOUR = re.compile(r"(fill|stroke): (#[0-9a-fA-F]{6})")
_FLOW_COLOUR = re.compile(r'(?<= )(fill|stroke)="#([0-9A-F]{6})"')
#: Rules of the page's style sheet for the colours of flowgraphs.
FLOW_CSS = "".join(f"{head}{{{' '.join(f'--flow{light[1:]}: {colour};' for light, colour in colours)}}}{tail}\n"
                   for head, colours, tail in (
    (":root ", [(light, light) for light in DARK], ""),
    ("@media screen and (prefers-color-scheme: dark) { :root ", [*DARK.items()], " }")))


@dataclass(frozen=True)
class Figure:
    """Figure on a page. `data`: its data as a data URI of the CSV file `name`, or "" if it has none."""

    svg: str
    caption: str
    number: int
    data: str = ""
    name: str = ""


def embedded(drawing: Drawing, number: int, folder: Path | None, prefix: str) -> Figure:
    """Return a figure for a page and, if there is a folder, write it there as SVG, PNG, PDF and CSV. Raises OSError."""
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
    # Two figures on a page must not share ids.
    mark = f"{prefix}{drawing.id}-"
    svg = _COLOUR.sub(_named, _ID.sub(lambda m: m[1] + mark, text[text.index("<svg"):]))
    return Figure(svg, drawing.caption, number, data_uri(data) if data else "", f"{prefix}{drawing.id}.csv")


def flowgraph(svg: str) -> str:
    """Return the picture of a flowgraph in the page's colours, which are light or dark."""
    return _FLOW_COLOUR.sub(lambda it: f'{it[1]}="var(--flow{it[2]})"' if f"#{it[2]}" in DARK else it[0], svg)


def _named(found: re.Match) -> str:
    name = _NAMES.get(found[2].upper())
    return f"{found[1]}: var({name})" if name else found[0]


def csv_text(rows: Sequence[Sequence[object]]) -> str:
    """Format rows as CSV text; "" without rows."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def data_uri(text: str) -> str:
    """Return CSV text as a data URI."""
    return "data:text/csv;base64," + base64.b64encode(text.encode()).decode()


#: Spaces that must not break: a number keeps its unit, and an interval stays in one piece. It may wrap below its value.
_BREAKS_NOT = re.compile(r" (?![(|])")
#: A no-break space alone does not prevent a break after a bar: this adds a word joiner.
_BAR = "|\u2060"


def _as(form: str) -> Callable[[float | None], str]:
    return lambda value: MISSING if value is None else form.format(value)


#: Formats of numbers.
SHOWN: Mapping[str, Callable[[Any], str]] = {
    "count": grouped, "duration": duration, "rate": lambda value: si(value, "items/s"), "plain": _as("{}"),
    "whole": _as("{:.0f}"), "share": lambda value: MISSING if value is None else f"{value * 100:.0f} %"}


def number(value: float | None, show: str = "count", behind: str = "") -> Markup:
    """Return the table cell of a number. `show`: a key of SHOWN; `behind`: a sign after the number."""
    return entry(Entry(SHOWN[show](value) + behind, value))


def entry(it: Entry) -> Markup:
    """Return the table cell of a number that is already formatted."""
    by = Markup("") if it.value is None else Markup(' data-v="{}"').format(repr(it.value))
    return Markup('<td class="n"{}>{}</td>').format(by, _BREAKS_NOT.sub("\u00a0", it.text).replace("|", _BAR))


#: Names of these functions in templates.
CELLS = {"number": number, "entry": entry}
