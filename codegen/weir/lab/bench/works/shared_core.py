"""The chain of saxpy stages while somebody else needs one of its CPUs, beside itself undisturbed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from weir.diagnostics import WeirError, diagnostic
from weir.lab.bench.cells import Cell
from weir.lab.bench.contender import AUTO, Entry, Outcome, Site
from weir.lab.bench.programs import entry, settings
from weir.machine.processes import die_with_parent

ALONE, BESIDE = "alone", "beside a busy loop"


@contextmanager
def busy_loop(cpu: int) -> Iterator[subprocess.Popen]:
    """A process that spins on this CPU, with our own priority, until it is left. WeirError where it had ended before.
    """
    def before() -> None:
        die_with_parent()
        os.sched_setaffinity(0, {cpu})

    with subprocess.Popen(["/bin/sh", "-c", "while :; do :; done"], preexec_fn=before) as loop:
        try:
            yield loop
            if loop.poll() is not None:
                raise WeirError(diagnostic("E_BENCH", "", "the busy loop beside a measurement ended before it"))
        finally:
            loop.kill()


def disturbed(run: Callable[[], Outcome], cpu: int) -> Outcome:
    """One run with a busy loop on `cpu`."""
    with busy_loop(cpu):
        return run()


def entries(scheduler: str, cell: Cell, site: Site) -> list[Entry]:
    """The loop has the last of the cell's CPUs."""
    alone = entry(scheduler, cell, site, settings(scheduler, cell, AUTO), AUTO, condition=ALONE)
    beside = partial(disturbed, alone.run, site.cpus(cell.cpus)[-1])
    return [alone, replace(alone, run=beside, condition=BESIDE, against=ALONE)]
