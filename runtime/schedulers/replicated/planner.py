"""Replicated: each worker runs the whole graph, as static or fused on one worker, on its own stretches of items."""

from dataclasses import replace

from weir.model.planning.fusing import BLOCKS_A_LOOP, groups
from weir.model.planning.periods import arrange
from weir.model.planning.placement import everywhere
from weir.model.planning.planner import Arrangement, Request
from weir.model.planning.replication import Replication
from weir.model.planning.schedule import Schedule, Step
from weir.model.planning.sizing import requested_items
from weir.model.planning.stretches import stretch_of
from weir.sure import sure


def plan(request: Request) -> Arrangement:
    graph, deployment = request.graph, request.deployment
    workers = everywhere(graph, deployment, request.scheduler, request.machine)
    worker_of = dict.fromkeys(graph.by_name, workers[0].name)
    most, buffered = BLOCKS_A_LOOP, requested_items(graph, deployment)
    fused = groups(graph, worker_of, most, buffered) if deployment.parameters["fuse"] else ()
    found: list[Replication] = []

    def stretch(period: tuple[Step, ...]) -> tuple[Step, ...]:
        body, how = stretch_of(period, graph, request.rates)
        found.append(how)
        return body

    made = arrange(request, workers[:1], fused, longer_still=stretch)
    own = sure(made.schedule).worker_schedules[0]
    return replace(made, workers=tuple(workers), replication=found[0],
                   schedule=Schedule(tuple(replace(own, worker=worker.name) for worker in workers)))
