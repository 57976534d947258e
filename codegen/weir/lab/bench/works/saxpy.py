"""A chain of saxpy stages, flat out: with what each scheduler plans, and at equal buffers."""

from __future__ import annotations

from dataclasses import replace

from weir.lab.bench.cells import Cell
from weir.lab.bench.contender import AUTO, EQUAL, Entry, Site
from weir.lab.bench.programs import AS_PLANNED, FUSED, REPLICATED, SCHEDULERS, entry, settings


def entries(scheduler: str, cell: Cell, site: Site) -> list[Entry]:
    """The programs of one scheduler in one cell, for each choice of buffers."""
    if scheduler == REPLICATED:
        return _replicated(cell, site)
    return [entry(scheduler, cell, site, settings(scheduler, cell, buffers), buffers)
            for buffers in ((AUTO,) if scheduler in AS_PLANNED else (AUTO, EQUAL))]


def _replicated(cell: Cell, site: Site) -> list[Entry]:
    """Stages one by one, and all of them in one loop, which is another thing to be compared."""
    sets = settings(REPLICATED, cell, AUTO)
    fuse = {f"/deployments/{SCHEDULERS.index(REPLICATED)}/parameters": '{"fuse": true}'}
    return [entry(REPLICATED, cell, site, sets, AUTO),
            replace(entry(REPLICATED, cell, site, sets | fuse, AUTO), contender=f"{REPLICATED}, {FUSED}")]
