"""Translation of one block of GNU Radio to blocks of Weir: parts, ports and parameters by the table, or the reason why
not.
"""

from __future__ import annotations

import math
import operator
import re
import struct
from collections.abc import Mapping, Sequence, Set
from typing import Any

from weir.interop.grc.expressions.constellations import Constellation
from weir.interop.grc.expressions.parsing import Node, NotUnderstood, parse
from weir.interop.grc.expressions.values import Values, as_number, reals
from weir.interop.grc.importing.chains import channelized, dealt, folded, joined, mixed, rearranged, selected
from weir.interop.grc.importing.parts import Built, Part
from weir.interop.grc.names import identifier, unique
from weir.interop.grc.reading.block_files import GrcPort, block_file
from weir.interop.grc.reading.flowgraph import GrcBlock
from weir.interop.grc.table import How, PartRule, Rule, item_types, rules
from weir.model.catalog import BlockType, Catalog
from weir.model.document import expressions as ours
from weir.model.document.item_types import ITEM_TYPES, Parameter
from weir.model.document.values import is_expression, limits
from weir.sure import sure

MOST_FOLDED = 1024


class NotBuilt(Exception):
    """Reason why a block has no counterpart in Weir."""


class _OtherRule(NotBuilt):
    """Reason why a rule does not apply: it is for other parameters."""


def build(block: GrcBlock, values: Values, catalog: Catalog, inputs: Set[int], outputs: Set[int]) -> Built:
    """Build a block by the first rule whose conditions hold. `inputs`, `outputs`: its connected ports. Raises NotBuilt
    with the reason.
    """
    why: list[NotBuilt] = []
    for rule in rules(block.id):
        try:
            return _Builder(block, rule, values, catalog).build(inputs, outputs)
        except NotBuilt as error:
            why.append(error)
    # A fault under a matching rule says more than the fact that another rule does not match.
    raise min(why, key=lambda error: isinstance(error, _OtherRule), default=NotBuilt("Weir has no such block"))


class _Builder:
    def __init__(self, block: GrcBlock, rule: Rule, values: Values, catalog: Catalog):
        self.block, self.rule, self.values, self.catalog = block, rule, values, catalog
        self.designs: dict[str, dict[str, Any]] = {}

    def build(self, inputs: Set[int], outputs: Set[int]) -> Built:
        for name, wanted in self.rule.only.items():
            if not _holds(self.condition(name), wanted):
                why = self.rule.otherwise.get(name)
                raise _OtherRule(f"`{name}` is {_shown(self.text(name))}" + (f": {why}" if why else ""))
        if lacking := sorted(outputs & set(self.rule.lacks_outputs)):
            raise NotBuilt(f"Weir's block does not have its output {lacking[0]}")
        parts = [self.part(part) for part in self.rule.parts]
        if self.rule.spread:
            built = _spread(parts[0], inputs if self.rule.spread == "inputs" else outputs, self.rule.spread)
        elif self.rule.mixes:
            built = mixed(parts[0], parts[1], self.weights(parts[0]))
        elif self.rule.channels:
            built = channelized(parts, self.whole(self.rule.channels, 1))
        elif self.rule.fold or self.rule.turns or self.rule.selects:
            built = self.chain(parts, outputs)
        else:
            built = self.plain(parts)
        if unknown := sorted(inputs - built.inputs.keys()):
            raise NotBuilt(f"Weir's block does not have its input {unknown[0]}")
        built.reason, built.note = self.rule.reason, self.rule.note or built.note
        built.optional_inputs, built.rule = self.rule.optional_inputs, self.rule
        return built

    def type_of(self, part: PartRule | Part) -> BlockType:
        return self.catalog.blocks[part.type]

    def plain(self, parts: list[Part]) -> Built:
        rule, last = self.rule, self.type_of(parts[-1])
        inputs = {i: list(targets) for i, targets in enumerate(rule.inputs)} if rule.inputs is not None else {
            i: [(parts[0].name, port.id)] for i, port in enumerate(self.type_of(parts[0]).inputs)}
        outputs = dict(enumerate(rule.outputs)) if rule.outputs is not None else {
            i: (parts[-1].name, port.id) for i, port in enumerate(last.outputs)}
        return Built(parts, inputs, outputs, list(rule.wires))

    def chain(self, parts: Sequence[Part], outputs: Set[int]) -> Built:
        """Build a chain of blocks with two inputs or outputs, for any number of streams."""
        part = parts[0]
        if self.rule.turns:
            lengths = self.lengths(self.rule.turns)
            for length in (sum(lengths[:-1]), sum(lengths[1:])):
                self.within(part.type, self.type_of(part).parameters[0], length, None)
            if self.rule.returns:
                return rearranged(parts, lengths, self.lengths(self.rule.returns))
            return (dealt if len(self.type_of(part).outputs) > 1 else joined)(part, lengths)
        if self.rule.selects:
            inputs, into, out = (self.whole(name, least) for name, least in zip(self.rule.selects, (1, 0, 0)))
            if into >= inputs:
                raise NotBuilt(f"`{self.rule.selects[1]}` is {into}, but the block has {inputs} inputs")
            return selected(part, inputs, into, out, outputs)
        return folded(part, self.whole(self.rule.fold, 2))

    def whole(self, name: str, least: int) -> int:
        """Return a small whole number. A button of the window is 0 or 1."""
        value = self.evaluated(name)
        count = int(value) if isinstance(value, bool) else as_number(value)
        if not isinstance(count, int) or not least <= count <= MOST_FOLDED:
            raise NotBuilt(f"`{name}` is {_shown(self.text(name))}")
        return count

    def lengths(self, turns: str) -> list[int]:
        """Return how many items each stream moves by turns. `vlen` items form a vector."""
        value = self.value_of(self.substituted(turns, None), turns)
        vector = self.whole("vlen", 1)
        found = [as_number(length) for length in value] if isinstance(value, list) else []
        whole = [length * vector for length in found if isinstance(length, int) and length > 0]
        if not 1 <= len(whole) <= MOST_FOLDED or len(whole) < len(found):
            raise NotBuilt(f"`{turns}` is {_shown(value)}: lengths of at least 1 are needed")
        return whole

    def weights(self, part: Part) -> list[list[dict[str, Any]]]:
        """Return the parameters of a weight for each input of each output."""
        name, [parameter] = self.rule.mixes, self.type_of(part).parameters
        rows = self.evaluated(name)
        if not (isinstance(rows, list) and rows and all(
                isinstance(row, list) and row and len(row) == len(rows[0]) for row in rows)
                and len(rows) * len(rows[0]) <= MOST_FOLDED):
            raise NotBuilt(f"`{name}` is {_shown(self.text(name))}, which is no matrix of up to {MOST_FOLDED} numbers")
        return [[{parameter.id: self.number(Node("value", it), name, parameter, part.item_type)} for it in row]
                for row in rows]

    def part(self, rule: PartRule) -> Part:
        kind = self.type_of(rule)
        item_type = self.item_type(rule.item_type)
        if item_type and item_type != "byte" and item_type not in kind.item_types:
            raise NotBuilt(f"{kind.id} does not support items of type {item_type}")
        if item_type == "byte" and not {"u8", "i8"} & set(kind.item_types):
            raise NotBuilt(f"{kind.id} does not support bytes")
        known = {p.id: p for p in kind.parameters}
        self.designs = {}
        given = {name: self.within(kind.id, known[name], self.value(how, known[name], item_type), item_type)
                 for name, how in rule.parameters.items()}
        return Part(rule.name, kind.id, item_type, {k: v for k, v in given.items() if v is not None}, self.designs)

    def item_type(self, how: How | None) -> str | None:
        if how is None:
            return None
        if isinstance(how, str):
            word = self.word(how)
            if word not in item_types():
                raise NotBuilt(f"items of type {_shown(word)}")
            return item_types()[word]
        return self.value(how, None, None)

    def text(self, name: str) -> str:
        """Return a parameter as typed, or its default."""
        text = self.block.parameters.get(name)
        return (self.rule.defaults.get(name, "") if text is None or not text.strip() else text).strip()

    def word(self, name: str) -> str:
        """Return the word of an option: `analog.GR_COS_WAVE` gives GR_COS_WAVE."""
        return self.text(name).strip("'\"").rpartition(".")[2]

    def node(self, name: str) -> Node:
        text = self.text(name)
        if not text:
            raise NotBuilt(f"`{name}` is not given")
        try:
            return parse(text)
        except NotUnderstood as error:
            raise NotBuilt(f"`{name}` is {_shown(text)}: {error}") from None

    def evaluated(self, name: str) -> Any:
        return self.value_of(self.node(name), name)

    def value_of(self, node: Node, name: str) -> Any:
        try:
            return self.values.names.evaluate(node)
        except NotUnderstood as error:
            raise NotBuilt(f"`{name}` is {_shown(self.text(name) or name)}: {error}") from None

    def condition(self, name: str) -> Any:
        try:
            return self.evaluated(name)
        except NotBuilt:
            return self.word(name)

    def value(self, how: How, parameter: Parameter | None, item_type: str | None) -> Any:
        """Return a parameter's value for a project. None keeps the default."""
        if isinstance(how, str):
            if not self.text(how):
                if sure(parameter).required:
                    raise NotBuilt(f"`{how}` is not given")
                return None
            return self.number(self.node(how), how, sure(parameter), item_type)
        if "is" in how:
            return how["is"]
        if "expr" in how:
            return self.number(self.substituted(str(how["expr"]), item_type), sure(parameter).id, sure(parameter),
                               item_type)
        if "flag" in how:
            return bool(self.evaluated(str(how["flag"])))
        if "symmetric" in how:
            return self.window(str(how["symmetric"]))[1]
        if "list" in how:
            return self.listed(how["list"], item_type)
        if "points" in how:
            return self.points(str(how["points"]))
        if "scalar" in how:
            return self.scalar(str(how["scalar"]), sure(parameter), item_type)
        if "words" in how:
            return self.chosen(how)
        return self.path(how)

    def within(self, block: str, parameter: Parameter, value: Any, item_type: str | None) -> Any:
        """Return the value if the parameter accepts it. Whole turns of an angle are removed, because they change
        nothing.
        """
        number = ours.evaluate(value["expr"], self.values.numbers) if is_expression(value) else value
        if isinstance(number, bool) or not isinstance(number, (int, float)):
            return value
        low, high = limits(parameter, (item_type or "") if parameter.type == "item" else parameter.type)
        if low <= number <= high:
            return value
        if parameter.unit == "rad":
            return math.remainder(number, math.tau)
        unit = f" {parameter.unit}" if parameter.unit else ""
        raise NotBuilt(f"{block} does not allow `{parameter.id}` of {number}{unit}: "
                       f"{f'at least {low}' if number < low else f'at most {high}'}{unit}")

    def chosen(self, how: Mapping) -> Any:
        name = str(how.get("from") or how["window"])
        word = self.word(name) if "from" in how else self.sized_window(name, str(how["length"]))
        if word not in how["words"]:
            raise _OtherRule(f"`{name}` is {_shown(self.text(name))}")
        return how["words"][word]

    def sized_window(self, name: str, length: str) -> str:
        """Return the word of a window. Raises NotBuilt if its length differs from `length`, because GNU Radio refuses
        such a window.
        """
        word, symmetric, argument = self.window(name)
        if argument is not None:
            size, wanted = (as_number(self.value_of(node, name)) for node in (argument, self.node(length)))
            if not symmetric and isinstance(size, int):
                size -= 1
            if size != wanted:
                raise NotBuilt(f"`{name}` is {_shown(self.text(name))}, which differs from the length of `{length}`")
        return word

    def window(self, name: str) -> tuple[str, bool, Node | None]:
        """Return the word of a window, whether it is symmetric, and its argument. `window.hann(1024)` is symmetric;
        without its last weight, `window.hann(1025)[:-1]`, it is periodic. An empty list means no window.
        """
        text = self.text(name)
        if re.fullmatch(r"[\[(]\s*[\])]|None", text):
            return "rectangular", False, None
        called = re.fullmatch(r"(?:\w+\.)*(\w+)\s*\((.*)\)\s*(\[\s*:\s*-1\s*\])?", text, re.DOTALL)
        if not called:
            return text, False, None
        try:
            return called[1], not called[3], parse(called[2])
        except NotUnderstood as error:
            raise NotBuilt(f"`{name}` is {_shown(text)}: {error}") from None

    def path(self, how: Mapping) -> str:
        [(kind, name)] = how.items()
        text = self.text(str(name))
        try:
            value = self.values.names.text_value(text)
        except NotUnderstood:
            value = text
        path = value if isinstance(value, str) else text
        if kind == "file_name":
            path = re.split(r"[/\\]", path)[-1]
        if not path or "\0" in path:
            raise NotBuilt(f"`{name}` does not name a file")
        return path

    def scalar(self, name: str, parameter: Parameter, item_type: str | None) -> Any:
        """Return a constant, which may be written as a vector of one number or of equal ones."""
        node = self.node(name)
        value = self.value_of(node, name)
        if not isinstance(value, list):
            return self.number(node, name, parameter, item_type)
        if not value or any(isinstance(v, list) or v != value[0] for v in value):
            raise NotBuilt(f"`{name}` has a value for each place of a vector")
        return self.number(Node("value", value[0]), name, parameter, item_type)

    def listed(self, how: How, item_type: str | None) -> list[int | float]:
        """Return a list of items as numbers, two for each complex one."""
        name = how if isinstance(how, str) else str(how["expr"])
        value = self.evaluated(name) if isinstance(how, str) else self.value_of(self.substituted(name, item_type), name)
        if not isinstance(value, list) or not all(isinstance(one, (int, float, complex)) for one in value):
            raise NotBuilt(f"`{name}` is no list of numbers")
        if item_type == "c64":
            return [float(part) for one in map(complex, value) for part in (one.real, one.imag)]
        numbers = [one.real if isinstance(one, complex) and not one.imag else one for one in value]
        kind = ITEM_TYPES[item_type] if item_type in ITEM_TYPES else None
        low, high = (kind.minimum, kind.maximum) if kind else (-128, 255)  # bytes are u8 or i8
        if not kind or kind.integer:
            for one in numbers:
                if isinstance(one, complex) or not low <= one <= high or one != _single(one):
                    raise NotBuilt(f"`{name}` has {one}, which is no {item_type} that float32 holds exactly")
            return [int(one) for one in numbers]
        if any(isinstance(one, complex) or not low <= one <= high for one in numbers):
            raise NotBuilt(f"`{name}` is no list of {item_type}")
        return [float(one) for one in numbers]

    def points(self, name: str) -> list[float]:
        """Return the points of a constellation, of which the nearest one is decided for."""
        value = self.evaluated(name)
        if not isinstance(value, Constellation) or value.dimensions > 1 or not value.decides_nearest:
            raise NotBuilt(f"`{name}` is no constellation of one dimension without sectors")
        return [part for it in value.points for part in (it.real, it.imag)]

    def number(self, node: Node, name: str, parameter: Parameter, item_type: str | None) -> Any:
        value = self.value_of(node, name)
        kind = (item_type or "") if parameter.type == "item" else parameter.type
        if kind == "f32_list":
            taps = reals(value)
            if taps is None:
                raise NotBuilt(f"`{name}` is not a list of real numbers")
            if design := self.values.design(node):
                self.designs[parameter.id] = design
            return taps
        try:
            return self.values.number(node, value, kind)
        except ValueError as error:
            raise NotBuilt(f"`{name}` is {_shown(self.text(name) or name)}: {error}") from None

    def substituted(self, text: str, item_type: str | None) -> Node:
        """Return an expression of the table with the block's values in place of the parameters and of `item_bytes`."""
        return _substitute(parse(text), self, item_type)


def _single(number: float) -> float | None:
    """Return the number as float32 holds it, None if it is not whole."""
    return struct.unpack("<f", struct.pack("<f", number))[0] if number == int(number) else None


def _substitute(node: Node, builder: _Builder, item_type: str | None) -> Node:
    if node.kind == "name" and node.value == "item_bytes":
        return Node("value", ITEM_TYPES[item_type].size if item_type in ITEM_TYPES else 1)  # `byte` has 1 byte
    if node.kind == "name":
        return node if "." in str(node.value) else builder.node(str(node.value))  # math.pi is not a parameter
    children = tuple(_substitute(child, builder, item_type) for child in node.children)
    if node.kind == "binary" and node.value == "*" and children[1] == Node("value", 1):
        return children[0]  # streams of vectors of length 1
    keywords = tuple((word, _substitute(child, builder, item_type)) for word, child in node.keywords)
    return Node(node.kind, node.value, children, keywords)


def _spread(part: Part, ports: Set[int], side: str) -> Built:
    """Return a copy of the part for each connected port."""
    numbers = sorted(ports) or [0]
    names = {number: "" if number == numbers[0] else str(number) for number in numbers}
    parts = [Part(name, part.type, part.item_type, dict(part.parameters)) for name in names.values()]
    if side == "inputs":
        return Built(parts, {number: [(name, "in")] for number, name in names.items()}, {})
    return Built(parts, {}, {number: (name, "out") for number, name in names.items()})


_BOUNDS = {"at_least": operator.ge, "above": operator.gt, "below": operator.lt}


def _holds(value: Any, wanted: Any) -> bool:
    if isinstance(value, list) and value and isinstance(value[0], list):
        return isinstance(wanted, Mapping) and "not" in wanted
    if isinstance(wanted, Mapping):
        for word, holds in _BOUNDS.items():
            if word in wanted:
                return isinstance(value, (int, float)) and holds(value, wanted[word])
        return value != wanted["not"]
    return any(value == w and isinstance(value, bool) == isinstance(w, bool) for w in wanted)


def _shown(text: Any) -> str:
    text = str(text)
    return f"`{text}`" if len(text) <= 60 else f"`{text[:57]}…`"


def stub(block: GrcBlock, kind: str, inputs: Set[int], outputs: Set[int], reason: str) -> Built:
    """Return a stub for a block of an unknown type, which keeps its wires and its parameters as typed."""
    return Built([Part("", kind, None, _as_typed(block))], {i: [("", f"in{i}")] for i in inputs},
                 {i: ("", f"out{i}") for i in outputs}, reason=reason, stub=True)


def hosted(block: GrcBlock, title: str, inputs: Sequence[GrcPort], outputs: Sequence[GrcPort]) -> Built:
    """Return a block that GNU Radio itself runs, with its ports and its parameters as typed."""
    def entries(ports: Sequence[GrcPort], side: str) -> list[dict[str, Any]]:
        taken: set[str] = set()
        found = []
        for port in ports:
            own = unique(identifier(f"{side}_{port.key}") if port.is_message else f"{side}{port.key}", taken)
            taken.add(own)
            found.append({"id": own, "key": port.key, "type": type_of(port)}
                         | ({"optional": True} if port.optional and not port.is_message else {}))
        return found

    sides = {"inputs": entries(inputs, "in"), "outputs": entries(outputs, "out")}
    titled = {"title": title[:200]} if title else {}
    own = {"type": block.id, "name": block.name, **titled, **{side: it for side, it in sides.items() if it}}
    sizes = {key: text for key in OUTPUT_BUFFERS if (text := block.parameters.get(key, "").strip()) not in ("", "0")}
    part = Part("", identifier(block.id), None, _as_typed(block) | sizes, gnuradio=own)
    return Built([part], {int(it["key"]): [("", it["id"])] for it in sides["inputs"] if it["type"] != "message"},
                 {int(it["key"]): ("", it["id"]) for it in sides["outputs"] if it["type"] != "message"}, stub=True)


#: GNU Radio's names of item types -> those of a project. Companion draws other names, too, but they are aliases.
_TYPES = {"complex": "c64", "fc32": "c64", "float": "f32", "f32": "f32", "int": "i32", "s32": "i32", "short": "i16",
          "s16": "i16", "byte": "u8", "s8": "u8", "char": "u8", "bit": "bit", "bits": "bit", "fc64": "c128",
          "f64": "f64", "double": "f64", "s64": "i64", "sc64": "sc64", "sc32": "sc32", "sc16": "sc16", "sc8": "sc8"}


def type_of(port: GrcPort) -> str:
    """Return the item type of a port in a project."""
    if port.is_message:
        return "message"
    kind = _TYPES.get(port.dtype, "any")
    return kind if port.vlen == 1 else f"{kind}[{port.vlen}]"


def _as_typed(block: GrcBlock) -> dict[str, Any]:
    """Return the parameters, first those that Companion shows on the block: short lists leave out the last ones."""
    file = block_file(block.id)
    shown = {"none": 0, "part": 2, "all": 3}  # an expression: 1
    ranks = {it.id: (shown.get(it.hide, 1), at) for at, it in enumerate(file.parameters)} if file else {}
    parameters: dict[str, Any] = {}
    for name in sorted(block.parameters, key=lambda name: ranks.get(name, (4, 0))):
        text = block.parameters[name]
        key = identifier(name)
        if name not in (*_ELSEWHERE, *OUTPUT_BUFFERS) and not key.startswith("x_"):
            parameters.setdefault(key, text)
    return parameters


#: Parameters of every block that a project states elsewhere.
_ELSEWHERE = ("affinity", "alias", "comment")
#: Parameters of every block with the least and the most items of its output buffers. "0" says nothing.
OUTPUT_BUFFERS = ("minoutbuf", "maxoutbuf")
