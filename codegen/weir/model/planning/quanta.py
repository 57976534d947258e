"""Planners of runtimes that move whole quanta: in a call, a block has one quantum at each of its ports.

All quanta of a connected part of the graph have the same number of iterations, so all of its blocks are called equally
often. Only the last quantum is shorter. A circuit is a set of quanta that circulate: from the writer of its first
stream through all blocks that work in place to the reader of its last stream, and back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from weir.model.document.item_types import ITEM_TYPES
from weir.model.flowgraph.components import connected
from weir.model.flowgraph.graph import Instance
from weir.model.planning import dynamic, sizing
from weir.model.planning.planner import Arrangement, NoPlan, Request
from weir.model.planning.schedule import MAX_BYTES
from weir.model.planning.sizing import Stream

#: (instance, output port)
Port = tuple[str, str]


def plan(request: Request, quantum_bytes: int) -> Arrangement:
    """Plan with the placement of Weir's own schedulers. Without requested sizes, the largest quantum of a part has at
    most `quantum_bytes`, and a circuit has one quantum more than there are workers.

    Raises NoPlan if a source has no reader, or if the buffers need too much memory.
    """
    made = dynamic.plan(request)
    read = {stream.source for stream in made.streams}
    for i in request.graph.instances:
        if i.type.is_source and i.name not in read:
            raise NoPlan(f"no block reads `{i.block_id}`, and blocks without connections are not "
                         "allowed", "disable the block, or connect it")
    times = _times(request, made.streams, quantum_bytes)
    streams = tuple(_circuits(request, made.streams, times, len(made.workers) + 1))
    largest = {i.name: max(request.rates.inputs[i.name] + request.rates.outputs[i.name])
               for i in request.graph.instances}
    chunks = {i.name: _firings(request, times, i) * largest[i.name] for i in request.graph.instances}
    return replace(made, streams=streams, chunks=chunks)


def _firings(request: Request, times: Mapping[str, int], i: Instance) -> int:
    """Return the firings in one call."""
    return times[i.name] * request.rates.firings[i.name]


def _items(stream: Stream, request: Request) -> int:
    """Return the items that one iteration of its part of the graph moves."""
    return request.rates.firings[stream.source] * request.rates.at(request.graph.instance(stream.source), stream.port)


def _times(request: Request, streams: Iterable[Stream], quantum_bytes: int) -> dict[str, int]:
    """Return the iterations in a quantum by instance. All instances of a connected part have the same number."""
    chunk = request.deployment.chunk_items
    found: dict[Any, Any] = {}
    by_source: dict[str, list[Stream]] = {}
    for stream in streams:
        by_source.setdefault(stream.source, []).append(stream)
    for part in connected(request.graph):
        own = [(_items(s, request), ITEM_TYPES[s.item_type].size) for i in part for s in by_source.get(i.name, ())]
        most = [quantum_bytes // (items * size) if chunk == "auto" else int(chunk) // items for items, size in own]
        # A paced block holds back one quantum, which must fit its latency budget.
        most += [budget // _items(s, request) for i in part if (budget := sizing.paced_chunk(i)) is not None
                 for s in by_source[i.name]]
        found |= dict.fromkeys((i.name for i in part), max(1, min(most)))
    return found


def _circuits(request: Request, streams: Iterable[Stream], times: Mapping[str, int], quanta: int) -> Iterable[Stream]:
    streams = list(streams)
    over = in_place(request, streams)
    requested: dict[Port, int] = {}
    for stream in streams:
        lowest = sizing.bottom((stream.source, stream.port), over)
        requested[lowest] = max(requested.get(lowest, 0), stream.requested_items or 0)
    for stream in streams:
        key = stream.source, stream.port
        quantum, lowest = times[stream.source] * _items(stream, request), sizing.bottom(key, over)
        items = sizing.round_up(requested[lowest], quantum) or quanta * quantum
        if items * ITEM_TYPES[stream.item_type].size > MAX_BYTES:
            raise NoPlan(f"the circuit that begins at {'.'.join(lowest)} would have quanta of {quantum} items and "
                         f"{items * ITEM_TYPES[stream.item_type].size} bytes, but at most {MAX_BYTES} are allowed",
                         "use rates with smaller common multiples, smaller buffers or a smaller chunk_items")
        circling = key in over or key in over.values()
        yield replace(stream, kind="ring" if circling else stream.kind, granule=quantum, items=items,
                      chunk_items=quantum, least_items=None, over=".".join(over[key]) if key in over else None)


def in_place(request: Request, streams: Iterable[Stream]) -> dict[Port, Port]:
    """Return the streams that lie in place over another one of the same item type, because a circuit has one item type.
    """
    by_port = {(stream.source, stream.port): stream for stream in streams}
    readers = {port: list(stream.readers) for port, stream in by_port.items()}
    over = sizing.in_place(request.graph, request.rates, readers, by_port.keys(), overwrites=True)
    return {above: below for above, below in over.items()
            if by_port[above].item_type == by_port[below].item_type}
