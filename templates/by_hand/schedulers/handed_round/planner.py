"""A contiguous piece of the chain for each worker, and one circuit of buffers through all of it."""

from __future__ import annotations

from weir.model.planning import quanta
from weir.model.planning.planner import Arrangement, Request

#: Of a buffer, where nobody asks for a size: half of a small L1 cache.
BUFFER_BYTES = 16 * 1024


def plan(request: Request) -> Arrangement:
    return quanta.plan(request, BUFFER_BYTES)
