"""The figures of a benchmark: saxpy over the stages beside the lines of ideal schedulers, null_rand over the stages;
`work_figures` has those of the other works.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from weir.diagnostics import WeirError, os_error
from weir.files import write_whole
from weir.lab.bench import work_figures
from weir.lab.bench.cells import counted
from weir.lab.bench.contender import EQUAL
from weir.lab.bench.rows import BARE, CEILINGS
from weir.read.reporting.figures import COLOURS, DASHES, MARKERS, SOFT, Drawing
from weir.read.reporting.quantities import si, tick

HEIGHT = 3.8
SOLID: tuple[float, ...] = ()


def write_figures(rows: Sequence[Mapping], folder: Path) -> list[Path]:
    """Each figure as SVG and PNG; returns the files. `rows` as in JSON. WeirError where they cannot be written."""
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for drawing in drawings(rows):
            for form, data in drawing.render("svg", "png").items():
                written.append(folder / f"{drawing.id}.{form}")
                write_whole(written[-1], data)
    except OSError as error:
        raise WeirError(os_error(error, f"write figures to {folder}")) from None
    return written


def drawings(rows: Sequence[Mapping]) -> list[Drawing]:
    """A figure for each workload and number of workers that there are rows of."""
    names = dict.fromkeys(row["contender"] for row in rows if row["contender"] not in CEILINGS)
    looks = {name: index for index, name in enumerate(names)}  # the same in all figures
    found = []
    for work, n in dict.fromkeys((row["work"], row["n"]) for row in rows):
        mine = [row for row in rows if (row["work"], row["n"]) == (work, n)]
        draw = _WORKS[work]
        found.append(Drawing(f"{work}_n{n}", f"{work} on {counted(n, 'worker')}", HEIGHT,
                             partial(draw, rows=mine, n=n, looks=looks)))
    return found


def ideal_dynamic(n: int, m: int) -> float:
    """The most that n workers reach with m stages, as a multiple of the bare kernel: every worker always has work."""
    return n / m


def ideal_static(n: int, m: int) -> float:
    """The same where a stage stays on its worker: the worker with the most stages holds the others up."""
    return 1 / math.ceil(m / n)


def _saxpy(axes: Axes, rows: Sequence[Mapping], n: int, looks: Mapping[str, int]) -> None:
    stages = range(n, max(n + 1, *(row["m"] for row in rows)) + 1)
    for ideal, label, dashes in ((ideal_dynamic, "ideal, stages move: n / m", SOLID),
                                 (ideal_static, "ideal, stages stay: 1 / ⌈m / n⌉", (2, 2))):
        axes.plot(stages, [ideal(n, m) for m in stages], color=SOFT, dashes=dashes, linewidth=1.0, label=label)
    _curves(axes, rows, "ratio_to_bare", looks)
    _finish(axes, lambda value: f"{value:g}")
    axes.set(title=f"saxpy, {counted(n, 'worker')}", xlabel="stages m",
             ylabel="items/s, of the bare kernel's on one core")


def _null_rand(axes: Axes, rows: Sequence[Mapping], n: int, looks: Mapping[str, int]) -> None:
    bare = sorted((row["m"], row["items_per_s"]) for row in rows if row["contender"] == BARE)
    axes.plot(*zip(*bare), color=SOFT, linewidth=1.0, label="no runtime")
    _curves(axes, rows, "items_per_s", looks)
    _finish(axes, lambda value: tick(si(value, "").strip()))
    axes.set(title=f"null_rand, 6 pipes, {counted(n, 'worker')}", xlabel="stages S", ylabel="items/s")


def _curves(axes: Axes, rows: Sequence[Mapping], value: str, looks: Mapping[str, int]) -> None:
    """A colour and a marker a contender; hollow and thin where its buffers are those of all."""
    rows = [row for row in rows if row["contender"] in looks]
    for name, buffers in dict.fromkeys((row["contender"], row["buffers"]) for row in rows):
        mine = sorted((row for row in rows if (row["contender"], row["buffers"]) == (name, buffers)),
                      key=lambda row: row["m"])
        equal, index = buffers == EQUAL, looks[name]
        colour = COLOURS[index % len(COLOURS)]
        axes.plot([row["m"] for row in mine], [row[value] for row in mine], color=colour,
                  dashes=DASHES[index % len(DASHES)], marker=MARKERS[index % len(MARKERS)], markersize=5,
                  linewidth=0.8 if equal else 1.6, markerfacecolor="white" if equal else colour,
                  label=f"{name}, equal buffers" if equal else name)
        for row in mine:
            if row["spread"] is not None:
                # The interval is of the ratio; beside items/s it is drawn with the same factor.
                scale = row[value] / row["ratio_to_bare"]
                axes.plot([row["m"]] * 2, [scale * bound for bound in row["spread"]], color=colour, linewidth=0.8)


def _finish(axes: Axes, words: Callable[[float], str]) -> None:
    axes.set_yscale("log")
    low, high = axes.yaxis.get_data_interval()
    axes.yaxis.set_major_locator(LogLocator(10, subs=(1.0, 2.0, 5.0) if high < 30 * low else (1.0,)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: words(value)))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(True)
    axes.title.set_fontsize(9)
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=7.5, handlelength=2.6)


_WORKS = {"saxpy": _saxpy, "null_rand": _null_rand, "shared_core": work_figures.shared_core,
          "paced": work_figures.paced, "busy_work": work_figures.busy_work, "long_graph": work_figures.long_graph,
          "watching": work_figures.watching}
