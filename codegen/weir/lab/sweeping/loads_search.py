"""Searches for what the contenders of a sweep sustain, as `weir rate` does, before anything of it is measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring.disk_watch import runs_folder
from weir.lab.rating.answer import Rated
from weir.lab.rating.offering import shares
from weir.lab.rating.rate import Asked, Rate
from weir.lab.rating.search import Answer, Goal
from weir.lab.sweeping import best, ready, state
from weir.lab.sweeping.axes import columns, label
from weir.lab.sweeping.loads import AXIS, FULL, QUICK, Loads
from weir.lab.sweeping.points import Points
from weir.lab.sweeping.ready import Opened
from weir.lab.sweeping.request import SweepRequest
from weir.lab.sweeping.told import Told
from weir.model.planning.prediction import offered_items
from weir.model.planning.probes import origins
from weir.sure import sure
from weir.tracers import RECORDING

#: What is offered may differ by so much from what is wanted, as rates may be whole numbers.
NEAR = 0.01


def places(points: Points) -> dict[str, Opened]:
    """By deployment to search, the point at which that is done: the middle of the other axes."""
    asked = points.asked
    middle = {cell.number for cell in best.middle([one.cell for one in points.stated], asked.axes)}
    found: dict[str, Opened] = {}
    for one in [*(one for one in points.stated if one.cell.number in middle), *points.stated]:
        found.setdefault(one.planned.plan.deployment.name, one)
    return {name: found[name] for name in sure(asked.loads).searched(list(found))}


def check(points: Points, params: Sequence[str]) -> None:
    """WeirError where no share of anything could be offered: rates have to go by the parameter, and by nothing else
    that is varied or asked for. `params`: of the command line.
    """
    if not points.stated:
        unfit = points.unfit[0]
        raise WeirError(diagnostic(unfit.code, "", f"none of its points can be run here: {unfit.message}"))
    of, names = sure(points.asked.loads), columns(points.asked.axes)
    first, *others = points.stated
    value, offered = _offered(first, of)
    for one in others:
        its_value, its = _offered(one, of)
        if abs(its / its_value - offered / value) > NEAR * offered / value:
            raise WeirError(diagnostic("E_SWEEP_LOADS", of.place, f"what is offered does not go by {of.parameter} "
                                       f"alone: with {of.parameter}={value:g} it is {its:.4g} items/s at "
                                       f"{label(one.cell.values, names)}, and {offered:.4g} at "
                                       f"{label(first.cell.values, names)}", "what else is varied must not change it"))
    for times in (2.0, 0.5):  # one of them may be out of bounds
        opened, _ = points.open([replace(first.cell, sets={**first.cell.sets, of.parameter: repr(times * value)})])
        if opened and abs(_offered(opened[0], of)[1] - times * offered) > NEAR * times * offered:
            raise WeirError(diagnostic("E_SWEEP_LOADS", of.place, f"{times:g} times {of.parameter} is not {times:g} "
                                       "times what is offered", "the rates of all blocks that pace must go by it"))
    rates = {f"{i.block_id}.rate" for i in origins(first.pipeline.checked.valid().graph)}
    for text in params:
        if text.partition("=")[0].strip() in rates:
            raise WeirError(diagnostic("E_USAGE", "", f"--param {text} and the loads of the sweep say the same",
                                       "leave one of them out"))


def searched(request: SweepRequest, points: Points, out: Path, machine: Mapping, told: Told) -> Mapping[str, Any]:
    """What sweep.json has of it. What was found so far is in `out`, the folder of the sweep.

    WeirError where the named contender sustains nothing, or none does; KeyboardInterrupt where it was interrupted.
    """
    of, at = sure(points.asked.loads), places(points)
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
        told.say(f"{name}: what it sustains, in {budget_s:.0f} s at most")
        try:
            it = _rated(request, of, one, name, goal, budget_s, told)
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
            told.say(f"{name}: not measured: {found[-1]['why']}")
    if all(it["value"] is None for it in found):
        whose = "none of the contenders sustains any load" if of.of is None else f"{of.of} sustains no load"
        raise WeirError(diagnostic("E_SWEEP_LOADS", of.place, f"{whose}: {found[0]['deployment']}: {found[0]['why']}",
                                   "`weir rate` says more of it; `loss` of the sweep's `loads` may ask for less"))
    return loads


def _program(one: Opened) -> str:
    """Its plan and what was compiled of it, by their hashes; "" where it cannot be built. A search has built it."""
    made, _ = ready.built([one], lambda _: "", lambda _: None)
    return f"{one.planned.plan.hash} {made[0][1].program.hash}" if made else ""


def _found(name: str, it: Answer | None, seconds: float, value: float | None, why: str) -> dict[str, Any]:
    trials = it.trials if it else ()
    return {"deployment": name, "lower_items_per_s": it and it.lower, "upper_items_per_s": it and it.upper,
            "irregular": bool(it and it.irregular), "trials": len(trials),
            "disturbed": sum(trial.disturbed for trial in trials), "measured_s": round(seconds, 1), "value": value,
            "why": why}


def _why_not(it: Answer) -> str:
    """Nothing is a share of what is not known; "" where it is."""
    if it.irregular:
        return "no load was good, or the good ones are above others that are not"
    return "" if it.lower is not None else "no good load was found in the time that there was"


def _rated(request: SweepRequest, of: Loads, one: Opened, name: str, goal: Goal, budget_s: float, told: Told) -> Rated:
    trace = one.cell.trace if one.cell.trace in RECORDING else None
    with runs_folder(None, "weir-sweep-") as out:
        asked = Asked(name, of.latency_s, goal, budget_s, trace, request.params, out,
                      f"weir rate {request.project}", request.machine, curve=False)
        return Rate(asked, one.pipeline, told.say, told.warns, lambda made, planned: told.needs(made, [planned.plan]),
                    lambda trial, left_s: told.tried(trial, left_s, name)).go()


def _offered(one: Opened, of: Loads) -> tuple[float, float]:
    """The parameter as the project has it, and what is offered then in items/s.

    WeirError (E_SWEEP_LOADS) where no share of it could be.
    """
    checked = one.pipeline.checked.valid()
    value, offered = checked.project.parameters[of.parameter], offered_items(checked.graph)
    if not offered or value <= 0:
        why = "a source runs flat out" if offered is None else f"{of.parameter} is {value}"
        raise WeirError(diagnostic("E_SWEEP_LOADS", of.place, f"no share of a load can be offered: {why}",
                                   "a block `pace` behind a source gives it a rate, which may be a parameter's"))
    parts = shares(checked.graph, checked.rates)  # as a search offers them
    for i in origins(checked.graph):
        if abs(i.parameters["rate"] / offered - parts[i.block_id]) > NEAR * parts[i.block_id]:
            raise WeirError(diagnostic("E_SWEEP_LOADS", of.place, f"{i.block_id} is offered {i.parameters['rate']:g} "
                                       f"of {offered:g} items/s, and a search for what is sustained offers parts of a "
                                       "graph that nothing connects alike", "a project for each of them"))
    return float(value), offered


def _value(one: Opened, of: Loads, load: float) -> float:
    """What the parameter is where so many items/s are offered, which go up with it."""
    value, offered = _offered(one, of)
    return value * load / offered


def check_offered(points: Points, found: Mapping) -> None:
    """WeirError (E_SWEEP_LOADS) where a point offers another load than the share that it is of."""
    names = columns(points.asked.axes)
    of, at = sure(points.asked.loads), names.index(AXIS)
    sustained = {it["deployment"]: it["lower_items_per_s"] for it in found["found"]}
    for one in points.stated:
        _, offered = _offered(one, of)
        wanted = sustained[of.of or one.planned.plan.deployment.name] * one.cell.values[at]
        if abs(offered - wanted) > NEAR * wanted:
            raise WeirError(diagnostic("E_SWEEP_LOADS", of.place, f"at {label(one.cell.values, names)} {offered:.4g} "
                                       f"items/s are offered, and not {wanted:.4g}", f"{of.parameter} may be rounded"))
