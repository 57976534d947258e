"""Checks of a deployment's requests for isolation and for interference load.

This module chooses the CPUs and checks that they exist. `weir.machine.isolating` carries out the changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from weir.diagnostics import Diagnostic, WeirError, diagnostic, pointer
from weir.model.document.deployment import Deployment, InterferenceSettings
from weir.model.planning.machine import Machine
from weir.model.planning.topology import cpu_words

#: Period of a CPU time limit, and the least time per period that Linux accepts.
PERIOD_US, LEAST_QUOTA_US = 100_000, 1000


class Unfit(Exception):
    """Unavailable CPUs. The message is for people."""


@dataclass(frozen=True)
class Chosen:
    """Chosen CPUs. `siblings`: the other hardware threads of their cores. `free`: CPUs kept free of other programs;
    `left`: CPUs for these programs.
    """

    cpus: frozenset[int]
    siblings: frozenset[int]
    free: frozenset[int]
    left: frozenset[int]


def choose(online: frozenset[int], isolated: frozenset[int], usual: frozenset[int],
           siblings_of: Callable[[int], frozenset[int]], wanted: frozenset[int], free_siblings: bool = False) -> Chosen:
    """Choose the CPUs to isolate: the requested ones, else those that Linux isolates (`isolated`), else all of `usual`
    except its first core. Raises Unfit.
    """
    cpus = wanted or isolated & online or _all_but_the_first_core(usual, siblings_of)
    if cpus - online:
        raise Unfit(f"{cpu_words(cpus - online)} {'is' if len(cpus - online) == 1 else 'are'} missing or offline; "
                    f"the machine has {cpu_words(online)}")
    siblings = frozenset().union(*map(siblings_of, cpus)) - cpus
    free = cpus | siblings if free_siblings else cpus
    if not online - free:
        raise Unfit(f"{cpu_words(cpus)}{' with siblings' if free != cpus else ''} would be isolated, which leaves no "
                    "CPU for other programs")
    return Chosen(cpus, siblings, free, online - free)


def _all_but_the_first_core(usual: frozenset[int], siblings_of: Callable[[int], frozenset[int]]) -> frozenset[int]:
    first = min(usual)
    rest = usual - {first} - siblings_of(first)
    if not rest:
        raise Unfit("the machine has only one core, which other programs need")
    return rest


def chosen_on(machine: Machine, deployment: Deployment) -> Chosen | None:
    """Return the CPUs that are kept free for the runs, None if it requests none. Raises WeirError."""
    if deployment.isolate is None:
        return None
    wanted = frozenset(deployment.isolate.cpus)
    core_of = {cpu: frozenset(core.cpus) for core in machine.cores for cpu in core.cpus}
    try:
        return choose(frozenset(machine.cpus), frozenset(machine.isolated), frozenset(machine.allowed),
                      lambda cpu: core_of.get(cpu, frozenset()) - {cpu}, wanted, deployment.isolate.free_siblings)
    except Unfit as fault:
        raise WeirError(diagnostic(
            "E_ENVIRONMENT_CPUS", deployment.pointer + pointer("environment", *(("isolate", "cpus") if wanted else ())),
            str(fault), "" if wanted else "name some CPUs in `cpus` of `isolate`")) from None


def machine_for(machine: Machine, deployment: Deployment) -> Machine:
    """Return the part of the machine that the workers may use: all of it if the requested CPUs are not available."""
    try:
        chosen = chosen_on(machine, deployment)
    except WeirError:
        return machine
    return replace(machine, allowed=tuple(sorted(chosen.cpus)), isolated=()) if chosen else machine


def faults_on(machine: Machine, deployment: Deployment) -> list[Diagnostic]:
    """Return errors about isolation and interference load that this machine cannot provide."""
    try:
        chosen = chosen_on(machine, deployment)
    except WeirError as error:
        return [*error.diagnostics, *_interference_faults(machine, deployment, None)]
    return [*(outside(deployment, chosen.cpus) if chosen else ()), *_interference_faults(machine, deployment, chosen)]


def interference_cpus(machine: Machine, deployment: Deployment, chosen: Chosen | None) -> frozenset[int]:
    """Return the CPUs for loops that request none: all CPUs that the run may use, including isolated CPUs of its
    workers. `chosen` are the CPUs kept free for the run.
    """
    own = frozenset().union(*deployment.affinity.values()) & machine.usable
    return own.union(machine.allowed, chosen.cpus if chosen else ())


def check_isolation(deployment: Deployment) -> Iterator[Diagnostic]:
    """Yield the faults that are independent of the machine."""
    if deployment.isolate and deployment.isolate.cpus:
        yield from outside(deployment, frozenset(deployment.isolate.cpus))
    it = deployment.interference
    if it.cpu_limit is not None and it.cpu_quota is not None:
        yield diagnostic("E_DISTURB", deployment.pointer + pointer("interference", "cpu_quota"),
                         "`cpu_limit` and `cpu_quota` both limit the CPU time of the loops", "remove one of the two")
    elif it.cpus:
        yield from _least_limit(deployment, len(deployment.interference.cpus))


def outside(deployment: Deployment, cpus: frozenset[int]) -> Iterator[Diagnostic]:
    """Report workers that are pinned to CPUs outside the isolated ones."""
    for worker, requested in deployment.affinity.items():
        if others := set(requested) - cpus:
            yield diagnostic("E_ENVIRONMENT_CPUS", deployment.pointer + pointer("affinity", worker),
                             f"{worker} is placed on {cpu_words(others)}, but {cpu_words(cpus)} "
                             f"{'is' if len(cpus) == 1 else 'are'} isolated for the workers")


def _interference_faults(machine: Machine, deployment: Deployment, chosen: Chosen | None) -> Iterator[Diagnostic]:
    requested = frozenset(deployment.interference.cpus)
    if not deployment.interference.loops:
        return
    if missing := requested - frozenset(machine.cpus):
        yield diagnostic("E_DISTURB", deployment.pointer + pointer("interference", "cpus"),
                         f"{cpu_words(missing)} {'is' if len(missing) == 1 else 'are'} missing or offline; the machine "
                         f"has {cpu_words(machine.cpus)}")
    elif not requested:
        yield from _least_limit(deployment, len(interference_cpus(machine, deployment, chosen)))


def _least_limit(deployment: Deployment, cpus: int) -> Iterator[Diagnostic]:
    it = deployment.interference
    quota = quota_us(it, cpus)
    if it.loops and quota is not None and quota < LEAST_QUOTA_US:
        key, of = ("cpu_limit", cpus) if it.cpu_quota is None else ("cpu_quota", 1)
        yield diagnostic("E_DISTURB", deployment.pointer + pointer("interference", key),
                         f"{getattr(it, key):g} of {of} CPU{'s' * (of != 1)} is {quota / 1000:g} ms of "
                         f"each {PERIOD_US // 1000} ms, but Linux grants no less than {LEAST_QUOTA_US // 1000} ms",
                         f"use at least {LEAST_QUOTA_US / PERIOD_US / of:g}")


def quota_us(load: InterferenceSettings, cpus: int) -> int | None:
    """Return the CPU time in a period that all loops together may use on this number of CPUs, None without a limit."""
    of_one = load.cpu_quota if load.cpu_limit is None else load.cpu_limit * cpus
    return None if of_one is None else round(of_one * PERIOD_US)
