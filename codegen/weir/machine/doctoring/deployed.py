"""Properties of a deployment for which the state of the machine matters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from weir.model.document.deployment import Scheduling
from weir.model.planning.scheduling import DEADLINE, REALTIME, in_words
from weir.tracers import LTTNG, RECORDING


@dataclass(frozen=True)
class Deployed:
    """`workers`: name -> the CPUs to which the worker is pinned, empty if it is not. `trace`: the back-end of its runs.
    `realtime`: name -> settings by the keys of a project, for the workers with a policy other than `other`.

    `buffer_bytes`: the memory of all streams. `volk`: whether its blocks call VOLK, None if unknown. `isolates`:
    whether its CPUs are kept free during each run. `loops`: number of interfering loops during a run. `pieces`: whether
    its placement distributes blocks with a thread each over CPUs that they share.
    """

    name: str
    workers: Mapping[str, Sequence[int]]
    wait: str = "spin"
    realtime: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    lock: bool = False
    hugepages: bool = False
    require: Sequence[str] = ()
    trace: str = LTTNG
    buffer_bytes: int = 0
    volk: bool | None = None
    pieces: bool = False
    isolates: bool = False
    loops: int = 0

    @classmethod
    def of_plan(cls, plan: Mapping[str, Any], trace: str | None = None, volk: bool | None = None) -> Deployed:
        """Return the properties of a plan (JSON). `trace`: back-end that replaces the plan's."""
        return cls(plan["deployment"], {worker["name"]: worker["cpus"]["planned"] for worker in plan["workers"]},
                   plan["wait"], _realtime(plan), plan["memory"]["lock"], plan["memory"]["hugepages"],
                   plan["require"], trace or plan["trace"]["backend"],
                   _buffer_bytes(plan), volk, bool(plan["requested"]["placement"]) and
                   all(worker["instances"] == [worker["name"]] for worker in plan["workers"]),
                   "isolate" in plan, plan.get("interference", {}).get("loops", 0))

    @property
    def pinned(self) -> dict[str, Sequence[int]]:
        """Return the CPUs of each pinned worker."""
        return {worker: cpus for worker, cpus in self.workers.items() if cpus}

    @property
    def cpus(self) -> frozenset[int]:
        """Return the CPUs that the workers are pinned to."""
        return frozenset(cpu for cpus in self.workers.values() for cpu in cpus)

    @property
    def latency(self) -> bool:
        """Return whether the runs measure latency, and not only throughput."""
        return self.trace in RECORDING

    @property
    def highest_priority(self) -> int:
        """Return the highest requested priority of the workers, 0 if none has a priority."""
        return max((it.get("priority", 0) for it in self.realtime.values()), default=0)

    @property
    def with_deadline(self) -> bool:
        """Return whether a worker requests SCHED_DEADLINE."""
        return any(it["policy"] == DEADLINE for it in self.realtime.values())

    def policies(self, among: Sequence[str] = REALTIME) -> str:
        """Return the policies as text, such as `fifo 50`, or `fifo 50 (w0, w2), rr 3 (w3)` if workers differ."""
        having: dict[str, list[str]] = {}
        for worker, it in self.realtime.items():
            if it["policy"] in among:
                having.setdefault(in_words(it), []).append(worker)
        return ", ".join(what if len(who) == len(self.workers) else f"{what} ({', '.join(who)})"
                         for what, who in having.items())


def _realtime(plan: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    requested = {worker["name"]: worker.get("scheduling", plan) for worker in plan["workers"]}
    return {name: {key: it[key] for key in asdict(Scheduling()) if key in it} for name, it in requested.items()
            if it["policy"] in REALTIME}


def _buffer_bytes(plan: Mapping[str, Any]) -> int:
    """Return the bytes of all buffers, each counted once. A stream `over` another one uses its memory, and streams of
    an arena may share bytes.
    """
    arenas = plan.get("schedule", {}).get("arenas", ())
    own = [stream for stream in plan["streams"] if "over" not in stream and "arena" not in stream]
    return sum(memory["bytes"] for memory in (*arenas, *own))
