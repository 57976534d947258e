"""What `weir bench` compares: cells of workload, workers and stages."""

from __future__ import annotations

from dataclasses import dataclass

#: workload -> its example project
PROJECTS = {"saxpy": "saxpy_chain", "null_rand": "null_rand_latency"}
#: The block of these projects whose calls are the work.
STAGE = "stage"
MOST_WORKERS = 2


@dataclass(frozen=True)
class Cell:
    """What is measured side by side: `n` workers, `m` stages."""

    work: str
    n: int
    m: int

    def __str__(self) -> str:
        return f"{self.work}, {counted(self.n, 'worker')}, {counted(self.m, 'stage')}"


def counted(number: int, what: str) -> str:
    """`1 worker`, `2 workers`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def cells(cpus: int, quick: bool) -> list[Cell]:
    """The cells that so many CPUs can have; null_rand on as many as there are, two at most."""
    most = min(cpus, MOST_WORKERS)
    if quick:
        found = [Cell("saxpy", 1, 1), Cell("saxpy", 1, 6), Cell("saxpy", 2, 4), Cell("null_rand", most, 5)]
    else:
        found = [*(Cell("saxpy", 1, m) for m in (1, 2, 4, 6)), *(Cell("saxpy", 2, m) for m in (2, 4, 6)),
                 *(Cell("null_rand", most, m) for m in (1, 5, 11, 23)), Cell("null_rand", 1, 5)]
    return list(dict.fromkeys(cell for cell in found if cell.n <= most))
