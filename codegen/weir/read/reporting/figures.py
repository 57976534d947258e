"""The figures of a report: throughput, and latency as bars, as a distribution and as a percentile curve."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import wrap

import matplotlib
import numpy as np

matplotlib.use("Agg")

from matplotlib.axes import Axes  # noqa: E402  (the back-end is chosen before anything opens a display)
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter  # noqa: E402

from weir.engine.measuring.latency import LEAST_BEYOND  # noqa: E402
from weir.read.reporting.quantities import duration, si, tick  # noqa: E402
from weir.read.reporting.series import (  # noqa: E402
    Mark,
    Series,
    curves,
    low_middle_high,
    marked,
    points_of_curves,
    spreads,
    throughputs,
)

#: Colours of Okabe and Ito (2008), distinct for every kind of colour vision, and darker ones for more contenders. The
#: dashes keep lines distinct in grey print.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#4D4D4D", "#882255", "#332288", "#999933",
           "#8C510A")
DASHES = ((), (5, 1.5), (1.5, 1.5), (6, 1.5, 1.5, 1.5), (3, 1, 1, 1, 1, 1), (8, 2), (2, 3))
MARKERS = "osD^vPX"
TEXT, SOFT, LINE, EDGE = "#17202B", "#4A5565", "#D9DFE6", "#7F8A99"
WIDTH = 6.4
#: Characters in one line of a row's name.
NAME = 32
#: Most characters in one row of a legend below a figure.
_LETTERS = 88
#: Ticks of a percentile axis.
LEVELS = ((1, "0 %"), (2, "50 %"), (10, "90 %"), (100, "99 %"), (1000, "99.9 %"), (1e4, "99.99 %"), (1e5, "99.999 %"),
          (1e6, "99.9999 %"))
PERCENTILES = ("Latency by percentile: each decade to the right is ten times rarer. Drawn as far as ten samples lie "
               "beyond.")

STYLE = {
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"], "font.size": 9, "text.color": TEXT,
    "axes.labelcolor": SOFT, "axes.edgecolor": EDGE, "axes.linewidth": 0.8, "axes.spines.top": False,
    "axes.spines.right": False, "axes.axisbelow": True, "xtick.color": SOFT, "ytick.color": SOFT, "grid.color": LINE,
    "grid.linewidth": 0.7, "legend.frameon": False, "legend.fontsize": 8.5, "svg.hashsalt": "weir",
    "svg.fonttype": "path", "pdf.fonttype": 42,
}
#: Metadata without dates and versions: the same figure always has the same bytes.
METADATA = {"svg": {"Date": None, "Creator": "Weir"}, "pdf": {"CreationDate": None, "Creator": "Weir"},
            "png": {"Software": "Weir"}}


@dataclass(frozen=True)
class Drawing:
    """Figure: its file name, its caption and the function that draws it.

    `marks`: values with tooltips. `table`: the data of the figure, with its header first.
    """

    id: str
    caption: str
    height: float
    draw: Callable[[Axes], None]
    marks: Sequence[Mark] = ()
    table: Sequence[Sequence[object]] = ()

    def paint(self, figure: Figure) -> None:
        """Draw the contents into a Matplotlib figure."""
        self.draw(figure.add_subplot())

    def render(self, *forms: str) -> dict[str, bytes]:
        """Render the figure in the given formats: svg, png (200 dpi) or pdf. The same figure always gives the same
        bytes.
        """
        files = {}
        with matplotlib.rc_context(STYLE):
            figure = Figure(figsize=(WIDTH, self.height), layout="constrained")
            self.paint(figure)
            for form in forms:
                out = io.BytesIO()
                figure.savefig(out, format=form, dpi=200, metadata=METADATA[form])
                figure.set_layout_engine("none")  # the first format has laid it out
                files[form] = marked(out.getvalue(), figure, self.marks) if form == "svg" else out.getvalue()
        return files


def drawings(series: Sequence[Series]) -> list[Drawing]:
    """Return the figures for which these points have data."""
    found = []
    if any(s.throughputs for s in series):
        found.append(Drawing("throughput", "Throughput. Bars: median over the runs; dots: the runs.",
                             0.7 + 0.42 * len(series), lambda axes: _throughput(axes, series), *throughputs(series)))
    timed = [(i, s) for i, s in enumerate(series) if sum(s.counts)]
    if timed:
        alone = [s for _, s in timed]
        found += [
            Drawing("latency", "Latency from source to sink. Marker: mean; bars: 5th and 95th percentile, which are "
                    "the distribution and not the noise; tick: median.", 0.8 + 0.42 * len(timed),
                    lambda axes: _latency_bars(axes, timed), *spreads(alone)),
            Drawing("latency_distribution", "Distribution of the latency: share of the boundaries at or below it. "
                    "Faint: single runs.", 3.1, lambda axes: _distribution(axes, timed),
                    points_of_curves(alone, lambda level, value: (value, level * 100)), curves(alone)),
            Drawing("latency_percentiles", PERCENTILES, 3.1, lambda axes: percentiles(axes, timed),
                    points_of_curves(alone, lambda level, value: (1 / (1 - level), value)), curves(alone)),
        ]
    return found


def curve_look(index: int) -> dict[str, object]:
    """Return the colour and dashes of a curve."""
    return {"color": COLOURS[index % len(COLOURS)], "dashes": DASHES[index % len(DASHES)]}


def _throughput(axes: Axes, series: Sequence[Series]) -> None:
    top = max((max(s.throughputs) for s in series if s.throughputs), default=1.0)
    for i, s in enumerate(series):
        if not s.throughputs:
            axes.text(0, i, "  no valid run", va="center", color=SOFT, fontsize=8.5)
            continue
        middle = float(np.median(s.throughputs))
        axes.barh(i, middle, height=0.62, color=COLOURS[i % len(COLOURS)], alpha=0.28)
        axes.plot([middle, middle], [i - 0.31, i + 0.31], color=COLOURS[i % len(COLOURS)], linewidth=2)
        if len(s.throughputs) > 1:
            # A fixed pattern, not a random one: the same runs always give the same picture.
            offsets = [(k * 0.618034 % 1 - 0.5) * 0.34 for k in range(len(s.throughputs))]
            axes.plot(s.throughputs, [i + o for o in offsets], linestyle="none", marker="o", markersize=3.2,
                      color=COLOURS[i % len(COLOURS)], markeredgecolor="white", markeredgewidth=0.4)
        label = ("median " if len(s.throughputs) > 1 else "") + si(middle, "items/s")
        axes.text(max(s.throughputs) + top * 0.015, i, label, va="center", fontsize=8.5)
    rows(axes, [s.name for s in series])
    axes.set_xlim(0, top * 1.25)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: tick(si(x, "").strip())))
    axes.set_xlabel("items/s")


def _latency_bars(axes: Axes, timed: Sequence[tuple[int, Series]]) -> None:
    for row, (i, s) in enumerate(timed):
        colour = COLOURS[i % len(COLOURS)]
        low, middle, high = low_middle_high(s)
        mean = s.mean
        if low is not None and high is not None:
            axes.plot([low, high], [row, row], color=colour, linewidth=2, solid_capstyle="butt")
            axes.plot([low, low, high, high], [row, row, row, row], linestyle="none", marker="|", markersize=11,
                      color=colour, markeredgewidth=1.6)
        if middle is not None:
            axes.plot(middle, row, marker="|", markersize=8, color=TEXT, markeredgewidth=1.4)
        axes.plot(mean, row, marker=MARKERS[i % len(MARKERS)], markersize=6.5, color=colour, markeredgecolor="white")
    rows(axes, [s.name for _, s in timed])
    time_axis(axes, "x")
    axes.set_xlabel("latency")


def _distribution(axes: Axes, timed: Sequence[tuple[int, Series]]) -> None:
    for i, s in timed:
        if len(s.latencies) > 1:
            for levels, values in s.latencies:
                axes.plot(values, levels * 100, color=COLOURS[i % len(COLOURS)], alpha=0.22, linewidth=0.8)
        levels, values = s.pooled()
        axes.plot(values, levels * 100, label=s.name, linewidth=1.6, **curve_look(i))
    time_axis(axes, "x")
    axes.set_ylim(0, 101)
    axes.grid(True)
    axes.set(xlabel="latency", ylabel="boundaries at or below, %")
    _legend(axes, timed)


def percentiles(axes: Axes, timed: Sequence[tuple[int, Series]], legend: bool = True) -> None:
    """Draw latency by percentile. `timed`: each series with its number, which decides its colour and dashes."""
    largest = max(sum(s.counts) for _, s in timed)
    for i, s in timed:
        levels, values = s.pooled()
        # A curve ends where fewer than LEAST_BEYOND samples lie beyond. With too few samples, nothing is drawn.
        seen = levels <= 1 - LEAST_BEYOND / max(LEAST_BEYOND, sum(s.counts))
        axes.plot(1 / (1 - levels[seen]), values[seen], label=escape_mathtext(s.name), linewidth=1.6, **curve_look(i))
    time_axis(axes, "y")
    axes.set_xscale("log")
    marks = [(x, label) for x, label in LEVELS if x <= max(10, largest)]
    axes.set_xlim(1, max(10, largest))
    axes.set_xticks([x for x, _ in marks], [label for _, label in marks])
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(True)
    axes.set(xlabel="percentile, on a 1 / (1 − p) axis", ylabel="latency")
    if legend:
        _legend(axes, timed)


def _legend(axes: Axes, timed: Sequence[tuple[int, Series]]) -> None:
    if len(timed) > 1:
        axes.legend(handlelength=2.6)


def rows(axes: Axes, names: Sequence[str]) -> None:
    """Label the rows of a figure, the first on top. Long names wrap to leave room for the bars."""
    axes.set_yticks(range(len(names)), ["\n".join(wrap(escape_mathtext(n), NAME)) for n in names])
    axes.set_ylim(len(names) - 0.45, -0.55)
    axes.tick_params(axis="y", length=0, labelcolor=TEXT)
    axes.spines["left"].set_visible(False)
    axes.grid(True, axis="x")


def legend_columns(names: Sequence[str]) -> int:
    """Return the number of columns of a legend below a figure."""
    return max(1, min(len(names), _LETTERS // (max(map(len, names)) + 8))) if names else 1


def escape_mathtext(text: str) -> str:
    """Escape dollar signs, which would begin a formula in Matplotlib."""
    return text.replace("$", r"\$")


def time_axis(axes: Axes, which: str, interval: tuple[float, float] | None = None) -> None:
    """Set up a logarithmic axis of times. `interval`: range of the data in ns, if other axes show more than this one.
    """
    (axes.set_xscale if which == "x" else axes.set_yscale)("log")
    axis = axes.xaxis if which == "x" else axes.yaxis
    low, high = interval or axis.get_data_interval()
    narrow = 0 < low <= high < 30 * low
    axis.set_major_locator(LogLocator(10, subs=(1.0, 2.0, 5.0) if narrow else (1.0,)))
    axis.set_major_formatter(FuncFormatter(lambda ns, _: tick(duration(ns))))
    axis.set_minor_formatter(NullFormatter())
