"""Scene of a project's picture: blocks, ports, wires, groups and workers. The module `render` draws it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import islice, takewhile
from pathlib import Path

from weir import ROOT
from weir.diagnostics import WeirError
from weir.model.catalog import BlockType, Catalog, Parameter, Port
from weir.model.document.expressions import ExpressionError, evaluate
from weir.model.document.project import Project
from weir.model.flowgraph.graph import Graph
from weir.model.flowgraph.inference import infer_types
from weir.model.flowgraph.wiring import read_wiring
from weir.model.icons import read_icon
from weir.read.reporting import decor
from weir.read.reporting.layout import Wire, layered
from weir.read.reporting.look import LOOK

BLOCK, ROWS, PORTS = LOOK["block"], LOOK["rows"], LOOK["ports"]
SHOWN_VALUES = 6  # largest list shown in full; a longer list shows its length
#: Canvas of the editor's window at its first start, for drawings that get a new layout.
ROOM = (1050.0, 600.0)

#: Widths of characters as a share of the font size. They are rounded up because the viewer's font is unknown.
_NARROW, _WIDE = frozenset("il.,:;'|!()[]{}jIrtf1 "), frozenset("mwMW@%—")


@dataclass(frozen=True)
class PortView:
    """Port as it is drawn."""

    id: str
    item_type: str  # "" if nothing decides it, as for a disabled block


@dataclass(frozen=True)
class BlockView:
    """Block as it is drawn. `category`: see `category_of`. `state`: enabled, disabled or bypassed.

    `workers`: names of its workers, in order; empty without a plan. `ghost`: its block type is missing. `defaults`:
    number of parameters at the end of the list that are defaults. `icon`: SVG.
    """

    id: str
    title: str
    category: str
    state: str
    badge: str
    probe: bool
    inputs: tuple[PortView, ...]
    outputs: tuple[PortView, ...]
    parameters: tuple[tuple[str, str], ...]
    more: int
    workers: tuple[str, ...]
    width: float
    height: float
    ghost: bool = False
    defaults: int = 0
    icon: str = ""
    x: float = 0.0
    y: float = 0.0

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom."""
        return self.x, self.y, self.x + self.width, self.y + self.height

    def port(self, name: str, output: bool) -> tuple[float, float]:
        """Return the centre of a port on the canvas."""
        names = [p.id for p in (self.outputs if output else self.inputs)]
        return self.x + (self.width if output else 0), self.y + port_y(names.index(name))


@dataclass(frozen=True)
class WireView:
    """Connection as it is drawn."""

    source: str
    source_port: str
    target: str
    target_port: str
    item_type: str
    dead: bool
    via: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Scene:
    """Contents of a picture.

    `groups`: (caption, ids of the blocks). `pipes`: "× 6 pipes" or "". `workers`: every worker, in the plan's order.
    """

    title: str
    blocks: Mapping[str, BlockView]
    wires: tuple[WireView, ...]
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    pipes: str
    workers: tuple[str, ...] = field(default=())
    frames: tuple[decor.Part, ...] = ()
    notes: tuple[decor.Part, ...] = ()

    @cached_property
    def joined(self) -> frozenset[tuple[str, str, bool]]:
        """Return every connected port as (block, port, is output)."""
        return frozenset(end for wire in self.wires for end in ((wire.source, wire.source_port, True),
                                                                (wire.target, wire.target_port, False)))


def category_of(kind: BlockType) -> str:
    """Return source, sink, filter, math, sync or control. It decides the colour of a block's chip."""
    if kind.is_source or kind.is_sink:
        return "source" if kind.is_source else "sink"
    families = {"filter": "filter", "math": "math", "arith": "math", "sync": "sync"}
    return next((category for prefix, category in families.items() if kind.family.startswith(prefix)), "control")


@cache
def category_icon(category: str) -> str:
    """Return the icon of the category, for blocks without an icon."""
    return read_icon(ROOT / "block-library" / "categories" / f"{category}.svg") or ""


def port_y(index: int) -> float:
    """Return the distance of a port from its block's top."""
    return BLOCK["header"] + BLOCK["gap"] + PORTS["pitch"] * (index + 0.5)


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Estimate the width of a text in pixels, rather too large than too small."""
    units = sum(0.32 if c in _NARROW else 0.92 if c in _WIDE else 0.66 if c.isupper() else 0.57 for c in text)
    return units * size * (1.08 if bold else 1.0)


def fit(text: str, size: float, width: float, bold: bool = False) -> str:
    """Shorten a text with an ellipsis to about `width` pixels."""
    if text_width(text, size, bold) <= width:
        return text
    while text and text_width(text + "…", size, bold) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def _short(text: str, most: int) -> str:
    """Shorten a value, whose letters all have the same width, to at most so many letters."""
    return text if len(text) <= most else text[:max(0, most - 1)].rstrip() + "…"


def build_scene(project: Project, catalog: Catalog, graph: Graph | None,
                workers_of: Mapping[str, str] | None = None) -> Scene:
    """Build the scene of a project. Without a `graph`, blocks with missing types become ghosts; the rest must be valid.

    `workers_of`: instance name -> worker, from a plan; None draws no lanes.
    """
    document = project.document["graph"]
    types, running = _running(graph) if graph else _running_beside_ghosts(document, catalog)
    lanes = _lanes(graph, workers_of) if graph and workers_of else {}
    blocks = {}
    for block in document["blocks"]:
        kind = catalog.blocks.get(block["type"])
        view = _block(block, kind, types, project, lanes.get(block["id"], ()), block["id"] in running) if kind else \
            _ghost(block, document["connections"], project)
        blocks[view.id] = view
    ui = project.document.get("ui")
    points = decor.reroutes(ui)
    wires = tuple(_wire(c, blocks, points) for c in document["connections"])
    placed = _positions(project, blocks, wires)
    blocks = {name: _at(view, placed[name]) for name, view in blocks.items()}
    groups = tuple((f"{g['id']} {_times(g.get('repeat'), project)}".strip(), tuple(g["blocks"]))
                   for g in document.get("groups", ()))
    pipes = _times(document.get("pipes"), project)
    return Scene(project.title or project.name, blocks, wires, groups, f"{pipes} pipes" if pipes else "",
                 tuple(dict.fromkeys((workers_of or {}).values())), decor.frames(ui), decor.notes(ui))


def _running(graph: Graph) -> tuple[dict[tuple[str, str, bool], str], set[str]]:
    """Return the map (block, port, is output) -> item type, and the blocks that run."""
    block_of = {i.name: i.block_id for i in graph.instances}
    types: dict = {}
    for edge in graph.edges:
        types.setdefault((block_of[edge.src], edge.src_port, True), edge.item_type)
        types.setdefault((block_of[edge.dst], edge.dst_port, False), edge.item_type)
    return types, set(block_of.values())


def _running_beside_ghosts(document: Mapping, catalog: Catalog) -> tuple[dict[tuple[str, str, bool], str], set[str]]:
    """Return the same as `_running`, as far as it is known without the missing block types."""
    wiring = read_wiring(document, catalog)
    chosen, _, _ = infer_types(wiring.blocks, wiring.wires, complete=False)
    types = {(block.id, port.id, output): port.item_type(chosen.get(block.id)) or ""
             for block in wiring.blocks.values()
             for ports, output in ((block.type.inputs, False), (block.type.outputs, True)) for port in ports}
    return types, set(wiring.blocks)


def _ghost(block: Mapping, connections: Iterable[list[str]], project: Project) -> BlockView:
    """Return the view of a block with a missing type: its parameters, and the ports that wires lead to."""
    ends = [end for c in connections for end in ((c[0], c[1], True), (c[2], c[3], False)) if end[0] == block["id"]]
    inputs, outputs = (tuple(Port(port, "") for port in sorted({port for _, port, out in ends if out is side},
                                                               key=lambda port: (len(port), port)))
                       for side in (False, True))
    kind = BlockType(
        id=block["type"], family="", title=block["type"], documentation="", item_types=(), inputs=inputs,
        outputs=outputs, parameters=tuple(Parameter(name, "string") for name in block.get("parameters", {})),
        behaviour={}, accuracy={}, uses=(), folder=Path(), descriptor={})
    return replace(_block(block, kind, {}, project, (), True), ghost=True)


def _lanes(graph: Graph, workers_of: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    lanes: dict[str, dict[str, None]] = {}
    for instance in graph.instances:
        if instance.name in workers_of:
            lanes.setdefault(instance.block_id, {})[workers_of[instance.name]] = None
    return {block: tuple(names) for block, names in lanes.items()}


def _block(block: Mapping, kind: BlockType, types: Mapping, project: Project, workers: tuple[str, ...],
           running: bool) -> BlockView:
    name, state = block["id"], block.get("state", "enabled")
    if state == "enabled" and not running:
        state = "disabled"  # because a block that it depends on is disabled
    given = block.get("parameters", {})
    # Parameters at their defaults come last because long lists lose their last rows.
    values = [(p.id, given[p.id]) for p in sorted(kind.parameters, key=lambda p: given.get(p.id) == p.default)
              if p.id in given]
    # A short list continues with the first defaults, which say more about the block.
    unset = [(p.id, p.default_text or p.default) for p in kind.parameters
             if p.default is not None and p.id not in given]
    more = max(len(values) - ROWS["shown"], 0)
    defaults = min(len(unset), max(ROWS["shown"] - len(values), 0))
    values += unset[:defaults]
    badge, widest, small = _times(block.get("repeat"), project), BLOCK["widths"][-1], BLOCK["small"]
    shown = tuple((key, _short(value_text(value), int((widest - ROWS["between"] - text_width(key, small))
                                                      / ROWS["advance"])))
                  for key, value in values[:ROWS["shown"]])
    pill = text_width(badge, small) + BLOCK["pill"] if badge else 0
    words = max(text_width(name, BLOCK["name"], True), text_width(kind.title, small))
    wanted = max([BLOCK["left"] + words + pill + BLOCK["right"],
                  *(text_width(k, small) + ROWS["advance"] * len(v) + ROWS["between"] for k, v in shown)])
    lines = len(shown) + (more > 0)
    height = port_y(max(len(kind.inputs), len(kind.outputs), 1)) - PORTS["pitch"] / 2 + BLOCK["foot"]
    return BlockView(name, kind.title or kind.id, category_of(kind), state, badge, bool(block.get("probe")),
                     _ports(name, kind.inputs, types, False), _ports(name, kind.outputs, types, True), shown, more,
                     workers, next((w for w in BLOCK["widths"] if w >= wanted), widest),
                     height + (BLOCK["gap"] + lines * ROWS["pitch"] if lines else 0),
                     defaults=defaults, icon=kind.icon or category_icon(category_of(kind)))


def _ports(block: str, ports: tuple[Port, ...], types: Mapping, output: bool) -> tuple[PortView, ...]:
    return tuple(PortView(p.id, types.get((block, p.id, output)) or ("" if p.type == "T" else p.type)) for p in ports)


def _wire(connection: list[str], blocks: Mapping[str, BlockView],
          points: Mapping[str, tuple[tuple[float, float], ...]]) -> WireView:
    source, source_port, target, target_port = connection
    ends = [p.item_type for p in blocks[source].outputs if p.id == source_port]
    ends += [p.item_type for p in blocks[target].inputs if p.id == target_port]
    dead = "disabled" in (blocks[source].state, blocks[target].state)
    return WireView(source, source_port, target, target_port, next(filter(None, ends), ""), dead,
                    points.get(f"{source}.{source_port}->{target}.{target_port}", ()))


def _positions(project: Project, blocks: Mapping[str, BlockView],
               wires: tuple[WireView, ...]) -> dict[str, tuple[float, float]]:
    """Return the stored positions. The automatic layout places only blocks without one."""
    given = project.document.get("ui", {}).get("positions", {})
    given = given if isinstance(given, dict) else {}
    stored = {name: (at[0], at[1]) for name, at in given.items() if name in blocks and decor.numbers(at, 2)}
    if len(stored) == len(blocks):
        return stored
    automatic = automatic_positions(blocks, wires)
    below = max((y + blocks[n].height for n, (_, y) in stored.items()), default=0.0)
    # Blocks placed by hand stay. The other blocks go below them, where they cover nothing.
    return {name: stored.get(name, (x, y + below)) for name, (x, y) in automatic.items()}


def automatic_positions(blocks: Mapping[str, BlockView], wires: tuple[WireView, ...],
                        room: tuple[float, float] | None = None) -> dict[str, tuple[int, int]]:
    """Return the upper left corners from the automatic layout, regardless of stored positions. `room`: see `layered`.
    """
    return layered({name: (b.width, b.height) for name, b in blocks.items()},
                   [Wire(w.source, w.target, blocks[w.source].port(w.source_port, True)[1] - blocks[w.source].y,
                         blocks[w.target].port(w.target_port, False)[1] - blocks[w.target].y) for w in wires], room)


def _is_above(y: float, block: BlockView) -> bool:
    return block.y < y


def positions_with_room(scene: Scene, room: tuple[float, float] | None = None) -> dict[str, tuple[int, int]] | None:
    """Return new corners if blocks overlap, or None if none do.

    Blocks overlap if the drawing was made for blocks of other sizes. Ties in the new layout keep the vertical order of
    the drawing.
    """
    drawn = sorted(scene.blocks.values(), key=lambda block: block.y)
    below = ((a, takewhile(partial(_is_above, a.box[3]), islice(drawn, i + 1, None))) for i, a in enumerate(drawn))
    if not any(a.x < b.box[2] and b.x < a.box[2] for a, others in below for b in others):
        return None
    return automatic_positions({block.id: block for block in drawn}, scene.wires, room)


def readable_scene(project: Project, catalog: Catalog, graph: Graph | None,
                   workers_of: Mapping[str, str] | None = None) -> Scene:
    """Build the scene of a project for a page or a picture (`build_scene`). Blocks of GNU Radio Companion are smaller
    than those of Weir, so the blocks of its file move if they overlap here.
    """
    scene = build_scene(project, catalog, graph, workers_of)
    drawn = project.document.get("gnuradio", project.document.get("x_grc"))
    if not isinstance(drawn, dict) or {"laid_out", "x_laid_out"} & set(drawn):  # `weir import` has moved them
        return scene
    try:
        corners = positions_with_room(scene, ROOM)
    except WeirError:  # no layout tool is installed
        return scene
    if corners is None:
        return scene
    return replace(scene, blocks={name: _at(block, corners[name]) for name, block in scene.blocks.items()},
                   wires=tuple(replace(wire, via=()) for wire in scene.wires))


def _at(view: BlockView, corner: tuple[float, float]) -> BlockView:
    return replace(view, x=float(corner[0]), y=float(corner[1]))


def _times(count: object, project: Project) -> str:
    """Return "× 6" for a count or an expression, or "" for none."""
    if count is None:
        return ""
    if isinstance(count, dict):
        try:
            return f"× {evaluate(count['expr'], project.parameters)}"
        except ExpressionError:
            return f"× {count['expr']}"
    return f"× {count}"


def value_text(value: object) -> str:
    """Write a parameter's value as a person would."""
    if isinstance(value, dict):
        return str(value.get("expr", ""))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)) and len(value) > SHOWN_VALUES:
        return f"{len(value)} values"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_text(v) for v in value) + "]"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
