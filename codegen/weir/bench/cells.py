"""What `weir bench` compares: cells of workload, workers and stages, and the contenders in each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
    """A scheduler under its deployment of the example; `sets`: what is set in the project before it is built."""

    scheduler: str
    deployment: str
    sets: Mapping[str, str] = field(default_factory=dict)


def contenders(cell: Cell) -> list[Contender]:
    """Who can run the cell: one worker is all that single_thread has, and nothing moves between fewer than two."""
    def sets(deployment: int) -> dict[str, str]:
        return {"workers" if cell.work == "saxpy" else f"/deployments/{deployment}/workers": str(cell.n)}

    flow = Contender("flow", "contiguous" if cell.work == "saxpy" else "flow", sets(0))
    alone = [Contender("single_thread", "single_thread")]
    moving = [Contender("thread_pool", "thread_pool", sets(3)), Contender("work_stealing", "work_stealing", sets(4))]
    return [flow, Contender("thread_per_block", "thread_per_block"), *(alone if cell.n == 1 else moving)]


CELLS = [Cell("saxpy", 1, 1), Cell("saxpy", 1, 3), Cell("saxpy", 1, 6), Cell("saxpy", 2, 2), Cell("saxpy", 2, 6),
         Cell("null_rand", 1, 5), Cell("null_rand", 2, 1), Cell("null_rand", 2, 5)]
