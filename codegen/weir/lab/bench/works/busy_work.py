"""A chain of 100 us a chunk and stage, four workers on two CPUs: what is lost are CPUs that wait for no reason.

The project has its chunks and its streams, which are the same under every scheduler.
"""

from __future__ import annotations

from weir.lab.bench.cells import Cell
from weir.lab.bench.contender import AUTO, Entry, Site
from weir.lab.bench.programs import entry, settings

#: As bench/busy_work.weir.json has them.
CHUNK_ITEMS, ITERATIONS = 64, 1250


def entries(scheduler: str, cell: Cell, site: Site) -> list[Entry]:
    """The programs of one scheduler in one cell."""
    sets = {**settings(scheduler, cell, AUTO), "iterations": str(ITERATIONS)}
    return [entry(scheduler, cell, site, sets, None)]
