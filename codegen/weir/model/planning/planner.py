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
    """A valid graph with its rates, and what the deployment wants of the scheduler on a machine.

    `deployment.parameters` has every parameter of the scheduler with its value. `profile`: what blocks were measured to
    cost, where somebody did. A planner in a folder gets a copy.
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

    `chunks` is the largest number of items offered to a call, by instance. For instances in a schedule, the schedule
    determines it. With a `schedule`, each stream within a worker that has a worker schedule has an `arena` (the
    worker's name) and an `offset`. Nothing moves between workers then, so there are no `jobs`. With a `replication`,
    each worker runs all instances, in worker schedules that differ only in the worker. Each stream exists once for each
    of them, and its arena is that of the first one.
    """

    workers: tuple[Worker, ...]
    streams: tuple[Stream, ...]
    jobs: tuple[Job, ...] = ()
    chunks: Mapping[str, int] = field(default_factory=dict)
    schedule: Schedule | None = None
    replication: Replication | None = None

    def offered(self, rates: Rates) -> Mapping[str, int]:
        """The most items that a call is offered at a port, by instance."""
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
    """Likewise, because nothing can have a schedule where it is placed. `blocks`: those of the project that are why."""

    def __init__(self, message: str, hint: str, blocks: Sequence[str]):
        super().__init__(message, hint)
        self.blocks = blocks
