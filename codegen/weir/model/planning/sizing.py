"""Sizes of chunks and buffers: the targets of `chunking`, within the limits of rates, pages and the deployment.

A stream whose writer and readers share a worker is `linear`. Blocks joined by linear streams (directly or through other
blocks) run in turn as one group, and the streams of the group have one size. Streams within a job that moves between
workers are linear, too, as a worker is busy with one job at a time.

A stream across workers is a `ring` (so are all streams of a circuit: `circuits`). It holds four chunks to keep writer
and reader apart, and whole pages if possible, because only whole pages can be mapped twice. It may hold more while
items move fast (`with_room`).

Every buffer is a multiple of the items that one iteration of the adjacent rates needs (`Rates.stream_items`). This
makes a deadlock for lack of space impossible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from math import lcm
from typing import TypeVar

from weir.model.document.deployment import Deployment
from weir.model.document.item_types import ITEM_TYPES
from weir.model.flowgraph.components import connected
from weir.model.flowgraph.graph import Edge, Graph, Instance
from weir.model.flowgraph.rates import Rates
from weir.model.planning.chunking import CHUNKS_A_RING, Chunking, Part
from weir.model.planning.deployment_check import matching_edges
from weir.model.planning.machine import Machine
from weir.model.planning.placement import Job, Worker

#: (instance, output port)
Port = tuple[str, str]
#: Any key that identifies a stream.
Key = TypeVar("Key", bound=Hashable)

#: Buffer targets are multiples of this many bytes. The streams of a part then have equal bytes, whatever their item
#: types. It is eight vectors of 64 bytes, one pass of a vector loop, so the loop has no remainder.
GROUP_BYTES = 512
# Rounding to whole pages may enlarge a ring at most this many times. A ring that would grow more is mapped once.
MAX_PAGE_GROWTH = 4


@dataclass(frozen=True)
class Stream:
    """One connected output port.

    `kind`: `linear` within a worker, `ring` across workers, or `register`, where `items` is 0.
    `granule`: items, a multiple of every rate on the stream. `requested_items`: None = automatic. `arena`: the worker
    in whose memory a scheduled stream lies, `offset` bytes from its beginning. `over`: the stream whose memory this one
    shares because its writer works in place. `least_items`: for a ring whose writer limits its fill to the items that
    move in a short time, the fill that is always allowed.
    """

    source: str
    port: str
    readers: tuple[Edge, ...]
    item_type: str
    kind: str
    granule: int
    requested_items: int | None
    items: int
    chunk_items: int
    arena: str | None = None
    offset: int | None = None
    over: str | None = None
    least_items: int | None = None

    @property
    def name(self) -> str:
        """Return `source.port`."""
        return f"{self.source}.{self.port}"

    @property
    def always(self) -> int:
        """Return the items that the stream holds however slowly they move."""
        return self.items if self.least_items is None else self.least_items

    @property
    def bytes(self) -> int:
        """Return the size of the stream's buffer."""
        return self.items * ITEM_TYPES[self.item_type].size


def round_up(n: int, unit: int) -> int:
    """Return the least multiple of `unit` that is not below `n`."""
    return -(-n // unit) * unit


def plan_streams(graph: Graph, rates: Rates, workers: list[Worker], jobs: list[Job], deployment: Deployment,
                 machine: Machine, scheduled: bool = False, fused: Set[str] = frozenset()) -> list[Stream]:
    """Plan the streams, by writer in the graph's order. `scheduled`: a schedule makes the calls, and streams of a
    worker share memory. `fused`: instances whose items stay in registers.
    """
    readers = graph.readers
    owner_of = {name: owner.name for owner in jobs or workers for name in owner.instances}
    local = {key for key, edges in readers.items() if {owner_of[e.dst] for e in edges} == {owner_of[key[0]]}}
    inside = {key for key in local if key[0] in fused}
    over = {above: below for above, below in in_place(graph, rates, readers, local).items()
            if not inside & {above, below}}
    chunking = Chunking(machine, scheduled)
    linear_target = {name: chunking.linear_bytes(part) // GROUP_BYTES * GROUP_BYTES
                     for names, part in _parts(graph, readers, local - over.keys(), local, scheduled, inside)
                     for name in names}
    touched = _touched_rings(readers, local, owner_of)
    cores = _cores(workers, machine)
    waking = not jobs and _take_turns(workers, jobs, cores)
    # Jobs follow each other on a core, and both ends of a ring touch its L2 cache. A waiting worker leaves the cache
    # alone.
    of_core = -(-2 * (len(readers) - len(local)) // cores) if jobs or not any(w.instances for w in workers) else 0
    requested = requested_items(graph, deployment)
    memories = _memories(rates, readers, local, over, requested)
    streams = []
    for instance in graph.instances:
        for port in instance.type.outputs:
            edges = readers.get((instance.name, port.id))
            if not edges:
                continue
            granule = lcm(rates.at(instance, port.id),
                          *(rates.at(graph.instance(e.dst), e.dst_port) for e in edges))
            key, size = (instance.name, port.id), ITEM_TYPES[edges[0].item_type].size
            wanted = max((requested[e.name] for e in edges if e.name in requested), default=None)
            if key in inside:
                kind, items, chunk = "register", 0, 0
            elif key in local:
                kind, target = "linear", linear_target[instance.name] // size
                items, chunk = _linear(*memories[bottom(key, over)], target, deployment.chunk_items)
            else:
                ends = {instance.name, *(edge.dst for edge in edges)}
                rings = max(of_core, *(touched[owner_of[name]] for name in ends))
                kind, target = "ring", chunking.ring_bytes(rings, waking) // size
                items, chunk = _ring(wanted, target, rates.stream_items[key], granule, machine.page_bytes // size,
                                     deployment.chunk_items)
            streams.append(Stream(instance.name, port.id, tuple(edges), edges[0].item_type, kind, granule, wanted,
                                  items, chunk, over=".".join(over[key]) if key in over else None))
    return streams


def with_room(streams: Iterable[Stream], graph: Graph, workers: Sequence[Worker], jobs: Sequence[Job],
              deployment: Deployment, machine: Machine) -> list[Stream]:
    """Let rings without a requested size hold more items while these move fast, if both ends work at the same time.

    Both ends do not if jobs or workers take turns on a core, and each core has a separate part of the graph.
    """
    streams, cores = list(streams), _cores(workers, machine)
    if _take_turns(workers, jobs, cores) and len(connected(graph)) >= cores:
        return streams
    room = Chunking(machine).room_bytes(sum(stream.kind == "ring" and stream.over is None for stream in streams))

    def grown(stream: Stream) -> Stream:
        times = room // stream.bytes if stream.kind == "ring" and stream.over is None else 1
        fixed = stream.requested_items is not None or deployment.chunk_items != "auto"
        return stream if times < 2 or fixed else replace(stream, items=times * stream.items, least_items=stream.items)

    return [grown(stream) for stream in streams]


def _cores(workers: Sequence[Worker], machine: Machine) -> int:
    """Return the number of cores that work at the same time."""
    return max(1, min(len(machine.allowed_cores), len(workers)))


def _take_turns(workers: Sequence[Worker], jobs: Sequence[Job], cores: int) -> bool:
    """Return whether there are more jobs, or workers with instances of their own, than cores."""
    return len(jobs or workers) > cores


def in_place(graph: Graph, rates: Rates, readers: Mapping[Port, list[Edge]], local: Set[Port],
             overwrites: bool = False) -> dict[Port, Port]:
    """Return the streams whose writers work in place, with the stream that each lies over.

    Both streams are linear, with one item out for each item in, and with items of one size. No other block reads the
    overwritten items. Their writer does not rely on finding them again, unless it is a source and the scheduler
    `overwrites` them anyway: in a verifying run, a source writes a pattern to every item. The block in place has fixed
    rates: one that ends early leaves unread items, which could block the space of the upstream writer.
    """
    keeps = {i.name for i in graph.instances
             if i.type.behaviour.get("keeps_output") and not (overwrites and i.type.is_source)}
    over = {}
    for i in graph.instances:
        if not i.type.behaviour.get("in_place") or i.type.rates != "fixed":
            continue
        if len(i.type.inputs) != 1 or len(i.type.outputs) != 1:
            continue
        [edge] = graph.into[i.name]
        below, above = (edge.src, edge.src_port), (i.name, i.type.outputs[0].id)
        if keeps & {below[0], above[0]}:
            continue
        if {below, above} <= local and len(readers[below]) == 1 and rates.inputs[i.name] == rates.outputs[i.name]:
            if len({ITEM_TYPES[readers[stream][0].item_type].size for stream in (below, above)}) == 1:
                over[above] = below
    return over


def bottom(stream: Key, over: Mapping[Key, Key]) -> Key:
    """Return the stream whose memory `stream` uses."""
    while stream in over:
        stream = over[stream]
    return stream


def _memories(rates: Rates, readers: Mapping[Port, list[Edge]], local: Collection[Port], over: Mapping[Port, Port],
              requested: Mapping[str, int]) -> dict[Port, tuple[int | None, int]]:
    """Return the sizes of the linear streams' memories, by the lowest stream in each: requested items, and the unit of
    the size.
    """
    memories: dict[Port, tuple[int | None, int]] = {}
    for stream in local:
        lowest = bottom(stream, over)
        wanted, unit = memories.get(lowest, (None, 1))
        sizes = [requested[e.name] for e in readers[stream] if e.name in requested]
        memories[lowest] = (max([*sizes, wanted or 0]) or None, lcm(unit, rates.stream_items[stream]))
    return memories


def _parts(graph: Graph, readers: Mapping[Port, list[Edge]], buffers: Collection[Port],
           local: Collection[Port], shared: bool, fused: Set[Port]) -> Iterator[tuple[list[str], Part]]:
    """Yield the instance names of each part, and its properties. `buffers`: streams with memory of their own. If
    `shared`, the streams of one call lie side by side, and later streams reuse their memory. `fused`: streams in
    registers, whose writers have no call of their own.
    """
    rings = readers.keys() - local
    for part in connected(graph, (edge for key in local for edge in readers[key])):
        names = {i.name for i in part}
        varying = sum(map(varies, part))
        inside = sum(source in names for source, _ in fused)
        copies = sum(len(i.type.outputs) for i in part if i.type.inputs) - inside
        own = sum(source in names for source, _ in buffers) - inside
        if shared:
            own = min(own, max(len(i.type.inputs) + len(i.type.outputs) for i in part))
            # The chunk that a call reads or writes in a ring takes space in L1, too. Blocks without a schedule mostly
            # move less than a chunk, and smaller chunks would only cost more steps.
            own += sum(key[0] in names for key in rings)
            own += sum(edge.dst in names for key in rings for edge in readers[key])
        yield sorted(names), Part(len(part) - inside, varying, copies, own)


def _touched_rings(readers: Mapping[Port, list[Edge]], local: Collection[Port],
                   owner_of: Mapping[str, str]) -> Counter[str]:
    """Return how many rings a worker or job touches. While the worker or job runs, these rings fill the core's L2
    cache.
    """
    touched: Counter[str] = Counter()
    for key in readers.keys() - local:
        touched.update({owner_of[key[0]], *(owner_of[edge.dst] for edge in readers[key])})
    return touched


def varies(instance: Instance) -> bool:
    """Return whether the instance chooses how many items it moves, which spreads a chunk over several calls."""
    return instance.type.rates == "varying" and not instance.type.behaviour.get("waits")


def requested_items(graph: Graph, deployment: Deployment) -> dict[str, int]:
    """Return the requested items by edge name. If two keys name an edge, the larger number counts."""
    requested: dict[str, int] = {}
    for key, items in deployment.buffers.items():
        for edge in matching_edges(key, graph):
            requested[edge.name] = max(items, requested.get(edge.name, 0))
    return requested


def _linear(wanted: int | None, unit: int, target: int, chunk_items: int | str) -> tuple[int, int]:
    """Return the items of a linear buffer, and its chunk.

    A linear buffer restarts only when it is empty, so it must hold whole iterations, not just granules.
    """
    if wanted is None and chunk_items != "auto":
        wanted = int(chunk_items)
    items = round_up(wanted, unit) if wanted is not None else max(target // unit, 1) * unit
    return items, min(items, max(target, 1)) if wanted is None else items


def _ring(wanted: int | None, target: int, unit: int, granule: int, page_items: int,
          chunk_items: int | str) -> tuple[int, int]:
    """Return the items of a ring, and its chunk."""
    if wanted is None:
        wanted = target if chunk_items == "auto" else max(target, CHUNKS_A_RING * int(chunk_items))
    wanted = max(wanted, unit)
    items = paged(wanted, granule, page_items)
    return items, max(items // CHUNKS_A_RING, 1)


def paged(wanted: int, granule: int, page_items: int) -> int:
    """Round up to whole pages, or to whole granules if pages are more than MAX_PAGE_GROWTH times as large."""
    pages = round_up(wanted, lcm(granule, page_items))
    return pages if pages <= MAX_PAGE_GROWTH * max(wanted, page_items) else round_up(wanted, granule)


def plan_chunks(graph: Graph, rates: Rates, streams: list[Stream], deployment: Deployment) -> dict[str, int]:
    """Return the most items that a call is offered, by instance: the chunk of its smallest stream, but at least one
    firing.
    """
    smallest: dict[str, int] = {}
    for stream in (stream for stream in streams if stream.kind != "register"):
        for name in (stream.source, *(e.dst for e in stream.readers)):
            smallest[name] = min(smallest.get(name, stream.chunk_items), stream.chunk_items)
    chunks = {}
    for i in graph.instances:
        firing = max(rates.inputs[i.name] + rates.outputs[i.name], default=1)
        chunk = smallest.get(i.name, firing) if deployment.chunk_items == "auto" else int(deployment.chunk_items)
        budget = paced_chunk(i)
        chunks[i.name] = max(firing, chunk if budget is None else min(chunk, budget))
    return chunks


def paced_chunk(instance: Instance) -> int | None:
    """Return the items that a pacing block may hold back: rate x latency budget. None for every other block."""
    rate, budget = instance.parameters.get("rate"), instance.parameters.get("latency_budget")
    if not instance.type.paces or not isinstance(rate, (int, float)) or not isinstance(budget, (int, float)):
        return None
    return max(1, int(rate * budget))
