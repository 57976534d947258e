"""Request of a sweep, from the project's `sweeps` and the options of the command line."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from weir.diagnostics import WeirError, diagnostic, did_you_mean, pointer
from weir.lab.sweeping import loads, noise, sizes
from weir.lab.sweeping.axes import SweepConditions, SweepDefinition, check_size, reference_at
from weir.lab.sweeping.loads import Loads
from weir.lab.sweeping.point import Axis, Cell
from weir.model.document import jsontext
from weir.model.document.deployment import default_deployment
from weir.model.document.spelling import current_place
from weir.model.document.sweeps import DEPLOYMENT, TRACE, is_parameter, names

REPETITIONS, QUICK_REPETITIONS = 8, 3
#: Highest load, as a multiple of the sustainable rate.
MOST_SHARE = 100


def settable(document: Mapping) -> dict:
    """Return a valid project with `run` and `deployments` filled in, so that every setting has a JSON pointer."""
    implied = default_deployment()
    entry = {"name": implied.name, "scheduler": implied.scheduler}
    return {"run": {}, **document, "deployments": document.get("deployments") or [entry]}


def sweep_definition(document: Mapping, name: str | None, vary: Sequence[str], repetitions: int | None,
                     quick: bool = False, twice: bool = False, best: str | None = None, cpus: int = 1,
                     loads_of: str | None = None) -> SweepDefinition:
    """Return the requested sweep of a valid `document`.

    `twice`: measure everything twice in each round (A/A, `noise`), with or without axes; `best`: measure every
    contender with the stated sizes and with its own best ones; `cpus`: number of CPUs; `loads_of`: deployment whose
    sustainable rate the loads are shares of, or `*`. `best` and `loads_of` override the project.

    Raises WeirError (E_USAGE, E_SWEEP_KEY, E_SWEEP_SIZE) if the sweep is unknown, has nothing or too much to vary, or
    if options exclude each other.
    """
    sweeps = document.get("sweeps", [])
    chosen = _chosen(sweeps, name, bool(vary) or twice)
    axes = {} if chosen is None else {
        key: Axis(key, tuple(values), tuple(map(json.dumps, values)),
                  pointer("sweeps", sweeps.index(chosen), "vary", key), is_parameter(key, document))
        for key, values in chosen["vary"].items()}
    own = chosen or {}
    load = _stated_loads(own, sweeps, axes)
    for key, axis in (options := [_of_option(text, document) for text in vary]):
        if axis.key == loads.AXIS:
            axes.pop(key, None)  # the project's axis of the same parameter
            load = replace(load, parameter=key) if load else Loads(key, None)
        elif load and key == load.parameter:
            axes.pop(loads.AXIS)
            load = None
        axes[axis.key] = axis
    if sum(axis.key == loads.AXIS for _, axis in options) > 1:
        raise WeirError(diagnostic("E_USAGE", "", "a sweep can have only one axis of loads",
                                   "give percentages in one --vary only"))
    load = _whose(load, loads_of)
    where = SweepConditions(tuple(own.get("where", ())),
                            pointer("sweeps", sweeps.index(own), "where") if own else "", cpus)
    found, fewer = list(axes.values()), own.get("quick", {}) if quick else {}
    notes = _of_no_sweep(sweeps) if vary and not chosen else ()
    if quick:
        whole, named = _reached(found, where), {axis.key for _, axis in options}
        stated = fewer.get("vary", {})
        found = [axis if axis.key in named else
                 axis.of([value for value in stated[axis.key] if value in axis.values]) if axis.key in stated
                 else axis.quick() for axis in whole]
        notes += _of_left_out(whole, found)
    if load:
        loads.check(load, found)
    if twice:
        found.append(Axis(noise.AXIS, noise.SIDES, noise.SIDES))
    best = best or (None if twice else own.get("best"))
    if best:
        found = _with_best(found, twice)
    usual = QUICK_REPETITIONS if quick else own.get("repetitions", noise.REPETITIONS if twice else REPETITIONS)
    return SweepDefinition(own.get("name"), tuple(found), repetitions or usual, tuple(own.get("hold", ())), where,
                           {**own.get("items", {}), **fewer.get("items", {})}, best=best, loads=load, notes=notes)


def _of_no_sweep(sweeps: Sequence[Mapping]) -> tuple[str, ...]:
    """Return the note that the options replace the project's sweeps, if it has some."""
    names_of = ", ".join(sweep["name"] for sweep in sweeps)
    return (f"without --sweep, only the axes of --vary count, and none of the project's sweeps ({names_of})",
            ) if sweeps else ()


def _of_left_out(whole: Sequence[Axis], quick: Sequence[Axis]) -> tuple[str, ...]:
    """Return the note on the values that the quick form leaves out, if there are any."""
    gone = [f"{axis.key}={','.join(texts)}" for axis, fewer in zip(whole, quick)
            if (texts := [axis.words_of(value) for value in axis.values if value not in fewer.values])]
    return (f"--quick leaves out {'; '.join(gone)}",) if gone else ()


def _stated_loads(sweep: Mapping, sweeps: Sequence[Mapping], axes: dict[str, Axis]) -> Loads | None:
    """Return the loads of the project's sweep, and add their axis to `axes`."""
    stated = sweep.get("loads")
    if stated is None:
        return None
    place = pointer("sweeps", sweeps.index(sweep), "loads")
    axes[loads.AXIS] = _of_shares(stated["shares"], f"{place}/shares")
    return Loads(stated["parameter"], stated.get("of"), place, stated.get("latency", loads.LATENCY_S),
                 stated.get("loss", loads.LOSS))


def _of_shares(shares: Sequence[float], place: str = "") -> Axis:
    return Axis(loads.AXIS, tuple(shares), tuple(f"{100 * share:g}%" for share in shares), place)


def _whose(load: Loads | None, of: str | None) -> Loads | None:
    if of and not load:
        raise WeirError(diagnostic("E_USAGE", "", f"--loads-of {of} needs an axis of loads",
                                   "give percentages of a rate parameter, such as --vary load=10%,50%,90%"))
    if load and not of and not load.place:
        raise WeirError(diagnostic("E_USAGE", "", f"--vary {load.parameter}: percentages need --loads-of",
                                   "--loads-of D makes them shares of the rate that deployment D sustains, and "
                                   "--loads-of '*' of the rate that each deployment sustains"))
    return replace(load, of=None if of == loads.EACH else of) if load and of else load


def _reached(axes: Sequence[Axis], where: SweepConditions) -> Sequence[Axis]:
    """Return the axes without values that occur at no point. `--quick` then selects from the rest."""
    if not where.texts:
        return axes
    check_size(axes)
    keys = [axis.key for axis in axes]
    there = [at for at in itertools.product(*(axis.values for axis in axes)) if where.holds(keys, at)]
    return [axis.of([value for value in axis.values if any(at[i] == value for at in there)])
            for i, axis in enumerate(axes)]


def _with_best(axes: list[Axis], twice: bool) -> list[Axis]:
    """Insert the axis of sizes after the contenders, whose labels it extends."""
    if twice:
        raise WeirError(diagnostic("E_USAGE", "", "--best excludes --aa", "leave out one of the two"))
    for axis in axes:
        if sizes.is_of_sizes(axis) and len(axis.values) > 1:
            raise WeirError(diagnostic("E_USAGE", "", f"--best searches for sizes, but the axis {axis.key} already has "
                                       f"{len(axis.values)} sizes", "give the axis one value"))
    behind = max((i + 1 for i, axis in enumerate(axes) if axis.has_contenders), default=0)
    both = (sizes.STATED, sizes.BEST)
    return [*axes[:behind], Axis(sizes.AXIS, both, both), *axes[behind:]]


def _chosen(sweeps: Sequence[Mapping], name: str | None, varied: bool) -> Mapping | None:
    if name is None:
        if not sweeps and not varied:
            raise WeirError(diagnostic("E_USAGE", "", "the project has no sweeps, and --vary is missing",
                                       "add axes, such as --vary stages=1,2,4 --vary deployment=flow,static"))
        return None if varied else sweeps[0]
    named = [sweep["name"] for sweep in sweeps]
    if name not in named:
        raise WeirError(diagnostic("E_USAGE", "", f"--sweep {name}: the project has no such sweep",
                                   did_you_mean(name, named) or "use --vary, which needs no sweep in the project"))
    return sweeps[named.index(name)]


def _of_option(text: str, document: Mapping) -> tuple[str, Axis]:
    """Return the key and its axis; percentages make an axis of loads."""
    key, equals, values = text.partition("=")
    if not equals or not key or not values:
        raise WeirError(diagnostic("E_USAGE", "", f"--vary {text}: expected key=value,value"))
    known, key = names(document), current_place(key)
    if not key.startswith("/") and key not in known:
        raise WeirError(diagnostic("E_SWEEP_KEY", "", f"--vary {key}: the project has no `{key}` to vary",
                                   did_you_mean(key, known)))
    texts = [d["name"] for d in document.get("deployments", ())] if (key, values) == (DEPLOYMENT, "*") \
        else _split(values, text)
    if double := next((one for one in texts if texts.count(one) > 1), None):
        raise WeirError(diagnostic("E_USAGE", "", f"--vary {text}: `{double}` appears twice"))
    if key in document.get("parameters", {}) and any(one.endswith("%") for one in texts):
        return key, _of_shares([_share(one, text) for one in texts])
    # Names stay strings, even if they look like other values: `true`, `1e3`.
    typed: Any = texts if key in (DEPLOYMENT, TRACE) else map(_value, texts)
    return key, Axis(key, tuple(typed), tuple(texts), parameter=is_parameter(key, document))


def _split(values: str, of: str) -> list[str]:
    """Return the texts of values between commas. Commas inside an object or a list belong to it."""
    found, rest = [], values
    while rest[:1] in ("{", "["):
        try:
            end = json.JSONDecoder().raw_decode(rest)[1]
        except (ValueError, RecursionError):
            end = -1
        if end < 0 or rest[end:end + 1] not in ("", ","):
            raise WeirError(diagnostic("E_USAGE", "", f"--vary {of}: `{rest}` is no JSON value",
                                       "an object or a list is JSON, and a comma is between two values"))
        found.append(rest[:end])
        if end == len(rest):
            return found
        rest = rest[end + 1:]
    first, comma, others = rest.partition(",")
    return [*found, first, *(_split(others, of) if comma else ())]


def _share(text: str, of: str) -> float:
    try:
        value = float(text.removesuffix("%")) / 100 if text.endswith("%") else math.nan
    except ValueError:
        value = math.nan
    if not 0 < value <= MOST_SHARE:
        raise WeirError(diagnostic("E_USAGE", "", f"--vary {of}: `{text}` is not a percentage such as 50%, up to "
                                   f"{100 * MOST_SHARE}%"))
    return value


def _value(text: str) -> Any:
    value, problems = jsontext.read(text)
    return text if problems else value


def check_references(document: Mapping, definition: SweepDefinition, cells: Sequence[Cell]) -> None:
    """Raise WeirError if a reference line of the sweep's figure cannot be evaluated at one of its points."""
    keys = [axis.key for axis in definition.axes]
    for i, sweep in enumerate(document.get("sweeps", ())):
        lines = sweep.get("plot", {}).get("reference", ()) if sweep["name"] == definition.name else ()
        for j, line in enumerate(lines):
            for cell in cells:
                reference_at(line["value"], keys, cell.values, definition.where.cpus, 1.0,
                             pointer("sweeps", i, "plot", "reference", j, "value"))
