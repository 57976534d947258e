"""Which CPUs `weir isolate` keeps free, as its command line has them."""

from __future__ import annotations

import re

from weir.diagnostics import Diagnostic, WeirError, diagnostic
from weir.machine.isolating.machine import Machine
from weir.model.planning import surroundings
from weir.model.planning.surroundings import Chosen, Unfit
from weir.model.planning.topology import parse_list

_LIST = re.compile(r"\d{1,4}(-\d{1,4})?(,\d{1,4}(-\d{1,4})?)*")


def choose(machine: Machine, asked: str | None, free_siblings: bool = False) -> Chosen:
    """`asked`: a list of CPUs as the kernel writes them.

    Without it those that the kernel isolates; else all but the first core. WeirError.
    """
    online = machine.online()
    cpus = frozenset() if asked is None else _listed(asked)
    try:
        return surroundings.choose(online, machine.isolated(), online, machine.siblings, cpus, free_siblings)
    except Unfit as fault:
        more = ": --cpus names one of its threads" if not cpus and len(online) > 1 else ""
        raise WeirError(_fault(f"{fault}{more}")) from None


def _listed(asked: str) -> frozenset[int]:
    if not _LIST.fullmatch(asked):
        raise WeirError(_fault(f"`{asked}` is no list of CPUs, as 1,4-7"))
    cpus = parse_list(asked)
    if not cpus:
        raise WeirError(_fault(f"`{asked}` has no CPU in it"))
    return cpus


def _fault(message: str) -> Diagnostic:
    return diagnostic("E_ISOLATE_CPUS", "", message)
