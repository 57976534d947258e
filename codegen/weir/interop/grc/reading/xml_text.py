"""XML reader that builds elements with text from events. It reads no document type, expands no entities, opens no other
file, and bounds depth and number of elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from weir.diagnostics import WeirError, diagnostic
from weir.interop.grc.reading.yaml_text import MAX_DEPTH, MAX_NODES

#: Encodings whose bytes are also UTF-8. GNU Radio Companion wrote no other.
_ENCODINGS = ("utf-8", "utf8", "ascii", "us-ascii")
_PAIR = re.compile(r"""([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")


@dataclass(slots=True)
class Element:
    """Element of an XML text. `text`: the text directly inside, without that of children."""

    tag: str
    line: int
    attributes: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> Iterator[Element]:
        """Yield the children with a tag."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> str | None:
        """Return the text of the first child with a tag, None without one."""
        return next((child.text for child in self.all(tag)), None)


@dataclass
class XmlText:
    """An XML text. `instructions`: the target and attributes of each processing instruction."""

    root: Element
    instructions: list[tuple[str, dict[str, str]]]
    comments: int


def read_xml(text: str) -> XmlText:
    """Return the elements of a text.

    Raises WeirError for malformed XML or one with a document type (E_GRC_SYNTAX), and beyond the limits (E_GRC_LIMIT).
    """
    builder = _Builder()
    try:
        builder.parser.Parse(text, True)
    except expat.ExpatError as error:
        raise _fault("E_GRC_SYNTAX", f"line {error.lineno}, column {error.offset + 1}: "
                                     f"{expat.errors.messages.get(error.code, 'the text is not XML')}") from None
    return XmlText(builder.root, builder.instructions, builder.comments)


def _fault(code: str, message: str, hint: str = "") -> WeirError:
    return WeirError(diagnostic(code, "", message, hint))


class _Builder:
    """Builder of elements from the parser's events. It keeps the open elements and the pieces of their text."""

    def __init__(self) -> None:
        self.root = Element("", 1)
        self.instructions: list[tuple[str, dict[str, str]]] = []
        self.comments = self.count = 0
        self.open: list[tuple[Element, list[str]]] = []
        self.parser: Any = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.XmlDeclHandler = self.declaration
        self.parser.StartDoctypeDeclHandler = self.document_type
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.ProcessingInstructionHandler = self.instruction
        self.parser.CommentHandler = self.comment

    def counted(self) -> None:
        self.count += 1
        if self.count > MAX_NODES:
            raise _fault("E_GRC_LIMIT", f"more than {MAX_NODES} elements", "a flowgraph has few elements")

    def declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None and encoding.lower() not in _ENCODINGS:
            raise _fault("E_GRC_SYNTAX", f"line 1: the encoding is {encoding[:40]}", "save the file as UTF-8")

    def document_type(self, name: str, system: str | None, public: str | None, internal: int) -> None:
        raise _fault("E_GRC_SYNTAX", f"line {self.parser.CurrentLineNumber}: a document type",
                     "remove the document type: Weir expands no entities, and a flowgraph needs none")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.counted()
        if len(self.open) == MAX_DEPTH:
            raise _fault("E_GRC_LIMIT", f"line {self.parser.CurrentLineNumber}: nested more than {MAX_DEPTH} deep",
                         "a flowgraph needs few levels")
        element = Element(tag, self.parser.CurrentLineNumber, attributes)
        if self.open:
            self.open[-1][0].children.append(element)
        else:
            self.root = element
        self.open.append((element, []))

    def end(self, tag: str) -> None:
        element, pieces = self.open.pop()
        element.text = "".join(pieces)

    def characters(self, text: str) -> None:
        self.open[-1][1].append(text)

    def instruction(self, target: str, data: str) -> None:
        self.counted()
        self.instructions.append((target, {name: double or single for name, double, single in _PAIR.findall(data)}))

    def comment(self, text: str) -> None:
        self.comments += 1
