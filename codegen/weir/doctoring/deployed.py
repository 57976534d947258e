"""Of a deployment, what the state of a machine matters to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from weir.tracers import LTTNG, RECORDING


@dataclass(frozen=True)
class Deployed:
    """`workers`: name -> the CPUs that it is pinned to, empty where it floats. `trace`: the back-end of its runs.

    `buffer_bytes`: of all its streams; `volk`: whether blocks of it call VOLK, None where nobody looked.
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

    @classmethod
    def of_plan(cls, plan: Mapping, trace: str | None = None, volk: bool | None = None) -> Deployed:
        """`plan` as JSON; `trace`: another back-end than it has."""
        return cls(plan["deployment"], {worker["name"]: worker["cpus"]["planned"] for worker in plan["workers"]},
                   plan["wait"], plan["policy"], plan["priority"], plan["memory"]["lock"], plan["memory"]["hugepages"],
                   plan["require"], trace or plan["trace"]["backend"],
                   sum(stream["bytes"] for stream in plan["streams"]), volk)

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
