"""Default planner, for schedulers whose descriptor names none: decides which worker runs which block, and buffer sizes.

The running scheduler decides when a block works. Planners of schedules use its parts: `workers_of` is the deployment's
placement, `streams_of` returns kind and size of every stream, which a planner may change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from weir.model.planning import balance, placement, sizing
from weir.model.planning.placement import Job, Worker
from weir.model.planning.planner import Arrangement, Request
from weir.model.planning.sizing import Stream


def plan(request: Request) -> Arrangement:
    """Return the arrangement for a scheduler that decides at run time."""
    workers = workers_of(request)
    jobs = tuple(placement.make_jobs(request.graph, request.deployment, request.scheduler, request.machine))
    streams = streams_of(request, workers, jobs)
    chunks = sizing.plan_chunks(request.graph, request.rates, list(streams), request.deployment)
    roomy = sizing.with_room(streams, request.graph, workers, jobs, request.deployment, request.machine)
    return Arrangement(workers, tuple(roomy), jobs, chunks)


def workers_of(request: Request, plan: Callable[[Request], Arrangement] | None = None) -> tuple[Worker, ...]:
    """Return the workers that have instances, with their CPUs, and instances upstream first.

    `plan`: plan function of the calling planner, if placement `auto` must use its plans.
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
    """Return the streams, `linear` within a worker, else `ring`, sized by the caches and the deployment's `buffers`.
    `scheduled`: a worker schedule makes the calls.
    """
    return tuple(sizing.plan_streams(request.graph, request.rates, list(workers), list(jobs), request.deployment,
                                     request.machine, scheduled))
