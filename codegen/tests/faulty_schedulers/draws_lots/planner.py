"""The fault: two plans of the same graph differ."""

from __future__ import annotations

import random
from dataclasses import replace

from weir.model.planning.planner import Arrangement, Request
from weir.model.planning.schedule import Loop, Schedule, WorkerSchedule

from . import a_plan


def plan(request: Request) -> Arrangement:
    made = a_plan.plan(request)
    times = random.randint(1, 1000)  # must follow from the request
    return replace(made, schedule=Schedule(tuple(WorkerSchedule(own.worker, (Loop(times, own.body),))
                                                 for own in made.schedule.worker_schedules)))
