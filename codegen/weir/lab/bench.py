"""Weir's own benchmark: sweeps of its projects, measured cell by cell, with one row for each contender.

A cell is a work with `n` workers and `m` stages. One sweep measures its contenders in rounds of random order; one of
them is a plain loop without a runtime.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from weir import ROOT
from weir.diagnostics import WeirError, diagnostic
from weir.engine.pipeline import Pipeline
from weir.lab.sweeping import prediction
from weir.lab.sweeping.answer import SweepAnswer
from weir.lab.sweeping.axes import label
from weir.lab.sweeping.estimates import baseline_of
from weir.lab.sweeping.experiment import Experiment, Place
from weir.lab.sweeping.listener import SweepListener
from weir.lab.sweeping.point import CONTENDERS, Axis
from weir.lab.sweeping.point import Cell as Point
from weir.lab.sweeping.points import Points
from weir.lab.sweeping.ready import RunnablePoint
from weir.lab.sweeping.record import axes_of
from weir.lab.sweeping.request import SweepRequest
from weir.lab.sweeping.table import Row as Run
from weir.lab.sweeping.table import bare_items_per_s
from weir.lab.works import KERNEL, LOOP, QUICK_ROUNDS, ROUNDS, WORKS, Part
from weir.model.document.sweeps import BUFFER_BYTES
from weir.read.comparing.statistics import Estimate, compare_paired
from weir.read.reporting.quantities import MISSING, aligned, binary, duration, si
from weir.sure import sure

#: Measured seconds to build a program, in parallel with other builds on 2 CPUs.
BUILD_S = 4.0
#: Axes that distinguish cells, by their names in projects.
WORKERS, STAGES = "workers", "stages"
#: Contender of the baseline row.
BARE = "bare"
#: Values of `Row.buffers`: each contender's own sizes, or one size for all.
AUTO, EQUAL = "auto", "equal"
LATENCIES = ("p50_ns", "p95_ns", "p99_ns", "max_ns")


@dataclass(frozen=True)
class Cell:
    """Conditions in which contenders are compared. `ideal`: the value of `Work.ideal` on this machine."""

    work: str
    n: int
    m: int
    ideal: float = 1.0

    def __str__(self) -> str:
        return f"{self.work}, {_counted(self.n, 'worker')}, {_counted(self.m, 'stage')}"


@dataclass(frozen=True)
class Job:
    """Points of a cell, and the sweep that measures them."""

    cell: Cell
    experiment: Experiment
    points: Points


@dataclass(frozen=True)
class Row:
    """One contender in one cell. Rates are in items/s; 95 % intervals need 8 rounds.

    `ratio_to_bare` and its `spread`: against the bare row of the same round; None if nothing bounds the work.
    `ratio_to_own` and `own_spread`: against the same contender in another `condition`. `cpu_s`: CPU seconds per second,
    all threads together. `disturbed`: rounds in which other programs took too much of the CPUs. `latency`: medians over
    the rounds, None without a trace.
    """

    work: str
    n: int
    m: int
    contender: str
    buffers: str
    condition: str | None
    items_per_s: float
    ratio_to_bare: float | None
    ratio_to_ideal: float | None
    spread: list[float] | None
    rounds: int
    in_place: bool = False
    buffer_bytes: int | None = None
    cpu_s: float | None = None
    flags: str = ""
    disturbed: int = 0
    ratio_to_own: float | None = None
    own_spread: list[float] | None = None
    latency: Mapping[str, float | None] | None = None


def jobs(works: Iterable[str], quick: bool, rounds: int | None, folder: Path, listener: SweepListener) -> list[Job]:
    """Check and plan the cells of these works that fit the CPUs of this machine. `folder` is for their runs.

    Raises WeirError if a project is invalid, or if the folder has other contents.
    """
    found = [job for work in dict.fromkeys(works) for part in WORKS[work].parts
             for job in _jobs_of(work, part, quick, rounds, folder / work / part.sweep, listener)]
    if not found:
        raise WeirError(diagnostic("E_SWEEP_SIZE", "", "every cell of these works needs more CPUs than Weir may use"))
    return found


def _jobs_of(work: str, part: Part, quick: bool, rounds: int | None, folder: Path,
             listener: SweepListener) -> Iterator[Job]:
    request = SweepRequest(str(ROOT / part.project), trace=part.trace, sweep=part.sweep, vary=part.vary, quick=quick,
                           repetitions=rounds or (QUICK_ROUNDS if quick else ROUNDS), fitting=True)
    pipeline = Pipeline.open(ROOT / part.project)
    cores, cpus = len(pipeline.this_machine.allowed_cores), len(pipeline.this_machine.allowed)

    def size(one: RunnablePoint) -> tuple[int, int]:
        parameters = one.pipeline.checked.valid().project.parameters
        return int(parameters.get(WORKERS, cpus)), int(parameters[STAGES])  # others have a worker for each CPU

    try:
        points = Experiment(request, pipeline, listener).opened()
    except WeirError as error:
        if not all(it.code == "E_SWEEP_SIZE" and it.pointer.endswith("/where") for it in error.diagnostics):
            raise
        listener.say(f"left out: {part.sweep} of {work}: it needs more CPUs than Weir may use")
        return
    for (n, m), of in groupby(sorted(points.stated, key=size), size):
        stated = list(of)
        place = Place.look(folder / f"{n}x{m}", resume=True)
        _check_same(request, place)
        experiment = Experiment(request, pipeline, listener, place,
                                part=frozenset(one.cell.number for one in stated))
        # The folder has the loads that an earlier search found.
        again = points.definition.loads is not None and place.begun is not None
        yield Job(Cell(work, n, m, WORKS[work].ideal(n, m, cores)), experiment,
                  experiment.opened() if again else replace(points, stated=stated))


def _check_same(request: SweepRequest, place: Place) -> None:
    """Raise WeirError (E_SWEEP_CHANGED) if the sweep in the folder has other options: its rounds would not match."""
    begun = place.begun.value if place.begun else place.searched
    if begun and begun["request"] != request.as_json():
        raise WeirError(diagnostic("E_SWEEP_CHANGED", "",
                                   f"the sweep in {place.folder} has another --quick or --rounds",
                                   "repeat the same command to continue it, or name another --out"))


def outlook(planned: Sequence[Job]) -> str:
    """Return a line that estimates how long the benchmark builds and measures."""
    dry = [job.experiment.dry_run(job.points) for job in planned]
    runs, known = sum(it.runs for it in dry), [it for it in dry if it.predicted_s is not None]
    left = max(0, runs - sum(job.experiment.runs_made for job in planned))
    unbuilt = len(set().union(*(it.unbuilt() for it in dry)))
    each_s = sum(sure(it.predicted_s) for it in known) / max(1, sum(it.runs for it in known))
    seconds = left * each_s + sum(it.search_s for it in dry)
    building = (f", after about {prediction.words(unbuilt * BUILD_S)} to build {_counted(unbuilt, 'program')}"
                if unbuilt else "; all programs are built already")
    return (f"{_counted(len(planned), 'cell')} with {_counted(left, 'run')} left: measuring takes about "
            f"{prediction.words(seconds)}{building}")


def rows_of(cell: Cell, answer: SweepAnswer) -> list[Row]:
    """Return one row for each contender and condition, the bare one first. Contenders without a rate have no row."""
    points = {point.number: point for point in answer.record.cells}
    runs = {number: ok for number, point in points.items()
            if (ok := {run["round"]: run for run in answer.rows_of(point)
                       if run["status"] == "ok" and run["throughput_items_per_s"]})}
    loops = [number for number, of in runs.items() if _first(of)["scheduler"] == LOOP]
    varied = axes_of(answer.at)
    buffers = EQUAL if any(axis.key == BUFFER_BYTES for axis in varied) else AUTO
    rows: list[Row] = []
    bare: Mapping[int, float] = {}
    if loops:
        best = runs[max(loops, key=lambda number: statistics.median(_rates(runs[number]).values()))]
        bare = _rates(best)
        rows.append(_row(cell, BARE, buffers, None, best, bare, None))
    elif WORKS[cell.work].bare == KERNEL and (bare := _kernel(runs.values())):
        rows.append(Row(cell.work, cell.n, cell.m, BARE, buffers, None, statistics.median(bare.values()), 1.0,
                        1.0 / cell.ideal, None, len(bare)))
    names, base = _names(answer), baseline_of(answer.at.plot, varied)
    for number, of in runs.items():
        if number not in loops:
            own = base.base_of(points[number], answer.record.cells) if base else None
            rows.append(_row(cell, names[_first(of)["deployment"]], buffers, _condition(varied, points[number]), of,
                             bare, runs.get(own.number) if own else None))
    return rows


def _row(cell: Cell, contender: str, buffers: str, condition: str | None, runs: Mapping[int, Run],
         bare: Mapping[int, float], own: Mapping[int, Run] | None) -> Row:
    rates, first = _rates(runs), _first(runs)
    to_bare, to_own = _paired(bare, rates), _paired(_rates(own), rates) if own else None
    cpu, elapsed, size = _median(runs, "cpu_time_s"), _median(runs, "elapsed_s"), _median(runs, "buffer_bytes")
    return Row(cell.work, cell.n, cell.m, contender, buffers, condition, statistics.median(rates.values()),
               to_bare.ratio if to_bare else None, to_bare.ratio / cell.ideal if to_bare else None,
               _interval(to_bare), len(rates),
               bool(first["in_place"]), None if size is None else int(size),
               cpu / elapsed if cpu is not None and elapsed else None, str(first["flags"]),
               sum(run["disturbed"] is True for run in runs.values()), to_own.ratio if to_own else None,
               _interval(to_own), _latency(runs))


def _first(runs: Mapping[int, Run]) -> Run:
    return next(iter(runs.values()))


def _rates(runs: Mapping[int, Run]) -> dict[int, float]:
    return {round_: run["throughput_items_per_s"] for round_, run in runs.items()}


def _kernel(contenders: Iterable[Mapping[int, Run]]) -> dict[int, float]:
    """Return round -> median rate of the reference kernel beside the runs."""
    by_round: dict[int, list[float]] = {}
    for runs in contenders:
        for round_, run in runs.items():
            if (rate := bare_items_per_s(run)) is not None:
                by_round.setdefault(round_, []).append(rate)
    return {round_: statistics.median(rates) for round_, rates in sorted(by_round.items())}


def _paired(base: Mapping[int, float], rates: Mapping[int, float]) -> Estimate | None:
    rounds = sorted(base.keys() & rates.keys())
    return compare_paired([base[it] for it in rounds], [rates[it] for it in rounds]) if rounds else None


def _interval(it: Estimate | None) -> list[float] | None:
    return list(it.interval) if it and it.interval else None


def _median(runs: Mapping[int, Run], column: str) -> float | None:
    values = [run[column] for run in runs.values()]
    return statistics.median(values) if None not in values else None


def _latency(runs: Mapping[int, Run]) -> dict[str, float | None] | None:
    if _median(runs, "latency_count") is None:
        return None
    return {"offered_items_per_s": _median(runs, "offered_items_per_s"),
            **{name: _median(runs, f"latency_{name}") for name in LATENCIES}}


def _names(answer: SweepAnswer) -> dict[str, str]:
    """Return deployment -> its scheduler, or its own name if several deployments have that scheduler."""
    of = {it["name"]: it["scheduler"] for it in answer.at.value["document"]["deployments"]}
    return {name: scheduler if list(of.values()).count(scheduler) == 1 else name for name, scheduler in of.items()}


def _condition(varied: Sequence[Axis], point: Point) -> str | None:
    """Return the condition of a point if its contender runs in several conditions."""
    ways = [(axis.key, value) for axis, value in zip(varied, point.values)
            if axis.key not in (*CONTENDERS, WORKERS, STAGES) and len(axis.values) > 1]
    return label([value for _, value in ways], [key for key, _ in ways]) if ways else None


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


# For people

_TITLES = ("work", "n", "m", "contender", "buffers", "items/s", "to bare", "to ideal", "95 % interval", "to own", "p50",
           "p99", "buffer", "in place", "CPU", "disturbed")
_LEFT = {"work", "contender", "buffers", "95 % interval", "in place", "disturbed"}


def table(rows: Sequence[Row]) -> str:
    """Return the rows as aligned text, with a blank line between cells and without empty columns."""
    words = [_words(row) for row in rows]
    shown = [i for i in range(len(_TITLES)) if i < 6 or any(line[i] not in (MISSING, "", "no") for line in words)]
    head, *found = aligned([[line[i] for i in shown] for line in (_TITLES, *words)],
                           [at for at, i in enumerate(shown) if _TITLES[i] not in _LEFT])
    lines = [head]
    for at, (row, line) in enumerate(zip(rows, found)):
        if at and (row.work, row.n, row.m) != (rows[at - 1].work, rows[at - 1].n, rows[at - 1].m):
            lines.append("")
        lines.append(line)
    return "\n".join(lines)


def _words(row: Row) -> tuple[str, ...]:
    latency = row.latency or {}
    interval = "" if row.ratio_to_bare is None or row.contender == BARE else (
        "{:.3f} .. {:.3f}".format(*row.spread) if row.spread else "not enough data")
    return (row.work, str(row.n), str(row.m), row.contender + (f" ({row.condition})" if row.condition else ""),
            row.buffers, si(row.items_per_s, "items/s"), _ratio(row.ratio_to_bare),
            MISSING if row.contender == BARE else _ratio(row.ratio_to_ideal), interval, _ratio(row.ratio_to_own),
            duration(latency.get("p50_ns")), duration(latency.get("p99_ns")),
            binary(row.buffer_bytes) if row.buffer_bytes else MISSING, "yes" if row.in_place else "no",
            MISSING if row.cpu_s is None else f"{row.cpu_s:.2f}",
            f"{row.disturbed} of {row.rounds} rounds" if row.disturbed else "")


def _ratio(value: float | None) -> str:
    return MISSING if value is None else f"{value:.3f}"
