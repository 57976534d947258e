"""Rates of streams, and the items between two boundaries in each of them.

Blocks of fixed rates connect streams with proportional rates. Boundary k is then the same place in all of them if the
items between boundaries are in the same proportion.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from weir_companion.graph import Graph

#: Output port of a block.
Stream = tuple[int, int]


@dataclass(frozen=True)
class Granularities:
    """Items between boundaries of each stream, and its group of streams with proportional rates."""

    items: dict[Stream, int]
    group: dict[Stream, int]


def granularities(graph: Graph, wanted: int) -> Granularities:
    """Return integers in proportion to the rates, near `wanted` at the fastest source of each group."""
    ties = tied(graph)
    sources = {block.number for block in graph.blocks if block.inputs == 0}
    items: dict[Stream, int] = {}
    group: dict[Stream, int] = {}
    for first in ties:
        if first in group:
            continue
        rates = proportions(ties, first)
        for stream in rates:
            group[stream] = len(set(group.values())) if stream == first else group[first]
        least = math.lcm(*(rate.denominator for rate in rates.values()))
        whole = {stream: int(rate * least) for stream, rate in rates.items()}
        fastest = max((count for stream, count in whole.items() if stream[0] in sources), default=max(whole.values()))
        times = max(1, round(wanted / fastest))
        items |= {stream: count * times for stream, count in whole.items()}
    return Granularities(items, group)


def tied(graph: Graph) -> dict[Stream, list[tuple[Stream, Fraction]]]:
    """Return for each stream those whose rate is a fixed multiple of its rate."""
    ties: dict[Stream, list[tuple[Stream, Fraction]]] = {(edge.source, edge.output): [] for edge in graph.edges}
    inputs: dict[int, list[Stream]] = {block.number: [] for block in graph.blocks}
    for edge in sorted(graph.edges, key=lambda edge: (edge.sink, edge.input)):
        inputs[edge.sink].append((edge.source, edge.output))

    def tie(one: Stream, other: Stream, ratio: Fraction) -> None:
        if one in ties and other in ties:
            ties[one].append((other, ratio))
            ties[other].append((one, 1 / ratio))

    for block in graph.blocks:
        if not block.fixed_rate or not block.ratio:
            continue
        entering = inputs[block.number]
        leaving = [(block.number, port) for port in range(block.outputs)]
        for stream in entering[1:]:
            tie(entering[0], stream, Fraction(1))
        for stream in leaving:
            if entering:
                tie(entering[0], stream, block.ratio)
            elif stream != leaving[0]:
                tie(leaving[0], stream, Fraction(1))
    return ties


def proportions(ties: dict[Stream, list[tuple[Stream, Fraction]]], first: Stream) -> dict[Stream, Fraction]:
    """Return the rates of all streams tied to `first`, relative to its rate."""
    rates = {first: Fraction(1)}
    pending = [first]
    while pending:
        stream = pending.pop()
        for other, ratio in ties[stream]:
            if other not in rates:
                rates[other] = rates[stream] * ratio
                pending.append(other)
    return rates
