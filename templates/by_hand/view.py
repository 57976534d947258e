"""Template view of chains of blocks: their connections, the parts of each worker, and the buffers."""

from __future__ import annotations

from weir.engine.generation.cpp import hosted
from weir.engine.generation.cpp.names import unique_identifiers
from weir.engine.generation.cpp.plan_view import FILTERS, plan_view
from weir.engine.targets.interface import GenerationInput
from weir.model.document.item_types import ITEM_TYPES
from weir.model.planning.plan import Plan

__all__ = ["FILTERS", "context"]


def context(subject: GenerationInput) -> dict[str, object]:
    plan = subject.plan
    names = unique_identifiers([*(b.instance for b in plan.blocks), *(s.name for s in plan.streams)])
    return {**plan_view(subject), "nodes": list(hosted.blocks(plan, subject.catalog, names)), "names": names,
            "pieces": {worker.name: _pieces(worker.instances, plan) for worker in plan.workers},
            "round": _round(plan) if "chain" in subject.catalog.schedulers[plan.scheduler].requires else None}


def _pieces(instances: tuple[str, ...], plan: Plan) -> list[list[str]]:
    """Return a worker's parts of the chains, each as a list of consecutive blocks."""
    behind = {s.name.rpartition(".")[0]: s.readers[0].rpartition(".")[0] for s in plan.streams}
    own = set(instances)
    fed = {behind[name] for name in own if name in behind}
    pieces = [[name] for name in instances if name not in fed]
    for piece in pieces:
        while (name := behind.get(piece[-1], "")) in own:
            piece.append(name)
    return pieces


def _round(plan: Plan) -> dict[str, object]:
    """Return the number, size and item type of the circulating buffers."""
    first = plan.streams[0]
    return {"buffers": first.planned_items // first.granule, "buffer_items": first.granule,
            "item": ITEM_TYPES[first.item_type].cpp}
