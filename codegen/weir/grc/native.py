"""Our blocks as blocks of GNU Radio, by the table to_gnuradio.json; what GNU Radio lacks has something in its place."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from weir.catalog import BlockType
from weir.grc.python_text import Spelling

FILE = Path(__file__).with_name("to_gnuradio.json")


@dataclass
class Foreign:
    """Blocks of GNU Radio that stand for one of ours. `name` of a part is what its name ends in, "" for the main one.

    `inputs`, `outputs`: our port -> part and port number.
    """

    parts: list[tuple[str, str, dict[str, str]]]
    inputs: dict[str, tuple[str, int]]
    outputs: dict[str, tuple[str, int]]
    wires: list[tuple[str, int, str, int]] = field(default_factory=list)
    reason: str = ""
    note: str = ""
    needs_math: bool = False


@cache
def _table() -> dict:
    return json.loads(FILE.read_text(encoding="utf-8"))


def word_of(item_type: str | None) -> str:
    """GNU Radio's word for an item type."""
    return _table()["types"].get(item_type or "", "")


def translate(kind: BlockType, item_type: str | None, given: Mapping[str, object], spelling: Spelling) -> Foreign:
    """`given`: the block's parameters as the project has them."""
    values = {p.id: given.get(p.id, p.default) for p in kind.parameters}
    values |= {p.id: tuple(values[p.id]) for p in kind.parameters if p.type == "item" and _is_pair(values[p.id])}
    entry = _chosen(_table()["blocks"].get(kind.id), item_type, values)
    if entry is None:
        return instead(kind, item_type)
    parts = entry.get("parts") or [entry]
    made = Foreign([], _ports(kind.inputs, entry.get("inputs")), _ports(kind.outputs, entry.get("outputs")),
                   [tuple(wire) for wire in entry.get("wires", ())], entry.get("reason", ""), entry.get("note", ""),
                   "imports" in entry)
    for part in parts:
        parameters = dict(part.get("constants", {}))
        if "types" in part:
            if item_type not in part["types"]:
                return instead(kind, item_type)
            parameters["type"] = part["types"][item_type]
        parameters |= {name: _text(how, values, spelling) for name, how in part.get("parameters", {}).items()}
        made.parts.append((part.get("name", ""), part["id"], parameters))
    for name, plain in entry.get("plain", {}).items():
        if values.get(name) not in (plain, None):
            made.reason = f"`{name}` is not taken over: GNU Radio's block has none"
    return made


def _is_pair(value: object) -> bool:
    return isinstance(value, (list, tuple)) and len(value) == 2


def _chosen(entry: dict | None, item_type: str | None, values: Mapping[str, object]) -> dict | None:
    for choice in (entry or {}).get("choice", [entry] if entry else []):
        if item_type in choice.get("when", [item_type]) and all(
                values.get(name) == wanted for name, wanted in choice.get("where", {}).items()):
            return choice
    return None


def _ports(ports: tuple, told: Mapping[str, list] | None) -> dict[str, tuple[str, int]]:
    if told is not None:
        return {name: (part, number) for name, (part, number) in told.items()}
    return {port.id: ("", i) for i, port in enumerate(ports)}


def _text(how: object, values: Mapping[str, object], spelling: Spelling) -> str:
    if isinstance(how, str):
        return spelling.text(values[how])
    if "words" in how:
        return how["words"].get(values[how["from"]], "")
    if "flag" in how:
        return str(bool(values[how["flag"]]))
    if "text" in how:
        return str(values[how["text"]])
    if "items" in how:  # 0 is the run's number of items
        value = values[how["items"]]
        return spelling.text(spelling.run_items if value in (0, None) else value)
    if "window" in how:
        kind, size = (values[name] for name in how["window"])
        return "[]" if kind == "rectangular" else f"window.{kind}({spelling.text(size)})"
    return re.sub(r"\{(\w+)\}", lambda m: spelling.inside(values[m[1]]), how["expr"])


def instead(kind: BlockType, item_type: str | None) -> Foreign:
    """Blocks with the same ports for one that GNU Radio lacks: it copies where in and out are alike."""
    into = [(p.id, word_of(p.item_type(item_type))) for p in kind.inputs]
    out = [(p.id, word_of(p.item_type(item_type))) for p in kind.outputs]
    made = Foreign([], {}, {}, reason=f"GNU Radio has no {kind.id} of {item_type}: a copy, or null sinks and sources"
                   if item_type else f"GNU Radio has no {kind.id}: a copy, or null sinks and sources")
    if into and out and into[0][1] == out[0][1]:
        made.parts.append(("", "blocks_copy", {"type": into[0][1], "enabled": "True"}))
        made.inputs[into.pop(0)[0]] = made.outputs[out.pop(0)[0]] = ("", 0)
    _closed(made, into, "blocks_null_sink", made.inputs)
    _closed(made, out, "blocks_null_source", made.outputs)
    return made


def _closed(made: Foreign, ports: list[tuple[str, str]], block: str, ends: dict[str, tuple[str, int]]) -> None:
    for name, word in ports:
        part = name if made.parts else ""
        made.parts.append((part, block, {"type": word}))
        ends[name] = (part, 0)
