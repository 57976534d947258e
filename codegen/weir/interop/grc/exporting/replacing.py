"""Puts into a flowgraph what stands in for its blocks of hardware, its windows and its throttles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from weir.interop.grc.buses import with_buses, with_streams
from weir.interop.grc.expressions.evaluation import Namespace
from weir.interop.grc.importing.variables import Variables
from weir.interop.grc.names import python_name
from weir.interop.grc.reading.block_files import PortsUnknown, ports_of
from weir.interop.grc.reading.flowgraph import Flowgraph, GrcBlock, GrcConnection, states_of
from weir.model.flowgraph.replacing import NOISE, NOTHING, WIRE, ZEROS, Replacement

#: Items that a source may be ahead of its throttle. A device delivers at most packets ahead of their time.
AHEAD = "1024"
#: Blocks that no project draws because they have no ports. They open a device.
_WITHOUT_PORTS = ("uhd_rfnoc_graph", "uhd_fpga_x310")
#: Item types of a project -> Companion's word for one of the same size, and how many of them make an item. Companion
#: connects ports whose items have the same size.
_WORDS = {"c64": ("complex", 1), "f32": ("float", 1), "i32": ("int", 1), "i16": ("short", 1), "u8": ("byte", 1),
          "i8": ("byte", 1), "bit": ("byte", 1), "sc8": ("short", 1), "sc16": ("int", 1), "sc32": ("complex", 1),
          "sc64": ("complex", 2), "f64": ("complex", 1), "i64": ("complex", 1), "u64": ("complex", 1),
          "u32": ("int", 1), "u16": ("short", 1), "c128": ("complex", 2)}


def with_replacements(flow: Flowgraph, replaced: Mapping[str, Replacement], hardware: bool) -> Flowgraph:
    """Return the flowgraph with these blocks replaced, by name. `hardware`: also without devices that have no ports.

    A replacement keeps the name and the place of its block. All else stays as it is.
    """
    return with_buses(_Replacing(with_streams(flow), replaced, hardware).result())


class _Replacing:
    def __init__(self, flow: Flowgraph, replaced: Mapping[str, Replacement], hardware: bool):
        self.flow, self.replaced, self.hardware = flow, replaced, hardware
        self.taken = {block.name for block in flow.blocks}
        self.gone: set[str] = set()
        self.blocks: list[GrcBlock] = []
        self.inner: list[GrcConnection] = []
        #: (block, port) -> the block and port that stand in for it.
        self.outputs: dict[tuple[str, str], tuple[str, str]] = {}
        self.inputs: dict[tuple[str, str], tuple[str, str]] = {}

    def result(self) -> Flowgraph:
        for block in self.flow.blocks:
            one = self.replaced.get(block.name) if block.state == "enabled" else None
            if one is not None:
                self.put(block, one)
            elif self.hardware and block.id in _WITHOUT_PORTS and block.state == "enabled":
                self.blocks.append(_in_state(block, "disabled"))
            else:
                self.blocks.append(block)
        self.blocks += self.imports()
        connections = [moved for c in self.flow.connections if (moved := self.moved(c))]
        self.close_messages(connections)
        return replace(self.flow, blocks=tuple(self.blocks), connections=(*connections, *self.inner))

    def close_messages(self, connections: list[GrcConnection]) -> None:
        """Connect the message ports that a replaced block leaves open and that are not optional: GNU Radio refuses an
        open one. What stands in never sends a message, and drops those that it gets.
        """
        there = {block.name: block for block in self.blocks if block.state == "enabled"}
        wired = [c for c in connections if not c.is_stream and c.src in there and c.dst in there]
        used = {(c.src, c.src_port, 1) for c in wired} | {(c.dst, c.dst_port, 0) for c in wired}
        ends = [it for c in self.flow.connections if not c.is_stream
                for it in ((c.src, c.src_port, 1), (c.dst, c.dst_port, 0))]
        names = Variables(self.flow).namespace
        made: dict[int, str] = {}
        for name, port, side in dict.fromkeys(ends):
            if (name, port, side) in used or name not in there or _is_optional(there[name], port, side, names):
                continue
            if side not in made:
                kind = "blocks_message_debug" if side else "blocks_var_to_msg"  # sends when a variable changes
                made[side] = self.name("no_reader" if side else "no_sender")
                self.blocks.append(_block(made[side], kind, (8, 8), **({} if side else {
                    "msgname": "none", "target": "0"})))
            self.inner.append(GrcConnection(name, port, made[side], "store") if side else
                              GrcConnection(made[side], "msgout", name, port))

    def put(self, block: GrcBlock, one: Replacement) -> None:
        if one.by in (WIRE, NOTHING):
            self.blocks.append(_in_state(block, "bypassed" if one.by == WIRE else "disabled"))
            return  # Companion leaves out the wires of a disabled block
        self.gone.add(block.name)
        for number, (port, item_type) in enumerate(one.ports.items()):
            name = block.name if number == 0 else self.name(f"{block.name}_{port}")
            at = block.position[0], block.position[1] + 60 * number
            word, vlen = _word(item_type)
            if one.by not in (NOISE, ZEROS):
                self.blocks.append(_block(name, "blocks_null_sink", at, type=word, vlen=str(vlen), num_inputs="1"))
                self.inputs[block.name, port] = name, "0"
                continue
            source = (_noise(name, word, at) if one.by == NOISE else
                      _block(name, "blocks_null_source", at, type=word, vlen=str(vlen), num_outputs="1"))
            if one.rate:
                source = replace(source, parameters={**source.parameters, "maxoutbuf": AHEAD})
            self.blocks.append(source)
            if one.rate:
                throttle = self.name(f"{name}_throttle")
                self.blocks.append(_block(throttle, "blocks_throttle", (at[0] + 160, at[1]), type=word,
                                          samples_per_second=one.rate, vlen=str(vlen), ignoretag="True"))
                self.inner.append(GrcConnection(name, "0", throttle, "0"))
                name = throttle
            self.outputs[block.name, port] = name, "0"

    def imports(self) -> Iterator[GrcBlock]:
        """Yield imports of the modules of replaced blocks that other expressions use."""
        text = "\n".join(value for block in (self.flow.options, *self.blocks) for value in block.parameters.values())
        kinds = {block.id.partition("_")[0] for block in self.flow.blocks if block.name in self.replaced}
        for module, line in ((module, line) for kind in sorted(kinds) for module, line in _imports(kind)):
            if re.search(rf"\b{module}\s*\.", text) and f"import_{module}" not in self.taken:
                yield GrcBlock(self.name(f"import_{module}"), "import", {"alias": "", "comment": "", "imports": line},
                               states_of((8, 8)))

    def name(self, wanted: str) -> str:
        own = python_name(wanted, self.taken)
        self.taken.add(own)
        return own

    def moved(self, c: GrcConnection) -> GrcConnection | None:
        """Return a connection between what is there now; None if one of its ends is gone."""
        src, dst = (c.src, c.src_port), (c.dst, c.dst_port)
        if src[0] in self.gone:
            if src not in self.outputs:
                return None
            src = self.outputs[src]
        if dst[0] in self.gone:
            if dst not in self.inputs:
                return None
            dst = self.inputs[dst]
        return replace(c, src=src[0], src_port=src[1], dst=dst[0], dst_port=dst[1])


def _is_optional(block: GrcBlock, key: str, side: int, names: Namespace) -> bool:
    """Return whether a message port of an input (0) or output (1) may stay open, or does not exist."""
    try:
        ports = ports_of(block, names)[side]
    except PortsUnknown:
        return True
    return all(it.optional for it in ports if it.is_message and it.key == key)


def _imports(kind: str) -> Iterator[tuple[str, str]]:
    """Yield the modules that blocks whose type begins with this word import, with the line that imports it."""
    if kind in ("uhd", "osmosdr", "rtlsdr"):
        yield "time", "import time"
    if kind in ("osmosdr", "rtlsdr"):
        yield "osmosdr", "import osmosdr"
    if kind in ("uhd", "soapy", "iio", "audio", "network", "zeromq", "qtgui"):
        yield kind, f"from gnuradio import {kind}"


def _in_state(block: GrcBlock, state: str) -> GrcBlock:
    return replace(block, states={**block.states, "state": state})


def _word(item_type: str) -> tuple[str, int]:
    """Return Companion's item type and vector length."""
    base, _, length = item_type.removesuffix("]").partition("[")
    word, each = _WORDS.get(base, ("complex", 1))
    return word, each * int(length or 1)


def _block(name: str, kind: str, at: tuple[int, int], **parameters: str) -> GrcBlock:
    common = {"affinity": "", "alias": "", "comment": "", "minoutbuf": "0", "maxoutbuf": "0"}
    return GrcBlock(name, kind, common | parameters, states_of(at))


def _noise(name: str, word: str, at: tuple[int, int]) -> GrcBlock:
    if word == "byte":
        return _block(name, "analog_random_source_x", at, type=word, min="0", max="256", num_samps="65536",
                      repeat="True")
    # This source draws from a table, so that noise costs little beside what is measured.
    return _block(name, "analog_fastnoise_source_x", at, type=word, noise_type="analog.GR_GAUSSIAN",
                  amp="1" if word in ("complex", "float") else "1000", seed="0", samples="8192")
