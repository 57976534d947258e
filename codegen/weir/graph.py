"""The flat flowgraph: `repeat`, `groups`, `pipes` and block states worked out, item types inferred."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from weir.catalog import BlockType, Catalog
from weir.diagnostics import Diagnostic


@dataclass(frozen=True)
class Instance:
    """One block of the flat graph. `name`: stage[2]@p3; `copy`, `pipe`: None where not repeated, not piped.

    `type` is the catalog's block type; `item_type` what stands for its T, None for a block that is no template.
    `parameters` has every parameter of the descriptor: a number, bool, text, list of numbers, or (re, im) for c64.
    """

    name: str
    block_id: str
    copy: int | None
    pipe: int | None
    type: BlockType
    item_type: str | None
    parameters: Mapping[str, object]
    state: str
    probe: bool
    pointer: str


@dataclass(frozen=True)
class Edge:
    """A stream from one output port to one input port; `src` and `dst` are instance names."""

    src: str
    src_port: str
    dst: str
    dst_port: str
    item_type: str
    pointer: str

    @property
    def name(self) -> str:
        return f"{self.src}.{self.src_port}->{self.dst}.{self.dst_port}"


@dataclass(frozen=True)
class Graph:
    """`instances` are in topological order, upstream first; ties keep the document's order, pipe by pipe."""

    instances: tuple[Instance, ...]
    edges: tuple[Edge, ...]

    def instance(self, name: str) -> Instance:
        return next(i for i in self.instances if i.name == name)

    def inputs_of(self, name: str) -> tuple[Edge, ...]:
        return tuple(e for e in self.edges if e.dst == name)

    def outputs_of(self, name: str) -> tuple[Edge, ...]:
        return tuple(e for e in self.edges if e.src == name)


def build_graph(project: "Project", catalog: Catalog) -> tuple[Graph | None, list[Diagnostic]]:  # noqa: F821
    """The flat graph and everything wrong with it; None when an error keeps it from being built."""
    raise NotImplementedError
