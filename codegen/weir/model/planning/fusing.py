"""Element-wise blocks fused into one loop, which passes items from block to block in registers.

The blocks form a tree, and only its root writes to memory. The output of each other block is read by one block of the
same loop. So no call comes between them, and each block fires as often as the root.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from weir.model.document.item_types import ITEM_TYPES
from weir.model.flowgraph.graph import Graph, Instance
from weir.model.planning.sizing import Stream

#: Most blocks y = a x + b whose factors fit into 16 registers: a loop of ten takes twice as long as a loop of eight.
BLOCKS_A_LOOP = 8


def groups(graph: Graph, worker_of: Mapping[str, str], most: int,
           buffered: Container[str] = ()) -> list[tuple[str, ...]]:
    """Return as few fused loops as possible, each of 2 to `most` blocks of one worker, upstream first.

    `buffered`: connections for which a buffer is requested.
    """
    ends = ends_of(graph)
    found: dict[str, tuple[str, ...]] = {}  # by root
    for i in graph.instances:
        if not fusible(i):
            continue
        own: tuple[str, ...] = (i.name,)
        for writer in dict.fromkeys(edge.src for edge in graph.into[i.name]):
            joins = (writer in found and worker_of[writer] == worker_of[i.name] and ends[writer] == ends[i.name]
                     and all(edge.dst == i.name and edge.name not in buffered for edge in graph.out_of[writer]))
            if joins and len(own) + len(found[writer]) <= most:
                own = (*found.pop(writer), *own)
        found[i.name] = own
    place = {i.name: number for number, i in enumerate(graph.instances)}
    return [tuple(sorted(own, key=place.__getitem__)) for own in found.values() if len(own) > 1]


def fusible(instance: Instance) -> bool:
    """Return whether the block has a function for one element, which a fused loop can call."""
    return bool(instance.type.behaviour.get("element_function"))


def ends_of(graph: Graph) -> dict[str, str]:
    """Return, by instance, the instance that determines when its input ends. Instances with the same one fire equally
    often. An element-wise block ends with its inputs. If several inputs do not end together, the first end is unknown.
    """
    found: dict[str, str] = {}
    for i in graph.instances:
        inputs = {found[edge.src] for edge in graph.into[i.name]}
        found[i.name] = inputs.pop() if fusible(i) and len(inputs) == 1 else i.name
    return found


def faults_of(instances: Sequence[str], graph: Graph) -> Iterator[str]:
    """Yield the reasons why these distinct instances of the graph cannot form one loop."""
    ends = ends_of(graph)
    later = {name: set(instances[number + 1:]) for number, name in enumerate(instances)}
    for name in instances:
        if not fusible(graph.instance(name)):
            yield f"`{name}` has no element function"
        elif ends[name] != ends[instances[-1]]:
            yield (f"`{name}` and `{instances[-1]}` may fire different numbers of times, because their inputs may end "
                   "at different times")
        elif name != instances[-1] and not (readers := {edge.dst for edge in graph.out_of[name]}) <= later[name]:
            yield f"`{min(readers - later[name])}` reads `{name}`, but does not follow `{name}` in the loop"
        elif name != instances[-1] and not readers:
            yield f"no block of the loop reads `{name}`"


def in_place_over(loops: Iterable[tuple[str, ...]], streams: Sequence[Stream], graph: Graph) -> dict[str, str]:
    """Return output streams of loops, each with a stream whose memory it may use. Only the loop reads that stream, one
    item of the same size for each written item, and the stream's writer does not rely on its earlier output.
    """
    written = {stream.source: stream for stream in streams}
    found = {}
    for loop in loops:
        above = written.get(loop[-1])
        if above is None or above.kind != "linear":
            continue
        below = next((s for s in streams if s.kind == "linear" and len(s.readers) == 1 and s.readers[0].dst in loop
                      and ITEM_TYPES[s.item_type].size == ITEM_TYPES[above.item_type].size
                      and not graph.instance(s.source).type.behaviour.get("keeps_output")), None)
        if below is not None:
            found[above.name] = below.name
    return found
