"""The fault: two plans of the same graph are not the same."""

from __future__ import annotations

import random

from weir.planning.dynamic import streams_of, workers_of
from weir.planning.layout import lay_out
from weir.planning.planner import Arrangement, Request
from weir.planning.schedule import Fire, Loop, Schedule, Section


def plan(request: Request) -> Arrangement:
    workers = workers_of(request)
    times = random.randint(1, 1000)  # must follow from the request
    schedule = Schedule(tuple(Section(worker.name, (Loop(times, tuple(
        Fire(name, request.rates.firings[name]) for name in worker.instances)),)) for worker in workers))
    return Arrangement(workers, lay_out(request, schedule, streams_of(request, workers)), schedule=schedule)
