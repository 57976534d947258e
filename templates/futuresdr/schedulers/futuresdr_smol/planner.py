"""Workers placed by Linux, with blocks that move between them; the default buffer size is FutureSDR's."""

from __future__ import annotations

from dataclasses import replace

from weir.model.planning import peer_runtime
from weir.model.planning.planner import Arrangement, Request

#: Default size of a buffer in FutureSDR 0.0.40.
DEFAULT_BYTES = 32 * 1024


def plan(request: Request) -> Arrangement:
    """Return a plan in which all workers may use all requested CPUs: FutureSDR cannot set them per worker."""
    made = peer_runtime.plan(request, DEFAULT_BYTES)
    own = tuple(sorted({cpu for worker in made.workers for cpu in worker.requested or ()}))
    return replace(made, workers=tuple(replace(worker, cpus=own) for worker in made.workers))
