"""Keys of message ports in files of format 0, which number all ports of a block. Today a message port's key is a name.
"""

from __future__ import annotations

from dataclasses import replace

from weir.interop.grc.importing.variables import Variables
from weir.interop.grc.reading.block_files import GrcPort, PortsUnknown, ports_of
from weir.interop.grc.reading.flowgraph import Flowgraph, GrcConnection

_Ports = tuple[list[GrcPort], list[GrcPort]]


def with_message_keys(flow: Flowgraph) -> Flowgraph:
    """Return the flowgraph with names as the keys of message ports, as GNU Radio does on opening such a file.

    A connection stays unchanged unless both ends are message ports.
    """
    if flow.metadata.get("file_format", 0) != 0 or not flow.connections:
        return flow
    namespace, known = Variables(flow).namespace, dict[str, _Ports]()

    def ports(name: str) -> _Ports:
        if name not in known:
            try:
                known[name] = ports_of(flow.by_name[name], namespace)
            except (KeyError, PortsUnknown):
                known[name] = [], []
        return known[name]

    def renamed(c: GrcConnection) -> GrcConnection:
        if not c.is_stream:
            return c
        outputs, inputs, out, into = ports(c.src)[1], ports(c.dst)[0], int(c.src_port), int(c.dst_port)
        if out >= len(outputs) or into >= len(inputs) or not (outputs[out].is_message and inputs[into].is_message):
            return c
        return replace(c, src_port=outputs[out].key, dst_port=inputs[into].key)

    connections = tuple(map(renamed, flow.connections))
    return flow if connections == flow.connections else replace(flow, connections=connections)
