"""Draws a scene as SVG: cards, ports and wires in the editor's light theme. PNG and PDF are made from the same SVG."""

from __future__ import annotations

import html
import math
import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterable

from weir.diagnostics import WeirError, diagnostic
from weir.model.icons import placed
from weir.read.reporting.curves import lane_between, wire_path
from weir.read.reporting.decor import Part
from weir.read.reporting.scene import (
    CHIP,
    HEADER,
    NAME_SIZE,
    NAME_X,
    ROW_PITCH,
    BlockView,
    Scene,
    WireView,
    fit,
    port_y,
    text_width,
)

# The light theme of the editor: shell/controls/Theme.qml.
CANVAS, NODE, BORDER, LINE = "#F4F6F8", "#FFFFFF", "#8B98A9", "#D9DFE6"
TEXT, TEXT2, TEXT3, ALT = "#17202B", "#4A5565", "#5F6A79", "#EEF1F5"

ITEM_COLOURS = {"c64": "#0A6FB8", "f32": "#B4530A", "f64": "#8A4B2D", "i16": "#756500", "i32": "#0B7A6E",
                "u8": "#9B2BB5",
                "i8": "#B0245A"}
CHIP_COLOURS = {"source": "#0F6CA8", "filter": "#6941C6", "math": "#9A5B00", "sync": "#0B7A6E", "sink": "#B0245A",
                "control": "#4A5565"}
LANE_COLOURS = ("#0A6FB8", "#B4530A", "#19713A", "#9B2BB5", "#756500", "#0B7A6E", "#B0245A", "#4A5565")

SANS = "'Noto Sans', Roboto, 'DejaVu Sans', sans-serif"
MONO = "'JetBrains Mono', 'Noto Sans Mono', 'DejaVu Sans Mono', monospace"
WIRE, CASING = 2.5, 7
RADIUS = 8  # of a block
TINT = 0.16  # of a category, behind the names of its blocks
MARK = 5.8  # of a port
MARGIN = 40
CAPTION = 34

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(text: object) -> str:
    """`text` for XML or HTML, as content or in an attribute."""
    return html.escape(_NOT_XML.sub("\ufffd", str(text)), quote=True)


def _text(x: float, y: float, content: str, size: float, colour: str, *, weight: int = 400, anchor: str = "start",
          family: str = "", extra: str = "") -> str:
    extra += (f' font-weight="{weight}"' if weight != 400 else "") + (f' text-anchor="{anchor}"'
                                                                     if anchor != "start" else "")
    extra += f' font-family="{escaped(family)}"' if family else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{colour}"{extra}>{escaped(content)}</text>'


def _rect(x: float, y: float, width: float, height: float, fill: str, *, radius: float = 0, stroke: str = "",
          extra: str = "") -> str:
    border = f' stroke="{stroke}"' if stroke else ""
    corner = f' rx="{radius:g}"' if radius else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}"{corner}{border}{extra}/>'


def _pill(right: float, middle: float, label: str, fill: str, colour: str) -> str:
    width = text_width(label, 11) + 16
    return (_rect(right - width, middle - 9, width, 18, fill, radius=9)
            + _text(right - width / 2, middle + 4, label, 11, colour, weight=500, anchor="middle"))


def svg(scene: Scene, *, title: bool = True) -> str:
    """The picture as one self-contained SVG document. `title` puts the project's above it."""
    boxes = [b.box for b in scene.blocks.values()]
    frames = [(caption, _around(scene, blocks, 20, 36)) for caption, blocks in scene.groups]
    if scene.pipes:
        inner = [box for _, box in frames]
        frames.append((scene.pipes, _hull(boxes + inner, 24 if not inner else 34, 40 if not inner else 50)))
    drawn = [part.box for part in (*scene.frames, *scene.notes)]
    drawn += [(x, y, x, y) for wire in scene.wires for x, y in wire.via]
    left, top, right, bottom = _hull(boxes + [box for _, box in frames] + drawn, MARGIN, MARGIN)
    top -= CAPTION if title else 0
    legend = _legend(scene, left + MARGIN, bottom)
    bottom += 28 if legend else 0
    width, height = math.ceil(max(right - left,
                                  text_width(scene.title, 16, True) + 2 * MARGIN)), math.ceil(bottom - top)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             f'viewBox="{left:g} {top:g} {width} {height}" font-family="{escaped(SANS)}" role="img">',
             f"<title>{escaped(scene.title)}</title>", _rect(left, top, width, height, CANVAS)]
    if title:
        parts.append(_text(left + MARGIN, top + MARGIN + 2, scene.title, 16, TEXT, weight=600))
    parts += [_titled_frame(frame) for frame in scene.frames]
    parts += [_frame(caption, box) for caption, box in reversed(frames)]
    parts += _wires(scene)
    parts += [_note(note) for note in scene.notes]
    parts += [_block(block, scene) for block in scene.blocks.values()]
    return "\n".join([*parts, legend, "</svg>", ""]) if legend else "\n".join([*parts, "</svg>", ""])


def _hull(boxes: Iterable[tuple[float, float, float, float]], side: float, above: float) -> tuple[float, float, float,
                                                                                                  float]:
    lefts, tops, rights, bottoms = zip(*boxes)
    return min(lefts) - side, min(tops) - above, max(rights) + side, max(bottoms) + side


def _around(scene: Scene, names: Iterable[str], side: float, above: float) -> tuple[float, float, float, float]:
    return _hull([scene.blocks[n].box for n in names], side, above)


def _frame(caption: str, box: tuple[float, float, float, float]) -> str:
    left, top, right, bottom = box
    return (_rect(left, top, right - left, bottom - top, "#E9EDF2", radius=10, stroke="#C3CBD6",
                  extra=' fill-opacity="0.55"')
            + _text(left + 14, top + 20, caption, 12, TEXT2, weight=600))


def _titled_frame(frame: Part) -> str:
    left, top, right, bottom = frame.box
    return (_rect(left, top, right - left, bottom - top, frame.colour, radius=10, stroke=frame.colour,
                  extra=' fill-opacity="0.08" stroke-opacity="0.7" stroke-width="1.5"')
            + _text(left + 12, top + 19, fit(frame.words, 13, right - left - 24, True), 13, TEXT, weight=600))


def _note(note: Part) -> str:
    """Whole lines, as many as fit."""
    left, top, right, bottom = note.box
    parts = [_rect(left, top, right - left, bottom - top, NODE, radius=6),
             _rect(left, top, right - left, bottom - top, note.colour, radius=6, stroke=note.colour,
                   extra=' fill-opacity="0.12" stroke-opacity="0.55"')]
    for i, line in enumerate(wrapped(note.words, 12, right - left - 20)[:max(1, int((bottom - top - 14) // 16))]):
        parts.append(_text(left + 10, top + 20 + 16 * i, line, 12, TEXT))
    return "".join(parts)


def wrapped(words: str, size: float, width: float) -> list[str]:
    """Lines of at most about `width` pixels; a word that is longer has a line of its own and is shortened."""
    lines = []
    for paragraph in words.splitlines():
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}".strip()
            if line and text_width(longer, size) > width:
                lines.append(fit(line, size, width))
                longer = word
            line = longer
        lines.append(fit(line, size, width))
    return lines


def _wires(scene: Scene) -> list[str]:
    """Casing under each wire, so that crossings read."""
    parts, boxes = [], [b.box for b in scene.blocks.values()]
    outputs = Counter((w.source, w.source_port) for w in scene.wires)
    for wire in scene.wires:
        source, target = scene.blocks[wire.source], scene.blocks[wire.target]
        start, end = source.port(wire.source_port, True), target.port(wire.target_port, False)
        band = (min(source.y, target.y), max(source.y + source.height, target.y + target.height))
        lane = lane_between(source.box, target.box, boxes) if end[0] < start[0] else None
        path = wire_path(start, end, wire.via, band, lane)
        colour, style = _wire_style(wire, bool(scene.workers))
        parts.append(f'<path d="{path}" fill="none" stroke="{CANVAS}" stroke-width="{CASING}" stroke-linecap="round"/>'
                     f'<path d="{path}" fill="none" stroke="{colour}" stroke-linecap="round"{style}/>')
        if outputs[wire.source, wire.source_port] > 1:
            parts.append(f'<circle cx="{start[0] + 13:g}" cy="{start[1]:g}" r="3.5" fill="{colour}"/>')
    return parts


def _wire_style(wire: WireView, lanes: bool) -> tuple[str, str]:
    """Lane and type hues overlap: a picture of workers has grey wires."""
    if wire.dead:
        return BORDER, f' stroke-width="{WIRE}" stroke-dasharray="5 5"'
    return (TEXT2 if lanes else ITEM_COLOURS.get(wire.item_type, TEXT2)), f' stroke-width="{WIRE}"'


def _block(block: BlockView, scene: Scene) -> str:
    off, x, y, width = block.state == "disabled" or block.ghost, block.x, block.y, block.width
    ink = TEXT3 if off else TEXT
    parts = [f"<g><title>{escaped(block.id)}: {escaped(block.title)}</title>"]
    if not off:
        parts.append(_rect(x - 1, y + 2, width + 2, block.height + 2, TEXT, radius=RADIUS + 2,
                           extra=' fill-opacity="0.14"'))
    parts.append(_rect(x, y, width, block.height, CANVAS if off else NODE, radius=RADIUS, stroke=BORDER,
                       extra=' stroke-dasharray="5 4"' if off else ""))
    parts.append(_header(block, off))
    chip, inset = TEXT3 if off else CHIP_COLOURS[block.category], (HEADER - CHIP) / 2
    parts.append(_rect(x + 10, y + inset, CHIP, CHIP, chip, radius=5))
    if block.icon:
        parts.append(placed(block.icon, x + 12, y + inset + 2, CHIP - 4, "#FFFFFF"))
    pills = {"disabled": "off", "bypassed": "bypass"}.get(block.state, block.badge)
    parts += _title(block, width - NAME_X - 10 - (text_width(pills, 11) + 22 if pills else 0), ink)
    if pills:
        parts.append(_pill(x + width - 8, y + 20, pills, NODE, TEXT))
    parts += _lane_strip(block, scene)
    parts += _ports(block, off, scene)
    if block.state == "bypassed" and block.inputs and block.outputs:
        at = y + port_y(0)
        colour = ITEM_COLOURS.get(block.inputs[0].item_type, TEXT2)
        parts.append(f'<path d="M{x + 10:g} {at:g}H{x + width - 10:g}" stroke="{colour}" stroke-width="2" '
                     'stroke-dasharray="10 8"/>')
    row = y + port_y(max(len(block.inputs), len(block.outputs), 1) - 1) + 11 + 4
    given = len(block.parameters) - block.defaults
    for at, (key, value) in enumerate(block.parameters):
        room = width - 24 - text_width(key, 11) - 10
        parts.append(_text(x + 12, row + 13, key, 11, TEXT3))
        parts.append(_text(x + width - 12, row + 13, fit(value, 11, room), 11,
                           ink if at < given else TEXT3, anchor="end", family=MONO))
        row += ROW_PITCH
    if block.more:
        parts.append(_text(x + 12, row + 13, f"+{block.more}", 11, TEXT3))
    return "".join([*parts, "</g>"])


def _header(block: BlockView, off: bool) -> str:
    """The upper part of a card, of the category's tint."""
    left, right, top, r = block.x + 0.5, block.x + block.width - 0.5, block.y + 0.5, RADIUS - 0.5
    fill, opacity = (ALT, 1) if off else (CHIP_COLOURS[block.category], TINT)
    return (f'<path d="M{left:g} {block.y + HEADER:g}V{top + r:g}a{r:g} {r:g} 0 0 1 {r:g} {-r:g}H{right - r:g}'
            f'a{r:g} {r:g} 0 0 1 {r:g} {r:g}V{block.y + HEADER:g}z" fill="{fill}" fill-opacity="{opacity:g}"/>')


def _title(block: BlockView, room: float, ink: str) -> list[str]:
    """The name above the type, or in two lines alone."""
    x, y, off = block.x + NAME_X, block.y, ' text-decoration="line-through"' if block.state == "disabled" else ""
    head, low, tail = block.id.rpartition("_")
    while low and text_width(head + low, NAME_SIZE, True) > room and "_" in head:
        head, low, rest = head.rpartition("_")
        tail = f"{rest}_{tail}"
    if text_width(block.id, NAME_SIZE, True) <= room or not low:
        return [_text(x, y + 18, fit(block.id, NAME_SIZE, room, True), NAME_SIZE, ink, weight=600, extra=off),
                _text(x, y + 33, fit(block.title, 11, room), 11, TEXT3)]
    lines = (fit(head + low, NAME_SIZE, room, True), fit(tail, NAME_SIZE, room, True))
    return [_text(x, y + 17 + 17 * i, line, NAME_SIZE, ink, weight=600, extra=off) for i, line in enumerate(lines)]


def _mark(x: float, y: float, item_type: str, colour: str, connected: bool) -> str:
    """A port: its shape says the item type, as its colour does. Complex is a circle, floating point a triangle, whole
    numbers a square, bytes a diamond; the less usual width of each has a hole. Not connected, it is an outline.
    """
    r, middle = MARK, x
    if item_type in ("f32", "f64"):
        shape, middle = f"M{x - r:g} {y - 1.15 * r:g}L{x + 1.2 * r:g} {y:g}L{x - r:g} {y + 1.15 * r:g}z", x - 0.25 * r
    elif item_type in ("i32", "i16"):
        shape = f"M{x - 0.9 * r:g} {y - 0.9 * r:g}h{1.8 * r:g}v{1.8 * r:g}h{-1.8 * r:g}z"
    elif item_type in ("u8", "i8"):
        shape = f"M{x:g} {y - 1.2 * r:g}l{1.2 * r:g} {1.2 * r:g}l{-1.2 * r:g} {1.2 * r:g}l{-1.2 * r:g} {-1.2 * r:g}z"
    else:
        shape = f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 1 {2 * r:g} 0a{r:g} {r:g} 0 1 1 {-2 * r:g} 0z"
    parts = [f'<path d="{shape}" fill="{NODE}" stroke="{NODE}" stroke-width="4" stroke-linejoin="round"/>',
             f'<path d="{shape}" fill="{colour if connected else NODE}"'
             + ("/>" if connected else f' stroke="{colour}" stroke-width="1.75" stroke-linejoin="round"/>')]
    if item_type in ("f64", "i16", "i8"):
        parts.append(f'<circle cx="{middle:g}" cy="{y:g}" r="{0.3 * r:g}" fill="{NODE if connected else colour}"/>')
    return "".join(parts)


def _ports(block: BlockView, off: bool, scene: Scene) -> list[str]:
    parts = []
    for ports, output in ((block.inputs, False), (block.outputs, True)):
        for port in ports:
            x, y = block.port(port.id, output)
            colour = BORDER if off else TEXT2 if scene.workers else ITEM_COLOURS.get(port.item_type, TEXT2)
            parts.append(f"<g><title>{escaped(port.id)} {escaped(port.item_type)}</title>"
                         + _mark(x, y, port.item_type, colour, (block.id, port.id, output) in scene.joined) + "</g>")
            parts.append(_text(x - 14 if output else x + 14, y + 4, port.id, 11, TEXT3 if off else TEXT2,
                               anchor="end" if output else "start"))
    return parts


def _lane_strip(block: BlockView, scene: Scene) -> list[str]:
    """On the top edge, a part for each worker that runs copies of the block."""
    parts, width = [], (block.width - 20) / max(1, len(block.workers))
    for i, worker in enumerate(block.workers):
        part = max(1.0, width - (i + 1 < len(block.workers)))
        parts.append(_rect(block.x + 10 + i * width, block.y - 2, part, 4, _lane_colour(scene, worker), radius=2))
    return parts


def _lane_colour(scene: Scene, worker: str) -> str:
    return LANE_COLOURS[scene.workers.index(worker) % len(LANE_COLOURS)]


def _legend(scene: Scene, left: float, top: float) -> str:
    """What the colours mean: workers where there are lanes, else the item types of the wires."""
    if scene.workers:
        entries = [(w, _lane_colour(scene, w)) for w in scene.workers[:len(LANE_COLOURS)]]
        hidden = len(scene.workers) - len(entries)
        entries += [(f"and {hidden} more workers", CANVAS)] if hidden else []
    else:
        entries = [(t, ITEM_COLOURS.get(t, TEXT2))
                   for t in dict.fromkeys(w.item_type for w in scene.wires if w.item_type)]
    parts, x = [], left
    for label, colour in entries:
        parts.append(_rect(x, top - 3, 16, 4, colour, radius=2) + _text(x + 22, top + 3, label, 11, TEXT2))
        x += 22 + text_width(label, 11) + 20
    return "".join(parts)


def convert(text: str, form: str) -> bytes:
    """The SVG as png (twice its size) or pdf. WeirError where librsvg's converter is not installed or fails."""
    command = ["rsvg-convert", f"--format={form}", *(["--zoom=2"] if form == "png" else [])]
    try:
        # Without a date of its own making: the same picture has the same bytes.
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=60,
                              env={"SOURCE_DATE_EPOCH": "0", **os.environ})
    except FileNotFoundError:
        raise WeirError(diagnostic("E_TOOL_MISSING", "",
                                   f"rsvg-convert is not installed, so there is no {form.upper()}",
                                   "install the package librsvg2-bin, or write an SVG")) from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise WeirError(diagnostic("E_FILE_IO", "", f"rsvg-convert: {error}")) from None
    if done.returncode != 0:
        words = " ".join(done.stderr.decode(errors="replace").split())
        raise WeirError(diagnostic("E_FILE_IO", "", f"rsvg-convert: {words or done.returncode}"))
    return done.stdout
