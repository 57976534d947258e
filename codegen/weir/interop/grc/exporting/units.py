"""Units of an export: all blocks of a project, including the copies of repeated blocks, and their connections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from weir.diagnostics import WeirError, resolve
from weir.model.catalog import BlockType, Catalog, Port
from weir.model.check import Checked
from weir.sure import sure

_COLUMN, _ROW = 260, 120


@dataclass(frozen=True)
class Unit:
    """One block to export. `kind`: None for a type that the catalog lacks. `origin`: its original block and part in the
    flowgraph. `hosted`: type, name and ports of a block that GNU Radio runs.
    """

    name: str
    type: str
    kind: BlockType | None
    item_type: str | None
    parameters: Mapping[str, Any]
    state: str
    comment: str
    origin: tuple[str, str] | None
    position: tuple[int, int] | None
    hosted: Mapping[str, Any] | None = None


Ends = tuple[str, str, str, str]


def stored(document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return what the project stores of the flowgraph that it was imported from, None if it was not imported."""
    return document.get("gnuradio", document.get("x_grc"))


def units_of(checked: Checked) -> tuple[list[Unit], list[Ends]]:
    """Return the units and their connections. Raises WeirError for faults that leave copies or item types of the
    project unknown.
    """
    document, graph = checked.loaded().document, checked.graph
    entries = document["graph"]["blocks"]
    positions = document.get("ui", {}).get("positions", {})
    multiplied = "pipes" in document["graph"] or any("repeat" in e for e in (*entries, *document["graph"].get(
        "groups", ())))
    if graph is None and (multiplied or stored(document) is None):
        raise WeirError([d for d in checked.diagnostics if d.severity == "error"])
    if multiplied:
        units = [_unit(i.name, resolve(document, i.pointer), checked.catalog, i.item_type, None)
                 for i in sure(graph).instances]
        return _placed(units, [(e.src, e.src_port, e.dst, e.dst_port) for e in sure(graph).edges])
    inferred = {i.block_id: i.item_type for i in graph.instances} if graph else {}
    units = [_unit(e["id"], e, checked.catalog, inferred.get(e["id"]), positions.get(e["id"])) for e in entries]
    return _placed(_typed(units, document["graph"]["connections"]),
                   [tuple(c) for c in document["graph"]["connections"]])


def _unit(name: str, entry: Mapping, catalog: Catalog, item_type: str | None, position: Any) -> Unit:
    parameters = dict(entry.get("parameters", {}))
    kind = None if "gnuradio" in entry else catalog.blocks.get(entry["type"])
    stated = parameters.pop("item_type", None) if kind else None
    hosted, came = entry.get("gnuradio"), entry.get("x_grc")
    origin = (str(came["block"]), str(came.get("part", ""))) if isinstance(came, dict) and "block" in came else None
    if hosted:
        origin = (hosted["name"], "")
    at = None
    if isinstance(position, list) and len(position) == 2 and all(isinstance(v, (int, float)) for v in position):
        at = (round(position[0]), round(position[1]))
    return Unit(name, entry["type"], kind, item_type or stated, parameters,
                entry.get("state", "enabled"), entry.get("comment", ""), origin, at, hosted)


def _typed(units: list[Unit], connections: list[list[str]]) -> list[Unit]:
    """Take unknown item types from neighbours, for blocks that do not run and for invalid projects."""
    by_name = {unit.name: unit for unit in units}
    changed = True
    while changed:
        changed = False
        for src, out, dst, into in connections:
            for one, port, other, its in ((src, out, dst, into), (dst, into, src, out)):
                a, b = by_name.get(one), by_name.get(other)
                found = _at(b, its) if b else None
                own = _port(a, port) if a else None
                if a and a.kind and a.kind.item_types and a.item_type is None and found and own and own.type == "T":
                    by_name[one] = replace(a, item_type=found)
                    changed = True
    return list(by_name.values())


def _port(unit: Unit, port: str) -> Port | None:
    return (unit.kind.input(port) or unit.kind.output(port)) if unit.kind else None


def _at(unit: Unit, port: str) -> str | None:
    found = _port(unit, port)
    return found.item_type(unit.item_type) if found else None


def _placed(units: list[Unit], wires: list[Ends]) -> tuple[list[Unit], list[Ends]]:
    """Give units without a position one by their distance from the sources."""
    if all(unit.position for unit in units):
        return units, wires
    depth = {unit.name: 0 for unit in units}
    for _ in units:
        moved = False
        for src, _, dst, _ in wires:
            if src in depth and dst in depth and depth[dst] <= depth[src] < len(units):
                depth[dst], moved = depth[src] + 1, True
        if not moved:
            break
    rows: dict[int, int] = {}
    placed = []
    for unit in units:
        column = depth[unit.name]
        row = rows[column] = rows.get(column, -1) + 1
        at = unit.position or (40 + _COLUMN * column, 160 + _ROW * row)
        placed.append(replace(unit, position=at))
    return placed, wires
