"""A chain of saxpy stages as one would cut it by hand for two cores: spinning threads, one ring, its size searched."""

from __future__ import annotations

from functools import partial

from weir.bench.cells import Cell
from weir.bench.contender import Contender, Entry, Outcome, Site
from weir.bench.contenders.bare import looked, outcome

#: Slots of the ring, and KiB of a slot.
RINGS = ((3, 16), (8, 16), (3, 64), (8, 64), (8, 1024))


def _build(cell: Cell, site: Site) -> list[Entry]:
    """Of two workers alone. WeirError where it does not compute what the stages do one by one."""
    if cell.work != "saxpy" or cell.n != 2:
        return []
    kernel, cpus = site.kernels.best, site.cpus(2)
    entries = []
    for slots, kib in RINGS:
        shape = {"stages": cell.m, "slots": slots, "buffer": kib * 1024}
        kernel.run("pipeline", cpus, check=1, **shape)
        facts = looked(kernel, "pipeline", cpus, in_place=cell.m > 2, **shape)  # from each thread's second stage on
        run: partial[Outcome] = partial(outcome, kernel, "pipeline", cpus, seconds=site.seconds, **shape)
        entries.append(Entry("handwritten", run, variant=f"{slots}x{kib} KiB", facts=facts))
    return entries


CONTENDERS = [Contender("handwritten", _build)]
