"""What contenders of `weir sweep` sustain, searched for as `weir rate` does, before anything of it is measured."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from weir.diagnostics import WeirError, diagnostic
from weir.sweeping.loads import AXIS
from weir.verbs import say, show
from weir.verbs._rate_progress import RateProgress
from weir.verbs._running import offer_runtimes, runs_folder

#: What is offered may differ by so much from what is wanted, as rates may be whole numbers.
NEAR = 0.01

if TYPE_CHECKING:
    from weir.rating.answer import Rated
    from weir.sweeping.loads import Loads
    from weir.sweeping.ready import Opened
    from weir.verbs._sweep_best import Points


def places(points: Points) -> dict[str, Opened]:
    """By deployment to search, the point at which that is done: the middle of the other axes."""
    from weir.sweeping import best

    asked = points.asked
    middle = {cell.number for cell in best.middle([one.cell for one in points.stated], asked.axes)}
    found: dict[str, Opened] = {}
    for one in [*(one for one in points.stated if one.cell.number in middle), *points.stated]:
        found.setdefault(str(one.planned.plan.deployment.name), one)
    return {name: found[name] for name in asked.loads.searched(list(found))}


def check(points: Points) -> None:
    """WeirError where no share of anything could be offered."""
    for one in places(points).values():
        _offered(one, points.asked.loads)


def budget_s(count: int, quick: bool) -> float:
    """Of each of so many searches, at most."""
    from weir.sweeping import loads

    return loads.QUICK_BUDGET_S / max(1, count) if quick else loads.BUDGET_S


def searched(args: argparse.Namespace, points: Points) -> Mapping[str, object]:
    """What sweep.json has. WeirError (E_SWEEP_LOADS) where the named contender sustains nothing, or none does;
    KeyboardInterrupt where it was interrupted.
    """
    from weir.sweeping import loads

    of, at = points.asked.loads, places(points)
    goal, found = of.goal(args.quick), []
    for name, one in at.items():
        if not args.progress:
            say(f"{name}: what it sustains, at most {budget_s(len(at), args.quick):.0f} s")
        it = _rated(args, of, one, name, budget_s(len(at), args.quick))
        if it.interrupted:
            raise KeyboardInterrupt
        found.append((name, it, _value(one, of, it.found.lower) if it.ok else None))
    if not any(value is not None for _, _, value in found):
        whose = "none of the contenders sustains any load" if of.of is None else f"{of.of} sustains no load"
        raise WeirError(diagnostic("E_SWEEP_LOADS", of.place, f"{whose}: {loads.unfound(found[0][1].found.irregular)}",
                                   "`weir rate` says more; `latency` and `loss` of its `loads` may ask for less"))
    return loads.as_json(of, goal, found)


def _rated(args: argparse.Namespace, of: Loads, one: Opened, name: str, budget: float) -> Rated:
    from weir.rating.rate import Asked, Rate

    progress = RateProgress(bool(args.progress))
    named = one.pipeline.checked.project.document.get("deployments")
    with runs_folder(None, "weir-sweep-") as out:
        asked = Asked(name if named else None, of.latency_s, of.goal(args.quick), budget, one.cell.trace,
                      tuple(args.params), out, f"weir rate {args.project}", args.machine)
        return Rate(asked, one.pipeline, progress.say, lambda said: show(said, args.project),
                    lambda made, planned: offer_runtimes(made, [planned.plan]), progress.tried).go()


def _offered(one: Opened, of: Loads) -> tuple[float, float]:
    """The parameter as the project has it, and what is offered then in items/s.

    WeirError (E_SWEEP_LOADS) where what is offered does not go by it.
    """
    from weir.planning.prediction import offered_items

    checked = one.pipeline.checked
    value, offered = checked.project.parameters[of.parameter], offered_items(checked.graph)
    if not offered or value <= 0:
        why = "a source runs flat out" if offered is None else f"{of.parameter} is {value}"
        raise WeirError(diagnostic("E_SWEEP_LOADS", of.place, f"no share of a load can be offered: {why}",
                                   "a block `pace` behind a source gives it a rate, which may be a parameter's"))
    return float(value), offered


def _value(one: Opened, of: Loads, load: float) -> float:
    """What the parameter is where so many items/s are offered, which go up with it."""
    value, offered = _offered(one, of)
    return value * load / offered


def check_offered(points: Points, found: Mapping) -> None:
    """WeirError (E_SWEEP_LOADS) where a point offers another load than the share that it is of."""
    from weir.sweeping.axes import columns, label

    names = columns(points.asked.axes)
    of, at = points.asked.loads, names.index(AXIS)
    sustained = {it["deployment"]: it["lower_items_per_s"] for it in found["found"]}
    for one in points.stated:
        _, offered = _offered(one, of)
        wanted = sustained[of.of or one.planned.plan.deployment.name] * one.cell.values[at]
        if abs(offered - wanted) > NEAR * wanted:
            raise WeirError(diagnostic("E_SWEEP_LOADS", of.place, f"at {label(one.cell.values, names)} {offered:.4g} "
                                       f"items/s are offered, and not {wanted:.4g}: it does not go by {of.parameter} "
                                       "alone", "the rates of all blocks that pace must be multiples of it"))
