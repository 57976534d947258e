"""What `weir bench` measures: sweeps of projects, by the name of the work in its rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

#: Blocks of a cell.
ROUNDS, QUICK_ROUNDS = 8, 3


@dataclass(frozen=True)
class Part:
    """A sweep of a project. `vary` replaces axes of it, and `trace` is the tracer of all points."""

    project: str
    sweep: str
    vary: tuple[str, ...] = ()
    trace: str | None = None


@dataclass(frozen=True)
class Work:
    """`ideal`: the rate that no scheduler exceeds with n workers and m stages, as a multiple of the bare rate."""

    parts: tuple[Part, ...]
    ideal: Callable[[int, int, int], float] = lambda n, m, cpus: 1.0


def _share_of_the_kernel(n: int, m: int, cpus: int) -> float:
    return n / m


_CHAIN, _CORES = "examples/saxpy_chain.weir.json", "examples/saxpy_multi_core.weir.json"
_OVERHEAD = "examples/tracing_overhead.weir.json"
#: In the order in which they are measured.
WORKS = {
    "saxpy": Work((Part(_CORES, "one_core"), Part(_CORES, "two_cores"),
                   Part(_CORES, "equal_buffers")), _share_of_the_kernel),
    "null_rand": Work((Part("examples/null_rand_latency.weir.json", "stages", ("stages=1,5,11,23",), "off"),)),
    "shared_core": Work((Part(_CHAIN, "shared_core"),), _share_of_the_kernel),
    "paced": Work((Part("examples/load_curve.weir.json", "shares"),)),
    "busy_work": Work((Part("bench/busy_work.weir.json", "schedulers"),), lambda n, m, cpus: min(n, cpus)),
    "long_graph": Work((Part(_CHAIN, "long_graph"),), _share_of_the_kernel),
    "watching": Work((Part(_OVERHEAD, "arms"), Part(_OVERHEAD, "metrics"))),
}
