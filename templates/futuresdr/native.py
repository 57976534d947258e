"""FutureSDR's own blocks, where a deployment wants them and one means what ours means: native.json has which."""

from __future__ import annotations

from pathlib import Path

from weir.catalog import BlockType, Catalog
from weir.document.item_types import Parameter
from weir.generation.natives import Native
from weir.generation.natives import natives_of as stand_ins_of
from weir.generation.rust import text
from weir.planning.plan import Plan


def natives_of(plan: Plan, catalog: Catalog) -> dict[str, Native]:
    """Instance -> what stands for it."""
    return stand_ins_of(plan, catalog, Path(__file__).with_name("native.json"), _item, _literal)


def _item(item_type: str | None) -> str:
    return text.TYPES[item_type] if item_type else ""


def _literal(parameter: Parameter, value: object, kind: BlockType, item_type: str | None) -> str:
    return text.number(value, (item_type or "f32") if parameter.type == "item" else parameter.type)
