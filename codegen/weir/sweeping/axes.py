"""The axes of a sweep, from the project's `sweeps` and from `--vary`, and the points that they span."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from weir.diagnostics import WeirError, diagnostic, did_you_mean, pointer
from weir.document import jsontext
from weir.document.expressions import ExpressionError, evaluate
from weir.document.sweeps import BUFFER_BYTES, DEPLOYMENT, OF_RUN, TRACE, is_number, is_parameter, names, place_of
from weir.measuring.points import short_names, shown, value_text
from weir.sweeping import noise, sizes
from weir.sweeping.table import VARIED, column_of
from weir.sweeping.where import Where
from weir.tracers import BACKENDS

#: Of `--quick`: values of an axis of numbers, and of any other.
QUICK_VALUES, QUICK_CONTENDERS = 3, 4
#: Axes whose values are contenders: what is compared, and not what it is compared over.
CONTENDERS = (DEPLOYMENT, "scheduler", "target", "blocks")
MOST_POINTS = 10_000
MOST_BUFFER_BYTES = 2**30
REPETITIONS, QUICK_REPETITIONS = 8, 3


@dataclass(frozen=True)
class Axis:
    """`values` as JSON has them; `texts`: as `--set` takes each. `place`: where in the project they stand, or "".
    `parameter`: whether it is one of the project or of a block, and no setting.
    """

    key: str
    values: tuple[object, ...]
    texts: tuple[str, ...]
    place: str = ""
    parameter: bool = False

    @property
    def has_contenders(self) -> bool:
        return self.key in CONTENDERS and not self.parameter

    def place_of(self, number: int) -> str:
        return f"{self.place}/{number}" if self.place else ""

    def quick(self) -> Axis:
        """With no more values than `--quick` has time for: the ends and the middle, or the first of names."""
        if self.has_contenders or not all(map(is_number, self.values)):
            return self._only(range(min(QUICK_CONTENDERS, len(self.values))))
        count = len(self.values)
        return self._only(range(count) if count <= QUICK_VALUES else (0, count // 2, count - 1))

    def of(self, values: Sequence[object]) -> Axis:
        """With these of its values."""
        return self._only([self.values.index(value) for value in values])

    def _only(self, numbers: Sequence[int]) -> Axis:
        return replace(self, values=tuple(self.values[i] for i in numbers),
                       texts=tuple(self.texts[i] for i in numbers), place="")


@dataclass(frozen=True)
class Asked:
    """A sweep as it was asked for. `name`: of the project's `sweeps`, None where the command line says all of it.

    `items`: of each source or head, by deployment, where that is not the run's; `overlay`: what others published;
    `best`: what each contender's own best sizes are searched for, None where they are not.
    """

    name: str | None
    axes: tuple[Axis, ...]
    repetitions: int
    hold: tuple[str, ...]
    where: Where = Where()
    items: Mapping[str, int] = field(default_factory=dict)
    overlay: tuple[Mapping[str, object], ...] = ()
    best: str | None = None


@dataclass(frozen=True)
class Cell:
    """A point to measure. `deployment`: its name; `sets`: as `--set` has them; `trace`: as `--trace` has it;
    `buffers`: where the deployment's buffers stand in the project, and how many bytes each is to have.

    `values`: one of each axis, in their order, None of an axis that does not hold for it; `numbers`: their places on
    the axes.
    """

    number: int
    deployment: str | None
    sets: Mapping[str, str]
    trace: str | None
    values: tuple[object, ...]
    numbers: tuple[int, ...]
    buffers: tuple[str, int] | None = None


def is_at(cell: Cell, wanted: Mapping[int, object]) -> bool:
    """Whether the point has these values, by the number of the axis; one without a value stands for each of them."""
    return all(cell.values[i] is None or value_text(cell.values[i]) == value_text(value)
               for i, value in wanted.items())


def asked_for(document: Mapping, name: str | None, vary: Sequence[str], repetitions: int | None,
              quick: bool = False, twice: bool = False, best: str | None = None, cpus: int = 1) -> Asked:
    """`document` is valid. `twice`: everything is measured two times in each block (`noise`), with or without axes;
    `best`: so is every contender, with the stated sizes and with its own best ones, whatever the project says. `cpus`:
    that there are.

    WeirError (E_USAGE, E_SWEEP_KEY, E_SWEEP_SIZE) where there is no such sweep, nothing to vary, too much, or both is
    asked for.
    """
    sweeps = document.get("sweeps", [])
    chosen = _chosen(sweeps, name, bool(vary) or twice)
    axes = {} if chosen is None else {
        key: Axis(key, tuple(values), tuple(map(json.dumps, values)),
                  pointer("sweeps", sweeps.index(chosen), "vary", key), is_parameter(key, document))
        for key, values in chosen["vary"].items()}
    for text in vary:
        axis = _of_option(text, document)
        axes[axis.key] = axis
    own = chosen or {}
    where = Where(tuple(own.get("where", ())), pointer("sweeps", sweeps.index(own), "where") if own else "", cpus)
    found, fewer = list(axes.values()), own.get("quick", {}) if quick else {}
    if quick:
        varied = {text.partition("=")[0] for text in vary}
        stated = {key: values for key, values in fewer.get("vary", {}).items() if key not in varied}
        found = [axis.of([value for value in stated[axis.key] if value in axis.values]) if axis.key in stated
                 else axis.quick() for axis in _reached(found, where)]
    if twice:
        found.append(Axis(noise.AXIS, noise.SIDES, noise.SIDES))
    best = best or (None if twice else own.get("best"))
    if best:
        found = _with_best(found, twice)
    usual = QUICK_REPETITIONS if quick else own.get("repetitions", noise.REPETITIONS if twice else REPETITIONS)
    return Asked(own.get("name"), tuple(found), repetitions or usual, tuple(own.get("hold", ())), where,
                 {**own.get("items", {}), **fewer.get("items", {})}, best=best)


def _reached(axes: Sequence[Axis], where: Where) -> Sequence[Axis]:
    """Without the values that no point has: of what is left, `--quick` takes some."""
    if not where.texts:
        return axes
    _check_size(axes)
    keys = [axis.key for axis in axes]
    there = [at for at in itertools.product(*(axis.values for axis in axes)) if where.holds(keys, at)]
    return [axis.of([value for value in axis.values if any(at[i] == value for at in there)])
            for i, axis in enumerate(axes)]


def _with_best(axes: list[Axis], twice: bool) -> list[Axis]:
    """The axis of the sizes stands behind the contenders, whose names it belongs to."""
    if twice:
        raise WeirError(diagnostic("E_USAGE", "", "--best and --aa measure everything twice, each in its way",
                                   "leave one of them out"))
    for axis in axes:
        if sizes.is_of_sizes(axis) and len(axis.values) > 1:
            raise WeirError(diagnostic("E_USAGE", "", f"the axis {axis.key} has {len(axis.values)} values, and best "
                                       "sizes would have all of them", "one value of it states what all have"))
    behind = max((i + 1 for i, axis in enumerate(axes) if axis.has_contenders), default=0)
    both = (sizes.STATED, sizes.BEST)
    return [*axes[:behind], Axis(sizes.AXIS, both, both), *axes[behind:]]


def _chosen(sweeps: Sequence[Mapping], name: str | None, varied: bool) -> Mapping | None:
    if name is None:
        if not sweeps and not varied:
            raise WeirError(diagnostic("E_USAGE", "", "the project has no sweeps, and --vary names none",
                                       "such as --vary stages=1,2,4 --vary deployment=flow,static"))
        return None if varied else sweeps[0]
    named = [sweep["name"] for sweep in sweeps]
    if name not in named:
        raise WeirError(diagnostic("E_USAGE", "", f"--sweep {name}: the project has no such sweep",
                                   did_you_mean(name, named) or "--vary needs none"))
    return sweeps[named.index(name)]


def _of_option(text: str, document: Mapping) -> Axis:
    key, equals, values = text.partition("=")
    if not equals or not key or not values:
        raise WeirError(diagnostic("E_USAGE", "", f"--vary {text}: it must be key=value,value"))
    known = names(document)
    if not key.startswith("/") and key not in known:
        raise WeirError(diagnostic("E_SWEEP_KEY", "", f"--vary {key}: there is no `{key}` to vary",
                                   did_you_mean(key, known)))
    texts = [d["name"] for d in document.get("deployments", ())] if (key, values) == (DEPLOYMENT, "*") \
        else values.split(",")
    if double := next((one for one in texts if texts.count(one) > 1), None):
        raise WeirError(diagnostic("E_USAGE", "", f"--vary {text}: `{double}` is there twice"))
    # A name is a name, also where it reads as something else: `true`, `1e3`.
    values = texts if key in (DEPLOYMENT, TRACE) else map(_value, texts)
    return Axis(key, tuple(values), tuple(texts), parameter=is_parameter(key, document))


def _value(text: str) -> object:
    value, problems = jsontext.read(text)
    return text if problems else value


def cells(asked: Asked, document: Mapping, deployment: str | None) -> list[Cell]:
    """Every point, the last axis the fastest. `deployment`: where no axis says which.

    WeirError (E_SWEEP_SIZE, E_DEPLOYMENT_UNKNOWN, E_VALUE_RANGE) where there are too many or none, for a deployment
    that there is not, and for a size that is none.
    """
    _check_size(asked.axes)
    found = list(_cells(asked, document, deployment))
    if not found:
        raise WeirError(diagnostic("E_SWEEP_SIZE", asked.where.place, "at no point of the sweep do all of its "
                                   f"conditions hold, with {asked.where.cpus} CPUs",
                                   f"they are {'; '.join(asked.where.texts)}"))
    return found


def _check_size(axes: Sequence[Axis]) -> None:
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
            sets[OF_RUN["items"]] = str(asked.items[name])
        for key, (axis, i) in of.items():
            if key in (DEPLOYMENT, noise.AXIS, sizes.AXIS):
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


def label(values: Sequence[object], of: Sequence[str]) -> str:
    """`flow, best · stages=3`."""
    words: list[str] = []
    for name, value in zip(of, values):
        if name == sizes.AXIS and words:
            words[-1] += f", {value}" if value == sizes.BEST else ""
        elif name == sizes.AXIS:
            words.append(f"{value} sizes")
        elif value is not None:
            words.append(str(value) if name == DEPLOYMENT else f"{name.removeprefix(VARIED)}={shown(value)}")
    return " · ".join(words) or "one point"


def labels(cells: Sequence[Cell], of: Sequence[str]) -> tuple[dict[int, str], str]:
    """What tells each from the others, by its number; and what is the same at all of them, "" where nothing is."""
    differing = [i for i in range(len(of)) if len({value_text(cell.values[i]) for cell in cells}) > 1]
    alike = [i for i in range(len(of)) if i not in differing]
    names = {cell.number: label([cell.values[i] for i in differing], [of[i] for i in differing]) for cell in cells}
    return names, label([cells[0].values[i] for i in alike], [of[i] for i in alike]) if alike else ""


def same_but_contender(values: Sequence[object], axes: Sequence[Axis]) -> str:
    """The same text for points that differ in nothing but the contender."""
    return json.dumps([value_text(value) for value, axis in zip(values, axes) if not axis.has_contenders])
