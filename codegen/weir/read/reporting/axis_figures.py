"""Figures of one quantity at several points: lines over a numeric axis, one for each contender, or rows of points."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
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
    legend_columns,
    rows,
    time_axis,
)
from weir.read.reporting.quantities import figure, si, tick
from weir.read.reporting.series import Mark
from weir.sure import sure

#: Largest ratio of values on a linear axis. A wider range gets a logarithmic axis.
FAR_APART = 20.0
#: Colour of results from another machine.
OTHER_MACHINE = "#8A8F98"
#: Most lines in one panel. A figure with more lines has a panel for each `Line.panel`.
MANY_LINES = 8
#: Dashes of a line with `beside`, and of a contender's results from another machine.
BESIDE, PUBLISHED = (2.5, 1.5), (1.2, 1.2)
#: Heights in inches: of a figure or panel without its legend, and of one row of a legend.
_HEIGHT, _PANEL, _NAMES, _NOTHING = 3.3, 2.35, 0.19, 0.02
#: Most letters in one line of a legend.
_LETTERS = 44
#: Number of panels side by side.
_COLUMNS = 2


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

    `other_machine`: measured on another machine. `contender`: its number, which decides colour and marker; None: the
    line has its own colour, or grey for another machine. `beside`: belongs to the same contender as the previous line
    and shares its colour. `panel`: title of the panel that shows the line if the figure has several.
    """

    name: str
    spots: Sequence[Spot]
    other_machine: bool = False
    contender: int | None = None
    beside: bool = False
    panel: str = ""

    @property
    def all(self) -> list[float]:
        """Every number that the figure draws for this line."""
        return [value for spot in self.spots for value in (spot.value, *spot.rounds, *(spot.interval or ()))]


@dataclass(frozen=True)
class Guide:
    """Reference line through (x, value) points. A figure of rows ignores x and draws a line at each value. `panel`: the
    only panel that shows it, or "" for all.
    """

    name: str
    points: Sequence[tuple[float, float]]
    is_ceiling: bool = False
    panel: str = ""

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
              guides: Sequence[Guide] = (), *, split: bool = False) -> Drawing:
    """Return a figure with one line for each contender. `x`: label of the x axis. `split`: its panels show the same
    contenders under different conditions. Without it, only many lines are split into panels.
    """
    panels = list(dict.fromkeys(line.panel for line in lines)) if split or len(lines) > MANY_LINES else [""]
    marks = [Mark(spot.x, spot.value, f"{f'{line.panel}, ' if split else ''}{line.name}, "
                  f"{x} {tick(si(spot.x, '').strip())}: {_words(of, spot)}",
                  panels.index(line.panel) if len(panels) > 1 else 0)
             for line in lines for spot in line.spots]
    table: list[Sequence[object]] = [
        ["line", x, *_HEADS], *([line.name, spot.x, *_values(spot)] for line in lines for spot in line.spots),
        *([guide.name, *point, None, None, ""] for guide in guides for point in guide.points)]
    if split:
        titles = ["panel", *(line.panel for line in lines for _ in line.spots),
                  *(guide.panel for guide in guides for _ in guide.points)]
        table = [[title, *row] for title, row in zip(titles, table)]
    whole = _Chart(x, of, lines, guides, not split and len(panels) > 1)
    return _Over(id, caption, sum(whole.heights(panels)), lambda axes: whole.draw(axes, ""), marks, table, whole,
                 panels)


@dataclass(frozen=True)
class _Chart:
    """Contents of a figure over an axis. `named`: each panel has a legend of its own."""

    x: str
    of: Quantity
    lines: Sequence[Line]
    guides: Sequence[Guide]
    named: bool

    def of_panel(self, panel: str) -> list[Line]:
        """Return the lines of a panel; all lines for ""."""
        return [line for line in self.lines if panel in ("", line.panel)]

    @property
    def below(self) -> list[str]:
        """Return the names of the legend below the figure."""
        lines = [] if self.named else [line.name for line in self.lines]
        names = list(dict.fromkeys([*lines, *(guide.name for guide in self.guides)]))
        return names if len(names) > 1 or self.named else []

    def heights(self, panels: Sequence[str]) -> list[float]:
        """Return the heights of the rows of the figure in inches: of each row of panels and its legends, and of the
        legend of the whole figure.
        """
        rows = [panels[i:i + _COLUMNS] for i in range(0, len(panels), _COLUMNS)]
        names = [max(sum(len(wrap(line.name, _LETTERS)) for line in self.of_panel(panel)) for panel in row)
                 if self.named else 0 for row in rows]
        own = [height for rows_of_names in names for height in (_PANEL, _NAMES * rows_of_names or _NOTHING)]
        below = math.ceil(len(self.below) / legend_columns(self.below)) if self.below else 0
        return [*(own if len(panels) > 1 else [_HEIGHT]), _NAMES * below or _NOTHING]

    def draw(self, axes: Axes, panel: str) -> None:
        """Draw the lines of a panel with the axes of the whole figure."""
        places = dict(zip(map(id, self.lines), _places(self.lines)))
        _over(axes, self, [(places[id(line)], line) for line in self.of_panel(panel)],
              [guide for guide in self.guides if not panel or guide.panel in ("", panel)])


@dataclass(frozen=True)
class _Over(Drawing):
    chart: _Chart | None = None
    panels: Sequence[str] = ()

    def paint(self, figure: Figure) -> None:
        chart, several = sure(self.chart), len(self.panels) > 1
        heights = chart.heights(self.panels)
        grid = figure.add_gridspec(len(heights), _COLUMNS if several else 1, height_ratios=heights)
        drawn: list[Axes] = []
        for i in range(len(self.panels)):
            first = drawn[0] if drawn else None
            drawn.append(figure.add_subplot(grid[2 * (i // _COLUMNS), i % _COLUMNS], sharex=first, sharey=first))
        for i, (axes, panel) in enumerate(zip(drawn, self.panels)):
            chart.draw(axes, panel)
            if several:
                axes.set_title(escape_mathtext(panel), fontsize=9)
                axes.set(xlabel=axes.get_xlabel() if i + _COLUMNS >= len(drawn) else "",
                         ylabel="" if i % _COLUMNS else axes.get_ylabel())
            if chart.named:
                _legend(figure.add_subplot(grid[2 * (i // _COLUMNS) + 1, i % _COLUMNS]), [axes],
                        [line.name for line in chart.of_panel(panel)], _LETTERS, loc="upper left", fontsize=7)
        if names := chart.below:
            _legend(figure.add_subplot(grid[-1, :]), drawn, names, loc="center", ncols=legend_columns(names))


def _legend(where: Axes, of: Sequence[Axes], names: Sequence[str], letters: int = 1000, **more: Any) -> None:
    """Draw the legend of the lines with these names in axes of its own, outside of the plot. `letters`: most in a line.
    """
    found = {name: line for axes in of for line, name in zip(*axes.get_legend_handles_labels())}
    where.set_axis_off()
    where.legend([found[_label(name)] for name in names],
                 ["\n".join(wrap(escape_mathtext(name), letters)) for name in names], handlelength=2.6, borderpad=0,
                 **more).set_in_layout(False)


def _label(name: str) -> str:
    """Return the label of a line in Matplotlib, which hides lines whose label begins with _."""
    return f"{' ' * name.startswith('_')}{escape_mathtext(name)}"


#: Last columns of a figure's data table: the value, the ends of its error bar, and the values of single rounds.
_HEADS = ("value", "low", "high", "rounds")


def _values(spot: Spot) -> list[object]:
    return [spot.value, *(spot.interval or (None, None)), " ".join(map(repr, spot.rounds))]


def _words(of: Quantity, spot: Spot) -> str:
    bars = f" ({of.bars}: {of.shown(spot.interval[0])} .. {of.shown(spot.interval[1])})" if spot.interval else ""
    rounds = f", {len(spot.rounds)} round{'s' if len(spot.rounds) != 1 else ''}" if spot.rounds else ""
    return f"{'below ' if spot.below else ''}{of.shown(spot.value)}{bars}{rounds}"


def _far_apart(xs: Sequence[float]) -> bool:
    return bool(xs) and 0 < xs[0] < xs[-1] / FAR_APART


def _places(lines: Sequence[Line]) -> list[int]:
    """Return, for each line, the index of its colour and marker."""
    places = list(itertools.accumulate(int(not line.beside) for line in lines))
    return [max(0, place - 1) if line.contender is None else line.contender for place, line in zip(places, lines)]


def _colour(line: Line, place: int) -> str:
    return OTHER_MACHINE if line.other_machine and line.contender is None else COLOURS[place % len(COLOURS)]


def _dashes(line: Line, place: int) -> tuple[float, ...]:
    if line.other_machine and line.contender is not None:
        return PUBLISHED
    return BESIDE if line.beside else DASHES[place // len(COLOURS) % len(DASHES)]


def _edge(line: Line, colour: str) -> dict[str, object]:
    """Return the marker style: hollow for lines with `beside` and for other machines."""
    if line.other_machine or line.beside:
        return {"markerfacecolor": "white" if line.beside else "none", "markeredgecolor": colour,
                "markeredgewidth": 1.0 if line.beside else 0.5}
    return {"markeredgecolor": "white", "markeredgewidth": 0.5}


def _over(axes: Axes, chart: _Chart, lines: Sequence[tuple[int, Line]], guides: Sequence[Guide]) -> None:
    """Draw lines with their places, on the axes of the whole figure."""
    of = chart.of
    xs = sorted({*(spot.x for line in chart.lines for spot in line.spots),
                 *(x for guide in chart.guides for x, _ in guide.points)})
    for i, line in lines:
        colour = _colour(line, i)
        spots = sorted(line.spots, key=lambda spot: spot.x)
        axes.plot([spot.x for spot in spots], [spot.value for spot in spots], color=colour,
                  linewidth=1.1 if line.other_machine else 1.5, dashes=_dashes(line, i),
                  marker=MARKERS[i % len(MARKERS)], markersize=4.5, label=_label(line.name),
                  **_edge(line, colour))
        for spot in spots:
            if spot.below:
                axes.annotate("", (spot.x, spot.value), (0, -14), textcoords="offset points", zorder=1,
                              arrowprops={"arrowstyle": "<-", "color": colour, "linewidth": 1.0})
                axes.plot(spot.x, spot.value, marker=MARKERS[i % len(MARKERS)], markersize=4.5, color=colour,
                          markerfacecolor="white")
            elif spot.interval:
                # Bars of several lines stand on the same x: ends of different widths tell them apart.
                axes.plot([spot.x, spot.x], spot.interval, color=colour, linewidth=1.1, marker="_",
                          markersize=5 + 2.5 * (i % len(COLOURS)) if of.is_spread else 5, alpha=0.8)
            elif len(spot.rounds) > 1:
                axes.plot([spot.x] * len(spot.rounds), spot.rounds, linestyle="none", marker="o", markersize=2.2,
                          color=colour, alpha=0.45)
    for number, guide in enumerate(guides):
        axes.plot(*zip(*guide.points), label=_label(guide.name), markersize=14,
                  marker="_" if len(guide.points) == 1 else None, **guide.style(number))
    if _far_apart(xs):
        axes.set_xscale("log")
        axes.xaxis.set_minor_formatter(NullFormatter())
    if len(xs) <= 12:
        axes.set_xticks(xs, [tick(si(value, "").strip()) for value in xs])
        axes.minorticks_off()
    _value_axis(axes, "y", of, [value for line in chart.lines for value in line.all], chart.guides)
    axes.grid(True)
    axes.set(xlabel=escape_mathtext(chart.x), ylabel=escape_mathtext(of.axis))


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
