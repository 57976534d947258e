"""Static: each worker repeats a period in which its blocks fire by their rates.

`weir.model.planning.periods` computes the period.
"""

from weir.model.planning.dynamic import workers_of
from weir.model.planning.periods import arrange
from weir.model.planning.planner import Arrangement, Request


def plan(request: Request) -> Arrangement:
    return arrange(request, workers_of(request, plan))
