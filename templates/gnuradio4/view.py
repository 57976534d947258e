"""Template view of a plan under GNU Radio 4: its blocks by the item types of their ports, and their connections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from weir.engine.generation.cpp import hosted
from weir.engine.generation.cpp.gnuradio4 import host_flags
from weir.engine.generation.cpp.names import unique_identifiers
from weir.engine.generation.cpp.plan_view import FILTERS, plan_view
from weir.engine.generation.natives import Native
from weir.engine.targets.interface import GenerationInput
from weir.model.catalog import Catalog
from weir.model.planning.plan import PlannedBlock

from .fusing import class_of, groups_of, name_of
from .native import natives_of, settings

__all__ = ["FILTERS", "context"]


@dataclass(frozen=True)
class Kind:
    """Kind of block that is compiled once: hosted blocks by the item types of their ports, native ones by their class.

    `native` is the class of a native block, "" for hosted ones. `fused`: GNU Radio fuses it from several.
    """

    make: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    native: str = ""
    headers: tuple[str, ...] = ()
    fused: bool = False

    @property
    def record(self) -> str:
        """Return the function that makes a block which records a native block's output."""
        return self.make.replace("make_", "record_", 1)

    @property
    def record_inside(self) -> str:
        """Return the function that makes a block which records the items between the members of a fused block."""
        return self.make.replace("make_", "record_inside_", 1)

    @property
    def item(self) -> str:
        """Return the item type of a native block."""
        return (*self.outputs, *self.inputs)[0]

    @property
    def inputs_are_one_port(self) -> bool:
        """Return whether GNU Radio has the inputs in one collection."""
        return bool(self.native) and len(self.inputs) > 1


@dataclass(frozen=True)
class Member:
    """Instance that becomes a block of GNU Radio, alone or fused with others. `index` is its number in the plan."""

    index: int
    instance: str
    settings: tuple[tuple[str, str, list[str]], ...]


@dataclass(frozen=True)
class Node:
    """Block of GNU Radio. The last member writes its output.

    `hosted`: the kind for runs that have no native block there; None if all have one, or none has.
    """

    number: int
    kind: Kind
    members: tuple[Member, ...]
    hosted: Kind | None

    @property
    def instances(self) -> list[str]:
        """Return the names of the members."""
        return [it.instance for it in self.members]

    @property
    def name(self) -> str:
        """Return the name of the block: of the instance, or of the first and the last one."""
        return " to ".join(dict.fromkeys((self.members[0].instance, self.members[-1].instance)))

    @property
    def last(self) -> Member:
        """Return the member that writes the output."""
        return self.members[-1]


@dataclass(frozen=True)
class EdgeView:
    name: str
    ends: tuple[str, str]
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Placed:
    """Worker with the numbers of its blocks and CPUs."""

    blocks: tuple[int, ...]
    cpus: tuple[int, ...]


def context(subject: GenerationInput) -> Mapping[str, object]:
    plan, catalog = subject.plan, subject.catalog
    members = unique_identifiers([*(b.instance for b in plan.blocks), *(s.name for s in plan.streams)])
    natives = natives_of(plan, catalog)
    nodes = [Node(number, _kind(group, catalog, natives), tuple(
        Member(b.index, b.instance, tuple(settings(natives[b.instance].entry, b, catalog)) if b.instance in natives
               else ()) for b in group), _hosted(group, catalog, natives))
        for number, group in enumerate(groups_of(plan, natives))]
    number = {name: node.number for node in nodes for name in node.instances}
    items = {s.name: s.planned_items for s in plan.streams}
    edges = [EdgeView(it.name, it.ends, (number[it.source], it.output, number[it.sink], it.input,
                                         items[f"{it.source}.{it.source_port}"]))
             for it in hosted.connects(plan, catalog) if number[it.source] != number[it.sink]]
    placed = [Placed(() if plan.jobs else tuple(dict.fromkeys(number[name] for name in w.instances)), tuple(w.cpus))
              for w in plan.workers]
    return {**plan_view(subject), "sources": "native", "stays": False, "natives": natives,
            "hosted": list(hosted.blocks(plan, catalog, members)), "host_flags": host_flags(plan.build),
            "kinds": list(dict.fromkeys(kind for it in nodes for kind in (it.kind, it.hosted) if kind)), "nodes": nodes,
            "members": [it for node in nodes for it in node.members], "edges": edges, "placed": placed,
            "double_mapped": "true" if plan.deployment.parameters["double_mapped"] else "false"}


def _kind(group: Sequence[PlannedBlock], catalog: Catalog, natives: Mapping[str, Native]) -> Kind:
    block, kind = group[0], catalog.blocks[group[0].type]
    inputs, outputs = (tuple(it.item_type(block.item_type) or "" for it in ports)
                       for ports in (kind.inputs, kind.outputs))
    if block.instance not in natives:
        return Kind("_".join(("make", *inputs, "to", *outputs)), inputs, outputs)
    members = [natives[it.instance] for it in group]
    headers = tuple(dict.fromkeys(it.entry["header"] for it in members))
    name = name_of(group) if len(group) > 1 else f"make_{block.type}_{block.item_type}"
    return Kind(name, inputs, outputs, class_of([it.make for it in members]), headers, len(group) > 1)


def _hosted(group: Sequence[PlannedBlock], catalog: Catalog, natives: Mapping[str, Native]) -> Kind | None:
    native = natives.get(group[0].instance)
    return _kind(group, catalog, {}) if native and native.at_end else None
