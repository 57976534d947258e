"""Figures of a sweep over its axes: points, reference lines, and published results of other machines."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from types import MappingProxyType
from typing import Any, cast

from weir.diagnostics import WeirError
from weir.engine.measuring.points import value_text
from weir.lab.sweeping import loads, sizes, table
from weir.lab.sweeping.answer import SweepAnswer
from weir.lab.sweeping.axes import DEPLOYMENT, is_at, label, reference_at
from weir.lab.sweeping.estimates import (
    MEAN,
    UNITS,
    WORDS,
    Baseline,
    Estimated,
    baseline_of,
    ceiling_of,
    difference,
    differences,
)
from weir.lab.sweeping.point import Axis, Cell
from weir.model.catalog import load_catalog
from weir.model.document.sweeps import FAILURES, OF_CEILING, is_number
from weir.read.comparing.statistics import MIN_ROUNDS
from weir.read.reporting.axis_figures import MANY_LINES, Guide, Line, Quantity, Spot, by_row, over_axis
from weir.read.reporting.distributions import Panel, distributions
from weir.read.reporting.figures import COLOURS, PERCENTILES, Drawing
from weir.read.reporting.series import Series
from weir.sure import sure

#: Default columns of the figures, and those on a page. The page's table has the other quantiles.
DRAWN = ("throughput_items_per_s", MEAN, "latency_p50_ns", "latency_p95_ns", "latency_p99_ns")
ON_PAGE = ("throughput_items_per_s", MEAN, "latency_p99_ns")
#: Meaning of the bars of a mean.
SPREAD_WORDS = "p5 to p95"
#: Most letters of a parameter's description beside an axis.
MOST_LETTERS = 60
#: Limits: rows of a figure, and conditions of a quantity.
MOST_ROWS, MOST_FIGURES = 40, 12
#: Most figures of distributions.
MOST_DISTRIBUTIONS = 3
#: Most conditions in one figure, which has a panel for each.
IN_ONE = 6
CEILING_LABEL = "ceiling: the bare kernel"
#: Title of the programs that need no other runtime.
OWN = "Weir"
#: Most points of a reference line.
MOST_ON_LINE = 200
#: Maximum number of panels. A longer axis has panels for its ends and some values between.
MOST_PANELS = 12


@dataclass(frozen=True)
class Shape:
    """Layout of the axes, by number: `x` runs along the figure (None without a numeric axis), `lines` have a line for
    each value, `figures` a figure for each value.
    """

    x: int | None
    lines: tuple[int, ...]
    figures: tuple[int, ...]


def whole_distributions(answer: SweepAnswer, axes: Sequence[Axis], shape: Shape, most: int) -> Iterator[Drawing]:
    """Yield the figures of whole distributions, up to `most`. Without a numeric axis, the panels replace figures."""
    names = answer.record.columns
    over = shape.figures if shape.x is None else (shape.x,)
    rest = () if shape.x is None else shape.figures
    contenders = list(itertools.product(*(axes[i].values for i in shape.lines)))
    called = [label(mine, [names[i] for i in shape.lines], answer.titles) for mine in contenders]
    looks = [_look(answer, axes, shape.lines, mine) for mine in contenders]
    places = _some(list(itertools.product(*(axes[i].values for i in over))))
    for number, at in enumerate(itertools.islice(itertools.product(*(axes[i].values for i in rest)), most), 1):
        panels = []
        for place in places:
            found = [(look, _series(answer, {**dict(zip(rest, at)), **dict(zip(over, place)),
                                             **dict(zip(shape.lines, mine))}, name))
                     for look, mine, name in zip(looks, contenders, called)]
            measured = [(look, series) for look, series in found if series.latencies]
            if measured:
                panels.append(Panel(label(place, [names[i] for i in over]), measured))
        if panels:
            where = f" at {label(at, [names[i] for i in rest])}" if at else ""
            yield distributions(f"latency_distribution_{number}" if at else "latency_distribution",
                                f"Distribution of the latency{where} over all runs. {PERCENTILES}",
                                panels, dict(zip(looks, called)))


def contender_of(axes: Sequence[Axis], lines: Sequence[int], mine: Sequence[Any],
                 colours: Mapping[str, int] = MappingProxyType({})) -> int | None:
    """Return the number of a contender, which decides its colour in all figures. Its best sizes share the number.

    `lines`: axes of the contenders, by number; `mine`: its values on them. `colours`: those of deployments
    (`SweepAnswer.colours`), for contenders that differ only in the deployment.
    """
    if not lines:
        return None
    own = [i for i in lines if axes[i].key != sizes.AXIS]
    wanted = [value_text(value) for i, value in zip(lines, mine) if i in own]
    if [axes[i].key for i in own] == [DEPLOYMENT] and wanted[0] in colours:
        return colours[wanted[0]]
    every = itertools.product(*(axes[i].values for i in own))
    return next((number for number, one in enumerate(every) if list(map(value_text, one)) == wanted), None)


def _look(answer: SweepAnswer, axes: Sequence[Axis], lines: Sequence[int], mine: Sequence[Any]) -> int:
    """Return the number of a curve: that of its contender, or one with the same colour and other dashes for its best
    sizes.
    """
    best = (sizes.AXIS, sizes.BEST) in zip((axes[i].key for i in lines), mine)
    return (contender_of(axes, lines, mine, answer.colours) or 0) + 2 * len(COLOURS) * best


def _some(places: list[tuple]) -> list[tuple]:
    """Return all places, or the ends and some at even distances."""
    if len(places) <= MOST_PANELS:
        return places
    return [places[round(i * (len(places) - 1) / (MOST_PANELS - 1))] for i in range(MOST_PANELS)]


def _series(answer: SweepAnswer, wanted: Mapping[int, object], name: str) -> Series:
    """Return the series of a point's runs that are ok and have percentiles."""
    cells = [cell for cell in answer.record.cells if is_at(cell, wanted)]
    rows = [row for cell in cells for row in answer.rows_of(cell) if row["status"] == "ok" and row["latency_count"]]
    return Series.read(name, [], [(answer.at.folder / str(row["directory"]), row["latency_count"],
                                   row["latency_mean_ns"]) for row in rows])


def shape_of(axes: Sequence[Axis], plot: Mapping = MappingProxyType({})) -> Shape:
    """Choose the layout of the axes.

    The numeric axis with the most values is x. Contenders are lines, and so is a single other axis. `plot` may override
    this with `x`, `by`, and with the kind `bar` for no x axis.
    """
    keys = [axis.key for axis in axes]
    numbers = [i for i, axis in enumerate(axes) if len(axis.values) > 1 and not axis.has_contenders
               and all(map(is_number, axis.values))]
    x = max(numbers, key=lambda i: len(axes[i].values), default=None)
    if plot.get("x") in keys and keys.index(plot["x"]) in numbers:
        x = keys.index(plot["x"])
    if plot.get("kind") == "bar":
        x = None
    others = [i for i in range(len(axes)) if i != x]
    both = tuple(i for i in others if keys[i] == sizes.AXIS)
    alone = len(others) - len(both) == 1
    lines = (*(i for i in others if i not in both and (axes[i].has_contenders or alone)), *both)
    if plot.get("by") in keys and keys.index(plot["by"]) != x:
        lines = (keys.index(plot["by"]), *both)
    return Shape(x, lines, tuple(i for i in others if i not in lines))


def quantities_of(plot: Mapping) -> dict[str, Quantity]:
    """Return column -> quantity of each figure, without a comparison."""
    return {column: Quantity(WORDS[column], UNITS[column]) for column in ([plot["y"]] if "y" in plot else DRAWN)}


def undrawn(axes: Sequence[Axis], shape: Shape) -> Iterator[str]:
    """Yield a sentence for each part of the sweep that is in no figure."""
    points, figures = (math.prod(len(axes[i].values) for i in of) for of in (range(len(axes)), shape.figures))
    if shape.x is None and points > MOST_ROWS:
        yield (f"there is no figure: the sweep has no numeric axis, and its {points} points exceed the limit of "
               f"{MOST_ROWS} rows")
    elif shape.x is not None and figures > MOST_FIGURES:
        yield (f"figures show only the first {MOST_FIGURES} of {figures} combinations of the other axes; `plot` can "
               "choose other axes")


def drawings(answer: SweepAnswer, axes: Sequence[Axis]) -> Iterator[Drawing]:
    """Yield the figures of a sweep. A quantity with a reference value has one of differences and one of the values."""
    plot = answer.at.plot
    distributions = plot.get("kind") == "distribution"
    plots = [(plot, "")]
    if baseline_of(plot, axes):  # a difference hides how fast its two sides are
        plots.append(({key: value for key, value in plot.items() if key != "against"}, "_absolute"))
    for column in () if distributions else [plot["y"]] if "y" in plot else ON_PAGE:
        for of, suffix in plots:
            figures = _Figures(answer, axes, of, column, suffix)
            if figures.spots:
                yield from figures.over() if figures.shape.x is not None else figures.rows()
    if distributions or "y" not in plot:
        yield from whole_distributions(answer, axes, shape_of(axes, plot), MOST_DISTRIBUTIONS)


class _Figures:
    """Figures of one quantity. Their names are its column and `suffix`."""

    def __init__(self, answer: SweepAnswer, axes: Sequence[Axis], plot: Mapping, column: str, suffix: str = ""):
        self.answer, self.axes, self.plot, self.column = answer, axes, plot, column
        self.name = column + suffix
        self.shape = shape_of(axes, plot)
        self.keys, self.columns = [axis.key for axis in axes], answer.record.columns
        self.names = answer.titled
        base: Baseline | None = baseline_of(plot, axes)
        self.spread = not base and column == MEAN
        self.of = (Quantity(f"{WORDS[column]} {base.words}", "%") if base else
                   Quantity(WORDS[column], UNITS[column], SPREAD_WORDS) if self.spread else
                   Quantity(WORDS[column], UNITS[column]))
        found = {cell.number: self._spot(cell, base) for cell in answer.record.cells}
        self.spots = {number: spot for number, spot in found.items() if spot}
        rated = column == OF_CEILING or column == "throughput_items_per_s" and not base
        self.ceiling = 1.0 if column == OF_CEILING else ceiling_of(answer.record.table()) if rated else None

    def _spot(self, cell: Cell, base: Baseline | None) -> Spot | None:
        rows, it = self.answer.rows_of(cell), self.answer.estimate(cell, self.column)
        values = [float(row[self.column]) for row in rows if row["status"] == "ok" and row[self.column]]
        if base:
            other = base.base_of(cell, self.answer.record.cells)
            held = self.answer.rows_of(other) if other else []
            it, values = difference(held, rows, self.column), differences(held, rows, self.column)
        return self._made(cell, it, values)

    def _made(self, cell: Cell, it: Estimated, values: Sequence[float]) -> Spot | None:
        if it.value is None:
            return None
        x, interval = float(cast(float, cell.values[self.shape.x])) if self.shape.x is not None else 0.0, it.interval
        if it.below is not None:
            return Spot(x, it.below, None, (), below=True)
        if self.spread:
            values, interval = (), self.answer.spread(cell)
        return Spot(x, it.value, interval, values)

    @property
    def _said(self) -> str:
        said = ("Bars: 5th and 95th percentile, which show the distribution, not the noise." if self.spread else
                f"Bars: 95 % interval of the {'share' if self.column == FAILURES else 'pseudomedian'} over the "
                "rounds."
                if len(self.answer.record.whole) >= MIN_ROUNDS else "Dots: single rounds, too few for an interval.")
        if self.spread and any(spot.interval and spot.value > spot.interval[1] for spot in self.spots.values()):
            said += " A mean above its bar comes from a few items with a very long latency."
        if any(spot.below for spot in self.spots.values()):
            said += (" Hollow marks with an arrow: nothing failed, and the share is below the mark (95 %, for "
                     "independent slots).")
        whose = self.plot.get("overlay", {}).get("label")
        return said + (f" Hollow and grey marks: {whose}, another machine." if whose and self.published else "")

    def rows(self) -> Iterator[Drawing]:
        cells = [cell for cell in self.answer.record.cells if cell.number in self.spots]
        points: list[Line] = []
        left = list(self.published)
        for cell in cells:
            best = self.keys[-1] == sizes.AXIS and sizes.is_best(cell, self.axes)
            points.append(Line(self.names[cell.number], [self.spots[cell.number]],
                               contender=self._contender(self._mine(cell)), beside=best))
            own = [row for row in left if self._strategy(row) and self._is_at(row, dict(enumerate(cell.values)))]
            points += [self._row_elsewhere(row, self._contender(self._mine(cell))) for row in own]
            left = [row for row in left if row not in own]
        points += [self._row_elsewhere(row, None) for row in left]
        if len(points) <= MOST_ROWS:
            guides = [Guide(name, sorted({(0.0, value) for value in values.values()}), is_ceiling)
                      for name, values, is_ceiling in self._values(cells)]
            yield by_row(self.name, f"{self.of.title}. {self._said}", self.of, points, guides)

    def over(self) -> Iterator[Drawing]:
        column = self.columns[sure(self.shape.x)].removeprefix(table.VARIED)
        x = loads.WORDS if column == loads.AXIS else column
        every = itertools.product(*(self.axes[i].values for i in self.shape.figures))
        made = [(at, *it) for at in itertools.islice(every, MOST_FIGURES) if (it := self._at(at))[0]]
        split = len(made) > 1 and all(len(lines) <= MANY_LINES for _, lines, _ in made)
        step = IN_ONE if split else 1
        for number, of in enumerate((made[i:i + step] for i in range(0, len(made), step)), 1):
            if split:
                of = [(at, [replace(line, panel=self._where(at)) for line in lines],
                       [replace(guide, panel=self._where(at)) for guide in guides]) for at, lines, guides in of]
            where = f" at {self._where(of[0][0])}" if self.shape.figures and not split else ""
            yield over_axis(f"{self.name}_{number}" if self.shape.figures else self.name,
                            f"{self.of.title} over {x}{where}. {self._said}", self._about(x), self.of,
                            [line for _, lines, _ in of for line in lines],
                            [guide for *_, guides in of for guide in guides], split=split)

    def _where(self, at: Sequence[Any]) -> str:
        return label(at, [self.columns[i] for i in self.shape.figures], self.answer.titles)

    def _at(self, at: Sequence[Any]) -> tuple[list[Line], list[Guide]]:
        """Return the lines and reference lines at these values of the axes of figures."""
        here = dict(zip(self.shape.figures, at))
        cells = [cell for cell in self.answer.record.cells if is_at(cell, here)]
        lines = list(self._lines(cells))
        if not lines:
            return [], []
        published = self._overlaid(here)
        shown = [it for line in lines for it in (line, *published.pop(line.contender, ()))]
        # What stands beside no line is grey.
        shown += [replace(line, contender=None) for of in published.values() for line in of]
        return shown, self._guides(cells, shown)

    def _about(self, name: str) -> str:
        """Return the label of an axis: the description of a parameter if it is short, else the name."""
        about = self.answer.at.value["document"].get("parameters", {}).get(name, {}).get("description", "")
        return about if 0 < len(about) <= MOST_LETTERS else name

    def _lines(self, cells: Sequence[Cell]) -> Iterator[Line]:
        """Yield the line of each contender that has values at these points."""
        for mine in itertools.product(*(self.axes[i].values for i in self.shape.lines)):
            here = dict(zip(self.shape.lines, mine))
            own = [cell for cell in cells if cell.number in self.spots and is_at(cell, here)]
            if own:
                best = (sizes.AXIS, sizes.BEST) in zip((self.keys[i] for i in self.shape.lines), mine)
                yield Line(self._label(mine), [self.spots[cell.number] for cell in own],
                           contender=self._contender(mine), beside=best, panel=self._panel(own[0]))

    def _panel(self, cell: Cell) -> str:
        """Return the title of the runtime that ran a point."""
        target = next((row["target"] for row in self.answer.rows_of(cell) if row.get("target")), "")
        return _titles().get(target, target)

    def _label(self, mine: Sequence[Any]) -> str:
        return label(mine, [self.columns[i] for i in self.shape.lines], self.answer.titles)

    def _mine(self, cell: Cell) -> tuple:
        return tuple(cell.values[i] for i in self.shape.lines)

    def _contender(self, mine: Sequence[Any]) -> int | None:
        return contender_of(self.axes, self.shape.lines, mine, self.answer.colours)

    # Published results

    @property
    def published(self) -> Sequence[Mapping[str, Any]]:
        """Return the published results."""
        return self.answer.at.value.get("overlay", ())

    def _is_at(self, row: Mapping[str, Any], here: Mapping[int, Any]) -> bool:
        """Return whether published results belong to these values, by axis number."""
        return all(value_text(row["values"][self.keys[i]]) == value_text(value)
                   for i, value in here.items() if self.keys[i] in row["values"])

    def _strategy(self, row: Mapping[str, Any]) -> tuple | None:
        """Return the contender that published results belong to, or None."""
        mine = tuple(row["values"].get(self.keys[i]) for i in self.shape.lines if self.keys[i] != sizes.AXIS)
        return mine if mine and None not in mine else None

    def _overlaid(self, here: Mapping[int, Any]) -> dict[int | None, list[Line]]:
        """Return contender -> lines of its published results in this figure, one for each name."""
        key = self.keys[sure(self.shape.x)]
        found: dict[tuple[int | None, str], list[Spot]] = {}
        for row in self.published:
            mine, x = self._strategy(row), row["values"].get(key)
            if is_number(x) and self._is_at(row, here):
                number = self._contender(mine) if mine else None
                found.setdefault((number, row["name"]), []).append(Spot(float(x), row["share"], None, ()))
        lines: dict[int | None, list[Line]] = {}
        panels = {self._contender(self._mine(cell)): self._panel(cell) for cell in self.answer.record.cells
                  if cell.number in self.spots}
        for (number, name), spots in found.items():
            lines.setdefault(number, []).append(Line(self._label_elsewhere(name), spots, True, number,
                                                     panel=panels.get(number, self.plot["overlay"]["label"])))
        return lines

    def _row_elsewhere(self, row: Mapping[str, Any], contender: int | None) -> Line:
        return Line(self._label_elsewhere(row["name"]), [Spot(0.0, row["share"], None, ())], True, contender)

    def _label_elsewhere(self, name: str) -> str:
        return f"{name} ({self.plot['overlay']['label']})"

    # Reference lines

    def _guides(self, cells: Sequence[Cell], lines: Sequence[Line]) -> list[Guide]:
        """Return the reference lines of the figure: one for all lines, or one for each if they differ."""
        at = sure(self.shape.x)
        xs = between([*(float(cast(float, cell.values[at])) for cell in cells),
                      *(spot.x for line in lines for spot in line.spots)])
        first = {self._mine(cell): cell for cell in cells}
        found = []
        for name, value_at, is_ceiling in self._references():
            curves = {mine: [(float(x), y) for x in xs if (y := value_at(
                [*cell.values[:at], x, *cell.values[at + 1:]])) is not None] for mine, cell in first.items()}
            alike = len(set(map(tuple, curves.values()))) == 1
            for mine, curve in list(curves.items())[:1 if alike else None]:
                whose = "" if alike else f" · {self._label(mine)}"
                if curve:
                    found.append(Guide(name + whose, curve, is_ceiling))
        return found

    def _values(self, cells: Sequence[Cell]) -> Iterator[tuple[str, Mapping[int, float], bool]]:
        """Yield name, values by point and whether it is the ceiling, for each reference line."""
        for name, value_at, is_ceiling in self._references():
            values = {cell.number: value_at(cell.values) for cell in cells}
            yield name, {number: value for number, value in values.items() if value is not None}, is_ceiling

    def _references(self) -> Iterator[tuple[str, Callable[[Sequence[Any]], float | None], bool]]:
        """Yield name, function of a point's values and whether it is the ceiling, for each reference line."""
        ceiling = self.ceiling
        if self.plot.get("ceiling") and ceiling is not None:
            yield CEILING_LABEL, lambda _: ceiling, True
        for line in self.plot.get("reference", ()):
            yield line["label"], partial(self._reference, line["value"]), False

    def _reference(self, text: str, values: Sequence[Any]) -> float | None:
        """Return the value of a reference line, None where its expression is undefined."""
        try:
            return reference_at(text, self.keys, values, len(self.answer.at.value["machine"].get("allowed", ())),
                                self.ceiling)
        except WeirError:
            return None


@cache
def _titles() -> dict[str, str]:
    """Return target -> title of its runtime."""
    return {name: it.runtime.title if it.runtime else OWN for name, it in load_catalog().targets.items()}


def between(xs: Sequence[float]) -> list[int | float]:
    """Return the values of x at which reference lines are drawn: all whole numbers between the ends of whole `xs`, or
    as many as a line can have.
    """
    low, high = min(xs), max(xs)
    whole = all(x == int(x) for x in xs)
    if whole and high - low < MOST_ON_LINE:
        return list(range(int(low), int(high) + 1))
    even = (low + (high - low) * i / MOST_ON_LINE for i in range(MOST_ON_LINE + 1))
    return sorted({*map(int, xs), *map(round, even)} if whole else {*xs, *even})
