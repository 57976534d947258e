"""GNU Radio 4's native blocks for deployments that request them; native.json lists the equivalents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from weir.engine.generation.cpp.text import cpp_double
from weir.engine.generation.natives import Native
from weir.engine.generation.natives import natives_of as stand_ins_of
from weir.model.catalog import Catalog
from weir.model.planning.plan import Plan, PlannedBlock


def natives_of(plan: Plan, catalog: Catalog) -> dict[str, Native]:
    """Return instance -> native block. `make` is its class."""
    return stand_ins_of(plan, catalog, Path(__file__).with_name("native.json"), lambda item_type: item_type or "",
                        lambda *_: "")


def settings(entry: Mapping, block: PlannedBlock, catalog: Catalog) -> Iterator[tuple[str, str, list[str]]]:
    """Yield GNU Radio's settings: name, kind, and values."""
    parameters = {it.id: it for it in catalog.blocks[block.type].parameters}
    if "total" in entry:
        yield entry["total"], "total", []
    for name, wanted in entry.get("settings", {}).items():
        if isinstance(wanted, int):
            yield name, "size", [cpp_double(wanted)]
        else:
            kind = "items" if parameters[wanted].type == "f32_list" else "item"
            yield name, kind, [cpp_double(it) for it in _numbers(block.parameters[wanted])]


def _numbers(value: Any) -> list[float]:
    return list(value) if isinstance(value, (list, tuple)) else [value]
