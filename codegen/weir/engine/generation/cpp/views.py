"""Template views of the structs of a flowgraph."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class StreamView:
    """Storage behind an output: a stream, a place in an arena, or only an edge in a fused loop.

    `name` is the plan's name of the first copy. `fields` initialises its spec, after `before`.
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
    """Parameter that can change at run time. `limits` may be ""."""

    name: str
    instances: tuple[str, ...]
    field: str
    limits: str


@dataclass(frozen=True)
class NodeView:
    """A block as a member. `streams` are behind its outputs and declared before it.

    `spec` and `values` are designated initialisers; `ins` and `outs` are the arguments for its ports. `host` is its
    class in the runtime: Node, whose ports have the types of its streams, or a fired one, whose ports have the types
    `inputs` and `outputs`.
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
        """Return the instance of the first copy."""
        return self.instances[0]


@dataclass(frozen=True)
class CopiesView:
    """Member with all copies of a part; `feed` is "" if they are in parallel."""

    name: str
    instances: tuple[str, ...]
    member: str
    each: int
    struct: str
    rows: str
    feed: str


@dataclass(frozen=True)
class Row:
    """One copy: its cells, then a table for each part within it. `instances` are blocks outside of such parts."""

    name: str
    instances: tuple[str, ...]
    cells: tuple[str, ...]
    tables: tuple[tuple[Row, ...], ...]


@dataclass
class Struct:
    """A struct of the source. `base` is the struct of earlier units.

    `row` is the type of the row that it is constructed from, "" for none. `feed` is the type of its input, `exit` its
    output to the next copy.
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
        """Return the blocks that are not copied."""
        return [unit for unit in self.units if isinstance(unit, NodeView)]

    @property
    def copies(self) -> list[CopiesView]:
        """Return the copied parts."""
        return [unit for unit in self.units if isinstance(unit, CopiesView)]

    @property
    def parameters(self) -> list[ParameterView]:
        """Return the parameters of its nodes."""
        return [parameter for node in self.nodes for parameter in node.parameters]


@dataclass
class Source:
    """All structs, inner ones first and the flowgraph last, and the tables before it."""

    structs: list[Struct] = field(default_factory=list)
    tables: list[tuple[str, str, tuple[Row, ...]]] = field(default_factory=list)  # type, name, rows
