"""Figures of a quantity at several points: over an axis of numbers, a line a contender, or a row a point."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullFormatter

from weir.reporting.figures import COLOURS, DASHES, MARKERS, Drawing, escape_mathtext, rows, time_axis
from weir.reporting.quantities import duration, si, tick

#: Values that are further apart than this are shown on a logarithmic axis.
FAR_APART = 20.0
#: More lines than this have their names beside the figure.
MANY_LINES = 6
#: Dashes of a line that stands beside the one before it.
BESIDE = (2.5, 1.5)


@dataclass(frozen=True)
class Spot:
    """A point: `value` with its interval, or None, and what single blocks had."""

    x: float
    value: float
    interval: tuple[float, float] | None
    blocks: Sequence[float]


@dataclass(frozen=True)
class Line:
    """`beside`: it is of the same as the line before it, whose colour it has."""

    name: str
    spots: Sequence[Spot]
    beside: bool = False

    @property
    def all(self) -> list[float]:
        return [value for spot in self.spots for value in (spot.value, *spot.blocks, *(spot.interval or ()))]


@dataclass(frozen=True)
class Quantity:
    """`words`: what it is; `unit`: items/s, s or ns."""

    words: str
    unit: str

    def shown(self, value: float) -> str:
        return duration(value) if self.unit == "ns" else si(value, self.unit)


def over_axis(id: str, caption: str, x: str, of: Quantity, lines: Sequence[Line]) -> Drawing:
    """`x`: what the axis is called."""
    return Drawing(id, caption, 3.3 + 0.16 * max(0, len(lines) - MANY_LINES), lambda axes: _over(axes, x, of, lines))


def _places(lines: Sequence[Line]) -> list[int]:
    """Which colour and marker each has."""
    places = list(itertools.accumulate(int(not line.beside) for line in lines))
    return [max(0, place - 1) for place in places]


def _edge(line: Line, colour: str) -> dict[str, object]:
    """Markers of a line beside another are hollow."""
    return ({"markerfacecolor": "white", "markeredgecolor": colour, "markeredgewidth": 1.0} if line.beside else
            {"markeredgecolor": "white", "markeredgewidth": 0.5})


def _over(axes: Axes, x: str, of: Quantity, lines: Sequence[Line]) -> None:
    for i, line in zip(_places(lines), lines):
        colour = COLOURS[i % len(COLOURS)]
        spots = sorted(line.spots, key=lambda spot: spot.x)
        axes.plot([spot.x for spot in spots], [spot.value for spot in spots], color=colour, linewidth=1.5,
                  dashes=BESIDE if line.beside else DASHES[i // len(COLOURS) % len(DASHES)],
                  marker=MARKERS[i % len(MARKERS)], markersize=4.5, label=escape_mathtext(line.name),
                  **_edge(line, colour))
        for spot in spots:
            if spot.interval:
                axes.plot([spot.x, spot.x], spot.interval, color=colour, linewidth=1.2, marker="_", markersize=5)
            elif len(spot.blocks) > 1:
                axes.plot([spot.x] * len(spot.blocks), spot.blocks, linestyle="none", marker="o", markersize=2.2,
                          color=colour, alpha=0.45)
    xs = sorted({spot.x for line in lines for spot in line.spots})
    if xs and xs[0] > 0 and xs[-1] > FAR_APART * xs[0]:
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter(NullFormatter())
    if len(xs) <= 12:
        axes.set_xticks(xs, [tick(si(value, "").strip()) for value in xs])
        axes.minorticks_off()
    _value_axis(axes, "y", of, [value for line in lines for value in line.all])
    axes.grid(True)
    axes.set(xlabel=escape_mathtext(x), ylabel=f"{of.words}, {of.unit}" if of.unit != "ns" else of.words)
    if len(lines) > MANY_LINES:
        axes.legend(handlelength=2.6, loc="upper left", bbox_to_anchor=(1.0, 1.02))
    elif len(lines) > 1:
        axes.legend(handlelength=2.6)


def by_row(id: str, caption: str, of: Quantity, points: Sequence[Line]) -> Drawing:
    """A row for each of `points`, which have one spot each."""
    return Drawing(id, caption, 0.7 + 0.34 * len(points), lambda axes: _by_row(axes, of, points))


def _by_row(axes: Axes, of: Quantity, points: Sequence[Line]) -> None:
    for i, (place, point) in enumerate(zip(_places(points), points)):
        [spot] = point.spots
        colour = COLOURS[place % len(COLOURS)]
        if spot.interval:
            axes.plot(spot.interval, [i, i], color=colour, linewidth=2, marker="|", markersize=9)
        elif len(spot.blocks) > 1:
            axes.plot(spot.blocks, [i] * len(spot.blocks), linestyle="none", marker="o", markersize=3, color=colour,
                      alpha=0.45)
        axes.plot(spot.value, i, marker=MARKERS[place % len(MARKERS)], markersize=6, color=colour,
                  **_edge(point, colour))
        axes.annotate(of.shown(spot.value), (max(point.all), i), (6, 0), textcoords="offset points", va="center",
                      fontsize=8.5)
    rows(axes, [point.name for point in points])
    _value_axis(axes, "x", of, [value for point in points for value in point.all])
    axes.margins(x=0.12)
    axes.set_xlabel(f"{of.words}, {of.unit}" if of.unit != "ns" else of.words)


def _value_axis(axes: Axes, which: str, of: Quantity, values: Sequence[float]) -> None:
    """Times, and what is far apart, on a logarithmic axis; the others from 0 on."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    if of.unit == "ns":
        time_axis(axes, which)
        return
    if values and max(values) > FAR_APART * min(values):
        (axes.set_xscale if which == "x" else axes.set_yscale)("log")
        axis.set_minor_formatter(NullFormatter())
    else:
        top = max(values, default=1.0)
        axes.set(**{f"{which}lim": (0, top * (1.25 if which == "x" else 1.08))})
    axis.set_major_formatter(FuncFormatter(lambda value, _: tick(si(value, "").strip())))
