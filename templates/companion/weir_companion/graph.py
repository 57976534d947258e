"""Flowgraph as GNU Radio runs it, and which of its blocks belong to which block of the drawing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from weir_companion.probes import Probes


@dataclass
class Block:
    """Block of the flattened flowgraph. `number` is that of its row in the probes and of its events."""

    number: int
    symbol: str
    id: int
    kind: str  #: C++ class
    inputs: int
    outputs: int
    fixed_rate: bool
    ratio: Fraction  #: items out for each item in
    owner: str = ""  #: block of the drawing
    name: str = ""  #: `owner`, or `owner/symbol` within a hierarchical block


@dataclass(frozen=True)
class Edge:
    """Stream from an output to an input."""

    source: int
    output: int
    sink: int
    input: int


@dataclass(frozen=True)
class Drawn:
    """Block of the drawing with those of which it consists."""

    name: str
    kind: str
    hierarchical: bool
    inner: list[Block]


@dataclass
class Graph:
    """All of it."""

    blocks: list[Block]
    edges: list[Edge]
    message_edges: list[tuple[int, str, int, str]]
    drawn: dict[str, Drawn]

    def successors(self) -> dict[int, set[int]]:
        """Return the blocks that streams and messages of each block reach."""
        after: dict[int, set[int]] = {block.number: set() for block in self.blocks}
        for edge in self.edges:
            after[edge.source].add(edge.sink)
        for source, _, sink, _ in self.message_edges:
            after[source].add(sink)
        return after


def flatten(probes: Probes, top: Any, named: Iterable[tuple[str, Any]]) -> Graph:
    """Flatten the top block and find the owners of its blocks. Raises Fault."""
    document = probes.call("flatten", top.symbol_name())
    blocks = [Block(one["number"], one["symbol"], one["id"], one["class"], one["inputs"], one["outputs"],
                    one["fixed_rate"], Fraction(one["interpolation"], one["decimation"] or 1))
              for one in document["blocks"]]
    edges = [Edge(*edge) for edge in document["edges"]]
    messages = [(source, output, sink, entry) for source, output, sink, entry in document["message_edges"]]
    return Graph(blocks, edges, messages, owned(probes, blocks, list(named)))


def owned(probes: Probes, blocks: list[Block], named: list[tuple[str, Any]]) -> dict[str, Drawn]:
    """Give each block its owner and its name."""
    of_symbol = {block.symbol: block for block in blocks}
    hierarchical: dict[str, int] = {}
    kinds: dict[str, str] = {}
    for name, value in named:
        kinds[name] = f"{type(value).__module__}.{type(value).__qualname__}"
        found = of_symbol.get(value.symbol_name())
        if found is not None:
            found.owner = found.owner or name
        elif hasattr(value, "message_port_register_hier_in") or hasattr(value, "primitive_connect"):
            hierarchical[name] = value.unique_id()
            for number in probes.call("members", value.symbol_name())["members"]:
                blocks[number].owner = blocks[number].owner or name
    for block in blocks:
        if not block.owner:
            # GNU Radio keeps no edge within a hierarchical block that has one block. Its block was made after it, and
            # before the next block of the drawing.
            before = [(id_, name) for name, id_ in hierarchical.items() if id_ < block.id]
            block.owner = max(before)[1] if before else ""
        block.name = f"{block.owner}/{block.symbol}" if block.owner in hierarchical else block.owner or block.symbol
        probes.call("name", block.number, block.name)
    drawn: dict[str, Drawn] = {}
    for name in [*kinds, *(block.name for block in blocks if not block.owner)]:
        inner = [block for block in blocks if (block.owner or block.name) == name]
        if inner:
            drawn[name] = Drawn(name, kinds.get(name, inner[0].kind), name in hierarchical, inner)
    return drawn
