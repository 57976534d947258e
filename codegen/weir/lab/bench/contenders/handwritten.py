"""A chain of saxpy stages as one would write it by hand: on one core a tile at a time, for two cores cut in two.

Tiles, and the ring between two spinning threads, come in several sizes, of which the best counts.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from weir.lab.bench.cells import Cell
from weir.lab.bench.contender import Contender, Entry, Outcome, Site
from weir.lab.bench.contenders.bare import looked, outcome

#: KiB of a tile on one core; there are two of them.
TILES = (4, 8, 11, 14, 16)
#: Slots of the ring, and KiB of a slot.
RINGS = ((3, 16), (8, 16), (3, 64), (8, 64), (8, 1024))


def _build(cell: Cell, site: Site) -> list[Entry]:
    """WeirError where one does not compute what the stages do one by one."""
    if cell.work != "saxpy" or cell.n > 2:
        return []
    cpus = site.cpus(cell.n)
    if cell.n == 1:
        return [_entry(site, "chain", cpus, f"{kib} KiB", in_place=cell.m > 1, stages=cell.m, buffer=kib * 1024)
                for kib in TILES]
    # In place from each thread's second stage on.
    return [_entry(site, "pipeline", cpus, f"{slots}x{kib} KiB", in_place=cell.m > 2, stages=cell.m, slots=slots,
                   buffer=kib * 1024) for slots, kib in RINGS]


def _entry(site: Site, work: str, cpus: Collection[int], variant: str, in_place: bool, **shape: int) -> Entry:
    kernel = site.kernels.best
    kernel.run(work, cpus, check=1, **shape)
    run: partial[Outcome] = partial(outcome, kernel, work, cpus, seconds=site.seconds, **shape)
    return Entry("handwritten", run, variant=variant, facts=looked(kernel, work, cpus, in_place=in_place, **shape))


CONTENDERS = [Contender("handwritten", _build)]
