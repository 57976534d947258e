"""Assign a contiguous part of the chain to each worker, with buffers that circulate between the workers."""

from __future__ import annotations

from weir.model.planning import quanta
from weir.model.planning.planner import Arrangement, Request

#: Default size of a buffer: half of a small L1 cache.
BUFFER_BYTES = 16 * 1024


def plan(request: Request) -> Arrangement:
    return quanta.plan(request, BUFFER_BYTES)
