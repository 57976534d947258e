"""The planner that every scheduler has whose descriptor names none: who runs what, and how large the buffers are.

When a block works is the running scheduler's decision. Planners of schedules use its parts: `workers_of` is the
deployment's placement, `streams_of` has a kind and a size for every stream, to be changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from weir.model.planning import balance, placement, sizing
from weir.model.planning.placement import Job, Worker
from weir.model.planning.planner import Arrangement, Request
from weir.model.planning.sizing import Stream


def plan(request: Request) -> Arrangement:
    """The arrangement of a scheduler that decides as it goes."""
    workers = workers_of(request)
    jobs = tuple(placement.make_jobs(request.graph, request.deployment, request.scheduler, request.machine))
    streams = streams_of(request, workers, jobs)
    chunks = sizing.plan_chunks(request.graph, request.rates, list(streams), request.deployment)
    roomy = sizing.with_room(streams, request.graph, workers, jobs, request.deployment, request.machine)
    return Arrangement(workers, tuple(roomy), jobs, chunks)


def workers_of(request: Request, plan: Callable[[Request], Arrangement] | None = None) -> tuple[Worker, ...]:
    """The workers that have something to do, with their CPUs, and their instances upstream first.

    `plan`: of the planner that asks, where placement `auto` is to go by its plans.
    """
    chosen, scheduler = request.deployment.placement, request.scheduler
    if scheduler.pieces and chosen:
        as_chosen = replace(scheduler, workers="chosen", pieces=False)
        pieces = workers_of(replace(request, scheduler=as_chosen, deployment=replace(request.deployment, affinity={})))
        return tuple(placement.on_pieces(placement.place(request.graph, request.deployment, scheduler, request.machine),
                                         pieces))
    auto = balance.balanced(request, plan) if chosen and chosen.strategy == "auto" else None
    return tuple(placement.place(request.graph, request.deployment, request.scheduler, request.machine, auto))


def streams_of(request: Request, workers: Sequence[Worker], jobs: Sequence[Job] = (),
               scheduled: bool = False) -> tuple[Stream, ...]:
    """Within a worker `linear`, else `ring`; as large as the caches and the deployment's `buffers` want them, and for
    calls that a schedule makes where it is `scheduled`.
    """
    return tuple(sizing.plan_streams(request.graph, request.rates, list(workers), list(jobs), request.deployment,
                                     request.machine, scheduled))
