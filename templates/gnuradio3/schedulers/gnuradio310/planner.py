"""A thread for each block, and GNU Radio's own buffers where nobody asks for a size."""

from __future__ import annotations

from weir.model.planning import foreign
from weir.model.planning.planner import Arrangement, Request

#: Of a buffer: what GNU Radio 3.10 makes by default.
DEFAULT_BYTES = 64 * 1024


def plan(request: Request) -> Arrangement:
    return foreign.plan(request, DEFAULT_BYTES)
