"""What a flowgraph says about threads and buffers, as deployments of a project; and how much a run of it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weir.interop.grc.expressions.parsing import NotUnderstood
from weir.interop.grc.expressions.values import as_number
from weir.interop.grc.importing.building import Built
from weir.interop.grc.importing.variables import Variables
from weir.interop.grc.importing.wires import Wire
from weir.interop.grc.reading.flowgraph import GrcBlock
from weir.interop.grc.report import Report
from weir.model.document import expressions as ours

_ITEMS, _SECONDS, _FEWEST, _TIMEOUT_S = 50_000_000, 3, 1000, 60
_LAST_CPU, _MOST_ITEMS = 4095, 2**40
_IDLE = ("", "0", "None", "[]", "()")


def deployments(blocks: Mapping[str, GrcBlock], made: Mapping[str, Built], ids: Mapping[tuple[str, str], str],
                wires: list[Wire], variables: Variables, report: Report) -> list[dict[str, Any]]:
    """GNU Radio's own way, a thread for each block, with its affinities and buffers; and two others to compare."""
    affinity: dict[str, list[int]] = {}
    buffers: dict[str, dict[str, int]] = {}
    for name, built in made.items():
        block = blocks[name]
        own = [ids[name, part.name] for part in built.parts]
        if block.state != "enabled":
            continue
        cpus = _cpus(block, variables, report)
        affinity |= {instance: cpus for instance in own if cpus}
        items = _buffer(block, variables, report)
        if items and built.outputs:
            buffers |= {f"{a}.{p}->{b}.{q}": {"items": items} for a, p, b, q in (wire.ends for wire in wires)
                        if a in own and b not in own}
    first: dict[str, Any] = {"name": "thread_per_block", "scheduler": "thread_per_block"}
    if affinity:
        first["affinity"] = affinity
    if buffers:
        first["buffers"] = buffers
    first["wait"] = "park"
    # While nothing is due, workers that spin would take both CPUs.
    parked = {"wait": "park"} if _kept_rates(made, variables) else {}
    return [first,
            {"name": "flow", "scheduler": "flow", "workers": 2, "placement": {"strategy": "contiguous"}, **parked},
            {"name": "single_thread", "scheduler": "single_thread"}]


def _cpus(block: GrcBlock, variables: Variables, report: Report) -> list[int]:
    text = block.parameters.get("affinity", "").strip()
    if text in ("", "None", "[]", "()"):
        return []
    try:
        value = variables.namespace.text_value(text)
        cpus = [as_number(v) for v in (value if isinstance(value, list) else [value])]
    except NotUnderstood as error:
        report.add("dropped", "setting", f"{block.name}.affinity", reason=f"`{text[:60]}`: {error}")
        return []
    known = [cpu for cpu in cpus if isinstance(cpu, int) and 0 <= cpu <= _LAST_CPU]
    if len(known) == len(cpus):
        return sorted(set(known))
    report.add("dropped", "setting", f"{block.name}.affinity", reason=f"`{text[:60]}` is no list of CPUs")
    return []


def _buffer(block: GrcBlock, variables: Variables, report: Report) -> int:
    """Items for the buffers of its outputs: the largest that it allows, else the smallest that it asks for."""
    sizes = {}
    for key in ("maxoutbuf", "minoutbuf"):
        text = block.parameters.get(key, "").strip()
        if text in _IDLE:
            continue
        try:
            items = as_number(variables.namespace.text_value(text))
        except NotUnderstood as error:
            report.add("dropped", "setting", f"{block.name}.{key}", reason=f"`{text[:60]}`: {error}")
            continue
        if isinstance(items, int) and 0 < items <= _MOST_ITEMS:
            sizes[key] = items
        elif items != 0:
            report.add("dropped", "setting", f"{block.name}.{key}", reason=f"`{text[:60]}` is no number of items")
    if len(sizes) == 2 and sizes["minoutbuf"] != sizes["maxoutbuf"]:
        report.add("replaced", "setting", f"{block.name}.minoutbuf", reason="a buffer has one size here, maxoutbuf")
    return sizes.get("maxoutbuf") or sizes.get("minoutbuf", 0)


def run_settings(made: Mapping[str, Built], variables: Variables) -> dict[str, Any]:
    """Items for a few seconds at the slowest rate that something keeps, or a round number where nothing does."""
    kept = _kept_rates(made, variables)
    items = min(_ITEMS, max(_FEWEST, int(_SECONDS * min(kept)))) if kept else _ITEMS
    return {"items": items, "seed": 1, "timeout_s": _TIMEOUT_S}


def _kept_rates(made: Mapping[str, Built], variables: Variables) -> list[int | float]:
    """Those that a throttle or a paced source keeps."""
    rates = [_number(part.parameters["rate"], variables) for built in made.values() for part in built.parts
             if part.type in ("throttle", "paced_source") and "rate" in part.parameters]
    return [rate for rate in rates if rate and rate > 0]


def _number(value: object, variables: Variables) -> int | float | None:
    if isinstance(value, dict):
        return ours.evaluate(value["expr"], variables.numbers)
    return value if isinstance(value, (int, float)) else None
