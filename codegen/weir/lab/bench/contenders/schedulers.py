"""The schedulers of this tree, each in all works: what they are asked there is the work's."""

from __future__ import annotations

from functools import partial

from weir.lab.bench.cells import Cell
from weir.lab.bench.contender import Contender, Entry, Site
from weir.lab.bench.programs import SCHEDULERS, takes_part
from weir.lab.bench.works import entries_of


def _build(scheduler: str, cell: Cell, site: Site) -> list[Entry]:
    return list(entries_of(cell.work)(scheduler, cell, site)) if takes_part(scheduler, cell) else []


CONTENDERS = [Contender(scheduler, partial(_build, scheduler)) for scheduler in SCHEDULERS]
