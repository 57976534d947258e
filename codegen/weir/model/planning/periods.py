"""Schedules in which each worker repeats a period: its blocks fire upstream to downstream, in calls whose items stay in
its cache.

Unconnected parts of the graph come one after the other. In a period, the blocks of a part fire for as many iterations
as the smallest of its chunks holds. On a worker whose chunks hold several times as many, the period is several times as
long. If an iteration exceeds a chunk, the blocks are bisected repeatedly, and each half is repeated as often as it
divides.

Workers that feed each other in a circle wait for each other in the middle of a period. So all of them have the same
period, with one call of each block.

A worker with a block that moves as much as it chooses has no period (`stepped`). Its streams are sized as for a worker
whose blocks work when they can. Rings between it and other workers have the larger size of the two ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from math import gcd

from weir.model.document.item_types import ITEM_TYPES
from weir.model.flowgraph.components import connected
from weir.model.flowgraph.graph import Graph
from weir.model.planning import circuits, sizing
from weir.model.planning.chunking import CHUNKS_A_RING
from weir.model.planning.fusing import in_place_over
from weir.model.planning.layout import lay_out
from weir.model.planning.placement import Worker
from weir.model.planning.planner import Arrangement, NoPlan, NotStatic, Request
from weir.model.planning.schedule import (
    ALIGNMENT,
    MAX_BYTES,
    Fire,
    Fuse,
    Loop,
    Schedule,
    Step,
    WorkerSchedule,
    largest_calls,
)
from weir.model.planning.sizing import Stream
from weir.model.planning.stepped import stepped_of, unable
from weir.sure import sure

#: Most repetitions of a loop to try. If no number fits, its blocks fire one firing at a time.
_MOST_TIMES = 100_000


def arrange(request: Request, workers: Sequence[Worker], groups: Sequence[tuple[str, ...]] = (),
            quanta: int | None = None,
            longer_still: Callable[[tuple[Step, ...]], tuple[Step, ...]] = tuple) -> Arrangement:
    """Arrange the schedules. `groups`: instances fused into one loop over items (`fusing`). `quanta`: quanta of each
    circuit, 0 for automatic, None for rings instead of circuits. `longer_still`: turns a period into the steps that a
    worker repeats.
    """
    if fault := unable(request.scheduler, [[request.graph.instance(name) for name in w.instances] for w in workers]):
        raise NotStatic(fault.message, fault.hint, fault.blocks)
    stepped, worker_of = stepped_of(workers, request.graph), _worker_of(workers)
    apart = {it.worker for it in stepped}
    groups = [group for group in groups if worker_of[group[-1]] not in apart]
    streams = _streams(request, workers, apart, groups)
    chunks = sizing.plan_chunks(request.graph, request.rates, streams, request.deployment)
    parts = [_Part([i.name for i in part], request, workers, chunks, groups) for part in connected(request.graph)]
    circle = _in_a_circle(request.graph, workers)
    longer = {w.name: 1 if circle or w.name in apart else
              min(part.longer(w.name) for part in parts if part.own[w.name]) for w in workers}
    schedule = Schedule(tuple(
        WorkerSchedule(name, longer_still(tuple(
            step for part in parts for step in part.body(name, times, whole=circle))))
        for name, times in longer.items() if name not in apart), stepped)
    _refuse_too_large(schedule, request)
    part_of = {name: part for part in parts for name in part.names}

    def roomy_stream(stream: Stream) -> Stream:
        part = part_of[stream.source]
        if stream.kind == "linear" and circle and worker_of[stream.source] in apart:
            # Items that circulate come back only after a whole period, so the stream keeps them until then.
            return part.with_room(replace(stream, over=None), longer)
        return part.with_room(stream, longer) if stream.kind == "ring" and not apart.issuperset(part.on) else stream

    roomy = [roomy_stream(stream) for stream in streams]
    if quanta is not None:
        one = {s.name: s for chain in circuits.across_workers(request, roomy)
               for s in circuits.joined(chain, part_of[chain[0].source].pace(chain, longer, quanta), request)}
        roomy = [one.get(s.name, s) for s in roomy]
    over = in_place_over(groups, roomy, request.graph)
    placed = lay_out(request, schedule, [replace(s, over=over[s.name]) if s.name in over else s for s in roomy])
    growing = sizing.with_room(placed, request.graph, workers, (), request.deployment, request.machine)
    return Arrangement(tuple(workers), tuple(circuits.levelled(growing)), (),
                       {name: chunks[name] for worker in workers if worker.name in apart for name in worker.instances},
                       schedule)


def _streams(request: Request, workers: Sequence[Worker], apart: Set[str],
             groups: Sequence[tuple[str, ...]]) -> list[Stream]:
    """Return the streams. `apart`: workers without a schedule."""
    inside = {name for group in groups for name in group[:-1]}

    def planned(scheduled: bool) -> list[Stream]:
        return sizing.plan_streams(request.graph, request.rates, list(workers), [], request.deployment,
                                   request.machine, scheduled, inside)

    def chosen(fired: Stream, free: Stream) -> Stream:
        ends = {worker_of[name] for name in (fired.source, *(edge.dst for edge in fired.readers))}
        if not ends & apart:
            return fired
        return free if ends <= apart else max(fired, free, key=lambda stream: stream.items)

    worker_of = _worker_of(workers)
    return [chosen(*both) for both in zip(planned(True), planned(False))] if apart else planned(True)


def _refuse_too_large(schedule: Schedule, request: Request) -> None:
    """Raise NoPlan if calls are too large. The message is about chunks, which the user set, not about the schedule."""
    for name, times in largest_calls(schedule).items():
        i = request.graph.instance(name)
        written = sum(times * rate * ITEM_TYPES[sure(port.item_type(i.item_type))].size
                      for port, rate in zip(i.type.outputs, request.rates.outputs[name]))
        if written > MAX_BYTES:
            raise NoPlan(f"a call of `{name}` would write {written} bytes, but at most {MAX_BYTES} are allowed",
                         "use a smaller chunk_items, or rates with smaller common multiples")


class _Part:
    """Connected blocks, which all fire for the same number of iterations in a period. `own`: instances with a call of
    their own, by worker; for a loop, its last instance.

    `several_ways`: there are several paths between workers.
    """

    def __init__(self, names: Sequence[str], request: Request, workers: Sequence[Worker], chunks: Mapping[str, int],
                 groups: Sequence[tuple[str, ...]]):
        self.names, self.chunks, self.graph, self.rates = names, chunks, request.graph, request.rates
        known, self.worker_of = set(names), _worker_of(workers)
        self.loops = {group[-1]: group for group in groups}
        known -= {name for group in groups for name in group[:-1]}
        self.own = {w.name: [name for name in w.instances if name in known] for w in workers}
        neighbours = {frozenset((self.worker_of[e.src], self.worker_of[e.dst]))
                      for e in request.graph.edges if e.src in names}
        self.on = [worker for worker, own in self.own.items() if own]
        self.several_ways = sum(len(pair) == 2 for pair in neighbours) >= len(self.on)
        self.iterations = max(1, min(chunks[name] // self._moved(name, 1) for name in known))
        if request.deployment.alignment:
            every = max(_aligned_after(name, request) for name in known)
            self.iterations = self.iterations // every * every or self.iterations

    def _moved(self, name: str, iterations: int) -> int:
        """Return the items at the instance's busiest port."""
        busiest = max(self.rates.inputs[name] + self.rates.outputs[name], default=1)
        return iterations * self.rates.firings[name] * busiest

    def longer(self, worker: str) -> int:
        """Return the factor by which a period of this worker may be longer: a power of two, so that few periods belong
        together.
        """
        most = min(self.chunks[name] // self._moved(name, self.iterations) for name in self.own[worker])
        return 1 << max(most, 1).bit_length() - 1

    def body(self, worker: str, longer: int, whole: bool) -> tuple[Step, ...]:
        """Return the steps of a worker's period. `whole`: one call of each instance."""
        names, iterations = self.own[worker], longer * self.iterations
        firings = {name: iterations * self.rates.firings[name] for name in names}
        too_large = {name: 1 if whole else -(-self._moved(name, iterations) // self.chunks[name]) for name in names}
        return self._nest(names, firings, too_large) if names else ()

    def _nest(self, names: Sequence[str], firings: Mapping[str, int], too_large: Mapping[str, int]) -> tuple[Step, ...]:
        """Nest loops to make calls fit their chunks. `too_large`: factor by which a single call of each instance would
        exceed it.
        """
        wanted, common = max(too_large[name] for name in names), gcd(*(firings[name] for name in names))
        if wanted == 1 or len(names) == 1:
            return tuple(Fuse(self.loops[name], firings[name]) if name in self.loops else Fire(name, firings[name])
                         for name in names)
        times = next((k for k in range(wanted, min(common, _MOST_TIMES)) if common % k == 0), common)
        inner = {name: firings[name] // times for name in names}
        left = {name: -(-too_large[name] // times) for name in names}
        half = len(names) // 2
        body = tuple(step for some in (names[:half], names[half:]) for step in self._nest(some, inner, left))
        return (Loop(times, body),) if times > 1 else body

    def with_room(self, ring: Stream, longer: Mapping[str, int]) -> Stream:
        """Return the ring with room for new items while earlier ones are still read; if a size was requested, for at
        least a call. With several paths between workers, each worker may also hold a period before the first output.
        """
        periods = (1 if ring.requested_items else CHUNKS_A_RING) + (len(self.on) if self.several_ways else 0)
        wanted = periods * self._period_items(ring, longer)
        return replace(ring, items=ring.items * -(-wanted // ring.items))

    def pace(self, chain: Sequence[Stream], longer: Mapping[str, int], quanta: int) -> circuits.Pace:
        """Return the pace of a circuit, with room for the items that each of the replaced rings would have had."""
        on = {worker for stream in chain for worker in self._workers_at(stream)}
        waiting = circuits.crossings(chain) * len(self.on) if self.several_ways else 0
        return circuits.Pace(max(self._period_items(stream, longer) for stream in chain), len(on) + 1 + waiting, quanta)

    def _period_items(self, stream: Stream, longer: Mapping[str, int]) -> int:
        """Return the items that pass through a stream in the longest period of its workers."""
        on = self.on if self.several_ways else self._workers_at(stream)
        rate = self.rates.at(self.graph.instance(stream.source), stream.port)
        return max(longer[worker] for worker in on) * self.iterations * self.rates.firings[stream.source] * rate

    def _workers_at(self, stream: Stream) -> set[str]:
        return {self.worker_of[name] for name in (stream.source, *(edge.dst for edge in stream.readers))}


def _aligned_after(name: str, request: Request) -> int:
    """Return the iterations after which all ports of an instance are at aligned items again."""
    it, rates = request.graph.instance(name), request.rates
    ports = [*zip(it.type.inputs, rates.inputs[name]), *zip(it.type.outputs, rates.outputs[name])]
    sizes = [rates.firings[name] * rate * ITEM_TYPES[sure(port.item_type(it.item_type))].size for port, rate in ports]
    return max(ALIGNMENT // gcd(ALIGNMENT, size) for size in sizes)


def _worker_of(workers: Sequence[Worker]) -> dict[str, str]:
    return {name: worker.name for worker in workers for name in worker.instances}


def _in_a_circle(graph: Graph, workers: Sequence[Worker]) -> bool:
    """Return whether workers feed each other in a circle, even through unrelated blocks."""
    worker_of = _worker_of(workers)
    feeds = {(worker_of[edge.src], worker_of[edge.dst]) for edge in graph.edges}
    feeds = {(src, dst) for src, dst in feeds if src != dst}
    while ends := {dst for _, dst in feeds} - {src for src, _ in feeds}:
        feeds = {(src, dst) for src, dst in feeds if dst not in ends}
    return bool(feeds)
