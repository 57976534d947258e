"""Specs of blocks and streams as C++, and the fields that differ between copies as columns of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from weir.engine.generation.cpp.names import untaken
from weir.engine.generation.cpp.text import cpp_string
from weir.engine.generation.cpp.values import block_class, instantiated_class, parameter_limits, parameter_value
from weir.engine.generation.cpp.views import NodeView, ParameterView, Row
from weir.model.catalog import BlockType
from weir.model.planning.plan import Plan, PlannedBlock, PlannedStream

_INDEX = "std::uint32_t"
#: Fields of both specs in the order that C++ requires, each with its type as a column and its default. Copies of a
#: block have the same ports, so ports never become a column.
_FIELDS = {"name": ("std::string_view", '""'), "index": (_INDEX, "0"), "chunk_items": ("std::size_t", "4096"),
           "in_rates": (f"std::span<const {_INDEX}>", "{}"), "out_rates": (f"std::span<const {_INDEX}>", "{}"),
           "probe_granularity": ("std::uint64_t", "0"), "tx_granularity": ("std::uint64_t", "0"),
           "ends_at_run_items": ("bool", "false"), "in_place": ("bool", "false"), "in_ports": ("", ""),
           "items": ("std::size_t", "0"), "kind": ("weir::StreamKind", ""), "readers": ("std::size_t", "1"),
           "granule": ("std::size_t", "1"), "least": ("std::size_t", "0")}


class Columns:
    """Fields that differ between the copies of one part."""

    def __init__(self) -> None:
        self.types: list[tuple[str, str]] = []
        self.values: list[Sequence[str]] = []
        self.taken: set[str] = set()   # column names, to avoid duplicates
        # Parts within the part: the column, the number of copies in each copy, and a function for their rows.
        self.tables: list[tuple[tuple[str, str], int, Callable[[int], tuple[Row, ...]]]] = []

    @property
    def columns(self) -> list[tuple[str, str]]:
        """Return types and names of the columns: cells first, then tables."""
        return self.types + [column for column, _, _ in self.tables]

    def cells(self, member: str, copies: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
        """Return designated initialisers: a constant if all copies are equal, else a column of the row.

        Raises KeyError for an unknown field, which would otherwise be dropped silently.
        """
        found = []
        given = set().union(*copies)
        if unknown := given - _FIELDS.keys():
            raise KeyError(f"not among the fields of a spec: {', '.join(sorted(unknown))}")
        for key in (key for key in _FIELDS if key in given):
            kind, default = _FIELDS[key]
            texts = [copy.get(key, default) for copy in copies]
            if len(set(texts)) > 1:
                column = untaken(f"{member}_{key}", self.taken)
                self.types.append((kind, column))
                self.values.append(texts)
                texts = [f"row.{column}"]
            found.append(f".{key} = {texts[0]}")
        return tuple(found)


def stream_spec(stream: PlannedStream) -> dict[str, str]:
    """Return the fields of a stream's spec in C++."""
    fields = {"name": cpp_string(stream.name), "items": str(stream.planned_items),
              "kind": f"weir::StreamKind::{stream.kind}"}
    if len(stream.readers) > 1:
        fields["readers"] = str(len(stream.readers))
    if stream.granule > 1:
        fields["granule"] = str(stream.granule)
    if stream.least_items is not None:
        fields["least"] = str(stream.least_items)
    return fields


def about_stream(stream: PlannedStream, owner_of: Mapping[str, str]) -> str:
    """Return a comment with the stream's ends and its storage."""
    ends = dict.fromkeys(owner_of[end.rpartition(".")[0]] for end in (stream.name, *stream.readers))
    where = ("in registers" if stream.kind == "register" else
             f"in the arena of {stream.arena}" if stream.arena is not None else
             f"over {stream.over}" if stream.over is not None else
             f"within {next(iter(ends))}" if len(ends) == 1 else f"across {', '.join(ends)}")
    return f"{stream.name} -> {', '.join(stream.readers)}: {where}"


def node_spec(block: PlannedBlock, kind: BlockType, in_place: bool = False) -> dict[str, str]:
    """Return the fields of a node's spec in C++."""
    fields = {"name": cpp_string(block.instance), "index": str(block.index), "chunk_items": str(block.chunk_items)}
    for key, rates in (("in_rates", block.in_rates), ("out_rates", block.out_rates)):
        if set(rates) - {1}:
            fields[key] = f"weir::rates<{', '.join(map(str, rates))}>"
    if block.probe_granularity:
        fields["probe_granularity"] = str(block.probe_granularity)
        if kind.inputs and block.tx_granularity not in (0, block.probe_granularity):
            fields["tx_granularity"] = str(block.tx_granularity)
    if block.ends_at_run_items:
        fields["ends_at_run_items"] = "true"
    if in_place:
        fields["in_place"] = "true"
    if kind.inputs:
        fields["in_ports"] = ports(port.id for port in kind.inputs)
    return fields


def values(block: PlannedBlock, kind: BlockType) -> tuple[str, ...]:
    """Return initialisers of a block's parameters. Unset optional ones keep the default of the block's Params."""
    owner = block_class(kind, block.item_type)
    return tuple(f".{p.id} = {parameter_value(p, block.parameters[p.id], owner, block.item_type)}"
                 for p in kind.parameters if block.parameters.get(p.id) is not None)


def node_view(block: PlannedBlock, kind: BlockType, plan: Plan, member: str, instances: tuple[str, ...] = (),
              **more: Any) -> NodeView:
    """Return the view of a block, or of the first of its copies `instances`.

    `more` has the fields that depend on the block's place.
    """
    instances = instances or (block.instance,)
    return NodeView(
        instances, member, block.type, block_class=instantiated_class(kind, block.item_type, plan),
        values=values(block, kind), parameters=tuple(
            ParameterView(f"{block.block}.{p.id}", instances, f"{member}.block().params.{p.id}",
                          parameter_limits(p, block.item_type)) for p in kind.parameters if not p.structural), **more)


def initialisers(fields: Mapping[str, str]) -> tuple[str, ...]:
    """Return the fields of a spec as designated initialisers."""
    return tuple(f".{key} = {text}" for key, text in fields.items())


def ports(names: Iterable[str]) -> str:
    """Return port names as a constant list."""
    return f"weir::ports<{', '.join(map(cpp_string, names))}>"
