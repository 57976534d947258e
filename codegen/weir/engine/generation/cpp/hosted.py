"""Template views of a flowgraph under a peer runtime: its blocks and connections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from weir.engine.generation.cpp.columns import initialisers, node_spec, node_view, ports
from weir.engine.generation.cpp.text import cpp_string
from weir.engine.generation.cpp.views import NodeView, StreamView
from weir.model.catalog import Catalog
from weir.model.document.item_types import ITEM_TYPES
from weir.model.planning.plan import Plan, PlannedStream


@dataclass(frozen=True)
class ConnectView:
    """Connection from an output to an input, with port ids and port numbers."""

    source: str
    source_port: str
    output: int
    sink: str
    sink_port: str
    input: int

    @property
    def ends(self) -> tuple[str, str]:
        """Return both instances."""
        return self.source, self.sink

    @property
    def name(self) -> str:
        """Return `source.port -> sink.port`."""
        return f"{self.source}.{self.source_port} -> {self.sink}.{self.sink_port}"


def blocks(plan: Plan, catalog: Catalog, names: dict[str, str]) -> Iterator[NodeView]:
    """Yield the blocks of a plan. `names` has the member names by instance and by stream."""
    streams = {s.name: s for s in plan.streams}
    feeds = {reader: s.name for s in plan.streams for reader in s.readers}
    for block in plan.blocks:
        kind = catalog.blocks[block.type]
        made = [streams[f"{block.instance}.{port.id}"] for port in kind.outputs]
        yield node_view(
            block, kind, plan, names[block.instance], comment=f"{block.instance}: {block.type}",
            spec=initialisers(node_spec(block, kind)),
            ins=tuple("&" + names[feeds[f"{block.instance}.{port.id}"]] for port in kind.inputs),
            outs=tuple("&" + names[stream.name] for stream in made),
            streams=tuple(_connection(stream, block.instance, names[stream.name]) for stream in made))


def _connection(stream: PlannedStream, writer: str, member: str) -> StreamView:
    """Return the view of a connection's buffer."""
    cpp_type = ITEM_TYPES[stream.item_type].cpp
    fields = {"name": cpp_string(stream.name), "items": str(stream.planned_items), "readers": ports(stream.readers)}
    return StreamView(stream.name, (writer,), member, f"{stream.name} -> {', '.join(stream.readers)}: {cpp_type}",
                      cpp_type, initialisers(fields))


def connects(plan: Plan, catalog: Catalog) -> Iterator[ConnectView]:
    """Yield the connections by writer, in the order of the plan."""
    types = {b.instance: catalog.blocks[b.type] for b in plan.blocks}
    for stream in plan.streams:
        source, _, port = stream.name.rpartition(".")
        outputs = [p.id for p in types[source].outputs]
        for reader in stream.readers:
            sink, _, into = reader.rpartition(".")
            yield ConnectView(source, port, outputs.index(port), sink, into,
                              [p.id for p in types[sink].inputs].index(into))
