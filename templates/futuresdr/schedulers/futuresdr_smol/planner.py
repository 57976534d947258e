"""Workers placed by Linux, with blocks that move between them; the default buffer size is FutureSDR's."""

from __future__ import annotations

from weir.model.planning import peer_runtime
from weir.model.planning.planner import Arrangement, Request

#: Default size of a buffer in FutureSDR 0.0.40.
DEFAULT_BYTES = 32 * 1024


def plan(request: Request) -> Arrangement:
    return peer_runtime.with_common_cpus(peer_runtime.plan(request, DEFAULT_BYTES))
