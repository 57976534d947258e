"""A worker a CPU, each with its blocks, and FutureSDR's own buffers where nobody asks for a size."""

from __future__ import annotations

from weir.planning import foreign
from weir.planning.planner import Arrangement, NoPlan, Request

#: Of a buffer: what FutureSDR 0.0.40 makes by default.
DEFAULT_BYTES = 32 * 1024


def plan(request: Request) -> Arrangement:
    return a_cpu_each(foreign.plan(request, DEFAULT_BYTES), request.scheduler.title)


def a_cpu_each(made: Arrangement, title: str) -> Arrangement:
    """NoPlan where workers share CPUs, or have several."""
    cpus = [worker.cpus for worker in made.workers]
    if any(len(own) != 1 for own in cpus) or len(set(cpus)) < len(cpus):
        raise NoPlan(f"{title} has a worker for each CPU that it may use, bound to it",
                     "give each worker one CPU of its own, or fewer workers")
    return made
