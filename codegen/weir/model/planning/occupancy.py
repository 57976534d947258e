"""Occupied bytes of an arena over time, in a binary tree over the moments of a period.

A node covers a run of moments. It stores two bit sets: the places taken throughout the run, and the places taken in
some part of it. A query for a span visits the nodes that make it up, with the places taken in parts of them, and their
ancestors, with the places taken throughout. These are few, whatever the number of streams.
"""

from __future__ import annotations

from bisect import insort
from collections import defaultdict
from collections.abc import Iterable, Sequence

from weir.model.planning.schedule import ALIGNMENT
from weir.model.planning.sizing import round_up

#: First and last moment of a span in which a stream holds items.
Span = tuple[int, int]


class Occupancy:
    """Segment tree of occupied places. Node 1 covers all `moments`; nodes 2n and 2n + 1 are the halves of node n."""

    def __init__(self, moments: int):
        self.leaves = 1 << max(moments - 1, 0).bit_length()
        self.throughout: defaultdict[int, int] = defaultdict(int)
        self.in_part: defaultdict[int, int] = defaultdict(int)
        self.numbers: dict[tuple[int, int], int] = {}  # of places: their bits
        self.places: list[tuple[int, int, int]] = []  # from, to, and the number; in order

    def place(self, size: int, spans: Sequence[Span]) -> int:
        """Reserve and return the first offset with this number of free bytes in all of the spans."""
        nodes, above = self._nodes(spans)
        offset = self._first_gap(size, self._taken(nodes, above))
        place = offset, offset + round_up(size, ALIGNMENT)
        if place not in self.numbers:
            self.numbers[place] = len(self.numbers)
            insort(self.places, (*place, self.numbers[place]))
        bit = 1 << self.numbers[place]
        for node in nodes:
            self.throughout[node] |= bit
            self.in_part[node] |= bit
        for node in above:
            self.in_part[node] |= bit
        return offset

    def _taken(self, nodes: Iterable[int], above: Iterable[int]) -> int:
        """Return the places that are taken at some time, as bits."""
        taken = 0
        for node in nodes:
            taken |= self.in_part.get(node, 0)
        for node in above:
            taken |= self.throughout.get(node, 0)
        return taken

    def _first_gap(self, size: int, taken: int) -> int:
        bits, offset = f"{taken:b}"[::-1], 0
        for start, end, number in self.places:
            if number < len(bits) and bits[number] == "1":
                if offset + size <= start:
                    break
                offset = max(offset, end)
        return offset

    def _nodes(self, spans: Iterable[Span]) -> tuple[set[int], set[int]]:
        """Return the nodes that make up the spans, and their ancestors."""
        nodes: set[int] = set()
        for first, last in spans:
            left, right = first + self.leaves, last + self.leaves + 1
            while left < right:
                if left & 1:
                    nodes.add(left)
                    left += 1
                if right & 1:
                    right -= 1
                    nodes.add(right)
                left, right = left >> 1, right >> 1
        above: set[int] = set()
        for node in nodes:
            while (node := node >> 1) and node not in above:
                above.add(node)
        return nodes, above
