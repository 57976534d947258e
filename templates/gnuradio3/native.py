"""GNU Radio's native blocks for deployments that request them; native.json lists the equivalents."""

from __future__ import annotations

from pathlib import Path

from weir.engine.generation.cpp.values import block_class, parameter_value
from weir.engine.generation.natives import Native
from weir.engine.generation.natives import natives_of as stand_ins_of
from weir.model.catalog import BlockType, Catalog
from weir.model.document.item_types import ITEM_TYPES, Parameter
from weir.model.planning.plan import Plan


def natives_of(plan: Plan, catalog: Catalog) -> dict[str, Native]:
    """Return instance -> native block."""
    return stand_ins_of(plan, catalog, Path(__file__).with_name("native.json"), _item, _literal)


def headers(plan: Plan, natives: dict[str, Native]) -> list[str]:
    """Return the headers of the used native blocks."""
    types = {block.instance: block.item_type for block in plan.blocks}
    return sorted({native.of("header", types[instance]) for instance, native in natives.items()})


def components(natives: dict[str, Native]) -> list[str]:
    """Return the GNU Radio components to link."""
    return sorted({it for native in natives.values() for it in native.entry.get("components", ("blocks",))})


def volk_kernels(plan: Plan, catalog: Catalog, natives: dict[str, Native]) -> dict[str, list[str]]:
    """Return the VOLK kernels that each used native block calls."""
    return {block.instance: natives[block.instance].entry.get("kernels", {}).get(
                block.item_type, catalog.blocks[block.type].kernels_of(block.item_type))
            for block in plan.blocks if block.instance in natives}


def _item(item_type: str | None) -> str:
    return ITEM_TYPES[item_type].cpp if item_type else ""


def _literal(parameter: Parameter, value: object, kind: BlockType, item_type: str | None) -> str:
    return parameter_value(parameter, value, block_class(kind, item_type), item_type)
