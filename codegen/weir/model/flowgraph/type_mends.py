"""Fixes for a connection between different item types: insert a block that converts, or change an item type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from weir.diagnostics import Diagnostic, Fix, pointer
from weir.model.catalog import BlockType, Catalog
from weir.model.flowgraph.inference import Conflict, infer_types
from weir.model.flowgraph.wiring import Block, Wire
from weir.sure import sure

#: With more wrong wires than this, no single wire is the place for a fix.
MOST = 8


def type_mismatches(conflicts: list[Conflict], blocks: Mapping[str, Block], wires: list[Wire],
                    catalog: Catalog) -> list[Diagnostic]:
    """Return a diagnostic for each mismatched connection, with the fixes that are certain."""
    return [replace(c.said(), fixes=(*_converted(c, catalog), *_restated(c, blocks, wires, len(conflicts))))
            if i < MOST and c.wire.pointer.startswith("/graph/connections/") else c.said()
            for i, c in enumerate(conflicts)]


def _converted(conflict: Conflict, catalog: Catalog) -> Iterator[Fix]:
    """Yield a fix that inserts a converter, if exactly one block converts between the types."""
    found = [(b, t) for b in catalog.blocks.values() for t in _converts(b, conflict.given, conflict.taken)]
    if len(found) == 1:
        [(block, item_type)] = found
        what = {"type": block.id, "parameters": {"item_type": item_type} if item_type else {},
                "input": block.inputs[0].id, "output": block.outputs[0].id}
        yield Fix(f"Put {block.id} between", conflict.wire.pointer, "insert", what)


def _converts(block: BlockType, given: str, taken: str) -> Iterator[str]:
    """Yield the item type with which a one-to-one block of family `convert` converts `given` to `taken`; "" for a fixed
    type.
    """
    if (block.family != "convert" or [len(block.inputs), len(block.outputs)] != [1, 1]
            or [block.inputs[0].rate, block.outputs[0].rate] != [1, 1] or any(p.required for p in block.parameters)):
        return
    for chosen in block.item_types or [""]:
        if block.inputs[0].item_type(chosen) == given and block.outputs[0].item_type(chosen) == taken:
            yield chosen


def _restated(conflict: Conflict, blocks: Mapping[str, Block], wires: list[Wire], before: int) -> Iterator[Fix]:
    """Yield fixes that change the item type of the only block that decides it at one end, if that leaves no conflict.
    """
    wire = conflict.wire
    ends = ((wire.dst, sure(blocks[wire.dst].type.input(wire.dst_port)).type, conflict.given),
            (wire.src, sure(blocks[wire.src].type.output(wire.src_port)).type, conflict.taken))
    for end, port, wanted in ends:
        deciding = _deciding(end, blocks, [w for w in wires if w is not wire]) if port == "T" else []
        if len(deciding) != 1 or wanted not in deciding[0].type.item_types:
            continue
        block = deciding[0]
        entry = {**block.entry, "parameters": {**block.entry["parameters"], "item_type": wanted}}
        _, faults, left = infer_types({**blocks, block.id: replace(block, entry=entry)}, wires, complete=False)
        if not faults and len(left) < before:
            yield Fix(f"Make {block.id} {wanted}", pointer(*block.path, "parameters", "item_type"), "set", wanted)


def _deciding(start: str, blocks: Mapping[str, Block], wires: list[Wire]) -> list[Block]:
    """Return the blocks that state the item type that `start` shares with them."""
    shared: dict[str, list[str]] = {}
    for wire in wires:
        out, into = blocks[wire.src].type.output(wire.src_port), blocks[wire.dst].type.input(wire.dst_port)
        if "T" == sure(out).type == sure(into).type:
            shared.setdefault(wire.src, []).append(wire.dst)
            shared.setdefault(wire.dst, []).append(wire.src)
    seen, pending = {start}, [start]
    while pending:
        for other in shared.get(pending.pop(), ()):
            if other not in seen:
                seen.add(other)
                pending.append(other)
    return [blocks[b] for b in seen if blocks[b].entry.get("parameters", {}).get("item_type")]
