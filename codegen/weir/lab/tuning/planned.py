"""What of a plan tells two deployments apart to who looks: who runs what, and in which sizes."""

from __future__ import annotations

from collections.abc import Iterable

from weir.model.planning.plan import Plan


def planned(plan: Plan | None) -> dict[str, object] | None:
    """What the answer has of a plan; None without one."""
    if plan is None:
        return None
    return {"scheduler": plan.scheduler, "wait": plan.wait,
            "workers": [{"name": worker.name, "instances": list(worker.instances)} for worker in plan.workers],
            "chunk_items": _span(block.chunk_items for block in plan.blocks),
            "ring_items": _span(stream.planned_items for stream in plan.streams if stream.kind == "ring")}


def _span(items: Iterable[int]) -> list[int] | None:
    """The least and the most; None of nothing."""
    known = list(items)
    return [min(known), max(known)] if known else None
