"""Static: each worker repeats a period in which its blocks fire as the rates have it (`weir.planning.periods`)."""

from weir.planning.dynamic import workers_of
from weir.planning.periods import arrange
from weir.planning.planner import Arrangement, Request


def plan(request: Request) -> Arrangement:
    return arrange(request, workers_of(request, plan))
