"""Infers item types: each block's T, from stated types and from connections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from weir.diagnostics import Diagnostic, Fix, diagnostic, did_you_mean, pointer
from weir.model.document.item_types import ITEM_TYPES
from weir.model.document.shape import describe
from weir.model.flowgraph.wiring import Block, Wire
from weir.sure import sure


class Conflict(NamedTuple):
    """A wire whose ends have different item types."""

    wire: Wire
    given: str
    taken: str

    def said(self) -> Diagnostic:
        """Return the diagnostic for the conflict."""
        wire = self.wire
        return diagnostic("E_TYPE_MISMATCH", wire.pointer,
                          f"`{wire.src}.{wire.src_port}` writes {self.given}, but "
                          f"`{wire.dst}.{wire.dst_port}` reads {self.taken}",
                          "Weir does not convert silently: insert a block that "
                          "converts, or change the item type of a block")


def infer_types(blocks: Mapping[str, Block], wires: list[Wire],
                complete: bool = True) -> tuple[dict[str, str], list[Diagnostic], list[Conflict]]:
    """Return block id -> item type for each template block, the diagnostics, and the conflicting wires.

    `complete`: the wires have no faults, so a type that nothing decides is worth reporting.

    Blocks joined by T ports form a class with one type. It comes from a block that states it, from a port of fixed
    type, or from the item types that all blocks of the class can have, when that leaves one.
    """
    unknowns = _Unknowns()
    faults: list[Diagnostic] = []
    stated_wrongly = set()
    for block in blocks.values():
        stated = block.entry.get("parameters", {}).get("item_type")
        if stated is None or not block.type.item_types:
            continue
        if isinstance(stated, str) and stated in block.type.item_types:
            unknowns.known[unknowns.find(block.id)] = stated
            continue
        stated_wrongly.add(block.id)
        faults.append(diagnostic("E_TYPE_UNSUPPORTED", pointer(*block.path, "parameters", "item_type"),
                                 f"{block.type.id} does not support {describe(stated)}",
                                 did_you_mean(str(stated), block.type.item_types)))
    conflicts = [c for c in (_join(w, blocks, unknowns) for w in wires) if c]
    types, further = _choose(blocks, unknowns, stated_wrongly, complete and not conflicts)
    return types, [*faults, *further], conflicts


def _join(wire: Wire, blocks: Mapping[str, Block], unknowns: _Unknowns) -> Conflict | None:
    if blocks[wire.src].type.of_gnuradio and blocks[wire.dst].type.of_gnuradio:
        return None  # GNU Radio checks the sizes of their items
    out = sure(blocks[wire.src].type.output(wire.src_port)).type
    into = sure(blocks[wire.dst].type.input(wire.dst_port)).type
    left = unknowns.find(wire.src) if out == "T" else None
    right = unknowns.find(wire.dst) if into == "T" else None
    given = unknowns.known.get(left) if left else out
    taken = unknowns.known.get(right) if right else into
    if given and taken and given != taken:
        return Conflict(wire, given, taken)
    if left and right:
        unknowns.union(left, right)
    elif left and taken:
        unknowns.known[left] = taken
    elif right and given:
        unknowns.known[right] = given
    return None


def _choose(blocks: Mapping[str, Block], unknowns: _Unknowns, stated_wrongly: set[str],
            complete: bool) -> tuple[dict[str, str], list[Diagnostic]]:
    faults: list[Diagnostic] = []
    classes: dict[str, list[Block]] = {}
    for block in blocks.values():
        if block.type.item_types:
            classes.setdefault(unknowns.find(block.id), []).append(block)
    types: dict[str, str] = {}
    for root, members in classes.items():
        common = [t for t in ITEM_TYPES if all(t in b.type.item_types for b in members)]
        chosen = unknowns.known.get(root) or (common[0] if len(common) == 1 else None)
        if chosen:
            for block in members:
                types[block.id] = chosen
                if chosen not in block.type.item_types:
                    faults.append(diagnostic("E_TYPE_UNSUPPORTED", block.pointer,
                                             f"`{block.id}` is connected to {chosen}, which {block.type.id} does not "
                                             "support",
                                             "choose one of " + ", ".join(block.type.item_types)))
        elif complete and not any(b.id in stated_wrongly for b in members):
            faults.append(_ambiguous(members, common))
    return types, faults


def _ambiguous(members: list[Block], common: list[str]) -> Diagnostic:
    first, others = members[0], len(members) - 1
    with_it = f" and of {others} more connected blocks" if others else ""
    if not common:
        names = ", ".join(f"`{b.id}`" for b in members[:8])
        return diagnostic("E_TYPE_AMBIGUOUS", first.pointer, f"these blocks have no item type in common: {names}")
    return diagnostic("E_TYPE_AMBIGUOUS", first.pointer, f"nothing determines the item type of `{first.id}`{with_it}",
                      f"set its parameter item_type to one of {', '.join(common)}",
                      [Fix(f"Make {first.id} {kind}", pointer(*first.path, "parameters", "item_type"), "set", kind)
                       for kind in _USUAL if kind in common and kind in first.type.item_types])


#: Usual types of signals, for when nothing else decides.
_USUAL = ("f32", "c64")


class _Unknowns:
    """Union-find over block ids; `known` maps a class's root to its item type."""

    def __init__(self) -> None:
        self.parent: dict[str, str] = {}
        self.known: dict[str, str] = {}

    def find(self, block: str) -> str:
        root = block
        while (parent := self.parent.get(root, root)) != root:
            root = parent
        while (parent := self.parent.get(block, root)) != root:
            self.parent[block], block = root, parent
        return root

    def union(self, a: str, b: str) -> None:
        if a != b:
            self.parent[b] = a
            if b in self.known:
                self.known.setdefault(a, self.known[b])
