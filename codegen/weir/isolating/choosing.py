"""Which CPUs a program gets, and which others are kept free for it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from weir.diagnostics import Diagnostic, WeirError, diagnostic
from weir.isolating.machine import Machine
from weir.planning.topology import cpu_words, parse_list

_LIST = re.compile(r"\d{1,4}(-\d{1,4})?(,\d{1,4}(-\d{1,4})?)*")


@dataclass(frozen=True)
class Chosen:
    """`siblings`: the other threads of these cores. `free`: what nothing else is to run on; `left`: what it may."""

    cpus: frozenset[int]
    siblings: frozenset[int]
    free: frozenset[int]
    left: frozenset[int]


def choose(machine: Machine, asked: str | None, free_siblings: bool = False) -> Chosen:
    """`asked`: a list of CPUs as the kernel writes them.

    Without it those that the kernel isolates; else all but the first core. WeirError.
    """
    online = machine.online()
    cpus = _usual(machine, online) if asked is None else _listed(asked)
    if cpus - online:
        raise WeirError(_fault(f"{cpu_words(cpus - online)} {'is' if len(cpus - online) == 1 else 'are'} not there, or "
                               f"offline; there {'is' if len(online) == 1 else 'are'} {cpu_words(online)}"))
    siblings = frozenset().union(*(machine.siblings(cpu) for cpu in cpus)) - cpus
    free = cpus | siblings if free_siblings else cpus
    if not online - free:
        raise WeirError(_fault(f"{cpu_words(cpus)}{' with siblings' if free != cpus else ''} would be isolated, and no "
                               "CPU would be left for everything else"))
    return Chosen(cpus, siblings, free, online - free)


def _usual(machine: Machine, online: frozenset[int]) -> frozenset[int]:
    isolated = machine.isolated() & online
    if isolated:
        return isolated
    first = min(online)
    rest = online - {first} - machine.siblings(first)
    if not rest:
        raise WeirError(_fault("there is a single core, which everything else needs, too"
                               + (": --cpus names one of its threads" if len(online) > 1 else "")))
    return rest


def _listed(asked: str) -> frozenset[int]:
    if not _LIST.fullmatch(asked):
        raise WeirError(_fault(f"`{asked}` is no list of CPUs, as 1,4-7"))
    cpus = parse_list(asked)
    if not cpus:
        raise WeirError(_fault(f"`{asked}` has no CPU in it"))
    return cpus


def _fault(message: str) -> Diagnostic:
    return diagnostic("E_ISOLATE_CPUS", "", message)
