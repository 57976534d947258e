"""Figures of a quantity over commits or days: its value and runs at each, its levels, and the changes of level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from weir.read.reporting.axis_figures import Quantity
from weir.read.reporting.figures import COLOURS, LINE, Drawing, escape_mathtext
from weir.read.reporting.quantities import tick

#: Most names that fit side by side.
MOST_NAMES = 24
DOTS, LEVELS = COLOURS[0], COLOURS[1]


@dataclass(frozen=True)
class Step:
    """Change of the level. `at`: index of the first value of the new level. `first` and `last`: bounds of that index.
    """

    at: int
    first: int
    last: int


def over_names(id: str, caption: str, of: Quantity, names: Sequence[str], values: Sequence[float],
               runs: Sequence[Sequence[float]], steps: Sequence[Step]) -> Drawing:
    """Return a figure over commits or days. `names`, `values` and `runs` have one entry for each, in order."""
    return Drawing(id, caption, 3.1, lambda axes: _draw(axes, of, names, values, runs, steps))


def _draw(axes: Axes, of: Quantity, names: Sequence[str], values: Sequence[float], runs: Sequence[Sequence[float]],
          steps: Sequence[Step]) -> None:
    for step in steps:
        axes.axvspan(step.first - 0.55, step.last - 0.45, color=LINE, linewidth=0)
    axes.plot([i for i, own in enumerate(runs) for _ in own], [value for own in runs for value in own],
              linestyle="none", marker="o", markersize=2.2, color=DOTS, alpha=0.35)
    axes.plot(range(len(values)), values, linestyle="none", marker="o", markersize=4.5, color=DOTS,
              markeredgecolor="white", markeredgewidth=0.5)
    ends = [0, *(step.at for step in steps), len(values)]
    for begin, end in zip(ends, ends[1:]):
        level = sorted(values[begin:end])[(end - begin) // 2]
        axes.plot([begin - 0.4, end - 0.6], [level, level], color=LEVELS, linewidth=1.8)
    _name_axis(axes, names)
    # The axis does not start at 0, so changes of a few percent are visible.
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: tick(of.shown(value))))
    axes.set_ylabel(of.words)
    axes.grid(True, axis="y")


def _name_axis(axes: Axes, names: Sequence[str]) -> None:
    every = -(-len(names) // MOST_NAMES)
    shown = range(0, len(names), every)
    axes.set_xticks(list(shown), [escape_mathtext(names[i]) for i in shown], rotation=90, fontsize=7.5)
    axes.set_xlim(-0.7, len(names) - 0.3)
    axes.minorticks_off()
