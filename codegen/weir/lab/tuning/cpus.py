"""CPUs for the threads of GNU Radio's own blocks, each of which has its own thread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from weir.model.flowgraph.graph import Graph
from weir.model.planning.profile import Profile

#: Block -> CPUs that its thread may use.
Affinity = dict[str, list[int]]
#: Most placements with one block at a cut on the other side.
MOST_CUTS = 4


def loads(graph: Graph, profile: Profile | None) -> dict[str, float]:
    """Return the load of each block: its measured time, else its measured time for an item, else 1."""
    names = [i.block_id for i in graph.instances]
    if profile is None:
        return dict.fromkeys(names, 1.0)
    if profile.busy_ns:
        return {name: profile.busy_ns.get(name, 0.0) for name in names}
    return {name: cost.ns_per_item if (cost := profile.blocks.get(name)) else 0.0 for name in names}


def placements(graph: Graph, cpus: Sequence[int], profile: Profile | None) -> Iterator[Affinity]:
    """Yield each placement once: neighbours together, blocks spread by load, the heaviest block alone, and neighbours
    together with one block at a cut on the other side.
    """
    load = loads(graph, profile)
    if len(cpus) < 2 or len(load) < 2:
        return
    pieces = _pieces(load, cpus)
    heaviest = max(load, key=load.__getitem__)
    made = [pieces, _dealt(load, cpus),
            {name: [cpus[0]] if name == heaviest else list(cpus[1:]) for name in load}]
    made += list(_moved(graph, pieces))[:MOST_CUTS]
    for at, one in enumerate(made):
        if one not in made[:at]:
            yield one


def _pieces(load: Mapping[str, float], cpus: Sequence[int]) -> Affinity:
    """Return neighbouring blocks on one CPU, in pieces of about equal load. `load` is in the order of the flowgraph."""
    total, before, found = sum(load.values()) or 1.0, 0.0, {}
    for name, own in load.items():
        middle = (before + own / 2) / total  # the piece in which the middle of the block's load lies
        found[name] = [cpus[min(int(middle * len(cpus)), len(cpus) - 1)]]
        before += own
    return found


def _dealt(load: Mapping[str, float], cpus: Sequence[int]) -> Affinity:
    """Return the blocks on CPUs of about equal load, the heaviest first."""
    taken = dict.fromkeys(cpus, 0.0)
    found = {}
    for name in sorted(load, key=lambda name: -load[name]):
        cpu = min(taken, key=taken.__getitem__)
        taken[cpu] += load[name]
        found[name] = [cpu]
    return {name: found[name] for name in load}


def _moved(graph: Graph, pieces: Affinity) -> Iterator[Affinity]:
    for edge in graph.edges:
        if pieces[edge.src] != pieces[edge.dst]:
            yield {**pieces, edge.src: pieces[edge.dst]}
            yield {**pieces, edge.dst: pieces[edge.src]}
