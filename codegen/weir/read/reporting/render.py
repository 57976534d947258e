"""Draws a scene as SVG in the light theme. PNG and PDF come from the same SVG."""

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
from weir.read.reporting.look import LIGHT, LOOK
from weir.read.reporting.scene import BLOCK, PORTS, ROWS, BlockView, Scene, WireView, fit, port_y, text_width

CANVAS, NODE, BORDER, ALT = (LIGHT[name] for name in ("canvas", "node", "node_border", "alt"))
TEXT, TEXT2, TEXT3 = (LIGHT[name] for name in ("text", "text2", "text3"))
SHADOW, SHADOW_OPACITY = "#" + LIGHT["shadow"][3:], int(LIGHT["shadow"][1:3], 16) / 255  # #AARRGGBB
WIRE, GROUP, FRAME, NOTE = (LOOK[part] for part in ("wire", "group", "frame", "note"))
HEADER, SMALL, NAME_SIZE = BLOCK["header"], BLOCK["small"], BLOCK["name"]

SANS = "'Noto Sans', Roboto, 'DejaVu Sans', sans-serif"
MONO = "'JetBrains Mono', 'Noto Sans Mono', 'DejaVu Sans Mono', monospace"
MARGIN = 40
CAPTION = 34

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(text: object) -> str:
    """Escape a text for XML or HTML, as content or in an attribute."""
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
    width = text_width(label, SMALL) + 16
    return (_rect(right - width, middle - 9, width, 18, fill, radius=9)
            + _text(right - width / 2, middle + 4, label, SMALL, colour, weight=500, anchor="middle"))


def svg(scene: Scene, *, title: bool = True) -> str:
    """Return the picture as one self-contained SVG document. `title`: put the project's title above it."""
    boxes = [b.box for b in scene.blocks.values()]
    side, above = GROUP["side"], GROUP["above"]
    frames = [(caption, _hull([scene.blocks[n].box for n in blocks], side, above)) for caption, blocks in scene.groups]
    if scene.pipes:
        frames.append((scene.pipes, _hull(boxes + [box for _, box in frames], side, above)))
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


def _frame(caption: str, box: tuple[float, float, float, float]) -> str:
    left, top, right, bottom = box
    return (_rect(left, top, right - left, bottom - top, LIGHT["unknown"], radius=GROUP["radius"], stroke=LIGHT["dots"],
                  extra=f' fill-opacity="{GROUP["fill"]}" stroke-dasharray="4 2"')
            + _text(left + GROUP["x"], top + GROUP["y"], caption, GROUP["caption"], TEXT2, weight=500))


def _head(left: float, top: float, right: float, height: float, radius: float, fill: str, opacity: float) -> str:
    """Return the upper part of a rounded box."""
    return (f'<path d="M{left:g} {top + height:g}V{top + radius:g}a{radius:g} {radius:g} 0 0 1 {radius:g} {-radius:g}'
            f'H{right - radius:g}a{radius:g} {radius:g} 0 0 1 {radius:g} {radius:g}V{top + height:g}z" fill="{fill}" '
            f'fill-opacity="{opacity:g}"/>')


def _titled_frame(frame: Part) -> str:
    left, top, right, bottom = frame.box
    radius, size, height = FRAME["radius"], FRAME["title"], FRAME["header"]
    opacities = f' fill-opacity="{FRAME["fill"]}" stroke-opacity="{FRAME["edge"]}" stroke-width="{FRAME["stroke"]}"'
    return (_rect(left, top, right - left, bottom - top, frame.colour, radius=radius, stroke=frame.colour,
                  extra=opacities)
            + _head(left, top, right, height, radius, frame.colour, FRAME["head"])
            + _text(left + FRAME["x"], top + height / 2 + 5,
                    fit(frame.words, size, right - left - 2 * FRAME["x"], True), size, TEXT, weight=600))


def _note(note: Part) -> str:
    """Draw a note with as many whole lines as fit."""
    left, top, right, bottom = note.box
    size, padding, radius = NOTE["words"], NOTE["padding"], NOTE["radius"]
    parts = [_rect(left, top, right - left, bottom - top, NODE, radius=radius),
             _rect(left, top, right - left, bottom - top, note.colour, radius=radius, stroke=note.colour,
                   extra=f' fill-opacity="{NOTE["fill"]}" stroke-opacity="{NOTE["edge"]}"')]
    lines = wrapped(note.words, size, right - left - 2 * padding)
    for i, line in enumerate(lines[:max(1, int((bottom - top - 1.4 * padding) // 16))]):
        parts.append(_text(left + padding, top + 20 + 16 * i, line, size, TEXT))
    return "".join(parts)


def wrapped(words: str, size: float, width: float) -> list[str]:
    """Wrap a text into lines of at most about `width` pixels. A longer word gets a separate line and is shortened."""
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
    """Draw the wires. A casing under each wire makes crossings readable."""
    parts, boxes = [], [b.box for b in scene.blocks.values()]
    outputs = Counter((w.source, w.source_port) for w in scene.wires)
    for wire in scene.wires:
        source, target = scene.blocks[wire.source], scene.blocks[wire.target]
        start, end = source.port(wire.source_port, True), target.port(wire.target_port, False)
        band = (min(source.y, target.y), max(source.y + source.height, target.y + target.height))
        lane = lane_between(source.box, target.box, boxes) if end[0] < start[0] else None
        path = wire_path(start, end, wire.via, band, lane)
        colour, style = _wire_style(wire, bool(scene.workers))
        parts += [f'<path d="{path}" fill="none" stroke="{stroke}" stroke-linecap="round"{how}/>'
                  for stroke, how in ((CANVAS, f' stroke-width="{WIRE["casing"]}"'), (colour, style))]
        if outputs[wire.source, wire.source_port] > 1:
            parts.append(f'<circle cx="{start[0] + WIRE["forked"]:g}" cy="{start[1]:g}" r="{WIRE["fork"]}" '
                         f'fill="{colour}"/>')
    return parts


def _wire_style(wire: WireView, lanes: bool) -> tuple[str, str]:
    """Return the colour and stroke of a wire. Colours of workers and item types overlap, so wires are grey beside
    lanes.
    """
    if wire.dead:
        return BORDER, f' stroke-width="{WIRE["width"]}" stroke-dasharray="5 5"'
    return LIGHT["unknown"] if lanes else _type_colour(wire.item_type), f' stroke-width="{WIRE["width"]}"'


def _type_colour(item_type: str) -> str:
    return LIGHT["types"].get(item_type, LIGHT["unknown"])


def _block(block: BlockView, scene: Scene) -> str:
    off, x, y, width = block.state == "disabled" or block.ghost, block.x, block.y, block.width
    radius, left = BLOCK["radius"], BLOCK["left"]
    ink = TEXT3 if off else TEXT
    parts = [f"<g><title>{escaped(block.id)}: {escaped(block.title)}</title>"]
    if not off:
        parts += [_rect(x + away, y - away, width, block.height, NODE, radius=radius, stroke=BORDER)
                  for away in ((2 * BLOCK["copies"], BLOCK["copies"]) if block.badge else ())]
        parts.append(_rect(x - 1, y + 2, width + 2, block.height + 2, SHADOW, radius=radius + 2,
                           extra=f' fill-opacity="{SHADOW_OPACITY:.2g}"'))
    parts.append(_rect(x, y, width, block.height, CANVAS if off else NODE, radius=radius, stroke=BORDER,
                       extra=' stroke-dasharray="5 4"' if off else ""))
    category = LIGHT["categories"][block.category]
    parts.append(_head(x + 0.5, y + 0.5, x + width - 0.5, HEADER - 0.5, radius - 0.5, ALT if off else category,
                       1 if off else LIGHT["tint"]))
    chip, inset = BLOCK["chip"], (HEADER - BLOCK["chip"]) / 2
    parts.append(_rect(x + 10, y + inset, chip, chip, TEXT3 if off else category, radius=5))
    if block.icon:
        parts.append(placed(block.icon, x + 12, y + inset + 2, chip - 4, LIGHT["chip_text"]))
    pills = {"disabled": "off", "bypassed": "bypass"}.get(block.state, block.badge)
    parts += _title(block, width - left - 10 - (text_width(pills, SMALL) + 22 if pills else 0), ink)
    if pills:
        parts.append(_pill(x + width - 8, y + 20, pills, NODE, TEXT))
    parts += _lane_strip(block, scene)
    parts += _ports(block, off, scene)
    if block.state == "bypassed" and block.inputs and block.outputs:
        at = y + port_y(0)
        parts.append(f'<path d="M{x + 10:g} {at:g}H{x + width - 10:g}" '
                     f'stroke="{_type_colour(block.inputs[0].item_type)}" stroke-width="2" '
                     'stroke-dasharray="10 8"/>')
    base, side = y + port_y(max(len(block.inputs), len(block.outputs), 1)) - PORTS["pitch"] / 2 + 17, ROWS["side"]
    given = len(block.parameters) - block.defaults
    for at, (key, value) in enumerate(block.parameters):
        room = width - 2 * side - text_width(key, SMALL) - 10
        parts.append(_text(x + side, base, key, SMALL, TEXT3))
        parts.append(_text(x + width - side, base, fit(value, SMALL, room), SMALL,
                           ink if at < given else TEXT3, anchor="end", family=MONO))
        base += ROWS["pitch"]
    if block.more:
        parts.append(_text(x + side, base, f"{block.more} more", SMALL, TEXT3))
    return "".join([*parts, "</g>"])


def _title(block: BlockView, room: float, ink: str) -> list[str]:
    """Draw the name of a block above its type, or alone in two lines."""
    x, y, off = block.x + BLOCK["left"], block.y, ' text-decoration="line-through"' if block.state == "disabled" else ""
    head, low, tail = block.id.rpartition("_")
    while low and text_width(head + low, NAME_SIZE, True) > room and "_" in head:
        head, low, rest = head.rpartition("_")
        tail = f"{rest}_{tail}"
    if text_width(block.id, NAME_SIZE, True) <= room or not low:
        return [_text(x, y + 18, fit(block.id, NAME_SIZE, room, True), NAME_SIZE, ink, weight=600, extra=off),
                _text(x, y + 33, fit(block.title, SMALL, room), SMALL, TEXT3)]
    lines = (fit(head + low, NAME_SIZE, room, True), fit(tail, NAME_SIZE, room, True))
    return [_text(x, y + 17 + 17 * i, line, NAME_SIZE, ink, weight=600, extra=off) for i, line in enumerate(lines)]


def _mark(x: float, y: float, item_type: str, colour: str, connected: bool) -> str:
    """Draw a port. Its shape and colour show the item type; a hole marks the less common width of that type. An
    unconnected port is an outline.
    """
    r, corners = PORTS["radius"], PORTS["shapes"][PORTS["types"].get(item_type, "circle")]
    shape = (f'<polygon points="{" ".join(f"{x + r * dx:g},{y + r * dy:g}" for dx, dy in corners)}"' if corners else
             f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}"')
    outline = f' stroke="{colour}" stroke-width="{PORTS["outline"]}" stroke-linejoin="round"'
    parts = [f'{shape} fill="{NODE}" stroke="{NODE}" stroke-width="{2 * PORTS["ring"]}" stroke-linejoin="round"/>',
             f'{shape} fill="{colour if connected else NODE}"{"" if connected else outline}/>']
    if item_type in PORTS["hollow"]:
        parts.append(f'<circle cx="{x + PORTS["hollow"][item_type] * r:g}" cy="{y:g}" r="{PORTS["hole"] * r:g}" '
                     f'fill="{NODE if connected else colour}"/>')
    return "".join(parts)


def _ports(block: BlockView, off: bool, scene: Scene) -> list[str]:
    parts = []
    for ports, output in ((block.inputs, False), (block.outputs, True)):
        for port in ports:
            x, y = block.port(port.id, output)
            colour = BORDER if off else LIGHT["unknown"] if scene.workers else _type_colour(port.item_type)
            parts.append(f"<g><title>{escaped(port.id)} {escaped(port.item_type)}</title>"
                         + _mark(x, y, port.item_type, colour, (block.id, port.id, output) in scene.joined) + "</g>")
            away = -PORTS["label"] if output else PORTS["label"]
            parts.append(_text(x + away, y + 4, port.id, SMALL, TEXT3 if off else TEXT2,
                               anchor="end" if output else "start"))
    return parts


def _lane_strip(block: BlockView, scene: Scene) -> list[str]:
    """Draw the top edge of a block, with a segment for each worker that runs copies of it."""
    parts, width = [], (block.width - 20) / max(1, len(block.workers))
    for i, worker in enumerate(block.workers):
        part = max(1.0, width - (i + 1 < len(block.workers)))
        parts.append(_rect(block.x + 10 + i * width, block.y - 2, part, 4, _lane_colour(scene, worker), radius=2))
    return parts


def _lane_colour(scene: Scene, worker: str) -> str:
    return LIGHT["workers"][scene.workers.index(worker) % len(LIGHT["workers"])]


def _legend(scene: Scene, left: float, top: float) -> str:
    """Return the legend of the colours: workers if there are lanes, else the item types of the wires."""
    if scene.workers:
        entries = [(w, _lane_colour(scene, w)) for w in scene.workers[:len(LIGHT["workers"])]]
        hidden = len(scene.workers) - len(entries)
        entries += [(f"and {hidden} more workers", CANVAS)] if hidden else []
    else:
        entries = [(t, _type_colour(t)) for t in dict.fromkeys(w.item_type for w in scene.wires if w.item_type)]
    parts, x = [], left
    for label, colour in entries:
        parts.append(_rect(x, top - 3, 16, 4, colour, radius=2) + _text(x + 22, top + 3, label, SMALL, TEXT2))
        x += 22 + text_width(label, SMALL) + 20
    return "".join(parts)


def convert(text: str, form: str) -> bytes:
    """Convert SVG to png (twice its size) or pdf. Raises WeirError if librsvg's converter is missing or fails."""
    command = ["rsvg-convert", f"--format={form}", *(["--zoom=2"] if form == "png" else [])]
    try:
        # A fixed date keeps the bytes of the same picture the same.
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
