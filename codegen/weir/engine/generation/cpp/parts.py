"""Find the repeated parts of a flowgraph: pipes, repeated groups and repeated blocks, nested in each other.

The generator writes a part once, as a struct; a table has a row of differing values for each copy. The flowgraph itself
is a part with one copy.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from weir.model.planning.plan import Plan, PlannedBlock, PlannedStream

#: Instances of one copy of a part, in the plan's order.
Body = Sequence[PlannedBlock]


@dataclass(frozen=True)
class Node:
    """A block of a part. `copies` has its instance in each copy of the part; `name` is unique in the part."""

    name: str
    copies: tuple[PlannedBlock, ...]


@dataclass(frozen=True)
class Copies:
    """A part within a part: `each` copies in every copy of the outer part.

    If `feed` is given, the copies are in series: `feed` is the stream into the first copy, `exit` that from the first
    copy into the second.
    """

    part: Part
    each: int
    feed: str | None = None
    exit: str | None = None


@dataclass
class Part:
    """A repeated part. `units` are in topological order."""

    name: str
    copies: int
    units: list[Node | Copies] = field(default_factory=list)

    def instances(self, copy: int) -> list[str]:
        """Return the names of all instances in one copy."""
        found: list[str] = []
        for unit in self.units:
            if isinstance(unit, Node):
                found.append(unit.copies[copy].instance)
            else:
                found += [name for inner in range(copy * unit.each, (copy + 1) * unit.each)
                          for name in unit.part.instances(inner)]
        return found


class Wires:
    """Streams that each instance reads, by input port, and their writers."""

    def __init__(self, streams: Iterable[PlannedStream]):
        self.read_by: dict[str, dict[str, str]] = {}
        self.readers: dict[str, dict[str, list[str]]] = {}
        for stream in streams:
            readers = self.readers.setdefault(writer(stream.name), {}).setdefault(stream.name, [])
            for reader in stream.readers:
                instance, _, port = reader.rpartition(".")
                self.read_by.setdefault(instance, {})[port] = stream.name
                readers.append(instance)

    def reads(self, instance: str) -> Mapping[str, str]:
        """Return input port -> stream."""
        return self.read_by.get(instance, {})

    def feeds(self, body: Body) -> set[str]:
        """Return the streams that these instances read and other instances write."""
        inside = {b.instance for b in body}
        return {s for b in body for s in self.reads(b.instance).values() if writer(s) not in inside}

    def gives(self, body: Body, around: set[str]) -> set[str]:
        """Return the streams that these instances write and that instances outside of `around` read."""
        return {s for b in body for s, readers in self.readers.get(b.instance, {}).items()
                if not around.issuperset(readers)}

    def shape(self, body: Body) -> list[object]:
        """Return a value that is equal for equally built bodies: each block, and the source of each input."""
        place = {b.instance: i for i, b in enumerate(body)}
        return [(b.block, b.type, b.item_type, dict(b.parameters),
                 {port: (place[writer(s)], s.rpartition(".")[2]) if writer(s) in place else "outside"
                  for port, s in self.reads(b.instance).items()}) for b in body]


def writer(stream: str) -> str:
    """Return the instance that writes the stream."""
    return stream.rpartition(".")[0]


def parts_of(plan: Plan, groups: Iterable[Mapping[str, Any]]) -> Part:
    """Return the flowgraph as a part. `groups` are those of the project's graph."""
    wires = Wires(plan.streams)
    owner = {block: group["id"] for group in groups if "repeat" in group for block in group["blocks"]}
    pipes: dict[str, list[PlannedBlock]] = {}
    for block in plan.blocks:
        pipes.setdefault(block.instance.partition("@")[2], []).append(block)
    bodies = list(pipes.values())
    if len(bodies) > 1 and all(wires.shape(body) == wires.shape(bodies[0]) for body in bodies[1:]):
        return Part("flowgraph", 1, [Copies(_part("pipe", bodies, owner, wires), len(bodies))])
    return _part("flowgraph", [plan.blocks], owner, wires)


def _part(name: str, bodies: Sequence[Body], owner: Mapping[str, str], wires: Wires) -> Part:
    """Return a part. `owner` maps a block to the repeated group that contains it."""
    by_block = [_by_block(body) for body in bodies]
    groups: dict[str, list[str]] = {}
    for block in by_block[0]:
        groups.setdefault(f"group {owner[block]}" if block in owner else block, []).append(block)
    units: list[tuple[Node | Copies, list[int]]] = []   # with the indices of its instances in a body
    for key, blocks in groups.items():
        whole = _series(key.partition(" ")[2] or key, blocks, by_block, wires)
        for block in [] if whole else blocks:
            own = _series(block, [block], by_block, wires) if len(by_block[0][block]) > 1 else None
            units += [own] if own else _alone(block, by_block)
        units += [whole] if whole else []
    return Part(name, len(bodies), _upstream_first(units, wires, bodies[0]))


def _by_block(body: Body) -> dict[str, list[PlannedBlock]]:
    found: dict[str, list[PlannedBlock]] = {}
    for block in body:
        found.setdefault(block.block, []).append(block)
    return found


def _alone(block: str, bodies: Sequence[Mapping[str, list[PlannedBlock]]]) -> list[tuple[Node, list[int]]]:
    instances = bodies[0][block]
    return [(Node(block if len(instances) == 1 else instances[i].instance.partition("@")[0],
                  tuple(body[block][i] for body in bodies)), [instances[i].index]) for i in range(len(instances))]


def _series(name: str, blocks: Sequence[str], bodies: Sequence[Mapping[str, list[PlannedBlock]]],
            wires: Wires) -> tuple[Copies, list[int]] | None:
    """Return copies of these blocks in series, each fed by the one before; None if they are not in series."""
    each = _copies(blocks, bodies[0], wires)
    if each < 2 or any(len(body[block]) % each for body in bodies for block in blocks):
        return None
    inner = [sorted((b for block in blocks for b in _slice(body[block], copy, each)), key=lambda b: b.index)
             for body in bodies for copy in range(each)]
    feeds = [wires.feeds(body) for body in inner]
    if any(len(feed) != 1 for feed in feeds) or any(wires.shape(body) != wires.shape(inner[0]) for body in inner[1:]):
        return None
    feed_of = [next(iter(feed)) for feed in feeds]
    for outer in range(0, len(inner), each):
        around = {b.instance for body in inner[outer:outer + each] for b in body}
        exits = [_place(feed_of[i + 1], inner[i]) for i in range(outer, outer + each - 1)]
        given = [wires.gives(body, around) for body in inner[outer:outer + each]]
        if exits[0] is None or set(exits) != {_place(feed_of[1], inner[0])} or any(given[:-1]) or {
                _place(stream, inner[outer + each - 1]) for stream in given[-1]} - set(exits):
            return None
    return (Copies(_part(name, inner, {}, wires), each, feed_of[0], feed_of[1]),
            [b.index for block in blocks for b in bodies[0][block]])


def _place(stream: str, body: Body) -> tuple[int, str] | None:
    """Return the index of the instance in a body that writes a stream, and its port."""
    instance, _, port = stream.rpartition(".")
    return next(((i, port) for i, b in enumerate(body) if b.instance == instance), None)


def _copies(blocks: Sequence[str], body: Mapping[str, list[PlannedBlock]], wires: Wires) -> int:
    """Return how often these blocks occur together: a block of a repeated group may itself be repeated."""
    if len(blocks) == 1:
        return len(body[blocks[0]])
    place = {b.instance: (i, block) for block in blocks for i, b in enumerate(body[block])}
    # If a block has n copies in each copy of the group, the n-th is the first that feeds another block.
    feeding = [place[writer(stream)] for instance, (_, block) in place.items()
               for stream in wires.reads(instance).values() if place.get(writer(stream), (0, block))[1] != block]
    if not feeding:
        return 1
    last, block = min(feeding)
    return len(body[block]) // (last + 1)


def _slice(instances: list[PlannedBlock], copy: int, copies: int) -> list[PlannedBlock]:
    each = len(instances) // copies
    return instances[copy * each:(copy + 1) * each]


def _upstream_first(units: list[tuple[Node | Copies, list[int]]], wires: Wires, body: Body) -> list[Node | Copies]:
    """Return the units in topological order; ties are in the order of the plan."""
    unit_of = {index: i for i, (_, indices) in enumerate(units) for index in indices}
    owner = {b.instance: unit_of[b.index] for b in body}
    leads: list[set[int]] = [set() for _ in units]
    for instance, unit in owner.items():
        for stream in wires.reads(instance).values():
            feeder = owner.get(writer(stream), unit)
            if feeder != unit:
                leads[feeder].add(unit)
    waits = [0] * len(units)
    for unit in (unit for led in leads for unit in led):
        waits[unit] += 1
    ready = [(min(units[i][1]), i) for i, count in enumerate(waits) if not count]
    heapq.heapify(ready)
    order = []
    while ready:
        unit = heapq.heappop(ready)[1]
        order.append(units[unit][0])
        for led in leads[unit]:
            waits[led] -= 1
            if not waits[led]:
                heapq.heappush(ready, (min(units[led][1]), led))
    return order
