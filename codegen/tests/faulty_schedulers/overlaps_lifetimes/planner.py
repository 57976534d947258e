"""The fault: streams share bytes without regard to when they hold items."""

from __future__ import annotations

from dataclasses import replace

from weir.planning.dynamic import streams_of, workers_of
from weir.planning.layout import lay_out
from weir.planning.planner import Arrangement, Request
from weir.planning.schedule import Fire, Schedule, Section


def plan(request: Request) -> Arrangement:
    workers = workers_of(request)
    schedule = Schedule(tuple(Section(worker.name, tuple(Fire(name, request.rates.firings[name])
                                                         for name in worker.instances)) for worker in workers))
    streams = lay_out(request, schedule, streams_of(request, workers))
    return Arrangement(workers, tuple(stream if stream.arena is None else replace(stream, offset=0)
                                      for stream in streams), schedule=schedule)
