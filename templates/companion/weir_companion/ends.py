"""Blocks whose items end a run, and paced sources."""

from __future__ import annotations

from weir_companion.faults import Fault
from weir_companion.graph import Block, Graph
from weir_companion.mapping import like
from weir_companion.options import Options
from weir_companion.rates import Granularities


def sources_of(graph: Graph) -> list[Block]:
    """Return the sources of streams. Those within a hierarchical block, such as the noise of a channel, count only if
    there are no others.
    """
    sources = [block for block in graph.blocks if not block.inputs and block.outputs]
    return [block for block in sources if block.name == block.owner] or sources


def limits(options: Options, graph: Graph, found: Granularities, paces: dict[int, float]) -> dict[int, int]:
    """Return the items after which blocks end: the end block, or else all sources. Raises Fault.

    The fastest source ends after the requested items, and others in proportion to their rates: those of the paces, or
    of the flowgraph where streams depend on each other.
    """
    if not options.items:
        return {}
    if options.end_block is not None:
        return {streaming(graph, options.end_block, "--end-block").number: options.items}
    ends = [graph.blocks[number] for number in paces] or sources_of(graph)
    if not ends:
        raise Fault("--items needs a stream source, which the flowgraph lacks; use --seconds")
    rates, group = {}, {}
    for block in ends:
        stream = (block.number, 0)
        rates[block.number] = paces.get(block.number) or float(found.items.get(stream, 1))
        group[block.number] = -1 if paces else found.group.get(stream, -2 - block.number)
    fastest = {one: max(rates[number] for number in rates if group[number] == one) for one in group.values()}
    return {number: max(1, round(options.items * rate / fastest[group[number]])) for number, rate in rates.items()}


def paces(options: Options, graph: Graph) -> dict[int, float]:
    """Return the items/s of paced sources. Raises Fault."""
    found: dict[int, float] = {}
    for name, rate in options.pace.items():
        block = streaming(graph, name, "--pace")
        if block.inputs or not block.outputs:
            raise Fault(f"--pace {name}: only a source of a stream can be paced")
        found[block.number] = rate
    return found


def streaming(graph: Graph, name: str, option: str) -> Block:
    """Return the block with a name and with streams. Raises Fault.

    For a hierarchical block, this is its last inner block. For --pace, it is its last source, if it has one.
    """
    for block in graph.blocks:
        if name in (block.name, block.symbol) and (block.inputs or block.outputs):
            return block
    drawn = graph.drawn.get(name)
    within = [block for block in drawn.inner if block.inputs or block.outputs] if drawn else []
    if option == "--pace":
        within = [block for block in within if not block.inputs] or within
    if within:
        return within[-1]
    raise Fault(f"{option}: the flowgraph has no block {name}{like(name, [block.name for block in graph.blocks])}")
