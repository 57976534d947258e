"""Flowgraph in the XML of GNU Radio 3.7, translated to the structure of today's files as GNU Radio 3.8 does on opening.

Block types and parameters keep their names, also those that GNU Radio no longer has: it shows such a block as missing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from weir.diagnostics import Diagnostic, WeirError, diagnostic
from weir.interop.grc.reading.xml_text import Element, XmlText, read_xml
from weir.interop.grc.reading.yaml_text import Plain

MOST_FAULTS = MOST_REMARKS = 50
_NUMBER = r"[+-]?\d{1,15}(?:\.\d{0,15})?"
_POSITION = re.compile(rf"\s*[(\[]?\s*({_NUMBER})\s*,\s*({_NUMBER})\s*[)\]]?\s*", re.ASCII)
_ROTATION = re.compile(r"\s*[+-]?\d{1,9}\s*", re.ASCII)
_ENABLED = {"1": "enabled", "True": "enabled", "2": "bypassed"}
#: Parent -> its children. Other elements have no counterpart.
_CHILDREN = {"flow_graph": ("timestamp", "block", "connection"), "block": ("key", "param"), "param": ("key", "value"),
             "connection": ("source_block_id", "source_key", "sink_block_id", "sink_key")}
_REPEATED = ("block", "connection", "param")
_ENDS = ("source_block_id", "source_key", "sink_block_id", "sink_key")


@dataclass(frozen=True)
class Remark:
    """Remark on a translation for the report: a `setting` was `kept`, `replaced` or `dropped`."""

    outcome: str
    setting: str
    reason: str


def read_xml_flowgraph(text: str) -> tuple[dict[str, Plain], tuple[Remark, ...]]:
    """Return the flowgraph as plain data, and remarks on the parts that have no counterpart.

    Raises WeirError for a text that is no flowgraph.
    """
    xml = read_xml(text)
    if xml.root.tag != "flow_graph":
        raise WeirError(diagnostic("E_GRC_SHAPE", "", f"the file contains no flowgraph, but <{xml.root.tag[:40]}>",
                                   "the outermost element of a flowgraph is <flow_graph>"))
    translation = _Translation(xml)
    value = translation.flowgraph()
    if translation.faults:
        raise WeirError(translation.faults)
    return value, tuple(translation.remarks())


@dataclass
class _Translation:
    """Translation of one text. `lost` counts the parts without a counterpart, by a description."""

    xml: XmlText
    faults: list[Diagnostic] = field(default_factory=list)
    lost: Counter[str] = field(default_factory=Counter)
    others: list[Remark] = field(default_factory=list)

    def flowgraph(self) -> dict[str, Plain]:
        root = self.xml.root
        self.see(root)
        options: Plain = None
        blocks: list[Plain] = []
        for element in root.all("block"):
            block = self.block(element)
            if options is None and block["id"] == "options":
                options = {"parameters": block["parameters"], "states": block["states"]}
            else:
                blocks.append(block)
        if options is None:
            self.fault(root, "the flowgraph has no block `options`")
        connections = [self.connection(element) for element in root.all("connection")]
        return {"options": options, "blocks": blocks, "connections": list(connections),
                "metadata": {"file_format": self.file_format(connections)}}

    def fault(self, at: Element, message: str) -> None:
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(diagnostic("E_GRC_SHAPE", "", f"line {at.line}: {message}"))

    def see(self, element: Element) -> None:
        """Count the parts of an element that have no counterpart."""
        known, seen = _CHILDREN.get(element.tag, ()), set()
        for child in element.children:
            if child.tag not in known:
                self.lost[f"<{child.tag[:60]}> in <{element.tag}>"] += 1
            elif child.tag in seen and child.tag not in _REPEATED:
                self.lost[f"further <{child.tag}> in <{element.tag}>"] += 1
            elif child.tag not in _CHILDREN:
                self.see(child)
            seen.add(child.tag)
        for name in element.attributes:
            self.lost[f"attribute {name[:60]} of <{element.tag}>"] += 1
        if known and element.text.strip():
            self.lost[f"text in <{element.tag}>"] += 1

    def block(self, element: Element) -> dict[str, Plain]:
        self.see(element)
        kind = element.first("key")
        if not kind:
            self.fault(element, "a block has no <key>")
        parameters = self.parameters(element)
        if kind == "import" and "import" in parameters:
            parameters["imports"] = parameters.pop("import")
        states = self.states(element, parameters)
        block: dict[str, Plain] = {} if kind == "options" else {"name": parameters.pop("id", None)}
        if kind != "options" and not block["name"]:
            self.fault(element, f"a block {str(kind)[:60]} has no parameter `id`")
        return block | {"id": kind, "parameters": dict(parameters), "states": states}

    def parameters(self, block: Element) -> dict[str, str]:
        """Return the parameters by name. Of several values GNU Radio uses the last in the order of text."""
        pairs: list[tuple[str, str]] = []
        for element in block.all("param"):
            self.see(element)
            key, value = element.first("key"), element.first("value")
            if key is None or value is None:
                self.fault(element, "a parameter needs a <key> and a <value>")
            else:
                pairs.append((key, value))
        pairs.sort()
        found = dict(pairs)
        name = found.get("id", block.first("key") or "")
        for key, value in pairs:
            if value != found[key]:
                self.remark("dropped", f"{name}.{key}", f"`{value[:60]}`: the block has another value for it, too")
        return found

    def states(self, element: Element, parameters: dict[str, str]) -> dict[str, Plain]:
        """Return position, rotation and state, which 3.7 stored as parameters. They leave `parameters`."""
        position, rotation, enabled = (parameters.pop(key, default) for key, default in (
            ("_coordinate", "(10, 10)"), ("_rotation", "0"), ("_enabled", "True")))
        at, turned = _POSITION.fullmatch(position), _ROTATION.fullmatch(rotation)
        if not at:
            self.fault(element, f"the position `{position[:60]}` is not two numbers")
        if not turned:
            self.fault(element, f"the rotation `{rotation[:60]}` is not a number")
        return {"coordinate": [_number(text) for text in at.groups()] if at else [0, 0],
                "rotation": int(rotation) if turned else 0, "state": _ENABLED.get(enabled, "disabled")}

    def connection(self, element: Element) -> list[Plain]:
        self.see(element)
        ends = [element.first(tag) for tag in _ENDS]
        for tag, end in zip(_ENDS, ends):
            if not end:
                self.fault(element, f"a connection has no <{tag}>")
        return list(ends)

    def file_format(self, connections: list[list[Plain]]) -> Plain:
        """Return the format: in 1, keys of message ports are their names, and in 0 their numbers.

        A text that does not state its format has the format 1 if a key is not a number.
        """
        stated = self.grc().get("format")
        if stated is None:
            return int(not all(str(key).isdigit() for c in connections for key in (c[1], c[3])))
        return int(stated) if re.fullmatch(r"\d{1,9}", stated, re.ASCII) else stated

    def grc(self) -> dict[str, str]:
        """Return what the file says about the program that wrote it."""
        found: dict[str, str] = {}
        for target, attributes in self.xml.instructions:
            found |= attributes if target == "grc" else {}
        return found

    def remark(self, outcome: str, setting: str, reason: str) -> None:
        if len(self.others) < MOST_REMARKS:
            self.others.append(Remark(outcome, setting, reason))

    def remarks(self) -> Iterator[Remark]:
        """Yield the remarks for the report: the format, then the parts that are lost."""
        version, saved = self.grc().get("created"), self.xml.root.first("timestamp")
        yield Remark("replaced", "file format", "XML of GNU Radio " + (version or "3.7 or earlier")[:40]
                     + (f", saved on {saved[:40]}" if saved else "")
                     + ": the export writes YAML, which GNU Radio 3.8 and later read")
        yield from self.others
        others = Counter(target for target, _ in self.xml.instructions if target != "grc")
        self.lost.update({f"instruction <?{target[:60]}?>": number for target, number in others.items()})
        if self.xml.comments:
            self.lost["XML comment"] += self.xml.comments
        for what, number in self.lost.most_common(MOST_REMARKS):
            yield Remark("dropped", what, f"{number} time{'s' * (number > 1)}: GNU Radio 3.8 and later have no place "
                                          "for it")
        if len(self.lost) > MOST_REMARKS:
            yield Remark("dropped", "further elements", f"{len(self.lost) - MOST_REMARKS} kinds of them")


def _number(text: str) -> Plain:
    return float(text) if "." in text else int(text)
