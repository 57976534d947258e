"""Workers that the kernel places, between which blocks move, and FutureSDR's own buffers if nobody asks for a size."""

from __future__ import annotations

from dataclasses import replace

from weir.model.planning import foreign
from weir.model.planning.planner import Arrangement, Request

#: Of a buffer: what FutureSDR 0.0.40 makes by default.
DEFAULT_BYTES = 32 * 1024


def plan(request: Request) -> Arrangement:
    """All workers may use all CPUs that the deployment names for any of them: FutureSDR does not tell them apart."""
    made = foreign.plan(request, DEFAULT_BYTES)
    own = tuple(sorted({cpu for worker in made.workers for cpu in worker.requested or ()}))
    return replace(made, workers=tuple(replace(worker, cpus=own) for worker in made.workers))
