"""What templates see of the structs of a flowgraph."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class StreamView:
    """What lies behind an output: a stream, a place in an arena, or nothing but an edge in a loop.

    `name` is that of the plan, of the first copy. `fields` initialises its spec, behind `before`.
    """

    name: str
    instances: tuple[str, ...]
    member: str
    comment: str
    cpp_type: str
    fields: tuple[str, ...]
    before: str = ""


@dataclass(frozen=True)
class ParameterView:
    """A parameter that the binary can still change. `limits` may be ""."""

    name: str
    instances: tuple[str, ...]
    field: str
    limits: str


@dataclass(frozen=True)
class NodeView:
    """A block as a member. `streams` are those behind its outputs, declared before it. `spec`, `values`: designated
    initialisers; `ins`, `outs`: what its ports get.

    `host`: the class that it has in the runtime: Node, whose ports have the types of its streams, or one that is fired,
    whose ports are of the types `inputs` and `outputs`.
    """

    instances: tuple[str, ...]
    member: str
    type: str
    comment: str
    block_class: str
    spec: tuple[str, ...]
    values: tuple[str, ...]
    ins: tuple[str, ...]
    outs: tuple[str, ...]
    streams: tuple[StreamView, ...]
    parameters: tuple[ParameterView, ...]
    host: str = "Node"
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()

    @property
    def instance(self) -> str:
        """That of the first copy."""
        return self.instances[0]


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
    in `row`; `feed` is the type of what feeds it, `exit` what it gives to the next copy.
    """

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
        """Its blocks that stand alone."""
        return [unit for unit in self.units if isinstance(unit, NodeView)]

    @property
    def copies(self) -> list[CopiesView]:
        """Its blocks that are copied."""
        return [unit for unit in self.units if isinstance(unit, CopiesView)]

    @property
    def parameters(self) -> list[ParameterView]:
        """The parameters of its nodes."""
        return [parameter for node in self.nodes for parameter in node.parameters]


@dataclass
class Source:
    """All structs, inner ones first, the flowgraph last; and the tables by name, which stand before it."""

    structs: list[Struct] = field(default_factory=list)
    tables: list[tuple[str, str, tuple[Row, ...]]] = field(default_factory=list)  # type, name, rows
