"""A worker a CPU, between which blocks move, and FutureSDR's own buffers where nobody asks for a size."""

from __future__ import annotations

from weir.planning import foreign
from weir.planning.planner import Arrangement, NoPlan, Request

#: Of a buffer: what FutureSDR 0.0.40 makes by default.
DEFAULT_BYTES = 32 * 1024


def plan(request: Request) -> Arrangement:
    """NoPlan where workers share CPUs, or have several."""
    made = foreign.plan(request, DEFAULT_BYTES)
    cpus = [worker.cpus for worker in made.workers]
    if any(len(own) != 1 for own in cpus) or len(set(cpus)) < len(cpus):
        raise NoPlan(f"{request.scheduler.title} has a worker for each CPU that it may use, bound to it",
                     "give each worker one CPU of its own, or fewer workers")
    return made
