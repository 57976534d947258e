"""Derive from the kernel's events when threads ran, slept, or were runnable without a CPU."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from weir.engine.measuring.kernel_events import Event, Interrupt, Switch, Waking

RUNNING, SLEEPING, PREEMPTED, WAITING = "running", "sleeping", "preempted", "waiting"
#: Value of `by` if an interrupt woke the thread.
INTERRUPT = 0
#: Largest time by which one CPU's record of a wake-up precedes the sleep that the thread's own CPU records.
AT_ONCE_NS = 100_000


@dataclass(frozen=True)
class Span:
    """A thread was in `state` from `begin_ns` to `end_ns`.

    `by` (with its name) is another thread: the one that took a preempted thread's CPU, used the CPU that this thread
    waited for, or woke the sleeping thread. It is INTERRUPT for an interrupt, None if unknown.
    """

    begin_ns: int
    end_ns: int
    state: str
    by: int | None = None
    by_name: str = ""


@dataclass
class Times:
    """Times of one thread. `spans` ascend without gaps; `served` has (begin, end, name) of interrupts while it ran."""

    spans: list[Span] = field(default_factory=list)
    served: list[tuple[int, int, str]] = field(default_factory=list)

    def before(self, time_ns: int) -> Span | None:
        """Return the span of the moment just before this time."""
        at = bisect_left(self.spans, time_ns, key=lambda span: span.end_ns)
        return self.spans[at] if at < len(self.spans) and self.spans[at].begin_ns < time_ns else None

    def within(self, begin_ns: int, end_ns: int) -> Iterator[Span]:
        """Yield the parts of its spans in that time."""
        at = bisect_left(self.spans, begin_ns, key=lambda span: span.end_ns)
        while at < len(self.spans) and self.spans[at].begin_ns < end_ns:
            span = self.spans[at]
            low, high = max(span.begin_ns, begin_ns), min(span.end_ns, end_ns)
            if low < high:
                yield Span(low, high, span.state, span.by, span.by_name)
            at += 1

    def served_within(self, begin_ns: int, end_ns: int) -> Iterator[tuple[str, int]]:
        """Yield (name, ns) of the interrupts in that time."""
        at = bisect_left(self.served, begin_ns, key=lambda it: it[1])
        while at < len(self.served) and self.served[at][0] < end_ns:
            begin, end, name = self.served[at]
            yield name, min(end, end_ns) - max(begin, begin_ns)
            at += 1


@dataclass
class _Open:
    """Current state of a thread, and its start."""

    state: str
    since_ns: int
    by: int | None = None
    by_name: str = ""


def times_of(events: Iterable[Event], threads: Collection[int], end_ns: int) -> Mapping[int, Times]:
    """Return the times by thread. `events` ascend; the last state of each thread lasts until `end_ns`."""
    found = {tid: Times() for tid in threads}
    at: dict[int, _Open] = {}
    serving: dict[int, list[tuple[int, str]]] = {}
    early: dict[int, int] = {}

    def close(tid: int, time_ns: int, following: _Open, by: int | None = None, by_name: str = "") -> None:
        """End the current span. `by` is set if the other thread is known only now."""
        now = at.get(tid)
        at[tid] = following
        if now is not None and now.since_ns < time_ns:
            who = (now.by, now.by_name) if by is None else (by, by_name)
            found[tid].spans.append(Span(now.since_ns, time_ns, now.state, *who))

    for event in events:
        if isinstance(event, Switch):
            time_ns = event.time_ns
            if event.before in found:
                serving.pop(event.before, None)
                woken_ns = early.pop(event.before, None)
                if event.could_go_on:
                    left = _Open(PREEMPTED, time_ns, event.after, event.after_name)
                else:
                    woken = woken_ns is not None and time_ns - woken_ns < AT_ONCE_NS
                    left = _Open(WAITING if woken else SLEEPING, time_ns)
                close(event.before, time_ns, left)
            if event.after in found:
                now = at.get(event.after)
                previous = (event.before, event.before_name) if now and now.state == WAITING else (None, "")
                close(event.after, time_ns, _Open(RUNNING, time_ns), *previous)
        elif isinstance(event, Waking) and event.woken in found:
            now = at.get(event.woken)
            if now is None or now.state == SLEEPING:
                by = INTERRUPT if event.interrupt else event.by
                close(event.woken, event.time_ns, _Open(WAITING, event.time_ns), by, event.by_name)
            elif now.state == RUNNING:
                early[event.woken] = event.time_ns
        elif isinstance(event, Interrupt) and event.tid in found:
            if not event.ends:
                serving.setdefault(event.tid, []).append((event.time_ns, event.name))
            elif serving.get(event.tid):
                begin_ns, name = serving[event.tid].pop()
                if not serving[event.tid]:  # nested interrupts are part of the outer one
                    found[event.tid].served.append((begin_ns, event.time_ns, name))
    for tid, now in at.items():
        if now.since_ns < end_ns:
            found[tid].spans.append(Span(now.since_ns, end_ns, now.state, now.by, now.by_name))
    return found
