"""The axes of a sweep, and the points that they span: which there are, and what its lines of reference are there."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from weir.diagnostics import WeirError, diagnostic, did_you_mean
from weir.engine.measuring.points import short_names, shown, value_text
from weir.lab.sweeping import loads, noise, sizes
from weir.lab.sweeping.point import Axis, Cell
from weir.lab.sweeping.table import VARIED, column_of
from weir.model.document.expressions import ExpressionError, Number, evaluate, holds
from weir.model.document.sweeps import BUFFER_BYTES, CEILING, CPUS, DEPLOYMENT, OF_RUN, TRACE, is_number, place_of
from weir.sure import sure
from weir.tracers import BACKENDS


@dataclass(frozen=True)
class Where:
    """Conditions of a project's sweep; `place`: where they stand in it; `cpus`: that there are."""

    texts: tuple[str, ...] = ()
    place: str = ""
    cpus: int = 1

    def holds(self, keys: Sequence[str], values: Sequence[Any]) -> bool:
        """At the point that has these values of these axes. WeirError where a condition cannot be evaluated there."""
        names = numbers_at(keys, values, self.cpus)
        for number, text in enumerate(self.texts):
            try:
                if not holds(text, names):
                    return False
            except ExpressionError as error:
                raise _fault(error, f"{self.place}/{number}", text, keys, values) from None
        return True


def numbers_at(keys: Sequence[str], values: Sequence[Any], cpus: int) -> dict[str, Number]:
    """What expressions know at a point."""
    return {CPUS: cpus, **{key: value for key, value in zip(keys, values) if is_number(value)}}


def reference_at(text: str, keys: Sequence[str], values: Sequence[Any], cpus: int, ceiling: float | None,
                 place: str = "") -> float:
    """A line of reference at a point. `ceiling`: in the unit of the figure, None where it shows no rate.

    WeirError, at `place`, where it cannot be evaluated there.
    """
    names: Mapping[str, Number] = {**({CEILING: ceiling} if ceiling is not None else {}),
                                   **numbers_at(keys, values, cpus)}
    try:
        return float(evaluate(text, names))
    except ExpressionError as error:
        raise _fault(error, place, text, keys, values) from None


def _fault(error: ExpressionError, place: str, text: str, keys: Sequence[str], values: Sequence[Any]) -> WeirError:
    at = ", ".join(f"{key}={value}" for key, value in zip(keys, values))
    return WeirError(diagnostic(error.code, place, f"`{text}` at {at}: {error.message}", error.hint))


MOST_POINTS = 10_000
MOST_BUFFER_BYTES = 2**30


@dataclass(frozen=True)
class Asked:
    """A sweep as it was asked for. `name`: of the project's `sweeps`, None where the command line says all of it.

    `items`: of each source or head, by deployment, where that is not the run's; `overlay`: what others published;
    `best`: what each contender's own best sizes are searched for, None where they are not; `loads`: whose shares loads
    are.
    """

    name: str | None
    axes: tuple[Axis, ...]
    repetitions: int
    hold: tuple[str, ...]
    where: Where = Where()
    items: Mapping[str, int] = field(default_factory=dict)
    overlay: tuple[Mapping[str, Any], ...] = ()
    best: str | None = None
    loads: loads.Loads | None = None


def is_at(cell: Cell, wanted: Mapping[int, Any]) -> bool:
    """Whether the point has these values, by the number of the axis; one without a value stands for each of them."""
    return all(cell.values[i] is None or value_text(cell.values[i]) == value_text(value)
               for i, value in wanted.items())


def cells(asked: Asked, document: Mapping, deployment: str | None) -> list[Cell]:
    """Every point, the last axis the fastest. `deployment`: where no axis says which.

    WeirError (E_SWEEP_SIZE, E_DEPLOYMENT_UNKNOWN, E_VALUE_RANGE) where there are too many or none, for a deployment
    that there is not, and for a size that is none.
    """
    check_size(asked.axes)
    found = list(_cells(asked, document, deployment))
    if not found:
        raise WeirError(diagnostic("E_SWEEP_SIZE", asked.where.place, "at no point of the sweep do all of its "
                                   f"conditions hold, with {asked.where.cpus} CPUs",
                                   f"they are {'; '.join(asked.where.texts)}"))
    return found


def check_size(axes: Sequence[Axis]) -> None:
    """WeirError (E_SWEEP_SIZE)."""
    count = math.prod(len(axis.values) for axis in axes)
    if count > MOST_POINTS:
        raise WeirError(diagnostic("E_SWEEP_SIZE", "", f"the sweep has {count} points, of {MOST_POINTS} at most"))


def _cells(asked: Asked, document: Mapping, deployment: str | None) -> Iterator[Cell]:
    axes, keys = asked.axes, [axis.key for axis in asked.axes]
    parameters, deployments = document.get("parameters", {}), [d["name"] for d in document.get("deployments", ())]
    every = itertools.product(*(range(len(axis.values)) for axis in axes))
    there = (at for at in every if asked.where.holds(keys, [axis.values[i] for axis, i in zip(axes, at)]))
    for number, at in enumerate(there):
        of = {axis.key: (axis, i) for axis, i in zip(axes, at)}
        name = deployment
        if DEPLOYMENT in of:
            axis, i = of[DEPLOYMENT]
            name = str(axis.values[i])
            if name not in deployments:
                raise WeirError(diagnostic("E_DEPLOYMENT_UNKNOWN", axis.place_of(i), f"there is no deployment `{name}`",
                                           did_you_mean(name, deployments)))
        index = deployments.index(name) if name in deployments else 0
        sets: dict[str, str] = {}
        trace, buffers = None, None
        if name in asked.items and not {"items", OF_RUN["items"]} & of.keys():
            sets[OF_RUN["items"]] = str(asked.items[sure(name)])
        for key, (axis, i) in of.items():
            if key in (DEPLOYMENT, noise.AXIS, sizes.AXIS):
                continue
            if key == loads.AXIS:
                if text := sure(asked.loads).text_at(name, cast(float, axis.values[i])):
                    sets[sure(asked.loads).parameter] = text
                continue
            if key in parameters or key.startswith("/"):
                sets[key] = axis.texts[i]
            elif key == TRACE:
                trace = _tracer(axis, i)
            elif key == BUFFER_BYTES:
                buffers = place_of("buffers", index), _bytes(axis, i)
            else:
                sets[place_of(key, index)] = axis.texts[i]
        best = sizes.AXIS in of and of[sizes.AXIS][1] == 1
        yield Cell(number, name, sets, trace, tuple(None if best and sizes.is_of_sizes(axis) else axis.values[i]
                                                    for axis, i in zip(axes, at)), at, buffers)


def _tracer(axis: Axis, number: int) -> str:
    """WeirError (E_VALUE_CHOICE) where there is none of that name."""
    name = axis.values[number]
    if name not in BACKENDS:
        raise WeirError(diagnostic("E_VALUE_CHOICE", axis.place_of(number), f"trace={axis.texts[number]}: there is no "
                                   "such tracer", f"one of {', '.join(BACKENDS)}"))
    return str(name)


def _bytes(axis: Axis, number: int) -> int:
    """WeirError (E_VALUE_RANGE) where it is no count of bytes."""
    value = axis.values[number]
    if isinstance(value, str):
        try:
            value = evaluate(value)
        except ExpressionError:
            value = None
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_BUFFER_BYTES:
        raise WeirError(diagnostic("E_VALUE_RANGE", axis.place_of(number),
                                   f"{axis.key}={axis.texts[number]}: it is no count of bytes",
                                   f"from 1 to {MOST_BUFFER_BYTES}, such as 65536"))
    return value


def columns(axes: Sequence[Axis]) -> list[str]:
    """What the axes are called in tables and labels: a place by its last word, where nothing else is called so."""
    keys = [("settings", axis.key) for axis in axes]
    return [column_of(name, axis.parameter) for name, axis in zip(short_names(keys).values(), axes)]


def label(values: Sequence[Any], of: Sequence[str]) -> str:
    """`flow, best · stages=3`."""
    words: list[str] = []
    for name, value in zip(of, values):
        if name == sizes.AXIS and words:
            words[-1] += f", {value}" if value == sizes.BEST else ""
        elif name == sizes.AXIS:
            words.append(f"{value} sizes")
        elif name == loads.AXIS:
            words.append(f"{100 * value:g} % load")
        elif value is not None:
            words.append(str(value) if name == DEPLOYMENT else f"{name.removeprefix(VARIED)}={shown(value)}")
    return " · ".join(words) or "one point"


def labels(cells: Sequence[Cell], of: Sequence[str]) -> tuple[dict[int, str], str]:
    """What tells each from the others, by its number; and what is the same at all of them, "" where nothing is."""
    differing = [i for i in range(len(of)) if len({value_text(cell.values[i]) for cell in cells}) > 1]
    alike = [i for i in range(len(of)) if i not in differing]
    names = {cell.number: label([cell.values[i] for i in differing], [of[i] for i in differing]) for cell in cells}
    return names, label([cells[0].values[i] for i in alike], [of[i] for i in alike]) if alike else ""


def same_but_contender(values: Sequence[Any], axes: Sequence[Axis]) -> str:
    """The same text for points that differ in nothing but the contender."""
    return json.dumps([value_text(value) for value, axis in zip(values, axes) if not axis.has_contenders])
