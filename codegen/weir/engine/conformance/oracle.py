"""Oracle for schedules: runs them on arenas of single bytes, each labelled with the item that it holds.

Tests compare the verdict of `schedule_check` with the behaviour seen here. The two share only the data.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from weir.model.behaviour import history_of
from weir.model.document.item_types import ITEM_TYPES
from weir.model.planning.planner import Arrangement, Request
from weir.model.planning.replication import turns_of
from weir.model.planning.schedule import calls, firings
from weir.sure import sure


class Spoilt(Exception):
    """A reader found no item or a wrong one, or no worker could continue."""


class Memory:
    """Items of one stream, in an arena of its worker, in a ring of its own, or in a ring that several streams share.

    `slots`: index in a shared ring -> (stream, item number). `circuit`: all streams of the ring, the first writer
    first.
    """

    held = False

    def __init__(self, stream, arenas):
        self.stream, self.size = stream, ITEM_TYPES[stream.item_type].size
        self.arena = None if stream.arena is None else arenas[stream.arena]
        self.readers = [f"{e.dst}.{e.dst_port}" for e in stream.readers]
        self.place = self.written = 0  # place of the next planned item; number of the next real one
        self.read_place = dict.fromkeys(self.readers, 0)
        self.read = dict.fromkeys(self.readers, 0)
        self.circuit, self.slots = [self], {}

    def lie_over(self, below):
        """Share the memory of `below` from now on."""
        below.circuit.append(self)
        self.circuit, self.slots = below.circuit, below.slots

    def bytes_of(self, place):
        """Return the bytes of the arena that hold an item."""
        return range(self.stream.offset + place * self.size, self.stream.offset + (place + 1) * self.size)

    def write(self, planned, real):
        """Write `real` items and advance by `planned`. Raises Spoilt beyond the end."""
        for i in range(real):
            if len(self.circuit) > 1:
                self.slots[(self.written + i) % self.stream.items] = (self.stream.name, self.written + i)
            if self.arena is not None:
                if self.place + i >= self.stream.items:
                    raise Spoilt(f"{self.stream.name} is written beyond its end")
                for at, byte in enumerate(self.bytes_of(self.place + i)):
                    self.arena[byte] = (self.stream.name, self.written + i, at)
        self.place += planned
        self.written += real

    def take(self, reader, planned, real):
        """Take `real` items and advance by `planned`. Raises Spoilt if another item is there."""
        for i in range(real):
            number = self.read[reader] + i
            if number >= self.written:
                raise Spoilt(f"{reader} takes item {number} before it is written")
            there = self.slots.get(number % self.stream.items)
            if len(self.circuit) > 1 and there != (self.stream.name, number):
                raise Spoilt(f"{reader} finds {there} where item {number} should be")
            if self.arena is not None:
                for at, byte in enumerate(self.bytes_of(self.read_place[reader] + i)):
                    if self.arena.get(byte) != (self.stream.name, number, at):
                        raise Spoilt(f"{reader} finds {self.arena.get(byte)} where item {number} should be")
        self.read_place[reader] += planned
        self.read[reader] += real
        if all(place == self.place for place in self.read_place.values()):
            self.place, self.read_place = 0, dict.fromkeys(self.readers, 0)

    def waits(self, reader, real):
        """Return whether a reader has to wait for more items."""
        return self.arena is None and self.read[reader] + real > self.written

    def is_full(self, real, gone):
        """Return whether the writer has to wait. `gone` are readers that take no more items."""
        last = self.circuit[-1]
        slowest = min((n for reader, n in last.read.items() if reader not in gone), default=last.written)
        return (self.arena is None and self is self.circuit[0]
                and self.written + real - slowest > self.stream.always)


def run(made: Arrangement, request: Request, dice: random.Random, iterations=None, left=None) -> None:
    """Run a schedule. Raises Spoilt if its result differs from that of the graph.

    Runs `iterations` of the graph, each worker in whole periods; or, with `left`, until no instance has firings left.
    """
    graph, rates = request.graph, request.rates
    if made.replication is not None:
        every = {name: iterations * count for name, count in rates.firings.items()} if left is None else left
        run_stretches(made, request, every)
        return
    arenas: dict = defaultdict(dict)
    streams = {s.name: Memory(s, arenas) for s in made.streams}
    below = {s.name: s.over for s in made.streams if s.kind == "ring" and s.over is not None}
    while below:  # from the first ring of each on
        for name in [name for name, under in below.items() if under not in below]:
            streams[name].lie_over(streams[below.pop(name)])
    feeds = {reader: stream for stream in streams.values() for reader in stream.readers}
    left = dict(left) if left is not None else {n: iterations * f for n, f in rates.firings.items()}
    pending: dict = {s.worker: iter(()) for s in sure(made.schedule).worker_schedules}
    bodies = {s.worker: s.body for s in sure(made.schedule).worker_schedules}
    call: dict = {}

    def gone():
        return {f"{i.name}.{p.id}" for i in graph.instances if not left[i.name] for p in i.type.inputs}

    def step(worker):
        """Return whether the worker could make its next call."""
        if worker not in call:
            following = next(pending[worker], None)
            if following is None:
                if not any(left[name] for name in firings(bodies[worker])):
                    del pending[worker]
                    return True
                pending[worker] = iter(list(calls(bodies[worker])))
                following = next(pending[worker])
            call[worker] = following
        it = call[worker]
        # In a fused loop, the items between two of its blocks are only in registers, never in a stream.
        kinds = {name: graph.instance(name).type for name in it.instances}
        real = min(it.times, left[it.instances[0]])
        if any(left[name] != left[it.instances[0]] for name in it.instances):
            raise Spoilt(f"{it}: the fused instances have different numbers of firings left")
        inside = {f"{name}.{p.id}" for name in it.instances[:-1] for p in kinds[name].outputs}
        ins = [(f"{name}.{p.id}", r) for name, kind in kinds.items() for p, r in zip(kind.inputs, rates.inputs[name])
               if feeds[f"{name}.{p.id}"].stream.name not in inside]
        outs = [(streams[n], r) for name, kind in kinds.items() for p, r in zip(kind.outputs, rates.outputs[name])
                if (n := f"{name}.{p.id}") in streams and n not in inside]
        in_place = len(kinds) > 1 or kinds[it.instances[0]].behaviour.get("in_place")
        if any(feeds[reader].waits(reader, real * r) for reader, r in ins):
            return False
        if any(stream.is_full(real * r, gone()) for stream, r in outs):
            return False
        for name in it.instances:
            left[name] -= real
        # A block reads its items before it overwrites them only if it works in place, as the checker assumes.
        for stream, r in outs if not in_place else ():
            stream.write(it.times * r, real * r)
        for reader, r in ins:
            feeds[reader].take(reader, it.times * r, real * r)
        for stream, r in outs if in_place else ():
            stream.write(it.times * r, real * r)
        del call[worker]
        return True

    while pending:
        workers = list(pending)
        dice.shuffle(workers)
        if not any(step(worker) for worker in workers):
            raise Spoilt(f"no worker can continue: {call}")
    if iterations and any(n != s.written for s in streams.values() for n in s.read.values()):
        raise Spoilt("items are left over")


def run_stretches(made: Arrangement, request: Request, left: Mapping[str, int]) -> None:
    """Run a schedule in which each worker has all instances: stretch by stretch, each stretch on its own arena.

    Compares repeated firings with the first computation of the same items. Raises Spoilt also if an instance fires
    before its history was recomputed, or if a firing is missing or repeated.
    """
    graph, rates = request.graph, request.rates
    body: Any = sure(made.schedule).worker_schedules[0].body
    a_stretch, again = firings(body), sure(made.replication).again
    inside = firings(body[0].body) if again else {}
    fired, number, turns = dict.fromkeys(left, 0), 0, turns_of(graph)
    while any(fired[name] < most for name, most in left.items()):
        arenas: dict = defaultdict(dict)
        streams = {s.name: Memory(s, arenas) for s in made.streams}
        feeds = {reader: stream for stream in streams.values() for reader in stream.readers}
        before = again if number else 0
        first = {name: number * count - before * inside.get(name, 0) for name, count in a_stretch.items()}
        at = dict(first)
        for name, stream in ((s.name, streams[s.name]) for s in made.streams):
            writer, written = name.rsplit(".", 1)
            held = writer in inside and any(reader.rsplit(".", 1)[0] not in inside for reader in stream.readers)
            begins = number * a_stretch[writer] if held else first[writer]
            stream.written = begins * _rate(graph, rates, writer, written, "outputs")
            stream.held = held
            stream.read = dict.fromkeys(stream.readers, stream.written)
        made_again = [c for _ in range(before) for c in calls(body[0].body)]
        for position, call in enumerate([*made_again, *calls(body)]):
            once_more = position < len(made_again)
            for name in call.instances:
                instance = graph.instance(name)
                real = call.times if once_more else max(0, min(call.times, left[name] - at[name]))
                remembered = history_of(instance.type.descriptor, instance.parameters) if instance.type.inputs else 0
                for port, rate in zip(instance.type.inputs, rates.inputs[name]):
                    stream = feeds[f"{name}.{port.id}"]
                    if stream.stream.kind != "register" and not (once_more and stream.held):
                        stream.take(f"{name}.{port.id}", call.times * rate, real * rate)
                if number and real and remembered and not once_more and name not in turns:
                    if (at[name] - first[name]) * rates.inputs[name][0] < remembered:
                        raise Spoilt(f"{name} has a history of {remembered} items, but got fewer of them again")
                for port, rate in zip(instance.type.outputs, rates.outputs[name]):
                    out = streams.get(f"{name}.{port.id}")
                    if out is not None and out.stream.kind != "register" and not (once_more and out.held):
                        out.write(call.times * rate, real * rate)
                at[name] += call.times
                fired[name] += 0 if once_more else real
        number += 1
    if fired != dict(left):
        raise Spoilt("some instances fired more or less often than there are items")


def _rate(graph, rates, instance, port, side):
    ports = getattr(graph.instance(instance).type, side)
    return getattr(rates, side)[instance][next(at for at, one in enumerate(ports) if one.id == port)]


def firings_of_a_run(request: Request, bounds: dict[str, int]) -> dict[str, int]:
    """Return the number of firings of each instance in a run. Its inputs, its own bound and its readers limit it."""
    graph, rates = request.graph, request.rates
    most: dict = {}
    rate: dict = {}
    into, out_of = defaultdict(list), defaultdict(list)
    for edge in graph.edges:
        into[edge.dst].append(edge)
        out_of[edge.src].append(edge)
    for i in graph.instances:
        rate.update({(i.name, p.id): r for p, r in zip(i.type.inputs, rates.inputs[i.name])})
        rate.update({(i.name, p.id): r for p, r in zip(i.type.outputs, rates.outputs[i.name])})
        most[i.name] = min([most[e.src] * rate[e.src, e.src_port] // rate[e.dst, e.dst_port] for e in into[i.name]]
                           + [bounds.get(i.name, 10**9)])
    for i in reversed(graph.instances):
        wanted = [-(-Fraction(most[e.dst] * rate[e.dst, e.dst_port], rate[e.src, e.src_port]) // 1)
                  for e in out_of[i.name]]
        most[i.name] = min([most[i.name], *([max(wanted)] if wanted else [])])
    return most
