"""Probes: the boundaries with events, the granularities, the predicted cost, and the latency pairs of the graph.

Boundary k must be the same place in the stream at every probe, also if rates change between them. The granularity of a
port is therefore m times the items that one iteration of the graph moves through it. A block between source and sink
with a probe has boundaries at its first input (rx) and its first output (tx), each with its own granularity.

Latency counts from an origin: a source, or a block that paces its input, because there an item has the time at which it
is due. Events before such a block are not recorded.

"auto" takes the smallest power of two for m that keeps the events of a connected part under 1 % of one core. It assumes
that an event costs 100 ns, and that the fastest source emits 1 Gitem/s and uses that core completely. The rate of paced
sources is known, and a core serves many of them, so the events of all their parts together stay under 1 % of one core.
This is a prediction, not a measurement. It ignores placement, because Weir must measure all deployments of a project in
the same way. A chain gets 32768.

A flowgraph of GNU Radio's own blocks gets 1024 at its fastest source: most run at the rate of a radio, where the
granularity of Weir's own blocks would leave few boundaries. Its program follows the rates of GNU Radio's blocks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from weir.model.flowgraph.components import connected, reached
from weir.model.flowgraph.graph import Graph, Instance
from weir.model.flowgraph.rates import Rates
from weir.model.planning.placement import is_head
from weir.tracers import SILENT

EVENT_NS = 100
COST_LIMIT = 0.01
ASSUMED_ITEMS_PER_S = 1e9
#: Items between the boundaries of a flowgraph of GNU Radio's own blocks, and the assumed items/s of a fast radio.
HOSTED_ITEMS, HOSTED_ITEMS_PER_S = 1024, 2e7


@dataclass(frozen=True)
class Pair:
    """A source and a sink between which latency is measured."""

    source: str
    sink: str
    pipe: int | None
    source_granularity: int
    sink_granularity: int


@dataclass(frozen=True)
class Hop:
    """Hop from one probed instance to the next. `sinks`: `dst` itself if it is a sink, else the sinks that it leads to.
    """

    src: str
    dst: str
    pipe: int | None
    sinks: tuple[str, ...]


@dataclass(frozen=True)
class Probes:
    """Items between events, by instance with a probe. `planned` is that of the fastest origin.

    `granularity` is that of the first input, for a source the first output. `tx` is that of the first output. `given`:
    items that each source emits in the same time, with a probe or without.
    """

    granularity: Mapping[str, int]
    tx: Mapping[str, int]
    given: Mapping[str, int]
    planned: int
    predicted_cost: float


def origins(graph: Graph) -> list[Instance]:
    """Return the starts of the paths to a sink: sources, and blocks that pace, if they have a sink behind them and no
    other block that paces before them.
    """
    pacing = _pacing(graph)
    sinks = {i.name for i in graph.instances if i.type.is_sink}
    if not pacing:
        return [i for i in graph.instances if i.type.is_source]
    return [i for i in graph.instances
            if (i.type.is_source or i.type.paces) and _reached(graph, i.name, pacing) & sinks]


def _pacing(graph: Graph) -> set[str]:
    return {i.name for i in graph.instances if i.type.paces}


def is_paced(graph: Graph) -> bool:
    """Return whether no part runs at full speed."""
    return all(i.type.paces for i in origins(graph))


def has_probe(instance: Instance, begins: Collection[str]) -> bool:
    """Return whether the instance has a probe. `begins`: the names of the origins."""
    return instance.probe or instance.name in begins or instance.type.is_sink


def plan_probes(graph: Graph, rates: Rates, requested: int | str, backend: str) -> Probes:
    """Plan the granularities, and predict the share of a core's time that events take. The share is that of a connected
    part that runs at full speed, or of all paced parts together.
    """
    granularity: dict[str, int] = {}
    tx: dict[str, int] = {}
    given: dict[str, int] = {}
    planned, cost, together, begins = 0, 0.0, 0.0, {i.name for i in origins(graph)}
    if graph.of_gnuradio:  # also if it only passes messages
        planned = requested = HOSTED_ITEMS if requested == "auto" else int(requested)
    # A block that only passes messages moves no items.
    parts = [(part, _fastest(part, begins, rates)) for part in connected(graph) if any(i.type.is_source for i in part)]
    paced = sum(_rate(fastest) is not None for _, fastest in parts)
    for part, fastest in parts:
        probes = [i for i in part if has_probe(i, begins)]
        items = rates.first_port_items(fastest.name)
        events = sum(1 if i.name in begins or i.type.is_sink else 2 for i in probes)
        limit = COST_LIMIT / paced if _rate(fastest) is not None else COST_LIMIT
        multiple = _multiple(requested, items, events, _items_per_s(fastest), limit)
        granularity.update((i.name, multiple * rates.first_port_items(i.name)) for i in probes)
        tx.update((i.name, multiple * rates.output_items(i.name)) for i in probes)
        given.update((i.name, multiple * rates.first_port_items(i.name)) for i in part if i.type.is_source)
        planned = max(planned, multiple * items)
        own = _cost(multiple * items, events, _items_per_s(fastest))
        if _rate(fastest) is not None:
            together = round(together + own, 9)
        cost = max(cost, own, together)
    return Probes(granularity, tx, given, planned, 0.0 if backend in SILENT else cost)


def _fastest(part: list[Instance], begins: Collection[str], rates: Rates) -> Instance:
    first = [i for i in part if i.name in begins] or [i for i in part if i.type.is_source]
    return max(first, key=lambda i: rates.first_port_items(i.name))


def _rate(source: Instance) -> float | None:
    """Return the items a second to which the source is set, None if it runs at full speed."""
    rate = source.parameters.get("rate")
    return float(rate) if source.type.paces and isinstance(rate, (int, float)) and rate > 0 else None


def _items_per_s(source: Instance) -> float:
    rate = _rate(source)
    assumed = HOSTED_ITEMS_PER_S if source.type.of_gnuradio else ASSUMED_ITEMS_PER_S
    return assumed if rate is None else min(rate, assumed)


def _cost(granularity: int, events: int, items_per_s: float) -> float:
    """Return the share of a core's time for `events` events every `granularity` items of the source."""
    return round(events * items_per_s / granularity * EVENT_NS * 1e-9, 9)


def _multiple(requested: int | str, items: int, events: int, items_per_s: float, limit: float) -> int:
    if requested != "auto":
        return max(1, (int(requested) + items // 2) // items)
    multiple = 1
    while _cost(multiple * items, events, items_per_s) >= limit:
        multiple *= 2
    return multiple


def plan_pairs(graph: Graph, probes: Probes) -> list[Pair]:
    """Return every origin with every sink that its items reach before another origin gives them a new time."""
    pacing = _pacing(graph)
    sinks = [i for i in graph.instances if i.type.is_sink]
    pairs = []
    for source in origins(graph):
        behind = _reached(graph, source.name, pacing)
        pairs += [Pair(source.name, sink.name, source.pipe, probes.tx[source.name],
                       probes.granularity[sink.name])
                  for sink in sinks if sink.name in behind]
    return pairs


def _reached(graph: Graph, start: str, stop: Collection[str] = ()) -> set[str]:
    """Return the instances that items of `start` reach, without those behind the instances in `stop`."""
    def readers(name: str) -> list[str]:
        return [edge.dst for edge in graph.out_of[name]]

    return reached(readers(start), lambda name: () if name in stop else readers(name))


def plan_hops(graph: Graph) -> list[Hop]:
    """Return every probed instance with the next ones on its paths to a sink, for connected parts with a probe between
    source and sink.

    Sinks define the boundaries, so a hop that leads to no sink is left out.
    """
    hops, begins, pacing = [], {i.name for i in origins(graph)}, _pacing(graph)
    for part in connected(graph):
        probed = [i for i in part if has_probe(i, begins)]
        if all(i.name in begins or i.type.is_sink for i in probed):
            continue
        place = {i.name: at for at, i in enumerate(probed)}
        sinks = _sinks_behind(graph, part)
        for src in probed:
            behind = _reached(graph, src.name, place.keys() | pacing)
            following = sorted(place[name] for name in behind & place.keys() - pacing)
            hops += [Hop(src.name, dst.name, dst.pipe if dst.pipe == src.pipe else None, sinks[dst.name])
                     for dst in map(probed.__getitem__, following) if sinks[dst.name]]
    return hops


def _sinks_behind(graph: Graph, part: list[Instance]) -> dict[str, tuple[str, ...]]:
    """Return the sinks that each instance leads to; a sink leads to itself. One pass, because a graph can have 10,000
    instances, each with a probe.
    """
    sinks = [i.name for i in part if i.type.is_sink]
    bits = {i.name: 0 for i in part} | {name: 1 << at for at, name in enumerate(sinks)}
    for instance in reversed(part):
        for edge in graph.out_of[instance.name]:
            bits[instance.name] |= bits[edge.dst]
    listed = {of: tuple(name for at, name in enumerate(sinks) if of >> at & 1) for of in set(bits.values())}
    return {name: listed[of] for name, of in bits.items()}


def heads_behind(graph: Graph) -> dict[str, list[str]]:
    """Return, by source, the blocks directly behind it if all of them are heads, else an empty list."""
    heads = {i.name for i in graph.instances if is_head(i)}
    behind = {i.name: [edge.dst for edge in graph.out_of[i.name]] for i in graph.instances if i.type.is_source}
    return {name: readers if set(readers) <= heads else [] for name, readers in behind.items()}


def metered(graph: Graph) -> list[str]:
    """Return the instances whose output counts as throughput: each source, or the head behind it if that is its only
    reader.
    """
    behind = heads_behind(graph)
    return [behind[name][0] if len(behind[name]) == 1 else name for name in behind]


def ends_at_run_items(graph: Graph) -> set[str]:
    """Return the sources without a head behind them, which must count the run's items themselves."""
    return {name for name, heads in heads_behind(graph).items() if not heads}
