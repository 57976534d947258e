"""What the templates of a C++ target see of a plan: names, types and initialisers, in the order of the source."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from weir.catalog import BlockType, Catalog
from weir.document.item_types import ITEM_TYPES
from weir.generation import cmake
from weir.generation.cpp.values import block_class, parameter_limits, parameter_value, scheduler_class
from weir.generation.cpp.text import comment, cpp_double, cpp_float, cpp_string
from weir.generation.cpp.names import unique_identifiers
from weir.planning.plan import Plan, PlannedBlock, PlannedStream
from weir.targets.interface import Subject

LINE_COLUMNS = 110


@dataclass(frozen=True)
class StreamView:
    """`fields` initialises a weir::StreamSpec; `name` is that of the plan."""

    name: str
    instance: str
    member: str
    comment: str
    cpp_type: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class NodeView:
    """`streams` are the node's output streams, declared before it. `spec`, `parameters`: designated initialisers."""

    instance: str
    member: str
    comment: str
    block_class: str
    spec: tuple[str, ...]
    parameters: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    streams: tuple[StreamView, ...]


@dataclass(frozen=True)
class ParameterView:
    """A parameter that the binary can still change, of all instances of a block. `limits` may be ""."""

    name: str
    instances: tuple[str, ...]
    fields: tuple[str, ...]
    limits: str


def nodes(plan: Plan, catalog: Catalog) -> list[NodeView]:
    names = members(plan)
    writers = {s.name: s for s in plan.streams}
    reads = {reader: s.name for s in plan.streams for reader in s.readers}
    owner_of = plan.owner_of
    views = []
    for block in plan.blocks:
        kind = catalog.blocks[block.type]
        outputs = [f"{block.instance}.{port.id}" for port in kind.outputs]
        views.append(NodeView(
            block.instance, names[block.instance], f"{block.instance}: {block.type} {_where(block)}",
            block_class(kind, block.item_type), tuple(_spec(block, kind)), tuple(_parameters(block, kind)),
            tuple(names[reads[f"{block.instance}.{port.id}"]] for port in kind.inputs),
            tuple(names[name] if name in writers else f"weir::unconnected<{_cpp(port.item_type(block.item_type))}>"
                  for name, port in zip(outputs, kind.outputs)),
            tuple(_stream(writers[name], names, owner_of) for name in outputs if name in writers)))
    return views


def _where(block: PlannedBlock) -> str:
    if block.worker is not None:
        return f"on {block.worker}"
    return "on any worker" if block.job == block.instance else f"in {block.job}"


def members(plan: Plan) -> dict[str, str]:
    """C++ names by instance and by stream. Instances come first: they get the plain names."""
    return unique_identifiers([*(b.instance for b in plan.blocks), *(s.name for s in plan.streams)])


def _cpp(item_type: str) -> str:
    return ITEM_TYPES[item_type].cpp


def _stream(stream: PlannedStream, names: dict[str, str], owner_of: dict[str, str]) -> StreamView:
    fields = [f".name = {cpp_string(stream.name)}", f".items = {stream.planned_items}",
              f".kind = weir::StreamKind::{stream.kind}"]
    if len(stream.readers) > 1:
        fields.append(f".readers = {len(stream.readers)}")
    if stream.granule > 1:
        fields.append(f".granule = {stream.granule}")
    ends = dict.fromkeys(owner_of[end.rpartition(".")[0]] for end in (stream.name, *stream.readers))
    where = f"within {next(iter(ends))}" if stream.kind == "linear" else f"across {', '.join(ends)}"
    return StreamView(stream.name, stream.name.rpartition(".")[0], names[stream.name],
                      f"{stream.name} -> {', '.join(stream.readers)}: {where}",
                      f"weir::Stream<{_cpp(stream.item_type)}>", tuple(fields))


def _spec(block: PlannedBlock, kind: BlockType) -> list[str]:
    fields = [f".name = {cpp_string(block.instance)}", f".index = {block.index}", f".chunk_items = {block.chunk_items}"]
    for key, rates in (("in_rates", block.in_rates), ("out_rates", block.out_rates)):
        if set(rates) - {1}:
            fields.append(f".{key} = {{{', '.join(map(str, rates))}}}")
    if block.probe_granularity:
        fields.append(f".probe_granularity = {block.probe_granularity}")
        if kind.inputs and block.tx_granularity not in (0, block.probe_granularity):
            fields.append(f".tx_granularity = {block.tx_granularity}")
    if block.ends_at_run_items:
        fields.append(".ends_at_run_items = true")
    if kind.inputs:
        fields.append(f".in_ports = {{{', '.join(cpp_string(port.id) for port in kind.inputs)}}}")
    return fields


def _parameters(block: PlannedBlock, kind: BlockType) -> list[str]:
    """Optional parameters that have no value keep what the block's own Params says."""
    owner = block_class(kind, block.item_type)
    return [f".{p.id} = {parameter_value(p, block.parameters[p.id], owner, block.item_type)}"
            for p in kind.parameters if block.parameters.get(p.id) is not None]


def parameters(plan: Plan, catalog: Catalog) -> list[ParameterView]:
    """By block and parameter, in the plan's order."""
    names = members(plan)
    copies: dict[str, list[PlannedBlock]] = {}
    for block in plan.blocks:
        copies.setdefault(block.block, []).append(block)
    return [ParameterView(f"{block_id}.{p.id}", tuple(b.instance for b in blocks),
                          tuple(f"&{names[b.instance]}.block().params.{p.id}" for b in blocks),
                          parameter_limits(p, blocks[0].item_type))
            for block_id, blocks in copies.items()
            for p in catalog.blocks[blocks[0].type].parameters if not p.structural]


def scheduler_parameters(plan: Plan, catalog: Catalog) -> tuple[list[str], list[ParameterView]]:
    """Initialisers of the scheduler's Params, and what the binary can still change. The planner's are in neither."""
    scheduler = catalog.schedulers[plan.scheduler]
    own = [p for p in scheduler.parameters if p.id != scheduler.job_count]
    values, owner = plan.deployment.parameters, scheduler_class(scheduler)
    initialisers = [f".{p.id} = {parameter_value(p, values[p.id], owner, None)}"
                    for p in own if values.get(p.id) is not None]
    return initialisers, [ParameterView(f"scheduler.{p.id}", (), (f"&params.{p.id}",), parameter_limits(p, None))
                          for p in own if not p.structural]


def libraries(subject: Subject) -> list[str]:
    """Names of pkg-config modules that the used blocks need."""
    return sorted({library for block in subject.blocks for library in block.uses})


def wrapped(items: tuple[str, ...] | list[str], indent: int, columns: int = LINE_COLUMNS) -> str:
    """Items separated by commas, as many to a line as fit; the caller has indented the first line."""
    lines, line = [], ""
    for i, item in enumerate(items):
        text = _broken(item, indent, columns) + ("," if i < len(items) - 1 else "")
        if line and indent + len(line) + 1 + len(text) > columns:
            lines.append(line)
            line = ""
        line = f"{line} {text}" if line else text
    return ("\n" + " " * indent).join([*lines, line])


def _broken(item: str, indent: int, columns: int) -> str:
    """`.taps = {…}` over several lines when one does not do."""
    head, brace, numbers = item.partition("{")
    if indent + len(item) < columns or not brace or '"' in item:
        return item
    return head + braced(numbers.removesuffix("}").split(", "), indent, 0)


def braced(items: tuple[str, ...] | list[str], indent: int, room: int) -> str:
    """`{a, b}` on one line when it fits into `room` columns, else a list with the braces on lines of their own."""
    line = "{" + ", ".join(items) + "}"
    if len(line) <= room:
        return line
    inner = indent + 4
    return "{\n" + " " * inner + wrapped(items, inner) + "\n" + " " * indent + "}"


def context(subject: Subject) -> dict[str, object]:
    """All that the templates may use."""
    plan, catalog = subject.plan, subject.catalog
    run, names = plan.run, members(plan)
    scheduler = catalog.schedulers[plan.scheduler]
    initialisers, table = scheduler_parameters(plan, catalog)
    return {
        "plan": plan, "title": subject.project.title, "description": subject.project.description,
        "nodes": nodes(plan, catalog), "parameters": parameters(plan, catalog),
        "blocks": [{"id": b.id, "users": subject.instances_of(b.id)} for b in subject.blocks],
        "libraries": [{"id": name, "users": subject.using(name)} for name in libraries(subject)],
        "flags": subject.words[1:], "build_flags": " ".join(subject.words),
        "scheduler_class": scheduler_class(scheduler), "scheduler_params": initialisers, "scheduler_table": table,
        "tracing": plan.trace.backend != "off",
        # The runtime's seed is unsigned; a negative one of a project is its two's complement.
        "seed": f"{run.seed % 2**64}U",
        "names_of_tasks": ["&" + names[b.instance] for b in plan.blocks],
        "names_of_streams": ["&" + names[s.name] for s in plan.streams],
        "requirements": _strings(plan.deployment.require), "metered": _strings(plan.metered),
        "hops": [{"name": f"{h.src} -> {h.dst}", "ends": (h.src, h.dst), "from": cpp_string(h.src),
                  "to": cpp_string(h.dst), "pipe": -1 if h.pipe is None else h.pipe, "sinks": _strings(h.sinks)}
                 for h in plan.hops],
        "events": _strings(plan.trace.events),
        "workers": [{"id": w.name, "runs": w.instances, "name": cpp_string(w.name),
                     "cpus": [str(cpu) for cpu in w.cpus], "instances": _strings(w.instances)}
                    for w in plan.workers],
        "jobs": [{"id": j.name, "runs": j.instances, "name": cpp_string(j.name), "instances": _strings(j.instances)}
                 for j in plan.jobs],
    }


def _strings(texts: Iterable[str]) -> list[str]:
    return [cpp_string(text) for text in texts]


FILTERS = {"cpp_string": cpp_string, "cpp_double": cpp_double, "cpp_float": cpp_float, "comment": comment,
           "wrapped": wrapped, "braced": braced, "cmake": cmake.quoted}
