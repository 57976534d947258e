"""What `weir bench` compares: cells of workload, workers and stages, and the contenders in each."""

from __future__ import annotations

from dataclasses import dataclass

#: workload -> its example project
PROJECTS = {"saxpy": "saxpy_chain", "null_rand": "null_rand_latency"}


@dataclass(frozen=True)
class Cell:
    """What is measured side by side: `n` workers, `m` stages."""

    work: str
    n: int
    m: int


@dataclass(frozen=True)
class Contender:
    """A scheduler under its deployment of the example; `sets` are `--set` arguments of the build."""

    scheduler: str
    deployment: str
    sets: tuple[str, ...] = ()


def contenders(cell: Cell) -> list[Contender]:
    """Who can run the cell: one worker is all that single_thread has."""
    flow = (Contender("flow", "contiguous", (f"workers={cell.n}",)) if cell.work == "saxpy"
            else Contender("flow", "flow", (f"/deployments/0/workers={cell.n}",)))
    return [flow, Contender("thread_per_block", "thread_per_block"),
            *([Contender("single_thread", "single_thread")] if cell.n == 1 else [])]


CELLS = [Cell("saxpy", 1, 1), Cell("saxpy", 1, 3), Cell("saxpy", 1, 6), Cell("saxpy", 2, 2), Cell("saxpy", 2, 6),
         Cell("null_rand", 1, 5), Cell("null_rand", 2, 1), Cell("null_rand", 2, 5)]
