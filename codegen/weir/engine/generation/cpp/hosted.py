"""What templates see of a flowgraph under another runtime: its blocks, and what connects them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from weir.engine.generation.cpp.columns import node_spec, values
from weir.engine.generation.cpp.text import cpp_string
from weir.engine.generation.cpp.values import hosted_class, parameter_limits
from weir.engine.generation.cpp.views import ParameterView
from weir.model.catalog import Catalog
from weir.model.document.item_types import ITEM_TYPES
from weir.model.planning.plan import Plan, PlannedStream


@dataclass(frozen=True)
class ConnectionView:
    """A buffer: its member, and the fields of its spec."""

    stream: PlannedStream
    member: str
    comment: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class BlockView:
    """`connections`: behind its outputs. `ins`, `outs`: what its ports get."""

    instance: str
    member: str
    type: str
    comment: str
    block_class: str
    spec: tuple[str, ...]
    values: tuple[str, ...]
    ins: tuple[str, ...]
    outs: tuple[str, ...]
    connections: tuple[ConnectionView, ...]
    parameters: tuple[ParameterView, ...]


@dataclass(frozen=True)
class ConnectView:
    """From an output to an input, by their ids and their numbers."""

    source: str
    source_port: str
    output: int
    sink: str
    sink_port: str
    input: int

    @property
    def ends(self) -> tuple[str, str]:
        """Both ends."""
        return self.source, self.sink

    @property
    def name(self) -> str:
        """`source.port -> sink.port`."""
        return f"{self.source}.{self.source_port} -> {self.sink}.{self.sink_port}"


def blocks(plan: Plan, catalog: Catalog, names: dict[str, str]) -> Iterator[BlockView]:
    """`names`: of the members, by instance and by stream."""
    streams = {s.name: s for s in plan.streams}
    feeds = {reader: s.name for s in plan.streams for reader in s.readers}
    for block in plan.blocks:
        kind, member = catalog.blocks[block.type], names[block.instance]
        made = [streams[f"{block.instance}.{port.id}"] for port in kind.outputs]
        yield BlockView(
            block.instance, member, block.type, f"{block.instance}: {block.type}",
            hosted_class(kind, block.item_type, plan),
            tuple(f".{key} = {text}" for key, text in node_spec(block, kind).items()), values(block, kind),
            tuple("&" + names[feeds[f"{block.instance}.{port.id}"]] for port in kind.inputs),
            tuple("&" + names[stream.name] for stream in made),
            tuple(_connection(stream, names) for stream in made),
            tuple(ParameterView(f"{block.block}.{p.id}", (block.instance,), f"{member}.block().params.{p.id}",
                                parameter_limits(p, block.item_type)) for p in kind.parameters if not p.structural))


def _connection(stream: PlannedStream, names: dict[str, str]) -> ConnectionView:
    readers = f"weir::ports<{', '.join(map(cpp_string, stream.readers))}>"
    return ConnectionView(stream, names[stream.name],
                          f"{stream.name} -> {', '.join(stream.readers)}: {ITEM_TYPES[stream.item_type].cpp}",
                          (f".name = {cpp_string(stream.name)}", f".items = {stream.planned_items}",
                           f".readers = {readers}"))


def connects(plan: Plan, catalog: Catalog) -> Iterator[ConnectView]:
    """By writer, in the order of the plan."""
    types = {b.instance: catalog.blocks[b.type] for b in plan.blocks}
    for stream in plan.streams:
        source, _, port = stream.name.rpartition(".")
        outputs = [p.id for p in types[source].outputs]
        for reader in stream.readers:
            sink, _, into = reader.rpartition(".")
            yield ConnectView(source, port, outputs.index(port), sink, into,
                              [p.id for p in types[sink].inputs].index(into))
