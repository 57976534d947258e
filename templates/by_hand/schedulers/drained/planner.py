"""Whole chains for each worker, dealt out in turn, and a buffer for each connection, of one size within a chain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from weir.model.document.item_types import ITEM_TYPES
from weir.model.flowgraph.components import connected
from weir.model.planning import dynamic, placement
from weir.model.planning.planner import Arrangement, NoPlan, Request
from weir.model.planning.schedule import MAX_BYTES
from weir.model.planning.sizing import Stream

#: Of the buffer with the largest items of a chain, where nobody asks for a size: half of a small L1 cache.
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
    """That go through a chain at once: a chunk, or the largest buffer asked for, or as many as are in BUFFER_BYTES."""
    if request.deployment.chunk_items != "auto":
        return int(request.deployment.chunk_items)
    asked = max(stream.requested_items or 0 for stream in streams)
    return asked or BUFFER_BYTES // max(ITEM_TYPES[stream.item_type].size for stream in streams)


def _sized(streams: list[Stream], items: int) -> Iterator[Stream]:
    """A buffer may be larger than what goes through it, where that was asked for."""
    for stream in streams:
        sized = replace(stream, items=max(items, stream.requested_items or 0), chunk_items=items, over=None)
        if sized.bytes > MAX_BYTES:
            raise NoPlan(f"the buffer of {stream.name} would have {sized.items} items, and {sized.bytes} bytes; "
                         f"at most {MAX_BYTES} are allowed", "smaller buffers or a smaller chunk_items")
        yield sized
