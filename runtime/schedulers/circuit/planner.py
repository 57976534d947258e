"""Circuit: the schedule of static, with buffers that circulate between workers whose blocks work in place
(`weir.model.planning.circuits`).
"""

from weir.model.planning.dynamic import workers_of
from weir.model.planning.periods import arrange
from weir.model.planning.planner import Arrangement, Request


def plan(request: Request) -> Arrangement:
    return arrange(request, workers_of(request, plan), quanta=request.deployment.parameters["quanta"])
