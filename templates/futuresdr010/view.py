"""Template view of a plan under FutureSDR: a struct per kind of block, the blocks with their buffers, and their
connections.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from weir.engine.generation.cpp import hosted
from weir.engine.generation.cpp.names import unique_identifiers
from weir.engine.generation.cpp.plan_view import FILTERS as CPP_FILTERS
from weir.engine.generation.cpp.plan_view import plan_view
from weir.engine.generation.rust import text
from weir.engine.targets.interface import GenerationInput
from weir.model.catalog import BlockType
from weir.model.planning.plan import Plan, PlannedBlock, PlannedStream
from weir.sure import sure

__all__ = ["FILTERS", "context"]

FILTERS = {**CPP_FILTERS, "rust_string": text.rust_string}

#: Scheduler whose workers are local domains of FutureSDR.
LOCAL = "futuresdr010_local"


@dataclass(frozen=True)
class Port:
    """Port of a kind. `buffer`: name of the type parameter for its end of the buffer. `filled`: it fills the first
    buffers of a circuit.
    """

    name: str
    type: str
    buffer: str
    filled: bool = False


@dataclass(frozen=True)
class Kind:
    """Kind of block with fixed ports. `in_place`: it passes on the buffers that it takes."""

    name: str
    about: str
    users: tuple[str, ...]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    in_place: bool


@dataclass(frozen=True)
class Node:
    """Block of the flowgraph. `ports`: its fields, with the types of their ends of buffers. `worker`: the local domain
    that runs it, if there are any.

    `buffers`: requested size in items of the buffers behind its outputs. `circuits`: number and items of the buffers in
    the circuits that begin at its outputs. `granted`: items of the circuits behind its outputs, by output.
    """

    index: int
    instance: str
    kind: Kind
    ports: tuple[tuple[str, str], ...]
    buffers: tuple[tuple[str, int], ...]
    circuits: tuple[tuple[str, int, int], ...]
    granted: tuple[tuple[int, int], ...]
    worker: int | None


class Buffers:
    """Types of the buffers: rings or circuits, within a local domain or not."""

    def __init__(self, plan: Plan) -> None:
        self.streams = {s.name: s for s in plan.streams}
        self.behind = {reader: s for s in plan.streams for reader in s.readers}
        over = {s.name: s.over for s in plan.streams if s.over is not None}
        self.first = {name: _bottom(name, over) for name in self.streams}
        #: Streams in circuits, which begin with the streams in `first`.
        self.circling = over.keys() | set(over.values())
        self.above = set(over)
        domains = plan.workers if plan.scheduler == LOCAL else ()
        self.workers = {name: n for n, worker in enumerate(domains) for name in worker.instances}
        shared: dict[str, set[int | None]] = {}
        for s in plan.streams:
            shared.setdefault(self.first[s.name], set()).update(
                self.workers.get(end.rpartition(".")[0]) for end in (s.name, *s.readers))
        self.local = {name for name in self.streams if len(ends := shared[self.first[name]]) == 1 and ends != {None}}

    def type(self, stream: PlannedStream, end: str) -> str:
        """Return the type of a Reader or Writer."""
        item = text.TYPES[stream.item_type]
        kind = "circuit" if stream.name in self.circling else "circular"
        return f"{kind}::{end}<{item}{', LocalBlockInbox' if stream.name in self.local else ''}>"


def _bottom(name: str, over: Mapping[str, str]) -> str:
    while name in over:
        name = over[name]
    return name


def context(subject: GenerationInput) -> Mapping[str, object]:
    plan, catalog = subject.plan, subject.catalog
    members = unique_identifiers([*(b.instance for b in plan.blocks), *(s.name for s in plan.streams)])
    names = text.names_of(b.instance for b in plan.blocks)
    buffers = Buffers(plan)
    kinds: dict[str, Kind] = {}
    nodes = []
    for block in plan.blocks:
        kind = _kind(block, catalog.blocks[block.type], buffers)
        known = kinds.get(kind.name)
        kinds[kind.name] = replace(kind, users=(*(known.users if known else ()), block.instance))
        nodes.append(_node(block, kind, catalog.blocks[block.type], buffers))
    number = {b.instance: b.index for b in plan.blocks}
    return {**plan_view(subject), "sources": "native", "stays": True, "natives": {},
            "names": names, "kinds": list(kinds.values()), "nodes": nodes,
            "hosted": list(hosted.blocks(plan, catalog, members)),
            "connects": [{"name": it.name, "ends": it.ends, "source": it.source, "sink": it.sink,
                          "source_port": text.field(it.source_port), "sink_port": text.field(it.sink_port),
                          "worker": buffers.workers[it.source]
                          if f"{it.source}.{it.source_port}" in buffers.local else None}
                         for it in hosted.connects(plan, catalog)],
            "domains": [w.cpus[0] for w in plan.workers] if plan.scheduler == LOCAL else [],
            "workers_blocks": [] if plan.jobs or plan.scheduler == LOCAL
            else [[number[name] for name in w.instances] for w in plan.workers]}


def _kind(block: PlannedBlock, kind: BlockType, buffers: Buffers) -> Kind:
    made = [buffers.streams[f"{block.instance}.{p.id}"] for p in kind.outputs]
    in_place = any(s.name in buffers.above for s in made)
    filled = [s.name in buffers.circling and not in_place for s in made]

    def types(ports, letter: str) -> list[tuple[str, str, str]]:
        return [(text.field(p.id), text.TYPES[sure(p.item_type(block.item_type))],
                 letter if len(ports) == 1 else f"{letter}{n}") for n, p in enumerate(ports)]

    of = block.item_type if kind.item_types else None
    variant = "in_place" if in_place else "filling" + "".join(str(n) for n, it in enumerate(filled) if it) \
        if any(filled) else ""
    about = f"{kind.id}{f' of {of}' if of else ''}{', in place' if in_place else ''}: {kind.title}"
    return Kind(text.struct(kind.id, of, variant), about, (), tuple(Port(*it) for it in types(kind.inputs, "I")),
                tuple(Port(*it, filled=fills) for it, fills in zip(types(kind.outputs, "O"), filled)), in_place)


def _node(block: PlannedBlock, kind: Kind, of: BlockType, buffers: Buffers) -> Node:
    read = [buffers.behind[f"{block.instance}.{p.id}"] for p in of.inputs]
    made = [buffers.streams[f"{block.instance}.{p.id}"] for p in of.outputs]
    ports = [*((port.name, buffers.type(s, "Reader")) for port, s in zip(kind.inputs, read)),
             *((port.name, buffers.type(s, "Writer")) for port, s in zip(kind.outputs, made))]
    return Node(block.index, block.instance, kind, tuple(ports),
                tuple((port.name, s.requested_items) for port, s in zip(kind.outputs, made)
                      if s.requested_items and s.name not in buffers.circling),
                tuple((port.name, s.planned_items // s.granule, s.granule)
                      for port, s in zip(kind.outputs, made) if port.filled),
                tuple((n, s.planned_items) for n, s in enumerate(made) if s.name in buffers.circling),
                buffers.workers.get(block.instance))
