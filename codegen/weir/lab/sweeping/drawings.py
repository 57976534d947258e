"""Figures of a sweep over its axes: points, reference lines, and published results of other machines."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, cast

from weir.engine.measuring.points import value_text
from weir.lab.sweeping import loads, sizes, table
from weir.lab.sweeping.answer import SweepAnswer
from weir.lab.sweeping.axes import is_at, label, reference_at
from weir.lab.sweeping.estimates import (
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
from weir.model.document.sweeps import FAILURES, OF_CEILING, is_number
from weir.read.comparing.statistics import MIN_ROUNDS
from weir.read.reporting.axis_figures import Guide, Line, Quantity, Spot, by_row, over_axis
from weir.read.reporting.distributions import Panel, distributions
from weir.read.reporting.figures import PERCENTILES, Drawing
from weir.read.reporting.series import Series
from weir.sure import sure

#: Default columns of the figures.
DRAWN = ("throughput_items_per_s", "latency_mean_ns", "latency_p50_ns", "latency_p95_ns", "latency_p99_ns")
#: Quantities whose bars show the spread: columns of the ends, and their title.
SPREAD = {"latency_mean_ns": ("latency_p5_ns", "latency_p95_ns")}
SPREAD_WORDS = "p5 to p95"
#: Limits: rows of a figure, and figures of a quantity.
MOST_ROWS, MOST_FIGURES = 40, 24
CEILING_LABEL = "ceiling: the bare kernel"
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
    called = [label(mine, [names[i] for i in shape.lines]) for mine in contenders]
    places = _some(list(itertools.product(*(axes[i].values for i in over))))
    for number, at in enumerate(itertools.islice(itertools.product(*(axes[i].values for i in rest)), most), 1):
        panels = []
        for place in places:
            found = [(i, _series(answer, {**dict(zip(rest, at)), **dict(zip(over, place)),
                                          **dict(zip(shape.lines, mine))}, name))
                     for i, (mine, name) in enumerate(zip(contenders, called))]
            measured = [(i, series) for i, series in found if series.latencies]
            if measured:
                panels.append(Panel(label(place, [names[i] for i in over]), measured))
        if panels:
            where = f" at {label(at, [names[i] for i in rest])}" if at else ""
            yield distributions(f"latency_distribution_{number}" if at else "latency_distribution",
                                f"Distribution of the latency{where} over all runs. {PERCENTILES}",
                                panels, called)


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
        yield (f"only the first {MOST_FIGURES} of {figures} figures of each quantity are drawn; `plot` can choose "
               "other axes")


def drawings(answer: SweepAnswer, axes: Sequence[Axis]) -> Iterator[Drawing]:
    """Yield the figures of a sweep."""
    plot = answer.at.plot
    distributions = plot.get("kind") == "distribution"
    for column in () if distributions else [plot["y"]] if "y" in plot else DRAWN:
        figures = _Figures(answer, axes, plot, column)
        if figures.spots:
            yield from figures.over() if figures.shape.x is not None else figures.rows()
    if distributions or "y" not in plot:
        yield from whole_distributions(answer, axes, shape_of(axes, plot), MOST_FIGURES)


class _Figures:
    """Figures of one quantity."""

    def __init__(self, answer: SweepAnswer, axes: Sequence[Axis], plot: Mapping, column: str):
        self.answer, self.axes, self.plot, self.column = answer, axes, plot, column
        self.shape = shape_of(axes, plot)
        self.keys, self.names = [axis.key for axis in axes], answer.record.columns
        base: Baseline | None = baseline_of(plot, axes)
        self.spread = None if base else SPREAD.get(column)
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
            low, high = (self.answer.estimate(cell, end).value for end in self.spread)
            values, interval = (), None if low is None or high is None else (low, high)
        return Spot(x, it.value, interval, values)

    @property
    def _said(self) -> str:
        said = ("Bars: 5th and 95th percentile, which show the distribution, not the noise." if self.spread else
                f"Bars: 95 % interval of the {'share' if self.column == FAILURES else 'pseudomedian'} over the "
                "rounds."
                if len(self.answer.record.whole) >= MIN_ROUNDS else "Dots: single rounds, too few for an interval.")
        if any(spot.below for spot in self.spots.values()):
            said += (" Hollow marks with an arrow: nothing failed, and the share is below the mark (95 %, for "
                     "independent slots).")
        whose = self.plot.get("overlay", {}).get("label")
        return said + (f" Grey: {whose}, another machine." if whose and self.answer.at.value.get("overlay") else "")

    def rows(self) -> Iterator[Drawing]:
        cells = [cell for cell in self.answer.record.cells if cell.number in self.spots]
        last = self.keys[-1] == sizes.AXIS
        points = [Line(self.answer.names[cell.number], [self.spots[cell.number]], group=self._group(cell),
                       beside=last and sizes.is_best(cell, self.axes)) for cell in cells]
        points += [Line(self._label_elsewhere(row["name"]), [Spot(0.0, row["share"], None, ())], True)
                   for row in self.answer.at.value.get("overlay", ())]
        if len(points) <= MOST_ROWS:
            guides = [Guide(name, sorted({(0.0, value) for value in values.values()}), is_ceiling)
                      for name, values, is_ceiling in self._values(cells)]
            yield by_row(self.column, f"{self.of.title}. {self._said}", self.of, points, guides)

    def _group(self, cell: Cell) -> int | None:
        """Return the group of a row: the rows of one contender belong together."""
        if not self.shape.figures or not self.shape.lines or sizes.AXIS in self.keys:
            return None
        every = list(itertools.product(*(self.axes[i].values for i in self.shape.lines)))
        return every.index(tuple(cell.values[i] for i in self.shape.lines))

    def over(self) -> Iterator[Drawing]:
        x = self.names[sure(self.shape.x)].removeprefix(table.VARIED)
        x = loads.WORDS if x == loads.AXIS else x
        every = itertools.product(*(self.axes[i].values for i in self.shape.figures))
        for number, at in enumerate(itertools.islice(every, MOST_FIGURES)):
            here = dict(zip(self.shape.figures, at))
            cells = [cell for cell in self.answer.record.cells if cell.number in self.spots and is_at(cell, here)]
            if cells:
                lines = [*self._lines(cells), *self._overlaid(here)]
                where = f" at {label(at, [self.names[i] for i in self.shape.figures])}" if at else ""
                caption = f"{self.of.title} over {x}{where}. {self._said}"
                yield over_axis(f"{self.column}_{number + 1}" if at else self.column, caption, x, self.of, lines,
                                self._guides(cells))

    def _lines(self, cells: Sequence[Cell]) -> Iterator[Line]:
        for mine in itertools.product(*(self.axes[i].values for i in self.shape.lines)):
            own = [self.spots[cell.number] for cell in cells if is_at(cell, dict(zip(self.shape.lines, mine)))]
            if own:
                best = (sizes.AXIS, sizes.BEST) in zip((self.keys[i] for i in self.shape.lines), mine)
                yield Line(label(mine, [self.names[i] for i in self.shape.lines]), own, beside=best)

    def _overlaid(self, here: Mapping[int, Any]) -> Iterator[Line]:
        """Yield the published results of this figure, one line for each name."""
        key = self.keys[sure(self.shape.x)]
        wanted = {self.keys[i]: value for i, value in here.items()}
        found: dict[str, list[Spot]] = {}
        for row in self.answer.at.value.get("overlay", ()):
            values = row["values"]
            if is_number(values.get(key)) and all(value_text(values[name]) == value_text(value)
                                                  for name, value in wanted.items() if name in values):
                found.setdefault(row["name"], []).append(Spot(float(values[key]), row["share"], None, ()))
        for name, spots in found.items():
            yield Line(self._label_elsewhere(name), spots, True)

    def _label_elsewhere(self, name: str) -> str:
        return f"{name} ({self.plot['overlay']['label']})"

    def _guides(self, cells: Sequence[Cell]) -> list[Guide]:
        """Return the reference lines of the figure: one for all lines, or one for each if they differ."""
        found = []
        for name, values, is_ceiling in self._values(cells):
            curves: dict[tuple, dict[float, float]] = {}
            for cell in cells:
                mine = tuple(cell.values[i] for i in self.shape.lines)
                curves.setdefault(mine, {})[float(cast(float, cell.values[sure(self.shape.x)]))] = values[cell.number]
            shared: dict[float, float] = {}
            alike = all(shared.setdefault(x, y) == y for curve in curves.values() for x, y in curve.items())
            for mine, curve in ([((), shared)] if alike else curves.items()):
                whose = f" · {label(mine, [self.names[i] for i in self.shape.lines])}" if mine else ""
                found.append(Guide(name + whose, sorted(curve.items()), is_ceiling))
        return found

    def _values(self, cells: Sequence[Cell]) -> Iterator[tuple[str, Mapping[int, float], bool]]:
        """Yield name, values by point and whether it is the ceiling, for each reference line."""
        cpus = len(self.answer.at.value["machine"].get("allowed", ()))
        if self.plot.get("ceiling") and self.ceiling is not None:
            yield CEILING_LABEL, {cell.number: self.ceiling for cell in cells}, True
        for line in self.plot.get("reference", ()):
            yield line["label"], {cell.number: reference_at(line["value"], self.keys, cell.values, cpus, self.ceiling)
                                  for cell in cells}, False
