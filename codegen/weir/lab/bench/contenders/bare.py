"""The ceilings: the kernel, and whole pipes, with no runtime around them; and FMA instructions without memory."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any, cast

from weir.lab.bench.cells import Cell
from weir.lab.bench.contender import Contender, Entry, Facts, Outcome, Site
from weir.lab.bench.kernels import Kernel
from weir.lab.bench.programs import ITEM_BYTES
from weir.lab.bench.rows import BARE
from weir.lab.bench.works import busy_work

#: The runtime-less loop of null_rand is the better of these.
NULL_RAND_BYTES = (8 * 1024, 64 * 1024)
#: Of the run that tells what its buffers and its calls are.
LOOK_S = 0.02


def outcome(kernel: Kernel, work: str, cpus: Collection[int], **options: float) -> Outcome:
    """Of one run of a bare program."""
    said = kernel.run(work, cpus, **options)
    return Outcome(float(said["items_per_s"]), float(said["cpu_s_per_s"]))


def looked(kernel: Kernel, work: str, cpus: Collection[int], in_place: bool = False, **options: float) -> Facts:
    """What a short run of a bare program says of its buffers and its calls. WeirError where it fails."""
    said = kernel.run(work, cpus, seconds=LOOK_S, **options)
    return Facts(kernel.flags, said["buffer_bytes"] or None, said["total_buffer_bytes"] or None, in_place,
                 said["items_per_call"] or None)


def _bare(cell: Cell, site: Site) -> list[Entry]:
    if cell.kernel == "saxpy":
        return _each_width(BARE, "saxpy", site)
    return _null_rand(cell, site) if cell.kernel == "null_rand" else [_busy_work(cell, site)]


def _each_width(name: str, work: str, site: Site) -> list[Entry]:
    """On the first CPU."""
    return [Entry(name, partial(outcome, kernel, work, site.cpus(1), seconds=site.seconds), variant=kernel.width,
                  facts=looked(kernel, work, site.cpus(1))) for kernel in site.kernels.widths]


def _null_rand(cell: Cell, site: Site) -> list[Entry]:
    kernel, cpus, entries = site.kernels.best, site.cpus(cell.cpus), []
    for size in NULL_RAND_BYTES:
        loop = {"stages": cell.m, "buffer": size}
        run: partial[Outcome] = partial(outcome, kernel, "null_rand", cpus, seconds=site.seconds, **loop)
        entries.append(Entry(BARE, run, variant=f"{size // 1024} KiB",
                             facts=looked(kernel, "null_rand", cpus, **cast(Any, loop))))
    return entries


def _busy_work(cell: Cell, site: Site) -> Entry:
    """As many steps as a chunk of one stage has, by as many threads as there are workers, on the cell's CPUs."""
    kernel, cpus = site.kernels.best, site.cpus(cell.cpus)
    chunk = {"workers": cell.n, "iterations": busy_work.ITERATIONS, "buffer": ITEM_BYTES * busy_work.CHUNK_ITEMS}
    return Entry(BARE, partial(outcome, kernel, "busy_work", cpus, seconds=site.seconds, **chunk),
                 facts=looked(kernel, "busy_work", cpus, **cast(Any, chunk)))


def _fma_peak(cell: Cell, site: Site) -> list[Entry]:
    """On one core, whatever the cell: an item is one FMA, as in one stage."""
    if cell.work != "saxpy":
        return []
    return _each_width("fma_peak", "fma_peak", site)


CONTENDERS = [Contender(BARE, _bare), Contender("fma_peak", _fma_peak)]
