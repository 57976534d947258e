"""Series of figures: the runs of a point, with their values as text, as tables and as tooltips."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from weir.engine.measuring.latency import least_samples, read_hgrm
from weir.read.reporting.quantities import duration, si
from weir.read.reporting.render import escaped

#: Radius of the area that shows a tooltip, in points.
RADIUS = 7


@dataclass(frozen=True)
class Mark:
    """Tooltip. `x`, `y`: position in the coordinates of the figure's axes number `axes`. `words`: its text."""

    x: float
    y: float
    words: str
    axes: int = 0


def marked(svg: bytes, figure: Figure, marks: Sequence[Mark]) -> bytes:
    """Add the marks to a figure that was just drawn, as invisible circles with tooltips that any browser shows."""
    if not marks:
        return svg
    width, height = figure.get_size_inches() * 72
    circles = []
    for mark in marks:
        at = figure.axes[mark.axes].transData.transform((mark.x, mark.y))
        right, up = figure.transFigure.inverted().transform(at)
        circles.append(f'<circle cx="{right * width:.1f}" cy="{(1 - up) * height:.1f}" r="{RADIUS}" fill-opacity="0">'
                       f"<title>{escaped(mark.words)}</title></circle>")
    layer = '<g class="marks">\n' + "\n".join(circles) + "\n</g>\n"
    head, end, tail = svg.decode().rpartition("</svg>")
    return (head + layer + end + tail).encode()


#: Percentiles of curves that have tooltips, in thousandths.
SHOWN = (50, 500, 950, 990, 999)
Table = list[list[object]]


@dataclass(frozen=True)
class Series:
    """Runs of one point.

    `throughputs`: items/s of each run. `latencies`: (levels, values in ns) of each run with latencies. `counts`: their
    numbers of samples. `means_ns`: their means.
    """

    name: str
    throughputs: Sequence[float]
    latencies: Sequence[tuple[np.ndarray, np.ndarray]]
    counts: Sequence[int]
    means_ns: Sequence[float]

    @classmethod
    def read(cls, name: str, throughputs: Sequence[float], latencies: Iterable[tuple[Path, int, float]]) -> Series:
        """Read the percentiles of each run. A run whose percentiles cannot be read is left out.

        `latencies`: the directory, the number of samples and the mean of each run with latencies.
        """
        curves, counts, means = [], [], []
        for directory, count, mean_ns in latencies:
            with suppress(OSError, ValueError):
                curve = read_hgrm(directory / "latency.hgrm")
                if len(curve[0]):
                    curves.append(curve)
                    counts.append(count)
                    means.append(mean_ns)
        return cls(name, throughputs, curves, counts, means)

    def pooled(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (levels, values) of the samples of all runs together, empty without samples."""
        curves = [(np.unique(v), lv, v, n) for (lv, v), n in zip(self.latencies, self.counts) if len(v)]
        if not curves:
            return np.empty(0), np.empty(0)
        grid = np.unique(np.concatenate([u for u, *_ in curves]))
        total = sum(n for *_, n in curves)
        below = 0.0
        for _, levels, values, count in curves:
            at = np.searchsorted(values, grid, "right")
            below = below + count * np.where(at > 0, levels[np.maximum(at - 1, 0)], 0.0)
        return below / total, grid

    def quantile(self, p: float) -> float | None:
        """Return a quantile of the pooled samples, in ns."""
        levels, values = self.pooled()
        return float(values[min(np.searchsorted(levels, p - 1e-12), len(values) - 1)]) if len(values) else None

    @property
    def mean(self) -> float:
        """Return the mean of the pooled samples, in ns; there must be some."""
        return float(np.average(self.means_ns, weights=self.counts))


def low_middle_high(s: Series) -> tuple[float | None, float | None, float | None]:
    """Return the 5th, 50th and 95th percentiles of latency in ns. A percentile with too few samples is None."""
    low, middle, high = (s.quantile(per_mille / 1000) if sum(s.counts) >= least_samples(per_mille) else None
                         for per_mille in (50, 500, 950))
    return low, middle, high


def throughputs(series: Sequence[Series]) -> tuple[list[Mark], Table]:
    """Return a mark at the median of each row, and the table of all runs."""
    marks = []
    for row, s in enumerate(series):
        if s.throughputs:
            middle = float(np.median(s.throughputs))
            ranging = (f"; {len(s.throughputs)} runs, {si(min(s.throughputs), 'items/s')} .. "
                       f"{si(max(s.throughputs), 'items/s')}" if len(s.throughputs) > 1 else "")
            marks.append(Mark(middle, row, f"{s.name}: {si(middle, 'items/s')}{ranging}"))
    return marks, [["point", "run", "throughput_items_per_s"],
                   *([s.name, run, value] for s in series for run, value in enumerate(s.throughputs, 1))]


def spreads(timed: Sequence[Series]) -> tuple[list[Mark], Table]:
    """Return a mark at the mean of each row, and the table of means and percentiles."""
    rows = [(s, s.mean, *low_middle_high(s)) for s in timed]
    marks = [Mark(mean, row, f"{s.name}: mean {duration(mean)}, p5 {duration(low)}, p50 {duration(middle)}, "
                  f"p95 {duration(high)}") for row, (s, mean, low, middle, high) in enumerate(rows)]
    return marks, [["point", "latency_mean_ns", "latency_p5_ns", "latency_p50_ns", "latency_p95_ns"],
                   *([s.name, *values] for s, *values in rows)]  # type: ignore[list-item]  # a row is any list


def points_of_curves(timed: Sequence[Series], place: Callable[[float, float], tuple[float, float]],
                     axes: int = 0) -> list[Mark]:
    """Return marks at the percentiles of each curve that have enough samples. `place`: maps a level and its value in ns
    to a position.
    """
    return [Mark(*place(per_mille / 1000, value), f"{s.name}: p{per_mille / 10:g} {duration(value)}", axes)
            for s in timed for per_mille in SHOWN
            if sum(s.counts) >= least_samples(per_mille) and (value := s.quantile(per_mille / 1000))]


def curves(timed: Sequence[Series]) -> Table:
    """Return the table of each point's curve over all its runs. Each 8 steps halve the distance to 1."""
    rows: Table = [["point", "share_at_or_below", "latency_ns"]]
    for s in timed:
        levels, values = s.pooled()
        wanted = 1 - 0.5 ** (np.arange(8 * math.ceil(math.log2(max(2, sum(s.counts))))) / 8)
        at = np.unique([*np.searchsorted(levels, wanted), len(levels) - 1])
        rows += [[s.name, float(levels[i]), float(values[i])] for i in at[at < len(levels)]]
    return rows
