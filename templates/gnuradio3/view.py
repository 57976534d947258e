"""What the templates see of a plan under GNU Radio: connections, blocks, what is connected, and what is set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from weir.catalog import Catalog
from weir.document.item_types import ITEM_TYPES
from weir.generation.cpp.columns import node_spec, values
from weir.generation.cpp.names import unique_identifiers
from weir.generation.cpp.plan_view import FILTERS, plan_view
from weir.generation.cpp.text import cpp_string
from weir.generation.cpp.values import hosted_class, parameter_limits
from weir.generation.cpp.views import ParameterView
from weir.planning.plan import Plan, PlannedBlock, PlannedStream
from weir.targets.interface import Subject

__all__ = ["FILTERS", "context"]


@dataclass(frozen=True)
class ConnectionView:
    """A buffer: its member, and the fields of its spec."""

    name: str
    member: str
    comment: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class BlockView:
    """`connections`: its outputs that somebody reads. `ins`, `outs`: what its ports get, by port. `settings`: what it
    is told before it runs.
    """

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
    settings: tuple[str, ...]
    parameters: tuple[ParameterView, ...]


def context(subject: Subject) -> dict[str, object]:
    plan = subject.plan
    names = unique_identifiers([*(b.instance for b in plan.blocks), *(s.name for s in plan.streams)])
    blocks = list(_blocks(plan, subject.catalog, names))
    return {**plan_view(subject), "nodes": blocks, "connects": list(_connects(plan, subject.catalog, names))}


def _blocks(plan: Plan, catalog: Catalog, names: dict[str, str]) -> Iterator[BlockView]:
    streams = {s.name: s for s in plan.streams}
    feeds = {reader: s.name for s in plan.streams for reader in s.readers}
    cpus = {w.name: w.cpus for w in plan.workers}
    for block in plan.blocks:
        kind, member = catalog.blocks[block.type], names[block.instance]
        made = [streams.get(f"{block.instance}.{port.id}") for port in kind.outputs]
        yield BlockView(
            block.instance, member, cpp_string(block.type), f"{block.instance}: {block.type}",
            hosted_class(kind, block.item_type, plan),
            tuple(f".{key} = {text}" for key, text in node_spec(block, kind).items()), values(block, kind),
            tuple("&" + names[feeds[f"{block.instance}.{port.id}"]] for port in kind.inputs),
            tuple("&" + names[stream.name] if stream else "nullptr" for stream in made),
            tuple(_connection(stream, names) for stream in made if stream),
            tuple(_settings(plan, block, member, [stream for stream in made if stream], cpus)),
            tuple(ParameterView(f"{block.block}.{p.id}", (block.instance,), f"{member}.block().params.{p.id}",
                                parameter_limits(p, block.item_type)) for p in kind.parameters if not p.structural))


def _connection(stream: PlannedStream, names: dict[str, str]) -> ConnectionView:
    readers = f"weir::ports<{', '.join(map(cpp_string, stream.readers))}>"
    return ConnectionView(stream.name, names[stream.name],
                          f"{stream.name} -> {', '.join(stream.readers)}: {ITEM_TYPES[stream.item_type].cpp}",
                          (f".name = {cpp_string(stream.name)}", f".items = {stream.planned_items}",
                           f".readers = {readers}"))


def _settings(plan: Plan, block: PlannedBlock, member: str, made: list[PlannedStream],
              cpus: dict[str, tuple[int, ...]]) -> Iterator[str]:
    """GNU Radio's own, for what the deployment says of affinity, buffers and chunks."""
    if own := cpus.get(block.worker or ""):
        yield f"{member}->set_processor_affinity({{{', '.join(map(str, own))}}});"
    for port, stream in enumerate(made):
        if stream.requested_items is not None:
            yield f"{member}->set_min_output_buffer({port}, {stream.requested_items});"
            yield f"{member}->set_max_output_buffer({port}, {stream.requested_items});"
    if plan.deployment.chunk_items != "auto":
        yield f"{member}->set_max_noutput_items({block.chunk_items});"


def _connects(plan: Plan, catalog: Catalog, names: dict[str, str]) -> Iterator[dict[str, object]]:
    """Of each connection, by writer: GNU Radio numbers the ports that are connected."""
    types = {b.instance: catalog.blocks[b.type] for b in plan.blocks}
    connected = {s.name for s in plan.streams}
    for stream in plan.streams:
        source, _, port = stream.name.rpartition(".")
        outputs = [p.id for p in types[source].outputs if f"{source}.{p.id}" in connected]
        for reader in stream.readers:
            sink, _, into = reader.rpartition(".")
            yield {"ends": (source, sink), "name": f"{stream.name} -> {reader}", "source": names[source],
                   "from": outputs.index(port), "sink": names[sink],
                   "to": [p.id for p in types[sink].inputs].index(into)}
