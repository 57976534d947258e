"""Checks of a deployment without a machine, and warnings about a plan that the machine cannot satisfy."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from weir.diagnostics import Diagnostic, Fix, diagnostic, did_you_mean, pointer, within
from weir.model.catalog import Catalog, SchedulerType
from weir.model.document.deployment import ONE_OF, Deployment
from weir.model.flowgraph.graph import Edge, Graph
from weir.model.planning import patterns, placement, volk
from weir.model.planning.chain import CHAIN, CHAINS, first_break
from weir.model.planning.isolation_check import check_isolation, faults_on, machine_for
from weir.model.planning.machine import Machine
from weir.model.planning.placement import Worker
from weir.model.planning.scheduling import check_scheduling, scheduling_warnings
from weir.model.planning.stepped import STATIC_RATE_WORKER, Unable, unable_as_placed, unable_in_any_case

#: Why a scheduler has this requirement.
_CHAINS = {CHAIN: "passes buffers along one chain of blocks that work in place",
           CHAINS: "drains the buffers of separate chains, in which each block writes as many items as it reads"}


def check_deployment(deployment: Deployment, graph: Graph, catalog: Catalog) -> list[Diagnostic]:
    """Return the faults of a deployment of this graph, with pointers into the project."""
    scheduler = catalog.schedulers.get(deployment.scheduler)
    if scheduler is None:
        return [diagnostic("E_SCHEDULER_UNKNOWN", deployment.pointer + "/scheduler",
                           f"there is no scheduler `{deployment.scheduler}`",
                           did_you_mean(deployment.scheduler, catalog.schedulers))]
    return [*_scheduler(deployment, graph, scheduler), *_placement(deployment, graph, scheduler),
            *_affinity(deployment, graph, scheduler), *check_scheduling(deployment, graph, scheduler),
            *_buffers(deployment, graph), *check_isolation(deployment),
            *volk.check_names(deployment, graph, catalog)]


def refused_schedulers(graph: Graph, catalog: Catalog) -> dict[str, str]:
    """Return the schedulers that cannot run the graph, each with the first reason."""
    return {scheduler.id: fault.message for scheduler in catalog.schedulers.values()
            for fault in itertools.islice(_unable(scheduler, graph, ""), 1)}


def _scheduler(deployment: Deployment, graph: Graph, scheduler: SchedulerType) -> Iterator[Diagnostic]:
    yield from (unable := list(_unable(scheduler, graph, deployment.pointer)))
    if STATIC_RATE_WORKER in scheduler.requires and not unable:
        yield from _not_static(unable_as_placed(scheduler, graph, deployment), deployment.pointer)
    yield from _number_of_workers(deployment, graph, scheduler)
    if deployment.placement and not (scheduler.placement or scheduler.pieces):
        at = deployment.pointer + "/placement"
        yield diagnostic("E_SCHEDULER_PLACEMENT", at, f"`{scheduler.id}` decides itself where blocks run",
                         "remove `placement`", [Fix("Remove placement", at, "remove")])
    if deployment.wait and deployment.wait not in scheduler.wait:
        at = deployment.pointer + "/wait"
        yield diagnostic("E_SCHEDULER_WAIT", at, f"`{scheduler.id}` does not support the wait policy "
                                                 f"`{deployment.wait}`",
                         "choose one of " + ", ".join(f"`{w}`" for w in scheduler.wait),
                         [Fix("Remove wait", at, "remove")])


def _number_of_workers(deployment: Deployment, graph: Graph, scheduler: SchedulerType) -> Iterator[Diagnostic]:
    at, requested, most = deployment.pointer + "/workers", deployment.workers, _most_workers(scheduler, graph)
    if requested is None or _too_many(scheduler, most) or placement.shares_cpus(deployment, scheduler):
        return
    if scheduler.workers == "one" and requested != most:
        number = f"{requested} workers" if isinstance(requested, int) else f"a worker for each {ONE_OF[requested]}"
        yield diagnostic("E_SCHEDULER_WORKERS", at, f"`{scheduler.id}` cannot have {number} here",
                         f"remove `workers`: this scheduler has {most}", [Fix("Remove workers", at, "remove")])
    elif isinstance(requested, int) and requested > most:
        yield diagnostic("E_SCHEDULER_WORKERS", at, f"`{scheduler.id}` cannot have {requested} workers here",
                         f"use at most {most}", within(at, requested, None, most))


def _unable(scheduler: SchedulerType, graph: Graph, at: str) -> Iterator[Diagnostic]:
    """Yield the reasons why the scheduler cannot run these blocks at all."""
    named = set()
    for requirement in scheduler.requires:
        if requirement == STATIC_RATE_WORKER:
            yield from _not_static(unable_in_any_case(scheduler, graph), at)
            continue
        if requirement in _CHAINS:
            if found := first_break(graph, requirement):
                yield diagnostic("E_SCHEDULER_BLOCK", at + "/scheduler",
                                 f"`{scheduler.id}` {_CHAINS[requirement]}, but "
                                 f"`{found.instance.block_id}` ({found.instance.type.id}) {found.why}",
                                 "choose another scheduler or another block", blocks=[found.instance.block_id])
            continue
        for i in graph.instances:
            if i.type.meets(requirement) or i.block_id in named:
                continue
            named.add(i.block_id)
            if requirement.startswith("static_rate"):
                yield diagnostic("E_RATE_NOT_STATIC", at + "/scheduler",
                                 f"`{scheduler.id}` computes its schedule before the run, but `{i.block_id}` "
                                 f"({i.type.id}) has variable rates: how often it fires is known only during the run",
                                 blocks=[i.block_id])
            elif requirement == "whole_quanta":
                yield diagnostic("E_RUNTIME_RATE", i.pointer,
                                 f"`{scheduler.id}` moves whole quanta, one at each port in a call, but `{i.block_id}` "
                                 f"({i.type.id}) has variable rates", blocks=[i.block_id])
            else:
                yield diagnostic("E_SCHEDULER_BLOCK", at + "/scheduler",
                                 f"`{scheduler.id}` cannot run `{i.block_id}` ({i.type.id}): this scheduler requires "
                                 f"{requirement.replace('_', ' ')} blocks", "choose another scheduler or another block",
                                 blocks=[i.block_id])
    most = _most_workers(scheduler, graph)
    if _too_many(scheduler, most):
        yield diagnostic("E_SCHEDULER_BLOCK", at + "/scheduler",
                         f"`{scheduler.id}` needs one worker for each of {most} instances, but supports at most "
                         f"{scheduler.max_workers}: `{graph.instances[scheduler.max_workers].name}` gets none",
                         "choose a scheduler with a configurable number of workers")


def _not_static(fault: Unable | None, at: str) -> Iterator[Diagnostic]:
    if fault:
        yield diagnostic("E_RATE_NOT_STATIC", at + "/scheduler", fault.message, fault.hint, blocks=fault.blocks)


def _most_workers(scheduler: SchedulerType, graph: Graph) -> int:
    return {"one": 1, "per_block": len(graph.instances), "chosen": scheduler.max_workers}[scheduler.workers]


def _too_many(scheduler: SchedulerType, most: int) -> bool:
    return scheduler.workers == "per_block" and most > scheduler.max_workers


def _placement(deployment: Deployment, graph: Graph, scheduler: SchedulerType) -> Iterator[Diagnostic]:
    chosen = deployment.placement
    if not chosen or not (scheduler.placement or scheduler.pieces):
        return
    at = deployment.pointer + "/placement"
    if chosen.strategy != "explicit":
        if chosen.map:
            yield diagnostic("E_PLACEMENT_CONFLICT", at + "/map",
                             f"the strategy `{chosen.strategy}` places every instance, but there is also a `map`",
                             "remove `map`, or set the strategy to `explicit`")
        return
    names = placement.worker_names_of_map(deployment)
    sound = bool(chosen.map)
    if not chosen.map:
        yield diagnostic("E_PLACEMENT_CONFLICT", at, "the strategy `explicit` has no map, so no instance has a worker",
                         'add "map": {"source": "w0"}')
    for text, worker in chosen.map.items():
        here = at + pointer("map", text)
        pattern = patterns.parse(text)
        if pattern is None:
            sound = False
            yield diagnostic("E_PLACEMENT_INSTANCE", here, f"`{text}` is not a valid pattern of instance "
                                                           "names", patterns.HINT)
        elif not pattern.select(graph.instances):
            sound = False
            yield diagnostic("E_PLACEMENT_INSTANCE", here, f"`{text}` matches no instance",
                             did_you_mean(pattern.name, {i.block_id for i in graph.instances}) or patterns.HINT)
        if worker not in names or not re.fullmatch(r"[a-z][a-z0-9_]{0,63}", worker):
            sound = False
            yield diagnostic("E_WORKER_UNKNOWN", here, f"there is no worker `{worker}`", _names_hint(names))
    worker_of, clashes, left = placement.explicit(graph, chosen.map) if sound else ({}, [], [])
    for clash in clashes[:8]:
        yield diagnostic("E_PLACEMENT_CONFLICT", at + pointer("map", clash.second),
                         f"{clash.instance} has two workers: both `{clash.first}` and `{clash.second}` match this "
                         "instance",
                         "change the patterns, so that each instance matches only one worker")
    if left:
        yield diagnostic("E_PLACEMENT_CONFLICT", at + "/map",
                         f"{left[0]} has no worker, and neither has any instance that it is connected to"
                         + (f" ({len(left)} instances)" if len(left) > 1 else ""), "add the instance to the map")


def _affinity(deployment: Deployment, graph: Graph, scheduler: SchedulerType) -> Iterator[Diagnostic]:
    per_block = scheduler.workers == "per_block"
    names = placement.known_workers(graph, deployment, scheduler)
    for key in deployment.affinity:
        pattern = patterns.parse(key) if per_block else None
        if not placement.may_be_worker(key, names) and not (pattern and pattern.select(graph.instances)):
            hint = ("workers are named after their instances" if per_block
                    else "workers are named w0, w1, …" if names is None else _names_hint(sorted(names)))
            yield diagnostic("E_WORKER_UNKNOWN", deployment.pointer + pointer("affinity", key),
                             f"there is no worker `{key}`", hint)


def _names_hint(names: list[str]) -> str:
    return "the workers are " + ", ".join(names[:8]) + (", …" if len(names) > 8 else "") if names else ""


def _buffers(deployment: Deployment, graph: Graph) -> Iterator[Diagnostic]:
    for key in deployment.buffers:
        if not matching_edges(key, graph):
            yield diagnostic("E_BUFFER_EDGE", deployment.pointer + pointer("buffers", key),
                             f"the flowgraph has no connection `{key}`",
                             did_you_mean(key, [e.name for e in graph.edges[:1000]]) or "write connections as "
                                                                                        "a.out->b.in")


def matching_edges(key: str, graph: Graph) -> list[Edge]:
    """Return the edges that a key of `buffers` names, exactly or by patterns at both ends."""
    exact = [edge for edge in graph.edges if edge.name == key]
    parsed = None if exact else patterns.parse_edge(key)
    if not parsed:
        return exact
    src, out, dst, into = parsed
    sources = {i.name for i in src.select(graph.instances)}
    sinks = {i.name for i in dst.select(graph.instances)}
    return [e for e in graph.edges
            if e.src in sources and e.dst in sinks and (e.src_port, e.dst_port) == (out, into)]


def check_machine(workers: Sequence[Worker], deployment: Deployment, scheduler: SchedulerType,
                  machine: Machine) -> list[Diagnostic]:
    """Return errors about CPUs that a plan needs and this machine lacks.

    Workers, isolation and the interference load need CPUs. If the scheduler binds each worker to a CPU of its own, too
    few CPUs are an error, too.
    """
    own = machine_for(machine, deployment)
    return (faults_on(machine, deployment)
            or _cpu_faults("E_CPU_MISSING", workers, own, deployment)
            or _without_own_cpu(workers, deployment, scheduler)
            or _too_few_to_share("E_CPU_MISSING", deployment, scheduler, own))


def _without_own_cpu(workers: Sequence[Worker], deployment: Deployment, scheduler: SchedulerType) -> list[Diagnostic]:
    cpus = sorted({worker.cpus[0] for worker in workers}) if scheduler.own_cpus else []
    if len(cpus) in (0, len(workers)):
        return []
    listed = f"CPU{'s' * (len(cpus) != 1)} {', '.join(map(str, cpus))}"
    at = "/affinity" if deployment.affinity else "/workers" if deployment.workers else ""
    return [diagnostic("E_CPU_MISSING", deployment.pointer + at,
                       f"{scheduler.title} binds each worker to a separate CPU, but its {len(workers)} workers have "
                       f"only {listed}", "give each worker a separate CPU in `affinity`, or request fewer workers")]


def _too_few_to_share(code: str, deployment: Deployment, scheduler: SchedulerType,
                      machine: Machine) -> list[Diagnostic]:
    """Report threads that are to share more CPUs than there are."""
    number, cpus = deployment.worker_number or 0, len(machine.allowed)
    if number <= cpus or not placement.shares_cpus(deployment, scheduler):
        return []
    return [diagnostic(code, deployment.pointer + "/workers",
                       f"the threads are to share {number} CPUs, but this process may only use {cpus}",
                       f"request at most {cpus}, or `cpus` for all of them")]


def machine_warnings(workers: Sequence[Worker], graph: Graph, deployment: Deployment, scheduler: SchedulerType,
                     machine: Machine) -> list[Diagnostic]:
    """Return warnings about legal but probably unintended settings. The deployment has its wait policy."""
    wait = deployment.wait
    found = [*missing_cpus(deployment, machine),
             *_cpu_faults("W_CPU_MISSING", [it for it in workers if it.requested is None], machine, deployment),
             *_too_few_to_share("W_CPU_MISSING", deployment, scheduler, machine),
             *scheduling_warnings(workers, graph, deployment, machine),
             *_crossed_nodes(workers, graph, deployment, machine)]
    number = 0 if placement.shares_cpus(deployment, scheduler) else deployment.worker_number or 0
    if len(workers) < number:
        found.append(diagnostic("W_WORKER_IDLE", deployment.pointer + "/workers",
                                f"{number} workers are requested, but only {len(workers)} have work; Weir "
                                "leaves out the others", "request fewer workers, or change the placement"))
    pinned: dict[int, list[str]] = defaultdict(list)
    core_of = {cpu: core.id for core in machine.cores for cpu in core.cpus}
    for worker in workers:
        for core in sorted({core_of[cpu] for cpu in worker.cpus if cpu in core_of}) if len(worker.cpus) == 1 else ():
            pinned[core].append(worker.name)
    # With a thread for each block, only the number of blocks is to blame. A run says so nevertheless.
    if scheduler.workers != "per_block" or wait == "spin":
        found += oversubscribed(workers, graph, deployment, scheduler, machine)
    if wait != "spin":
        return [*found, *_shared_core(workers, pinned, deployment, machine)]
    for core, names in sorted(pinned.items()):
        if len(names) > 1:
            found.append(diagnostic("W_SPIN_SHARED", deployment.pointer + "/wait",
                                    f"{', '.join(names)} spin on the same core ({core}) and slow each other down",
                                    "use the wait policy `park` or `yield`, or one core for each "
                                    "worker", _parking(deployment)))
    return found


def oversubscribed(workers: Sequence[Worker], graph: Graph, deployment: Deployment, scheduler: SchedulerType,
                   machine: Machine) -> list[Diagnostic]:
    """Return a warning if more workers than CPUs run at the same time."""
    spins, cpus = deployment.wait == "spin", len(machine.allowed)
    # GNU Radio has a thread for each of its blocks whatever the deployment says.
    shared = scheduler.pieces and deployment.placement or placement.shares_cpus(deployment, scheduler)
    if len(workers) <= cpus or shared or graph.of_gnuradio:
        return []
    return [diagnostic("W_OVERSUBSCRIBED", deployment.pointer,
                       f"{len(workers)} workers share {cpus} CPU{'s' * (cpus != 1)} of this machine"
                       + (", and waiting workers spin on CPUs that other workers need" if spins else ""),
                       "use the wait policy `park`" if spins else "", _parking(deployment))]


def _parking(deployment: Deployment) -> tuple[Fix, ...]:
    """Return a fix for workers that spin, if the deployment is in the project file."""
    spins = deployment.wait == "spin" and deployment.pointer
    return (Fix("Wait: park", deployment.pointer + "/wait", "set", "park"),) if spins else ()


def _crossed_nodes(workers: Sequence[Worker], graph: Graph, deployment: Deployment,
                   machine: Machine) -> Iterator[Diagnostic]:
    """Warn if the deployment's own affinity puts the two ends of a stream on different NUMA nodes."""
    node_of = {cpu: core.numa for core in machine.cores for cpu in core.cpus}
    place = {name: (worker.name, {node_of[cpu] for cpu in worker.requested if cpu in node_of})
             for worker in workers if worker.requested is not None for name in worker.instances}
    crossing = [(edge.name, place[edge.src], place[edge.dst]) for edge in graph.edges
                if edge.src in place and edge.dst in place]
    crossing = [(name, a, b) for name, a, b in crossing if a[1] and b[1] and not a[1] & b[1]]
    if crossing:
        name, (src, src_nodes), (dst, dst_nodes) = crossing[0]
        more = f", and {len(crossing) - 1} more streams" if len(crossing) > 1 else ""
        yield diagnostic("W_NUMA_CROSSED", deployment.pointer + "/affinity",
                         f"{name}{more}: {src} is on NUMA node {min(src_nodes)}, but {dst} is on node {min(dst_nodes)}")


def _shared_core(workers: Sequence[Worker], pinned: dict[int, list[str]], deployment: Deployment,
                 machine: Machine) -> Iterator[Diagnostic]:
    """Warn if the deployment's own affinity crowds a core or its two hardware threads, and leaves another core empty.
    """
    requested = {worker.name for worker in workers if worker.requested is not None}
    empty = [core.id for core in machine.allowed_cores if core.id not in pinned]
    for core, names in sorted(pinned.items()):
        crowd = [name for name in names if name in requested]
        if empty and len(crowd) > 1 and len(crowd) == len(names):
            yield diagnostic("W_CORE_SHARED", deployment.pointer + "/affinity",
                             f"{', '.join(crowd)} share core {core}, while core {empty[0]} has no worker")


def missing_cpus(deployment: Deployment, machine: Machine) -> list[Diagnostic]:
    """Return warnings about CPUs in `affinity` that this machine lacks. Needs no plan."""
    return [fault for key, cpus in deployment.affinity.items()
            for fault in _not_usable("W_CPU_MISSING", key, cpus, machine, deployment)]


def _cpu_faults(code: str, workers: Sequence[Worker], machine: Machine, deployment: Deployment) -> list[Diagnostic]:
    return [fault for worker in workers for fault in _not_usable(code, worker.name, worker.cpus, machine, deployment)]


def _not_usable(code: str, name: str, cpus: tuple[int, ...], machine: Machine,
                deployment: Deployment) -> Iterator[Diagnostic]:
    missing = [cpu for cpu in cpus if cpu not in machine.usable]
    if missing:
        unknown = [cpu for cpu in missing if cpu not in machine.cpus]
        # The CPUs of a worker may be those of a pattern that selects it.
        key = next((key for key in (name, *deployment.affinity) if deployment.affinity.get(key) == cpus), None)
        at = "" if key is None else pointer("affinity", key)
        yield diagnostic(code, deployment.pointer + at,
                         f"worker {name} is pinned to CPU {', '.join(map(str, missing))}, which this machine "
                         + ("does not have" if unknown else "does not let this process use"),
                         "available CPUs: " + ", ".join(map(str, sorted(machine.usable))))
