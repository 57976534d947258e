"""A thread per block; the default buffer size is GNU Radio's."""

from __future__ import annotations

from weir.model.planning import peer_runtime
from weir.model.planning.planner import Arrangement, Request

#: Default size of a buffer in GNU Radio 3.10.
DEFAULT_BYTES = 64 * 1024


def plan(request: Request) -> Arrangement:
    return peer_runtime.plan(request, DEFAULT_BYTES)
