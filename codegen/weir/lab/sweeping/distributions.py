"""The whole distributions of a sweep's latencies: a panel for each value of what is varied, a curve a contender."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from weir.engine.measuring.latency import read_hgrm
from weir.lab.sweeping.answer import Answer
from weir.lab.sweeping.axes import is_at, label
from weir.lab.sweeping.point import Axis
from weir.read.reporting.distributions import Panel, distributions
from weir.read.reporting.figures import PERCENTILES, Drawing
from weir.read.reporting.series import Series

#: Of an axis with more values, the ends and some between them have panels.
MOST_PANELS = 12


@dataclass(frozen=True)
class Shape:
    """How the axes are drawn: `x` along the figure, None where none is of numbers; a line for each value of `lines`;
    a figure for each of `figures`. By their numbers.
    """

    x: int | None
    lines: tuple[int, ...]
    figures: tuple[int, ...]


def whole_distributions(answer: Answer, axes: Sequence[Axis], shape: Shape, most: int) -> Iterator[Drawing]:
    """At most so many figures. Without an axis of numbers the panels are over what figures would be over."""
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
                                f"Whole distribution of the latency{where}, all runs together. {PERCENTILES}",
                                panels, called)


def _some(places: list[tuple]) -> list[tuple]:
    """All of them, or the ends and some at even distances."""
    if len(places) <= MOST_PANELS:
        return places
    return [places[round(i * (len(places) - 1) / (MOST_PANELS - 1))] for i in range(MOST_PANELS)]


def _series(answer: Answer, wanted: Mapping[int, object], name: str) -> Series:
    """Of the runs of a point that are ok and have their percentiles."""
    cells = [cell for cell in answer.record.cells if is_at(cell, wanted)]
    rows = [row for cell in cells for row in answer.rows_of(cell) if row["status"] == "ok" and row["latency_count"]]
    found = [(row, curve) for row in rows if (curve := _curve(answer, str(row["directory"]))) is not None]
    return Series(name, [], [curve for _, curve in found], [row["latency_count"] for row, _ in found],
                  [row["latency_mean_ns"] for row, _ in found])


def _curve(answer: Answer, directory: str):
    """None where it cannot be read."""
    try:
        curve = read_hgrm(answer.at.folder / directory / "latency.hgrm")
    except (OSError, ValueError):
        return None
    return curve if len(curve[0]) else None
