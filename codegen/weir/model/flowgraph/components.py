"""Connected and biconnected components of a flowgraph."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

from weir.model.flowgraph.graph import Edge, Graph, Instance


def biconnected(edges: Iterable[Edge]) -> list[tuple[Edge, ...]]:
    """Return the biconnected components: two edges are in one group if some loop, ignoring directions, contains both.

    Tarjan and Hopcroft's algorithm with an explicit stack, because a chain of 10,000 blocks exceeds Python's recursion
    limit.
    """
    edges = list(edges)
    near: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for i, edge in enumerate(edges):
        near[edge.src].append((edge.dst, i))
        near[edge.dst].append((edge.src, i))
    depth: dict[str, int] = {}
    low: dict[str, int] = {}
    seen = [False] * len(edges)
    open_edges: list[int] = []
    parts: list[tuple[Edge, ...]] = []

    for root in near:
        if root in depth:
            continue
        depth[root] = low[root] = 0
        stack = [(root, -1, iter(near[root]))]
        while stack:
            name, entry, pending = stack[-1]
            for other, i in pending:
                if seen[i]:
                    continue
                seen[i] = True
                open_edges.append(i)
                if other in depth:
                    low[name] = min(low[name], depth[other])
                    continue
                depth[other] = low[other] = depth[name] + 1
                stack.append((other, i, iter(near[other])))
                break
            else:
                stack.pop()
                if not stack:
                    continue
                parent = stack[-1][0]
                low[parent] = min(low[parent], low[name])
                if low[name] >= depth[parent]:
                    part = [open_edges.pop()]
                    while part[-1] != entry:
                        part.append(open_edges.pop())
                    parts.append(tuple(edges[i] for i in sorted(part)))
    return parts


def reached(start: Iterable[str], near: Callable[[str], Iterable[str]]) -> set[str]:
    """Return all names that can be reached from `start`."""
    found, pending = set(start), list(start)
    while pending:
        new = set(near(pending.pop())) - found
        found |= new
        pending += new
    return found


def connected(graph: Graph, edges: Iterable[Edge] | None = None) -> list[list[Instance]]:
    """Return the instances of each connected component, in the graph's order. `edges`: the edges to use, None for all.
    """
    near: dict[str, list[str]] = defaultdict(list)
    for edge in graph.edges if edges is None else edges:
        near[edge.src].append(edge.dst)
        near[edge.dst].append(edge.src)
    part_of: dict[str, int] = {}
    parts: list[list[Instance]] = []
    for instance in graph.instances:
        if instance.name not in part_of:
            part_of |= dict.fromkeys(reached([instance.name], near.__getitem__), len(parts))
            parts.append([])
        parts[part_of[instance.name]].append(instance)
    return parts
