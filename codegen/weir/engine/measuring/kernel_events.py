"""Scheduling and interrupt events of the Linux kernel, parsed from the text of tracefs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Switch(NamedTuple):
    """A CPU switched from one thread to another. Thread 0 is the idle thread.

    `could_go_on` is True if the first thread was preempted and did not go to sleep.
    """

    time_ns: int
    before: int
    before_name: str
    could_go_on: bool
    after: int
    after_name: str


class Waking(NamedTuple):
    """A sleeping thread became runnable. `by` ran on the CPU that woke it; in an `interrupt`, it was there by chance.
    """

    time_ns: int
    woken: int
    by: int
    by_name: str
    interrupt: bool


class Interrupt(NamedTuple):
    """The CPU of thread `tid` begins to serve an interrupt, or has served it (`ends`)."""

    time_ns: int
    tid: int
    name: str
    ends: bool


Event = Switch | Waking | Interrupt

#: Event of tracefs -> pattern for its source.
_INTERRUPTS = {"irq_handler": re.compile(r"irq=\d+ name=(.*)"), "softirq": re.compile(r"vec=\d+ \[action=(.*)\]"),
               "local_timer": re.compile("()")}
EVENTS = ("sched/sched_switch", "sched/sched_waking")
#: Events that some kernels lack.
BESIDES = ("irq/irq_handler_entry", "irq/irq_handler_exit", "irq/softirq_entry", "irq/softirq_exit",
           "irq_vectors/local_timer_entry", "irq_vectors/local_timer_exit")

_LINE = re.compile(r"\s*(.*)-(\d+)\s+(?:\([ \d-]+\)\s+)?\[\d+\]\s+(\S+)\s+(\d+)\.(\d+): (\w+): (.*)")
_SWITCH = re.compile(r"prev_comm=(.*) prev_pid=(\d+) prev_prio=\S+ prev_state=(\S+) ==> "
                     r"next_comm=(.*) next_pid=(\d+) next_prio=")
_WAKING = re.compile(r"comm=(.*) pid=(\d+) prio=")
#: Values of the third flag of a line while an interrupt is served.
_SERVING = "hHsZz"


def read(lines: Iterable[str]) -> Iterator[Event]:
    """Yield the events in the order of the lines. Skips other lines, such as headings and notes on lost events."""
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
