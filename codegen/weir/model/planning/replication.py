"""Replication: several workers all run the whole graph, each on its own stretches of the items.

Each worker runs its own copy of a block whose output follows from items at hand: a block without state, one that can
start anywhere, or one that remembers a known number of items. For the latter, the worker repeats that much of the
stretch before and discards the output. Any other block exists once. The workers take turns with it, in the order of the
stretches, and its state moves from worker to worker.

Only that state crosses cores, and while one worker has its turn, the others do the work before and after. Such a
pipeline is limited by the slowest block with turns or by the total work divided among the workers, whichever takes
longer. No cut of the graph into stages, with some of them replicated, does better.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from weir.model.behaviour import history_of
from weir.model.flowgraph.graph import Graph, Instance
from weir.model.flowgraph.rates import Rates
from weir.model.planning.schedule import Fire, Loop, WorkerSchedule, different_calls, firings


@dataclass(frozen=True)
class Replication:
    """Replication of worker schedules. A stretch is one pass through the worker schedule. `again`: the last repetitions
    of the first loop in the stretch before, which the worker repeats before its own stretch.
    """

    again: int

    def as_json(self) -> dict[str, Any]:
        """Return the replication as plain JSON values."""
        return {"again": self.again}


def turns_of(graph: Graph) -> dict[str, str]:
    """Return the instances shared by all workers, with the reason."""
    found: dict[str, str] = {}
    remade = remakeable(graph)
    for i in graph.instances:
        behaviour = i.type.behaviour
        if i.type.is_source:
            reason = "" if behaviour.get("random_access") else "cannot start in the middle of its stream"
        elif i.type.is_sink:
            reason = "" if behaviour.get("parallel") == "merge" else "needs items in order"
        elif behaviour.get("random_access") or behaviour["state"] == "stateless":
            reason = ""
        elif _remembered(i) is None:
            reason = "depends on all earlier items"
        else:
            reason = "" if i.name in remade else "depends on earlier items, which Weir cannot recompute"
        if reason:
            found[i.name] = reason
    return found


def remakeable(graph: Graph) -> set[str]:
    """Return the instances that can make any of their items again, together with all instances upstream."""
    found: set[str] = set()
    for i in graph.instances:
        feeders = {edge.src for edge in graph.into[i.name]}
        able = bool(i.type.behaviour.get("random_access")) or not i.type.is_source and _remembered(i) is not None
        if able and feeders <= found and (not i.type.is_sink or i.type.behaviour.get("parallel") == "merge"):
            found.add(i.name)
    return found


def _remembered(i: Instance) -> int | None:
    """Return how many items of its first input the instance remembers, None if unknown."""
    if i.type.behaviour.get("random_access") or i.type.is_sink:
        return 0
    return history_of(i.type.descriptor, i.parameters)


def iterations_remembered(graph: Graph, rates: Rates) -> int:
    """Return how many iterations before an item hold everything that the item depends on.

    A restarted block needs as many earlier items as it remembers. The block that feeds it must make these, and needs
    earlier items in turn.
    """
    wanted: dict[str, int] = dict.fromkeys(graph.by_name, 0)  # by instance: firings before those of the stretch
    remade = remakeable(graph)
    for i in reversed(graph.instances):
        remembered = (_remembered(i) or 0) if i.name in remade else 0
        for edge in graph.into[i.name] if i.name in remade else ():
            rate = rates.at(i, edge.dst_port)
            items = wanted[i.name] * rate + -(-remembered * rate // rates.inputs[i.name][0])
            made = rates.at(graph.instance(edge.src), edge.src_port)
            wanted[edge.src] = max(wanted[edge.src], -(-items // made))
    return max((-(-count // rates.firings[name]) for name, count in wanted.items()), default=0)


def held(worker_schedules: Sequence[WorkerSchedule], graph: Graph) -> set[tuple[str, str]]:
    """Return the output ports of the repeated first loop whose readers are not all in that loop. Their readers outside
    already have the items that are made again.
    """
    first = worker_schedules[0].body[0]
    inside = firings(first.body).keys() if isinstance(first, Loop) else ()
    return {(edge.src, edge.src_port) for edge in graph.edges if edge.src in inside and edge.dst not in inside}


def faults_of(replication: Replication, worker_schedules: Sequence[WorkerSchedule],
              workers: Iterable[Sequence[str]], graph: Graph,
              rates: Rates) -> list[str]:
    """Return the faults of a set of worker schedules that are each valid."""
    if any(own.body != worker_schedules[0].body for own in worker_schedules):
        return ["replicated workers have different worker schedules"]
    if any(set(names) != graph.by_name.keys() for names in workers):
        return ["a worker lacks an instance, although each worker must run the whole flowgraph"]
    turns, calls = turns_of(graph), worker_schedules[0].body
    alone = [step.instance for step in calls if isinstance(step, Fire) and step.instance in turns]
    everywhere = [name for call in different_calls(calls) for name in call.instances if name in turns]
    if sorted(alone) != sorted(everywhere):
        return ["an instance at which workers take turns must fire once in a stretch, and outside of loops"]
    if not isinstance(replication.again, int) or replication.again < 0:
        return ["`again` is not a number of repetitions"]
    remembered = iterations_remembered(graph, rates)
    if not remembered and not replication.again:
        return []
    first = calls[0]
    if not isinstance(first, Loop) or not replication.again <= first.times:
        return ["a worker schedule does not begin with a loop that can repeat some of its repetitions"]
    once = firings(first.body)
    if strange := once.keys() - remakeable(graph):
        return [f"`{min(strange)}` is in a repeated loop, but cannot recompute its items"]
    if replication.again * min(count // rates.firings[name] for name, count in once.items()) < remembered:
        return [f"{replication.again} repeated repetitions are too few for the history of the blocks"]
    return []
