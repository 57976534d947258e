"""GNU Radio's own blocks, where a deployment wants them and one means what ours means: native.json has which."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from weir.catalog import BlockType, Catalog
from weir.document.item_types import ITEM_TYPES
from weir.generation.cpp.values import block_class, parameter_value
from weir.planning.plan import Plan, PlannedBlock

FILE = Path(__file__).with_name("native.json")


@dataclass(frozen=True)
class Native:
    """`make`: C++ that makes it; `components`: of GNU Radio's, to be linked."""

    make: str
    header: str
    components: tuple[str, ...]


def natives_of(plan: Plan, catalog: Catalog) -> dict[str, Native]:
    """Instance -> what stands for it. Not for what a run is measured at: sources, sinks, whatever has a probe."""
    if plan.deployment.blocks != "native":
        return {}
    table = json.loads(FILE.read_text(encoding="utf-8"))
    found = {block.instance: _native(block, catalog.blocks[block.type], table) for block in plan.blocks
             if block.index not in _measured(plan)}
    return {instance: native for instance, native in found.items() if native}


def _measured(plan: Plan) -> set[int]:
    fed = {reader.rpartition(".")[0] for stream in plan.streams for reader in stream.readers}
    feeding = {stream.name.rpartition(".")[0] for stream in plan.streams}
    ends = {b.index for b in plan.blocks if b.instance not in fed or b.instance not in feeding or b.probe_granularity}
    return ends | {b.index for b in plan.blocks if b.instance in plan.metered}


def _native(block: PlannedBlock, kind: BlockType, table: Mapping[str, Mapping]) -> Native | None:
    entry = table.get(kind.id)
    if entry is None or any(block.parameters.get(name) != value for name, value in entry.get("if", {}).items()):
        return None
    make, header = (_of_type(entry[key], block.item_type) for key in ("make", "header"))
    if make is None:
        return None
    own = {p.id: p for p in kind.parameters}

    def text(name: re.Match) -> str:
        if name[1] == "item":
            return ITEM_TYPES[block.item_type].cpp
        return parameter_value(own[name[1]], block.parameters[name[1]], block_class(kind, block.item_type),
                               block.item_type)

    return Native(re.sub(r"\{(\w+)\}", text, make), header, tuple(entry.get("components", ("blocks",))))


def _of_type(value: str | Mapping[str, str], item_type: str | None) -> str | None:
    return value if isinstance(value, str) else value.get(item_type)
