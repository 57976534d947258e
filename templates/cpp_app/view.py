"""Template view of a plan for the C++ target: names, types and initialisers, in the order of the source."""

from __future__ import annotations

from weir.engine.generation.cpp.plan_view import FILTERS, plan_view
from weir.engine.generation.cpp.scheduled import view_of
from weir.engine.generation.cpp.structs import source_of
from weir.engine.generation.cpp.views import Source
from weir.engine.targets.interface import GenerationInput

__all__ = ["FILTERS", "context"]


def context(subject: GenerationInput) -> dict[str, object]:
    """Return the names that templates can use."""
    plan, catalog = subject.plan, subject.catalog
    groups = subject.project.document["graph"].get("groups", ())
    source = Source() if plan.schedule else source_of(plan, groups, catalog)
    return {**plan_view(subject), "structs": source.structs, "tables": source.tables,
            "schedule": view_of(plan, catalog)}
