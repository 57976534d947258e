"""Where events are written, how often, what that costs, and which ends of the graph belong together.

Boundary k of a source and boundary k of a sink must be the same place in the stream, also where rates change between
them: a node's granularity is m times the items that one iteration of the graph moves through its first port.

"auto" takes the smallest power of two for m that keeps the events of a connected part under 1 % of one core, if an
event costs 100 ns and the fastest source gives 1 Gitem/s, or what a paced source is set to. That is a prediction, not a
measurement; it does not look at placement, so that the deployments of a project are measured alike. A chain gets 32768.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from weir.flowgraph.graph import Graph, Instance
from weir.flowgraph.rates import Rates
from weir.planning.placement import Links, is_head

EVENT_NS = 100
COST_LIMIT = 0.01
ASSUMED_ITEMS_PER_S = 1e9


@dataclass(frozen=True)
class Pair:
    source: str
    sink: str
    pipe: int | None
    source_granularity: int
    sink_granularity: int


@dataclass(frozen=True)
class Probes:
    """`granularity`: items between events, by instance with a probe. `planned`: that of the fastest source."""

    granularity: Mapping[str, int]
    planned: int
    predicted_cost: float


def has_probe(instance: Instance) -> bool:
    return instance.probe or instance.type.is_source or instance.type.is_sink


def plan_probes(graph: Graph, rates: Rates, requested: int | str, backend: str) -> Probes:
    """Granularities, and the share of a core's time that the events of a connected part are predicted to take."""
    granularity: dict[str, int] = {}
    planned, cost = 0, 0.0
    for part in _connected(graph):
        probes = [i for i in part if has_probe(i)]
        sources = [i for i in part if i.type.is_source]
        fastest = max(sources, key=lambda i: rates.first_port_items(i.name))
        items = rates.first_port_items(fastest.name)
        multiple = _multiple(requested, items, len(probes), _items_per_s(fastest))
        granularity.update((i.name, multiple * rates.first_port_items(i.name)) for i in probes)
        planned = max(planned, multiple * items)
        cost = max(cost, _cost(multiple * items, len(probes), _items_per_s(fastest)))
    return Probes(granularity, planned, 0.0 if backend == "off" else cost)


def _items_per_s(source: Instance) -> float:
    parameter = source.type.parameter("rate")
    rate = source.parameters.get("rate")
    paced = parameter is not None and parameter.unit == "items/s" and isinstance(rate, (int, float)) and rate > 0
    return min(float(rate), ASSUMED_ITEMS_PER_S) if paced else ASSUMED_ITEMS_PER_S


def _cost(granularity: int, probes: int, items_per_s: float) -> float:
    return round(probes * items_per_s / granularity * EVENT_NS * 1e-9, 9)


def _multiple(requested: int | str, items: int, probes: int, items_per_s: float) -> int:
    if requested != "auto":
        return max(1, (int(requested) + items // 2) // items)
    multiple = 1
    while _cost(multiple * items, probes, items_per_s) >= COST_LIMIT:
        multiple *= 2
    return multiple


def _connected(graph: Graph) -> list[list[Instance]]:
    """The instances by connected part, each in the graph's order."""
    links = Links(graph)
    part_of: dict[str, int] = {}
    parts: list[list[Instance]] = []
    for instance in graph.instances:
        if instance.name not in part_of:
            stack = [instance.name]
            part_of[instance.name] = len(parts)
            parts.append([])
            while stack:
                name = stack.pop()
                for other in links.feeders[name] + links.readers[name]:
                    if other not in part_of:
                        part_of[other] = part_of[name]
                        stack.append(other)
        parts[part_of[instance.name]].append(instance)
    return parts


def plan_pairs(graph: Graph, probes: Probes) -> list[Pair]:
    """Every source with every sink that its items reach."""
    links = Links(graph)
    sinks = [i for i in graph.instances if i.type.is_sink]
    pairs = []
    for source in (i for i in graph.instances if i.type.is_source):
        reached, stack = {source.name}, [source.name]
        while stack:
            for reader in links.readers[stack.pop()]:
                if reader not in reached:
                    reached.add(reader)
                    stack.append(reader)
        pairs += [Pair(source.name, sink.name, source.pipe, probes.granularity[source.name],
                       probes.granularity[sink.name])
                  for sink in sinks if sink.name in reached]
    return pairs


def heads_behind(graph: Graph) -> dict[str, list[str]]:
    """The blocks behind each source, when all of them are heads; an empty list otherwise."""
    links = Links(graph)
    heads = {i.name for i in graph.instances if is_head(i)}
    return {i.name: list(links.readers[i.name]) if set(links.readers[i.name]) <= heads else []
            for i in graph.instances if i.type.is_source}


def metered(graph: Graph) -> list[str]:
    """Instances whose output is the throughput: a source, or the one head that is all there is behind it."""
    behind = heads_behind(graph)
    return [behind[name][0] if len(behind[name]) == 1 else name for name in behind]


def ends_at_run_items(graph: Graph) -> set[str]:
    """Sources that no head ends, and that must therefore count the run's items themselves."""
    return {name for name, heads in heads_behind(graph).items() if not heads}
