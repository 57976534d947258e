"""Circuits: buffers that circulate between workers. The writer and all blocks that work in place behind it use the same
memory for an item, across workers. The last reader frees it for the writer.

Streams are in one circuit if the writer of each works in place on the stream before (`sizing.in_place`): one item for
one item, of one size, with no other reader. Another circuit may begin behind it. A circuit within one worker needs no
ring: a schedule gives all of its streams one place in the arena.

Items do not move, so a circuit holds the items of all its streams together, and is full when all of its quanta are in
use. A quantum is as many items as the longest period of its workers moves. With one quantum more than workers, each
worker can be busy with one. If there are other paths to the same worker, each circuit also needs the quanta that wait
there for the other path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import lcm

from weir.model.document.item_types import ITEM_TYPES
from weir.model.planning import sizing
from weir.model.planning.planner import NoPlan, Request
from weir.model.planning.schedule import MAX_BYTES
from weir.model.planning.sizing import Stream


@dataclass(frozen=True)
class Pace:
    """Size of a circuit. `quantum`: items. `least`: fewest quanta without a deadlock. `requested`: quanta that the
    deployment requests, 0 for automatic.
    """

    quantum: int
    least: int
    requested: int


def across_workers(request: Request, streams: Iterable[Stream]) -> Iterator[tuple[Stream, ...]]:
    """Yield the streams of each circuit that crosses workers, from its beginning."""
    by_port = {(stream.source, stream.port): stream for stream in streams if stream.kind != "register"}
    over = sizing.in_place(request.graph, request.rates, {port: list(s.readers) for port, s in by_port.items()},
                           by_port.keys())
    above = {below: port for port, below in over.items()}
    for first in by_port:
        chain = [first]
        while chain[-1] in above:
            chain.append(above[chain[-1]])
        if first not in over and len(chain) > 1 and any(by_port[port].kind == "ring" for port in chain):
            yield tuple(by_port[port] for port in chain)


def crossings(chain: Sequence[Stream]) -> int:
    """Return how often a chain crosses to another worker. Streams are as in `across_workers`."""
    return sum(stream.kind == "ring" for stream in chain)


def joined(chain: Sequence[Stream], pace: Pace, request: Request) -> list[Stream]:
    """Return the streams as one memory: as large as the rings that it replaces, or as requested."""
    granule, size = lcm(*(s.granule for s in chain)), ITEM_TYPES[chain[0].item_type].size
    requested = [s.requested_items for s in chain if s.requested_items is not None]
    requested += [pace.requested * pace.quantum] if pace.requested else []
    wanted = max(requested) if requested else sum(stream.items for stream in chain if stream.kind == "ring")
    items = sizing.paged(max(wanted, pace.least * pace.quantum), granule, request.machine.page_bytes // size)
    if items * size > MAX_BYTES:
        raise NoPlan(f"the circuit that begins at {chain[0].name} would have {items * size} bytes, but at most "
                     f"{MAX_BYTES} are allowed", "reduce the quanta, the buffers or chunk_items")
    found = [replace(s, kind="ring", items=items, granule=granule, over=below.name)
             for below, s in zip(chain, chain[1:])]
    return [replace(chain[0], kind="ring", items=items, granule=granule, over=None,
                    requested_items=max(requested, default=None)), *found]


def _over(streams: Iterable[Stream]) -> dict[str, str]:
    return {stream.name: stream.over for stream in streams if stream.kind == "ring" and stream.over is not None}


def levelled(streams: Iterable[Stream]) -> Iterator[Stream]:
    """Yield the streams. A stream that lies over a resized ring gets the size of that ring."""
    streams = list(streams)
    by_name = {stream.name: stream for stream in streams}
    over = _over(streams)
    for stream in streams:
        lowest = by_name[sizing.bottom(stream.name, over)]
        yield replace(stream, items=lowest.items) if stream.name in over else stream


def lowest_of(streams: Iterable[Stream]) -> Mapping[str, list[str]]:
    """Return the streams of each circuit, in order from the stream at which it begins, which is the key."""
    over = _over(streams)
    above = {below: name for name, below in over.items()}
    found = {}
    for first in above.keys() - over.keys():
        found[first] = [first]
        while found[first][-1] in above:
            found[first].append(above[found[first][-1]])
    return found
