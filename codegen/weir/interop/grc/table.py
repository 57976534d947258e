"""Table that translates blocks between GNU Radio and Weir. Its data is blocks.json.

`blocks` has rules for building a block of GNU Radio in Weir. A rule with `back` also exports Weir's block. `back` has
only what does not follow from the rule: further parameters of GNU Radio's block (`fixed`), and parameters that come
from an expression. `from_ours` has the blocks of Weir without such a rule. In both, an entry that is a name refers to
the entry of that name.

Blocks of GNU Radio 4 have names of C++ types, without template arguments, and the same rules, except for `back`.
`port_names` has the names of their ports, if these are not `in` and `out`.

`forms` has the common content of several rules or parts. An entry that is `like` one or more forms inherits their
content and overrides parts of it. Parts without `wires` form a chain from the inputs of the first to the outputs of the
last. Ends of wires are `part.port`, or `.port` for the main part.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("blocks.json")
#: Keys of a form that are merged entry by entry.
_MAPPINGS = ("parameters", "defaults", "fixed", "only", "back")

#: A way to get a value: a parameter's name, or {"expr" | "is" | "from" + "words" | "path" | "flag" | …}
How = str | Mapping[str, Any]
Target = tuple[str, str]


@dataclass(frozen=True)
class PartRule:
    """Block of Weir that is a part of the translation of a GNU Radio block."""

    name: str
    type: str
    item_type: How | None
    parameters: Mapping[str, How]


@dataclass(frozen=True)
class Rule:
    """Rule for building a block in Weir. `inputs` and `outputs` map each port to a part and a port; None means the
    ports of the only part, in order. `reason` says why the block is not the same, `note` says what the user must know
    although it is. `lacks_outputs` has the numbers of optional outputs that Weir's block does not have. `otherwise`
    maps a parameter of `only` to the reason why other values have no block.

    For blocks with any number of streams, `fold` is the number of inputs, which two by two become one. `turns` are the
    items that each stream moves by turns, and `returns` those that each stream then gives. `mixes` is the matrix of the
    weights of each input in each output, `channels` the number of channels of a filter bank, and `selects` are number
    of inputs, chosen input and chosen output.

    `within` is the largest difference of an item from GNU Radio's, as a share of the largest item of the stream; 0
    means the same bits. `drift` is the growth of that difference for each item. `edges` exempts items at a jump of the
    wave, which may come one item earlier or later. `back` has what the export needs in addition, None if this rule has
    no export.
    """

    parts: tuple[PartRule, ...]
    inputs: tuple[tuple[Target, ...], ...] | None
    outputs: tuple[Target, ...] | None
    wires: tuple[tuple[str, str, str, str], ...]
    only: Mapping[str, Any]
    defaults: Mapping[str, str]
    spread: str
    fold: str
    turns: str
    returns: str
    mixes: str
    channels: str
    selects: tuple[str, ...]
    otherwise: Mapping[str, str]
    optional_inputs: tuple[str, ...]
    lacks_outputs: tuple[int, ...]
    reason: str
    note: str
    within: float = 0.0
    drift: float = 0.0
    edges: bool = False
    back: Mapping[str, Any] | None = None

    @property
    def is_repeated(self) -> bool:
        """Return whether the number of parts depends on the block."""
        return bool(self.fold or self.turns or self.mixes or self.channels or self.selects or self.spread)


@cache
def _document() -> dict:
    return json.loads(FILE.read_text(encoding="utf-8"))


def item_types() -> Mapping[str, str]:
    """Return GNU Radio's word for a type -> Weir's; `byte` becomes u8 or i8, depending on its neighbours."""
    return _document()["item_types"]


@cache
def _entry(section: str, block_id: str) -> Any:
    """Return the entry of a block. The name of a C++ type is that before its template arguments."""
    entries = _document()[section]
    name, _, _ = block_id.partition("<")
    found = entries.get(name) or next((entry for key, entry in entries.items()
                                       if "*" in key and fnmatchcase(name, key)), None)
    return _whole(entries[found] if isinstance(found, str) and found in entries else found)


def _whole(value: Any) -> Any:
    """Return an entry with the content of all forms that it is `like`."""
    if isinstance(value, list):
        return [_whole(one) for one in value]
    if not isinstance(value, Mapping):
        return value
    like = value.get("like", [])
    found: dict[str, Any] = {}
    for name in [like] if isinstance(like, str) else like:
        found = _over(found, _whole(_document()["forms"][name]))
    return _over(found, {key: _whole(one) for key, one in value.items() if key != "like"})


def _over(form: Mapping, own: Mapping) -> dict[str, Any]:
    return {**form, **{key: _over(form[key], one) if key in _MAPPINGS and key in form else one
                       for key, one in own.items()}}


def block_names(gr4: bool = False) -> Iterable[str]:
    """Return the blocks of GNU Radio 3.10, or of GNU Radio 4, in the table; * matches any text."""
    return [name for name in _document()["blocks"] if of_gnuradio4(name) == gr4]


def of_gnuradio4(name: str) -> bool:
    """Return whether a name in the table is that of a block of GNU Radio 4, a C++ type."""
    return "::" in name or "<" in name or name.startswith("builtin_")


def port_names(block_id: str, direction: str) -> tuple[str, ...]:
    """Return the names of the ports of a block of GNU Radio 4, in order. `direction`: INPUT or OUTPUT."""
    names: Mapping[str, list[str]] = _entry("port_names", block_id) or {"INPUT": ["in"], "OUTPUT": ["out"]}
    return tuple(names[direction])


def no_streams(block_id: str) -> str | None:
    """Return why a block without streams is left out, None if it is not known to be such a block."""
    return _entry("no_streams", block_id)


#: Blocks that GNU Radio itself replaces by wires.
VIRTUAL = ("virtual_source", "virtual_sink")


def elided(block_id: str) -> str | None:
    """Return why a block becomes a wire, None if it does not."""
    entry = _entry("blocks", block_id)
    return entry.get("elide") if isinstance(entry, dict) else None


@cache
def rules(block_id: str) -> tuple[Rule, ...]:
    """Return the rules for a block; the first one whose conditions hold applies. Empty for an unknown block."""
    entry = _entry("blocks", block_id)
    if entry is None or elided(block_id):
        return ()
    return tuple(_rule(e) for e in (entry if isinstance(entry, list) else [entry]))


def _rule(entry: Mapping) -> Rule:
    parts = tuple(PartRule(p.get("name", ""), p["type"], p.get("item_type"), p.get("parameters", {}))
                  for p in entry.get("parts") or [entry])
    row = [(a.name, "out", b.name, "in") for a, b in zip(parts, parts[1:])]
    inputs, outputs = entry.get("inputs"), entry.get("outputs")
    return Rule(
        parts=parts,
        inputs=None if inputs is None else tuple(tuple(map(_end, port.split())) for port in inputs),
        outputs=None if outputs is None else tuple(map(_end, outputs)),
        wires=tuple((*_end(a), *_end(b)) for a, b in (wire.split(" > ") for wire in entry["wires"]))
        if "wires" in entry else tuple(row), only=entry.get("only", {}),
        defaults={**_document()["defaults"], **entry.get("defaults", {})}, spread=entry.get("spread", ""),
        fold=entry.get("fold", ""), turns=entry.get("turns", ""), returns=entry.get("returns", ""),
        mixes=entry.get("mixes", ""), channels=entry.get("channels", ""), selects=tuple(entry.get("selects", ())),
        otherwise=entry.get("otherwise", {}),
        optional_inputs=tuple(entry.get("optional_inputs", ())),
        lacks_outputs=tuple(entry.get("lacks_outputs", ())),
        reason=entry.get("reason", ""), note=entry.get("note", ""), within=entry.get("within", 0.0),
        drift=entry.get("drift", 0.0), edges=entry.get("edges", False), back=entry.get("back"))


@cache
def rules_back() -> Mapping[str, tuple[tuple[str, Rule], ...]]:
    """Return block type of Weir -> the rules that export it, each with its GNU Radio block."""
    found: dict[str, list[tuple[str, Rule]]] = {}
    for name in block_names():
        for rule in rules(name):
            if rule.back is not None:
                found.setdefault(rule.parts[0].type, []).append((name, rule))
    return {kind: tuple(ways) for kind, ways in found.items()}


def from_ours(kind: str) -> Mapping[str, object] | None:
    """Return the substitute for one of our blocks that no rule exports."""
    return _entry("from_ours", kind)


def _end(text: str) -> Target:
    """Parse `part.port`, or `.port` for the main part."""
    part, _, port = text.partition(".")
    return part, port
