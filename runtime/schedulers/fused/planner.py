"""Fused: the schedule of static, with neighbouring element-wise blocks of a worker in one loop."""

from weir.model.planning.dynamic import workers_of
from weir.model.planning.fusing import groups
from weir.model.planning.periods import arrange
from weir.model.planning.planner import Arrangement, Request
from weir.model.planning.sizing import requested_items


def plan(request: Request) -> Arrangement:
    workers = workers_of(request, plan)
    worker_of = {name: worker.name for worker in workers for name in worker.instances}
    most = request.deployment.parameters["blocks_a_loop"]
    buffered = requested_items(request.graph, request.deployment)
    return arrange(request, workers, groups(request.graph, worker_of, most, buffered))
