"""Scheduling of each worker by Linux: the deployment's policy and timer slack, and the entries of `threads`.

An entry of `threads` applies to the worker with its name. Otherwise it is a pattern, and applies to each worker with a
matching instance. Policy, priority and the three times of `deadline` go together: an entry that names a policy has all
of them, and an entry without one keeps the deployment's. docs/realtime.md explains the policies.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from weir.diagnostics import Diagnostic, Fix, WeirError, diagnostic, did_you_mean, pointer
from weir.model.catalog import SchedulerType
from weir.model.document.deployment import Deployment, Scheduling
from weir.model.flowgraph.graph import Graph
from weir.model.planning import patterns, placement
from weir.model.planning.machine import Machine
from weir.model.planning.placement import Worker
from weir.sure import sure

DEADLINE = "deadline"
#: Policies with priorities. Their threads run before all threads that have neither a priority nor a deadline.
BY_PRIORITY = ("fifo", "rr")
REALTIME = (*BY_PRIORITY, DEADLINE)
_TIMES = ("runtime_us", "deadline_us", "period_us")
#: Share of a CPU's time that the kernel gives threads with deadlines by default (kernel.sched_rt_runtime_us).
_USUAL_SHARE = 0.95


def check_scheduling(deployment: Deployment, graph: Graph, scheduler: SchedulerType) -> list[Diagnostic]:
    """Return errors in the policies of a deployment, and warnings about unlikely ones. Needs no machine."""
    if deployment.scheduling == Scheduling() and not deployment.threads:
        return []
    at = deployment.pointer
    entries = {at: deployment.scheduling,
               **{at + pointer("threads", key): it for key, it in deployment.threads.items()}}
    found = [fault for place, it in entries.items() for fault in _sound(it, place)]
    found += _names(deployment, graph, scheduler)
    if found:
        return found
    runs = _runs(deployment, graph, scheduler)
    try:
        workers = resolved(runs, deployment, graph)
    except WeirError as error:
        return list(error.diagnostics)
    requested = placement.requested_cpus(deployment, graph, scheduler, list(runs))
    return [*_confined(requested, workers, deployment), *_spinning(entries.values(), deployment, scheduler),
            *(diagnostic("W_TIMER_SLACK", f"{place}/timer_slack_ns",
                         f"the policy `{it.policy}` has no timer slack: Linux wakes its threads as soon as it can",
                         fixes=[Fix("Remove timer_slack_ns", f"{place}/timer_slack_ns", "remove")])
              for place, it in entries.items() if it.timer_slack_ns is not None and it.policy in REALTIME)]


def resolved(runs: Mapping[str, Collection[str]], deployment: Deployment, graph: Graph) -> dict[str, Scheduling]:
    """Return the kernel's scheduling of each worker. Raises WeirError (E_THREAD_CONFLICT) if two entries disagree about
    one.

    `runs`: the instances of each worker, none if they move between workers.
    """
    of_blocks = {key: {i.name for i in pattern.select(graph.instances)} for key in deployment.threads
                 if key not in runs and (pattern := patterns.parse(key))}
    return {worker: _joined(worker, [worker] if worker in deployment.threads else
                            [key for key, names in of_blocks.items() if not names.isdisjoint(instances)], deployment)
            for worker, instances in runs.items()}


def scheduled(workers: Sequence[Worker], graph: Graph, deployment: Deployment) -> list[Worker]:
    """Return the workers with their scheduling. Raises WeirError if two entries disagree about a worker, or if the
    kernel would refuse its deadline. A worker with a deadline is bound to no CPU unless the deployment pins it.
    """
    by_worker = resolved({it.name: it.instances for it in workers}, deployment, graph)
    requested = {it.name: it.requested for it in workers if it.requested is not None}
    if confined := list(_confined(requested, by_worker, deployment)):
        raise WeirError(confined)
    floating = {it.name for it in workers if by_worker[it.name].policy == DEADLINE and it.requested is None}
    return [replace(it, scheduling=by_worker[it.name], cpus=() if it.name in floating else it.cpus,
                    distances=() if floating else it.distances) for it in workers]


def scheduling_warnings(workers: Sequence[Worker], graph: Graph, deployment: Deployment,
                        machine: Machine) -> Iterator[Diagnostic]:
    """Yield warnings about entries of `threads` without a worker on this machine, and about deadlines that need too
    much CPU time.
    """
    names = {it.name for it in workers}
    for key in deployment.threads:
        pattern = patterns.parse(key)
        if key not in names and not (pattern and pattern.select(graph.instances)):
            yield diagnostic("W_THREAD_UNUSED", deployment.pointer + pointer("threads", key),
                             f"there is no worker {key} in this plan", "the workers are " + ", ".join(sorted(names)))
    shares = [it.scheduling.runtime_us / it.scheduling.period_us for it in workers if it.scheduling.policy == DEADLINE]
    cpus = len(deployment.isolate.cpus or machine.allowed) if deployment.isolate else len(machine.cpus)
    if sum(shares) > _USUAL_SHARE * cpus:
        yield diagnostic("W_DEADLINE_BANDWIDTH", deployment.pointer,
                         f"the deadlines need {sum(shares):.3g} CPUs, but Linux grants them only "
                         f"{_USUAL_SHARE * cpus:.3g} of {cpus} CPUs, and refuses the rest")


def as_requested(it: Scheduling) -> dict[str, Any]:
    """Return the settings by the keys of a project file, without those that are not requested."""
    return {key: value for key, value in asdict(it).items() if value not in ("", 0, None)}


def in_words(it: Mapping[str, Any]) -> str:
    """Return the settings in words, such as `fifo 50`, `deadline 500/900/1000 us` or `other, slack 50000 ns`. `it` has
    the keys of a project file.
    """
    policy = str(it["policy"])
    if policy == DEADLINE and it.get("period_us"):
        policy += f" {'/'.join(str(it[key]) for key in _TIMES)} us"
    elif it.get("priority"):
        policy += f" {it['priority']}"
    return policy + (f", slack {slack} ns" if (slack := it.get("timer_slack_ns") or 1) > 1 else "")


def _sound(it: Scheduling, at: str) -> Iterator[Diagnostic]:
    """Check that settings that belong together are all present. `at` is the place in the project."""
    by_priority = it.policy in BY_PRIORITY
    if by_priority != (it.priority > 0):
        yield diagnostic("E_PRIORITY", at + ("/policy" if by_priority else "/priority"),
                         f"the policy `{it.policy}` does not permit the priority {it.priority}" if it.policy else
                         f"the priority {it.priority} needs a policy, but there is none here")
    given = [key for key in _TIMES if getattr(it, key)]
    if it.policy != DEADLINE:
        for key in given[:1]:
            yield diagnostic("E_DEADLINE", f"{at}/{key}", f"`{key}` belongs to the policy `{DEADLINE}`, but " +
                             (f"the policy is `{it.policy}`" if it.policy else "there is no policy here"))
    elif len(given) < len(_TIMES):
        missing = ", ".join(f"`{key}`" for key in _TIMES if key not in given)
        yield diagnostic("E_DEADLINE", f"{at}/policy", f"the policy `{DEADLINE}` lacks {missing}")
    elif not it.runtime_us <= it.deadline_us <= it.period_us:
        yield diagnostic("E_DEADLINE", f"{at}/{'runtime' if it.runtime_us > it.deadline_us else 'deadline'}_us",
                         f"{it.runtime_us} us of work cannot end within {it.deadline_us} us of each "
                         f"{it.period_us} us")


def _names(deployment: Deployment, graph: Graph, scheduler: SchedulerType) -> Iterator[Diagnostic]:
    workers = placement.known_workers(graph, deployment, scheduler)
    for key in deployment.threads:
        if placement.may_be_worker(key, workers):
            continue
        at, pattern = deployment.pointer + pointer("threads", key), patterns.parse(key)
        if not (pattern and pattern.select(graph.instances)):
            names = {i.block_id for i in graph.instances} | (workers or set())
            near = did_you_mean(pattern.name if pattern else key, names)
            yield diagnostic("E_THREAD_UNKNOWN", at, f"`{key}` is not a worker and matches no block",
                             near or "workers are named w0, w1, … or after their instances; " + patterns.HINT)
        elif scheduler.jobs:
            yield diagnostic("E_THREAD_MOVES", at, f"`{key}` is not a worker: `{scheduler.id}` moves blocks between "
                                                   "workers, but a policy belongs to one worker")


def _runs(deployment: Deployment, graph: Graph, scheduler: SchedulerType) -> dict[str, list[str]]:
    """Return the instances of each worker if they are known without a machine; else the named workers, without
    instances.
    """
    sure = scheduler.placement or scheduler.workers != "chosen"
    placed = placement.placed_beforehand(graph, deployment, scheduler) if sure else None
    if placed is None:
        workers = placement.known_workers(graph, deployment, scheduler)
        return {key: [] for key in (*deployment.affinity, *deployment.threads) if placement.may_be_worker(key, workers)}
    runs: dict[str, list[str]] = {}
    for name, worker in placed.items():
        runs.setdefault(worker, []).append(name)
    return runs


def _joined(worker: str, keys: Sequence[str], deployment: Deployment) -> Scheduling:
    """Return the combined settings of a worker's entries, which override those of the deployment."""
    entries = {key: deployment.threads[key] for key in keys}
    policies = {key: replace(it, timer_slack_ns=None) for key, it in entries.items() if it.policy}
    slacks = {key: it.timer_slack_ns for key, it in entries.items() if it.timer_slack_ns is not None}
    for settings in (policies, slacks):
        first = next(iter(settings), None)
        for other in (key for key in settings if settings[key] != settings[sure(first)]):
            raise WeirError(diagnostic(
                "E_THREAD_CONFLICT", deployment.pointer + pointer("threads", other),
                f"`{first}` and `{other}` request different settings, but worker {worker} runs blocks of both"))
    return replace(next(iter(policies.values()), deployment.scheduling),
                   timer_slack_ns=next(iter(slacks.values()), deployment.timer_slack_ns))


def _confined(requested: Mapping[str, Sequence[int]], workers: Mapping[str, Scheduling],
              deployment: Deployment) -> Iterator[Diagnostic]:
    """Yield an error for each pinned worker with a deadline, unless it may run on exactly the isolated CPUs. The kernel
    refuses a deadline to a thread that may not run on each CPU of its root domain. That is the machine, or an exclusive
    set of CPUs.
    """
    isolated = set(deployment.isolate.cpus) if deployment.isolate else set()
    for worker, cpus in requested.items():
        if worker in workers and workers[worker].policy == DEADLINE and set(cpus) != isolated:
            at = deployment.pointer + (pointer("affinity", worker) if worker in deployment.affinity else "/affinity")
            yield diagnostic("E_DEADLINE_AFFINITY", at,
                             f"worker {worker} has the policy `{DEADLINE}`, which Linux refuses to a thread that is "
                             f"restricted to CPU {', '.join(map(str, cpus))}",
                             fixes=[Fix("Remove the affinity", at, "remove")])


def _spinning(settings: Collection[Scheduling], deployment: Deployment,
              scheduler: SchedulerType) -> Iterator[Diagnostic]:
    policy = next((it.policy for it in settings if it.policy in REALTIME), None)
    if policy is None or (deployment.wait or scheduler.wait[0]) != "spin":
        return
    at = deployment.pointer + "/wait"
    yield diagnostic("W_REALTIME_SPINS", at if deployment.wait else deployment.pointer,
                     f"workers with the policy `{policy}` spin while they wait, which counts as work for Linux: "
                     + ("each uses up its runtime and then stops until its next period" if policy == DEADLINE else
                        "nothing else gets their CPUs, and Linux stops them for a part of each second"),
                     fixes=[Fix("Wait: park", at, "set", "park")] if "park" in scheduler.wait else [])
