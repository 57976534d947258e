"""Search the sustainable rates of a sweep's contenders before the sweep, like `weir rate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring.disk_watch import runs_folder
from weir.lab.rating.answer import RateAnswer
from weir.lab.rating.offering import shares
from weir.lab.rating.rate import Rate, RateRequest
from weir.lab.rating.search import Goal, RateBounds
from weir.lab.sweeping import best, ready, state
from weir.lab.sweeping.axes import columns, label
from weir.lab.sweeping.listener import SweepListener
from weir.lab.sweeping.loads import AXIS, FULL, QUICK, Loads
from weir.lab.sweeping.points import Points
from weir.lab.sweeping.ready import RunnablePoint
from weir.lab.sweeping.request import SweepRequest
from weir.model.planning.prediction import offered_items
from weir.model.planning.probes import origins
from weir.sure import sure
from weir.tracers import RECORDING

#: Maximum relative error of an offered load; rates may be rounded to whole numbers.
NEAR = 0.01


def places(points: Points) -> dict[str, RunnablePoint]:
    """Return deployment to search -> point of the search, the middle of the other axes."""
    definition = points.definition
    middle = {cell.number for cell in best.middle([one.cell for one in points.stated], definition.axes)}
    found: dict[str, RunnablePoint] = {}
    for one in [*(one for one in points.stated if one.cell.number in middle), *points.stated]:
        found.setdefault(one.planned.plan.deployment.name, one)
    return {name: found[name] for name in sure(definition.loads).searched(list(found))}


def check(points: Points, params: Sequence[str]) -> None:
    """Raise WeirError if shares of a load cannot be offered: the rates must be proportional to the parameter, and no
    axis and no option may change them. `params`: of the command line.
    """
    if not points.stated:
        unfit = points.unfit[0]
        raise WeirError(diagnostic(unfit.code, "", f"this machine can run none of the points: {unfit.message}"))
    of, names = sure(points.definition.loads), columns(points.definition.axes)
    first, *others = points.stated
    value, offered = _offered(first, of)
    for one in others:
        its_value, its = _offered(one, of)
        if abs(its / its_value - offered / value) > NEAR * offered / value:
            raise WeirError(diagnostic("E_SWEEP_LOADS", of.place, f"the offered load depends on more than "
                                       f"{of.parameter}: at {of.parameter}={value:g}, it is {its:.4g} items/s at "
                                       f"{label(one.cell.values, names)} and {offered:.4g} items/s at "
                                       f"{label(first.cell.values, names)}", "the other axes must not change the load"))
    for times in (2.0, 0.5):  # one of them may be outside the parameter's limits
        opened, _ = points.open([replace(first.cell, sets={**first.cell.sets, of.parameter: repr(times * value)})])
        if opened and abs(_offered(opened[0], of)[1] - times * offered) > NEAR * times * offered:
            raise WeirError(diagnostic("E_SWEEP_LOADS", of.place, f"{times:g} times {of.parameter} does not offer "
                                       f"{times:g} times the load", "make the rate of every pacing block proportional "
                                       f"to {of.parameter}"))
    rates = {f"{i.block_id}.rate" for i in origins(first.pipeline.checked.valid().graph)}
    for text in params:
        if text.partition("=")[0].strip() in rates:
            raise WeirError(diagnostic("E_USAGE", "", f"--param {text} and the loads of the sweep set the same rate",
                                       "leave out one of the two"))


def searched(request: SweepRequest, points: Points, out: Path, machine: Mapping,
             listener: SweepListener) -> Mapping[str, Any]:
    """Search the sustainable rates, and return the loads for sweep.json. Intermediate results are in `out`, the folder
    of the sweep.

    Raises WeirError if the named contender, or none at all, sustains a load; KeyboardInterrupt if it was interrupted.
    """
    of, at = sure(points.definition.loads), places(points)
    trial_s, budget_s = of.trial_s(request.quick), of.budget_s(request.quick, len(at))
    _, sum_s, exceed, width, _ = QUICK if request.quick else FULL
    goal = Goal(of.loss, trial_s, max(sum_s, trial_s), exceed, width)
    found: list[Mapping[str, Any]] = []
    loads = {"parameter": of.parameter, "of": of.of,
             "goal": {"latency_s": of.latency_s, **asdict(goal)}, "found": found}
    programs: dict[str, str] = {}
    known = state.known_loads(state.read_loads(out), machine, loads,
                              lambda name: _program(at[name]) if name in at else "")
    for name, one in at.items():
        if name in known:
            found.append(known[name])
            programs[name] = _program(one)
            continue
        listener.say(f"{name}: searching for the sustainable rate, in at most {budget_s:.0f} s")
        try:
            it = _rated(request, of, one, name, goal, budget_s, listener)
            if it.interrupted:
                raise KeyboardInterrupt
            why = _why_not(it.found)
            value = None if why else _value(one, of, sure(it.found.lower))
            found.append(_found(name, it.found, it.seconds, value, why))
            programs[name] = _program(one)
        except WeirError as error:
            if of.of:
                raise
            found.append(_found(name, None, 0.0, None, error.diagnostics[0].message))
        state.write_loads(out, request.as_json(), machine, loads, programs)
        if found[-1]["why"]:
            listener.say(f"{name}: not measured: {found[-1]['why']}")
    if all(it["value"] is None for it in found):
        whose = "none of the contenders sustains any load" if of.of is None else f"{of.of} sustains no load"
        raise WeirError(diagnostic("E_SWEEP_LOADS", of.place, f"{whose}: {found[0]['deployment']}: {found[0]['why']}",
                                   "`weir rate` shows the trials; a higher `loss` in `loads` relaxes the goal"))
    return loads


def _program(one: RunnablePoint) -> str:
    """Return the hashes of plan and program, "" if the build fails. The search has built it already."""
    made, _ = ready.built([one], lambda _: "", lambda _: None)
    return f"{one.planned.plan.hash} {made[0][1].program.hash}" if made else ""


def _found(name: str, it: RateBounds | None, seconds: float, value: float | None, why: str) -> dict[str, Any]:
    trials = it.trials if it else ()
    return {"deployment": name, "lower_items_per_s": it and it.lower, "upper_items_per_s": it and it.upper,
            "irregular": bool(it and it.irregular), "trials": len(trials),
            "disturbed": sum(trial.disturbed for trial in trials), "measured_s": round(seconds, 1), "value": value,
            "why": why}


def _why_not(it: RateBounds) -> str:
    """Return the reason why a sustainable rate is unknown, or ""."""
    if it.irregular:
        return "no load is sustained, or only loads above one that is not sustained"
    return "" if it.lower is not None else "the time was too short to find a sustained load"


def _rated(request: SweepRequest, of: Loads, one: RunnablePoint, name: str, goal: Goal, budget_s: float,
           listener: SweepListener) -> RateAnswer:
    trace = one.cell.trace if one.cell.trace in RECORDING else None
    with runs_folder(None, "weir-sweep-") as out:
        rate_request = RateRequest(name, of.latency_s, goal, budget_s, trace, request.params, out,
                                   f"weir rate {request.project}", request.machine, curve=False)
        return Rate(rate_request, one.pipeline, listener.say, listener.warns,
                    lambda made, planned: listener.needs(made, [planned.plan]),
                    lambda trial, left_s: listener.tried(trial, left_s, name)).go()


def _offered(one: RunnablePoint, of: Loads) -> tuple[float, float]:
    """Return the parameter's value in the project, and the load in items/s that it offers.

    Raises WeirError (E_SWEEP_LOADS) if shares of it cannot be offered.
    """
    checked = one.pipeline.checked.valid()
    value, offered = checked.project.parameters[of.parameter], offered_items(checked.graph)
    if not offered or value <= 0:
        why = "a source runs flat out" if offered is None else f"{of.parameter} is {value}"
        raise WeirError(diagnostic("E_SWEEP_LOADS", of.place, f"cannot offer shares of a load: {why}",
                                   "add a block `pace` after each source, with the parameter as its rate"))
    parts = shares(checked.graph, checked.rates)  # a search offers the same shares
    for i in origins(checked.graph):
        if abs(i.parameters["rate"] / offered - parts[i.block_id]) > NEAR * parts[i.block_id]:
            raise WeirError(diagnostic("E_SWEEP_LOADS", of.place, f"{i.block_id} gets {i.parameters['rate']:g} of "
                                       f"{offered:g} items/s, but a search offers equal loads to unconnected parts of "
                                       "a flowgraph", "put each part into its own project"))
    return float(value), offered


def _value(one: RunnablePoint, of: Loads, load: float) -> float:
    """Return the parameter's value at which this load in items/s is offered."""
    value, offered = _offered(one, of)
    return value * load / offered


def check_offered(points: Points, found: Mapping) -> None:
    """Raise WeirError (E_SWEEP_LOADS) if the load of a point differs from its share."""
    names = columns(points.definition.axes)
    of, at = sure(points.definition.loads), names.index(AXIS)
    sustained = {it["deployment"]: it["lower_items_per_s"] for it in found["found"]}
    for one in points.stated:
        _, offered = _offered(one, of)
        wanted = sustained[of.of or one.planned.plan.deployment.name] * one.cell.values[at]
        if abs(offered - wanted) > NEAR * wanted:
            raise WeirError(diagnostic("E_SWEEP_LOADS", of.place, f"the load at {label(one.cell.values, names)} is "
                                       f"{offered:.4g} items/s instead of {wanted:.4g} items/s",
                                       f"check whether {of.parameter} is rounded"))
