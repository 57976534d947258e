"""Return of an imported block: the original block with the later changes of the project."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from weir.interop.grc.exporting.native import inverted, listed, word_of
from weir.interop.grc.exporting.python_text import Spelling
from weir.interop.grc.exporting.units import Unit
from weir.interop.grc.importing.building import OUTPUT_BUFFERS
from weir.interop.grc.importing.parts import Built, Part
from weir.interop.grc.names import identifier
from weir.interop.grc.reading.flowgraph import GrcBlock
from weir.interop.grc.table import How, Rule
from weir.model.document.values import is_expression
from weir.sure import sure


def changed_parameters(block: GrcBlock, built: Built, units: Mapping[str, Unit],
                       spelling: Spelling) -> dict[str, str] | None:
    """Return texts for the parameters that a project changed, None if the table cannot be inverted for one."""
    texts: dict[str, str] = {}
    for part in built.parts:
        unit = units.get(part.name)
        if unit is None:
            continue  # it only closes a port
        if built.stub:
            texts |= _of_stub(block, part, unit)
            continue
        then, now = part.parameters, dict(unit.parameters)
        differing = {k for k in then.keys() | now.keys() if then.get(k) != now.get(k)}
        if unit.item_type != part.item_type and unit.item_type and part.item_type:
            differing.add("item_type")
            now["item_type"] = unit.item_type
        for name in differing:
            value = now.get(name)
            own = unit.kind.parameter(name) if unit.kind else None
            if isinstance(value, list) and own and own.type == "item":
                value = tuple(value)
            found = _backwards(block, built, part, name, value, spelling, unit.item_type)
            if found is None:
                return None
            texts |= found
    return texts


def _of_stub(block: GrcBlock, part: Part, unit: Unit) -> dict[str, str]:
    names = {identifier(name): name for name in reversed(list(block.parameters))}
    removed = {key: "0" for key in OUTPUT_BUFFERS if key in part.parameters and key not in unit.parameters}
    return removed | {names.get(key, key): _typed(value) for key, value in unit.parameters.items()
                      if part.parameters.get(key) != value}


def _typed(value: Any) -> str:
    return value["expr"] if is_expression(value) else str(value)


def _backwards(block: GrcBlock, built: Built, part: Part, name: str, value: Any,
               spelling: Spelling, item_type: str | None) -> dict[str, str] | None:
    how = _how(built, part, name)
    if value is None and isinstance(how, Mapping) and "is" in how:
        return {}  # the rule gained this parameter after the project was made
    if how is None or value is None or _says_more(sure(built.rule), how):
        return None
    if name == "item_type":
        if not isinstance(how, str) or how in sure(built.rule).only:
            return None
        word = word_of(value)
        return {how: word} if word else None
    return inverted(how, listed(how, value, item_type), block.parameters, spelling)


def _says_more(rule: Rule, how: How) -> bool:
    """Return whether the parameter also determines another of our parameters, which would change with it."""
    taken = how if isinstance(how, str) else next((str(value) for key, value in how.items() if key != "words"), "")
    hows = [other for part in rule.parts for other in (*part.parameters.values(), part.item_type) if other is not None]
    return hows.count(how) > 1 or any(
        re.search(rf"\b{re.escape(taken)}\b", text) for other in hows if other != how for text in _texts(other))


def _texts(how: How) -> list[str]:
    """Return the GNU Radio parameters from which a value follows, alone or in expressions."""
    return [how] if isinstance(how, str) else [str(text) for key, text in how.items() if key not in ("words", "is")]


def _how(built: Built, part: Part, name: str) -> How | None:
    """Return the table's entry for a parameter of a part."""
    if built.rule is None:
        return None
    for own in built.rule.parts:
        if own.type == part.type and (own.name == part.name or built.rule.is_repeated):
            return own.item_type if name == "item_type" else own.parameters.get(name)
    return None
