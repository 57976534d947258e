"""Pacing of a project: a block `pace` after every source that runs flat out, which makes its load adjustable."""

from __future__ import annotations

import copy
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from weir.lab import free_name
from weir.model.flowgraph.components import connected
from weir.model.flowgraph.graph import Graph
from weir.model.flowgraph.rates import Rates
from weir.model.planning.probes import origins

PACE = "pace"


@dataclass(frozen=True)
class Added:
    """Added block: `block` paces the items of `source` at its output `port`."""

    block: str
    source: str
    port: str


def flat_out(graph: Graph) -> list[str]:
    """Return the sources of the project that nothing paces and that lead to a sink."""
    return list(dict.fromkeys(i.block_id for i in origins(graph) if not i.type.paces))


def with_pace(document: Mapping[str, Any], sources: Collection[str]) -> tuple[dict[Any, Any], list[Added]]:
    """Return the document with a `pace` block after each connected output of `sources`, and the added blocks.

    Placement and buffers of the sources apply to the new blocks too.
    """
    made = copy.deepcopy(dict(document))
    graph = made["graph"]
    taken = {block["id"] for block in graph["blocks"]}
    added: dict[tuple[str, str], Added] = {}
    connections = []
    for source, port, reader, into in graph["connections"]:
        if source in sources:
            if (source, port) not in added:
                name = free_name(f"{PACE}_{source}", taken)
                taken.add(name)
                added[source, port] = Added(name, source, port)
                connections.append([source, port, name, "in"])
            source, port = added[source, port].block, "out"
        connections.append([source, port, reader, into])
    graph["connections"] = connections
    graph["blocks"] = [*graph["blocks"], *({"id": it.block, "type": PACE} for it in added.values())]
    for deployment in made.get("deployments", ()):
        _carry_over(deployment, added.values())
    return made, list(added.values())


def _carry_over(deployment: dict[Any, Any], added: Iterable[Added]) -> None:
    placed = deployment.get("placement", {}).get("map", {})
    buffers = deployment.get("buffers", {})
    for it in added:
        own = re.compile(re.escape(it.source) + r"(?=$|[.@\[])")
        for pattern in [key for key in placed if own.match(key)]:
            placed[own.sub(it.block, pattern, count=1)] = placed[pattern]
        for edge in [key for key in buffers if own.match(key) and key.partition("->")[0].endswith(f".{it.port}")]:
            buffers[re.sub(r"\.\w+->", ".out->", own.sub(it.block, edge, count=1), count=1)] = buffers.pop(edge)


def shares(graph: Graph, rates: Rates) -> dict[str, float]:
    """Return pacing block -> share of the load; its instances have this rate at a load of 1 item/s.

    Unconnected parts of the graph get equal loads at their fastest pacing block; within a part, the rates are balanced.
    """
    found: dict[str, float] = {}
    begins = {i.name: i for i in origins(graph)}
    total = 0.0
    for part in connected(graph):
        pacing = [begins[i.name] for i in part if i.name in begins]
        items = {i.name: rates.output_items(i.name) for i in pacing}
        for i in pacing:
            found[i.block_id] = items[i.name] / max(items.values())
            total += found[i.block_id]
    return {block: share / total for block, share in found.items()}
