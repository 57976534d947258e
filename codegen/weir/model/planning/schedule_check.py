"""Check whether a schedule can be run, by executing it call by call with every token and every byte of the arenas.

One valid period makes all periods valid, because a period leaves every stream as empty as before. This includes the
last period, in which some instances have fewer firings left than planned. Places in the arenas are those of the plan,
and an instance with fewer firings moves the first items of a call.

Workers that wait for each other's rings are executed together until each has done as many periods as belong together.
The order in which they take turns does not matter. A possible call stays possible, because no other call takes its
items or its space. So workers that all finish here also finish with any timing of the threads.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from weir.model.document.item_types import ITEM_TYPES
from weir.model.flowgraph.components import connected
from weir.model.flowgraph.graph import Graph
from weir.model.flowgraph.rates import Rates
from weir.model.planning.circuits import lowest_of
from weir.model.planning.flows import Flow, Flows, Input
from weir.model.planning.schedule import (
    ALIGNMENT,
    MAX_BYTES,
    MAX_CALLS,
    Call,
    Fire,
    Schedule,
    WorkerSchedule,
    calls,
    fired,
    firings,
    largest_calls,
    length,
)
from weir.model.planning.sizing import Stream
from weir.sure import sure

MOST_FAULTS = 8


@dataclass(frozen=True)
class Fault:
    """Fault of a schedule."""

    message: str
    hint: str = ""


def faults_of(schedule: Schedule, streams: Sequence[Stream], graph: Graph, rates: Rates) -> list[Fault]:
    """Return a few of the faults. The arrangement must be well-formed (`arrangement_check`)."""
    iterations, unbalanced = _iterations(schedule, graph, rates)
    found = [*unbalanced, *_misplaced(streams, fired(schedule)), *_too_large(schedule, streams, graph, rates)]
    if found:
        return found[:MOST_FAULTS]
    periods = _periods(schedule, iterations)
    if isinstance(periods, Fault):
        return [periods]
    periods, apart = _with_stepped(periods, iterations, schedule, graph, rates)
    total = sum(count * length(own.body) for own, count in zip(schedule.worker_schedules, periods))
    if total > MAX_CALLS:
        return [Fault(f"a period of all workers has {total} calls of work, but at most {MAX_CALLS} can be checked",
                      "use more firings in a call, or fewer repetitions")]
    return _Walk(schedule, periods, apart, Flows.of(graph, rates, streams), graph).run()[:MOST_FAULTS]


def _iterations(schedule: Schedule, graph: Graph, rates: Rates) -> tuple[list[dict[int, Fraction]], list[Fault]]:
    """Return, by worker schedule, the iterations of each part of the graph in a period. The faults name instances of
    one part that do not fire in the ratio of the rates.
    """
    part_of = {i.name: number for number, part in enumerate(connected(graph)) for i in part}
    found, faults = [], []
    for own in schedule.worker_schedules:
        fired = firings(own.body)
        first: dict[int, str] = {}
        for name, times in fired.items():
            other = first.setdefault(part_of[name], name)
            if times * rates.firings[other] != fired[other] * rates.firings[name]:
                ratio = Fraction(rates.firings[name], rates.firings[other])
                faults.append(Fault(
                    f"in a period of {own.worker}, `{other}` fires {fired[other]} times and `{name}` {times} "
                    "times, so some items are left over or missing",
                    f"according to the rates, `{name}` must fire {ratio} times as often"))
        found.append({part: Fraction(fired[name], rates.firings[name]) for part, name in first.items()})
    return found, faults


def _misplaced(streams: Sequence[Stream], scheduled: Set[str]) -> Iterator[Fault]:
    for stream in (stream for stream in streams if stream.kind == "ring" or stream.source in scheduled):
        if stream.kind == "ring" and (stream.arena, stream.offset) != (None, None):
            yield Fault(f"{stream.name} connects two workers, but has a place in an arena",
                        "make streams between workers rings without a place in an arena")
        elif stream.kind == "linear" and (stream.arena is None or stream.offset is None):
            yield Fault(f"{stream.name} has no place in an arena",
                        "compute places with `weir.model.planning.layout.lay_out`")
        elif stream.offset is not None and (stream.offset < 0 or stream.offset % ALIGNMENT):
            yield Fault(f"{stream.name} begins at byte {stream.offset} of the arena of {stream.arena}",
                        f"use offsets that are multiples of {ALIGNMENT}")


def _too_large(schedule: Schedule, streams: Sequence[Stream], graph: Graph, rates: Rates) -> Iterator[Fault]:
    smaller = "use fewer firings in a call, or more repetitions of a loop, so that streams need less space"
    for worker, size in arenas(streams).items():
        if size > MAX_BYTES:
            yield Fault(f"the arena of {worker} has {size} bytes, but at most {MAX_BYTES} are allowed", smaller)
    for stream in streams:
        if stream.kind == "ring" and stream.bytes > MAX_BYTES:
            yield Fault(f"the ring {stream.name} has {stream.bytes} bytes, but at most {MAX_BYTES} are allowed",
                        "use fewer items in the planner or in the deployment's `buffers`, and fewer firings in a call")
    for name, times in largest_calls(schedule).items():
        instance = graph.instance(name)
        for port, rate in zip(instance.type.outputs, rates.outputs[name]):
            size = times * rate * ITEM_TYPES[sure(port.item_type(instance.item_type))].size
            if size > MAX_BYTES:
                yield Fault(f"a call of `{name}` writes {size} bytes to {name}.{port.id}, but at most {MAX_BYTES} are "
                            "allowed", smaller)


def _periods(schedule: Schedule, does: Sequence[Mapping[int, Fraction]]) -> list[int] | Fault:
    """Return how many periods of each worker schedule belong together, so that every ring is empty again afterwards.

    `does`: by worker schedule, the iterations of each part of the graph in a period.
    """
    pace: dict[int, Fraction] = {}  # periods per time unit
    amount: dict[int, Fraction] = {}  # iterations of a part per time unit
    for start in range(len(does)):
        if start in pace:
            continue
        pace[start], stack = Fraction(1), [start]
        while stack:
            own = stack.pop()
            for part, iterations in does[own].items():
                if amount.setdefault(part, pace[own] * iterations) != pace[own] * iterations:
                    return Fault(f"a period of {schedule.worker_schedules[own].worker} advances one part of the "
                                 "flowgraph faster than the worker at the other end of its streams, and another part "
                                 "at the same pace",
                                 "workers that share several parts of a flowgraph must advance all of them at the same "
                                 "pace")
                for other, theirs in enumerate(does):
                    if part in theirs and other not in pace:
                        pace[other] = amount[part] / theirs[part]
                        stack.append(other)
    scale = lcm(*(p.denominator for p in pace.values()))
    return [int(pace[i] * scale) for i in range(len(does))]


def _with_stepped(periods: Sequence[int], does: Sequence[Mapping[int, Fraction]], schedule: Schedule, graph: Graph,
                  rates: Rates) -> tuple[list[int], dict[str, int]]:
    """Return the periods of each worker schedule, scaled up until instances in no worker schedule fire a whole number
    of times. Return these firings too, by instance, without parts of the graph in which no worker schedule fires.
    """
    amount = {part: count * iterations for count, own in zip(periods, does) for part, iterations in own.items()}
    scheduled = fired(schedule)
    share = {i.name: amount[number] * rates.firings[i.name] for number, part in enumerate(connected(graph))
             if number in amount for i in part if i.name not in scheduled}
    scale = lcm(*(count.denominator for count in share.values()))
    return [count * scale for count in periods], {name: int(count * scale) for name, count in share.items()}


class _Walk:
    """One period of all workers. `apart`: instances in no worker schedule, with their firings in that time. Each fires
    as soon as it can, as if it had its own worker. Their order does not matter either.
    """

    def __init__(self, schedule: Schedule, periods: Sequence[int], apart: Mapping[str, int], flows: Flows,
                 graph: Graph):
        self.flows, self.graph, self.apart = flows, graph, dict(apart)
        self.left = {own.worker: _repeated(own, count) for own, count in zip(schedule.worker_schedules, periods)}
        self.pending: dict[str, Call] = {}  # by worker: the call that waits
        self.circuits = {first: [flows.by_stream[name] for name in names]
                         for first, names in lowest_of(flow.stream for flow in flows.by_stream.values()).items()}
        worker_of = {name: own.worker for own in schedule.worker_schedules for name in firings(own.body)}
        self.wakes = _wakes({**worker_of, **{name: _turn_of(name) for name in apart}}, flows, self.circuits.values())
        self.live = {own.worker: _Live() for own in schedule.worker_schedules}
        self.faults: dict[str, Fault] = {}  # by message, because each call of a loop would repeat it

    def run(self) -> list[Fault]:
        for fault in self._kept_outputs():
            self.faults.setdefault(fault.message, fault)
        stepped = {_turn_of(name): name for name in self.apart}
        turns = deque((*self.left, *stepped))
        while turns and len(self.faults) < MOST_FAULTS:
            worker = turns.popleft()
            woken = self._step(worker, stepped[worker]) if worker in stepped else self._turn(worker)
            turns.extend(dict.fromkeys(worker for worker in woken if worker not in turns))
        if self.pending and len(self.faults) < MOST_FAULTS:
            self._stuck()
        return list(self.faults.values())

    def _turn(self, worker: str) -> list[str]:
        """Make the worker's calls until it must wait or has finished. Return the workers that were waiting for one of
        the calls.
        """
        woken: dict[str, None] = {}
        while call := self.pending.pop(worker, None) or next(self.left[worker], None):
            if next(self._waits(call), None):
                self.pending[worker] = call
                break
            for fault in self._call(worker, call):
                self.faults.setdefault(fault.message, fault)
            if len(self.faults) >= MOST_FAULTS:
                break
            woken.update(dict.fromkeys(other for name in call.instances for other in self.wakes[name]))
        return [other for other in woken if other in self.pending]

    def _step(self, turn: str, name: str) -> list[str]:
        """Fire an instance without a worker schedule as often as possible. Return the workers that were waiting for it.
        """
        self.pending.pop(turn, None)
        there = (port.flow.waiting_for(port.reader) // port.rate for port in self.flows.inputs[name])
        room = ((flow.stream.always - flow.tokens) // flow.rate for flow in self.flows.outputs[name])
        if times := min((self.apart[name], *there, *room)):
            self.flows.call(Fire(name, times))
            self.apart[name] -= times
        if self.apart[name]:
            self.pending[turn] = Fire(name)
        return [other for other in self.wakes[name] if other in self.pending] if times else []

    def _is_waited_for(self, flow: Flow) -> bool:
        return flow.stream.kind == "ring" or flow.writer in self.apart

    def _waits(self, call: Call) -> Iterator[str]:
        """Yield what a call has to wait for: its rings, or all its streams if the instance is in no worker schedule."""
        for port in self.flows.inputs_of(call):
            wanted, there = call.times * port.rate, port.flow.waiting_for(port.reader)
            if self._is_waited_for(port.flow) and there < wanted:
                yield f"{call} waits for {wanted} items at {port.reader}, but there are only {there}"
        for flow in self.flows.outputs_of(call):
            wanted, room = call.times * flow.rate, self._room(flow)
            if self._is_waited_for(flow) and room < wanted and not (flow.stream.kind == "ring" and flow.stream.over):
                yield (f"{call} waits for room for {wanted} items in {flow.stream.name}, but there is room for only "
                       f"{room}")

    def _room(self, flow: Flow) -> int:
        """Return the room for a call. An instance that works in place on a ring always has room for the items that it
        takes, and the first ring has room for all items in the circuit.
        """
        return flow.stream.always - sum(one.tokens for one in self.circuits.get(flow.stream.name, (flow,)))

    def _stuck(self) -> None:
        whom = "; ".join(f"{worker}: {next(self._waits(self.pending[worker]))}" for worker in self.left
                         if worker in self.pending) or next(self._waits(next(iter(self.pending.values()))))
        fault = Fault(f"the workers deadlock: {whom}",
                      "use larger rings, or another order of the calls")
        self.faults.setdefault(fault.message, fault)

    def _call(self, worker: str, call: Call) -> Iterator[Fault]:
        """Make a call and yield its faults."""
        inputs, outputs = self.flows.inputs_of(call), self.flows.outputs_of(call)
        for port in inputs:
            wanted, there = call.times * port.rate, port.flow.waiting_for(port.reader)
            if there < wanted:
                yield Fault(f"{worker}: {call} fires {call.times} times, which needs {wanted} items at {port.reader}, "
                            f"but there are only {there}", "fire the writer of these items first")
        writes = [(flow, flow.written * flow.size, (flow.written + call.times * flow.rate) * flow.size)
                  for flow in outputs if flow.stream.arena is not None]
        for flow, first, end in writes:
            if end > flow.stream.items * flow.size:
                yield Fault(f"{worker}: {call} writes item {flow.written + call.times * flow.rate} into "
                            f"{flow.stream.name}, which holds at most {flow.stream.items} items until it is empty "
                            "again")
            at = sure(flow.stream.offset)
            yield from self._overwritten(worker, call, flow, at + first, at + end)
            for other, their_first, their_end in writes:
                theirs = sure(other.stream.offset)
                if other is not flow and at + first < theirs + their_end and theirs + their_first < at + end:
                    yield Fault(f"{worker}: {call} writes {flow.stream.name} and {other.stream.name} to the same bytes "
                                "of the arena")
        self.flows.call(call)
        for flow in (*outputs, *(port.flow for port in inputs)):
            if flow.stream.arena is not None:
                self.live[worker].renew(flow)

    def _overwritten(self, worker: str, call: Call, flow: Flow, first: int, end: int) -> Iterator[Fault]:
        """Yield a fault for each other stream whose items the call overwrites in the arena."""
        for other in self.live[worker].meeting(first, end):
            if other is not flow and not self._in_place(call, flow, other, first, end):
                yield Fault(f"{worker}: {call} writes {flow.stream.name} over unread items of {other.stream.name}",
                            "give the two streams different bytes of the arena: both are in use at the same time")

    def _in_place(self, call: Call, flow: Flow, other: Flow, first: int, end: int) -> bool:
        """Return whether the call may write in place: it is the last reader of these very items. A fused loop over
        items may write in place wherever it takes each item only once.
        """
        inputs = self.flows.inputs_of(call)
        if isinstance(call, Fire):
            kind = self.graph.instance(call.instance).type
            if not kind.behaviour.get("in_place") or flow.stream.port != kind.outputs[0].id:
                return False
            if other is not inputs[0].flow:
                return False
        ports = [port for port in inputs if port.flow is other]
        if len(ports) != 1:
            return False
        port = ports[0]
        taken = _taken(port, call.times)
        left = min((read for reader, read in other.read.items() if reader != port.reader), default=taken[1])
        begin = sure(other.stream.offset)
        return ((begin + taken[0] * other.size, begin + taken[1] * other.size) == (first, end)
                and left >= taken[1])

    def _kept_outputs(self) -> Iterator[Fault]:
        """Check that blocks that rely on their earlier output share its space with no other stream."""
        furthest: dict[str, Flow] = {}  # by arena: of the streams that begin earlier, the one that ends last
        placed = [flow for flow in self.flows.by_stream.values() if flow.stream.arena is not None]
        for flow in sorted(placed, key=lambda flow: sure(flow.stream.offset)):
            before = furthest.setdefault(sure(flow.stream.arena), flow)
            for one, other in ((flow, before), (before, flow)) if before.end > sure(flow.stream.offset) else ():
                if one is not other and self.graph.instance(one.writer).type.behaviour.get("keeps_output"):
                    yield Fault(f"{other.stream.name} shares bytes of the arena with {one.stream.name}, but "
                                f"`{one.writer}` relies on finding its earlier output there",
                                f"give {one.stream.name} separate bytes")
            if flow.end > before.end:
                furthest[sure(flow.stream.arena)] = flow


class _Live:
    """The bytes of an arena that are still to be read, in order. Two streams share bytes only if a fault has already
    been found.
    """

    def __init__(self) -> None:
        self.ranges: list[tuple[int, int, str, Flow]] = []
        self.of: dict[str, tuple[int, int, str, Flow]] = {}

    def renew(self, flow: Flow) -> None:
        """Update the byte range of a stream after its tokens have moved."""
        name = flow.stream.name
        if name in self.of:
            del self.ranges[bisect_left(self.ranges, self.of.pop(name))]
        if flow.tokens:
            first, end = flow.live()
            begin = sure(flow.stream.offset)
            self.of[name] = begin + first, begin + end, name, flow
            insort(self.ranges, self.of[name])

    def meeting(self, first: int, end: int) -> Iterator[Flow]:
        """Yield the streams that have unread items in these bytes."""
        at = bisect_left(self.ranges, (end,))
        while at and self.ranges[at - 1][1] > first:
            at -= 1
            yield self.ranges[at][3]


def _taken(port: Input, times: int) -> tuple[int, int]:
    """Return the range of items that a call takes from the stream: first and end."""
    read = port.flow.read[port.reader]
    return read, read + times * port.rate


def _wakes(worker_of: Mapping[str, str], flows: Flows,
           circuits: Iterable[Sequence[Flow]]) -> dict[str, tuple[str, ...]]:
    """Return, by instance, the workers that its call can wake: those at the other ends of its rings. Instances outside
    all worker schedules count with all of their streams. The last readers of a circuit also wake its first writer.
    """
    wakes: dict[str, dict[str, None]] = {name: {} for name in worker_of}
    for flow in flows.by_stream.values():
        if flow.writer not in worker_of:
            continue
        if flow.stream.kind == "ring" or worker_of[flow.writer] == _turn_of(flow.writer):
            for edge in flow.stream.readers:
                wakes[flow.writer][worker_of[edge.dst]] = wakes[edge.dst][worker_of[flow.writer]] = None
    for first, *_, last in circuits:
        for edge in last.stream.readers:
            wakes[edge.dst][worker_of[first.writer]] = None
    return {name: tuple(workers) for name, workers in wakes.items()}


def _turn_of(name: str) -> str:
    """Return the name of an instance outside all worker schedules, in places that name workers. Worker names have no
    space.
    """
    return f"stepped {name}"


def _repeated(own: WorkerSchedule, periods: int) -> Iterator[Call]:
    for _ in range(periods):
        yield from calls(own.body)


def arenas(streams: Iterable[Any]) -> dict[str, int]:
    """Return the bytes of each worker's arena, by worker."""
    sizes: dict[str, int] = {}
    for stream in streams:
        if stream.arena is not None and stream.offset is not None:
            sizes[stream.arena] = max(sizes.get(stream.arena, 0), stream.offset + stream.bytes)
    return sizes
