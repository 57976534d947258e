"""Template view of a plan under GNU Radio 4: its blocks by the item types of their ports, and their connections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from weir.engine.generation.cpp import hosted
from weir.engine.generation.cpp.gnuradio4 import host_flags
from weir.engine.generation.cpp.names import unique_identifiers
from weir.engine.generation.cpp.plan_view import FILTERS, plan_view
from weir.engine.generation.natives import Native
from weir.engine.targets.interface import GenerationInput
from weir.model.catalog import BlockType
from weir.model.planning.plan import PlannedBlock

from .native import natives_of, settings

__all__ = ["FILTERS", "context"]


@dataclass(frozen=True)
class Kind:
    """Kind of block that is compiled once: hosted blocks by the item types of their ports, native ones by their class.

    `native` is the class of a native block, "" for hosted ones.
    """

    make: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    native: str = ""
    header: str = ""

    @property
    def record(self) -> str:
        """Return the function that makes a block which records a native block's output."""
        return self.make.replace("make_", "record_", 1)

    @property
    def item(self) -> str:
        """Return the item type of a native block."""
        return self.outputs[0]

    @property
    def inputs_are_one_port(self) -> bool:
        """Return whether GNU Radio has the inputs in one collection."""
        return bool(self.native) and len(self.inputs) > 1


@dataclass(frozen=True)
class Node:
    number: int
    instance: str
    kind: Kind
    settings: tuple[tuple[str, str, list[str]], ...]


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
    nodes = [Node(b.index, b.instance, _kind(b, catalog.blocks[b.type], natives.get(b.instance)),
                  tuple(settings(natives[b.instance].entry, b, catalog)) if b.instance in natives else ())
             for b in plan.blocks]
    number = {b.instance: b.index for b in plan.blocks}
    items = {s.name: s.planned_items for s in plan.streams}
    edges = [EdgeView(it.name, it.ends, (number[it.source], it.output, number[it.sink], it.input,
                                         items[f"{it.source}.{it.source_port}"]))
             for it in hosted.connects(plan, catalog)]
    placed = [Placed(() if plan.jobs else tuple(number[name] for name in w.instances), tuple(w.cpus))
              for w in plan.workers]
    return {**plan_view(subject), "sources": "native", "stays": False, "natives": natives,
            "hosted": list(hosted.blocks(plan, catalog, members)), "host_flags": host_flags(plan.build),
            "kinds": list(dict.fromkeys(it.kind for it in nodes)), "nodes": nodes, "edges": edges, "placed": placed,
            "double_mapped": "true" if plan.deployment.parameters["double_mapped"] else "false"}


def _kind(block: PlannedBlock, kind: BlockType, native: Native | None) -> Kind:
    inputs, outputs = (tuple(it.item_type(block.item_type) or "" for it in ports)
                       for ports in (kind.inputs, kind.outputs))
    if native is None:
        return Kind("_".join(("make", *inputs, "to", *outputs)), inputs, outputs)
    return Kind(f"make_{block.type}_{block.item_type}", inputs, outputs, native.make, native.entry["header"])
