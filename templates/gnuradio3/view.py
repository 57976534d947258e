"""Template view of a plan under GNU Radio: blocks, connections, and GNU Radio's settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from weir.engine.generation.cpp import hosted
from weir.engine.generation.cpp.names import unique_identifiers
from weir.engine.generation.cpp.plan_view import FILTERS, plan_view
from weir.engine.generation.cpp.views import NodeView
from weir.engine.targets.interface import GenerationInput
from weir.model.document.item_types import ITEM_TYPES
from weir.model.planning.plan import Plan

from . import native

__all__ = ["FILTERS", "context"]

#: Size of a buffer that GNU Radio makes without a request.
_USUAL_BYTES = 65536


def context(subject: GenerationInput) -> dict[str, object]:
    plan = subject.plan
    names = unique_identifiers([*(b.instance for b in plan.blocks), *(s.name for s in plan.streams)])
    nodes = list(hosted.blocks(plan, subject.catalog, names))
    natives = native.natives_of(plan, subject.catalog)
    return {**plan_view(subject, native.volk_kernels(plan, subject.catalog, natives)), "nodes": nodes, "names": names,
            "settings": list(_settings(plan, nodes)),
            "natives": natives, "headers": native.headers(plan, natives), "components": native.components(natives),
            "connects": list(hosted.connects(plan, subject.catalog))}


def _settings(plan: Plan, nodes: list[NodeView]) -> Iterator[Mapping[str, str]]:
    """Yield GNU Radio's settings for the affinity, the buffers and the chunks of the deployment."""
    cpus, streams = {w.name: w.cpus for w in plan.workers}, {s.name: s for s in plan.streams}
    for block, node in zip(plan.blocks, nodes):
        calls, made = [], [streams[it.name] for it in node.streams]
        if own := cpus.get(block.worker or ""):
            calls.append(f"set_processor_affinity({{{', '.join(map(str, own))}}})")
        # GNU Radio offers every output the same number of items, and one item of a buffer always stays free. With fewer
        # than two calls per buffer, the block might never have enough space.
        call = max((stream.granule for stream in made), default=1)
        for port, stream in enumerate(made):
            if requested := stream.requested_items:
                items = max(requested, 2 * call)
                # With a maximum, GNU Radio ignores the minimum, and makes no buffer larger than usual.
                ends = ("min", "max") if items * ITEM_TYPES[stream.item_type].size <= _USUAL_BYTES else ("min",)
                calls += [f"set_{end}_output_buffer({port}, {items})" for end in ends]
        if plan.deployment.chunk_items != "auto":
            calls.append(f"set_max_noutput_items({max(block.chunk_items, call)})")
        for setting in calls:
            yield {"instance": node.instance, "text": f"{node.member}->{setting};"}
