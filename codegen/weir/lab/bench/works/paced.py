"""null_rand from paced sources, at 50 and 90 % of what `flow` does flat out: how long items take to come through.

The latency is that of runs (docs/measuring.md): from when an item was due to when its sink has it, traced in memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from weir.lab.bench.cells import Cell
from weir.lab.bench.contender import AUTO, Entry, Site
from weir.lab.bench.programs import Program, Ready, ready, settings

#: The block of the project that is paced, in each pipe.
SOURCE = "source"
FLAT_OUT = "flat out"
SHARES = (0.5, 0.9)
#: Of each source where it is to be as fast as it can: the most that a paced source takes.
UNBOUND = 1e12
#: The best of so many measurements is what `flow` does flat out.
LOOKS = 5
#: Items of a source between one sample and the next; samples of all sinks: a p99 needs 1,000 of them in the window,
#: which is shorter than a run where pipes do not end together.
GRANULARITY, SAMPLES = 32768, 2000
#: Of the items at a sink, those before the measured window.
WARMUP = 0.1


def entries(scheduler: str, cell: Cell, site: Site) -> list[Entry]:
    """The programs of one scheduler in one cell."""
    it = ready(scheduler, cell, site, paced_settings(scheduler, cell))
    found = []
    if scheduler == "flow":
        flat_out = it.program.lasting(site.seconds)
        found.append(Entry(scheduler, flat_out.measured, AUTO, None, it.facts(flat_out), FLAT_OUT))
    highest = highest_of_flow(cell, site)
    for share in SHARES:
        program = paced(it, share * highest, site.seconds)
        facts = replace(it.facts(program), offered_items_per_s=share * highest,
                        chunk_ns=chunk_ns(it, share * highest, highest / cell.cpus))
        found.append(Entry(scheduler, program.measured, AUTO, None, facts, f"{100 * share:g} %"))
    return found


def paced_settings(scheduler: str, cell: Cell) -> Mapping[str, str]:
    """Settings of the project that put a paced source in front of it."""
    return {"/graph/blocks/0/type": '"paced_source"', "/graph/blocks/0/parameters/rate": str(int(UNBOUND)),
            **settings(scheduler, cell, AUTO), "/run/trace/backend": '"memory"',
            "/run/trace/probe_granularity": str(GRANULARITY)}


@cache
def highest_of_flow(cell: Cell, site: Site) -> float:
    """Items/s, of all pipes together."""
    program = ready("flow", cell, site, paced_settings("flow", cell)).program.lasting(site.seconds)
    return max(program.measured().items_per_s for _ in range(LOOKS))


def sources(it: Ready) -> list[str]:
    """One a pipe."""
    return [block.instance for block in it.plan.blocks if block.block == SOURCE]


def paced(it: Ready, rate: float, seconds: float) -> Program:
    """So many items/s of all sources together, for so long, or until there is a 99th percentile."""
    names = sources(it)
    least = SAMPLES * GRANULARITY / (1 - WARMUP)
    items = int(max(rate * seconds, least) / len(names))
    return replace(it.program, items=items, trace="memory", options=(
        "--param", f"{SOURCE}.rate={rate / len(names):.9g}", "--warmup-items", int(WARMUP * items)))


def chunk_ns(it: Ready, rate: float, worker_rate: float) -> float:
    """One chunk of a source: the time in which it comes, and the time that a worker takes to bring it through."""
    names = sources(it)
    chunk = max(block.chunk_items for block in it.plan.blocks if block.instance in names)
    return 1e9 * chunk * (len(names) / rate + 1 / worker_rate)
