"""Buses of a flowgraph: one connection in Companion stands for several streams.

A block with the state `bus_source` or `bus_sink` connects the streams of that side by buses. The keys of buses follow
those of the block's ports.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from weir.interop.grc.expressions.evaluation import Namespace, Value
from weir.interop.grc.expressions.parsing import NotUnderstood
from weir.interop.grc.importing.variables import Variables
from weir.interop.grc.reading.block_files import GrcPort, PortsUnknown, block_file, ports_of, scope_of
from weir.interop.grc.reading.flowgraph import Flowgraph, GrcBlock, GrcConnection

_SIDES = ("bus_sink", "bus_source")
#: (block, state of a side) -> key of a bus -> keys of its streams.
_Buses = Mapping[tuple[str, str], Mapping[str, tuple[str, ...]]]
_Ends = tuple[str, str, str, str]


def with_streams(flow: Flowgraph) -> Flowgraph:
    """Return the flowgraph with the streams of its buses as connections, as grcc connects them."""
    buses = _buses_of(flow)
    if not buses:
        return flow

    def streams(c: GrcConnection) -> Iterator[GrcConnection]:
        pairs = _pairs(buses, c.ends)
        yield from (replace(c, src_port=a, dst_port=b) for _, a, _, b in pairs) if pairs else (c,)

    return replace(flow, connections=tuple(stream for c in flow.connections for stream in streams(c)))


def with_buses(flow: Flowgraph) -> Flowgraph:
    """Return the flowgraph with buses instead of their streams. A side with other streams no longer has buses, because
    Companion hides its ports.
    """
    sides = {(block.name, side) for block in flow.blocks for side in _SIDES if block.states.get(side) is True}
    if not sides:
        return flow
    streams = {c.ends: c for c in flow.connections if c.is_stream}
    buses = _buses_of(flow)
    found = {ends: pairs for ends in _possible(buses, streams)
             if (pairs := _pairs(buses, ends)) and all(pair in streams for pair in pairs)}
    while True:
        covered = {pair for pairs in found.values() for pair in pairs}
        broken = {end for ends in streams if ends not in covered for end in _sides(ends)} & sides
        if not broken:
            break
        sides -= broken
        found = {ends: pairs for ends, pairs in found.items() if sides.issuperset(_sides(ends))}
    connections = [replace(streams[pairs[0]], src_port=ends[1], dst_port=ends[3]) for ends, pairs in found.items()]
    return replace(flow, connections=(*(c for c in flow.connections if c.ends not in covered), *connections),
                   blocks=tuple(_without_buses(block, sides) for block in flow.blocks))


def _sides(ends: _Ends) -> tuple[tuple[str, str], tuple[str, str]]:
    return (ends[0], "bus_source"), (ends[2], "bus_sink")


def _pairs(buses: _Buses, ends: _Ends) -> list[_Ends]:
    """Return the streams of a connection; none if it does not connect two buses of the same size."""
    source, sink = _sides(ends)
    first, last = buses.get(source, {}).get(ends[1], ()), buses.get(sink, {}).get(ends[3], ())
    return [(ends[0], a, ends[2], b) for a, b in zip(first, last)] if len(first) == len(last) else []


def _possible(buses: _Buses, streams: Mapping[_Ends, GrcConnection]) -> Iterator[_Ends]:
    """Yield the connections of buses whose first streams are connected."""
    for src, out, dst, into in streams:
        first, last = (buses.get(side, {}) for side in _sides((src, out, dst, into)))
        yield from ((src, a, dst, b) for a, outs in first.items() for b, ins in last.items()
                    if outs and ins and (outs[0], ins[0]) == (out, into))


def _without_buses(block: GrcBlock, sides: set[tuple[str, str]]) -> GrcBlock:
    gone = [side for side in _SIDES if block.states.get(side) is True and (block.name, side) not in sides]
    return replace(block, states={**block.states, **dict.fromkeys(gone, False)}) if gone else block


def _buses_of(flow: Flowgraph) -> _Buses:
    found: dict[tuple[str, str], Mapping[str, tuple[str, ...]]] = {}
    names: Namespace | None = None
    for block in flow.by_name.values():
        for number, side in enumerate(_SIDES):
            if block.states.get(side) is True:
                names = names or Variables(flow).namespace
                try:
                    ports = ports_of(block, names)[number]
                except PortsUnknown:
                    continue
                found[block.name, side] = _buses(ports, _stated(block, side, names) or _by_ports(ports))
    return found


def _buses(ports: list[GrcPort], structure: Value) -> dict[str, tuple[str, ...]]:
    """Return key of a bus -> keys of its streams. `structure`: for each bus the numbers of its ports."""
    made: dict[str, tuple[str, ...]] = {}
    for bus in structure if isinstance(structure, list) else ():
        if not isinstance(bus, list) or not all(isinstance(it, int) and 0 <= it < len(ports) for it in bus):
            return {}
        own = [ports[it] for it in bus if isinstance(it, int)]
        made[str(len(ports) + len(made))] = () if any(it.is_message for it in own) else tuple(it.key for it in own)
    return made


def _stated(block: GrcBlock, side: str, names: Namespace) -> Value:
    """Return the structure that a parameter of the block states, None without one."""
    file, name = block_file(block.id), side.replace("bus", "bus_structure")
    default = next((it.default for it in file.parameters if it.id == name), "") if file else ""
    if file is None or not (text := block.parameters.get(name, default)):
        return None
    scope = scope_of(file, block, names)
    own = {it.id: scope.value(it.id) for it in file.parameters if it.id in scope.texts}
    try:
        return Namespace(names.texts, own).text_value(text)
    except NotUnderstood:
        return None


def _by_ports(ports: list[GrcPort]) -> list[Value]:
    """Return one bus for each port, with its clones. Companion counts from 0 for each of them."""
    counts: list[int] = []
    for port in (it for it in ports if not it.is_message):
        if port.cloned and counts:
            counts[-1] += 1
        else:
            counts.append(1)
    return [[*range(count)] for count in counts]
