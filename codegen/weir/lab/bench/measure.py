"""Builds the entries of each cell, then runs them in rounds: all once a round, in random order, one at a time."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from weir import ROOT
from weir.diagnostics import WeirError
from weir.engine.measuring.revision import git_revision
from weir.engine.measuring.speeds import with_kept
from weir.lab.bench import witness
from weir.lab.bench.cells import Cell, counted
from weir.lab.bench.contender import Contender, Site
from weir.lab.bench.kernels import Kernels, build_kernels
from weir.lab.bench.progress import Progress
from weir.lab.bench.registry import all_contenders
from weir.lab.bench.rows import Row, Series, rows_of
from weir.lab.bench.speeds import measured
from weir.machine import environment
from weir.machine.processes import machine_lock
from weir.model.planning.machine import Machine
from weir.model.planning.topology import this_machine

SEED = 1
#: Seconds to start and end the process of a measurement; only what is said to be left depends on it.
AROUND_S = 0.1

Say = Callable[[str], None]


def measure(choose: Callable[[int], Sequence[Cell]], rounds: int, seconds: float, say: Say) -> dict[str, Any]:
    """{rows, environment, raw: [{work, n, m, round, contender, buffers, variant, items_per_s, cpu_s, …}]}.

    `choose`: the cells for so many CPUs. `seconds`: of one measurement. WeirError where something does not build, does
    not run, or computes wrongly.
    """
    here = this_machine()
    with machine_lock(lambda: say("another run is measuring on this machine; waiting for it to end")):
        kernels = build_kernels(here.worker_cpus[0], say)
        site = Site(_with_speeds(here, kernels, say), kernels, seconds)
        cells = choose(len(here.worker_cpus))
        built = _build_all(cells, all_contenders(), site, say)
        guess_s = seconds + AROUND_S + witness.SECONDS
        progress = Progress(rounds * sum(len(series) for series in built.values()), guess_s)
        rows: list[Row] = []
        raw: list[dict[str, object]] = []
        order = random.Random(SEED)
        for cell, taking_part in built.items():
            raw += _measure_cell(cell, taking_part, rounds, site, order, progress, say)
            rows += rows_of(cell, taking_part)
    rows, raw = witness.marked(rows, raw)
    return {"rows": [row.as_json() for row in rows], "environment": _environment(site.machine), "raw": raw}


def _with_speeds(here: Machine, kernels: Kernels, say: Say) -> Machine:
    """With those that are kept, or else with new ones; without any where the machine is too restless to have some."""
    machine = with_kept(here)
    if machine.measured is None:
        try:
            machine = measured(here, kernels, say)
        except WeirError as error:
            say(f"{error}; plans are made with the speeds that are assumed")
    return machine


def _build_all(cells: Sequence[Cell], contenders: Sequence[Contender], site: Site,
               say: Say) -> dict[Cell, list[Series]]:
    """All of it first, so that nothing is compiled between one measurement and the next."""
    built: dict[Cell, list[Series]] = {}
    for number, cell in enumerate(cells, 1):
        say(f"building what is measured, {number} of {counted(len(cells), 'cell')}: {cell}")
        built[cell] = [Series(entry) for contender in contenders for entry in contender.build(cell, site)]
    return built


def _measure_cell(cell: Cell, measured: Sequence[Series], rounds: int, site: Site, order: random.Random,
                  progress: Progress, say: Say) -> list[dict[str, object]]:
    """The measurements in the order made; their outcomes are added to `measured`."""
    raw = []
    before = _witness(cell, site)
    for number in range(rounds):
        say(f"{cell}: round {number + 1} of {rounds}; {progress.left()}")
        for series in order.sample(measured, len(measured)):
            outcome = series.entry.run()
            after = _witness(cell, site)
            series.outcomes.append(outcome)
            it = series.entry
            raw.append({"work": cell.work, "n": cell.n, "m": cell.m, "round": number, "contender": it.contender,
                        "buffers": it.buffers, "variant": it.variant, "condition": it.condition,
                        "items_per_s": outcome.items_per_s, "cpu_s": outcome.cpu_s, "latency": outcome.latency,
                        "witness_items_per_s": [before, after]})
            before = after
            progress.one_done()
    return raw


def _witness(cell: Cell, site: Site) -> float:
    """Items/s of the bare kernel on the slowest of the cell's CPUs."""
    return min(site.kernels.best.saxpy(witness.SECONDS, cpu) for cpu in site.cpus(cell.cpus))


def _environment(here: Machine) -> dict[str, object]:
    return {**environment.host(), "machine": here.as_json(), "git_revision": git_revision(ROOT),
            "utc": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}
