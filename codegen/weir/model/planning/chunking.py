"""Chunk size: larger chunks spread the cost of a step over more items, but leave the faster caches.

    ns an item = steps / items of a chunk  +  work x time of the cache in which the buffers lie together

The first term falls with the chunk, the second rises with its logarithm. The sum has one broad minimum, which moves
smoothly with the blocks, the caches and the speeds. Weir takes the smallest chunk within `TOLERANCE` of the minimum,
because smaller chunks leave more cache to other data and reach the sink sooner.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from weir.model.planning.machine import Machine

#: Relative to the least time per item.
TOLERANCE = 0.01
#: Candidate sizes for each power of two.
_SIZES_A_DOUBLING = 16
MIN_LINEAR_BYTES, MAX_LINEAR_BYTES = 2 * 1024, 256 * 1024
MIN_RING_BYTES = 32 * 1024
#: Limit for a ring that is filled and emptied in turns, so that two rings in use fit into L2.
MAX_WAKING_BYTES = 256 * 1024
CHUNKS_A_RING = 4
#: Capacity of a ring in multiples of L2, used if a chain is fast enough (`weir::StreamBase`). Items still in the
#: writer's L2 take several times as long to fetch as items in L3.
ROOM = 4
#: Largest share of L2 for one ring.
_RING = 1 / 4
#: Largest share of a core's part of L3 for all of its rings.
_RINGS = 1 / 2
_KIB = 1024


@dataclass(frozen=True)
class Part:
    """Blocks joined by linear streams, directly or indirectly: they take turns together.

    `varying`: number of `blocks` that move amounts of their own choice. `copies`: outputs computed from inputs, each as
    large as a stream. `buffers`: memories of streams, and ends of rings if a schedule makes the calls.
    """

    blocks: int
    varying: int
    copies: int
    buffers: int

    def steps_ns(self, step: float, varying_step: float) -> float:
        """Return the time in ns of the steps of all blocks for one chunk."""
        return step * (self.blocks - self.varying) + varying_step * self.varying


class Chunking:
    """Sizes for one machine, cached because large graphs have many equal parts and rings.

    `scheduled`: a worker schedule makes the calls.
    """

    def __init__(self, machine: Machine, scheduled: bool = False):
        # Copied, because each of these properties searches all caches of the machine.
        self._speeds, self._l1, self._l2, self._l3 = machine.speeds, machine.l1d, machine.l2, machine.l3
        self._step = self._speeds.fired_step if scheduled else self._speeds.step
        self.linear_bytes = cache(self._linear_bytes)
        self.ring_bytes = cache(self._ring_bytes)

    def _linear_bytes(self, part: Part) -> int:
        """Return the bytes of each stream of the part."""
        steps = part.steps_ns(self._step, self._speeds.varying_step)

        def byte_ns(size: float) -> float:
            return steps / size + part.copies / _KIB * self._kib_ns(part.buffers * size)

        return _cheapest(byte_ns, MIN_LINEAR_BYTES, min(self._l2 // max(part.buffers, 1), MAX_LINEAR_BYTES))

    def _ring_bytes(self, rings: int, waking: bool) -> int:
        """Return the bytes of a ring, if a worker or job at one end touches this many rings: four chunks, so that its
        ends do not meet. `waking`: the ends do not run at once; the one that has filled or emptied the ring sleeps, and
        wakes the other.

        A chunk that crosses costs a step at either end, and transfers of the cache lines with the counts. With more
        than a part of L2, the ends of a cheap chain drift apart, which is faster. But at full speed a ring fills up as
        soon as its reader is the slower end, and every item then waits for a full ring. So this size is what the ring
        may hold at any speed; up to `room_bytes`, it holds no more than moves through in a moment.
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
    """Return the smallest size from `least` to `most` whose cost per byte is within TOLERANCE of the best."""
    sizes, size = [least], least * 2 ** (1 / _SIZES_A_DOUBLING)
    while size < most:
        sizes.append(int(size))
        size *= 2 ** (1 / _SIZES_A_DOUBLING)
    if most > least:
        sizes.append(most)
    costs = [byte_ns(size) for size in sizes]
    enough = min(costs) * (1 + TOLERANCE)
    return next(size for size, cost in zip(sizes, costs) if cost <= enough)
