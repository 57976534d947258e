"""Structs of a flowgraph: streams and nodes are members; repeated parts are tables of rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from weir.engine.generation.cpp.columns import Columns, about_stream, node_spec, node_view, stream_spec
from weir.engine.generation.cpp.names import unique_identifiers, untaken, upper_camel
from weir.engine.generation.cpp.parts import Copies, Node, Part, Wires, parts_of, writer
from weir.engine.generation.cpp.views import CopiesView, NodeView, Row, Source, StreamView, Struct
from weir.model.catalog import BlockType, Catalog
from weir.model.document.item_types import ITEM_TYPES
from weir.model.planning.plan import Plan, PlannedBlock, PlannedStream
from weir.sure import sure

#: Most units of a struct: compile time of a constructor grows faster than linearly with its members.
MOST_UNITS = 40


def source_of(plan: Plan, groups: Iterable[Mapping[str, Any]], catalog: Catalog) -> Source:
    """Return the structs of a plan's graph."""
    builder = _Builder(plan, catalog)
    builder.add(parts_of(plan, groups), "Flowgraph", "")
    return builder.source


class _Builder:
    def __init__(self, plan: Plan, catalog: Catalog):
        self.plan, self.catalog, self.source = plan, catalog, Source()
        self.wires, self.owner_of = Wires(plan.streams), plan.owner_of
        self.streams = {s.name: s for s in plan.streams}
        self.taken = {"Flowgraph", "Pipe", "PipeRow", "kPipes"}

    def _name(self, base: str) -> str:
        return untaken(base, self.taken)

    def add(self, part: Part, name: str, row: str, copies: Copies | None = None) -> Columns:
        """Add the structs of a part after those of the parts within it."""
        columns = Columns()
        texts = [_text(unit) for unit in part.units]
        ports = [f"{unit.name}.{port.id}" for unit in part.units if isinstance(unit, Node)
                 for port in self.catalog.blocks[unit.copies[0].type].outputs]
        members = unique_identifiers([*dict.fromkeys(texts), *ports])
        scope: dict[str, str] = {}  # instance of the first copy -> the series that it is in
        units: list[NodeView | CopiesView] = []
        for unit in part.units:
            if isinstance(unit, Node):
                units.append(self._node(unit, members, columns, scope))
                scope[unit.copies[0].instance] = unit.name
            else:
                units.append(self._copies(unit, members[_text(unit)], part, columns, members, scope))
                scope |= {name: f"{members[_text(unit)]}.out()" for inner in range(unit.each)
                          for name in unit.part.instances(inner)}
        feed = self.streams[copies.feed].item_type if copies and copies.feed else ""
        exit_ = _resolved(copies.exit, members, scope) if copies and copies.exit else ""
        pieces = [units[i:i + MOST_UNITS] for i in range(0, len(units), MOST_UNITS)]
        base = ""
        for number, piece in enumerate(pieces, 1):
            last = number == len(pieces)
            struct = Struct(name if last else self._name(f"{name}_{number}"),
                            _about(part, copies, len(pieces), number), base, row, columns.columns,
                            feed and f"weir::Stream<{ITEM_TYPES[feed].cpp}>", exit_ if last else "", piece)
            self.source.structs.append(struct)
            base = struct.name
        return columns

    def _copies(self, copies: Copies, member: str, outer: Part, columns: Columns, members: Mapping[str, str],
                scope: Mapping[str, str]) -> CopiesView:
        part, camel = copies.part, upper_camel(copies.part.name)
        name, row = (self._name(f"{camel}Copy"), self._name(f"{camel}Row")) if copies.feed else ("Pipe", "PipeRow")
        inner = self.add(part, name, row, copies)

        def rows(first: int) -> tuple[Row, ...]:
            return tuple(Row(*_own(part, copy), tuple(v[copy] for v in inner.values),
                             tuple(table(copy * each) for _, each, table in inner.tables))
                         for copy in range(first, first + copies.each))

        if outer.copies == 1:
            table = "kPipes" if not copies.feed else self._name(f"k{camel}Rows")
            self.source.tables.append((row, table, rows(0)))
        else:
            column = untaken(member, columns.taken)
            columns.tables.append(((row, f"{column}[{copies.each}]"), copies.each, rows))
            table = f"row.{column}"
        instances = tuple(name for copy in range(part.copies) for name in part.instances(copy))
        return CopiesView(part.name, instances, member, copies.each, name, table,
                          _resolved(copies.feed, members, scope) if copies.feed else "")

    def _node(self, node: Node, members: Mapping[str, str], columns: Columns, scope: Mapping[str, str]) -> NodeView:
        first, kind, member = node.copies[0], self.catalog.blocks[node.copies[0].type], members[node.name]
        instances = tuple(b.instance for b in node.copies)
        reads = self.wires.reads(first.instance)
        spec = columns.cells(member, [node_spec(b, kind, self._works_in_place(b, kind)) for b in node.copies])
        streams, outputs = [], []
        for port in kind.outputs:
            if f"{first.instance}.{port.id}" in self.streams:
                name = members[f"{node.name}.{port.id}"]
                copies = [self.streams[f"{b.instance}.{port.id}"] for b in node.copies]
                streams.append(StreamView(
                    copies[0].name, instances, name, self._about_stream(f"{node.name}.{port.id}", copies),
                    f"weir::Stream<{ITEM_TYPES[copies[0].item_type].cpp}>",
                    columns.cells(name, [stream_spec(s) for s in copies])))
                outputs.append(name)
            else:
                outputs.append(f"weir::unconnected<{ITEM_TYPES[sure(port.item_type(first.item_type))].cpp}>")
        where = {_where(b) for b in node.copies}
        return node_view(
            first, kind, self.plan, member, instances, spec=spec,
            comment=f"{first.instance if len(instances) == 1 else node.name}: {first.type}"
            + (f" {where.pop()}" if len(where) == 1 else ""),
            ins=tuple(_resolved(reads[port.id], members, scope) for port in kind.inputs), outs=tuple(outputs),
            streams=tuple(streams))

    def _works_in_place(self, block: PlannedBlock, kind: BlockType) -> bool:
        streams = (self.streams.get(f"{block.instance}.{port.id}") for port in kind.outputs)
        return any(stream is not None and stream.over is not None for stream in streams)

    def _about_stream(self, name: str, copies: Sequence[PlannedStream]) -> str:
        if len(copies) == 1:
            return about_stream(copies[0], self.owner_of)
        readers = dict.fromkeys(f"{r.rpartition('.')[0].partition('@')[0].partition('[')[0]}.{r.rpartition('.')[2]}"
                                for stream in copies for r in stream.readers)
        return f"{name} -> {' or '.join(readers)}: {' or '.join(sorted({s.kind for s in copies}))}"


def _text(unit: Node | Copies) -> str:
    """Return the text that the unit's member is named after."""
    return unit.name if isinstance(unit, Node) else unit.part.name if unit.feed else "pipes"


def _about(part: Part, copies: Copies | None, pieces: int, number: int) -> str:
    what = "The flowgraph" if copies is None else f"One of {part.copies} " + (
        f"copies of {part.name}" if copies.feed else "pipes")
    return what + (f", part {number} of {pieces}: one large constructor would take compilers very long" if pieces > 1
                   else "")


def _own(part: Part, copy: int) -> tuple[str, tuple[str, ...]]:
    """Return a row's name and the instances in its cells. Parts within the part have their own rows."""
    own = tuple(unit.copies[copy].instance for unit in part.units if isinstance(unit, Node))
    return (own[0] if len(own) == 1 else f"{part.name} {copy}"), own


def _resolved(stream: str, members: Mapping[str, str], scope: Mapping[str, str]) -> str:
    """Return the name that the struct has for a stream of the first copy.

    `scope` maps an instance to its node, or to the output of its series.
    """
    found = scope.get(writer(stream))
    if found is None:
        return "feed"
    return found if found.endswith(".out()") else members[f"{found}.{stream.rpartition('.')[2]}"]


def _where(block: PlannedBlock) -> str:
    if block.worker is not None:
        return f"on {block.worker}"
    return "on any worker" if block.job == block.instance else f"in {block.job}"
