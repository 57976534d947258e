"""Stepped workers: they have no worker schedule, because one of their blocks chooses how many items it moves. All of
their blocks work whenever they can, while other workers repeat their schedules.

A whole worker is stepped, not single blocks. A scheduled call waits until a ring has all of its items. On a worker with
other work, it could wait for items that the same worker has yet to make.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from weir.model.catalog import SchedulerType
from weir.model.document.deployment import Deployment
from weir.model.flowgraph.graph import Graph, Instance
from weir.model.planning import placement
from weir.model.planning.placement import Worker
from weir.model.planning.schedule import Stepped

#: In a scheduler's `requires`: on at least one worker, all blocks have the rates `fixed` or `until_end`.
STATIC_RATE_WORKER = "static_rate_worker"


@dataclass(frozen=True)
class Unable:
    """Reason why no worker can have a worker schedule. `blocks` are the blocks of the project that prevent it."""

    message: str
    hint: str
    blocks: tuple[str, ...]


def stepped_of(workers: Iterable[Worker], graph: Graph) -> tuple[Stepped, ...]:
    """Return the workers with a block that no schedule can fire."""
    varying = {worker.name: tuple(name for name in worker.instances if in_no_schedule(graph.instance(name)))
               for worker in workers}
    return tuple(Stepped(worker, names) for worker, names in varying.items() if names)


def in_no_schedule(instance: Instance) -> bool:
    """Return whether the number of firings in a call is known only at run time."""
    return instance.type.rates == "varying"


def unable(scheduler: SchedulerType, shared_out: Sequence[Sequence[Instance]]) -> Unable | None:
    """Return why no worker can have a worker schedule, None if some worker has only blocks that a schedule can fire.
    `shared_out` has the instances of each worker.
    """
    varying = [[i for i in some if in_no_schedule(i)] for some in shared_out]
    if not all(varying):
        return None
    first = varying[0][0]
    who = "every worker has such a block" if len(shared_out) > 1 else "one worker has all blocks"
    what = (f"`{scheduler.id}` computes its schedule before the run, but `{first.block_id}` ({first.type.id}) has "
            "variable rates: how often it fires is known only during the run")
    blocks = tuple(dict.fromkeys(i.block_id for some in varying for i in some))
    if all(in_no_schedule(i) for some in shared_out for i in some):
        return Unable(what, "", blocks)
    return Unable(f"{what}, and {who}", "use more workers, or an explicit placement, so that one worker has only "
                                        "blocks with fixed rates; or choose a dynamic scheduler", blocks)


def unable_in_any_case(scheduler: SchedulerType, graph: Graph) -> Unable | None:
    """Return why no worker can have a worker schedule with any placement, None if one can."""
    return unable(scheduler, [[i] for i in graph.instances])


def unable_as_placed(scheduler: SchedulerType, graph: Graph, deployment: Deployment) -> Unable | None:
    """Return the same as `unable` if the placement is known without a machine, else None."""
    worker_of = placement.placed_beforehand(graph, deployment, scheduler)
    if not worker_of or worker_of.keys() < graph.by_name.keys():
        return None
    shared_out: dict[str, list[Instance]] = {}
    for i in graph.instances:
        shared_out.setdefault(worker_of[i.name], []).append(i)
    return unable(scheduler, list(shared_out.values()))
