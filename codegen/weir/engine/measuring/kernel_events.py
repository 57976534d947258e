"""The kernel's events of scheduling and interrupts, from the text that tracefs shows of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Switch(NamedTuple):
    """A CPU went from one thread to another. `could_go_on`: the one that left had not gone to sleep. Thread 0 is that
    of a CPU with nothing to do.
    """

    time_ns: int
    before: int
    before_name: str
    could_go_on: bool
    after: int
    after_name: str


class Waking(NamedTuple):
    """A thread that slept can run again. `by`: who was on the CPU that woke it; in an `interrupt` that is chance."""

    time_ns: int
    woken: int
    by: int
    by_name: str
    interrupt: bool


class Interrupt(NamedTuple):
    """The CPU of thread `tid` begins to serve an interrupt, or has (`ends`)."""

    time_ns: int
    tid: int
    name: str
    ends: bool


Event = Switch | Waking | Interrupt

#: Event of tracefs -> how its fields say who.
_INTERRUPTS = {"irq_handler": re.compile(r"irq=\d+ name=(.*)"), "softirq": re.compile(r"vec=\d+ \[action=(.*)\]"),
               "local_timer": re.compile("()")}
EVENTS = ("sched/sched_switch", "sched/sched_waking")
#: Those that not every kernel has.
BESIDES = ("irq/irq_handler_entry", "irq/irq_handler_exit", "irq/softirq_entry", "irq/softirq_exit",
           "irq_vectors/local_timer_entry", "irq_vectors/local_timer_exit")

_LINE = re.compile(r"\s*(.*)-(\d+)\s+(?:\([ \d-]+\)\s+)?\[\d+\]\s+(\S+)\s+(\d+)\.(\d+): (\w+): (.*)")
_SWITCH = re.compile(r"prev_comm=(.*) prev_pid=(\d+) prev_prio=\S+ prev_state=(\S+) ==> "
                     r"next_comm=(.*) next_pid=(\d+) next_prio=")
_WAKING = re.compile(r"comm=(.*) pid=(\d+) prio=")
#: What the third letter of a line says where an interrupt is served.
_SERVING = "hHsZz"


def read(lines: Iterable[str]) -> Iterator[Event]:
    """In the order of the lines. What is none of these events is left out: a heading, a word about lost ones."""
    for line in lines:
        if (found := _LINE.match(line)) and (event := _event(*found.groups())):
            yield event


def _event(name: str, tid: str, flags: str, seconds: str, fraction: str, kind: str, fields: str) -> Event | None:
    time_ns = int(seconds) * 10**9 + int(fraction.ljust(9, "0"))
    if kind == "sched_switch" and (found := _SWITCH.match(fields)):
        before_name, before, state, after_name, after = found.groups()
        return Switch(time_ns, int(before), before_name, state.startswith("R"), int(after), after_name)
    if kind == "sched_waking" and (found := _WAKING.match(fields)):
        return Waking(time_ns, int(found[2]), int(tid), name, flags[2:3] in tuple(_SERVING))
    what, _, end = kind.rpartition("_")
    if end in ("entry", "exit") and what in _INTERRUPTS:
        found = _INTERRUPTS[what].match(fields) if end == "entry" else None
        said = found[1] if found else ""
        return Interrupt(time_ns, int(tid), " ".join(filter(None, (what.replace("_", " "), said))), end == "exit")
    return None
