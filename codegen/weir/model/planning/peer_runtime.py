"""Common parts of the planners for peer runtimes: buffer sizes, and calls that take all items of a buffer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from math import lcm
from pathlib import Path
from typing import Any

from weir.model.document.item_types import ITEM_TYPES
from weir.model.planning import dynamic, quanta, sizing
from weir.model.planning.planner import Arrangement, NoPlan, Request
from weir.model.planning.scheduling import DEADLINE
from weir.model.planning.sizing import Stream


def plan(request: Request, default_bytes: int = 0, default_items: int = 0) -> Arrangement:
    """Plan with the placement of Weir's own schedulers. `default_bytes` or `default_items`: size of a buffer without a
    requested size.
    """
    if request.graph.of_gnuradio:
        return _as_gnuradio_sizes(request, default_bytes)
    made = dynamic.plan(request)
    streams = tuple(_buffer(stream, request.rates.stream_items[stream.source, stream.port],
                            default_items or default_bytes // ITEM_TYPES[stream.item_type].size)
                    for stream in made.streams)
    return replace(made, streams=streams, chunks=_chunks(request, streams))


def fusing(made: Arrangement, request: Request, natives: Path) -> Arrangement:
    """Return the arrangement for a scheduler whose runtime can fuse its own blocks (`"fuse": true`). It says which
    blocks the runtime cannot fuse. `natives`: the target's table of native blocks.
    """
    if not request.deployment.parameters["fuse"]:
        return made
    if request.deployment.blocks != "native":
        return replace(made, unheeded={"fuse": "the runtime fuses only its own blocks (\"blocks\": \"native\")"})
    table = json.loads(natives.read_text(encoding="utf-8"))
    alone = {i.block_id: f"`{i.block_id}` ({i.type.id})" for i in request.graph.instances
             if i.type.inputs and i.type.outputs and not _fuses(table, i.type.id, i.item_type)}
    why = f"the runtime cannot fuse {', '.join(alone.values())}, and leaves a buffer on both sides"
    return replace(made, unheeded={"fuse": why} if alone else {})


def _fuses(table: Mapping[str, Any], kind: str, item_type: str | None) -> bool:
    """Return whether the runtime has a native block that it can fuse, for a block of the library."""
    entry = table.get(kind, {})
    make = entry.get("make")
    return bool(entry.get("fuses") and (item_type in make if isinstance(make, Mapping) else make))


def _as_gnuradio_sizes(request: Request, default_bytes: int) -> Arrangement:
    """Plan blocks of GNU Radio, whose rates Weir does not know: GNU Radio makes the buffers itself."""
    requested = sizing.requested_items(request.graph, request.deployment)
    streams = []
    readers = request.graph.readers
    for source, port in ((i.name, port.id) for i in request.graph.instances for port in i.type.outputs):
        if not (edges := readers.get((source, port))):
            continue
        wanted = max((requested[edge.name] for edge in edges if edge.name in requested), default=None)
        default = max(1, default_bytes // ITEM_TYPES[edges[0].item_type].size)
        streams.append(Stream(source, port, tuple(edges), edges[0].item_type, "ring", 1, wanted, wanted or default, 1))
    return Arrangement(dynamic.workers_of(request), tuple(streams), (), _chunks(request, tuple(streams)))


def with_circuits(made: Arrangement, request: Request, buffer_bytes: int, buffers: int) -> Arrangement:
    """Return the arrangement with circuits: a buffer passes from its writer through all blocks that work in place, and
    returns. A circuit has `buffers` buffers of `buffer_bytes` or of `chunk_items`, or as many as the deployment
    requests.

    Only one block reads a stream of a circuit, item by item: it cannot join the items of two buffers.
    """
    by_port = {(stream.source, stream.port): stream for stream in made.streams}
    over = {above: below for above, below in quanta.in_place(request, made.streams).items()
            if len(readers := by_port[above].readers) == 1
            and request.rates.at(request.graph.instance(readers[0].dst), readers[0].dst_port) == 1}
    requested: dict[tuple[str, str], int] = {}
    for port, stream in by_port.items():
        first = sizing.bottom(port, over)
        requested[first] = max(requested.get(first, 0), stream.requested_items or 0)
    chunk, streams = request.deployment.chunk_items, []
    for port, stream in by_port.items():
        if port in over or port in over.values():
            first = sizing.bottom(port, over)
            rate = request.rates.stream_items[first]
            wanted = buffer_bytes // ITEM_TYPES[stream.item_type].size if chunk == "auto" else int(chunk)
            size = max(rate, wanted // rate * rate)
            stream = replace(stream, kind="ring", granule=size, chunk_items=size, least_items=None,
                             items=sizing.round_up(requested[first], size) or buffers * size,
                             over=".".join(over[port]) if port in over else None)
        streams.append(stream)
    return replace(made, streams=tuple(streams), chunks=_chunks(request, tuple(streams)))


def with_common_cpus(made: Arrangement) -> Arrangement:
    """Return the arrangement with all requested CPUs for all workers: the peer runtime cannot set them per worker."""
    own = tuple(sorted({cpu for worker in made.workers for cpu in worker.requested or ()}))
    return replace(made, workers=tuple(replace(worker, cpus=own) for worker in made.workers))


def a_cpu_each(made: Arrangement, request: Request) -> Arrangement:
    """Return the arrangement with one CPU per worker, taken from the worker's CPUs, and different CPUs if there are
    enough. The peer runtime binds a thread to each CPU that its process may use. With too few CPUs, Weir refuses a run
    before the build (`own_cpus` of its scheduler.json), and a program that runs elsewhere reports it. Raises NoPlan if
    a worker requests a deadline, because Linux refuses deadlines to threads bound to one CPU.
    """
    deployment = request.deployment
    if any(it.policy == DEADLINE for it in (deployment.scheduling, *deployment.threads.values())):
        raise NoPlan("the peer runtime binds each worker to one CPU, and Linux refuses a deadline to such a thread",
                     "choose another policy, or a scheduler that lets Linux place its workers")
    own: dict[str, int] = {}
    for worker in sorted(made.workers, key=lambda worker: len(worker.cpus)):  # fewest choices first
        own[worker.name] = next((cpu for cpu in worker.cpus if cpu not in own.values()), worker.cpus[0])
    return replace(made, workers=tuple(replace(worker, cpus=(own[worker.name],)) for worker in made.workers))


def _buffer(stream: Stream, iteration: int, default: int) -> Stream:
    """Return the stream with its buffer. `iteration`: items of one iteration; a linear stream holds whole iterations.
    """
    whole = lcm(stream.granule, iteration) if stream.kind == "linear" else stream.granule
    items = sizing.round_up(max(stream.requested_items or default, iteration, 1), whole)
    return replace(stream, items=items, over=None, least_items=None)


def _chunks(request: Request, streams: tuple[Stream, ...]) -> dict[str, int]:
    """Return the items in a call: all that a buffer holds, unless the deployment wants less."""
    items = {instance.name: 1 for instance in request.graph.instances}  # some only pass messages
    for stream in streams:
        for name in (stream.source, *(edge.dst for edge in stream.readers)):
            items[name] = max(items.get(name, 1), stream.items)
    requested = request.deployment.chunk_items
    return items if requested == "auto" else {name: min(int(requested), most) for name, most in items.items()}
