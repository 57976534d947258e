"""Assign whole chains to workers in turn. Each connection has its own buffer, of one size within a chain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from weir.model.document.item_types import ITEM_TYPES
from weir.model.flowgraph.components import connected
from weir.model.planning import dynamic, placement
from weir.model.planning.planner import Arrangement, NoPlan, Request
from weir.model.planning.schedule import MAX_BYTES
from weir.model.planning.sizing import Stream

#: Default size in bytes of a chain's largest buffer: half of a small L1 cache.
BUFFER_BYTES = 16 * 1024


def plan(request: Request) -> Arrangement:
    chains = connected(request.graph)
    workers = placement.worker_count(request.deployment, request.scheduler, request.machine)
    worker_of = {i.name: f"w{number % workers}" for number, chain in enumerate(chains) for i in chain}
    placed = tuple(placement.place(request.graph, request.deployment, request.scheduler, request.machine, worker_of))
    streams = dynamic.streams_of(request, placed)
    passes: dict[str, int] = {}
    sized: dict[str, Stream] = {}
    for chain in chains:
        names = {i.name for i in chain}
        own = [stream for stream in streams if stream.source in names]
        items = _items(own, request)
        passes |= dict.fromkeys(names, items)
        sized |= {stream.name: stream for stream in _sized(own, items)}
    return Arrangement(placed, tuple(sized[stream.name] for stream in streams), chunks=passes)


def _items(streams: list[Stream], request: Request) -> int:
    """Return the items per pass through a chain: chunk_items, the largest requested buffer, or a full BUFFER_BYTES."""
    if request.deployment.chunk_items != "auto":
        return int(request.deployment.chunk_items)
    requested = max(stream.requested_items or 0 for stream in streams)
    return requested or BUFFER_BYTES // max(ITEM_TYPES[stream.item_type].size for stream in streams)


def _sized(streams: list[Stream], items: int) -> Iterator[Stream]:
    """Yield the streams with the sizes of their buffers. A project may request buffers larger than a pass."""
    for stream in streams:
        sized = replace(stream, items=max(items, stream.requested_items or 0), chunk_items=items, over=None)
        if sized.bytes > MAX_BYTES:
            raise NoPlan(f"the buffer of {stream.name} would have {sized.items} items in {sized.bytes} bytes, "
                         f"but at most {MAX_BYTES} are allowed", "request smaller buffers or a smaller chunk_items")
        yield sized
