"""A worker a CPU, between which blocks move, and FutureSDR's own buffers where nobody asks for a size."""

from __future__ import annotations

from weir.model.planning import foreign
from weir.model.planning.planner import Arrangement, Request

#: Of a buffer: what FutureSDR 0.0.40 makes by default.
DEFAULT_BYTES = 32 * 1024


def plan(request: Request) -> Arrangement:
    return foreign.a_cpu_each(foreign.plan(request, DEFAULT_BYTES), request)
