"""A correct plan: each worker repeats one period, upstream to downstream."""

from __future__ import annotations

from weir.model.planning.dynamic import streams_of, workers_of
from weir.model.planning.layout import lay_out
from weir.model.planning.planner import Arrangement, Request
from weir.model.planning.schedule import Fire, Schedule, WorkerSchedule


def plan(request: Request) -> Arrangement:
    workers = workers_of(request)
    schedule = Schedule(tuple(WorkerSchedule(worker.name, tuple(Fire(name, request.rates.firings[name])
                                                         for name in worker.instances)) for worker in workers))
    return Arrangement(workers, lay_out(request, schedule, streams_of(request, workers)), schedule=schedule)
