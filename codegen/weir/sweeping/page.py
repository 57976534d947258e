"""What the report of a sweep shows: its figures over its axes, its table, and what a reader has to know first."""

from __future__ import annotations

import io
import itertools
import math
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from weir.comparing.statistics import MIN_BLOCKS
from weir.reporting.axis_figures import Line, Quantity, Spot, by_row, over_axis
from weir.reporting.figures import Drawing
from weir.reporting.report import Lead
from weir.sweeping import table
from weir.sweeping.answer import COMPLETE, Answer
from weir.sweeping.axes import Axis, Cell, label
from weir.sweeping.fairness import findings
from weir.sweeping.record import axes_of, record_of
from weir.sweeping.state import State

#: Columns that have a figure, and what they are.
DRAWN = {"throughput_items_per_s": Quantity("throughput", "items/s"), "latency_p50_ns": Quantity("latency, p50", "ns"),
         "latency_p95_ns": Quantity("latency, p95", "ns"), "latency_p99_ns": Quantity("latency, p99", "ns")}
#: And what a project may ask for beside them.
ALSO_DRAWN = {"elapsed_s": Quantity("run time", "s")}
#: More points than this are in no figure of rows, and more figures of a quantity than this are not drawn.
MOST_ROWS, MOST_FIGURES = 40, 24
UNFINISHED = "not finished"


@dataclass(frozen=True)
class _Axes:
    """How the axes are drawn: `x` along the figure, None where none is of numbers; a line for each value of `lines`;
    a figure for each of `figures`. By their numbers.
    """

    x: int | None
    lines: tuple[int, ...]
    figures: tuple[int, ...]


def answer_of(at: State) -> Answer:
    """What it has to say as far as it was measured."""
    record, ignored = record_of(at)
    return Answer(at, record, UNFINISHED if record.following else COMPLETE, findings(
        axes_of(at), record.columns, record.cells, record.latest, at.value["hold"]), ignored.words())


def quantities_of(value: Mapping) -> Mapping[str, Quantity]:
    """By column: what has a figure. `value`: of sweep.json."""
    plot = _plot(value)
    return {plot["y"]: {**DRAWN, **ALSO_DRAWN}[plot["y"]]} if "y" in plot else DRAWN


def shape_of(axes: Sequence[Axis], value: Mapping) -> _Axes:
    return _shape(axes, _plot(value))


def lead(at: State) -> Lead:
    """The beginning of its report."""
    axes, answer = axes_of(at), answer_of(at)
    record = answer.record
    heads, *rows = answer.table()
    text = io.StringIO()
    table.write_csv(text, record.table(), record.columns)
    value = at.value
    words = (f"{answer.summary()}. Every block has every point once, in a random order (seed "
             f"{record.order.seed}). Begun {value['created']}.")
    title = _plot(value).get("title", answer.title)
    remarks = [*answer.remarks(), *_undrawn(axes, shape_of(axes, value))]
    return Lead(title, words, remarks, list(_drawings(answer, axes)), heads, rows,
                _caption(answer), text.getvalue(), _command(value))


def _undrawn(axes: Sequence[Axis], shape: _Axes) -> Iterator[str]:
    points, figures = (math.prod(len(axes[i].values) for i in of) for of in (range(len(axes)), shape.figures))
    if shape.x is None and points > MOST_ROWS:
        yield f"{points} points have no axis of numbers, and more than {MOST_ROWS} rows are in no figure"
    elif shape.x is not None and figures > MOST_FIGURES:
        yield f"of {figures} figures of each quantity the first {MOST_FIGURES} are drawn: `plot` may name other axes"


def _caption(answer: Answer) -> str:
    enough = len(answer.record.whole) >= MIN_BLOCKS
    return ("Pseudomedian over the blocks" + (", with its interval of 95 % (bootstrap over blocks)" if enough else "")
            + "; a quantile of latency is taken of each run first. Only runs that are ok count."
            + (" Behind |: without the blocks that others on the machine disturbed."
               if answer.record.disturbed else ""))


def _command(value: Mapping) -> str:
    request, words = value["request"], ["weir", "sweep", value["source"]]
    for option, values in (("--sweep", [request["sweep"]]), ("--vary", request["vary"]), ("--set", request["sets"]),
                           ("--param", request["params"]), ("--deployment", [request["deployment"]]),
                           ("--items", [request["items"]]), ("--trace", [request["trace"]]),
                           ("--repetitions", [value["repetitions"]]), ("--repeats", [value["repeats"]]),
                           ("--seed", [value["seed"]])):
        for one in values:
            words += [option, str(one)] if one is not None else []
    words += [f"--{name}" for name in ("aa", "quick") if request[name]]
    return shlex.join([*words, "--out", "DIR"])


def _drawings(answer: Answer, axes: Sequence[Axis]) -> Iterator[Drawing]:
    shape, drawn = shape_of(axes, answer.at.value), quantities_of(answer.at.value)
    said = ("Bars: interval of 95 % of the pseudomedian over the blocks."
            if len(answer.record.whole) >= MIN_BLOCKS else "Dots: single blocks, too few for an interval.")
    for column, of in drawn.items():
        found = {cell.number: _spot(answer, cell, column, shape) for cell in answer.record.cells}
        spots = {number: spot for number, spot in found.items() if spot}
        if not spots:
            continue
        if shape.x is None:
            points = [Line(answer.names[cell.number], [spots[cell.number]])
                      for cell in answer.record.cells if cell.number in spots]
            if len(points) <= MOST_ROWS:
                yield by_row(column, f"{of.words[:1].upper()}{of.words[1:]}. {said}", of, points)
            continue
        yield from _over(answer, axes, shape, column, of, spots, said)


def _over(answer: Answer, axes: Sequence[Axis], shape: _Axes, column: str, of: Quantity, spots: Mapping[int, Spot],
          said: str) -> list[Drawing]:
    names, x = answer.record.columns, answer.record.columns[shape.x].removeprefix(table.VARIED)
    drawn = []
    every = itertools.product(*(axes[i].values for i in shape.figures))
    for number, at in enumerate(itertools.islice(every, MOST_FIGURES)):
        lines = []
        for mine in itertools.product(*(axes[i].values for i in shape.lines)):
            wanted = {**dict(zip(shape.figures, at)), **dict(zip(shape.lines, mine))}
            own = [spots[cell.number] for cell in answer.record.cells if cell.number in spots
                   and all(cell.values[i] == value for i, value in wanted.items())]
            if own:
                lines.append(Line(label(mine, [names[i] for i in shape.lines]), own))
        if lines:
            where = f" at {label(at, [names[i] for i in shape.figures])}" if at else ""
            drawn.append(over_axis(f"{column}_{number + 1}" if at else column,
                                   f"{of.words[:1].upper()}{of.words[1:]} over {x}{where}. {said}", x, of, lines))
    return drawn


def _plot(value: Mapping) -> Mapping[str, str]:
    """What the project's sweep says of its figure."""
    sweeps = value["document"].get("sweeps", [])
    return next((sweep.get("plot", {}) for sweep in sweeps if sweep["name"] == value["sweep"]), {})


def _shape(axes: Sequence[Axis], plot: Mapping[str, str] = MappingProxyType({})) -> _Axes:
    """The axis of numbers with most values goes along the figure; contenders are lines, and so is a single other one.
    Of these `plot` may say otherwise: `x`, `by`, and the kind `bar` for no such axis.
    """
    keys = [axis.key for axis in axes]
    numbers = [i for i, axis in enumerate(axes) if len(axis.values) > 1 and not axis.has_contenders
               and all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in axis.values)]
    x = max(numbers, key=lambda i: len(axes[i].values), default=None)
    if plot.get("x") in keys and keys.index(plot["x"]) in numbers:
        x = keys.index(plot["x"])
    if plot.get("kind") == "bar":
        x = None
    others = [i for i in range(len(axes)) if i != x]
    lines = tuple(i for i in others if axes[i].has_contenders or len(others) == 1)
    if plot.get("by") in keys and keys.index(plot["by"]) != x:
        lines = (keys.index(plot["by"]),)
    return _Axes(x, lines, tuple(i for i in others if i not in lines))


def _spot(answer: Answer, cell: Cell, column: str, shape: _Axes) -> Spot | None:
    rows = answer.rows_of(cell)
    it = answer.estimate(cell, column)
    if it.value is None:
        return None
    values = [float(row[column]) for row in rows if row["status"] == "ok" and row[column]]
    return Spot(float(cell.values[shape.x]) if shape.x is not None else 0.0, it.value, it.interval, values)
