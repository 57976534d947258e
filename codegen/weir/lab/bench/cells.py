"""What `weir bench` compares: cells of workload, workers and stages."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from weir import ROOT

#: The block of the projects whose calls are the work.
STAGE = "stage"
#: CPUs that a cell has at most.
MOST_CPUS = 2


@dataclass(frozen=True)
class Work:
    """`project`: its file below the root; `kernel`: the work of bench/bare that bounds it."""

    project: str
    kernel: str


#: In the order in which they are measured.
WORKS = {
    "saxpy": Work("examples/saxpy_chain.weir.json", "saxpy"),
    "null_rand": Work("examples/null_rand_latency.weir.json", "null_rand"),
    "shared_core": Work("examples/saxpy_chain.weir.json", "saxpy"),
    "paced": Work("examples/null_rand_latency.weir.json", "null_rand"),
    "busy_work": Work("bench/busy_work.weir.json", "busy_work"),
    "long_graph": Work("examples/saxpy_chain.weir.json", "saxpy"),
    "watching": Work("examples/null_rand_latency.weir.json", "null_rand"),
}


@dataclass(frozen=True)
class Cell:
    """What is measured side by side: `n` workers, `m` stages."""

    work: str
    n: int
    m: int

    def __str__(self) -> str:
        return f"{self.work}, {counted(self.n, 'worker')}, {counted(self.m, 'stage')}"

    @property
    def cpus(self) -> int:
        """That it has: one a worker, as far as there are."""
        return min(self.n, MOST_CPUS)

    @property
    def project(self) -> Path:
        """The project that the cell runs."""
        return ROOT / WORKS[self.work].project

    @property
    def kernel(self) -> str:
        """The name of the kernel in it."""
        return WORKS[self.work].kernel

    @property
    def bares_in_ideal(self) -> float:
        """What no scheduler can exceed, as a multiple of the bare rate.

        The kernel of saxpy runs on one core; the loops of null_rand and busy_work on all CPUs of the cell, the first
        through all of its stages.
        """
        return {"saxpy": self.n / self.m, "null_rand": 1.0, "busy_work": 1 / self.m}[self.kernel]


def counted(number: int, what: str) -> str:
    """`1 worker`, `2 workers`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def cells(cpus: int, quick: bool) -> list[Cell]:
    """The cells that so many CPUs can have; null_rand on as many as there are, two at most."""
    most = min(cpus, MOST_CPUS)
    if quick:
        found = [Cell("saxpy", 1, 1), Cell("saxpy", 1, 6), Cell("saxpy", 2, 4), Cell("null_rand", most, 5),
                 Cell("shared_core", 2, 4), Cell("paced", most, 5), Cell("busy_work", 4, 4), Cell("long_graph", 2, 100),
                 Cell("watching", most, 5)]
    else:
        found = [*(Cell("saxpy", 1, m) for m in (1, 2, 4, 6)), *(Cell("saxpy", 2, m) for m in (2, 4, 6)),
                 *(Cell("null_rand", most, m) for m in (1, 5, 11, 23)), Cell("null_rand", 1, 5),
                 *(Cell("shared_core", 2, m) for m in (2, 4, 6)), Cell("paced", most, 5), Cell("busy_work", 4, 4),
                 *(Cell("long_graph", 2, m) for m in (10, 100, 1000)), Cell("watching", most, 5)]
    return list(dict.fromkeys(cell for cell in found if cell.cpus <= most))
