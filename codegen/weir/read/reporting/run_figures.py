"""Figures of one run: items per call of each block, and the fill of each buffer over time, one row each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from weir.model.document.digits import counted
from weir.read.reporting.figures import COLOURS, LINE, SOFT, Drawing, rows
from weir.read.reporting.quantities import duration, grouped, tick
from weir.read.reporting.series import Mark

#: Most rows in a figure. Its data table has all of them.
MOST_ROWS = 24
#: Most values with tooltips in a row.
MOST_MARKS = 16
#: Offset of the foot of a row, and the height of the row.
_FOOT, _HEIGHT = 0.4, 0.78
#: Place of calls that moved no items on the logarithmic axis, which has no 0.
_NOTHING = 0.5


def call_sizes(blocks: Sequence[Mapping]) -> Drawing | None:
    """Return the figure of items per call, or None if no calls were counted. `blocks`: from results.json."""
    found = [(b["id"], b["items_per_call"]["distribution"]) for b in blocks
             if b["items_per_call"] and b["items_per_call"]["distribution"]]
    if not found:
        return None
    shown = found[:MOST_ROWS]
    marks = []
    for row, (name, bins) in enumerate(shown):
        calls = sum(count for _, count in bins)
        # The most frequent sizes, from left to right.
        for least, count in sorted(sorted(bins, key=lambda it: -it[1])[:MOST_MARKS]):
            words = f"{name}, {_items(least)}: {counted(count, 'call')}, {count / calls * 100:.3g} %"
            marks.append(Mark(_middle(least), _top(row, count / max(n for _, n in bins)), words))
    caption = "Items a call: bars are calls, by how many items they moved; the highest bar of each block is as high."
    return Drawing("items_per_call", caption + _left_out("blocks", found), _tall(shown),
                   lambda axes: _call_sizes(axes, shown), marks,
                   [["block", "items", "calls"], *([name, *bin] for name, bins in found for bin in bins)])


def fill_over_time(edges: Sequence[Mapping]) -> Drawing | None:
    """Return the figure of buffer fill, or None if no buffer was sampled. `edges`: from results.json."""
    kept = [(f"{e['from']} → {e['to']}", e["fill_over_time"]) for e in edges if e["fill_over_time"]]
    if not kept:
        return None
    shown = kept[:MOST_ROWS]
    marks, table = [], [["connection", "begin_ns", "end_ns", "mean", "max"]]
    for row, (name, fill) in enumerate(kept):
        found = [(i * fill["bin_ns"], (i + 1) * fill["bin_ns"], mean, most)
                 for i, (mean, most) in enumerate(zip(fill["mean"], fill["max"])) if mean is not None]
        table += [[name, *values] for values in found]
        if row < MOST_ROWS:
            marks += [Mark((begin + end) / 2, _top(row, mean), f"{name}, {duration(begin)} to {duration(end)}: "
                           f"mean {mean * 100:.0f} %, at most {most * 100:.0f} %")
                      for begin, end, mean, most in found[::math.ceil(len(found) / MOST_MARKS)]]
    caption = ("Buffer fill over the run: from a row's foot, empty, to the line above it, full. Filled: mean; thin: "
               "largest sample.")
    return Drawing("fill_over_time", caption + _left_out("connections", kept), _tall(shown),
                   lambda axes: _fill_over_time(axes, shown), marks, table)


def _left_out(what: str, found: Sequence[object]) -> str:
    return f" The first {MOST_ROWS} of {len(found)} {what}; the data has all." if len(found) > MOST_ROWS else ""


def _tall(shown: Sequence[object]) -> float:
    return 0.7 + 0.42 * len(shown)


def _top(row: int, share: float) -> float:
    """Return the position of a share of a row's height."""
    return row + _FOOT - _HEIGHT * share


def _beyond(least: int) -> int:
    """Return the least number of items above a bin. The bins are those of weir/histogram.hpp."""
    return least + (1 << max(0, least.bit_length() - 4))


def _items(least: int) -> str:
    last = _beyond(least) - 1
    return f"{grouped(least)} to {grouped(last)} items" if last > least else counted(least, "item")


def _middle(least: int) -> float:
    return math.sqrt(least * _beyond(least)) if least else _NOTHING


def _call_sizes(axes: Axes, shown: Sequence[tuple[str, Sequence[Sequence[int]]]]) -> None:
    for row, (_, bins) in enumerate(shown):
        most = max(count for _, count in bins)
        axes.bar([_middle(least) for least, _ in bins], [-_HEIGHT * count / most for _, count in bins],
                 width=[_middle(least) * 0.1 for least, _ in bins], bottom=row + _FOOT, color=COLOURS[0],
                 edgecolor=COLOURS[0], linewidth=0.8)
        axes.axhline(row + _FOOT, color=LINE, linewidth=0.7, zorder=0)
    rows(axes, [name for name, _ in shown])
    axes.set_xscale("log", base=2)
    found = [least for _, bins in shown for least, _ in bins]
    low, high = math.floor(math.log2(max(1, min(found)))), math.ceil(math.log2(max(2, _beyond(max(found)))))
    powers = [2 ** power for power in range(low, high + 1, math.ceil((high - low) / 8) or 1)]
    marked = [(_NOTHING, "none")] * (0 in found) + [(x, grouped(x)) for x in powers]
    axes.set_xlim(min(marked)[0] / 1.3, 2 ** high * 1.3)
    axes.set_xticks([x for x, _ in marked], [words for _, words in marked])
    axes.minorticks_off()
    axes.set_xlabel("items a call")


def _fill_over_time(axes: Axes, shown: Sequence[tuple[str, Mapping]]) -> None:
    for row, (_, fill) in enumerate(shown):
        edges = np.arange(len(fill["mean"]) + 1) * fill["bin_ns"]
        mean, most = (_top(row, np.array(fill[key], float)) for key in ("mean", "max"))
        axes.stairs(mean, edges, baseline=row + _FOOT, fill=True, color=COLOURS[0], alpha=0.28)
        axes.stairs(most, edges, baseline=None, color=SOFT, linewidth=0.6)
        axes.stairs(mean, edges, baseline=None, color=COLOURS[0], linewidth=1.4)
        axes.axhline(row + _FOOT, color=LINE, linewidth=0.7, zorder=0)
        axes.axhline(_top(row, 1), color=LINE, linewidth=0.7, zorder=0, linestyle=(0, (2, 2)))
    rows(axes, [name for name, _ in shown])
    axes.set_xlim(0, max(len(fill["mean"]) * fill["bin_ns"] for _, fill in shown))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda ns, _: tick(duration(ns))))
    axes.set_xlabel("since the start of the run")
