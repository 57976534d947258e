"""Where the streams of a schedule lie in the arenas: for planners that want to share memory and not to reckon."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from weir.document.item_types import ITEM_TYPES
from weir.planning.flows import Flow, Flows
from weir.planning.occupancy import Occupancy, Span
from weir.planning.planner import NoPlan, Request
from weir.planning.schedule import MAX_CALLS, Schedule, Section, calls, firings, length
from weir.planning.sizing import Stream, round_up


def lay_out(request: Request, schedule: Schedule, streams: Iterable[Stream]) -> tuple[Stream, ...]:
    """The streams: those within a worker as large as the schedule needs them, in the worker's arena; rings as they are.

    Two streams share bytes where they never hold items at the same time, unless the writer of one relies on finding
    again what it wrote. The largest are placed first, each as far to the front as it fits. The schedule is one that can
    be run. NoPlan for one that is too long to be gone through.
    """
    total = sum(length(section.body) for section in schedule.sections)
    if total > MAX_CALLS:
        raise NoPlan(f"{total} calls of work are a period of all workers; at most {MAX_CALLS} can be gone through",
                     "more firings in a call, or fewer repetitions")
    flows = Flows.of(request.graph, request.rates, streams)
    placed = {stream.name: stream for section in schedule.sections for stream in _placed(section, flows, request)}
    return tuple(placed.get(name, flow.stream) for name, flow in flows.by_stream.items())


def _placed(section: Section, flows: Flows, request: Request) -> Iterator[Stream]:
    fired = firings(section.body)
    local = {name: flow for name, flow in flows.by_stream.items()
             if flow.stream.kind == "linear" and flow.writer in fired}
    needs = _needs(section, flows, local)
    arena = Occupancy(needs.moments)
    # Of equal ones in the order of their times, where each has one: then these need as few places as can be.
    once = {name: spans if len(spans) == 1 else [] for name, spans in needs.spans.items()}
    for name in sorted(local, key=lambda n: (-needs.items[n] * local[n].size, once[n], n)):
        stream, behaviour = local[name].stream, request.graph.instance(local[name].writer).type.behaviour
        spans = [(0, needs.moments - 1)] if behaviour.get("keeps_output") else needs.spans[name]
        items = round_up(needs.items[name], stream.granule)
        offset = arena.place(items * ITEM_TYPES[stream.item_type].size, spans)
        yield replace(stream, items=items, arena=section.worker, offset=offset, over=None)


@dataclass(frozen=True)
class _Needs:
    """By stream, the items that it must have room for, and when it holds some.

    A moment is a call in which streams hold items that did not do so together before: these say who meets whom, and of
    a loop they are in its first repetitions.
    """

    items: dict[str, int]
    spans: dict[str, list[Span]]
    moments: int


def _needs(section: Section, flows: Flows, local: Mapping[str, Flow]) -> _Needs:
    items: dict[str, int] = dict.fromkeys(local, 1)
    spans: dict[str, list[Span]] = {name: [] for name in local}
    since: dict[str, int] = {}
    # Those that hold items, as the sum of a random number for each: no two sets that come up have the same sum.
    dice = Random(0)
    number = {name: dice.getrandbits(128) for name in local}
    holding, seen = 0, set()
    for call in calls(section.body):
        for flow in flows.outputs[call.instance]:
            if (name := flow.stream.name) in local:
                items[name] = max(items[name], flow.written + call.times * flow.rate)
                if name not in since:
                    since[name] = len(seen)
                    holding += number[name]
        seen.add(holding)
        for flow in flows.call(call.instance, call.times):
            if (name := flow.stream.name) in since:
                holding -= number[name]
                first = since.pop(name)
                if first < len(seen):
                    spans[name].append((first, len(seen) - 1))
    return _Needs(items, spans, len(seen))
