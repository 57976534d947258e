"""Convert the threads, buffers and run lengths of a flowgraph into deployments of a project."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, cast

from weir.interop.grc.expressions.parsing import NotUnderstood
from weir.interop.grc.expressions.values import as_number
from weir.interop.grc.importing.parts import Built, Part
from weir.interop.grc.importing.variables import Variables
from weir.interop.grc.importing.wires import Wire
from weir.interop.grc.reading.flowgraph import Flowgraph, GrcBlock
from weir.interop.grc.report import Report
from weir.model.document import expressions as ours

_ITEMS, _SECONDS, _FEWEST, _TIMEOUT_S = 50_000_000, 3, 1000, 60
_LAST_CPU, _MOST_ITEMS = 4095, 2**40
_IDLE = ("", "None", "[]", "()")
Value = TypeVar("Value", int, list[int])


def deployments(flow: Flowgraph, made: Mapping[str, Built], ids: Mapping[tuple[str, str], str],
                wires: list[Wire], variables: Variables, report: Report) -> list[dict[str, Any]]:
    """Return a deployment like GNU Radio, with a thread for each block and its affinities and buffers, and two others
    for comparison. Blocks that GNU Radio runs keep their buffers as parameters. Connections of GNU Radio 4 state the
    sizes of their buffers.
    """
    affinity: dict[str, list[int]] = {}
    buffers: dict[str, dict[str, int]] = {}
    blocks = flow.by_name
    running = {ids[name, part.name] for name, built in made.items() if blocks[name].state != "disabled"
               for part in built.parts}
    for name, built in made.items():
        block = blocks[name]
        own = [ids[name, part.name] for part in built.parts]
        if block.state != "enabled":
            continue
        cpus = _cpus(block, variables, report)
        affinity |= {instance: cpus for instance in own if cpus}
        items = 0 if any(part.gnuradio for part in built.parts) else _buffer(block, variables, report)
        streams = {port for _, port in built.outputs.values()}  # messages have no buffers
        if items and streams:
            buffers |= {f"{a}.{p}->{b}.{q}": {"items": items} for a, p, b, q in (wire.ends for wire in wires)
                        if a in own and p in streams and b not in own and b in running}
    for wire in wires:
        a, p, b, q = wire.ends
        sizes = [int(cast(int, flow.connections[i].extra.get("buffer", 0))) for i in wire.via] if flow.is_gr4 else []
        if 0 < max(sizes, default=0) <= _MOST_ITEMS and {a, b} <= running:
            buffers[f"{a}.{p}->{b}.{q}"] = {"items": max(sizes)}
    first: dict[str, Any] = {"name": "thread_per_block", "scheduler": "thread_per_block"}
    if affinity:
        first["affinity"] = affinity
    if buffers:
        first["buffers"] = buffers
    first["wait"] = "park"
    # While no item is due, spinning workers would keep both CPUs busy.
    parked = {"wait": "park"} if _kept_rates(made, variables) else {}
    return [first,
            {"name": "flow", "scheduler": "flow", "workers": 2, "placement": {"strategy": "contiguous"}, **parked},
            {"name": "single_thread", "scheduler": "single_thread"}]


def _cpus(block: GrcBlock, variables: Variables, report: Report) -> list[int]:
    def listed(value: object) -> list[int] | None:
        cpus = [as_number(v) for v in (value if isinstance(value, list) else [value])]
        known = {cpu for cpu in cpus if isinstance(cpu, int) and 0 <= cpu <= _LAST_CPU}
        return sorted(known) if known.issuperset(cpus) else None

    return _requested(block, "affinity", listed, "list of CPUs", variables, report) or []


def _buffer(block: GrcBlock, variables: Variables, report: Report) -> int:
    """Return the items for the buffers of its outputs: the largest allowed number, else the smallest requested one."""
    def counted(value: object) -> int | None:
        items = as_number(value)
        return items if isinstance(items, int) and 0 <= items <= _MOST_ITEMS else None

    most, least = (_requested(block, key, counted, "number of items", variables, report) or 0
                   for key in ("maxoutbuf", "minoutbuf"))
    if most and least and most != least:
        report.add("replaced", "setting", f"{block.name}.minoutbuf", reason="Weir's buffers have one size, maxoutbuf")
    return most or least


def _requested(block: GrcBlock, key: str, read: Callable[[object], Value | None], what: str, variables: Variables,
               report: Report) -> Value | None:
    """Return a setting of the flowgraph. None if it is missing or is not a `what`; the latter is reported."""
    text = block.parameters.get(key, "").strip()
    if text in _IDLE:
        return None
    try:
        found = read(variables.namespace.text_value(text))
        why = f" is no {what}"
    except NotUnderstood as error:
        found, why = None, f": {error}"
    if found is None:
        report.add("dropped", "setting", f"{block.name}.{key}", reason=f"`{text[:60]}`{why}")
    return found


def run_settings(made: Mapping[str, Built], variables: Variables) -> dict[str, Any]:
    """Return items for a few seconds at the slowest paced rate, or a round number if no block is paced."""
    kept = _kept_rates(made, variables)
    items = min(_ITEMS, max(_FEWEST, int(_SECONDS * min(kept)))) if kept else _ITEMS
    return {"items": items, "seed": 1, "timeout_s": _TIMEOUT_S}


def _kept_rates(made: Mapping[str, Built], variables: Variables) -> list[int | float]:
    """Return the rates of throttles and paced sources."""
    rates = [_number(part.parameters["rate"], variables) for built in made.values() for part in built.parts
             if part.type in ("throttle", "paced_source") and "rate" in part.parameters]
    return [rate for rate in rates if rate and rate > 0]


def slowest(keepers: Iterable[tuple[str, Part]], variables: Variables) -> tuple[str, Part] | None:
    """Return the one of these parts that keeps the lowest rate, which sets the run's items too."""
    rates = ((_number(part.parameters["rate"], variables), name, part) for name, part in keepers)
    known = [(rate, name, part) for rate, name, part in rates if rate and rate > 0]
    return min(known, key=lambda it: it[0])[1:] if known else None


def _number(value: object, variables: Variables) -> int | float | None:
    if isinstance(value, dict):
        return ours.evaluate(value["expr"], variables.numbers)
    return value if isinstance(value, (int, float)) else None
