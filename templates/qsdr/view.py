"""Template view of a plan under qsdr: a struct per kind of block, the blocks, the circuits of buffers between them, and
the blocks of each worker or task.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from weir.engine.generation.cpp import hosted
from weir.engine.generation.cpp.names import unique_identifiers, upper_camel
from weir.engine.generation.cpp.plan_view import FILTERS as CPP_FILTERS
from weir.engine.generation.cpp.plan_view import plan_view
from weir.engine.generation.rust import text
from weir.engine.targets.interface import GenerationInput
from weir.model.catalog import BlockType
from weir.model.planning.plan import Plan, PlannedBlock, PlannedStream
from weir.sure import sure

__all__ = ["FILTERS", "context"]

FILTERS = CPP_FILTERS

#: Types of channels: to a reader that works in place, and to one that returns the quantum to the circuit's start.
MOVED, RETURNED = "Spsc", "SpscRef"
#: Names that `flowgraph.rs` imports or defines.
_TAKEN = frozenset("""
    Block BlockWorkStatus Borrow BoxFuture Buffer Channel Complex32 Flowgraph FutureExt Hosted Item Items Mpsc Outlet
    PortIn PortInQ PortOut PortOutQ PortRefIn PortRefInQ PortSource PortSourceQ Quantum Receiver RefReceiver Result
    Sender Span SpBroadcast Spsc SpscRef SpscmrRef Task WorkCustom WorkInPlace WorkSink WorkStatus WorkWithRef
    Default Ok Option Some Vec
""".split())
#: Largest number of blocks in one sequence: qsdr has `sequence2` to `sequence8`.
MOST_IN_TURN = 8


@dataclass(frozen=True)
class Port:
    """Port of a kind. `channel` is an output's type parameter; `source` is the port to which its quanta return."""

    name: str
    type: str
    channel: str = ""
    source: str = ""


@dataclass(frozen=True)
class Kind:
    """Kind of block with fixed ports, without unread outputs, which qsdr would require to be connected.

    `work` is qsdr's trait for a call, `WorkCustom` if none fits.
    """

    name: str
    about: str
    users: tuple[str, ...]
    work: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]


@dataclass(frozen=True)
class Node:
    """Block of the flowgraph. `channels` are the channel types of its outputs.

    `circuits` and `quanta`: items per circuit and per quantum, by output.
    """

    instance: str
    kind: Kind
    channels: tuple[str, ...]
    circuits: tuple[int, ...]
    quanta: tuple[int, ...]


@dataclass(frozen=True)
class Fork:
    """Block that copies its input to each of its readers."""

    instance: str
    name: str
    type: str
    branches: int
    quantum: int


@dataclass(frozen=True)
class Hop:
    """Connection from an output to an input, as method calls. `back`: port to which the quantum returns, or ""."""

    name: str
    ends: tuple[str, str]
    source: str
    sink: str
    back: str


@dataclass(frozen=True)
class Circuit:
    member: str
    type: str
    count: int
    quantum: int
    hops: tuple[Hop, ...]


def context(subject: GenerationInput) -> Mapping[str, object]:
    plan, catalog = subject.plan, subject.catalog
    members = unique_identifiers([*(b.instance for b in plan.blocks), *(s.name for s in plan.streams)])
    streams = {s.name: s for s in plan.streams}
    names = text.names_of([*(b.instance for b in plan.blocks), *(_fork(s) for s in plan.streams),
                           *(_circuit(end) for s in plan.streams for end in (s.name, *s.readers))])
    continued = {s.over for s in plan.streams}
    nodes: dict[str, Any] = {}
    kinds: dict[str, Any] = {}
    for block in plan.blocks:
        read = [streams[f"{block.instance}.{p.id}"] for p in catalog.blocks[block.type].outputs]
        kind = _kind(block, catalog.blocks[block.type], read)
        known = kinds.get(kind.name, kind)
        kinds[kind.name] = Kind(kind.name, kind.about, (*known.users, block.instance), kind.work, kind.inputs,
                                kind.outputs)
        nodes[block.instance] = Node(
            block.instance, kind, tuple(MOVED if s.name in continued else RETURNED for s in read),
            tuple(s.planned_items for s in read), tuple(s.granule for s in read))
    forks = {s.name: Fork(s.name.rpartition(".")[0], names[_fork(s)], text.TYPES[s.item_type], len(s.readers),
                          s.granule)
             for s in plan.streams if len(s.readers) > 1}
    tasks, custom = _tasks(plan, forks, names), [kind for kind in kinds.values() if kind.work == "WorkCustom"]
    used = {"Hosted", "Items", "quanta", *(["Span"] if custom else []), *(["Item"] if forks else []),
            *{it.type for kind in kinds.values() for it in (*kind.inputs, *kind.outputs)} & {"Complex32"}}
    return {**plan_view(subject), "sources": "native", "stays": False, "natives": {}, "members": members,
            "names": names,
            "hosted": list(hosted.blocks(plan, catalog, members)), "kinds": list(kinds.values()),
            "nodes": list(nodes.values()), "forks": list(forks.values()),
            "branches": sorted({fork.branches for fork in forks.values()}),
            "circuits": list(_circuits(plan, nodes, forks, names)),
            "tasks": tasks, "in_turn": any(task.startswith("in_turn!") for task in tasks), "custom": bool(custom),
            "outlets": bool(forks) or any(len(kind.outputs) > 1 for kind in custom), "used": sorted(used)}


def _fork(stream: PlannedStream) -> str:
    return f"{stream.name} fork"


def _circuit(end: str) -> str:
    """Return the name of a circuit. `end` is the output at its start, or the input at the end of a fork's branch."""
    return f"{end} circuit"


def _kind(block: PlannedBlock, kind: BlockType, read: Sequence[PlannedStream]) -> Kind:
    inputs = [Port(text.field(p.id), text.TYPES[sure(p.item_type(block.item_type))]) for p in kind.inputs]
    outputs = [(p, text.TYPES[sure(p.item_type(block.item_type))]) for p in kind.outputs]
    of = block.item_type if kind.item_types else None
    changes = any(stream.over is not None for stream in read)
    name = text.struct(kind.id, of, "in_place" if changes else "")
    name = f"{name}Block" if name in _TAKEN or re.fullmatch(r"Fork\d+", name) else name
    about = f"{kind.id}{f' of {of}' if of else ''}{', in place' if changes else ''}: {kind.title}"
    if len(inputs) == 1 and not outputs:
        return Kind(name, about, (), "WorkSink", (Port("input", inputs[0].type),), ())
    if len(outputs) == 1 and len(inputs) < 2:
        made = outputs[0][1]
        if changes or not inputs:
            return Kind(name, about, (), "WorkInPlace", tuple(Port("input", it.type) for it in inputs),
                        (Port("output", made, "Out", "input"),))
        if inputs[0].type == made:
            return Kind(name, about, (), "WorkWithRef", (Port("input", made),),
                        (Port("output", made, "Out", "source"),))
    taken = {port.name for port in inputs}
    named = [(f"{own}_out" if (own := text.field(p.id)) in taken else own, it) for p, it in outputs]
    channels = ["Out"] if len(named) == 1 else [f"Out{upper_camel(own)}" for own, _ in named]
    return Kind(name, about, (), "WorkCustom", tuple(inputs),
                tuple(Port(own, it, channel, f"{own}_source") for (own, it), channel in zip(named, channels)))


def _circuits(plan: Plan, nodes: Mapping[str, Node], forks: Mapping[str, Fork],
              names: Mapping[str, str]) -> Iterator[Circuit]:
    """Yield the circuits in the order of the plan; those after a fork follow the one before it."""
    above = {s.over: s for s in plan.streams if s.over is not None}

    def output(stream: PlannedStream, port: str) -> str:
        instance, _, name = stream.name.rpartition(".")
        made = nodes[instance].kind.outputs
        it = made[0] if len(made) == 1 else next(p for p in made if p.name.removesuffix("_out") == text.field(name))
        return f"{names[instance]}.{getattr(it, port)}()"

    def entry(reader: str) -> str:
        instance, _, name = reader.rpartition(".")
        into = nodes[instance].kind.inputs
        return f"{names[instance]}.{into[0].name if len(into) == 1 else text.field(name)}()"

    def ends(stream: PlannedStream, reader: str) -> tuple[str, str]:
        return stream.name.rpartition(".")[0], reader.rpartition(".")[0]

    for first in (s for s in plan.streams if s.over is None):
        hops, stream, back, kind = [], first, output(first, "source"), text.TYPES[first.item_type]
        count = first.planned_items // first.granule
        while stream.name in above:
            [reader] = stream.readers
            hops.append(Hop(f"{stream.name} -> {reader}", ends(stream, reader), output(stream, "name"), entry(reader),
                            ""))
            stream = above[stream.name]
        fork = forks.get(stream.name)
        reader, into = stream.readers[0], f"{fork.name}.input()" if fork else entry(stream.readers[0])
        hops.append(Hop(f"{stream.name} -> {reader}", ends(stream, reader), output(stream, "name"), into, back))
        yield Circuit(names[_circuit(first.name)], kind, count, first.granule, tuple(hops))
        for number, reader in enumerate(stream.readers if fork else ()):
            yield Circuit(names[_circuit(reader)], kind, count, first.granule, (
                Hop(f"{stream.name} -> {reader}", ends(stream, reader), f"{sure(fork).name}.output{number}()",
                    entry(reader), f"{sure(fork).name}.source{number}()"),))


def _tasks(plan: Plan, forks: Mapping[str, Fork], names: Mapping[str, str]) -> list[str]:
    """Return an expression per worker, or per block if blocks move between workers. A fork runs with its writer."""
    behind: dict[str, list[str]] = {}
    for fork in forks.values():
        behind.setdefault(fork.instance, []).append(fork.name)
    runs = [[it for name in one.instances for it in (names[name], *behind.get(name, ()))]
            for one in plan.jobs or plan.workers]
    return [it for run in runs for it in run] if plan.jobs else [_in_turn(run) for run in runs]


def _in_turn(streams: Sequence[str], indent: str = "            ") -> str:
    """Return an expression for blocks that run in turn, nested if they exceed one sequence."""
    if len(streams) == 1:
        return streams[0]
    if len(streams) <= MOST_IN_TURN:
        return f"in_turn!({', '.join(streams)})"
    size = MOST_IN_TURN
    while size * MOST_IN_TURN < len(streams):
        size *= MOST_IN_TURN
    parts = [_in_turn(streams[at:at + size], indent + "    ") for at in range(0, len(streams), size)]
    return "in_turn!(\n" + ",\n".join(indent + part for part in parts) + f"\n{indent[4:]})"
