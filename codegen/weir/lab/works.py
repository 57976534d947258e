"""Works of `weir bench`: sweeps of projects, by the name of the work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

#: Rounds of a cell.
ROUNDS, QUICK_ROUNDS = 8, 3
#: Values of `Work.bare`: the kernel that runs beside each measurement; the scheduler that is a hand-written loop.
KERNEL, LOOP = "kernel", "drained"


@dataclass(frozen=True)
class Part:
    """Sweep of a project. `vary` replaces some of its axes; `trace` is the tracer of all points."""

    project: str
    sweep: str
    vary: tuple[str, ...] = ()
    trace: str | None = None


@dataclass(frozen=True)
class Work:
    """Work of the benchmark. `bare` is its baseline: the reference kernel, the hand-written loop, or None.

    `ideal`: upper bound of the rate with n workers, m stages and a number of cores, as a multiple of the bare rate.
    """

    parts: tuple[Part, ...]
    bare: str | None = None
    ideal: Callable[[int, int, int], float] = lambda n, m, cores: 1.0


def _share_of_the_kernel(n: int, m: int, cores: int) -> float:
    return n / m


_CHAIN, _CORES = "bench/long_chain.weir.json", "examples/saxpy_multi_core.weir.json"
_OVERHEAD = "examples/tracing_overhead.weir.json"
#: Works, in the order of measurement.
WORKS = {
    "saxpy": Work((Part(_CORES, "cores", ("workers=1,2",)), Part(_CORES, "equal_buffers")), KERNEL,
                  _share_of_the_kernel),
    "null_rand": Work((Part("examples/null_rand_latency.weir.json", "stages", ("stages=1,5,11,23",), "off"),), LOOP),
    "shared_core": Work((Part(_CHAIN, "shared_core"),), KERNEL, _share_of_the_kernel),
    "paced": Work((Part("examples/load_curve.weir.json", "shares"),)),
    "busy_work": Work((Part("bench/busy_work.weir.json", "schedulers"),), LOOP, lambda n, m, cores: min(n, cores)),
    "long_graph": Work((Part(_CHAIN, "long_graph"),), KERNEL, _share_of_the_kernel),
    "watching": Work((Part(_OVERHEAD, "arms"), Part(_OVERHEAD, "metrics"))),
}
