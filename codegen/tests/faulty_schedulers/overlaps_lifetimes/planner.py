"""The fault: streams share bytes even while both hold items."""

from __future__ import annotations

from dataclasses import replace

from weir.model.planning.planner import Arrangement, Request

from . import a_plan


def plan(request: Request) -> Arrangement:
    made = a_plan.plan(request)
    return replace(made, streams=tuple(stream if stream.arena is None else replace(stream, offset=0)
                                       for stream in made.streams))
