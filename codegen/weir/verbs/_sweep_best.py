"""The search of `weir sweep --best`, from what the sweep has planned to what is written into its sweep.json."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from weir.diagnostics import Diagnostic, WeirError, diagnostic
from weir.sure import sure
from weir.tracers import RECORDING
from weir.tuning.candidate import P99, THROUGHPUT

if TYPE_CHECKING:
    from weir.catalog import Catalog
    from weir.measuring.runnable import Runnable, RunOptions
    from weir.sweeping.axes import Asked
    from weir.sweeping.best import Tried
    from weir.sweeping.point import Cell
    from weir.sweeping.ready import LeftOut, Opened
    from weir.sweeping.sizes import Sizes
    from weir.sweeping.state import State
    from weir.verbs._sweep_progress import SweepProgress

#: What `--quick` has for the search.
QUICK_SEARCH_S = 90.0


@dataclass(frozen=True)
class Points:
    """`stated`: those with the sizes of the sweep; `best`: those that are to have a contender's own; `open`: plans some
    of them; `deployments`: their names, as the project has them; `unfit`: left out, as this machine lacks their CPUs;
    `said`: what planning them had to say, by code and message.
    """

    asked: Asked
    stated: Sequence[Opened]
    best: Sequence[Cell]
    open: Callable[[Sequence[Cell]], tuple[list[Opened], list[tuple[Cell, WeirError]]]]
    deployments: Sequence[str]
    unfit: Sequence[LeftOut] = ()
    said: Mapping[tuple[str, str], Diagnostic] = field(default_factory=dict)

    def candidates(self, quick: bool, items: int | None = None) -> list[Tried]:
        """What is tried; `quick`: as many for each contender as there is time for. `items`: of each source.

        WeirError (E_SWEEP_BEST) where nothing could be told apart by what is searched for.
        """
        from weir.sweeping import best

        found: list[Tried] = []
        chosen = {cell.number for cell in best.middle([one.cell for one in self.stated], self.asked.axes)}
        for one in self.stated:
            if one.cell.number not in chosen:
                continue
            _check(one, sure(self.asked.best))
            sizes, opened = self._tried(one, quick)
            contender = best.contender_of(one.cell, self.asked.axes)
            for at in best.distinct(opened):
                found.append(best.Tried(len(found), contender, sizes[at], opened[at]))
        return _in_time(found, items) if quick else found

    def _tried(self, one: Opened, quick: bool) -> tuple[list[Sizes | None], list[Opened]]:
        """The sizes, None for the stated ones, and their points; without those that the scheduler refuses."""
        from weir.sweeping import best, sizes

        auto, _ = self.open([self._with(one.cell, sizes.Sizes(sizes.AUTO, sizes.AUTO))])
        plan = (auto or [one])[0].planned.plan
        settings = one.pipeline.checked.catalog.targets[plan.target].settings
        wanted = {at: it for at, it in enumerate(best.grid(plan, settings, quick))}
        opened, _ = self.open([replace(self._with(one.cell, it), number=at) for at, it in wanted.items()])
        return [None, *(wanted[it.cell.number] for it in opened)], [one, *opened]

    def with_found(self, found: Mapping) -> tuple[list[Opened], list[LeftOut]]:
        """The points of the best sizes, which a search has found; and those that are not measured, and why."""
        from weir.measuring.points import value_text
        from weir.sweeping import best
        from weir.sweeping.ready import LeftOut
        from weir.sweeping.sizes import Sizes

        by_contender = {value_text(list(it["values"].values())): it for it in found["contenders"]}
        cells, left_out = [], []
        for cell in self.best:
            it = by_contender.get(value_text(list(best.contender_of(cell, self.asked.axes))))
            if it and it["found"]:
                cells.append(self._with(cell, Sizes.of(it["found"])))
            elif it and it["as_stated"]:
                cells.append(cell)
            else:
                left_out.append(LeftOut(cell, best.NOT_FOUND, it["why"] if it else "it could not be searched for here"))
        opened, refused = self.open(cells)
        return opened, left_out + [LeftOut(cell, error.diagnostics[0].code, error.diagnostics[0].message)
                                   for cell, error in refused]

    def _with(self, cell: Cell, it: Sizes) -> Cell:
        from weir.sweeping.sizes import with_sizes

        return with_sizes(cell, it, self.deployments.index(cell.deployment))


def _in_time(tried: Sequence[Tried], items: int | None) -> list[Tried]:
    """So many of each contender, two at least, as are predicted to be measured in time."""
    from weir.sweeping import best, prediction

    each = best.by_contender(tried)
    for most in range(max(map(len, each), default=0), 2, -1):
        left = [one for of in each for one in of[:most]]
        if sum(prediction.seconds(one.opened.planned.plan, items) or 0.0 for one in left) <= QUICK_SEARCH_S:
            return left
    return [one for of in each for one in of[:2]]


def _check(one: Opened, goal: str) -> None:
    from weir.planning.probes import is_paced

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
    from weir.sweeping import best

    found = []
    for of in best.by_contender(tried):
        left, runs = len(of), 0
        for rung in best.QUICK_RUNGS if quick else best.RUNGS:
            runs += rung.blocks * left
            left = min(left, rung.kept)
        found += [(one, runs / len(of)) for one in of]
    return found


def searched(points: Points, tried: Sequence[Tried], at: State, quick: bool, options: RunOptions, catalog: Catalog,
             progress: SweepProgress,
             command: Callable[[Cell], str]) -> tuple[State, list[tuple[Cell, Runnable]], float]:
    """The sweep with what was found, its points of the best sizes, and the seconds that measuring took.

    KeyboardInterrupt where it was interrupted.
    """
    from weir.sweeping import best, ready
    from weir.sweeping.searching import Search, point_of
    from weir.sweeping.state import State

    built, _ = ready.built([replace(one.opened, cell=one.cell) for one in tried], command, progress.builds)
    progress.say(f"searching for the best sizes of {len(best.by_contender(tried))} contenders: {len(tried)} candidates")
    search = Search(at, points.asked.axes, sure(points.asked.best), best.QUICK_RUNGS if quick else best.RUNGS,
                    {cell.number: it for cell, it in built}, options, catalog, progress.listener, progress.ran,
                    partial(progress.begins, phase="search"))
    begun = time.monotonic()
    found = search.go_on(tried)
    searched_s = time.monotonic() - begun
    if found is None:
        raise KeyboardInterrupt
    opened, left_out = points.with_found(found)
    more, not_here = ready.built(opened, command, progress.builds)
    names = at.value["columns"]
    grown = State(at.folder, {
        **at.value, "best": found,
        "points": sorted([*at.value["points"], *(point_of(cell, names, it) for cell, it in more)],
                         key=lambda point: point["number"]),
        "left_out": [*at.value["left_out"], *(it.as_json(names) for it in (*left_out, *not_here))]})
    grown.write()
    return grown, more, searched_s
