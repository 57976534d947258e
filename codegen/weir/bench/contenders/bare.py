"""The ceilings: the kernel, and whole pipes, with no runtime around them; and FMA instructions without memory."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from weir.bench.cells import Cell
from weir.bench.contender import Contender, Entry, Facts, Outcome, Site
from weir.bench.kernels import Kernel
from weir.bench.rows import BARE

SAXPY_BYTES = 16 * 1024
#: The runtime-less loop of null_rand is the better of these.
NULL_RAND_BYTES = (8 * 1024, 64 * 1024)
#: Streams of a pipe besides those that its stages write: the source's and the head's.
PIPES, MORE_STREAMS = 6, 2


def outcome(kernel: Kernel, work: str, cpus: Collection[int], **options: float) -> Outcome:
    """Of one run of a bare program."""
    said = kernel.run(work, cpus, **options)
    return Outcome(float(said["items_per_s"]), float(said["cpu_s_per_s"]))


def _bare(cell: Cell, site: Site) -> list[Entry]:
    return _saxpy(site) if cell.work == "saxpy" else _null_rand(cell, site)


def _saxpy(site: Site) -> list[Entry]:
    return [Entry(BARE, partial(outcome, kernel, "saxpy", site.cpus(1), seconds=site.seconds), variant=kernel.width,
                  facts=Facts(kernel.flags, SAXPY_BYTES, 2 * SAXPY_BYTES, items_per_call=SAXPY_BYTES / 4))
            for kernel in site.kernels.widths]


def _null_rand(cell: Cell, site: Site) -> list[Entry]:
    kernel, streams = site.kernels.best, PIPES * (cell.m + MORE_STREAMS)
    return [Entry(BARE, partial(outcome, kernel, "null_rand", site.cpus(cell.n), stages=cell.m, buffer=size,
                                seconds=site.seconds),
                  variant=f"{size // 1024} KiB", facts=Facts(kernel.flags, size, streams * size))
            for size in NULL_RAND_BYTES]


def _fma_peak(cell: Cell, site: Site) -> list[Entry]:
    """On one core, whatever the cell: an item is one FMA, as in one stage."""
    if cell.work != "saxpy":
        return []
    return [Entry("fma_peak", partial(outcome, kernel, "fma_peak", site.cpus(1), seconds=site.seconds),
                  variant=kernel.width, facts=Facts(kernel.flags)) for kernel in site.kernels.widths]


CONTENDERS = [Contender(BARE, _bare), Contender("fma_peak", _fma_peak)]
