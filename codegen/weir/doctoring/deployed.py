"""Of a deployment, what the state of a machine matters to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from weir.tracers import LTTNG, RECORDING


@dataclass(frozen=True)
class Deployed:
    """`workers`: name -> the CPUs that it is pinned to, empty where it floats. `trace`: the back-end of its runs.

    `buffer_bytes`: the memory of all its streams; `volk`: whether blocks of it call VOLK, None where nobody looked.
    `pieces`: whether its placement deals blocks that have a thread each out to CPUs, which they then share.
    """

    name: str
    workers: Mapping[str, Sequence[int]]
    wait: str = "spin"
    policy: str = "other"
    priority: int = 0
    lock: bool = False
    hugepages: bool = False
    require: Sequence[str] = ()
    trace: str = LTTNG
    buffer_bytes: int = 0
    volk: bool | None = None
    pieces: bool = False

    @classmethod
    def of_plan(cls, plan: Mapping, trace: str | None = None, volk: bool | None = None) -> Deployed:
        """`plan` as JSON; `trace`: another back-end than it has."""
        return cls(plan["deployment"], {worker["name"]: worker["cpus"]["planned"] for worker in plan["workers"]},
                   plan["wait"], plan["policy"], plan["priority"], plan["memory"]["lock"], plan["memory"]["hugepages"],
                   plan["require"], trace or plan["trace"]["backend"],
                   _buffer_bytes(plan), volk, bool(plan["requested"]["placement"]) and
                   all(worker["instances"] == [worker["name"]] for worker in plan["workers"]))

    @property
    def pinned(self) -> dict[str, Sequence[int]]:
        return {worker: cpus for worker, cpus in self.workers.items() if cpus}

    @property
    def cpus(self) -> frozenset[int]:
        """Those that its workers are pinned to."""
        return frozenset(cpu for cpus in self.workers.values() for cpu in cpus)

    @property
    def latency(self) -> bool:
        """Whether its runs measure latencies, and not throughput alone."""
        return self.trace in RECORDING

    @property
    def realtime(self) -> bool:
        return self.policy != "other"


def _buffer_bytes(plan: Mapping) -> int:
    """Each memory once: a stream that is `over` another has that one's, and those of an arena may share its bytes."""
    arenas = plan.get("schedule", {}).get("arenas", ())
    own = [stream for stream in plan["streams"] if "over" not in stream and "arena" not in stream]
    return sum(memory["bytes"] for memory in (*arenas, *own))
