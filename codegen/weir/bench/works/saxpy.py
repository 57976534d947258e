"""A chain of saxpy stages, flat out: with what each scheduler plans, and at equal buffers."""

from __future__ import annotations

from weir.bench.cells import Cell
from weir.bench.contender import AUTO, EQUAL, Entry, Site
from weir.bench.programs import AS_PLANNED, entry, settings


def entries(scheduler: str, cell: Cell, site: Site) -> list[Entry]:
    return [entry(scheduler, cell, site, settings(scheduler, cell, buffers), buffers)
            for buffers in ((AUTO,) if scheduler in AS_PLANNED else (AUTO, EQUAL))]
