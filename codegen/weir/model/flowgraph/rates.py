"""Balance equations: how often each instance fires in one iteration of the graph, and how many items that moves.

    firings(src) * rate(src port) == firings(dst) * rate(dst port)         for every edge

A part of the graph that is attached by a single connection is balanced by itself. Only around a closed loop of
connections (two ways from a fork to a join) must buffers hold an iteration. `Rates.stream_items` is therefore counted
within the smallest part that needs it (the biconnected component), so a chain of decimators needs no huge buffers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from weir.diagnostics import Diagnostic, WeirError, diagnostic
from weir.model.behaviour import lengths_of
from weir.model.catalog import Port
from weir.model.document import expressions
from weir.model.document.item_types import ITEM_TYPES
from weir.model.flowgraph.components import biconnected
from weir.model.flowgraph.graph import Edge, Graph, Instance
from weir.sure import sure

# Largest item count that a double holds exactly: the ratios of latency pairs are computed in doubles.
MAX_ITERATION_ITEMS = 2**53
# Memory for one stream. More is a mistake in the rates, not an intention.
MAX_STREAM_BYTES = 2**28
MAX_RATE = 2**31 - 1


@dataclass(frozen=True)
class Rates:
    """Rates of a graph. `inputs`, `outputs`: items per firing by port, for each instance. `firings`: of one iteration
    of the connected graph.

    `stream_items`: by (instance, output port), the least common multiple of the items that its edges move in one
    iteration of their biconnected components. A buffer with a multiple of that size can always be drained, in any order
    of firing.
    """

    inputs: Mapping[str, tuple[int, ...]]
    outputs: Mapping[str, tuple[int, ...]]
    firings: Mapping[str, int]
    stream_items: Mapping[tuple[str, str], int]

    def at(self, instance: Instance, port: str) -> int:
        """Return the items per firing at a port of an instance."""
        sides = (instance.type.inputs, self.inputs), (instance.type.outputs, self.outputs)
        return next(rate for ports, rates in sides for one, rate in zip(ports, rates[instance.name]) if one.id == port)

    def first_port_items(self, name: str) -> int:
        """Return the items that one iteration moves through the instance's first input, or a source's first output."""
        rates = self.inputs[name] or self.outputs[name]
        return self.firings[name] * rates[0]

    def output_items(self, name: str) -> int:
        """Return the items that one iteration moves through the instance's first output; 0 without one."""
        return self.firings[name] * self.outputs[name][0] if self.outputs[name] else 0


class _Inconsistent(Exception):
    def __init__(self, edge: Edge):
        self.edge = edge


class _TooLarge(Exception):
    def __init__(self, name: str):
        self.name = name


def port_rate(port: Port, instance: Instance) -> int:
    """Return the items per firing. Raises WeirError (E_RATE_LIMIT) if the descriptor's expression has no valid value.
    """
    if isinstance(port.rate, int):
        return port.rate
    numbers = {k: v for k, v in instance.parameters.items() if isinstance(v, (int, float)) and not isinstance(v, bool)}
    text = port.rate["expr"]
    try:
        rate = expressions.evaluate(text, numbers | lengths_of(instance.parameters))
    except expressions.ExpressionError as error:
        raise WeirError(diagnostic(error.code, instance.pointer,
                                   f"rate of {instance.name}.{port.id}, `{text}`: {error.message}",
                                   error.hint)) from None
    if rate != int(rate) or not 1 <= rate <= MAX_RATE:
        raise WeirError(diagnostic("E_RATE_LIMIT", instance.pointer,
                                   f"{instance.name}.{port.id} would move {rate:g} items in each firing (`{text}`)",
                                   f"choose a rate that is a whole number from 1 to {MAX_RATE}"))
    return int(rate)


def port_facts(graph: Graph) -> dict[str, dict[str, Any]]:
    """Return item type and items per firing at each port, by block of the document. A port without a rate is left out.
    """
    facts: dict[str, dict[str, Any]] = {}
    for instance in graph.instances:
        if instance.block_id not in facts:
            facts[instance.block_id] = {"item_type": instance.item_type,
                                        "inputs": _facts(instance.type.inputs, instance),
                                        "outputs": _facts(instance.type.outputs, instance)}
    return facts


def _facts(ports: Iterable[Port], instance: Instance) -> dict[str, dict[str, Any]]:
    facts = {}
    for port in ports:
        try:
            facts[port.id] = {"item_type": port.item_type(instance.item_type), "rate": port_rate(port, instance)}
        except WeirError:
            pass  # `attempt` reports it
    return facts


def solve(graph: Graph) -> Rates:
    """Return the rates of a graph. Raises WeirError (E_RATE_INCONSISTENT, E_RATE_LIMIT) if there is no usable solution.
    """
    rates, faults = attempt(graph)
    if rates is None:
        raise WeirError(faults)
    return rates


def attempt(graph: Graph) -> tuple[Rates | None, list[Diagnostic]]:
    """Return the rates of a graph, None if there is no usable solution, and the diagnostics."""
    try:
        inputs = {i.name: tuple(port_rate(p, i) for p in i.type.inputs) for i in graph.instances}
        outputs = {i.name: tuple(port_rate(p, i) for p in i.type.outputs) for i in graph.instances}
    except WeirError as error:
        return None, error.diagnostics
    instances = {i.name: i for i in graph.instances}

    def ratio(edge: Edge) -> Fraction:
        """Return the firings of dst for one firing of src."""
        src, dst = instances[edge.src], instances[edge.dst]
        return Fraction(outputs[edge.src][_index(src.type.outputs, edge.src_port)],
                        inputs[edge.dst][_index(dst.type.inputs, edge.dst_port)])

    ratios = {edge.name: ratio(edge) for edge in graph.edges}
    try:
        stream_items: dict[tuple[str, str], int] = {}
        for part in biconnected(graph.edges):
            local = _firings(sorted({n for e in part for n in (e.src, e.dst)}), part, ratios)
            for edge in part:
                rate = outputs[edge.src][_index(instances[edge.src].type.outputs, edge.src_port)]
                stream = edge.src, edge.src_port
                stream_items[stream] = lcm(stream_items.get(stream, 1), local[edge.src] * rate)
        firings = _firings([i.name for i in graph.instances], graph.edges, ratios)
    except _Inconsistent as fault:
        return None, [_inconsistent(graph, fault.edge, inputs, outputs)]
    except _TooLarge as fault:
        return None, [diagnostic("E_RATE_LIMIT", instances[fault.name].pointer,
                                 f"one iteration of the flowgraph would need more than {MAX_ITERATION_ITEMS} firings; "
                                 f"the rates exceed this at {fault.name}",
                                 "choose smaller rates, or rates with smaller common multiples")]
    rates = Rates(inputs, outputs, firings, stream_items)
    faults = _limits(graph, rates)
    return (None if faults else rates), faults


def _index(ports: Iterable[Port], port_id: str) -> int:
    return next(i for i, port in enumerate(ports) if port.id == port_id)


def _firings(names: list[str], edges: Iterable[Edge], ratios: Mapping[str, Fraction]) -> dict[str, int]:
    """Return the smallest integer solution of each connected part. Raises _Inconsistent with an edge that does not fit.
    """
    near: dict[str, list[tuple[str, Fraction]]] = defaultdict(list)
    for edge in edges:
        near[edge.src].append((edge.dst, ratios[edge.name]))
        near[edge.dst].append((edge.src, 1 / ratios[edge.name]))
    firings: dict[str, int] = {}
    for start in names:
        if start in firings:
            continue
        part, stack = {start: Fraction(1)}, [start]
        while stack:
            name = stack.pop()
            for other, factor in near[name]:
                if other not in part:
                    part[other] = part[name] * factor
                    # In lowest terms, both are lower bounds of firings, so going on would only make larger numbers.
                    if max(part[other].numerator, part[other].denominator) > MAX_ITERATION_ITEMS:
                        raise _TooLarge(other)
                    stack.append(other)
        scale = lcm(*(f.denominator for f in part.values()))
        whole = {name: int(f * scale) for name, f in part.items()}
        common = gcd(*whole.values())
        firings.update((name, n // common) for name, n in whole.items())
    for edge in edges:
        if firings[edge.src] * ratios[edge.name] != firings[edge.dst]:
            raise _Inconsistent(edge)
    return firings


def _limits(graph: Graph, rates: Rates) -> list[Diagnostic]:
    for edge in graph.edges:
        items = rates.stream_items[edge.src, edge.src_port]
        size = items * ITEM_TYPES[edge.item_type].size
        if size > MAX_STREAM_BYTES:
            return [diagnostic("E_RATE_LIMIT", edge.pointer,
                               f"the buffer of {edge.name} must hold {items} items ({size} bytes), because the rates "
                               "repeat only after so many items",
                               "choose rates with smaller common multiples; a buffer may have at most "
                               f"{MAX_STREAM_BYTES} bytes")]
    for i in graph.instances:
        largest = rates.firings[i.name] * max(rates.inputs[i.name] + rates.outputs[i.name], default=1)
        if largest > MAX_ITERATION_ITEMS:
            return [diagnostic("E_RATE_LIMIT", i.pointer,
                               f"one iteration of the flowgraph would move {largest} items through {i.name}",
                               "choose smaller rates, or rates with smaller common multiples")]
    return []


def _inconsistent(graph: Graph, edge: Edge, inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> Diagnostic:
    """Return a diagnostic that names the shortest loop of connections with inconsistent rates."""
    loop = _loop(graph, edge)
    blocks = list(dict.fromkeys(name for e in loop for name in (e.src, e.dst)))
    changers = [f"{n} ({':'.join(map(str, inputs[n]))} -> {':'.join(map(str, outputs[n]))})" for n in blocks
                if set(inputs[n]) | set(outputs[n]) != {1}]
    return diagnostic(
        "E_RATE_INCONSISTENT", edge.pointer,
        f"the rates along {', '.join(blocks)} are inconsistent: two paths between the same blocks bring different "
        f"numbers of items to {edge.dst}",
        f"rates change at {', '.join(changers)} (items in a firing); change the rate by the same factor on both paths"
        if changers else "")


def _loop(graph: Graph, edge: Edge) -> list[Edge]:
    """Return the edge and the shortest other path between its ends, ignoring directions."""
    near: dict[str, list[tuple[str, Edge]]] = defaultdict(list)
    for e in graph.edges:
        if e != edge:
            near[e.src].append((e.dst, e))
            near[e.dst].append((e.src, e))
    came: dict[str, Edge | None] = {edge.src: None}
    frontier = [edge.src]
    while frontier and edge.dst not in came:
        following = []
        for name in frontier:
            for other, e in near[name]:
                if other not in came:
                    came[other] = e
                    following.append(other)
        frontier = following
    loop, at = [edge], edge.dst
    while came.get(at):
        way = sure(came[at])
        loop.append(way)
        at = way.src if way.dst == at else way.dst
    return loop
