"""Template view of a plan under GNU Radio's own program: the flowgraph's text, and what the runner sets and watches."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from weir.engine.targets.interface import GenerationInput
from weir.interop.grc.exporting.exporter import export_project
from weir.interop.grc.exporting.recordings import with_recordings
from weir.interop.grc.exporting.replacing import with_replacements
from weir.interop.grc.exporting.writing import write_grc
from weir.interop.grc.expressions.parsing import NotUnderstood
from weir.interop.grc.importing.variables import Variables
from weir.interop.grc.reading.flowgraph import Flowgraph
from weir.model.check import Checked
from weir.model.flowgraph.replacing import HARDWARE, NOTHING, WIRE
from weir.model.planning.plan import Plan

__all__ = ["context"]


#: Settings of a flowgraph -> those of run.py.
_SIZES = {"minoutbuf": "min_output_buffer", "maxoutbuf": "max_output_buffer"}
_MOST_ITEMS = 2**31


def context(subject: GenerationInput) -> Mapping[str, Any]:
    flow, stated = flowgraph(subject)
    return {"flowgraph": write_grc(flow), "mapping": json.dumps(mapping(subject, flow, stated), indent=1) + "\n"}


def flowgraph(subject: GenerationInput) -> tuple[Flowgraph, Mapping[str, Mapping[str, int]]]:
    """Return the flowgraph with the plan's replacements and whole paths of recordings, without affinity and buffers,
    and the sizes of output buffers that its blocks state.

    The runner sets these on the inner blocks of hierarchical ones: GNU Radio crashes at some hierarchical blocks that
    have an affinity of their own.
    """
    plain = replace(subject.plan.deployment, affinity={}, buffers={})
    checked = Checked(subject.project, None, None, subject.catalog, ())
    exported, stated = _without_buffers(export_project(checked, plain, None).flow)
    options = replace(exported.options, parameters={**exported.options.parameters, "id": "flowgraph"})
    names = names_of(subject)
    replaced = {names[it.instance]: it for it in subject.plan.replaced}
    flow = with_replacements(replace(exported, options=options), replaced,
                             HARDWARE in subject.plan.deployment.replace)
    return with_recordings(flow, subject.project.directory), stated


def mapping(subject: GenerationInput, flow: Flowgraph, stated: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """Return the settings of the blocks by their names in the flowgraph, for run.py. The buffer of a source with a
    throttle is the throttle's.
    """
    plan, names, workers = subject.plan, names_of(subject), {it.name: it for it in subject.plan.workers}
    buffers, chunk = _buffers(plan), plan.deployment.chunk_items
    blocks: dict[str, dict[str, Any]] = {}
    held = {names[it.instance] for it in plan.replaced if it.rate}
    throttles = {c.src: c.dst for c in flow.connections if c.src in held}
    absent = {it.instance for it in plan.replaced if it.by in (WIRE, NOTHING)}
    for block in (it for it in plan.blocks if it.instance not in absent):
        own: dict[str, Any] = {}
        worker = workers.get(block.worker or "")
        if worker and worker.requested is not None:
            own["affinity"] = list(worker.cpus)
        if worker and worker.scheduling.policy == "fifo":
            own["priority"] = worker.scheduling.priority
        name = names[block.instance]
        items = buffers.get(block.instance)
        sizes = dict.fromkeys(_SIZES.values(), items) if items else dict(stated.get(name, {}))
        if sizes and name not in throttles:
            own |= sizes
        elif sizes:
            blocks[throttles[name]] = sizes
        if chunk != "auto":
            own["max_noutput_items"] = int(chunk)
        if own:
            blocks[name] = own
    return {"probe_granularity": plan.trace.planned_granularity, "blocks": blocks}


def names_of(subject: GenerationInput) -> dict[str, str]:
    """Return instance -> name in the flowgraph."""
    stored = {entry["id"]: entry["gnuradio"]["name"] for entry in subject.project.document["graph"]["blocks"]
              if "gnuradio" in entry}
    return {block.instance: stored[block.block] for block in subject.plan.blocks}


def _without_buffers(flow: Flowgraph) -> tuple[Flowgraph, dict[str, dict[str, int]]]:
    """Return the flowgraph without sizes of output buffers, and these. What only GNU Radio can evaluate stays."""
    names = Variables(flow).namespace
    found: dict[str, dict[str, int]] = {}
    blocks = []
    for block in flow.blocks:
        taken: dict[str, str] = {}
        for key, option in _SIZES.items():
            try:
                items = names.text_value(block.parameters.get(key, "") or "0")
            except NotUnderstood:
                continue
            if isinstance(items, int) and 0 < items < _MOST_ITEMS:
                found.setdefault(block.name, {})[option] = items
                taken[key] = "0"
        blocks.append(replace(block, parameters={**block.parameters, **taken}) if taken else block)
    return replace(flow, blocks=tuple(blocks)), found


def _buffers(plan: Plan) -> dict[str, int]:
    """Return instance -> requested items of its output buffers, the largest of several."""
    found: dict[str, int] = {}
    for stream in plan.streams:
        if stream.requested_items:
            owner = stream.name.rpartition(".")[0]
            found[owner] = max(found.get(owner, 0), stream.requested_items)
    return found
