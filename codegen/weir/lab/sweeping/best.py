"""Search for each contender's best sizes: candidates, number of runs, point of the search, and results.

A search is a separate sweep at one point of the other axes. Its folder is inside that of the sweep, and it can be
resumed like any sweep. Its runs are not in the sweep's table.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring.points import value_text
from weir.lab.sweeping import prediction
from weir.lab.sweeping.axes import MOST_BUFFER_BYTES, label
from weir.lab.sweeping.estimates import estimated
from weir.lab.sweeping.point import Axis, Cell
from weir.lab.sweeping.points import Points
from weir.lab.sweeping.ready import LeftOut, RunnablePoint
from weir.lab.sweeping.sizes import AUTO, AXIS, BEST, CHUNK_ITEMS, STATED, Sizes, with_sizes
from weir.lab.sweeping.table import VARIED, Row
from weir.lab.tuning.candidate import P99, THROUGHPUT
from weir.lab.tuning.space import CHUNK_FACTORS, RING_CHUNKS, decided
from weir.model.document.item_types import ITEM_TYPES
from weir.model.document.sweeps import BUFFER_BYTES
from weir.model.planning.plan import Plan
from weir.model.planning.probes import is_paced
from weir.sure import sure
from weir.tracers import RECORDING

#: Columns in the tables of a search, besides the axes of contenders.
COLUMNS = (VARIED + CHUNK_ITEMS, VARIED + BUFFER_BYTES)
_COLUMN = {THROUGHPUT: "throughput_items_per_s"}


@dataclass(frozen=True)
class Rung:
    """Stage of a search: `rounds` rounds of the remaining candidates. The best `kept` of each contender go on."""

    name: str
    rounds: int
    kept: int


RUNGS = (Rung("1", 2, 3), Rung("2", 4, 1))
QUICK_RUNGS = (Rung("1", 1, 1),)


#: Code of points without best sizes; their contender gives the reason once.
NOT_FOUND = "E_SWEEP_BEST"


@dataclass(frozen=True)
class SearchCandidate:
    """Candidate. `sizes`: None for the stated sizes. `contender`: its values on the axes of contenders. `number`:
    number of its cell in the search.
    """

    number: int
    contender: tuple[object, ...]
    sizes: Sizes | None
    opened: RunnablePoint

    @property
    def cell(self) -> Cell:
        """Return the cell for the tables of the search."""
        own = (None, None) if self.sizes is None else (self.sizes.chunk_items, self.sizes.buffer_bytes)
        of = self.opened.cell
        return Cell(self.number, of.deployment, of.sets, of.trace, (*self.contender, *own), (), of.buffers)


def middle(cells: Sequence[Cell], axes: Sequence[Axis]) -> list[Cell]:
    """Return the points of the search: with stated sizes, and at the middle value of every other axis. If some
    contenders lack that point, take the middle of the points that most contenders have.
    """
    others = [i for i, axis in enumerate(axes) if not axis.has_contenders and axis.key != AXIS]
    stated = [cell for cell in cells
              if all(axis.key != AXIS or value == STATED for axis, value in zip(axes, cell.values))]
    places: dict[str, list[Cell]] = {}
    for cell in stated:
        places.setdefault(value_text([cell.values[i] for i in others]), []).append(cell)
    most = max(map(len, places.values()), default=0)
    shared = [place for place, there in places.items() if len(there) == most]
    ideal = value_text([axes[i].values[len(axes[i].values) // 2] for i in others])
    return places[ideal if ideal in shared else shared[len(shared) // 2]] if shared else []


def point(tried: Sequence[SearchCandidate], axes: Sequence[Axis], names: Sequence[str]) -> dict[str, Any]:
    """Return the search's point by columns, without the sizes."""
    at = tried[0].opened.cell.values if tried else ()
    return {name: value for axis, name, value in zip(axes, names, at) if not axis.has_contenders and axis.key != AXIS}


def contender_of(cell: Cell, axes: Sequence[Axis]) -> tuple[object, ...]:
    """Return the values of a cell on the axes of contenders."""
    return tuple(value for value, axis in zip(cell.values, axes) if axis.has_contenders)


def grid(plan: Plan, settings: Sequence[str], quick: bool) -> list[Sizes]:
    """Return all combinations of the sizes of `weir tune` around the scheduler's own sizes in `plan`.

    `quick`: without buffer sizes. `settings`: settings of deployments that the target supports.
    """
    middle_chunk = max(1, int(statistics.median(block.chunk_items for block in plan.blocks)))
    chunks = [1 << max(1, int(middle_chunk * factor)).bit_length() - 1 for factor in sorted((*CHUNK_FACTORS, 1))]
    item = max((ITEM_TYPES[stream.item_type].size for stream in plan.streams), default=1)
    found = [Sizes(AUTO, AUTO)]
    if CHUNK_ITEMS in settings:
        found += [Sizes(chunk, AUTO) for chunk in chunks]
    if {CHUNK_ITEMS, "buffers"} <= set(settings) and not quick:
        found += [Sizes(chunk, rings * chunk * item) for chunk in chunks for rings in RING_CHUNKS
                  if rings * chunk * item <= MOST_BUFFER_BYTES]
    return list(dict.fromkeys(found))


def distinct(opened: Sequence[RunnablePoint]) -> Iterator[int]:
    """Yield the indices of points whose program differs from all before."""
    seen = set()
    for at, one in enumerate(opened):
        if (key := program_of(one)) not in seen:
            seen.add(key)
            yield at


def program_of(one: RunnablePoint) -> str:
    """Return a key that is equal for points that run the same program with the same sizes."""
    plan = one.planned.plan
    scheduler = one.pipeline.checked.catalog.schedulers[plan.scheduler]
    return decided(plan, {it.id for it in scheduler.parameters if it.structural})


def value(rows: Sequence[Row], goal: str) -> float | None:
    """Return the median rate in items/s or 99th percentile in ns, None if no run counts (all fell behind)."""
    kept_up = [row for row in rows if row["kept_up"] is not False]
    return estimated(kept_up, _COLUMN.get(goal, "latency_p99_ns")).value


def ranked(tried: Sequence[SearchCandidate], values: Mapping[int, float | None], goal: str) -> list[SearchCandidate]:
    """Return the candidates with a value, the best first; equal ones keep their order."""
    known = [one for one in tried if values[one.number] is not None]
    return sorted(known, key=lambda one: sure(values[one.number]) * (-1 if goal == THROUGHPUT else 1))


def by_contender(tried: Sequence[SearchCandidate]) -> list[list[SearchCandidate]]:
    """Return the candidates grouped by contender."""
    found: dict[str, list[SearchCandidate]] = {}
    for one in tried:
        found.setdefault(json.dumps(one.contender), []).append(one)
    return list(found.values())


def search_axes(tried: Sequence[SearchCandidate], axes: Sequence[Axis]) -> list[dict[str, Any]]:
    """Return the axes of the search for sweep.json."""
    cells = [one.cell for one in tried]
    keys = [*(axis.key for axis in axes if axis.has_contenders), CHUNK_ITEMS, BUFFER_BYTES]
    return [{"key": key, "values": [json.loads(text) for text in dict.fromkeys(json.dumps(c.values[i]) for c in cells)]}
            for i, key in enumerate(keys)]


def remarks(best: Mapping) -> list[str]:
    """Return the remarks on the search in sweep.json."""
    where = label(list(best["at"].values()), list(best["at"]))
    where = f" at {where}" if best["at"] else ""
    said = [f"best sizes by {best['goal']}: Weir searched for them{where} in {best['runs']} runs of "
            f"{best['measured_s']:.0f} s in all (seed {best['seed']}), which are in no figure; the sizes of {BEST} "
            "contenders differ on purpose, so Weir compares these contenders only with each other"]
    for it in best["contenders"]:
        name = label(list(it["values"].values()), list(it["values"])) if it["values"] else "all"
        of = f" (of {len(it['tried'])} candidates)"
        if it["as_stated"]:
            said.append(f"{name}, best: the stated sizes{of}; a difference between the two is noise")
        elif it["found"]:
            said.append(f"{name}, best: {Sizes(**it['found']).words()}{of}")
        else:
            said.append(f"{name}, best: not measured: {it['why']}")
    return said


#: Seconds of the search with `--quick`.
QUICK_SEARCH_S = 90.0


def candidates(points: Points, quick: bool, items: int | None = None) -> list[SearchCandidate]:
    """Return the candidates; with `quick`, as many for each contender as fit the time. `items`: of each source.

    Raises WeirError (E_SWEEP_BEST) if the goal cannot distinguish candidates.
    """
    found: list[SearchCandidate] = []
    chosen = {cell.number for cell in middle([one.cell for one in points.stated], points.definition.axes)}
    for one in points.stated:
        if one.cell.number not in chosen:
            continue
        _check(one, sure(points.definition.best))
        tried, opened = _tried(points, one, quick)
        contender = contender_of(one.cell, points.definition.axes)
        for at in distinct(opened):
            found.append(SearchCandidate(len(found), contender, tried[at], opened[at]))
    return _in_time(found, items) if quick else found


def _tried(points: Points, one: RunnablePoint, quick: bool) -> tuple[list[Sizes | None], list[RunnablePoint]]:
    """Return the sizes, None for the stated ones, and their points, without those that the scheduler rejects."""
    auto, _ = points.open([_sized(points, one.cell, Sizes(AUTO, AUTO))])
    plan = (auto or [one])[0].planned.plan
    settings = one.pipeline.checked.catalog.targets[plan.target].settings
    wanted = {at: it for at, it in enumerate(grid(plan, settings, quick))}
    opened, _ = points.open([replace(_sized(points, one.cell, it), number=at) for at, it in wanted.items()])
    return [None, *(wanted[it.cell.number] for it in opened)], [one, *opened]


def with_found(points: Points, found: Mapping) -> tuple[list[RunnablePoint], list[LeftOut]]:
    """Return the points with the best sizes of a search, and the points that are left out, with the reason."""
    by_contender = {value_text(list(it["values"].values())): it for it in found["contenders"]}
    cells, left_out = [], []
    for cell in points.best:
        it = by_contender.get(value_text(list(contender_of(cell, points.definition.axes))))
        if it and it["found"]:
            cells.append(_sized(points, cell, Sizes(**it["found"])))
        elif it and it["as_stated"]:
            cells.append(cell)
        else:
            left_out.append(LeftOut(cell, NOT_FOUND, it["why"] if it else "the search could not run on this machine"))
    opened, refused = points.open(cells)
    return opened, left_out + [LeftOut(cell, error.diagnostics[0].code, error.diagnostics[0].message)
                               for cell, error in refused]


def _sized(points: Points, cell: Cell, it: Sizes) -> Cell:
    return with_sizes(cell, it, points.deployments.index(cell.deployment))


def _in_time(tried: Sequence[SearchCandidate], items: int | None) -> list[SearchCandidate]:
    """Return as many candidates of each contender, at least two, as the prediction fits into the time."""
    each = by_contender(tried)
    for most in range(max(map(len, each), default=0), 2, -1):
        left = [one for of in each for one in of[:most]]
        if sum(prediction.seconds(one.opened.planned.plan, items) or 0.0 for one in left) <= QUICK_SEARCH_S:
            return left
    return [one for of in each for one in of[:2]]


def _check(one: RunnablePoint, goal: str) -> None:
    if goal == THROUGHPUT and is_paced(one.pipeline.checked.valid().graph):
        raise WeirError(diagnostic("E_SWEEP_BEST", "", "the sources are paced, so all sizes have the same throughput",
                                   f"use --best={P99} to search by latency"))
    plan = one.planned.plan
    if goal == P99 and (not plan.pairs or one.pipeline.tracer(plan, one.cell.trace) not in RECORDING):
        raise WeirError(diagnostic("E_SWEEP_BEST", "", f"--best={P99} needs latencies, but {plan.deployment.name} "
                                   "records none",
                                   "add --trace memory to record them, or use --best to search by throughput"))


def runs_of(tried: Sequence[SearchCandidate], quick: bool) -> list[tuple[SearchCandidate, float]]:
    """Return the average number of runs of each candidate; which ones go on is not known beforehand."""
    found = []
    for of in by_contender(tried):
        left, runs = len(of), 0
        for rung in QUICK_RUNGS if quick else RUNGS:
            runs += rung.rounds * left
            left = min(left, rung.kept)
        found += [(one, runs / len(of)) for one in of]
    return found
