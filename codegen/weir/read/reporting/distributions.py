"""Distributions of latency at many points: one panel for each point, with a curve for each contender."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.lines import Line2D

from weir.engine.measuring.latency import LEAST_BEYOND
from weir.read.reporting.figures import (
    LEVELS,
    Drawing,
    curve_look,
    escape_mathtext,
    legend_columns,
    percentiles,
    time_axis,
)
from weir.read.reporting.series import Series, curves, points_of_curves
from weir.sure import sure

#: Heights in inches.
_HEIGHTS = {1: 2.9, 2: 2.3, 3: 1.8}  # of a panel, by the number of panels in a row
_NAMES = 0.22


@dataclass(frozen=True)
class Panel:
    """Panel. `series`: its series, each with the number of its contender, which is the same in all panels."""

    title: str
    series: Sequence[tuple[int, Series]]


def distributions(id: str, caption: str, panels: Sequence[Panel], names: Mapping[int, str]) -> Drawing:
    """Return a figure of latency by percentile, with the same axes in all panels. `names`: contenders by their numbers.
    """
    columns = _columns(len(panels))
    legend = _NAMES * math.ceil(len(names) / legend_columns([*names.values()])) if len(names) > 1 else 0.05
    height = math.ceil(len(panels) / columns) * _HEIGHTS[columns]
    marks = [replace(mark, words=f"{panel.title}, {mark.words}" if panel.title else mark.words)
             for i, panel in enumerate(panels)
             for mark in points_of_curves([s for _, s in panel.series], lambda p, ns: (1 / (1 - p), ns), i)]
    table = [["panel", *curves([])[0]],
             *([panel.title, *row] for panel in panels for row in curves([s for _, s in panel.series])[1:])]
    return _Distributions(id, caption, height + legend, lambda axes: None, marks, table, panels, names,
                          (height, legend))


@dataclass(frozen=True)
class _Distributions(Drawing):
    panels: Sequence[Panel] = ()
    names: Mapping[int, str] = field(default_factory=dict)
    heights: tuple[float, float] = (1, 1)  # height ratio of all panels together and the legend

    def paint(self, figure: Figure) -> None:
        columns = _columns(len(self.panels))
        rows = math.ceil(len(self.panels) / columns)
        panels, legend = self.heights
        grid = figure.add_gridspec(rows + 1, columns, height_ratios=[*[panels / rows] * rows, legend])
        self._panels(figure, grid, columns)
        if len(self.names) > 1:
            below = figure.add_subplot(grid[rows, :])
            below.set_axis_off()
            below.legend([Line2D([], [], linewidth=1.6, **curve_look(i)) for i in self.names],
                         list(map(escape_mathtext, self.names.values())),
                         ncol=legend_columns([*self.names.values()]), loc="center",
                         handlelength=2.6, borderpad=0)

    def _panels(self, figure: Figure, grid: GridSpec, columns: int) -> None:
        first = None
        for i, panel in enumerate(self.panels):
            axes = figure.add_subplot(grid[i // columns, i % columns], sharex=first, sharey=first)
            first = first or axes
            percentiles(axes, panel.series, legend=False)
            axes.set_title(escape_mathtext(panel.title), fontsize=9)
            if len(self.panels) > 1:
                axes.set(xlabel="percentile" if i + columns >= len(self.panels) else "",
                         ylabel="" if i % columns else "latency")
                axes.tick_params(labelsize=7.5, labelbottom=i + columns >= len(self.panels), labelleft=not i % columns)
        shown = [s for panel in self.panels for _, s in panel.series]
        most = max(10, *(sum(s.counts) / LEAST_BEYOND for s in shown))
        sure(first).set_xlim(1, most)
        if len(self.panels) > 1:
            marks = [(x, label) for x, label in LEVELS if x != 2 and x <= most]
            marks = marks[::2] if len(marks) > 3 and columns > 2 else marks
            sure(first).set_xticks([x for x, _ in marks], [label for _, label in marks])
        values = [value for s in shown for _, values in s.latencies for value in values[[0, -1]]]
        time_axis(first, "y", (min(values), max(values)))


def _columns(panels: int) -> int:
    return min(panels, 2 if panels in (2, 4) else 3)
