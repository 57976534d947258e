"""The rate that a plan can reach by what it costs to move items: a bound, as nobody knows what the blocks compute.

An item costs its part of its blocks' steps, and in each block between input and output as much as y = a x + b, in the
cache where the buffers lie; a block that does more is slower, and so is the graph. Across workers come the lines of a
ring's counts, and items that another core has written come from beyond L2. Wake-ups are not among it: who is busy does
not sleep.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from weir.document.item_types import ITEM_TYPES
from weir.flowgraph.components import connected
from weir.flowgraph.graph import Graph
from weir.flowgraph.rates import Rates
from weir.planning.machine import Machine
from weir.planning.placement import Job, Worker
from weir.planning.sizing import Stream, varies

_KIB = 1024
_LINES_A_CHUNK = 2  # of counts, at either end of a ring
_DIGITS = 3
#: Of what an item takes in L1, where it stays in a register: nothing is read, nothing written.
_IN_REGISTERS = 0.4


@dataclass(frozen=True)
class Prediction:
    """`busiest`: the worker or job that bounds it, None where all of them together do, or the sources.

    `speeds`: measured or assumed.
    """

    items_per_s: float
    busiest: str | None
    speeds: str


@dataclass(frozen=True)
class _Planned:
    """What is predicted of. `crosses`: what goes through a ring comes from another core; jobs may stay on one."""

    graph: Graph
    rates: Rates
    streams: Sequence[Stream]
    chunks: Mapping[str, int]
    crosses: bool
    machine: Machine

    @property
    def scheduled(self) -> bool:
        return any(stream.arena is not None for stream in self.streams)


def predict(graph: Graph, rates: Rates, streams: Sequence[Stream], chunks: Mapping[str, int],
            workers: Sequence[Worker], jobs: Sequence[Job], metered: Sequence[str], machine: Machine) -> Prediction:
    """Items a second that leave the metered instances together, all of them at one pace."""
    owner_of = {name: owner.name for owner in jobs or workers for name in owner.instances}
    it = _Planned(graph, rates, streams, chunks, not jobs, machine)
    busy: dict[str, float] = defaultdict(float)
    for name, ns in _instance_ns(it, set(metered)).items():
        busy[owner_of.get(name, name)] += ns
    on_cpu: dict[int, float] = defaultdict(float)
    for worker in workers:
        if len(worker.cpus) == 1:
            on_cpu[worker.cpus[0]] += busy.get(worker.name, 0)
    cpus = max(1, min(len(machine.allowed), len(workers)))
    busiest = max(busy, key=busy.__getitem__)
    ns = max(busy[busiest], sum(busy.values()) / cpus, *on_cpu.values())
    rate, paced = len(metered) * 1e9 / max(ns, 1e-9), _paced(graph)
    if paced is not None and paced < rate:
        rate, ns = paced, 0
    return Prediction(float(f"{rate:.{_DIGITS}g}"), busiest if ns == busy[busiest] else None,
                      "measured" if machine.measured else "assumed")


def _instance_ns(it: _Planned, metered: set[str]) -> dict[str, float]:
    """What each instance costs while one item leaves every metered one."""
    speeds, l1, l2 = it.machine.speeds, it.machine.l1d, it.machine.l2
    beside = _footprints(it)
    outputs: dict[str, list[Stream]] = defaultdict(list)
    inputs: dict[str, list[Stream]] = defaultdict(list)
    for stream in it.streams:
        outputs[stream.source].append(stream)
        for edge in stream.readers:
            inputs[edge.dst].append(stream)
    found = {}
    for part in connected(it.graph, it.graph.edges):
        counted = [it.rates.output_items(i.name) for i in part if i.name in metered]
        iterations = len(counted) / max(sum(counted), 1)  # for an item at each
        for i in part:
            most = max(it.rates.inputs[i.name] + it.rates.outputs[i.name], default=1)
            moved = iterations * it.rates.firings[i.name]
            fused = any(s.kind == "register" for s in outputs[i.name])
            plain = speeds.fired_step if it.scheduled else speeds.step
            step = 0 if fused else speeds.varying_step if varies(i) else plain
            rings = sum(s.kind == "ring" and it.crosses for s in (*inputs[i.name], *outputs[i.name]))
            a_chunk = step + rings * _LINES_A_CHUNK * speeds.line
            ns = moved * most / it.chunks[i.name] * a_chunk
            if inputs[i.name]:
                far = any(s.kind == "ring" and it.crosses for s in inputs[i.name])
                kib = speeds.l3_kib if far else speeds.kib_ns(beside[i.name], l1, l2)
                out_bytes = sum(rate * ITEM_TYPES[s.item_type].size for s in outputs[i.name]
                                for port, rate in zip(i.type.outputs, it.rates.outputs[i.name]) if port.id == s.port)
                ns += moved * out_bytes / _KIB * (_IN_REGISTERS * speeds.l1_kib if fused else kib)
            found[i.name] = ns
    return found


def _footprints(it: _Planned) -> dict[str, int]:
    """Bytes of the linear streams that have their turns together, by each instance at an end of them."""
    linear = [s for s in it.streams if s.kind == "linear"]
    found: dict[str, int] = defaultdict(int)
    for part in connected(it.graph, (edge for s in linear for edge in s.readers)):
        names = {i.name for i in part}
        found.update(dict.fromkeys(names, _bytes([s for s in linear if s.source in names and s.over is None])))
    return found


def _bytes(streams: Sequence[Stream]) -> int:
    """That they take together; in an arena some of them may be the same."""
    placed = sorted((s.arena, s.offset, s.offset + s.bytes) for s in streams
                    if s.arena is not None and s.offset is not None)
    total, worker, end = sum(s.bytes for s in streams) if not placed else 0, None, 0
    for arena, first, last in placed:
        end = end if arena == worker else 0
        total += max(last - max(first, end), 0)
        worker, end = arena, max(end, last)
    return total


def _paced(graph: Graph) -> float | None:
    """Items a second of all sources together, where all of them keep a pace."""
    sources = [i for i in graph.instances if i.type.is_source]
    rates = [i.parameters.get("rate") for i in sources if i.type.behaviour.get("waits")]
    known = [float(rate) for rate in rates if isinstance(rate, (int, float))]
    return sum(known) if known and len(known) == len(sources) else None
