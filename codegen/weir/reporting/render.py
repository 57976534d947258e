"""Draws a scene as SVG: cards, ports and wires in the editor's light theme. PNG and PDF are made from the same SVG."""

from __future__ import annotations

import html
import math
import os
import re
import subprocess
from collections.abc import Iterable

from weir.diagnostics import WeirError, diagnostic
from weir.icons import placed
from weir.reporting.curves import wire_path
from weir.reporting.decor import Part
from weir.reporting.scene import HEADER, ROW_PITCH, BlockView, Scene, WireView, fit, port_y, text_width

CANVAS, NODE, BORDER, LINE = "#F4F6F8", "#FFFFFF", "#AEB8C5", "#D9DFE6"
TEXT, TEXT2, TEXT3, ACCENT, ALT = "#17202B", "#4A5565", "#5F6A79", "#1D5FD1", "#EEF1F5"

ITEM_COLOURS = {"c64": "#0A6FB8", "f32": "#B4530A", "f64": "#8A4B2D", "i16": "#756500", "i32": "#0B7A6E",
                "u8": "#9B2BB5",
                "i8": "#9B2BB5"}
CHIP_COLOURS = {"source": "#0F6CA8", "filter": "#6941C6", "math": "#9A5B00", "sync": "#0B7A6E", "sink": "#B0245A",
                "control": "#4A5565"}
LANE_COLOURS = ("#0A6FB8", "#B4530A", "#19713A", "#9B2BB5", "#756500", "#0B7A6E", "#B0245A", "#4A5565")

SANS = "'Noto Sans', Roboto, 'DejaVu Sans', sans-serif"
MONO = "'JetBrains Mono', 'Noto Sans Mono', 'DejaVu Sans Mono', monospace"
MARGIN = 40
CAPTION = 34

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(text: object) -> str:
    """`text` for XML or HTML, as content or in an attribute."""
    return html.escape(_NOT_XML.sub("\ufffd", str(text)), quote=True)


def _text(x: float, y: float, content: str, size: float, colour: str, *, weight: int = 400, anchor: str = "start",
          family: str = "") -> str:
    extra = (f' font-weight="{weight}"' if weight != 400 else "") + (f' text-anchor="{anchor}"'
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
    boxes = [(b.x, b.y, b.x + b.width, b.y + b.height) for b in scene.blocks.values()]
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
    return _hull([(b.x, b.y, b.x + b.width, b.y + b.height) for b in (scene.blocks[n] for n in names)], side, above)


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
    parts = []
    for wire in scene.wires:
        source, target = scene.blocks[wire.source], scene.blocks[wire.target]
        band = (min(source.y, target.y), max(source.y + source.height, target.y + target.height))
        path = wire_path(source.port(wire.source_port, True), target.port(wire.target_port, False), wire.via, band)
        colour, style = _wire_style(wire, bool(scene.workers))
        parts.append(f'<path d="{path}" fill="none" stroke="{CANVAS}" stroke-width="6" stroke-linecap="round"/>'
                     f'<path d="{path}" fill="none" stroke="{colour}" stroke-linecap="round"{style}/>')
    return parts


def _wire_style(wire: WireView, lanes: bool) -> tuple[str, str]:
    """Lane and type hues overlap: a picture of workers has grey wires."""
    if wire.dead:
        return BORDER, ' stroke-width="1.5" stroke-dasharray="4 4"'
    return (TEXT2 if lanes else ITEM_COLOURS.get(wire.item_type, TEXT2)), ' stroke-width="2"'


def _block(block: BlockView, scene: Scene) -> str:
    off, x, y, width = block.state == "disabled" or block.ghost, block.x, block.y, block.width
    ink = TEXT3 if off else TEXT
    parts = [f"<g><title>{escaped(block.id)}: {escaped(block.title)}</title>"]
    if not off:
        parts.append(_rect(x, y + 2, width, block.height, TEXT, radius=8, extra=' fill-opacity="0.08"'))
    parts.append(_rect(x, y, width, block.height, CANVAS if off else NODE, radius=8, stroke=BORDER,
                       extra=' stroke-dasharray="4 3"' if block.ghost else ""))
    parts.append(f'<path d="M{x + 1:g} {y + HEADER:g}h{width - 2:g}" stroke="{LINE}"/>')
    chip = TEXT3 if off else CHIP_COLOURS[block.category]
    parts.append(_rect(x + 10, y + 10, 20, 20, chip, radius=5))
    if block.icon:
        parts.append(placed(block.icon, x + 12, y + 12, 16, "#FFFFFF"))
    pills = {"disabled": "off", "bypassed": "bypass"}.get(block.state, block.badge)
    room = width - 38 - 10 - (text_width(pills, 11) + 22 if pills else 0)
    parts.append(_text(x + 38, y + 18, fit(block.id, 13, room, True), 13, ink, weight=600))
    parts.append(_text(x + 38, y + 32, fit(block.title, 11, room), 11, TEXT3))
    if pills:
        parts.append(_pill(x + width - 10, y + 20, pills, ALT, TEXT2))
    parts += _lane_strip(block, scene)
    parts += _ports(block, off, bool(scene.workers))
    if block.state == "bypassed" and block.inputs and block.outputs:
        at = y + port_y(0)
        parts.append(f'<path d="M{x + 44:g} {at:g}H{x + width - 44:g}" stroke="{ACCENT}" stroke-width="2" '
                     'stroke-dasharray="3 3"/>')
    row = y + port_y(max(len(block.inputs), len(block.outputs), 1) - 1) + 11 + 4
    for key, value in block.parameters:
        room = width - 24 - text_width(key, 11) - 10
        parts.append(_text(x + 12, row + 13, key, 11, TEXT3))
        parts.append(_text(x + width - 12, row + 13, fit(value, 11, room), 11, ink, anchor="end", family=MONO))
        row += ROW_PITCH
    if block.more:
        parts.append(_text(x + 12, row + 13, f"+{block.more}", 11, TEXT3))
    return "".join([*parts, "</g>"])


def _ports(block: BlockView, off: bool, lanes: bool) -> list[str]:
    parts = []
    for ports, output in ((block.inputs, False), (block.outputs, True)):
        for port in ports:
            x, y = block.port(port.id, output)
            colour = BORDER if off else TEXT2 if lanes else ITEM_COLOURS.get(port.item_type, TEXT2)
            parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="5" fill="{colour}" stroke="{NODE}" stroke-width="2">'
                         f"<title>{escaped(port.id)} {escaped(port.item_type)}</title></circle>")
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
