"""Figures of one quantity at several points: lines over a numeric axis, one for each contender, or rows of points."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from weir.read.reporting.figures import (
    COLOURS,
    DASHES,
    LINE,
    MARKERS,
    SOFT,
    TEXT,
    Drawing,
    escape_mathtext,
    rows,
    time_axis,
)
from weir.read.reporting.quantities import figure, si, tick
from weir.read.reporting.series import Mark

#: Largest ratio of values on a linear axis. A wider range gets a logarithmic axis.
FAR_APART = 20.0
#: Colour of results from another machine.
OTHER_MACHINE = "#8A8F98"
#: Most lines with names inside the figure. With more lines, the names stand beside it.
MANY_LINES = 6
#: Dashes of a line with `beside`.
BESIDE = (2.5, 1.5)


@dataclass(frozen=True)
class Spot:
    """Point of a figure: a value, its confidence interval (None: unknown) and the values of single rounds.

    `below`: `value` is only an upper bound.
    """

    x: float
    value: float
    interval: tuple[float, float] | None
    rounds: Sequence[float]
    below: bool = False


@dataclass(frozen=True)
class Line:
    """Line of a figure, or one of its rows.

    `other_machine`: measured on another machine. `group`: rows of the same group share a colour; None: the line has its
    own colour. `beside`: belongs to the same contender as the previous line and shares its colour.
    """

    name: str
    spots: Sequence[Spot]
    other_machine: bool = False
    group: int | None = None
    beside: bool = False

    @property
    def all(self) -> list[float]:
        """Every number that the figure draws for this line."""
        return [value for spot in self.spots for value in (spot.value, *spot.rounds, *(spot.interval or ()))]


@dataclass(frozen=True)
class Guide:
    """Reference line through (x, value) points. A figure of rows ignores x and draws a line at each value."""

    name: str
    points: Sequence[tuple[float, float]]
    is_ceiling: bool = False

    def style(self, number: int) -> dict[str, object]:
        """Return the Matplotlib line style. `number`: index of this guide in its figure."""
        return {"color": TEXT if self.is_ceiling else SOFT, "linewidth": 1.2 if self.is_ceiling else 1.0, "zorder": 1.5,
                "linestyle": "-" if self.is_ceiling else (0, DASHES[1 + number % (len(DASHES) - 1)])}


@dataclass(frozen=True)
class Quantity:
    """Quantity that a figure shows.

    `words`: its name. `unit`: items/s, s, ns, share (0 to 1), ratio (possibly tiny) or % (a difference). `bars`: the
    meaning of the error bars.
    """

    words: str
    unit: str
    bars: str = "95 %"

    @property
    def title(self) -> str:
        """Return the name with a capital letter."""
        return f"{self.words[:1].upper()}{self.words[1:]}"

    @property
    def axis(self) -> str:
        """Return the label of the axis."""
        return self.words if self.unit in ("ns", "share", "ratio") else f"{self.words}, {self.unit}"

    def shown(self, value: float) -> str:
        """Format a value of this quantity."""
        return figure(value, self.unit)

    @property
    def is_spread(self) -> bool:
        """Return whether the bars show the spread of the measurements instead of the uncertainty."""
        return self.bars != Quantity.bars


def over_axis(id: str, caption: str, x: str, of: Quantity, lines: Sequence[Line],
              guides: Sequence[Guide] = ()) -> Drawing:
    """Return a figure with one line for each contender. `x`: label of the x axis."""
    where = _beside_each_other(lines) if of.is_spread else {}
    moved = [replace(line, spots=[replace(spot, x=where.get((i, spot.x), spot.x)) for spot in line.spots])
             for i, line in enumerate(lines)]
    marks = [Mark(there.x, spot.value, f"{line.name}, {x} {tick(si(spot.x, '').strip())}: {_words(of, spot)}")
             for line, drawn in zip(lines, moved) for spot, there in zip(line.spots, drawn.spots)]
    xs = sorted({spot.x for line in lines for spot in line.spots})
    return Drawing(id, caption, 3.3 + 0.16 * max(0, len(lines) + len(guides) - MANY_LINES),
                   lambda axes: _over(axes, x, of, moved, guides, xs), marks,
                   [["line", x, *_HEADS],
                    *([line.name, spot.x, *_values(spot)] for line in lines for spot in line.spots),
                    *([guide.name, *point, None, None, ""] for guide in guides for point in guide.points)])


#: Last columns of a figure's data table: the value, the ends of its error bar, and the values of single rounds.
_HEADS = ("value", "low", "high", "rounds")


def _values(spot: Spot) -> list[object]:
    return [spot.value, *(spot.interval or (None, None)), " ".join(map(repr, spot.rounds))]


def _words(of: Quantity, spot: Spot) -> str:
    bars = f" ({of.bars}: {of.shown(spot.interval[0])} .. {of.shown(spot.interval[1])})" if spot.interval else ""
    rounds = f", {len(spot.rounds)} round{'s' if len(spot.rounds) != 1 else ''}" if spot.rounds else ""
    return f"{'below ' if spot.below else ''}{of.shown(spot.value)}{bars}{rounds}"


def _beside_each_other(lines: Sequence[Line]) -> dict[tuple[int, float], float]:
    """Map (line, x) to the x at which to draw it. Without this shift, the bars of several lines would hide each other.
    """
    xs = sorted({spot.x for line in lines for spot in line.spots})
    log = _far_apart(xs)
    at = np.log(xs) if log else np.asarray(xs)
    step = min(np.diff(at), default=1.0) * 0.5 / max(1, len(lines) - 1)
    moved = {(i, x): float(place + (i - (len(lines) - 1) / 2) * step) for i in range(len(lines))
             for x, place in zip(xs, at)}
    return {key: float(np.exp(place)) for key, place in moved.items()} if log else moved


def _far_apart(xs: Sequence[float]) -> bool:
    return bool(xs) and 0 < xs[0] < xs[-1] / FAR_APART


def _places(lines: Sequence[Line]) -> list[int]:
    """Return, for each line, the index of its colour and marker."""
    places = list(itertools.accumulate(int(not line.beside) for line in lines))
    return [max(0, place - 1) if line.group is None else line.group for place, line in zip(places, lines)]


def _colour(line: Line, place: int) -> str:
    return OTHER_MACHINE if line.other_machine else COLOURS[place % len(COLOURS)]


def _edge(line: Line, colour: str) -> dict[str, object]:
    """Return the marker style: hollow for lines with `beside` and for other machines."""
    if line.other_machine or line.beside:
        return {"markerfacecolor": "white" if line.beside else "none", "markeredgecolor": colour,
                "markeredgewidth": 1.0 if line.beside else 0.5}
    return {"markeredgecolor": "white", "markeredgewidth": 0.5}


def _over(axes: Axes, x: str, of: Quantity, lines: Sequence[Line], guides: Sequence[Guide],
          xs: Sequence[float]) -> None:
    for i, line in zip(_places(lines), lines):
        colour = _colour(line, i)
        spots = sorted(line.spots, key=lambda spot: spot.x)
        axes.plot([spot.x for spot in spots], [spot.value for spot in spots], color=colour, linewidth=1.5,
                  dashes=BESIDE if line.beside else DASHES[i // len(COLOURS) % len(DASHES)],
                  marker=MARKERS[i % len(MARKERS)], markersize=4.5, label=escape_mathtext(line.name),
                  **_edge(line, colour))
        for spot in spots:
            if spot.below:
                axes.annotate("", (spot.x, spot.value), (0, -14), textcoords="offset points", zorder=1,
                              arrowprops={"arrowstyle": "<-", "color": colour, "linewidth": 1.0})
                axes.plot(spot.x, spot.value, marker=MARKERS[i % len(MARKERS)], markersize=4.5, color=colour,
                          markerfacecolor="white")
            elif spot.interval:
                axes.plot([spot.x, spot.x], spot.interval, color=colour, linewidth=1.2, marker="_", markersize=5)
            elif len(spot.rounds) > 1:
                axes.plot([spot.x] * len(spot.rounds), spot.rounds, linestyle="none", marker="o", markersize=2.2,
                          color=colour, alpha=0.45)
    for number, guide in enumerate(guides):
        axes.plot(*zip(*guide.points), label=escape_mathtext(guide.name), markersize=14,
                  marker="_" if len(guide.points) == 1 else None, **guide.style(number))
    if _far_apart(xs):
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter(NullFormatter())
    if len(xs) <= 12:
        axes.set_xticks(xs, [tick(si(value, "").strip()) for value in xs])
        axes.minorticks_off()
    _value_axis(axes, "y", of, [value for line in lines for value in line.all], guides)
    axes.grid(True)
    axes.set(xlabel=escape_mathtext(x), ylabel=escape_mathtext(of.axis))
    if len(lines) + len(guides) > MANY_LINES or of.is_spread:
        axes.legend(handlelength=2.6, loc="upper left", bbox_to_anchor=(1.0, 1.02))
    elif len(lines) + len(guides) > 1:
        axes.legend(handlelength=2.6)


def by_row(id: str, caption: str, of: Quantity, points: Sequence[Line], guides: Sequence[Guide] = ()) -> Drawing:
    """Return a figure with one row for each of `points`, which have one spot each."""
    marks = [Mark(point.spots[0].value, row, f"{point.name}: {_words(of, point.spots[0])}")
             for row, point in enumerate(points)]
    return Drawing(id, caption, 0.7 + 0.34 * len(points) + 0.25 * bool(guides),
                   lambda axes: _by_row(axes, of, points, guides), marks,
                   [["point", *_HEADS], *([point.name, *_values(point.spots[0])] for point in points),
                    *([guide.name, value, None, None, ""] for guide in guides for _, value in guide.points)])


def _by_row(axes: Axes, of: Quantity, points: Sequence[Line], guides: Sequence[Guide]) -> None:
    for i, (place, point) in enumerate(zip(_places(points), points)):
        [spot] = point.spots
        colour = _colour(point, place)
        if spot.interval:
            axes.plot(spot.interval, [i, i], color=colour, linewidth=2, marker="|", markersize=9)
        elif len(spot.rounds) > 1:
            axes.plot(spot.rounds, [i] * len(spot.rounds), linestyle="none", marker="o", markersize=3, color=colour,
                      alpha=0.45)
        axes.plot(spot.value, i, marker=MARKERS[place % len(MARKERS)], markersize=6, color=colour,
                  **_edge(point, colour))
        axes.annotate(f"{'< ' if spot.below else ''}{of.shown(spot.value)}", (_drawn_to(point), i), (6, 0),
                      textcoords="offset points", va="center", fontsize=8.5)
    rows(axes, [point.name for point in points])
    for number, guide in enumerate(guides):
        for i, (_, value) in enumerate(guide.points):
            axes.axvline(value, label="" if i else escape_mathtext(guide.name), **guide.style(number))
    _value_axis(axes, "x", of, [value for point in points for value in point.all], guides)
    axes.margins(x=0.12)
    axes.set_xlabel(escape_mathtext(of.axis))
    if guides:
        axes.legend(handlelength=2.6, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=3)


def _drawn_to(point: Line) -> float:
    """Return the largest value drawn in a row. The row shows single rounds if there are too few for an interval."""
    [spot] = point.spots
    return max(spot.interval) if spot.interval else max(point.all)


def _value_axis(axes: Axes, which: str, of: Quantity, own: Sequence[float], guides: Sequence[Guide] = ()) -> None:
    """Set up the axis of values.

    Times and wide ranges get a logarithmic axis. Other values start at 0, and differences lie on both sides of 0.
    """
    axis = axes.xaxis if which == "x" else axes.yaxis
    values = [*own, *(value for guide in guides for _, value in guide.points)]
    if of.unit == "%":
        (axes.axvline if which == "x" else axes.axhline)(0, color=LINE, linewidth=1.2, zorder=1)
        axes.margins(**{which: 0.16})
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        return
    if of.unit == "share":
        axes.set(**{f"{which}lim": (0, max(values, default=1.0) * (1.2 if which == "x" else 1.08))})
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        return
    if of.unit == "ns":
        time_axis(axes, which)
        return
    if values and max(values) > FAR_APART * min(values):
        (axes.set_xscale if which == "x" else axes.set_yscale)("log")
        axis.set_major_locator(LogLocator(10, subs=(1.0, 2.0, 5.0) if max(values) < 300 * min(values) else (1.0,)))
        axis.set_minor_formatter(NullFormatter())
    else:
        top = max(values, default=1.0)
        axes.set(**{f"{which}lim": (0, top * (1.25 if which == "x" else 1.08))})
    axis.set_major_formatter(FuncFormatter(lambda value, _: tick(si(value, "").strip())))
