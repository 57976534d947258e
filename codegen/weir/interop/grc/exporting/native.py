"""Translation of Weir's blocks to GNU Radio's by the inverted table, with substitutes for blocks that GNU Radio lacks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from weir.interop.grc.exporting.python_text import Spelling
from weir.interop.grc.table import How, PartRule, Rule, from_ours, item_types, rules_back
from weir.model.catalog import BlockType
from weir.model.document.item_types import ITEM_TYPES
from weir.model.document.values import is_expression
from weir.sure import sure


@dataclass
class GnuRadioBlocks:
    """Blocks of GNU Radio that replace one of Weir's. `name` of a part is the suffix of its name, "" for the main one.

    `inputs`, `outputs`: our port -> part and port number.
    """

    parts: list[tuple[str, str, dict[str, str]]]
    inputs: dict[str, tuple[str, int]]
    outputs: dict[str, tuple[str, int]]
    wires: list[tuple[str, int, str, int]] = field(default_factory=list)
    reason: str = ""
    note: str = ""
    needs_math: bool = False


def word_of(item_type: str | None) -> str:
    """Return GNU Radio's word for an item type: the first one in the table."""
    return next((word for word, kind in item_types().items() if _is(kind, item_type)), "")


def _is(kind: str | None, item_type: str | None) -> bool:
    return kind == item_type or kind == "byte" and item_type in ("u8", "i8")


def translate(kind: BlockType, item_type: str | None, given: Mapping[str, Any], spelling: Spelling) -> GnuRadioBlocks:
    """Translate a block. `given`: its parameters in the project."""
    values = {p.id: given.get(p.id, p.default) for p in kind.parameters}
    values |= {p.id: tuple(values[p.id]) for p in kind.parameters if p.type == "item" and _is_pair(values[p.id])}
    plain = {p.id: p.default for p in kind.parameters}
    nearly: GnuRadioBlocks | None = None
    for name, rule in rules_back().get(kind.id, ()):
        fixed = _fixed(rule, item_type, values)
        if fixed is None:
            continue
        made = _by_rule(kind, name, rule, fixed | sure(rule.back).get("fixed", {}), values, item_type, spelling)
        if lost := _lost(rule, values, plain):
            made.reason = f"differs in {lost}, which GNU Radio's block does not have"
            nearly = nearly or made
        else:
            return made
    entry = _chosen(from_ours(kind.id), item_type, values)
    native = _by_entry(kind, entry, values, item_type, spelling) if entry else None
    return native or nearly or instead(kind, item_type)


def _fixed(rule: Rule, item_type: str | None, values: Mapping[str, Any]) -> dict[str, str] | None:
    """Return the texts that make the import choose this rule, None if the rule does not fit the values."""
    [part] = rule.parts
    fixed = {name: str(wanted[0]) for name, wanted in rule.only.items()
             if isinstance(wanted, list) and name not in ("type", *_taken(part))}
    if part.item_type is not None:
        words = _words(part.item_type, item_type)
        if isinstance(part.item_type, str):
            words = [word for word in words if word in rule.only.get(part.item_type, words)]
        if not words:
            return None
        if not isinstance(part.item_type, Mapping) or "is" not in part.item_type:
            fixed[part.item_type if isinstance(part.item_type, str) else "type"] = words[0]
    for own, how in part.parameters.items():
        if isinstance(how, Mapping) and ("is" in how and how["is"] != values[own]
                                         or "words" in how and values[own] not in how["words"].values()):
            return None
    return fixed


def _taken(part: PartRule) -> set[str]:
    return {str(how.get("from", "")) for how in part.parameters.values() if isinstance(how, Mapping)}


def _words(how: How, item_type: str | None) -> list[str]:
    if isinstance(how, Mapping) and "is" in how:
        return [how["is"]] if _is(how["is"], item_type) else []
    words = item_types() if isinstance(how, str) else how["words"]
    return [word for word, kind in words.items() if _is(kind, item_type)]


def _by_rule(kind: BlockType, name: str, rule: Rule, fixed: Mapping[str, str], values: Mapping[str, Any],
             item_type: str | None, spelling: Spelling) -> GnuRadioBlocks:
    back, [part] = sure(rule.back), rule.parts
    if "parts" in back:
        return sure(_by_entry(kind, back, values, item_type, spelling))
    parameters = dict(fixed)
    for own, how in part.parameters.items():
        parameters |= inverted(how, listed(how, values[own], item_type), rule.defaults, spelling) or {}
    parameters |= {theirs: _text(how, values, spelling) for theirs, how in back.get("parameters", {}).items()}
    return GnuRadioBlocks([("", name, parameters)], _ports(kind.inputs, None), _ports(kind.outputs, None),
                          note=back.get("note", rule.note), needs_math="imports" in back)


def _lost(rule: Rule, values: Mapping[str, Any], plain: Mapping[str, Any]) -> str:
    """Return the parameters that the inverse rule does not cover and that differ from their defaults."""
    [part] = rule.parts
    hows = [how for one in (rule.back, *sure(rule.back).get("parts", ())) for how in one.get("parameters", {}).values()]
    said = {word for how in hows for text in ([how] if isinstance(how, str) else how.values())
            for word in re.findall(r"\w+", str(text))}
    return ", ".join(f"`{own}`" for own, value in values.items()
                     if own not in part.parameters and own not in said and value not in (plain[own], None))


def _in_a_row(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an entry of several parts with default wires if it has none."""
    if "parts" not in entry or "wires" in entry:
        return entry
    names = [part["name"] for part in entry["parts"]]
    return {**entry, "inputs": {"in": [names[0], 0]}, "outputs": {"out": [names[-1], 0]},
            "wires": [[a, 0, b, 0] for a, b in zip(names, names[1:])]}


def listed(how: How, value: Any, item_type: str | None) -> Any:
    """Return a list of numbers as the items that it stands for, if `how` is that of one; else the value itself."""
    if isinstance(how, str) or "list" not in how:
        return value
    if item_type == "c64":
        return [tuple(value[i:i + 2]) for i in range(0, len(value), 2)]
    if item_type in ITEM_TYPES and ITEM_TYPES[item_type].integer:
        byte = ITEM_TYPES[item_type].size == 1  # GNU Radio takes no negative ones
        return [one if is_expression(one) else int(one) & 255 if byte else int(one) for one in value]
    return value


def inverted(how: How, value: Any, before: Mapping[str, str], spelling: Spelling) -> dict[str, str] | None:
    """Return the texts from which the import makes a value, None if the table alone does not determine them. `before`:
    earlier texts of the parameters; the module before a word is kept.
    """
    if isinstance(how, str):
        return {how: spelling.text(value)}
    if "list" in how:
        return {str(how["list"]): spelling.text(value)}
    if "scalar" in how:
        return {str(how["scalar"]): spelling.text(value)}
    if "flag" in how:
        return {str(how["flag"]): str(bool(value))}
    if "path" in how or "file_name" in how:
        return {str(theirs): str(value) for theirs in how.values()}
    if "from" in how:
        theirs = str(how["from"])
        module, dot, _ = before.get(theirs, "").rpartition(".")
        return next(({theirs: module + dot + word} for word, own in how["words"].items() if own == value), None)
    return None


def _by_entry(kind: BlockType, entry: Mapping, values: Mapping[str, Any], item_type: str | None,
              spelling: Spelling) -> GnuRadioBlocks | None:
    """Return the block for an entry, None if it does not support the item type."""
    entry = _in_a_row(entry)
    made = GnuRadioBlocks([], _ports(kind.inputs, entry.get("inputs")), _ports(kind.outputs, entry.get("outputs")),
                          [tuple(wire) for wire in entry.get("wires", ())], entry.get("reason", ""),
                          entry.get("note", ""), "imports" in entry)
    for part in entry.get("parts") or [entry]:
        parameters = dict(part.get("fixed", {}))
        if "types" in part:
            word = word_of(item_type) if part["types"] == "type" else part["types"].get(item_type)
            if not word:
                return None
            parameters["type"] = word
        parameters |= {name: _text(how, values, spelling) for name, how in part.get("parameters", {}).items()}
        made.parts.append((part.get("name", ""), part["id"], parameters))
    return made


def _is_pair(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) == 2


def _chosen(entry: Mapping | None, item_type: str | None, values: Mapping[str, Any]) -> Mapping | None:
    for choice in (entry or {}).get("choice", [entry] if entry else []):
        if item_type in choice.get("when", [item_type]) and all(
                values.get(name) == wanted for name, wanted in choice.get("where", {}).items()):
            return choice
    return None


def _ports(ports: tuple, listed: Mapping[str, list] | None) -> dict[str, tuple[str, int]]:
    if listed is not None:
        return {name: (part, number) for name, (part, number) in listed.items()}
    return {port.id: ("", i) for i, port in enumerate(ports)}


def _text(how: How, values: Mapping[str, Any], spelling: Spelling) -> str:
    if isinstance(how, str):
        return spelling.text(values[how])
    if "words" in how:
        return how["words"].get(values[how["from"]], "")
    if "flag" in how:
        return str(bool(values[how["flag"]]))
    if "text" in how:
        return str(values[how["text"]])
    if "items" in how:  # 0 means the run's number of items
        value = values[how["items"]]
        return spelling.text(spelling.run_items if value in (0, None) else value)
    if "window" in how:  # GNU Radio's windows are symmetric: a periodic one is one item longer, without its last item
        kind, size, symmetric = (values[name] for name in how["window"])
        if kind == "rectangular":
            return "[]"
        if symmetric:
            return f"window.{kind}({spelling.text(size)})"
        return f"window.{kind}({spelling.inside(size)} + 1)[:-1]"
    return re.sub(r"\{(\w+)\}", lambda m: spelling.inside(values[m[1]]), how["expr"])


def instead(kind: BlockType, item_type: str | None) -> GnuRadioBlocks:
    """Return a substitute with the same ports for a block that GNU Radio lacks. It copies items if inputs and outputs
    have the same types.
    """
    into = [(p.id, word_of(p.item_type(item_type))) for p in kind.inputs]
    out = [(p.id, word_of(p.item_type(item_type))) for p in kind.outputs]
    of = f" of {item_type}" if item_type else ""
    made = GnuRadioBlocks([], {}, {}, reason=f"GNU Radio has no {kind.id}{of}: the export uses a copy block, or null "
                                             "sinks and sources")
    if into and out and into[0][1] == out[0][1]:
        made.parts.append(("", "blocks_copy", {"type": into[0][1], "enabled": "True"}))
        made.inputs[into.pop(0)[0]] = made.outputs[out.pop(0)[0]] = ("", 0)
    _closed(made, into, "blocks_null_sink", made.inputs)
    _closed(made, out, "blocks_null_source", made.outputs)
    return made


def _closed(made: GnuRadioBlocks, ports: list[tuple[str, str]], block: str,
            ends: dict[str, tuple[str, int]]) -> None:
    for name, word in ports:
        part = name if made.parts else ""
        made.parts.append((part, block, {"type": word}))
        ends[name] = (part, 0)
