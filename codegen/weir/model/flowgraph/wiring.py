"""The document's graph as blocks and wires: names and ports checked, disabled and bypassed blocks removed.

Each block of the document is still one node; `repeat` and `pipes` are expanded later (graph.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from weir.diagnostics import Diagnostic, diagnostic, did_you_mean, has_errors, pointer
from weir.model.catalog import BlockType, Catalog
from weir.model.flowgraph.gnuradio import MESSAGE, of_gnuradio
from weir.sure import sure


@dataclass(frozen=True)
class Block:
    """A block of the project file, with its type."""

    id: str
    type: BlockType
    entry: Mapping[str, Any]
    path: tuple[str | int, ...]

    @property
    def state(self) -> str:
        """Return `enabled`, `disabled` or `bypassed`."""
        return str(self.entry.get("state", "enabled"))

    @property
    def pointer(self) -> str:
        """Return the JSON pointer to the block."""
        return pointer(*self.path)


@dataclass(frozen=True)
class Wire:
    """A connection of the project file, before blocks are copied."""

    src: str
    src_port: str
    dst: str
    dst_port: str
    pointer: str


@dataclass
class Wiring:
    """Blocks and wires that run. `blocks` is by id, in the document's order. `messages`: wires of message ports."""

    blocks: dict[str, Block]
    wires: list[Wire]
    messages: list[Wire]
    diagnostics: list[Diagnostic]


def read_wiring(graph: Mapping[str, Any], catalog: Catalog) -> Wiring:
    """Return the blocks and wires that run, and the faults of blocks and connections."""
    faults: list[Diagnostic] = []
    blocks: dict[str, Block] = {}
    unknown: set[str] = set()
    for i, entry in enumerate(graph["blocks"]):
        kind = of_gnuradio(entry) if "gnuradio" in entry else catalog.blocks.get(entry["type"])
        if kind is None:
            unknown.add(entry["id"])
            faults.append(diagnostic("E_BLOCK_TYPE", pointer("graph", "blocks", i, "type"),
                                     f"there is no block type `{entry['type']}`",
                                     _hint_for_unknown(entry, catalog)))
        else:
            blocks.setdefault(entry["id"], Block(entry["id"], kind, entry, ("graph", "blocks", i)))
    wires = _wires(graph["connections"], blocks, unknown, faults)
    # A faulty connection has its own diagnostic. Reporting the ports that it leaves open would repeat it.
    if all(end in blocks or end in unknown for connection in graph["connections"] for end in connection[::2]):
        faults += _open_ports(blocks, _named(graph["connections"], blocks))
    messages = [wire for wire in wires if _is_message(wire, blocks)]
    blocks, wires = _without_disabled(blocks, [wire for wire in wires if wire not in messages], faults)
    if not blocks and not has_errors(faults):
        faults.append(diagnostic("E_GRAPH_EMPTY", "/graph/blocks", "the flowgraph has no block to run",
                                 "add blocks, or enable some" if graph["blocks"] else "add a source and a sink"))
    blocks, wires = _without_bypassed(blocks, wires, faults)
    return Wiring(blocks, wires, [it for it in messages if it.src in blocks and it.dst in blocks], faults)


def _is_message(wire: Wire, blocks: Mapping[str, Block]) -> bool:
    return sure(blocks[wire.src].type.output(wire.src_port)).type == MESSAGE


def _hint_for_unknown(entry: Mapping[str, Any], catalog: Catalog) -> str:
    if "x_grc" in entry:  # a placeholder that `weir import` left
        return ("replace this block of GNU Radio, which Weir does not have, or import the flowgraph with --stub copy")
    return did_you_mean(str(entry["type"]), catalog.blocks) or "`weir catalog` lists the blocks"


def _wires(connections: list[Any], blocks: Mapping[str, Block], unknown: set[str],
           faults: list[Diagnostic]) -> list[Wire]:
    wires: list[Wire] = []
    writers: dict[tuple[str, str], Wire] = {}
    for i, (src, src_port, dst, dst_port) in enumerate(connections):
        path = ("graph", "connections", i)
        ends = [_end(src, src_port, "output", (*path, 0), blocks, unknown, faults),
                _end(dst, dst_port, "input", (*path, 2), blocks, unknown, faults)]
        if not all(ends):
            continue
        wire = Wire(src, src_port, dst, dst_port, pointer(*path))
        many = sure(blocks[dst].type.input(dst_port)).type == MESSAGE or blocks[src].state == "disabled"
        first = wire if many else writers.setdefault((dst, dst_port), wire)
        if first is not wire:
            faults.append(diagnostic("E_PORT_TAKEN", wire.pointer, f"`{dst}.{dst_port}` is already connected to "
                                     f"`{first.src}.{first.src_port}`",
                                     "remove one connection, or join the streams with a block such as `add`"))
            continue
        wires.append(wire)
    return wires


def _end(block: str, port: str, side: str, path: tuple[Any, ...], blocks: Mapping[str, Block], unknown: set[str],
         faults: list[Diagnostic]) -> bool:
    """Return whether one end of a connection exists, and add a diagnostic if it does not."""
    if block in unknown:
        return False
    if block not in blocks:
        faults.append(diagnostic("E_BLOCK_UNKNOWN", pointer(*path), f"the graph has no block `{block}`",
                                 did_you_mean(block, blocks)))
        return False
    kind = blocks[block].type
    sides = (*kind.outputs, *kind.message_outputs), (*kind.inputs, *kind.message_inputs)
    ports, others = sides if side == "output" else reversed(sides)
    if any(p.id == port for p in ports):
        return True
    other = "input" if side == "output" else "output"
    hint = (f"`{port}` is an {other} of this block" if any(p.id == port for p in others) else
            did_you_mean(port, [p.id for p in ports]))
    faults.append(diagnostic("E_PORT_UNKNOWN", pointer(*path[:-1], path[-1] + 1),
                             f"`{block}` ({kind.id}) has no {side} `{port}`", hint or f"{kind.id} has no {side}s"))
    return False


def _named(connections: list[Any], blocks: Mapping[str, Block]) -> set[tuple[str, str]]:
    """Return the ports that connections name. A connection to a missing port counts as all ports of that side of the
    block.
    """
    named: set[tuple[str, str]] = set()
    for src, src_port, dst, dst_port in connections:
        for block, port, side in (src, src_port, "outputs"), (dst, dst_port, "inputs"):
            if block in blocks:
                ports = [p.id for p in getattr(blocks[block].type, side)]
                named |= {(block, p) for p in ([port] if port in ports else ports)}
    return named


def _open_ports(blocks: Mapping[str, Block], connected: set[tuple[str, str]]) -> list[Diagnostic]:
    faults = []
    for block in blocks.values():
        if block.state == "disabled":
            continue
        faults += [diagnostic("E_PORT_OPEN", block.pointer, f"input `{block.id}.{p.id}` is not connected",
                              "connect the port, or disable the block")
                   for p in block.type.inputs if (block.id, p.id) not in connected and not p.optional]
        faults += [diagnostic("E_PORT_OPEN", block.pointer, f"output `{block.id}.{p.id}` is not connected",
                              "connect the port to a sink (null_sink drops items), or disable the block")
                   for p in block.type.outputs if (block.id, p.id) not in connected and not p.optional]
    return faults


def _without_disabled(blocks: dict[str, Block], wires: list[Wire], faults: list[Diagnostic]
                      ) -> tuple[dict[str, Block], list[Wire]]:
    """Remove the disabled blocks, and with a warning those that are left without an input or without any reader. An
    optional port may stay open while another one is connected.
    """
    leaving = [b.id for b in blocks.values() if b.state == "disabled"]
    gone = set(leaving)
    readers: dict[tuple[str, str], set[str]] = defaultdict(set)
    writers: dict[tuple[str, str], set[str]] = defaultdict(set)
    downstream, upstream = defaultdict(list), defaultdict(list)
    for wire in wires:
        readers[wire.src, wire.src_port].add(f"{wire.dst}.{wire.dst_port}")
        writers[wire.dst, wire.dst_port].add(wire.src)
        downstream[wire.src].append(wire)
        upstream[wire.dst].append(wire)

    def leave(block: str, because: str) -> None:
        if block not in gone:
            gone.add(block)
            leaving.append(block)
            faults.append(diagnostic("W_BLOCK_DISABLED", blocks[block].pointer,
                                     f"Weir also disables `{block}`: {because}",
                                     "disable this block, too, or connect it elsewhere"))

    def alone(block: str) -> bool:
        return {wire.dst for wire in downstream[block]} | {wire.src for wire in upstream[block]} <= gone

    for block in leaving:  # grows during the loop
        for wire in downstream[block]:
            optional = sure(blocks[wire.dst].type.input(wire.dst_port)).optional
            if writers[wire.dst, wire.dst_port] <= gone and (not optional or alone(wire.dst)):
                leave(wire.dst, f"its input `{wire.dst_port}` comes from `{block}`")
        for wire in upstream[block]:
            left = readers[wire.src, wire.src_port]
            left.discard(f"{wire.dst}.{wire.dst_port}")
            optional = sure(blocks[wire.src].type.output(wire.src_port)).optional
            if not left and (not optional or alone(wire.src)):
                leave(wire.src, f"nothing else reads its output `{wire.src_port}`")
    return ({k: b for k, b in blocks.items() if k not in gone},
            [w for w in wires if w.src not in gone and w.dst not in gone])


def _without_bypassed(blocks: dict[str, Block], wires: list[Wire], faults: list[Diagnostic]
                      ) -> tuple[dict[str, Block], list[Wire]]:
    """Replace bypassed blocks by wires. A wire keeps the pointer of the connection that leaves the block."""
    bypassed = {}
    for block in blocks.values():
        if block.state != "bypassed":
            continue
        inputs, outputs = block.type.inputs, block.type.outputs
        if len(inputs) == len(outputs) == 1 and inputs[0].type == outputs[0].type:
            bypassed[block.id] = block
        else:
            faults.append(diagnostic("E_BYPASS", f"{block.pointer}/state", f"`{block.id}` ({block.type.id}) cannot be "
                                                                           "bypassed: it needs exactly one input and "
                                                                           "one output of the same "
                                                                           "type", "disable the block instead"))
    feeding = {w.dst: w for w in wires if w.dst in bypassed}

    def origin(wire: Wire) -> Wire | None:
        seen = set()
        while wire.src in bypassed:
            if wire.src in seen or wire.src not in feeding:
                return None  # a cycle of bypassed blocks, or an open input: reported elsewhere
            seen.add(wire.src)
            wire = feeding[wire.src]
        return wire

    left = []
    for wire in wires:
        if wire.dst in bypassed:
            continue
        first = origin(wire)
        if first:
            left.append(Wire(first.src, first.src_port, wire.dst, wire.dst_port, wire.pointer))
    return {k: b for k, b in blocks.items() if k not in bypassed}, left
