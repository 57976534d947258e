"""The fault: the places of streams in the arena follow the order of a set, which differs between processes."""

from __future__ import annotations

from dataclasses import replace

from weir.model.planning.planner import Arrangement, Request
from weir.model.planning.schedule import ALIGNMENT
from weir.model.planning.sizing import round_up

from . import a_plan


def plan(request: Request) -> Arrangement:
    made = a_plan.plan(request)
    sizes = {stream.name: stream.bytes for stream in made.streams if stream.arena is not None}
    places: dict[str, int] = {}
    end = 0
    for name in set(sizes):  # must be sorted
        places[name], end = end, end + round_up(sizes[name], ALIGNMENT)
    return replace(made, streams=tuple(replace(stream, offset=places.get(stream.name, stream.offset))
                                       for stream in made.streams))
