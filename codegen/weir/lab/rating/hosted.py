"""Rating of a flowgraph of GNU Radio's own blocks. The probes hold its sources back, so it needs no further block.

Weir does not know the rates of these blocks. A run with all items due at once shows them.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring.latency import PairSamples
from weir.model.document.deployment import Deployment
from weir.model.flowgraph.graph import Graph
from weir.model.flowgraph.replacing import HARDWARE, THROTTLE, needs_hardware
from weir.model.planning.probes import origins

#: Parameter that tells the runner how many seconds of items a source emits at once.
QUANTUM = "weir.quantum_s"
#: Boundaries per second at full rate that make the share of late items precise enough.
BOUNDARIES_PER_S = 4096


def paced(graph: Graph, deployment: Deployment) -> list[str]:
    """Return the sources that the probes can hold back. Raises WeirError (E_RATE_SOURCE) if there are none."""
    hearing = {edge.dst for edge in graph.messages}
    found, against = [], []
    for it in origins(graph):
        if it.name in hearing:
            against.append(f"`{it.name}` makes its items from messages")
        elif needs_hardware(it) and HARDWARE not in deployment.replace:
            against.append(f"the device or network of `{it.name}` sets its rate")
        else:
            found.append(it.block_id)
    if not found:
        why = "; ".join(against) or "it has no source of a stream"
        raise WeirError(diagnostic("E_RATE_SOURCE", "", f"Weir cannot pace this flowgraph: {why}"))
    return found


def without_throttles(document: Mapping[str, Any]) -> dict[Any, Any]:
    """Return the document whose deployments replace throttles by wires: they would hold a rate of their own."""
    made = copy.deepcopy(dict(document))
    for entry in made.get("deployments", ()):
        entry["replace"] = list(dict.fromkeys((*entry.get("replace", ()), THROTTLE)))
    return made


def with_granularity(document: Mapping[str, Any], items_per_s: float) -> dict[Any, Any]:
    """Return the document with more boundaries for a slow fastest source, unless it states the granularity."""
    run = document.get("run", {})
    trace = run.get("trace", {})
    apart = 1 << max(int(items_per_s / BOUNDARIES_PER_S), 1).bit_length() - 1
    if trace.get("probe_granularity", "auto") != "auto" or apart >= 1024:
        return dict(document)
    return {**document, "run": {**run, "trace": {**trace, "probe_granularity": apart}}}


def shares(results: Mapping[str, Any], sources: Sequence[str]) -> dict[str, float]:
    """Return source -> share of all items that a run's sources emitted. Raises WeirError (E_RATE_RUN)."""
    items = {block["id"]: block["items_out"] or 0 for block in results["blocks"] if block["id"] in sources}
    total = sum(items.values())
    if not total:
        raise WeirError(diagnostic("E_RATE_RUN", "", "no source emitted an item"))
    return {name: count / total for name, count in items.items() if count}


def given(results: Mapping[str, Any], sources: Sequence[str]) -> dict[str, float]:
    """Return sink -> items for each item of the fastest source in a run."""
    most = max((block["items_out"] or 0 for block in results["blocks"] if block["id"] in sources), default=0)
    return {sink["id"]: sink["items"] / most for sink in results["sinks"]} if most else {}


def boundaries(results: Mapping[str, Any], sources: Sequence[str]) -> float:
    """Return the boundaries of a sink for each item of all sources. Raises WeirError (E_RATE_LATENCY)."""
    counts = [pair["count"] for pair in results["latency_pairs"] or ()]
    if not any(counts):
        why = next((it["message"] for it in results["reasons"] if it["code"] == "N_LATENCY_UNKNOWN"),
                   "no boundary reached a sink")
        raise WeirError(diagnostic("E_RATE_LATENCY", "", f"there is no latency to measure: {why}",
                                   "choose a flowgraph whose blocks pass tags from a source to a sink"))
    total = sum(block["items_out"] or 0 for block in results["blocks"] if block["id"] in sources)
    return float(max(counts) / total)


def behind_warm_up(pairs: Iterable[PairSamples], seconds: float) -> list[PairSamples]:
    """Return the samples without those that were due in the first seconds, because the runner has no warm-up."""
    return [replace(pair, counted=pair.sent_ns >= pair.sent_ns.min() + seconds * 1e9) if len(pair.sent_ns) else pair
            for pair in pairs]
