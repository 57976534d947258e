"""The structs of a flowgraph: streams and nodes as members, parts that are there several times as tables of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from weir.catalog import BlockType, Catalog
from weir.document.item_types import ITEM_TYPES
from weir.generation.cpp.names import unique_identifiers, upper_camel
from weir.generation.cpp.parts import Node, Part, Section, Wires, parts_of, writer
from weir.generation.cpp.text import cpp_string
from weir.generation.cpp.values import block_class, parameter_limits, parameter_value
from weir.planning.plan import Plan, PlannedBlock, PlannedStream

#: Units of a struct: compilers take more than twice as long for the constructor of twice as many members.
MOST_UNITS = 40
_INDEX = "std::uint32_t"
#: Fields of specs that may differ between copies: type, and the value of those that are left out.
_COLUMNS = {"name": ("std::string_view", '""'), "index": (_INDEX, "0"), "chunk_items": ("std::size_t", "4096"),
            "in_rates": (f"std::span<const {_INDEX}>", "{}"), "out_rates": (f"std::span<const {_INDEX}>", "{}"),
            "probe_granularity": ("std::uint64_t", "0"), "tx_granularity": ("std::uint64_t", "0"),
            "ends_at_run_items": ("bool", "false"), "items": ("std::size_t", "0"), "kind": ("weir::StreamKind", ""),
            "readers": ("std::size_t", "1"), "granule": ("std::size_t", "1")}


@dataclass(frozen=True)
class StreamView:
    """`fields` initialises a weir::StreamSpec; `name` is that of the plan, of the first copy."""

    name: str
    instances: tuple[str, ...]
    member: str
    comment: str
    cpp_type: str
    fields: tuple[str, ...]


@dataclass(frozen=True)
class ParameterView:
    """A parameter that the binary can still change. `limits` may be ""."""

    name: str
    instances: tuple[str, ...]
    field: str
    limits: str


@dataclass(frozen=True)
class NodeView:
    """`streams` are the node's output streams, declared before it. `spec`, `values`: designated initialisers."""

    name: str
    instances: tuple[str, ...]
    member: str
    comment: str
    block_class: str
    spec: tuple[str, ...]
    values: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    streams: tuple[StreamView, ...]
    parameters: tuple[ParameterView, ...]


@dataclass(frozen=True)
class CopiesView:
    """A member with all copies of a part; `feed` is "" where they stand side by side."""

    name: str
    instances: tuple[str, ...]
    member: str
    each: int
    struct: str
    rows: str
    feed: str


@dataclass(frozen=True)
class Row:
    """One copy: its cells, then a table for each part within it. `instances`: the blocks that are in no such part."""

    name: str
    instances: tuple[str, ...]
    cells: tuple[str, ...]
    tables: tuple[tuple[Row, ...], ...]


@dataclass
class Struct:
    """One struct of the source. `base`: that with the units before these. What is made of a row has its type's name
    in `row`; `feed` is the type of what feeds it, `exit` what it gives to the next copy."""

    name: str
    comment: str
    base: str = ""
    row: str = ""
    columns: list[tuple[str, str]] = field(default_factory=list)
    feed: str = ""
    exit: str = ""
    units: list[NodeView | CopiesView] = field(default_factory=list)

    @property
    def nodes(self) -> list[NodeView]:
        return [unit for unit in self.units if isinstance(unit, NodeView)]

    @property
    def copies(self) -> list[CopiesView]:
        return [unit for unit in self.units if isinstance(unit, CopiesView)]

    @property
    def parameters(self) -> list[ParameterView]:
        return [parameter for node in self.nodes for parameter in node.parameters]


@dataclass
class Source:
    """All structs, inner ones first, the flowgraph last; and the tables by name, which stand before it."""

    structs: list[Struct] = field(default_factory=list)
    tables: list[tuple[str, str, tuple[Row, ...]]] = field(default_factory=list)  # type, name, rows


def source_of(plan: Plan, groups: Iterable[Mapping[str, object]], catalog: Catalog) -> Source:
    builder = _Builder(plan, catalog)
    builder.add(parts_of(plan, groups), "Flowgraph", "")
    return builder.source


class _Columns:
    """What differs between the copies of one part."""

    def __init__(self) -> None:
        self.types: list[tuple[str, str]] = []
        self.values: list[Sequence[str]] = []
        self.taken: set[str] = set()
        # Of parts within the part: the column, how many of them are in each copy, and the rows from one on.
        self.tables: list[tuple[tuple[str, str], int, Callable[[int], tuple[Row, ...]]]] = []

    @property
    def columns(self) -> list[tuple[str, str]]:
        """Types and names: cells, then tables."""
        return self.types + [column for column, _, _ in self.tables]

    def named(self, base: str) -> str:
        """A name for a column: two members may come to the same one."""
        name, number = base, 2
        while name in self.taken:
            name, number = f"{base}_{number}", number + 1
        self.taken.add(name)
        return name

    def cells(self, member: str, copies: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
        """Designated initialisers: text where all copies are equal, else a column of the row."""
        found = []
        for key in dict.fromkeys(key for key in _ORDER if any(key in copy for copy in copies)):
            kind, default = _COLUMNS.get(key, ("", ""))
            texts = [copy.get(key, default) for copy in copies]
            if len(set(texts)) > 1:
                column = self.named(f"{member}_{key}")
                self.types.append((kind, column))
                self.values.append(texts)
                texts = [f"row.{column}"]
            found.append(f".{key} = {texts[0]}")
        return tuple(found)


#: Of both specs: the order in which C++ wants them.
_ORDER = ("name", "index", "chunk_items", "in_rates", "out_rates", "probe_granularity", "tx_granularity",
          "ends_at_run_items", "in_ports", "items", "kind", "readers", "granule")


class _Builder:
    def __init__(self, plan: Plan, catalog: Catalog):
        self.plan, self.catalog, self.source = plan, catalog, Source()
        self.wires, self.owner_of = Wires(plan.streams), plan.owner_of
        self.streams = {s.name: s for s in plan.streams}
        self.taken = {"Flowgraph"}

    def _name(self, base: str) -> str:
        name, number = base, 2
        while name in self.taken:
            name, number = f"{base}_{number}", number + 1
        self.taken.add(name)
        return name

    def add(self, part: Part, name: str, row: str, section: Section | None = None) -> _Columns:
        """The structs of a part, behind those of the parts within it."""
        columns = _Columns()
        texts = [_text(unit) for unit in part.units]
        ports = [f"{unit.name}.{port.id}" for unit in part.units if isinstance(unit, Node)
                 for port in self.catalog.blocks[unit.copies[0].type].outputs]
        members = unique_identifiers([*dict.fromkeys(texts), *ports])
        scope: dict[str, str] = {}  # instance of the first copy -> the series that it is in
        units = []
        for unit in part.units:
            if isinstance(unit, Node):
                units.append(self._node(unit, members, columns, scope))
                scope[unit.copies[0].instance] = unit.name
            else:
                units.append(self._copies(unit, members[_text(unit)], part, columns, members, scope))
                scope |= {name: f"{members[_text(unit)]}.out()" for inner in range(unit.each)
                          for name in unit.part.instances(inner)}
        feed = self.streams[section.feed].item_type if section and section.feed else ""
        exit_ = _resolved(section.exit, members, scope) if section and section.exit else ""
        pieces = [units[i:i + MOST_UNITS] for i in range(0, len(units), MOST_UNITS)]
        base = ""
        for number, piece in enumerate(pieces, 1):
            last = number == len(pieces)
            struct = Struct(name if last else self._name(f"{name}_{number}"), _about(part, len(pieces), number), base,
                            row, columns.columns, feed and f"weir::Stream<{ITEM_TYPES[feed].cpp}>", exit_ if last else "",
                            piece)
            self.source.structs.append(struct)
            base = struct.name
        return columns

    def _copies(self, section: Section, member: str, outer: Part, columns: _Columns, members: Mapping[str, str],
                scope: Mapping[str, str]) -> CopiesView:
        part, camel = section.part, upper_camel(section.part.name)
        name, row = (self._name(f"{camel}Copy"), self._name(f"{camel}Row")) if section.feed else ("Pipe", "PipeRow")
        inner = self.add(part, name, row, section)

        def rows(first: int) -> tuple[Row, ...]:
            return tuple(Row(*_own(part, copy), tuple(v[copy] for v in inner.values),
                             tuple(table(copy * each) for _, each, table in inner.tables))
                         for copy in range(first, first + section.each))

        if outer.copies == 1:
            table = "kPipes" if not section.feed else self._name(f"k{camel}Rows")
            self.source.tables.append((row, table, rows(0)))
        else:
            column = columns.named(member)
            columns.tables.append(((row, f"{column}[{section.each}]"), section.each, rows))
            table = f"row.{column}"
        instances = tuple(name for copy in range(part.copies) for name in part.instances(copy))
        return CopiesView(part.name, instances, member, section.each, name, table,
                          _resolved(section.feed, members, scope) if section.feed else "")

    def _node(self, node: Node, members: Mapping[str, str], columns: _Columns, scope: Mapping[str, str]) -> NodeView:
        first, kind, member = node.copies[0], self.catalog.blocks[node.copies[0].type], members[node.name]
        instances = tuple(b.instance for b in node.copies)
        reads = self.wires.reads(first.instance)
        spec = columns.cells(member, [_node_spec(b, kind) for b in node.copies])
        streams, outputs = [], []
        for port in kind.outputs:
            if f"{first.instance}.{port.id}" in self.streams:
                name = members[f"{node.name}.{port.id}"]
                copies = [self.streams[f"{b.instance}.{port.id}"] for b in node.copies]
                streams.append(StreamView(
                    copies[0].name, instances, name, self._about_stream(f"{node.name}.{port.id}", copies),
                    f"weir::Stream<{ITEM_TYPES[copies[0].item_type].cpp}>",
                    columns.cells(name, [_stream_spec(s) for s in copies])))
                outputs.append(name)
            else:
                outputs.append(f"weir::unconnected<{ITEM_TYPES[port.item_type(first.item_type)].cpp}>")
        where = {_where(b) for b in node.copies}
        return NodeView(
            first.instance, instances, member, f"{first.instance if len(instances) == 1 else node.name}: {first.type}"
            + (f" {where.pop()}" if len(where) == 1 else ""), block_class(kind, first.item_type),
            spec, _values(first, kind),
            tuple(_resolved(reads[port.id], members, scope) for port in kind.inputs), tuple(outputs), tuple(streams),
            tuple(ParameterView(f"{first.block}.{p.id}", instances, f"{member}.block().params.{p.id}",
                                parameter_limits(p, first.item_type)) for p in kind.parameters if not p.structural))

    def _about_stream(self, name: str, copies: Sequence[PlannedStream]) -> str:
        if len(copies) == 1:
            stream = copies[0]
            ends = dict.fromkeys(self.owner_of[end.rpartition(".")[0]] for end in (stream.name, *stream.readers))
            where = f"within {next(iter(ends))}" if stream.kind == "linear" else f"across {', '.join(ends)}"
            return f"{stream.name} -> {', '.join(stream.readers)}: {where}"
        readers = dict.fromkeys(f"{r.partition('@')[0].partition('[')[0]}.{r.rpartition('.')[2]}"
                                for stream in copies for r in stream.readers)
        return f"{name} -> {' or '.join(readers)}: {' or '.join(sorted({s.kind for s in copies}))}"


def _text(unit: Node | Section) -> str:
    """What its member is named after."""
    return unit.name if isinstance(unit, Node) else unit.part.name if unit.feed else "pipes"


def _about(part: Part, pieces: int, number: int) -> str:
    what = {"flowgraph": "The flowgraph", "pipe": f"One of {part.copies} pipes"}.get(
        part.name, f"One of {part.copies} copies of {part.name}")
    return what + (f", part {number} of {pieces}: one large constructor would take compilers very long" if pieces > 1
                   else "")


def _own(part: Part, copy: int) -> tuple[str, tuple[str, ...]]:
    """What a row is called, and whose cells it has: those in parts within the part have rows of their own."""
    own = tuple(unit.copies[copy].instance for unit in part.units if isinstance(unit, Node))
    return (own[0] if len(own) == 1 else f"{part.name} {copy}"), own


def _resolved(stream: str, members: Mapping[str, str], scope: Mapping[str, str]) -> str:
    """What a stream of the first copy is called in the struct. `scope`: instance -> its node, or what its series gives."""
    found = scope.get(writer(stream))
    if found is None:
        return "feed"
    return found if found.endswith(".out()") else members[f"{found}.{stream.rpartition('.')[2]}"]


def _where(block: PlannedBlock) -> str:
    if block.worker is not None:
        return f"on {block.worker}"
    return "on any worker" if block.job == block.instance else f"in {block.job}"


def _stream_spec(stream: PlannedStream) -> dict[str, str]:
    fields = {"name": cpp_string(stream.name), "items": str(stream.planned_items),
              "kind": f"weir::StreamKind::{stream.kind}"}
    if len(stream.readers) > 1:
        fields["readers"] = str(len(stream.readers))
    if stream.granule > 1:
        fields["granule"] = str(stream.granule)
    return fields


def _node_spec(block: PlannedBlock, kind: BlockType) -> dict[str, str]:
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
    if kind.inputs:
        fields["in_ports"] = f"weir::ports<{', '.join(cpp_string(port.id) for port in kind.inputs)}>"
    return fields


def _values(block: PlannedBlock, kind: BlockType) -> tuple[str, ...]:
    """Of its parameters. Optional ones that have no value keep what the block's own Params says."""
    owner = block_class(kind, block.item_type)
    return tuple(f".{p.id} = {parameter_value(p, block.parameters[p.id], owner, block.item_type)}"
                 for p in kind.parameters if block.parameters.get(p.id) is not None)
