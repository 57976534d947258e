"""Interface of planners. A planner assigns instances to workers, sizes buffers, and may fix the order of all firings.

A planner is a module with `plan(request: Request) -> Arrangement`, which raises NoPlan if it has no plan. Schedulers
whose descriptors name no planner use `dynamic`, which places blocks and leaves the order to the running scheduler. A
scheduler's folder can have its own planner, which `scheduler.json` names under `planner`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from weir.model.catalog import SchedulerType
from weir.model.document.deployment import Deployment
from weir.model.flowgraph.graph import Graph
from weir.model.flowgraph.rates import Rates
from weir.model.planning.machine import Machine
from weir.model.planning.placement import Job, Worker
from weir.model.planning.profile import Profile
from weir.model.planning.replication import Replication
from weir.model.planning.schedule import Schedule, largest_calls
from weir.model.planning.sizing import Stream


@dataclass(frozen=True)
class Request:
    """A valid graph with its rates, the deployment and the machine.

    `deployment.parameters` has every parameter of the scheduler with its value. `profile`: measured costs of blocks, if
    there are any. A planner in a folder gets a copy of the request.
    """

    graph: Graph
    rates: Rates
    deployment: Deployment
    scheduler: SchedulerType
    machine: Machine
    profile: Profile | None = None


@dataclass(frozen=True)
class Arrangement:
    """Result of a planner. `streams` has one entry for each connected output port, by writer in the graph's order.

    `chunks`: by instance, the largest number of items offered to a call; for instances in a schedule, the schedule
    determines it. With a `schedule`, each stream within a worker that has a worker schedule has an `arena` (the
    worker's name) and an `offset`. Nothing moves between workers then, so there are no `jobs`. With a `replication`,
    all workers run all instances, in worker schedules that differ only in the worker. Each worker has its own copy of
    each stream; `streams` has that of the first worker. `unheeded`: parameter of the scheduler -> what of it the plan
    cannot obey (W_TARGET_SETTING).
    """

    workers: tuple[Worker, ...]
    streams: tuple[Stream, ...]
    jobs: tuple[Job, ...] = ()
    chunks: Mapping[str, int] = field(default_factory=dict)
    schedule: Schedule | None = None
    replication: Replication | None = None
    unheeded: Mapping[str, str] = field(default_factory=dict)

    def offered(self, rates: Rates) -> Mapping[str, int]:
        """Return the most items that a call is offered at a port, by instance."""
        if self.schedule is None:
            return self.chunks
        return {**self.chunks, **{name: times * max(rates.inputs[name] + rates.outputs[name])
                                  for name, times in largest_calls(self.schedule).items()}}


class NoPlan(Exception):
    """Exception of a planner that has no plan for this graph or deployment. Weir reports its message and hint."""

    def __init__(self, message: str, hint: str = ""):
        super().__init__(message)
        self.hint = hint


class NotStatic(NoPlan):
    """Exception of a planner that finds no worker that can have a worker schedule. `blocks`: the blocks of the project
    that prevent it.
    """

    def __init__(self, message: str, hint: str, blocks: Sequence[str]):
        super().__init__(message, hint)
        self.blocks = blocks
