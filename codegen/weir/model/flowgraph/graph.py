"""The flat flowgraph: `repeat`, `groups`, `pipes` and block states expanded, item types inferred."""

from __future__ import annotations

import heapq
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any, cast

from weir.diagnostics import Diagnostic, diagnostic, has_errors, pointer
from weir.model.catalog import BlockType, Catalog
from weir.model.document.project import Project
from weir.model.document.values import Evaluator
from weir.model.flowgraph.gnuradio import MESSAGE
from weir.model.flowgraph.inference import infer_types
from weir.model.flowgraph.series import MAX_INSTANCES, Link, Series, expand, read_series, size, too_large
from weir.model.flowgraph.type_mends import type_mismatches
from weir.model.flowgraph.wiring import Block, Wire, read_wiring
from weir.model.ownership import OF_A_RUN
from weir.sure import sure


@dataclass(frozen=True)
class Instance:
    """One block of the flat graph. `name`: stage[2]@p3; `copy`, `pipe`: None where not repeated, not piped.

    `type` is the catalog's block type; `item_type` is its T, None for a block that is not a template. `parameters` has
    every parameter of the descriptor: a number, bool, text, list of numbers, or (re, im) for c64.
    """

    name: str
    block_id: str
    copy: int | None
    pipe: int | None
    type: BlockType
    item_type: str | None
    parameters: Mapping[str, Any]
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
        """Return `source.port->destination.port`."""
        return f"{self.src}.{self.src_port}->{self.dst}.{self.dst_port}"


@dataclass(frozen=True)
class Graph:
    """`instances` are in topological order, upstream first; ties keep the document's order, pipe by pipe.

    `edges` are streams. `messages` are connections that pass messages, between blocks of GNU Radio.
    """

    instances: tuple[Instance, ...]
    edges: tuple[Edge, ...]
    messages: tuple[Edge, ...] = ()

    @property
    def of_gnuradio(self) -> bool:
        """Return whether a block is GNU Radio's, so that only GNU Radio can run the flowgraph."""
        return any(i.type.of_gnuradio for i in self.instances)

    @cached_property
    def by_name(self) -> dict[str, Instance]:
        """Return the instances by name."""
        return {i.name: i for i in self.instances}

    @cached_property
    def into(self) -> dict[str, list[Edge]]:
        """Return the edges into each instance, by name."""
        return self._by_end(lambda edge: edge.dst)

    @cached_property
    def out_of(self) -> dict[str, list[Edge]]:
        """Return the edges out of each instance, by name."""
        return self._by_end(lambda edge: edge.src)

    @cached_property
    def readers(self) -> dict[tuple[str, str], list[Edge]]:
        """Return the edges of each connected output port, by (instance, port)."""
        found: dict[tuple[str, str], list[Edge]] = {}
        for edge in self.edges:
            found.setdefault((edge.src, edge.src_port), []).append(edge)
        return found

    def _by_end(self, end: Callable[[Edge], str]) -> dict[str, list[Edge]]:
        found: dict[str, list[Edge]] = {i.name: [] for i in self.instances}
        for edge in self.edges:
            found[end(edge)].append(edge)
        return found

    def instance(self, name: str) -> Instance:
        """Return the instance with this name."""
        return self.by_name[name]


def build_graph(project: Project, catalog: Catalog) -> tuple[Graph | None, list[Diagnostic]]:
    """Return the flat graph and its faults. The graph is None if an error prevents it."""
    graph = project.document["graph"]
    evaluator = project.evaluator()
    wiring = read_wiring(graph, catalog)
    blocks, wires = wiring.blocks, wiring.wires
    series = read_series(graph, blocks, wires, evaluator)
    pipes = evaluator.integer(graph["pipes"], ("graph", "pipes"), 1, MAX_INSTANCES) if "pipes" in graph else None
    links = [own.link for own in series.repeats()]
    types, faults_of_types, conflicts = infer_types(blocks, wires + links, complete=not has_errors(wiring.diagnostics))
    type_faults = [*type_mismatches(conflicts, blocks, wires + links, catalog), *faults_of_types]
    parameters = {b.id: _parameters(b, types.get(b.id), evaluator) for b in blocks.values()}
    faults = [*wiring.diagnostics, *evaluator.diagnostics, *type_faults, *_cycles(blocks, wires)]
    count = size(blocks, series, pipes)
    if count > MAX_INSTANCES:
        faults.append(too_large(count))
    if has_errors(faults):
        return None, faults
    flat = _flatten(blocks, expand(wires, series), series, pipes, types, parameters)
    if wiring.messages:
        # GNU Radio's blocks have no copies, so an instance has the name of its block.
        flat = replace(flat, messages=tuple(Edge(w.src, w.src_port, w.dst, w.dst_port, MESSAGE, w.pointer)
                                            for w in wiring.messages))
    return flat, [*faults, *_written_twice(flat)]


def _parameters(block: Block, item_type: str | None, evaluator: Evaluator) -> dict[str, Any]:
    given = dict(block.entry.get("parameters", {}))
    if block.type.item_types:
        given.pop("item_type", None)
    return evaluator.parameters(given, block.type.parameters, block.path, f"`{block.id}` ({block.type.id})", item_type)


def _cycles(blocks: Mapping[str, Block], wires: list[Wire]) -> list[Diagnostic]:
    """Return one diagnostic for each group of blocks that feed each other. It names a path around the loop.

    Blocks of GNU Radio may be hierarchical, without a path from input to output. GNU Radio itself refuses its loops.
    """
    readers: dict[str, list[Wire]] = {b: [] for b in blocks}
    for wire in wires:
        if not blocks[wire.dst].type.of_gnuradio:
            readers[wire.src].append(wire)
    state: dict[str, int] = {}  # 1: on the path from the start, 2: left behind
    faults = []
    for start in blocks:
        path: list[str] = []
        pending: list[tuple[str, Any]] = [(start, None)]
        while pending:
            block, came = pending.pop()
            if came is LEAVE:
                state[block] = 2
                path.pop()
            elif state.get(block) == 1:
                names = [*path[path.index(block):], block]
                faults.append(diagnostic("E_CYCLE", came.pointer, f"the connections form a cycle: {' -> '.join(names)}",
                                         "remove a connection of the cycle: Weir does not support feedback"))
            elif block not in state:
                state[block] = 1
                path.append(block)
                pending.append((block, LEAVE))
                pending += [(w.dst, w) for w in reversed(readers[block])]
    return faults


LEAVE = object()


def _written_twice(graph: Graph) -> Iterator[Diagnostic]:
    """Report files that two instances write, or an instance and the run itself."""
    writers: dict[str, str] = {}
    for instance in graph.instances:
        for parameter in instance.type.parameters:
            path = instance.parameters.get(parameter.id)
            if parameter.access != "write" or not path:
                continue
            name = os.path.normpath(path).split(os.sep)[0]
            if name == os.curdir:
                yield diagnostic("E_PATH_FOLDER", instance.pointer + pointer("parameters", parameter.id),
                                 f"`{instance.name}` cannot write \"{path}\": this is the run directory")
                continue
            if any(fnmatchcase(name, own) for own in OF_A_RUN):
                yield diagnostic("E_PATH_OF_RUN", instance.pointer + pointer("parameters", parameter.id),
                                 f"`{instance.name}` cannot write \"{path}\": Weir writes a file or folder with this "
                                 "name in every run directory")
                continue
            other = writers.setdefault(os.path.normpath(path), instance.name)
            if other != instance.name:
                yield diagnostic("E_PATH_TWICE", instance.pointer + pointer("parameters", parameter.id),
                                 f"`{instance.name}` and `{other}` both write \"{path}\"")


def _name(block: str, copy: int | None, pipe: int | None) -> str:
    return block + ("" if copy is None else f"[{copy}]") + ("" if pipe is None else f"@p{pipe}")


def _flatten(blocks: Mapping[str, Block], links: list[Link], series: Series, pipes: int | None,
             types: Mapping[str, str], parameters: Mapping[str, Mapping[str, Any]]) -> Graph:
    nodes = [(b, copy) for b in blocks for copy in series.copy_numbers(b)]
    order = _topological(nodes, links)
    place = {node: i for i, node in enumerate(order)}
    links = sorted(links, key=lambda link: (place[link[0], link[1]], place[link[3], link[4]]))
    instances, edges = [], []
    for pipe in range(pipes) if pipes is not None else [None]:
        for block_id, copy in order:
            block = blocks[block_id]
            instances.append(Instance(
                name=_name(block_id, copy, pipe), block_id=block_id, copy=copy, pipe=pipe, type=block.type,
                item_type=types.get(block_id), parameters=parameters[block_id], state=block.state,
                probe=block.entry.get("probe", False), pointer=block.pointer))
        for src, src_copy, src_port, dst, dst_copy, dst_port, where in links:
            item_type = sure(blocks[src].type.output(src_port)).item_type(types.get(src))
            src_name, dst_name = _name(src, src_copy, pipe), _name(dst, dst_copy, pipe)
            edges.append(Edge(src_name, src_port, dst_name, dst_port, cast(str, item_type), where))
    return Graph(tuple(instances), tuple(edges))


def _topological(nodes: list[tuple[str, int | None]], links: list[Link]) -> list[tuple[str, int | None]]:
    """Sort the nodes upstream first; ready nodes keep the order of the document. So does a loop, which GNU Radio's
    blocks may form.
    """
    rank = {node: i for i, node in enumerate(nodes)}
    readers: dict[int, list[int]] = {i: [] for i in rank.values()}
    waiting = dict.fromkeys(rank.values(), 0)
    for link in links:
        src, dst = rank[link[0], link[1]], rank[link[3], link[4]]
        readers[src].append(dst)
        waiting[dst] += 1
    ready = [i for i, count in waiting.items() if not count]
    order = []
    while waiting:
        node = heapq.heappop(ready) if ready else next(iter(waiting))
        del waiting[node]
        order.append(nodes[node])
        for reader in readers[node]:
            if reader in waiting:
                waiting[reader] -= 1
                if not waiting[reader]:
                    heapq.heappush(ready, reader)
    return order
