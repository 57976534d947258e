"""What the templates see of a chain of blocks: its links, the piece of each worker, and the buffers that go round."""

from __future__ import annotations

from weir.engine.generation.cpp import hosted
from weir.engine.generation.cpp.names import unique_identifiers
from weir.engine.generation.cpp.plan_view import FILTERS, plan_view
from weir.engine.targets.interface import Subject
from weir.model.document.item_types import ITEM_TYPES

__all__ = ["FILTERS", "context"]


def context(subject: Subject) -> dict[str, object]:
    plan = subject.plan
    names = unique_identifiers([*(b.instance for b in plan.blocks), *(s.name for s in plan.streams)])
    first = plan.streams[0]
    return {**plan_view(subject), "nodes": list(hosted.blocks(plan, subject.catalog, names)), "names": names,
            "buffers": first.planned_items // first.granule, "buffer_items": first.granule,
            "item": ITEM_TYPES[first.item_type].cpp}
