"""Checks for schedulers that run only chains: a source, blocks that work in place, and a sink, with the items in one
memory throughout. Several chains side by side are allowed, if their blocks write as much as they read.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from weir.model.flowgraph.graph import Graph, Instance

#: Entry in `requires` of a scheduler.
CHAIN = "chain"
#: The same limit for chains with one buffer for each connection.
CHAINS = "chains"


@dataclass(frozen=True)
class Break:
    """Instance that breaks the chain. `why` completes the sentence "it …"."""

    instance: Instance
    why: str


def first_break(graph: Graph, requirement: str) -> Break | None:
    """Return the most upstream break of a chain, or None. `requirement`: CHAIN or CHAINS."""
    readers = Counter(edge.src for edge in graph.edges)
    types: dict[str, set[str]] = {i.name: set() for i in graph.instances}
    for edge in graph.edges:
        types[edge.src].add(edge.item_type)
        types[edge.dst].add(edge.item_type)
    sources = [i for i in graph.instances if i.type.is_source]
    for i in graph.instances:
        ins, outs = i.type.inputs, i.type.outputs
        in_common = ("has several outputs" if len(outs) > 1 else
                     "has several readers" if readers[i.name] > 1 else
                     "does not move an item at a time" if any(port.rate != 1 for port in (*ins, *outs)) else "")
        if requirement == CHAIN:
            # A block with several inputs lies behind a second source or a fork.
            inner = not (i.type.is_source or i.type.is_sink)
            why = ("is a second source" if i.type.is_source and i is not sources[0] else
                   in_common or
                   ("does not work in place" if inner and not i.type.behaviour.get("in_place") else
                    "changes the type of the items" if len(types[i.name]) > 1 else ""))
        else:
            # A waiting block holds up the other chains of its thread.
            why = ("has several inputs" if len(ins) > 1 else
                   in_common or ("waits for points in time" if i.type.behaviour.get("waits") else ""))
        if why:
            return Break(i, why)
    return None
