"""Assigns instances to workers, and workers to CPUs.

contiguous   the stages in topological order are cut into N pieces, the first M mod N of them one stage longer. A source
             (and a head right behind it) goes with the stage that it feeds, a sink with the stage that feeds it. With
             pipes, the pipes stand one behind the other, so that as many of them as can be stay on one worker.
round_robin  the i-th instance goes to worker i mod N.
per_pipe     pipe p goes to worker p mod N.
single       everything goes to the first worker.
auto         by the costs of blocks and cuts, so that the busiest worker has the least to do (`balance`). explicit
patterns over instance names; what no pattern names goes with what feeds it, a source with what it feeds.

With a scheduler whose workers are chosen, workers without affinity get the CPUs of `Machine.worker_cpus` one by one: a
core each, in order, then the second hardware threads. CPUs near those named for other workers come last: first cores
without a named CPU, then the other threads of named cores, then the named CPUs. Workers of other schedulers float; if
each block has a worker and the deployment requests a number, all of them share that many CPUs, taken in the same order.

If a scheduler moves jobs between its workers, no instance has a worker. A job is an instance, or one of the lists into
which `contiguous` cuts the graph: neighbours stay together, so that most streams are within a list.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from weir.model.catalog import SchedulerType
from weir.model.document.deployment import CPUS, ONE_OF, Deployment, Scheduling
from weir.model.flowgraph.graph import Graph, Instance
from weir.model.planning import patterns
from weir.model.planning.machine import Machine
from weir.sure import sure


@dataclass(frozen=True)
class Worker:
    """A worker. `requested`: CPUs named by the deployment, None without. `cpus` empty: not pinned.

    `instances`: what the worker runs; empty if jobs move between workers. `distances`, then: distance to each worker, 0
    to itself, 1 to the nearest; empty if all others are equally near. `scheduling`: its scheduling by Linux.
    """

    name: str
    requested: tuple[int, ...] | None
    cpus: tuple[int, ...]
    instances: tuple[str, ...]
    distances: tuple[int, ...] = ()
    scheduling: Scheduling = Scheduling()


@dataclass(frozen=True)
class Job:
    """Instances that move together from worker to worker, in topological order."""

    name: str
    instances: tuple[str, ...]


def is_head(instance: Instance) -> bool:
    """Return whether the block ends the stream after a number of items."""
    return "bounds" in instance.type.behaviour


def place(graph: Graph, deployment: Deployment, scheduler: SchedulerType, machine: Machine,
          auto: Mapping[str, str] | None = None) -> list[Worker]:
    """Return the workers that have instances, in order. The deployment must have passed `check_deployment`.

    `auto`: worker by instance, for that strategy.
    """
    if scheduler.jobs:
        jobs = make_jobs(graph, deployment, scheduler, machine)
        names = [f"w{i}" for i in range(min(worker_count(deployment, scheduler, machine), len(jobs)))]
        runs: dict[str, tuple[str, ...]] = dict.fromkeys(names, ())
    else:
        names, worker_of = _assign(graph, deployment, scheduler, machine, auto)
        runs = _grouped(graph, names, worker_of)
    workers = [worker for worker in _on_cpus(runs, graph, deployment, scheduler, machine)
               if scheduler.jobs or worker.instances]
    return _with_distances(workers, machine) if scheduler.jobs else workers


def everywhere(graph: Graph, deployment: Deployment, scheduler: SchedulerType, machine: Machine) -> list[Worker]:
    """Return workers that each run the whole graph."""
    names = [f"w{i}" for i in range(worker_count(deployment, scheduler, machine))]
    runs = dict.fromkeys(names, tuple(i.name for i in graph.instances))
    return _on_cpus(runs, graph, deployment, scheduler, machine)


def on_pieces(workers: Iterable[Worker], pieces: Iterable[Worker]) -> list[Worker]:
    """Return the workers of single blocks. A worker without an affinity gets the CPUs of the piece that has its block.
    """
    cpus = {name: piece.cpus for piece in pieces for name in piece.instances}
    return [replace(it, cpus=cpus[it.name]) if it.requested is None else it for it in workers]


def _on_cpus(runs: Mapping[str, tuple[str, ...]], graph: Graph, deployment: Deployment, scheduler: SchedulerType,
             machine: Machine) -> list[Worker]:
    requested = requested_cpus(deployment, graph, scheduler, list(runs))
    order = _unrequested_first(machine, requested)
    given = itertools.cycle([(cpu,) for cpu in order] if scheduler.workers == "chosen" and order else
                            [tuple(sorted(order[:worker_count(deployment, scheduler, machine)]))]
                            if shares_cpus(deployment, scheduler) else [()])
    return [Worker(name, cpus := requested.get(name), next(given) if cpus is None else cpus, instances)
            for name, instances in runs.items()]


def _with_distances(workers: list[Worker], machine: Machine) -> list[Worker]:
    """Return the workers with their distances, if all are pinned and some are nearer than others. A cache shared by
    only some workers is one step, and so is a node.
    """
    if not all(worker.cpus for worker in workers):
        return workers
    apart = {(a.name, b.name): machine.distance(a.cpus, b.cpus) for a in workers for b in workers if a is not b}
    rank = {distance: step for step, distance in enumerate(sorted(set(apart.values())), 1)}
    if len(rank) < 2:
        return workers
    return [replace(a, distances=tuple(0 if a is b else rank[apart[a.name, b.name]] for b in workers)) for a in workers]


def _unrequested_first(machine: Machine, requested: Mapping[str, tuple[int, ...]]) -> list[int]:
    """Return the CPUs in the order in which workers without an affinity get them."""
    taken = {cpu for cpus in requested.values() for cpu in cpus}
    beside = {cpu for core in machine.cores if taken & set(core.cpus) for cpu in core.cpus}
    return sorted(machine.worker_cpus, key=lambda cpu: (cpu in taken, cpu in beside))


def make_jobs(graph: Graph, deployment: Deployment, scheduler: SchedulerType, machine: Machine) -> list[Job]:
    """Return the jobs that move between workers; empty if each worker keeps its own instances."""
    if not scheduler.jobs:
        return []
    if scheduler.jobs == "instance":
        return [Job(i.name, (i.name,)) for i in graph.instances]
    count = deployment.parameters.get(scheduler.job_count) or worker_count(deployment, scheduler, machine)
    names = [f"j{i}" for i in range(count)]
    return [Job(name, run) for name, run in _grouped(graph, names, contiguous(graph, names)).items() if run]


def _grouped(graph: Graph, names: list[str], owner_of: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the instances by owner, in topological order."""
    runs: dict[str, list[str]] = {name: [] for name in names}
    for instance in graph.instances:
        runs[owner_of[instance.name]].append(instance.name)
    return {name: tuple(run) for name, run in runs.items()}


def worker_count(deployment: Deployment, scheduler: SchedulerType, machine: Machine | None) -> int:
    """Return the number of workers: the requested number, or one for each CPU or core."""
    if deployment.worker_number:
        return deployment.worker_number
    one_for_each = deployment.workers or scheduler.default_workers
    on = sure(machine)
    return max(1, min(len(on.allowed if one_for_each == CPUS else on.allowed_cores), scheduler.max_workers))


def reason_for_count(deployment: Deployment, scheduler: SchedulerType, machine: Machine) -> str:
    """Return why there are this many workers, in words; "" if a number, the map or the scheduler itself decides."""
    strategy = deployment.placement.strategy if deployment.placement else ""
    shared = shares_cpus(deployment, scheduler)
    if not shared and (strategy in ("single", "explicit") or deployment.worker_number
                       or scheduler.workers != "chosen" and not (scheduler.pieces and strategy)):
        return ""
    count = worker_count(deployment, scheduler, machine)
    cause = "as `workers` requests" if deployment.workers else f"the default of `{scheduler.id}`"
    if shared:
        return f"the threads share {count} CPU{'s' * (count != 1)}, {cause}"
    return f"one for each {ONE_OF[str(deployment.workers or scheduler.default_workers)]} ({count}), {cause}"


def shares_cpus(deployment: Deployment, scheduler: SchedulerType) -> bool:
    """Return whether `workers` is the number of CPUs that the threads of all blocks share."""
    return scheduler.workers == "per_block" and deployment.workers is not None and deployment.placement is None


def _assign(graph: Graph, deployment: Deployment, scheduler: SchedulerType, machine: Machine | None,
            auto: Mapping[str, str] | None) -> tuple[list[str], Mapping[str, str]]:
    if scheduler.workers == "per_block":
        return [i.name for i in graph.instances], {i.name: i.name for i in graph.instances}
    placement = deployment.placement
    strategy = placement.strategy if placement else "contiguous"
    if scheduler.workers == "one" or strategy == "single":
        return ["w0"], {i.name: "w0" for i in graph.instances}
    if strategy == "explicit":
        return worker_names_of_map(deployment), explicit(graph, sure(placement).map)[0]
    count = worker_count(deployment, scheduler, machine)
    names = [f"w{i}" for i in range(count)]
    if auto is not None:
        return names, auto
    if strategy == "round_robin":
        return names, {x.name: names[i % count] for i, x in enumerate(graph.instances)}
    if strategy == "per_pipe":
        return names, {i.name: names[(i.pipe or 0) % count] for i in graph.instances}
    return names, contiguous(graph, names)


def placed_beforehand(graph: Graph, deployment: Deployment, scheduler: SchedulerType) -> Mapping[str, str] | None:
    """Return worker by instance, if this depends on no machine and no costs. Instances without an entry in a map are
    left out.
    """
    strategy = deployment.placement.strategy if deployment.placement else "contiguous"
    known = scheduler.workers != "chosen" or strategy in ("single", "explicit") or deployment.worker_number
    if scheduler.jobs or strategy == "auto" or not known:
        return None
    return _assign(graph, deployment, scheduler, None, None)[1]


def known_workers(graph: Graph, deployment: Deployment, scheduler: SchedulerType) -> set[str] | None:
    """Return the workers' names, None if their number depends on the machine."""
    if scheduler.workers == "per_block":
        return {i.name for i in graph.instances}
    if scheduler.workers == "one":
        return {"w0"}
    if deployment.worker_number:
        return {f"w{i}" for i in range(deployment.worker_number)}
    if deployment.placement and deployment.placement.strategy == "explicit":
        return set(worker_names_of_map(deployment))
    return {"w0"} if deployment.placement and deployment.placement.strategy == "single" else None


def may_be_worker(name: str, known: set[str] | None) -> bool:
    """Return whether this may be a worker's name. `known`: result of `known_workers`."""
    return bool(re.fullmatch(r"w(?:0|[1-9][0-9]{0,3})", name)) if known is None else name in known


def worker_names_of_map(deployment: Deployment) -> list[str]:
    """Return w0, w1, … if `workers` is a number, else the names in the map, w2 before w10."""
    if deployment.worker_number:
        return [f"w{i}" for i in range(deployment.worker_number)]
    used = set(deployment.placement.map.values()) if deployment.placement else set()
    return sorted(used, key=lambda name: [(not p.isdigit(), int(p) if p.isdigit() else 0, p)
                                          for p in re.split(r"([0-9]+)", name) if p])


def contiguous(graph: Graph, names: list[str]) -> dict[str, str]:
    """Return worker by instance for the strategy `contiguous`."""
    def at_source(i: Instance) -> bool:
        feeders = graph.into[i.name]
        return not feeders or is_head(i) and not any(graph.into[edge.src] for edge in feeders)

    inner = [i for i in graph.instances if graph.into[i.name] and graph.out_of[i.name]]
    stages = [i for i in inner if not at_source(i)]
    stages.sort(key=lambda i: -1 if i.pipe is None else i.pipe)
    worker_of: dict[str, str] = {}
    whole, extra = divmod(len(stages), len(names))
    at = 0
    for number, name in enumerate(names):
        size = whole + (number < extra)
        worker_of.update((stage.name, name) for stage in stages[at:at + size])
        at += size
    for i in reversed(graph.instances):
        if i.name not in worker_of and at_source(i):
            worker_of[i.name] = next((worker_of[e.dst] for e in graph.out_of[i.name] if e.dst in worker_of),
                                     names[0])
    for i in graph.instances:
        if i.name not in worker_of:
            worker_of[i.name] = next(worker_of[edge.src] for edge in reversed(graph.into[i.name]))
    return worker_of


@dataclass(frozen=True)
class Clash:
    """Two patterns give `instance` different workers."""

    instance: str
    first: str
    second: str


def explicit(graph: Graph, placed: Mapping[str, str]) -> tuple[dict[str, str], list[Clash], list[str]]:
    """Return worker by instance, the clashes, and the instances without a worker."""
    worker_of: dict[str, str] = {}
    reason: dict[str, str] = {}
    clashes = []
    for text, worker in placed.items():
        pattern = patterns.parse(text)
        for instance in pattern.select(graph.instances) if pattern else ():
            if worker_of.setdefault(instance.name, worker) != worker:
                clashes.append(Clash(instance.name, reason[instance.name], text))
            reason.setdefault(instance.name, text)
    order = [i.name for i in graph.instances]
    for names, edges in ((order, graph.into), (reversed(order), graph.out_of)):
        for name in names:
            ends = (end for edge in edges[name] for end in (edge.src, edge.dst))
            found = next((worker_of[end] for end in ends if end != name and end in worker_of), None)
            if name not in worker_of and found is not None:
                worker_of[name] = found
    return worker_of, clashes, [name for name in order if name not in worker_of]


def requested_cpus(deployment: Deployment, graph: Graph, scheduler: SchedulerType,
                    names: list[str]) -> dict[str, tuple[int, ...]]:
    """Return the CPUs by worker from the deployment's affinity. An exact name comes before a pattern."""
    known = set(names)
    requested = {key: cpus for key, cpus in deployment.affinity.items() if key in known}
    if scheduler.workers == "per_block":
        for key, cpus in deployment.affinity.items():
            pattern = None if key in known else patterns.parse(key)
            for instance in pattern.select(graph.instances) if pattern else ():
                requested.setdefault(instance.name, cpus)
    return requested
