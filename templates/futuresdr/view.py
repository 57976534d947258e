"""Template view of a plan under FutureSDR: a struct per kind of block, the blocks, and their connections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from weir.engine.generation.cpp import hosted
from weir.engine.generation.cpp.names import unique_identifiers
from weir.engine.generation.cpp.plan_view import FILTERS as CPP_FILTERS
from weir.engine.generation.cpp.plan_view import plan_view
from weir.engine.generation.natives import Native
from weir.engine.generation.rust import text
from weir.engine.targets.interface import GenerationInput
from weir.model.catalog import BlockType
from weir.model.planning.plan import PlannedBlock

from .native import natives_of

__all__ = ["FILTERS", "context"]

FILTERS = {**CPP_FILTERS, "rust_string": text.rust_string, "borrowed": lambda port: f"&mut self.{port}",
           "called": lambda port, by: f"{by}(&mut self.{port})"}


@dataclass(frozen=True)
class Port:
    name: str
    type: str


@dataclass(frozen=True)
class Kind:
    """Kind of block: a type with fixed ports."""

    name: str
    about: str
    users: tuple[str, ...]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]

    @property
    def call(self) -> str:
        """Return the function of `hosted.rs` that calls the block."""
        return {(0, 1): "fill", (1, 0): "read", (1, 1): "turn_into"}.get((len(self.inputs), len(self.outputs)), "work")


@dataclass(frozen=True)
class Node:
    """Block of the flowgraph. `ports` are its fields, and `native` is the native block that replaces it.

    `buffers`: requested size in items of the buffers behind its outputs.
    """

    index: int
    instance: str
    kind: str
    ports: tuple[str, ...]
    outputs: tuple[str, ...]
    buffers: tuple[tuple[str, int], ...]
    native: Native | None

    @property
    def received(self) -> str:
        """Return the expression for the items that a native block received, "" if there is none."""
        return self.native.entry.get("received", "") if self.native else ""


def context(subject: GenerationInput) -> Mapping[str, object]:
    plan, catalog = subject.plan, subject.catalog
    members = unique_identifiers([*(b.instance for b in plan.blocks), *(s.name for s in plan.streams)])
    names = text.names_of(b.instance for b in plan.blocks)
    streams = {s.name: s for s in plan.streams}
    natives = natives_of(plan, catalog)
    kinds: dict[str, Kind] = {}
    nodes = []
    for block in plan.blocks:
        kind, native = _kind(block, catalog.blocks[block.type]), natives.get(block.instance)
        if not native or native.at_end:
            known = kinds.get(kind.name)
            kinds[kind.name] = replace(kind, users=(*(known.users if known else ()), block.instance))
        made = [(_port(native, p.id), streams[f"{block.instance}.{p.id}"]) for p in catalog.blocks[block.type].outputs]
        nodes.append(Node(block.index, block.instance, kind.name, tuple(p.name for p in (*kind.inputs, *kind.outputs)),
                          tuple(name for name, _ in made),
                          tuple((name, s.requested_items) for name, s in made if s.requested_items), native))
    number = {b.instance: b.index for b in plan.blocks}
    calls = {it.call for it in kinds.values()}
    if "work" in calls:
        calls |= {"reader", "writer"}
    return {**plan_view(subject), "sources": "native", "stays": True,
            "names": names, "calls": sorted(calls), "kinds": list(kinds.values()), "natives": natives,
            "hosted": list(hosted.blocks(plan, catalog, members)), "nodes": nodes,
            "connects": [{"name": it.name, "ends": it.ends, "source": it.source, "sink": it.sink,
                          "source_port": _port(natives.get(it.source), it.source_port),
                          "sink_port": _port(natives.get(it.sink), it.sink_port),
                          "by_name": any(natives[end].at_end for end in it.ends if end in natives)}
                         for it in hosted.connects(plan, catalog)],
            "workers_blocks": [] if plan.jobs else [[number[name] for name in w.instances] for w in plan.workers]}


def _port(native: Native | None, port: str) -> str:
    """Return FutureSDR's name of a port."""
    return native.entry.get("ports", {}).get(port) or text.field(port) if native else text.field(port)


def _kind(block: PlannedBlock, kind: BlockType) -> Kind:
    def port(it) -> Port:
        return Port(text.field(it.id), text.TYPES[it.item_type(block.item_type)])

    of = block.item_type if kind.item_types else None
    return Kind(text.struct(kind.id, of), f"{kind.id}{f' of {of}' if of else ''}: {kind.title}", (),
                tuple(map(port, kind.inputs)), tuple(map(port, kind.outputs)))
