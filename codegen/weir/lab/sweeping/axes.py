"""Axes of a sweep, the points that they span, and the values of reference lines at the points."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, cast

from weir.diagnostics import WeirError, diagnostic, did_you_mean
from weir.engine.measuring.points import short_names, shown, value_text
from weir.lab.sweeping import loads, noise, sizes
from weir.lab.sweeping.point import Axis, Cell
from weir.lab.sweeping.table import VARIED, column_of
from weir.model.document.expressions import ExpressionError, Number, evaluate, holds
from weir.model.document.sweeps import (
    BUFFER_BYTES,
    CEILING,
    CPUS,
    DEPLOYMENT,
    OF_RUN,
    TRACE,
    cases_of,
    is_number,
    place_of,
)
from weir.sure import sure
from weir.tracers import BACKENDS


@dataclass(frozen=True)
class SweepConditions:
    """Conditions of a project's sweep. `place`: their JSON pointer; `cpus`: number of CPUs."""

    texts: tuple[str, ...] = ()
    place: str = ""
    cpus: int = 1

    def holds(self, keys: Sequence[str], values: Sequence[Any]) -> bool:
        """Return whether the conditions hold at a point. Raises WeirError if one cannot be evaluated there."""
        names = numbers_at(keys, values, self.cpus)
        for number, text in enumerate(self.texts):
            try:
                if not holds(text, names):
                    return False
            except ExpressionError as error:
                raise _fault(error, f"{self.place}/{number}", text, keys, values) from None
        return True


def numbers_at(keys: Sequence[str], values: Sequence[Any], cpus: int) -> dict[str, Number]:
    """Return the names that expressions can use at a point."""
    return {CPUS: cpus, **{key: value for key, value in zip(keys, values) if is_number(value)}}


def reference_at(text: str, keys: Sequence[str], values: Sequence[Any], cpus: int, ceiling: float | None,
                 place: str = "") -> float:
    """Return the value of a reference line at a point. `ceiling`: in the figure's unit, None if it shows no rate.

    Raises WeirError at the JSON pointer `place` if it cannot be evaluated.
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
class SweepDefinition:
    """Requested sweep. `name`: of the project's `sweeps`, None if the command line defines it.

    `items`: deployment -> items of each source or head, if they differ from the run's; `overlay`: published results;
    `best`: goal of the search for each contender's best sizes, or None; `loads`: reference of the loads; `notes`:
    sentences on what the options leave out.
    """

    name: str | None
    axes: tuple[Axis, ...]
    repetitions: int
    hold: tuple[str, ...]
    where: SweepConditions = SweepConditions()
    items: Mapping[str, int] = field(default_factory=dict)
    overlay: tuple[Mapping[str, Any], ...] = ()
    best: str | None = None
    loads: loads.Loads | None = None
    notes: tuple[str, ...] = ()


def is_at(cell: Cell, wanted: Mapping[int, Any]) -> bool:
    """Return whether the point has these values, by axis number. A missing value matches every value."""
    return all(cell.values[i] is None or value_text(cell.values[i]) == value_text(value)
               for i, value in wanted.items())


def cells(definition: SweepDefinition, document: Mapping, deployment: str | None) -> list[Cell]:
    """Return every point; the last axis varies fastest. `deployment`: for points without a deployment axis.

    Raises WeirError (E_SWEEP_SIZE, E_DEPLOYMENT_UNKNOWN, E_VALUE_RANGE) if there are too many points or none, or if a
    deployment or size is invalid.
    """
    check_size(definition.axes)
    found = list(_cells(definition, document, deployment))
    if not found:
        raise WeirError(diagnostic("E_SWEEP_SIZE", definition.where.place, "no point of the sweep meets all its "
                                   f"conditions with {definition.where.cpus} CPUs",
                                   f"relax the conditions: {'; '.join(definition.where.texts)}"))
    return found


def check_size(axes: Sequence[Axis]) -> None:
    """Raise WeirError (E_SWEEP_SIZE) if the axes span too many points."""
    count = math.prod(len(axis.values) for axis in axes)
    if count > MOST_POINTS:
        raise WeirError(diagnostic("E_SWEEP_SIZE", "", f"the sweep has {count} points; the limit is {MOST_POINTS}"))


def _cells(definition: SweepDefinition, document: Mapping, deployment: str | None) -> Iterator[Cell]:
    axes, keys = definition.axes, [axis.key for axis in definition.axes]
    parameters, deployments = document.get("parameters", {}), [d["name"] for d in document.get("deployments", ())]
    every = itertools.product(*(range(len(axis.values)) for axis in axes))
    there = (at for at in every if definition.where.holds(keys, [axis.values[i] for axis, i in zip(axes, at)]))
    for number, at in enumerate(there):
        of = {axis.key: (axis, i) for axis, i in zip(axes, at)}
        name = deployment
        if DEPLOYMENT in of:
            axis, i = of[DEPLOYMENT]
            name = str(axis.values[i])
            if name not in deployments:
                raise WeirError(diagnostic("E_DEPLOYMENT_UNKNOWN", axis.place_of(i),
                                           f"the project has no deployment `{name}`", did_you_mean(name, deployments)))
        index = deployments.index(name) if name in deployments else 0
        sets: dict[str, str] = {}
        trace, buffers = None, None
        if name in definition.items and not {"items", OF_RUN["items"]} & of.keys():
            sets[OF_RUN["items"]] = json.dumps(definition.items[sure(name)])
        # Cases first: an axis of its own takes precedence, so that its column is true.
        for key, (axis, i) in sorted(of.items(), key=lambda it: not cases_of(document, it[0])):
            if key in (DEPLOYMENT, noise.AXIS, sizes.AXIS):
                continue
            if key == loads.AXIS:
                if text := sure(definition.loads).text_at(name, cast(float, axis.values[i])):
                    sets[sure(definition.loads).parameter] = text
                continue
            if cases := cases_of(document, key):
                sets.update({place: json.dumps(value) for place, value in _case(axis, i, cases).items()})
            elif key in parameters or key.startswith("/"):
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


def _case(axis: Axis, number: int, cases: Mapping[str, Mapping[str, object]]) -> Mapping[str, object]:
    """Return what a value of the axis sets. Raises WeirError (E_SWEEP_KEY) if the project has no such case."""
    name = str(axis.values[number])
    if name not in cases:
        raise WeirError(diagnostic("E_SWEEP_KEY", axis.place_of(number), f"`{axis.key}` has no case `{name}`",
                                   did_you_mean(name, list(cases))))
    return cases[name]


def _tracer(axis: Axis, number: int) -> str:
    """Return the tracer of a value. Raises WeirError (E_VALUE_CHOICE) if its name is unknown."""
    name = axis.values[number]
    if name not in BACKENDS:
        raise WeirError(diagnostic("E_VALUE_CHOICE", axis.place_of(number), f"trace={axis.texts[number]}: unknown "
                                   "tracer", f"choose one of {', '.join(BACKENDS)}"))
    return str(name)


def _bytes(axis: Axis, number: int) -> int:
    """Return the bytes of a value. Raises WeirError (E_VALUE_RANGE) if it is no valid size."""
    value = axis.values[number]
    if isinstance(value, str):
        try:
            value = evaluate(value)
        except ExpressionError:
            value = None
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_BUFFER_BYTES:
        raise WeirError(diagnostic("E_VALUE_RANGE", axis.place_of(number),
                                   f"{axis.key}={axis.texts[number]}: the value is not a number of bytes",
                                   f"choose a number from 1 to {MOST_BUFFER_BYTES}, such as 65536"))
    return value


def columns(axes: Sequence[Axis]) -> list[str]:
    """Return the names of the axes in tables and labels: the last part of a JSON pointer if that is unique."""
    keys = [("settings", axis.key) for axis in axes]
    return [column_of(name, axis.parameter) for name, axis in zip(short_names(keys).values(), axes)]


def label(values: Sequence[Any], of: Sequence[str], titles: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the label of a point, such as `flow, best · stages=3`. `titles`: deployment -> title in the label."""
    words: list[str] = []
    for name, value in zip(of, values):
        if name == sizes.AXIS and words:
            words[-1] += f", {value}" if value == sizes.BEST else ""
        elif name == sizes.AXIS:
            words.append(f"{value} sizes")
        elif name == loads.AXIS:
            words.append(f"{100 * value:g} % load")
        elif value is not None:
            words.append(titles.get(str(value), str(value)) if name == DEPLOYMENT else
                         f"{name.removeprefix(VARIED)}={shown(value)}")
    return " · ".join(words) or "one point"


def labels(cells: Sequence[Cell], of: Sequence[str],
           titles: Mapping[str, str] = MappingProxyType({})) -> tuple[dict[int, str], str]:
    """Return point number -> distinguishing label, and the label of what all points share, or "". `titles`: as of
    `label`.
    """
    differing = [i for i in range(len(of)) if len({value_text(cell.values[i]) for cell in cells}) > 1]
    alike = [i for i in range(len(of)) if i not in differing]
    names = {cell.number: label([cell.values[i] for i in differing], [of[i] for i in differing], titles)
             for cell in cells}
    return names, label([cells[0].values[i] for i in alike], [of[i] for i in alike], titles) if alike else ""


def same_but_contender(values: Sequence[Any], axes: Sequence[Axis]) -> str:
    """Return a key that is equal for points that differ only in the contender."""
    return json.dumps([value_text(value) for value, axis in zip(values, axes) if not axis.has_contenders])
