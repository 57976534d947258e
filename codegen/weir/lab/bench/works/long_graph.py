"""Chains of many saxpy stages on two workers: what a block costs where there are very many of them."""

from __future__ import annotations

from weir.lab.bench.cells import Cell
from weir.lab.bench.contender import AUTO, Entry, Site
from weir.lab.bench.programs import entry, settings

#: A thread a block: beyond this it is the kernel's scheduler that is measured, and 512 workers are all there can be.
MOST_THREADS = 102


def entries(scheduler: str, cell: Cell, site: Site) -> list[Entry]:
    """The programs of one scheduler in one cell; none where it would need too many threads."""
    if scheduler == "thread_per_block" and cell.m + 2 > MOST_THREADS:
        return []
    sets = {"/parameters/stages/maximum": str(cell.m), **settings(scheduler, cell, AUTO)}
    return [entry(scheduler, cell, site, sets, AUTO)]
