"""Where the streams of a schedule lie in the arenas: for planners that want to share memory and not to reckon."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from weir.document.item_types import ITEM_TYPES
from weir.planning.flows import Flow, Flows
from weir.planning.planner import NoPlan, Request
from weir.planning.schedule import ALIGNMENT, MAX_CALLS, Schedule, Section, calls, length
from weir.planning.sizing import Stream, round_up

#: First and last call of a time in which a stream holds items.
Span = tuple[int, int]


def lay_out(request: Request, schedule: Schedule, streams: Iterable[Stream]) -> tuple[Stream, ...]:
    """The streams: those within a worker as large as the schedule needs them, in the worker's arena; rings as they are.

    Two streams share bytes where they never hold items at the same time, unless the writer of one relies on finding again
    what it wrote. The largest are placed first, each as far to
    the front as it fits. The schedule is one that can be run. NoPlan for one that is too long to be gone through.
    """
    total = sum(length(section.body) for section in schedule.sections)
    if total > MAX_CALLS:
        raise NoPlan(f"{total} calls of work are a period of all workers; at most {MAX_CALLS} can be gone through",
                     "more firings in a call, or fewer repetitions")
    flows = Flows.of(request.graph, request.rates, streams)
    placed: dict[str, Stream] = {}
    for section in schedule.sections:
        local = {name: flow for name, flow in flows.by_stream.items()
                 if flow.stream.kind == "linear" and flow.writer in _fired(section)}
        items, spans = _needed(section, flows, local)
        for name, flow in local.items():
            if request.graph.instance(flow.writer).type.behaviour.get("keeps_output"):
                spans[name] = [(0, length(section.body))]
        taken: list[tuple[int, int, list[Span]]] = []
        for name in sorted(local, key=lambda n: (-items[n] * local[n].size, n)):
            stream, wanted = local[name].stream, round_up(items[name], local[name].stream.granule)
            size = wanted * ITEM_TYPES[stream.item_type].size
            offset = _first_fit(size, spans[name], taken)
            taken.append((offset, offset + size, spans[name]))
            placed[name] = replace(stream, items=wanted, arena=section.worker, offset=offset)
    return tuple(placed.get(name, flow.stream) for name, flow in flows.by_stream.items())


def _fired(section: Section) -> set[str]:
    return {call.instance for call in calls(section.body)}


def _needed(section: Section, flows: Flows, local: dict[str, Flow]) -> tuple[dict[str, int], dict[str, list[Span]]]:
    """Of each stream the items that it must have room for, and when it holds some."""
    items: dict[str, int] = dict.fromkeys(local, 1)
    spans: dict[str, list[Span]] = {name: [] for name in local}
    since: dict[str, int] = {}
    for at, call in enumerate(calls(section.body)):
        taken = {port.flow.stream.name: port.flow for port in flows.inputs[call.instance]}
        for flow in flows.outputs[call.instance]:
            since.setdefault(flow.stream.name, at)
            items[flow.stream.name] = max(items.get(flow.stream.name, 0), flow.written + call.times * flow.rate)
        flows.call(call.instance, call.times)
        for name, flow in taken.items():
            if not flow.tokens and name in local:
                spans[name].append((since.pop(name), at))
    return items, spans


def _first_fit(size: int, spans: Sequence[Span], taken: Iterable[tuple[int, int, list[Span]]]) -> int:
    offset = 0
    for first, end, others in sorted((t for t in taken if _meet(spans, t[2])), key=lambda t: t[:2]):
        if offset + size <= first:
            break
        offset = max(offset, round_up(end, ALIGNMENT))
    return offset


def _meet(one: Sequence[Span], other: Sequence[Span]) -> bool:
    """Whether two of the spans, which are in order, have a call in common."""
    i = j = 0
    while i < len(one) and j < len(other):
        if one[i][1] < other[j][0]:
            i += 1
        elif other[j][1] < one[i][0]:
            j += 1
        else:
            return True
    return False
