"""What the templates see of a plan under FutureSDR: a struct for each kind of block, the blocks, what connects them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from weir.catalog import BlockType
from weir.generation.cpp import hosted
from weir.generation.cpp.names import unique_identifiers
from weir.generation.cpp.plan_view import FILTERS as CPP_FILTERS
from weir.generation.cpp.plan_view import plan_view
from weir.generation.rust import text
from weir.planning.plan import PlannedBlock
from weir.targets.interface import Subject

__all__ = ["FILTERS", "context"]

FILTERS = {**CPP_FILTERS, "rust_string": text.rust_string}


@dataclass(frozen=True)
class Port:
    name: str
    type: str


@dataclass(frozen=True)
class Kind:
    """Blocks of a type, with the same ports."""

    name: str
    about: str
    users: tuple[str, ...]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]


@dataclass(frozen=True)
class Node:
    """`ports`: its fields. `buffers`: items that a deployment wants behind an output."""

    instance: str
    kind: str
    ports: tuple[str, ...]
    buffers: tuple[tuple[str, int], ...]


def context(subject: Subject) -> Mapping[str, object]:
    plan, catalog = subject.plan, subject.catalog
    members = unique_identifiers([*(b.instance for b in plan.blocks), *(s.name for s in plan.streams)])
    names = text.names_of(b.instance for b in plan.blocks)
    streams = {s.name: s for s in plan.streams}
    kinds: dict[str, Kind] = {}
    nodes = []
    for block in plan.blocks:
        kind = _kind(block, catalog.blocks[block.type])
        known = kinds.get(kind.name, kind)
        kinds[kind.name] = Kind(kind.name, kind.about, (*(known.users if kind.name in kinds else ()), block.instance),
                                kind.inputs, kind.outputs)
        made = [(text.field(p.id), streams[f"{block.instance}.{p.id}"]) for p in catalog.blocks[block.type].outputs]
        nodes.append(Node(block.instance, kind.name, tuple(p.name for p in (*kind.inputs, *kind.outputs)),
                          tuple((name, s.requested_items) for name, s in made if s.requested_items)))
    number = {b.instance: b.index for b in plan.blocks}
    return {**plan_view(subject), "sources": "native", "drains": True,
            "names": names, "kinds": list(kinds.values()),
            "hosted": list(hosted.blocks(plan, catalog, members)), "nodes": nodes,
            "connects": [{"name": it.name, "ends": it.ends, "source": it.source, "sink": it.sink,
                          "source_port": text.field(it.source_port), "sink_port": text.field(it.sink_port)}
                         for it in hosted.connects(plan, catalog)],
            "workers_blocks": [] if plan.jobs else [[number[name] for name in w.instances] for w in plan.workers]}


def _kind(block: PlannedBlock, kind: BlockType) -> Kind:
    def port(it) -> Port:
        return Port(text.field(it.id), text.TYPES[it.item_type(block.item_type)])

    of = block.item_type if kind.item_types else None
    return Kind(text.struct(kind.id, of), f"{kind.id}{f' of {of}' if of else ''}: {kind.title}", (),
                tuple(map(port, kind.inputs)), tuple(map(port, kind.outputs)))
