"""Computes the places of a schedule's streams in the arenas, for planners that leave this to Weir."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from weir.model.planning.flows import Flow, Flows
from weir.model.planning.occupancy import Occupancy, Span
from weir.model.planning.planner import NoPlan, Request
from weir.model.planning.schedule import MAX_CALLS, Schedule, WorkerSchedule, calls, firings, length
from weir.model.planning.sizing import Stream, bottom, round_up
from weir.sure import sure


def lay_out(request: Request, schedule: Schedule, streams: Iterable[Stream]) -> tuple[Stream, ...]:
    """Return the streams: those within a worker as large as the schedule needs, in the worker's arena; rings unchanged.

    Two streams share bytes if they never hold items at the same time, unless the writer of one relies on its earlier
    output. A stream has the place of the stream it lies `over`, if each call of its writer puts items where it takes
    them from. The largest are placed first, each at the lowest free offset. The schedule must be valid. Raises NoPlan
    if it is too long to walk through.
    """
    total = sum(length(own.body) for own in schedule.worker_schedules)
    if total > MAX_CALLS:
        raise NoPlan(f"a period of all workers has {total} calls of work, but at most {MAX_CALLS} are allowed",
                     "use more firings in a call, or fewer repetitions")
    flows = Flows.of(request.graph, request.rates, streams)
    placed = {stream.name: stream for own in schedule.worker_schedules for stream in _placed(own, flows, request)}
    return tuple(placed.get(name, flow.stream) for name, flow in flows.by_stream.items())


def _placed(own: WorkerSchedule, flows: Flows, request: Request) -> Iterator[Stream]:
    fired = firings(own.body)
    local = {name: flow for name, flow in flows.by_stream.items()
             if flow.stream.kind == "linear" and flow.writer in fired}
    needs = _needs(own, flows, local)
    arena = Occupancy(needs.moments)
    items = {name: round_up(needs.items[name], flow.stream.granule) for name, flow in local.items()}
    shared: dict[str, list[str]] = {}  # by the lowest stream of a place, all that have it
    for name in local:
        shared.setdefault(bottom(name, needs.over), []).append(name)
    spans = {lowest: sorted({span for name in names for span in needs.spans[name]})
             for lowest, names in shared.items()}
    size = {lowest: max(items[name] * local[name].size for name in names) for lowest, names in shared.items()}
    # Streams of equal size are placed in order of time, if each has one span: then they need the fewest places.
    once = {lowest: times if len(times) == 1 else [] for lowest, times in spans.items()}
    for lowest in sorted(shared, key=lambda name: (-size[name], once[name], name)):
        kept = request.graph.instance(local[lowest].writer).type.behaviour.get("keeps_output")
        offset = arena.place(size[lowest], [(0, needs.moments - 1)] if kept else spans[lowest])
        for name in shared[lowest]:
            yield replace(local[name].stream, items=items[name], arena=own.worker, offset=offset, over=None)


@dataclass(frozen=True)
class _Needs:
    """Needs of each stream: its largest number of items, and the times when it holds some. `over`: streams whose
    writers work in place, with the stream that each lies over.

    A moment is a call in which streams hold items that did not do so together before. The moments tell which streams
    exist together; for a loop, its first repetitions suffice.
    """

    items: dict[str, int]
    spans: dict[str, list[Span]]
    moments: int
    over: Mapping[str, str]


def _needs(own: WorkerSchedule, flows: Flows, local: Mapping[str, Flow]) -> _Needs:
    items: dict[str, int] = dict.fromkeys(local, 1)
    spans: dict[str, list[Span]] = {name: [] for name in local}
    since: dict[str, int] = {}
    over = {name: sure(flow.stream.over) for name, flow in local.items() if flow.stream.over in local}
    # A set of streams that hold items is identified by the sum of 128-bit random numbers, so two sets have different
    # sums.
    dice = Random(0)
    number = {name: dice.getrandbits(128) for name in local}
    holding = 0
    seen: set[int] = set()
    for call in calls(own.body):
        taken = {port.flow.stream.name: port.taken for port in flows.inputs_of(call)}
        for flow in flows.outputs_of(call):
            if (name := flow.stream.name) in local:
                if name in over and flow.written != taken[over[name]]:
                    del over[name]
                items[name] = max(items[name], flow.written + call.times * flow.rate)
                if name not in since:
                    since[name] = len(seen)
                    holding += number[name]
        seen.add(holding)
        for flow in flows.call(call):
            if (name := flow.stream.name) in since:
                holding -= number[name]
                first = since.pop(name)
                if first < len(seen):
                    spans[name].append((first, len(seen) - 1))
    return _Needs(items, spans, len(seen), over)
