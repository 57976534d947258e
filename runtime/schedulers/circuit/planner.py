"""Circuit: the schedule of static, and items stay where they are as they go from worker to worker, where blocks work in
place (`weir.planning.circuits`).
"""

from weir.planning.dynamic import workers_of
from weir.planning.periods import arrange
from weir.planning.planner import Arrangement, Request


def plan(request: Request) -> Arrangement:
    return arrange(request, workers_of(request, plan), quanta=request.deployment.parameters["quanta"])
