"""The figures of the works beside saxpy and null_rand: how each is drawn on its axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullFormatter

from weir.lab.bench.cells import counted
from weir.lab.bench.rows import BARE
from weir.lab.bench.sections import ns_per_item_and_stage
from weir.read.reporting.figures import COLOURS, DASHES, MARKERS, SOFT
from weir.read.reporting.quantities import duration, tick

Looks = Mapping[str, int]


def shared_core(axes: Axes, rows: Sequence[Mapping], n: int, looks: Looks) -> None:
    """Draws how much of its own rate each contender keeps beside a busy loop."""
    mine = [row for row in rows if row["ratio_to_own"] is not None]
    _dots(axes, mine, [f"{row['contender']}, m = {row['m']}" for row in mine], "ratio_to_own", "own_spread", looks)
    axes.set(title=f"saxpy, {counted(n, 'worker')}, a busy loop on one of the CPUs",
             xlabel="of its own rate undisturbed", xlim=(0, None))


def busy_work(axes: Axes, rows: Sequence[Mapping], n: int, looks: Looks) -> None:
    """Draws how much of the ideal rate each contender reaches with heavy blocks."""
    mine = [{**row, "ideal_spread": row["spread"] and [bound * row["ratio_to_ideal"] / row["ratio_to_bare"]
                                                       for bound in row["spread"]]}
            for row in rows if row["contender"] in looks]
    _dots(axes, mine, [row["contender"] for row in mine], "ratio_to_ideal", "ideal_spread", looks)
    axes.set(title=f"100 us of work a chunk and stage, {counted(n, 'worker')}", xlabel="of the ideal", xlim=(0, None))


def watching(axes: Axes, rows: Sequence[Mapping], n: int, looks: Looks) -> None:
    """Draws what each way of watching leaves of the rate."""
    mine = [row for row in rows if row["ratio_to_own"] is not None]
    _dots(axes, mine, [f"{row['contender']}, {row['condition']}" for row in mine], "ratio_to_own", "own_spread", looks)
    axes.set(title=f"null_rand watched, {counted(n, 'worker')}", xlabel="of the rate with nothing compiled in")


def paced(axes: Axes, rows: Sequence[Mapping], n: int, looks: Looks) -> None:
    """From the median to the 99th percentile, the largest apart; a line where one chunk with its work lies."""
    mine = [row for row in rows if row["latency"] is not None and row["latency"]["chunk_ns"] is not None]
    for place, row in enumerate(mine):
        latency, colour = row["latency"], COLOURS[looks[row["contender"]] % len(COLOURS)]
        known = [latency[name] for name in ("p50_ns", "p95_ns", "p99_ns") if latency[name] is not None]
        axes.plot(known, [place] * len(known), color=colour, marker="|", markersize=8)
        if latency["max_ns"] is not None:
            axes.plot([latency["max_ns"]], [place], color=colour, marker=".", linestyle="")
        axes.plot([latency["chunk_ns"]] * 2, [place - 0.4, place + 0.4], color=SOFT,
                  label="one chunk and its work" if place == 0 else None)
    _named(axes, [f"{row['contender']}, {row['condition']}" for row in mine])
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: tick(duration(value))))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set(title=f"null_rand paced, {counted(n, 'worker')}", xlabel="latency: p50, p95, p99 and the largest")
    if mine:
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=7.5)


def long_graph(axes: Axes, rows: Sequence[Mapping], n: int, looks: Looks) -> None:
    """Below: the bare kernel on every CPU, an n-th of the time that it takes on one."""
    bare = sorted((row["m"], 1e9 / row["items_per_s"] / n) for row in rows if row["contender"] == BARE)
    axes.plot(*zip(*bare), color=SOFT, linewidth=1.0, label="the bare kernel on every CPU")
    for name in dict.fromkeys(row["contender"] for row in rows if row["contender"] in looks):
        mine = sorted((row["m"], ns_per_item_and_stage(row)) for row in rows if row["contender"] == name)
        look = looks[name]
        axes.plot(*zip(*mine), color=COLOURS[look % len(COLOURS)], dashes=DASHES[look % len(DASHES)],
                  marker=MARKERS[look % len(MARKERS)], markersize=5, label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.grid(True)
    axes.set(title=f"long chains of saxpy, {counted(n, 'worker')}", xlabel="stages m", ylabel="ns an item and stage")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=7.5, handlelength=2.6)


def _dots(axes: Axes, rows: Sequence[Mapping], names: Sequence[str], value: str, spread: str, looks: Looks) -> None:
    """A row a dot, with its interval where it has one; a line at 1."""
    axes.axvline(1.0, color=SOFT, linewidth=1.0)
    for place, row in enumerate(rows):
        look = looks[row["contender"]]
        colour = COLOURS[look % len(COLOURS)]
        axes.plot([row[value]], [place], color=colour, marker=MARKERS[look % len(MARKERS)], markersize=5)
        if row[spread] is not None:
            axes.plot(row[spread], [place] * 2, color=colour, linewidth=0.8)
    _named(axes, names)


def _named(axes: Axes, names: Sequence[str]) -> None:
    """From the top down."""
    axes.set_yticks(range(len(names)), names, fontsize=7.5)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(True, axis="x")
