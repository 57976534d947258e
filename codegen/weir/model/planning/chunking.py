"""Chunk size: larger chunks spread the cost of a step over more items, but leave the faster caches.

    ns an item = steps / items of a chunk  +  work x time of the cache in which the buffers lie together

The first term falls with the chunk, the second rises with its logarithm. The sum has one broad minimum, which moves
smoothly with the blocks, the caches and the speeds. Weir takes the smallest chunk within `TOLERANCE` of the minimum,
because smaller chunks leave cache to others and reach the sink sooner.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from weir.model.planning.machine import Machine

#: Of the least time an item.
TOLERANCE = 0.01
#: Sizes that are looked at: so many for each power of two.
_SIZES_A_DOUBLING = 16
MIN_LINEAR_BYTES, MAX_LINEAR_BYTES = 2 * 1024, 256 * 1024
MIN_RING_BYTES = 32 * 1024
#: Of a ring that is filled and emptied in turns, where both that are touched at once have room in L2.
MAX_WAKING_BYTES = 256 * 1024
CHUNKS_A_RING = 4
#: Of L2: what a ring has room for where a chain is fast enough to need it (`weir::StreamBase`). What still lies in the
#: L2 of who wrote it is fetched from there, at several times of what it takes from L3.
ROOM = 4
#: Of L2: the most that a ring takes.
_RING = 1 / 4
#: Of its share of L3: the most that all of the rings of a core take.
_RINGS = 1 / 2
_KIB = 1024


@dataclass(frozen=True)
class Part:
    """Blocks that linear streams join, directly or over others: they have their turns together.

    `varying`: those of the `blocks` that move amounts of their own choice; `copies`: outputs that are computed from
    inputs, each as large as a stream; `buffers`: memories of streams, and ends of rings where a schedule
    makes the calls.
    """

    blocks: int
    varying: int
    copies: int
    buffers: int

    def steps_ns(self, step: float, varying_step: float) -> float:
        """Return the time in ns of the steps of all blocks for one chunk."""
        return step * (self.blocks - self.varying) + varying_step * self.varying


class Chunking:
    """Sizes for one machine, each found once: large graphs have many parts and rings that are alike.

    `scheduled`: for calls that a schedule makes.
    """

    def __init__(self, machine: Machine, scheduled: bool = False):
        # Looked up in all of its caches each time that they are asked for.
        self._speeds, self._l1, self._l2, self._l3 = machine.speeds, machine.l1d, machine.l2, machine.l3
        self._step = self._speeds.fired_step if scheduled else self._speeds.step
        self.linear_bytes = cache(self._linear_bytes)
        self.ring_bytes = cache(self._ring_bytes)

    def _linear_bytes(self, part: Part) -> int:
        """Bytes of each of its streams."""
        steps = part.steps_ns(self._step, self._speeds.varying_step)

        def byte_ns(size: float) -> float:
            return steps / size + part.copies / _KIB * self._kib_ns(part.buffers * size)

        return _cheapest(byte_ns, MIN_LINEAR_BYTES, min(self._l2 // max(part.buffers, 1), MAX_LINEAR_BYTES))

    def _ring_bytes(self, rings: int, waking: bool) -> int:
        """Bytes of a ring, where a worker or job at one of its ends touches so many: four chunks, so that its ends do
        not meet. `waking`: they do not run at once; who has filled or emptied it sleeps, and wakes the other.

        A chunk that crosses costs a step at either end, and the lines of its counts that go to and fro. With more than
        a part of L2 the ends of a cheap chain drift apart, which is faster; but flat out a ring is full as soon as its
        reader is the slower one, and its items wait for all of it. So this is what may lie in it however slow the chain
        is, and in `room_bytes` no more than moves through in a moment.
        """
        of_a_ring = CHUNKS_A_RING * (2 * self._step + 4 * self._speeds.line) + waking * self._speeds.wake

        def byte_ns(size: float) -> float:
            return of_a_ring / size + 2 / _KIB * self._kib_ns(rings * size)

        most = max(int(_RING * self._l2), waking * min(self._l2 // 2, MAX_WAKING_BYTES))
        return _cheapest(byte_ns, MIN_RING_BYTES, min(most, int(_RINGS * self._l3) // max(rings, 1)))

    def room_bytes(self, rings: int) -> int:
        """Return the capacity of one ring in bytes, if all `rings` share the cache."""
        return min(int(ROOM * self._l2), self._l3 // max(rings, 1))

    def _kib_ns(self, footprint: float) -> float:
        return self._speeds.kib_ns(footprint, self._l1, self._l2)


def _cheapest(byte_ns: Callable[[float], float], least: int, most: int) -> int:
    """The smallest size from `least` to `most` at which a byte costs hardly more than at the best of them."""
    sizes, size = [least], least * 2 ** (1 / _SIZES_A_DOUBLING)
    while size < most:
        sizes.append(int(size))
        size *= 2 ** (1 / _SIZES_A_DOUBLING)
    if most > least:
        sizes.append(most)
    costs = [byte_ns(size) for size in sizes]
    enough = min(costs) * (1 + TOLERANCE)
    return next(size for size, cost in zip(sizes, costs) if cost <= enough)
