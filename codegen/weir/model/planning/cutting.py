"""Cuts a graph into pieces, one per worker, by the costs of blocks and cuts, for `balance`.

No two pieces feed each other: a piece is the difference of two sets of instances that are closed upstream. Dynamic
programming over these sets finds the best pieces. Among pieces that are equally good for the busiest worker, those with
the least total cost win, so there are no needless cuts.

A chain of n blocks has n + 1 such sets; a graph with many branches has too many. Then the sets are prefixes of an
order, upstream first: the graph's order, and one that follows each branch to its end before it begins the next. A third
candidate deals out whole connected parts, the most expensive first. The best candidate wins.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isqrt

from weir.model.flowgraph.components import connected
from weir.model.flowgraph.graph import Graph

#: Limit of the exhaustive search: pairs of sets that are closed upstream, times instances.
_EFFORT = 4_000_000
#: Most positions at which an order may be cut. Longer orders get this many cuts into parts of equal time.
_MOST_CUTS = 256
#: Tolerance for equal times.
_SAME = 1 + 1e-9


@dataclass(frozen=True)
class Charge:
    """Cost of `ns` for the piece with the instance `at`, unless the piece has all of `together`."""

    at: str
    together: frozenset[str]
    ns: float


@dataclass(frozen=True)
class Load:
    """Input of the placement: instances in topological order with their own times, and the cost of cuts."""

    own: Mapping[str, float]
    charges: Sequence[Charge]

    def of(self, worker_of: Mapping[str, str]) -> dict[str, float]:
        """Return the time in ns of each worker."""
        found: dict[str, float] = defaultdict(float)
        for name, ns in self.own.items():
            found[worker_of[name]] += ns
        for charge in self.charges:
            if len({worker_of[name] for name in charge.together}) > 1:
                found[worker_of[charge.at]] += charge.ns
        return found


def share_out(graph: Graph, load: Load, most: int) -> dict[str, str]:
    """Return worker by instance, with w0 upstream of the others."""
    names = list(load.own)
    if most == 1:
        return dict.fromkeys(names, "w0")
    closed = _closed_upstream(graph, names, isqrt(_EFFORT // len(names)))
    if closed is not None:
        return _best_pieces(names, closed, _among_sets(names, load, closed), most)
    found = [_along(order, load, most) for order in (names, _branch_by_branch(graph))]
    found.append(_dealt_out(graph, load, most))
    return min(found, key=lambda worker_of: _rank(load, worker_of))


def _rank(load: Load, worker_of: Mapping[str, str]) -> tuple[float, float]:
    loads = load.of(worker_of)
    return max(loads.values()), sum(loads.values())


def _closed_upstream(graph: Graph, names: Sequence[str], most: int) -> list[int] | None:
    """Return all sets that are closed upstream, as bits, smaller sets first; None if there are more than `most`. Also
    None for a chain, because its order gives the same sets faster.
    """
    if all(len(part) == len(names) for part in connected(graph)) and _is_chain(graph):
        return None
    bit = {name: 1 << at for at, name in enumerate(names)}
    needs = {name: sum(bit[src] for src in {edge.src for edge in graph.into[name]}) for name in names}
    found, layer = [0], {0}
    for _ in names:
        layer = {have | bit[name] for have in layer for name in names
                 if not have & bit[name] and needs[name] & have == needs[name]}
        found += sorted(layer)
        if len(found) > most:
            return None
    return found


def _is_chain(graph: Graph) -> bool:
    return (len({edge.src for edge in graph.edges}) == len(graph.edges) ==
            len({edge.dst for edge in graph.edges}) == len(graph.instances) - 1)


def _among_sets(names: Sequence[str], load: Load, sets: Sequence[int]) -> list[list[tuple[int, float]]]:
    """Return, for each set, the sets that it contains and the cost of the piece between."""
    bit = {name: 1 << at for at, name in enumerate(names)}
    own = [sum(load.own[name] for name in names if have & bit[name]) for have in sets]
    charges = [(bit[c.at], sum(bit[name] for name in c.together), c.ns) for c in load.charges]
    pieces: list[list[tuple[int, float]]] = []
    for j, larger in enumerate(sets):
        pieces.append([])
        for i in range(j):
            if sets[i] & ~larger == 0:
                piece = larger & ~sets[i]
                cut = sum(ns for at, together, ns in charges if piece & at and together & ~piece)
                pieces[-1].append((i, own[j] - own[i] + cut))
    return pieces


def _along(order: Sequence[str], load: Load, most: int) -> dict[str, str]:
    """Return the best pieces that are contiguous in an order."""
    places = _places(order, load)
    unit_of = {name: unit for unit, (first, end) in enumerate(zip(places, places[1:])) for name in order[first:end]}
    count = len(places) - 1
    own = [0.0] * (count + 1)
    for name in order:
        own[unit_of[name] + 1] += load.own[name]
    for unit in range(count):
        own[unit + 1] += own[unit]
    # A charge adds the same for all runs from unit a <= x to before b >= y, so a two-dimensional prefix sum adds them
    # up.
    table = [[0.0] * (count + 1) for _ in range(count + 1)]
    for charge in load.charges:
        units = [unit_of[name] for name in charge.together]
        at, low, high = unit_of[charge.at], min(units), max(units)
        if low != high:
            table[at][at + 1] += charge.ns
            table[low][high + 1] -= charge.ns
    for x in range(count, -1, -1):
        row, total = table[x], 0.0
        for y in range(count + 1):
            total += row[y]
            row[y] = total + (table[x + 1][y] if x < count else 0.0)
    pieces = [[(i, own[j] - own[i] + table[i][j]) for i in range(j)] for j in range(count + 1)]
    prefixes, have = [0], 0
    for first, end in zip(places, places[1:]):
        have |= sum(1 << at for at in range(first, end))
        prefixes.append(have)
    return _best_pieces(order, prefixes, pieces, most)


def _places(order: Sequence[str], load: Load) -> list[int]:
    """Return the positions where the order may be cut, including both ends."""
    if len(order) <= _MOST_CUTS:
        return list(range(len(order) + 1))
    share = sum(load.own.values()) / _MOST_CUTS
    places, total = [0], 0.0
    for at, name in enumerate(order):
        total += load.own[name]
        if total >= len(places) * share and len(places) < _MOST_CUTS and at + 1 < len(order):
            places.append(at + 1)
    return [*places, len(order)]


def _best_pieces(names: Sequence[str], sets: Sequence[int], pieces: Sequence[Sequence[tuple[int, float]]],
                 most: int) -> dict[str, str]:
    """Return the worker of each name, for the best division into at most `most` pieces."""
    whole = len(sets) - 1
    enough = _least(pieces, most, max)[-1][whole] * _SAME
    within = [[(i, ns) for i, ns in of if ns <= enough] for of in pieces]
    layers = _least(within, most, lambda total, ns: total + ns)
    count = min(range(len(layers)), key=lambda k: (layers[k][whole] > layers[-1][whole] * _SAME, k))
    cuts = [whole]
    for k in range(count, 0, -1):
        j = cuts[0]
        if layers[k][j] < layers[k - 1][j]:  # else fewer pieces do as well
            cuts.insert(0, next(i for i, ns in within[j] if layers[k - 1][i] + ns == layers[k][j]))
    return {name: f"w{worker}" for worker, (small, large) in enumerate(zip(cuts, cuts[1:]))
            for at, name in enumerate(names) if (sets[large] & ~sets[small]) >> at & 1}


def _least(pieces: Sequence[Sequence[tuple[int, float]]], most: int,
           both: Callable[[float, float], float]) -> list[list[float]]:
    """Return, for at most 0, 1, … `most` pieces and each set, the least combined cost of the pieces up to it."""
    layers = [[0.0 if j == 0 else inf for j in range(len(pieces))]]
    for _ in range(most):
        last = layers[-1]
        layers.append([min([last[j], *(both(last[i], ns) for i, ns in of)]) for j, of in enumerate(pieces)])
    return layers


def _branch_by_branch(graph: Graph) -> list[str]:
    """Return an upstream-first order that continues behind an instance as soon as all of its inputs are in the order.
    """
    missing = {name: len({edge.src for edge in edges}) for name, edges in graph.into.items()}
    stack = [name for name, count in reversed(missing.items()) if not count]
    order = []
    while stack:
        order.append(stack.pop())
        for name in reversed(dict.fromkeys(edge.dst for edge in graph.out_of[order[-1]])):
            missing[name] -= 1
            if not missing[name]:
                stack.append(name)
    return order


def _dealt_out(graph: Graph, load: Load, most: int) -> dict[str, str]:
    """Assign whole connected parts, the most expensive first, each to the least loaded worker."""
    parts = [[i.name for i in part] for part in connected(graph)]
    parts.sort(key=lambda names: -sum(load.own[name] for name in names))
    busy = {f"w{worker}": 0.0 for worker in range(most)}
    worker_of = {}
    for names in parts:
        least = min(busy, key=busy.__getitem__)
        busy[least] += sum(load.own[name] for name in names)
        worker_of.update(dict.fromkeys(names, least))
    return worker_of
