"""The candidates of `weir sweep --best`: which sizes each contender is tried with, and how often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring.points import value_text
from weir.lab.sweeping import best, prediction, sizes
from weir.lab.sweeping.best import Tried
from weir.lab.sweeping.point import Cell
from weir.lab.sweeping.points import Points
from weir.lab.sweeping.ready import LeftOut, Opened
from weir.lab.sweeping.sizes import Sizes
from weir.lab.tuning.candidate import P99, THROUGHPUT
from weir.model.planning.probes import is_paced
from weir.sure import sure
from weir.tracers import RECORDING

#: What `--quick` has for the search.
QUICK_SEARCH_S = 90.0


def candidates(points: Points, quick: bool, items: int | None = None) -> list[Tried]:
    """What is tried; `quick`: as many for each contender as there is time for. `items`: of each source.

    WeirError (E_SWEEP_BEST) where nothing could be told apart by what is searched for.
    """
    found: list[Tried] = []
    chosen = {cell.number for cell in best.middle([one.cell for one in points.stated], points.asked.axes)}
    for one in points.stated:
        if one.cell.number not in chosen:
            continue
        _check(one, sure(points.asked.best))
        tried, opened = _tried(points, one, quick)
        contender = best.contender_of(one.cell, points.asked.axes)
        for at in best.distinct(opened):
            found.append(Tried(len(found), contender, tried[at], opened[at]))
    return _in_time(found, items) if quick else found


def _tried(points: Points, one: Opened, quick: bool) -> tuple[list[Sizes | None], list[Opened]]:
    """The sizes, None for the stated ones, and their points; without those that the scheduler refuses."""
    auto, _ = points.open([_sized(points, one.cell, Sizes(sizes.AUTO, sizes.AUTO))])
    plan = (auto or [one])[0].planned.plan
    settings = one.pipeline.checked.catalog.targets[plan.target].settings
    wanted = {at: it for at, it in enumerate(best.grid(plan, settings, quick))}
    opened, _ = points.open([replace(_sized(points, one.cell, it), number=at) for at, it in wanted.items()])
    return [None, *(wanted[it.cell.number] for it in opened)], [one, *opened]


def with_found(points: Points, found: Mapping) -> tuple[list[Opened], list[LeftOut]]:
    """The points of the best sizes, which a search has found; and those that are not measured, and why."""
    by_contender = {value_text(list(it["values"].values())): it for it in found["contenders"]}
    cells, left_out = [], []
    for cell in points.best:
        it = by_contender.get(value_text(list(best.contender_of(cell, points.asked.axes))))
        if it and it["found"]:
            cells.append(_sized(points, cell, Sizes.of(it["found"])))
        elif it and it["as_stated"]:
            cells.append(cell)
        else:
            left_out.append(LeftOut(cell, best.NOT_FOUND, it["why"] if it else "it could not be searched for here"))
    opened, refused = points.open(cells)
    return opened, left_out + [LeftOut(cell, error.diagnostics[0].code, error.diagnostics[0].message)
                               for cell, error in refused]


def _sized(points: Points, cell: Cell, it: Sizes) -> Cell:
    return sizes.with_sizes(cell, it, points.deployments.index(cell.deployment))


def _in_time(tried: Sequence[Tried], items: int | None) -> list[Tried]:
    """So many of each contender, two at least, as are predicted to be measured in time."""
    each = best.by_contender(tried)
    for most in range(max(map(len, each), default=0), 2, -1):
        left = [one for of in each for one in of[:most]]
        if sum(prediction.seconds(one.opened.planned.plan, items) or 0.0 for one in left) <= QUICK_SEARCH_S:
            return left
    return [one for of in each for one in of[:2]]


def _check(one: Opened, goal: str) -> None:
    if goal == THROUGHPUT and is_paced(one.pipeline.checked.valid().graph):
        raise WeirError(diagnostic("E_SWEEP_BEST", "", "the sources are paced: every size has the throughput that they "
                                   "offer", f"--best={P99} searches for latency"))
    plan = one.planned.plan
    if goal == P99 and (not plan.pairs or one.pipeline.tracer(plan, one.cell.trace) not in RECORDING):
        raise WeirError(diagnostic("E_SWEEP_BEST", "", f"no latency is measured where the sizes of "
                                   f"{plan.deployment.name} would be searched by it",
                                   "--trace memory measures it, and --best searches by throughput"))


def runs_of(tried: Sequence[Tried], quick: bool) -> list[tuple[Tried, float]]:
    """How often each candidate is run, on the average: which ones go on is not known before."""
    found = []
    for of in best.by_contender(tried):
        left, runs = len(of), 0
        for rung in best.QUICK_RUNGS if quick else best.RUNGS:
            runs += rung.blocks * left
            left = min(left, rung.kept)
        found += [(one, runs / len(of)) for one in of]
    return found
