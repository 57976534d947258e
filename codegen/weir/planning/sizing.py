"""Chunks and buffers from cache sizes and placement.

A stream whose writer and readers share a worker is `linear` and lives in L1: a worker's linear streams together fit
into 7/8 of L1d, each at most L1d / 4 and, because a call costs about 40 ns, at least 2 KiB. Where that many streams do
not fit, each gets L1d / 4: then at least what a block reads has just been written, and is there. So it is with the
streams within a job that moves between workers, as a worker is busy with one job at a time.

A stream across workers is a `ring` and lives in L2: L2 / 8, less where many rings share a core's L2 (half of it for all
of them), at least 32 KiB, because below that the workers wait for each other more than they work. It holds four chunks,
so that writer and reader do not meet, and whole pages where it can, so that it can be mapped twice.

Every buffer is a multiple of what one iteration of the rates around it needs (`Rates.stream_items`): that is what makes
a deadlock for want of space impossible.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import lcm

from weir.document.deployment import Deployment
from weir.document.item_types import ITEM_TYPES
from weir.flowgraph.graph import Edge, Graph, Instance
from weir.flowgraph.rates import Rates
from weir.planning.deployment_check import matching_edges
from weir.planning.machine import Machine
from weir.planning.placement import Job, Worker

MIN_LINEAR_BYTES, MIN_RING_BYTES = 2 * 1024, 32 * 1024
CHUNKS_A_RING = 4
# Rounding a ring to whole pages may not make it larger than this many times what was asked: then it is mapped once.
MAX_PAGE_GROWTH = 4


@dataclass(frozen=True)
class Stream:
    """One connected output port.

    `granule`: items, a multiple of every rate on it. `requested_items`: None = automatic. `arena`: the worker in whose
    memory a scheduled stream lies, `offset` bytes from its beginning.
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

    @property
    def name(self) -> str:
        return f"{self.source}.{self.port}"

    @property
    def bytes(self) -> int:
        return self.items * ITEM_TYPES[self.item_type].size


def power_of_two_below(n: int) -> int:
    """The largest power of two that is at most n; 1 for less than 1."""
    return 1 << max(n, 1).bit_length() - 1


def round_up(n: int, unit: int) -> int:
    return -(-n // unit) * unit


def linear_bytes(l1d: int, streams: int) -> int:
    """Bytes for each of a worker's linear streams."""
    largest = power_of_two_below(l1d // 4)
    fitting = power_of_two_below(l1d * 7 // 8 // max(streams, 1))
    return min(largest, fitting) if fitting >= MIN_LINEAR_BYTES else largest


def ring_bytes(l2: int, rings_a_core: int) -> int:
    """Bytes for each ring, when a core's workers touch so many of them."""
    fitting = power_of_two_below(l2 // 2 // max(rings_a_core, 1))
    return max(MIN_RING_BYTES, min(power_of_two_below(l2 // 8), fitting))


def plan_streams(graph: Graph, rates: Rates, workers: list[Worker], jobs: list[Job], deployment: Deployment,
                 machine: Machine) -> list[Stream]:
    """The streams by writer, in the graph's order."""
    readers: dict[tuple[str, str], list[Edge]] = defaultdict(list)
    for edge in graph.edges:
        readers[edge.src, edge.src_port].append(edge)
    owner_of = {name: owner.name for owner in jobs or workers for name in owner.instances}
    local = {key: owner_of[key[0]] for key, edges in readers.items()
             if {owner_of[e.dst] for e in edges} == {owner_of[key[0]]}}
    linear_on = defaultdict(int)
    for owner in local.values():
        linear_on[owner] += 1
    cores = max(1, min(len(machine.allowed_cores), len(workers)))
    # Both ends of a ring touch it, so each counts for two cores.
    ring_target = ring_bytes(machine.l2, -(-2 * (len(readers) - len(local)) // cores))
    requested = _requested(graph, deployment)
    by_name = {i.name: i for i in graph.instances}
    streams = []
    for instance in graph.instances:
        for port_index, port in enumerate(instance.type.outputs):
            edges = readers.get((instance.name, port.id))
            if not edges:
                continue
            granule = lcm(rates.outputs[instance.name][port_index], *(_in_rate(e, by_name, rates) for e in edges))
            unit = rates.stream_items[instance.name, port.id]
            size = ITEM_TYPES[edges[0].item_type].size
            wanted = max((requested[e.name] for e in edges if e.name in requested), default=None)
            owner = local.get((instance.name, port.id))
            if owner:
                kind, target = "linear", linear_bytes(machine.l1d, linear_on[owner]) // size
                items, chunk = _linear(wanted, target, unit, deployment.chunk_items)
            else:
                kind, target = "ring", ring_target // size
                items, chunk = _ring(wanted, target, unit, granule, machine.page_bytes // size, deployment.chunk_items)
            streams.append(Stream(instance.name, port.id, tuple(edges), edges[0].item_type, kind, granule, wanted,
                                  items, chunk))
    return streams


def _in_rate(edge: Edge, instances: Mapping[str, Instance], rates: Rates) -> int:
    ports = instances[edge.dst].type.inputs
    return rates.inputs[edge.dst][next(i for i, port in enumerate(ports) if port.id == edge.dst_port)]


def _requested(graph: Graph, deployment: Deployment) -> dict[str, int]:
    """Items by edge name. Where two keys name an edge, the larger one counts."""
    requested: dict[str, int] = {}
    for key, items in deployment.buffers.items():
        for edge in matching_edges(key, graph):
            requested[edge.name] = max(items, requested.get(edge.name, 0))
    return requested


def _linear(wanted: int | None, target: int, unit: int, chunk_items: int | str) -> tuple[int, int]:
    """Items, and the chunk.

    A linear buffer starts again only when drained, so it must be whole iterations, not just granules.
    """
    if wanted is None and chunk_items != "auto":
        wanted = int(chunk_items)
    items = round_up(wanted, unit) if wanted is not None else max(target // unit, 1) * unit
    return items, min(items, max(target, 1)) if wanted is None else items


def _ring(wanted: int | None, target: int, unit: int, granule: int, page_items: int,
          chunk_items: int | str) -> tuple[int, int]:
    """(items, chunk)."""
    if wanted is None:
        wanted = target if chunk_items == "auto" else max(target, CHUNKS_A_RING * int(chunk_items))
    wanted = max(wanted, unit)
    paged = round_up(wanted, lcm(granule, page_items))
    items = paged if paged <= MAX_PAGE_GROWTH * max(wanted, page_items) else round_up(wanted, granule)
    return items, max(items // CHUNKS_A_RING, 1)


def plan_chunks(graph: Graph, rates: Rates, streams: list[Stream], deployment: Deployment) -> dict[str, int]:
    """The most items that a call is offered, by instance: as its smallest stream has it, never less than one firing."""
    smallest: dict[str, int] = {}
    for stream in streams:
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
    """Items that a paced source may hold back: rate x latency budget. None for every other block."""
    rate, budget = instance.parameters.get("rate"), instance.parameters.get("latency_budget")
    if not instance.type.is_source or not isinstance(rate, (int, float)) or not isinstance(budget, (int, float)):
        return None
    return max(1, int(rate * budget))
