"""Prediction of the rate that a plan can reach, from the costs of moving items (`costs`).

Without a profile the prediction is an upper bound: blocks that compute more than y = a x + b are slower, and so is the
graph. Wake-ups cost nothing here, because a busy worker does not sleep.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from weir.model.flowgraph.components import connected
from weir.model.flowgraph.graph import Graph
from weir.model.planning.costs import Costs
from weir.model.planning.placement import Job, Worker
from weir.model.planning.probes import origins
from weir.model.planning.profile import known_share
from weir.model.planning.replication import turns_of
from weir.model.planning.sizing import Stream

_DIGITS = 3


@dataclass(frozen=True)
class Prediction:
    """`busiest`: the worker or job that limits the rate; None if all of them together limit it, or the sources.

    `speeds`: measured or assumed. `costs` of the blocks: measured, partly or assumed.
    """

    items_per_s: float
    busiest: str | None
    speeds: str
    costs: str = "assumed"


@dataclass(frozen=True)
class _Planned:
    """Input of a prediction. `owner_of` is the worker or job of an instance. `often` is the share of the items passed
    between owners that also change the core.
    """

    graph: Graph
    streams: Sequence[Stream]
    chunks: Mapping[str, int]
    owner_of: Mapping[str, str]
    often: float

    def apart(self, *names: str) -> bool:
        return len({self.owner_of.get(name, name) for name in names}) > 1

    @property
    def scheduled(self) -> set[str]:
        """Return the instances that a schedule calls: all except those with a linear stream outside the arenas."""
        if not any(s.arena is not None or s.kind == "ring" and s.over is not None for s in self.streams):
            return set()
        return set(self.graph.by_name) - {name for s in self.streams if s.kind == "linear" and s.arena is None
                                          for name in (s.source, *(edge.dst for edge in s.readers))}


def predict(costs: Costs, streams: Sequence[Stream], chunks: Mapping[str, int], workers: Sequence[Worker],
            jobs: Sequence[Job]) -> Prediction:
    """Predict the items a second that leave all metered instances together, assuming equal rates."""
    graph, machine, metered = costs.graph, costs.machine, costs.metered
    owner_of = {name: owner.name for owner in jobs or workers for name in owner.instances}
    # Any free worker takes a job. With n workers, one time in n it is the worker that has just made the items.
    it = _Planned(graph, streams, chunks, owner_of, 1 - 1 / len(workers) if jobs else 1.0)
    busy: dict[str, float] = defaultdict(float)
    everywhere = sum(len(worker.instances) for worker in workers) > len(owner_of) and not jobs
    turns = turns_of(graph) if everywhere else ()
    for name, ns in _instance_ns(it, costs).items():
        for owner in (worker.name for worker in workers) if everywhere else (owner_of.get(name, name),):
            busy[owner] += ns / len(workers) if everywhere else ns
        if name in turns:
            busy[name] = ns  # the workers take turns with this instance
    on_cpu: dict[int, float] = defaultdict(float)
    for worker in workers:
        if len(worker.cpus) == 1:
            on_cpu[worker.cpus[0]] += busy.get(worker.name, 0)
    cpus = max(1, min(len(machine.allowed), len(workers)))
    busiest = max(busy, key=busy.__getitem__)
    ns = max(busy[busiest], sum(ns for name, ns in busy.items() if name not in turns) / cpus, *on_cpu.values())
    rate, paced = len(metered) * 1e9 / max(ns, 1e-9), offered_items(graph)
    if paced is not None and paced < rate:
        rate, ns = paced, 0
    return Prediction(float(f"{rate:.{_DIGITS}g}"), busiest if ns == busy[busiest] else None,
                      "measured" if machine.measured else "assumed",
                      known_share(costs.profile, (i.block_id for i in graph.instances)))


def _instance_ns(it: _Planned, costs: Costs) -> dict[str, float]:
    """Return the cost of each instance while one item leaves every metered instance."""
    beside = footprints(it.graph, it.streams)
    cut: dict[str, int] = defaultdict(int)
    far: dict[str, float] = defaultdict(float)
    in_register = {stream.source for stream in it.streams if stream.kind == "register"}
    for stream in it.streams:
        ends = (stream.source, *(edge.dst for edge in stream.readers))
        if stream.kind != "ring" or not it.apart(*ends):
            continue
        for name in ends:
            cut[name] += 1
        for edge in stream.readers:
            if it.apart(edge.src, edge.dst):
                far[edge.dst] += costs.far_ns(edge, beside.get(edge.dst, 0))
    found, scheduled = {}, it.scheduled
    for i in it.graph.instances:
        chunk, name = it.chunks[i.name], i.name
        ns = costs.own_ns(i, chunk, beside.get(name, 0), name in scheduled, name in in_register)
        found[name] = ns + it.often * (cut[name] * costs.ring_ns(i, chunk) + far[name])
    return found


def footprints(graph: Graph, streams: Sequence[Stream]) -> dict[str, int]:
    """Return, by instance, the bytes of all linear streams in its connected part."""
    linear = [s for s in streams if s.kind == "linear"]
    found: dict[str, int] = {}
    for part in connected(graph, (edge for s in linear for edge in s.readers)):
        names = {i.name for i in part}
        found.update(dict.fromkeys(names, _bytes([s for s in linear if s.source in names and s.over is None])))
    return found


def _bytes(streams: Sequence[Stream]) -> int:
    """Return the bytes of all streams together. In an arena, streams may share bytes."""
    placed = sorted((s.arena, s.offset, s.offset + s.bytes) for s in streams
                    if s.arena is not None and s.offset is not None)
    total, worker, end = sum(s.bytes for s in streams) if not placed else 0, None, 0
    for arena, first, last in placed:
        end = end if arena == worker else 0
        total += max(last - max(first, end), 0)
        worker, end = arena, max(end, last)
    return total


def offered_items(graph: Graph) -> float | None:
    """Return the items a second that the origins offer, None if one of them runs at full speed."""
    offering = origins(graph)
    rates = [i.parameters.get("rate") for i in offering if i.type.paces]
    known = [float(rate) for rate in rates if isinstance(rate, (int, float))]
    return sum(known) if known and len(known) == len(offering) else None
