"""Number of items that a complete run brings to each sink, by rates and bounds, like `expected_items` of the runtime.

A generated program computes this from its blocks (runtime/src/expected.cpp). For other programs, Weir computes it here
from the flowgraph alone. A source that may end by itself, such as a file, makes the number unknown.
"""

from __future__ import annotations

from typing import Any, cast

from weir.model.flowgraph.graph import Graph, Instance
from weir.model.flowgraph.rates import Rates
from weir.model.planning.placement import is_head
from weir.model.planning.probes import ends_at_run_items
from weir.sure import sure

_ENDLESS = float("inf")


def expected_items(graph: Graph, rates: Rates, run_items: int) -> dict[str, int | None]:
    """Return the number of items by sink; None if the stream is endless, or if the flowgraph does not determine its
    end.

    `run_items`: items requested of each source or head, 0 for no limit.
    """
    inputs = {(e.dst, e.dst_port): (e.src, e.src_port) for e in graph.edges}
    carried: dict[tuple[str, str], float | None] = {}
    found: dict[Any, Any] = {}
    at_run_items = ends_at_run_items(graph)
    for it in graph.instances:
        firings = _own_firings(it, rates, run_items, it.name in at_run_items)
        for port, rate in zip(it.type.inputs, rates.inputs[it.name]):
            arriving = carried.get(cast(Any, inputs.get((it.name, port.id))), _ENDLESS)
            # An unknown end makes all ends behind it unknown, because a known end may be the later one.
            firings = None if firings is None or arriving is None else min(firings, arriving // rate)
        for port, rate in zip(it.type.outputs, rates.outputs[it.name]):
            carried[it.name, port.id] = None if firings is None else firings * rate
        if it.type.is_sink:
            known = firings is not None and firings != _ENDLESS
            found[it.name] = int(sure(firings)) * rates.inputs[it.name][0] if known else None
    return found


def _own_firings(it: Instance, rates: Rates, run_items: int, at_run_items: bool) -> float | None:
    """Return the firings that the block's own bound allows, counted at its first output; None if the bound is unknown.
    """
    bound = _ENDLESS
    if is_head(it):
        bound = int(it.parameters[str(it.type.behaviour["bounds"])]) or run_items or _ENDLESS
    elif it.type.rates == "until_end":
        return None
    elif at_run_items and run_items:
        bound = run_items
    own_rate = (rates.outputs[it.name] or rates.inputs[it.name])[0]
    return bound if bound == _ENDLESS else bound // own_rate
