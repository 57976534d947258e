"""FutureSDR's native blocks for deployments that request them; native.json lists the equivalents."""

from __future__ import annotations

from pathlib import Path

from weir.engine.generation.natives import Native
from weir.engine.generation.natives import natives_of as stand_ins_of
from weir.engine.generation.rust import text
from weir.model.catalog import BlockType, Catalog
from weir.model.document.item_types import Parameter
from weir.model.planning.plan import Plan


def natives_of(plan: Plan, catalog: Catalog) -> dict[str, Native]:
    """Return instance -> native block."""
    return stand_ins_of(plan, catalog, Path(__file__).with_name("native.json"), _item, _literal)


def _item(item_type: str | None) -> str:
    return text.TYPES[item_type] if item_type else ""


def _literal(parameter: Parameter, value: object, kind: BlockType, item_type: str | None) -> str:
    return text.number(value, (item_type or "f32") if parameter.type == "item" else parameter.type)
