"""Icons: drawings in one colour, small and plain enough for any picture.

An icon is SVG of 24 x 24 whose strokes and fills are `none` or `currentColor`. Everything else is rejected, because the
editor draws icons from untrusted block folders and embeds them in exported pictures.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from xml.parsers import expat

from weir.files import read_bounded

MAX_BYTES = 4096
SIZE = 24
FILE = "icon.svg"

_STYLE = {"fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "fill-rule",
          "opacity", "transform"}
#: Element -> the attributes that it may have besides `_STYLE`.
_ELEMENTS = {
    "svg": {"xmlns", "viewBox", "width", "height"}, "g": set(), "path": {"d"}, "circle": {"cx", "cy", "r"},
    "ellipse": {"cx", "cy", "rx", "ry"}, "line": {"x1", "y1", "x2", "y2"}, "polyline": {"points"},
    "polygon": {"points"}, "rect": {"x", "y", "width", "height", "rx", "ry"},
}
_NAMESPACE = "http://www.w3.org/2000/svg"
_PLAIN = re.compile(r"[A-Za-z0-9 \t\r\n.,()+-]*")


class IconError(ValueError):
    """Fault of an icon, as text."""


def read_icon(file: Path) -> str | None:
    """Return the icon in a file in its shortest form, None if the file does not exist. Raises IconError if the file is
    no icon, OSError if it cannot be read.
    """
    try:
        return icon_of(read_bounded(file, MAX_BYTES))
    except FileNotFoundError:
        return None


def icon_of(data: bytes) -> str:
    """Return the SVG without comments and spaces. Raises IconError if it is no valid icon."""
    if len(data) > MAX_BYTES:
        raise IconError(f"it is larger than {MAX_BYTES} bytes")
    parts: list[str] = []
    depth = 0

    def start(element: str, attributes: Mapping[str, str]) -> None:
        nonlocal depth
        if (element == "svg") != (depth == 0):
            raise IconError(f"<{element}> is not allowed here: exactly one <svg> must enclose everything")
        _check_element(element, attributes)
        parts.append("".join([f"<{element}", *(f' {name}="{value}"' for name, value in attributes.items()), ">"]))
        depth += 1

    def end(element: str) -> None:
        nonlocal depth
        depth -= 1
        if depth and parts[-1].startswith(f"<{element}") and not parts[-1].endswith("/>"):
            parts[-1] = parts[-1][:-1] + "/>"  # the element is empty
        else:
            parts.append(f"</{element}>")

    def refuse_text(text: str) -> None:
        if text.strip():
            raise IconError(f"it has text: {text.strip()[:40]}")

    def refuse(*_: object) -> None:
        raise IconError("it has a document type or a processing instruction")

    parser = expat.ParserCreate("UTF-8")
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, refuse_text
    parser.StartDoctypeDeclHandler = parser.ProcessingInstructionHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise IconError(f"it is not XML: {error}") from None
    icon = "".join(parts)
    if len(icon.encode()) > MAX_BYTES:
        raise IconError(f"it is larger than {MAX_BYTES} bytes after expansion")
    return icon


def _check_element(element: str, attributes: Mapping[str, str]) -> None:
    if element not in _ELEMENTS:
        raise IconError(f"it has a <{element}>")
    for name, value in attributes.items():
        if name not in _STYLE and name not in _ELEMENTS[element]:
            raise IconError(f"<{element}> has the attribute `{name}`")
        if name in ("fill", "stroke") and value not in ("none", "currentColor"):
            raise IconError(f"`{name}` of <{element}> is `{value[:40]}`, but must be none or currentColor")
        if name != "xmlns" and not _PLAIN.fullmatch(value):
            raise IconError(f"`{name}` of <{element}> is not plain: {value[:40]}")
    if element == "svg" and (attributes.get("xmlns"), attributes.get("viewBox")) != (_NAMESPACE, f"0 0 {SIZE} {SIZE}"):
        raise IconError(f'its <svg> lacks xmlns="{_NAMESPACE}" or viewBox="0 0 {SIZE} {SIZE}"')


def placed(icon: str, x: float, y: float, size: float, colour: str) -> str:
    """Return an icon of `read_icon` as a part of another SVG document: `size` wide and high, (x, y) is its upper left
    corner.
    """
    head, inside = icon.removesuffix("</svg>").split(">", 1)
    style = "".join(f' {name}="{value}"' for name, value in re.findall('([a-z-]+)="([^"]*)"', head) if name in _STYLE)
    return (f'<g transform="translate({x:g} {y:g}) scale({size / SIZE:.6g})"><g{style}>{inside}</g></g>'
            .replace("currentColor", colour))
