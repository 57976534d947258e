"""What a planner is: it decides which worker runs what, how large buffers are, and, if it wants, when everything fires.

A planner is a module with `plan(request: Request) -> Arrangement`, which raises NoPlan where there is none. `dynamic`
is the one of all schedulers whose descriptors name none: it places blocks and leaves to the running scheduler when they
work. A scheduler's folder can have another one, which `scheduler.json` names under `planner`.
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
    """What a planner decides. `streams`: one for each connected output port, by writer in the graph's order.

    `chunks`: the most items that a call is offered, by instance; of those that a schedule fires they follow from it.
    With a `schedule`, each stream within a worker that has a section of it has an `arena` (the worker's name) and an
    `offset`, and nothing moves between workers: there are no `jobs`. With a `replication`, each worker runs all
    instances, in sections that differ in the worker alone, and each stream is there for each of them; its arena is that
    of the first one.
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
    """Raised by a planner that has no plan for this graph or deployment. The user is told both."""

    def __init__(self, message: str, hint: str = ""):
        super().__init__(message)
        self.hint = hint


class NotStatic(NoPlan):
    """Likewise, because nothing can have a schedule where it is placed. `blocks`: those of the project that are why."""

    def __init__(self, message: str, hint: str, blocks: Sequence[str]):
        super().__init__(message, hint)
        self.blocks = blocks
