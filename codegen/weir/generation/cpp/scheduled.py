"""A flowgraph whose schedule was made beforehand: arenas, places, fired blocks, and each worker's loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from weir.catalog import Catalog
from weir.document.item_types import ITEM_TYPES
from weir.generation.cpp.columns import about_stream, node_spec, stream_spec, values
from weir.generation.cpp.names import unique_identifiers
from weir.generation.cpp.text import cpp_string
from weir.generation.cpp.values import block_class, parameter_limits
from weir.generation.cpp.views import ParameterView
from weir.planning.plan import Plan, PlannedStream
from weir.planning.schedule import Fire, Loop
from weir.planning.schedule_check import arenas


@dataclass(frozen=True)
class WireView:
    """A place in an arena, or a ring. `fields` initialises a PlaceSpec or a StreamSpec, behind `before`."""

    name: str
    instance: str
    member: str
    comment: str
    cpp_type: str
    before: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class FiredView:
    """`wires`: its outputs, declared before it. `inputs`, `outputs`: types of the ports; `ins`, `outs`: what they get."""

    instance: str
    member: str
    comment: str
    block_class: str
    spec: tuple[str, ...]
    values: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    ins: tuple[str, ...]
    outs: tuple[str, ...]
    wires: tuple[WireView, ...]
    parameters: tuple[ParameterView, ...]


@dataclass(frozen=True)
class SectionView:
    """`lines`: of the period, without the indentation of the function."""

    worker: str
    runs: tuple[str, ...]
    member: str
    fired: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class ScheduleView:
    """`arenas`: member and bytes. `places`: members. `sections`: in the order of the plan's workers."""

    arenas: tuple[tuple[str, int], ...]
    fired: tuple[FiredView, ...]
    sections: tuple[SectionView, ...]
    places: tuple[str, ...]


def view_of(plan: Plan, catalog: Catalog) -> ScheduleView | None:
    """None for a plan without a schedule."""
    if plan.schedule is None:
        return None
    names, sizes = _names(plan), arenas(plan.streams)
    bodies = {section.worker: section.body for section in plan.schedule.sections}
    return ScheduleView(
        tuple((names["arena", w.name], sizes[w.name]) for w in plan.workers if w.name in sizes),
        tuple(_fired(plan, catalog, names)),
        tuple(SectionView(w.name, w.instances, names["section", w.name], tuple(names[name] for name in w.instances),
                          tuple(_lines(bodies[w.name], names, 0))) for w in plan.workers),
        tuple(names[s.name] for s in plan.streams if s.arena is not None))


def _names(plan: Plan) -> dict[object, str]:
    """C++ names of instances, streams, arenas and sections. Instances come first: they get the plain names."""
    own = {f"{kind} {w.name}": (kind, w.name) for kind in ("arena", "section") for w in plan.workers}
    found = unique_identifiers([*(b.instance for b in plan.blocks), *(s.name for s in plan.streams), *own])
    return {own.get(text, text): name for text, name in found.items()}


def _fired(plan: Plan, catalog: Catalog, names: dict) -> Iterator[FiredView]:
    streams, owner_of = {s.name: s for s in plan.streams}, plan.owner_of
    reads = {reader: (s, number) for s in plan.streams for number, reader in enumerate(s.readers)}
    for block in plan.blocks:
        kind = catalog.blocks[block.type]
        ports = [(f"{block.instance}.{port.id}", ITEM_TYPES[port.item_type(block.item_type)].cpp)
                 for port in kind.outputs]
        inputs = [reads[f"{block.instance}.{port.id}"] for port in kind.inputs]
        yield FiredView(
            block.instance, names[block.instance], f"{block.instance}: {block.type} on {block.worker}",
            block_class(kind, block.item_type), _initialisers(node_spec(block, kind)), values(block, kind),
            tuple(_port("In", stream) for stream, _ in inputs),
            tuple(_port("Out", streams[name]) if name in streams else f"weir::Dropped<{cpp}>" for name, cpp in ports),
            tuple(_from(names[stream.name], stream, number) for stream, number in inputs),
            tuple(names[name] if name in streams else f"weir::Dropped<{cpp}>()" for name, cpp in ports),
            tuple(_wire(streams[name], names, owner_of) for name, _ in ports if name in streams),
            tuple(ParameterView(f"{block.block}.{p.id}", (block.instance,),
                                f"{names[block.instance]}.block().params.{p.id}", parameter_limits(p, block.item_type))
                  for p in kind.parameters if not p.structural))


def _initialisers(fields: dict[str, str]) -> tuple[str, ...]:
    return tuple(f".{key} = {text}" for key, text in fields.items())


def _cpp(stream: PlannedStream) -> str:
    return ITEM_TYPES[stream.item_type].cpp


def _port(side: str, stream: PlannedStream) -> str:
    return f"weir::Ring{side}<{_cpp(stream)}>" if stream.arena is None else f"weir::Place{side}<{_place(stream)}>"


def _place(stream: PlannedStream) -> str:
    return f"weir::Place<{_cpp(stream)}, {len(stream.readers)}>"


def _from(member: str, stream: PlannedStream, number: int) -> str:
    return f"weir::PlaceIn({member}, {number})" if stream.arena is not None and len(stream.readers) > 1 else member


def _wire(stream: PlannedStream, names: dict, owner_of: Mapping[str, str]) -> WireView:
    instance, member, comment = stream.name.rpartition(".")[0], names[stream.name], about_stream(stream, owner_of)
    if stream.arena is None:
        return WireView(stream.name, instance, member, comment, f"weir::Stream<{_cpp(stream)}>", "",
                        _initialisers(stream_spec(stream)))
    return WireView(stream.name, instance, member, comment, _place(stream),
                    names["arena", stream.arena] + ", ", _initialisers({
                        "name": cpp_string(stream.name), "offset": str(stream.offset),
                        "items": str(stream.planned_items),
                        "readers": f"weir::ports<{', '.join(map(cpp_string, stream.readers))}>"}))


def _lines(body: Iterable[Fire | Loop], names: dict, depth: int) -> Iterator[str]:
    indent = "    " * depth
    for step in body:
        if isinstance(step, Fire):
            yield f"{indent}if (!{names[step.instance]}.fire(at, {step.times})) return;"
        else:
            count = f"pass_{depth}_"  # no member ends in an underscore
            yield f"{indent}for (int {count} = 0; {count} != {step.times}; ++{count}) {{"
            yield from _lines(step.body, names, depth + 1)
            yield indent + "}"
