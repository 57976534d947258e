"""`repeat`: blocks and groups as n copies in series.

A repeat has one entry and one exit. The entry is the only input port that is fed from outside; the exit is
the only output port that feeds the outside (any number of readers). The exit of copy i feeds the entry of copy i + 1.
The connection into the repeat goes to its first copy, connections out of it start at its last. A group without
`repeat` only names blocks and has no rule. The copies of a repeated block in a repeated group are numbered along the
stream.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from weir.diagnostics import Diagnostic, diagnostic, did_you_mean, pointer
from weir.model.document.values import Evaluator
from weir.model.flowgraph.wiring import Block, Wire

MAX_INSTANCES = 10_000

Port = tuple[str, str]
#: a wire between copies: source block, copy, port, destination block, copy, port, pointer
Link = tuple[str, int | None, str, str, int | None, str, str]


@dataclass(frozen=True)
class Repeat:
    """Blocks that are repeated `copies` times in series. `entry`, `exit`: (block, port)."""

    blocks: frozenset[str]
    copies: int
    entry: Port
    exit: Port
    pointer: str

    @property
    def link(self) -> Wire:
        """Return the connection from one copy to the next, as a wire between blocks."""
        return Wire(*self.exit, *self.entry, self.pointer)


@dataclass
class Series:
    """Repeats of a graph. `inner`: block -> its own repeat; `outer`: block -> its group's. Only with a
    `repeat`.
    """

    inner: dict[str, Repeat]
    outer: dict[str, Repeat]

    def repeats(self) -> list[Repeat]:
        """Return all repeats, each once."""
        return list(dict.fromkeys([*self.inner.values(), *self.outer.values()]))

    def copies(self, block: str) -> int | None:
        """Return the number of copies of the block in a pipe, None if neither it nor its group is repeated."""
        repeats = [s[block] for s in (self.inner, self.outer) if block in s]
        return None if not repeats else repeats[0].copies * (repeats[1].copies if len(repeats) == 2 else 1)

    def copy_numbers(self, block: str) -> Iterable[int | None]:
        """Return the numbers of a block's copies; [None] if the block is not repeated."""
        copies = self.copies(block)
        return [None] if copies is None else range(copies)


def read_series(graph: Mapping[str, Any], blocks: Mapping[str, Block], wires: list[Wire],
                evaluator: Evaluator) -> Series:
    """Read the repeats of the graph. Faults go to `evaluator`."""
    inner: dict[str, Repeat] = {}
    outer: dict[str, Repeat] = {}
    for block in blocks.values():
        if "repeat" in block.entry:
            own = _read_repeat([block.id], block.entry["repeat"], (*block.path, "repeat"), f"`{block.id}`", wires,
                               evaluator)
            if own:
                inner[block.id] = own
    all_ids = {entry["id"] for entry in graph["blocks"]}
    owner: dict[str, str] = {}
    for i, group in enumerate(graph.get("groups", ())):
        path = ("graph", "groups", i)
        for j, block in enumerate(group["blocks"]):
            if block not in all_ids:
                evaluator.fault("E_BLOCK_UNKNOWN", (*path, "blocks", j), f"the graph has no block `{block}`",
                                did_you_mean(block, all_ids))
            elif block in owner:
                evaluator.fault("E_GROUP_OVERLAP", (*path, "blocks", j),
                                f"`{block}` is already in group `{owner[block]}`")
            owner.setdefault(block, group["id"])
        members = [b for b in group["blocks"] if b in blocks]
        if "repeat" in group and members:
            own = _read_repeat(members, group["repeat"], (*path, "repeat"), f"group `{group['id']}`", wires, evaluator)
            if own:
                outer.update((block, own) for block in members)
    return Series(inner, outer)


def _read_repeat(members: list[str], repeat: object, path: tuple[Any, ...], what: str, wires: list[Wire],
                 evaluator: Evaluator) -> Repeat | None:
    copies = evaluator.integer(repeat, path, 1, MAX_INSTANCES)
    inside = frozenset(members)
    entries = _distinct((w.dst, w.dst_port) for w in wires if w.dst in inside and w.src not in inside)
    exits = _distinct((w.src, w.src_port) for w in wires if w.src in inside and w.dst not in inside)
    if copies is None:
        return None
    if len(entries) == len(exits) == 1:
        return Repeat(inside, copies, entries[0], exits[0], pointer(*path))
    found = "; ".join(f"{len(ports)} {way}" + (f" ({', '.join('.'.join(p) for p in ports)})" if ports else "")
                      for ports, way in ((entries, "ways in"), (exits, "ways out")))
    evaluator.fault("E_REPEAT_SHAPE", path, f"{what} is repeated in series and needs one input and one output, but has "
                                            f"{found}", "use `pipes` of the graph for copies side by side")
    return None


def _distinct(ports: Iterable[Port]) -> list[Port]:
    return list(dict.fromkeys(ports))


def size(blocks: Iterable[str], series: Series, pipes: int | None) -> int:
    """Return the number of instances of the flat graph."""
    return sum(series.copies(b) or 1 for b in blocks) * (pipes or 1)


def too_large(count: int) -> Diagnostic:
    """Return the diagnostic for a graph with too many instances."""
    return diagnostic("E_GRAPH_SIZE", "/graph", f"the flowgraph has {count} instances, but at most {MAX_INSTANCES} are "
                                                "allowed",
                      "reduce `repeat` or `pipes`")


def expand(wires: list[Wire], series: Series) -> list[Link]:
    """Return the wires of one pipe, between copies."""
    result: list[Link] = []
    for wire in wires:
        src, dst = _Place(series, wire.src), _Place(series, wire.dst)
        same_group = src.outer is not None and src.outer is dst.outer
        for g in range(src.groups) if same_group else [None]:
            result.append((wire.src, src.last(g), wire.src_port, wire.dst, dst.first(g), wire.dst_port, wire.pointer))
    for block, own in series.inner.items():
        place = _Place(series, block)
        for g in range(place.groups):
            first = g * own.copies
            result += [(block, i, own.exit[1], block, i + 1, own.entry[1], own.pointer)
                       for i in range(first, first + own.copies - 1)]
    for own in dict.fromkeys(series.outer.values()):
        (end, end_port), (begin, begin_port) = own.exit, own.entry
        its_last, its_first = _Place(series, end).last, _Place(series, begin).first
        result += [(end, its_last(g), end_port, begin, its_first(g + 1), begin_port, own.pointer)
                   for g in range(own.copies - 1)]
    return result


class _Place:
    """First and last copies of a block in copy `g` of its group; None for the ends of the repeat."""

    def __init__(self, series: Series, block: str):
        self.inner, self.outer = series.inner.get(block), series.outer.get(block)
        self.groups = self.outer.copies if self.outer else 1
        self.each = self.inner.copies if self.inner else 1
        self.repeated = self.inner is not None or self.outer is not None

    def first(self, g: int | None) -> int | None:
        return (g or 0) * self.each if self.repeated else None

    def last(self, g: int | None) -> int | None:
        return (self.groups if g is None else g + 1) * self.each - 1 if self.repeated else None
