"""Placement `auto`: block -> worker such that the busiest worker has the least to do, by the costs of blocks and cuts.

`cutting` finds the pieces. The cost of a cut depends on sizes that are planned only for a known placement. So Weir
plans twice: first with the deployment's chunk, or a quarter of the ring of a worker with one ring, then with the chunks
of the placement found. Among both placements, the even cut, and one worker for all, Weir takes the plan with the
highest predicted rate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from weir.model.document.deployment import Placement
from weir.model.document.item_types import ITEM_TYPES
from weir.model.planning.chunking import CHUNKS_A_RING, Chunking
from weir.model.planning.costs import Costs
from weir.model.planning.cutting import Charge, Load, share_out
from weir.model.planning.placement import contiguous, place, worker_count
from weir.model.planning.planner import Arrangement, NoPlan, Request
from weir.model.planning.prediction import footprints, predict
from weir.model.planning.probes import metered
from weir.model.planning.sizing import plan_chunks, plan_streams


def balanced(request: Request, plan: Callable[[Request], Arrangement] | None = None) -> dict[str, str]:
    """Return worker by instance, for at most the requested number of workers and the number of CPUs.

    `plan`: plan function of a planner with its own cost of calls and its own streams in registers.
    """
    graph, machine, scheduler = request.graph, request.machine, request.scheduler
    most = max(1, min(worker_count(request.deployment, scheduler, machine), len(machine.allowed)))
    first = share_out(graph, load_of(request), most)
    if most == 1:
        return first
    rate, sizes = _planned(request, first, plan)
    found = [(rate, first)]
    for other in (share_out(graph, load_of(request, sizes), most), contiguous(graph, [f"w{w}" for w in range(most)]),
                  dict.fromkeys(graph.by_name, "w0")):
        if all(other != worker_of for _, worker_of in found):
            found.append((_planned(request, other, plan)[0], other))
    return max(found, key=lambda one: one[0])[1]


@dataclass(frozen=True)
class _Sizes:
    """Items of a chunk, and bytes of the other buffers, by instance."""

    chunks: Mapping[str, int]
    beside: Mapping[str, int]


def _planned(request: Request, worker_of: Mapping[str, str],
             plan: Callable[[Request], Arrangement] | None) -> tuple[float, _Sizes]:
    """Return the predicted rate under a placement, and the planned sizes."""
    graph, deployment, machine = request.graph, request.deployment, request.machine
    workers = place(graph, deployment, request.scheduler, machine, worker_of)
    streams = plan_streams(graph, request.rates, workers, [], deployment, machine)
    chunks = plan_chunks(graph, request.rates, streams, deployment)
    sizes = _Sizes(chunks, footprints(graph, streams))
    if plan is None:
        return predict(_costs(request), streams, chunks, workers, []).items_per_s, sizes
    placed = replace(deployment, placement=Placement("explicit", dict(worker_of)))
    try:
        made = plan(replace(request, deployment=placed))
    except NoPlan:
        return 0.0, sizes
    return predict(_costs(request), made.streams, made.offered(request.rates), made.workers, ()).items_per_s, sizes


def _costs(request: Request) -> Costs:
    return Costs(request.graph, request.rates, request.machine, metered(request.graph), request.profile)


def load_of(request: Request, sizes: _Sizes | None = None) -> Load:
    """Return the costs of a request's graph, from the profile if it has them, else assumed."""
    graph, wanted, costs = request.graph, request.deployment.chunk_items, _costs(request)
    quarter = Chunking(request.machine).ring_bytes(1, False) // CHUNKS_A_RING
    ends: dict[tuple[str, str], set[str]] = defaultdict(set)
    streams: dict[str, list[tuple[str, str]]] = defaultdict(list)
    size: dict[str, int] = {}
    for edge in graph.edges:
        key = (edge.src, edge.src_port)
        for name in (edge.src, edge.dst):
            if name == edge.dst or edge.src not in ends[key]:
                streams[name].append(key)
            size[name] = max(size.get(name, 1), ITEM_TYPES[edge.item_type].size)
        ends[key] |= {edge.src, edge.dst}
    own, charges = {}, []
    for i in graph.instances:
        firing = max(request.rates.inputs[i.name] + request.rates.outputs[i.name], default=1)
        chunk = max(firing, quarter // size.get(i.name, 1) if wanted == "auto" else int(wanted))
        chunk, beside = (sizes.chunks[i.name], sizes.beside.get(i.name, quarter)) if sizes else (chunk, quarter)
        own[i.name] = costs.own_ns(i, chunk, beside)
        ring = costs.ring_ns(i, chunk)
        charges += [Charge(i.name, frozenset(ends[key]), ring) for key in streams[i.name]]
        charges += [Charge(i.name, frozenset((edge.src, edge.dst)), costs.far_ns(edge, beside))
                    for edge in graph.into[i.name]]
    return Load(own, charges)
