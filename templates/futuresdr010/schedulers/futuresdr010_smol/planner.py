"""Workers placed by Linux, with blocks that move between them; the default buffer size is FutureSDR's."""

from __future__ import annotations

from weir.model.planning import peer_runtime
from weir.model.planning.planner import Arrangement, Request

#: Default size of a buffer in FutureSDR 0.10.0.
DEFAULT_BYTES = 32 * 1024
#: Buffers of a circuit in FutureSDR's example.
BUFFERS = 4


def plan(request: Request) -> Arrangement:
    made = peer_runtime.plan(request, DEFAULT_BYTES)
    if request.deployment.parameters["in_place"]:
        made = peer_runtime.with_circuits(made, request, DEFAULT_BYTES, BUFFERS)
    return peer_runtime.with_common_cpus(made)
