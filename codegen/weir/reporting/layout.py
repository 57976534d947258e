"""Where blocks go when nobody has placed them: layers by longest path, order by barycentre, straight streams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

GRID = 20
COLUMN_GAP, ROW_GAP = 80, 40
ORIGIN = (80, 80)
SWEEPS = 8


@dataclass(frozen=True)
class Wire:
    """From block to block; `source_y` and `target_y` are where its ports are, down from the tops of their blocks."""

    source: str
    target: str
    source_y: float = 0.0
    target_y: float = 0.0


@dataclass
class _Node:
    """A block, or a place kept free in a layer that a long wire passes."""

    width: float
    height: float
    y: float = 0.0


def layered(sizes: Mapping[str, tuple[float, float]], wires: Sequence[Wire]) -> dict[str, tuple[int, int]]:
    """The upper left corner of each block, on the grid, sources on the left. Same input, same output.

    `sizes`: block -> (width, height), in the order of the document, which breaks ties. Wires that close a cycle do not
    count.
    """
    forward = _without_cycles(list(sizes), wires)
    layer = _longest_paths(list(sizes), forward)
    nodes: dict[object, _Node] = {name: _Node(*size) for name, size in sizes.items()}
    layers: list[list[object]] = [[] for _ in range(max(layer.values(), default=-1) + 1)]
    for name in sizes:
        layers[layer[name]].append(name)
    links = _split_long(forward, layer, layers, nodes)
    _order(layers, links)
    _place_rows(layers, links, nodes)
    corners, x = {}, float(ORIGIN[0])
    top = min((node.y for node in nodes.values()), default=0.0)
    for members in layers:
        for name in members:
            if isinstance(name, str):
                corners[name] = (_snap(x), _snap(nodes[name].y - top + ORIGIN[1]))
        x += max((nodes[m].width for m in members if isinstance(m, str)), default=0.0) + COLUMN_GAP
    return {name: corners[name] for name in sizes}


def _snap(value: float) -> int:
    return int(value / GRID + 0.5) * GRID


def _without_cycles(names: Sequence[str], wires: Sequence[Wire]) -> list[Wire]:
    """The wires that do not lead back to a block that is still being walked from."""
    known, finished, kept = set(names), set(), []
    outgoing: dict[str, list[Wire]] = {name: [] for name in names}
    for wire in wires:
        if wire.source in known and wire.target in known and wire.source != wire.target:
            outgoing[wire.source].append(wire)
    for root in names:
        if root in finished:
            continue
        walk, on_path = [(root, iter(outgoing[root]))], {root}
        while walk:
            name, rest = walk[-1]
            wire = next(rest, None)
            if wire is None:
                walk.pop()
                on_path.discard(name)
                finished.add(name)
            elif wire.target not in on_path:
                kept.append(wire)
                if wire.target not in finished:
                    on_path.add(wire.target)
                    walk.append((wire.target, iter(outgoing[wire.target])))
    return kept


def _longest_paths(names: Sequence[str], wires: Sequence[Wire]) -> dict[str, int]:
    targets: dict[str, list[str]] = {name: [] for name in names}
    open_inputs = dict.fromkeys(names, 0)
    for wire in wires:
        targets[wire.source].append(wire.target)
        open_inputs[wire.target] += 1
    layer = dict.fromkeys(names, 0)
    ready = [name for name in names if open_inputs[name] == 0]
    for name in ready:
        for target in targets[name]:
            layer[target] = max(layer[target], layer[name] + 1)
            open_inputs[target] -= 1
            if open_inputs[target] == 0:
                ready.append(target)
    return layer


def _split_long(wires: Sequence[Wire], layer: Mapping[str, int], layers: list[list[object]],
                nodes: dict[object, _Node]) -> list[tuple[object, object, float]]:
    """(from, to, how far the lower end's top should lie below the upper end's), between neighbouring layers only."""
    links: list[tuple[object, object, float]] = []
    for number, wire in enumerate(wires):
        previous: object = wire.source
        offset = wire.source_y
        for at in range(layer[wire.source] + 1, layer[wire.target]):
            passing = (number, at)
            nodes[passing] = _Node(0, 0)
            layers[at].append(passing)
            links.append((previous, passing, offset))
            previous, offset = passing, 0.0
        links.append((previous, wire.target, offset - wire.target_y))
    return links


def _order(layers: list[list[object]], links: Sequence[tuple[object, object, float]]) -> None:
    """Sorts each layer by the mean place of its neighbours, to and fro.

    Python's sort is stable: ties keep their order.
    """
    before: dict[object, list[object]] = {}
    after: dict[object, list[object]] = {}
    for source, target, _ in links:
        before.setdefault(target, []).append(source)
        after.setdefault(source, []).append(target)
    best, fewest = [list(m) for m in layers], _crossings(layers, links)
    for sweep in range(SWEEPS):
        down = sweep % 2 == 0
        for members in layers[1:] if down else layers[-2::-1]:
            place = {name: i for other in layers for i, name in enumerate(other)}
            neighbours = before if down else after
            members.sort(key=lambda m: _mean([place[n] for n in neighbours.get(m, ())], place[m]))
        crossings = _crossings(layers, links)
        if crossings < fewest:
            best, fewest = [list(m) for m in layers], crossings
    layers[:] = best


def _crossings(layers: Sequence[Sequence[object]], links: Sequence[tuple[object, object, float]]) -> int:
    place = {name: (i, j) for i, members in enumerate(layers) for j, name in enumerate(members)}
    by_layer: dict[int, list[tuple[int, int]]] = {}
    for source, target, _ in links:
        by_layer.setdefault(place[source][0], []).append((place[source][1], place[target][1]))
    return sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for ends in by_layer.values()
               for i, a in enumerate(ends) for b in ends[:i])


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _place_rows(layers: Sequence[Sequence[object]], links: Sequence[tuple[object, object, float]],
                nodes: Mapping[object, _Node]) -> None:
    """Pulls every block to where its wires run level, and pushes apart what then overlaps, in the order found."""
    pulls: dict[object, list[tuple[object, float]]] = {}
    for source, target, offset in links:
        pulls.setdefault(target, []).append((source, offset))
        pulls.setdefault(source, []).append((target, -offset))
    for members in layers:
        _spread([nodes[m] for m in members], [0.0] * len(members))
    for sweep in range(SWEEPS):
        for members in layers if sweep % 2 == 0 else reversed(layers):
            wanted = [_mean([nodes[n].y + offset for n, offset in pulls.get(m, ())], nodes[m].y) for m in members]
            _spread([nodes[m] for m in members], wanted)


def _spread(column: Sequence[_Node], wanted: Sequence[float]) -> None:
    """Places a column as near to the wanted tops as gaps allow: neighbours that collide move to their mean."""
    groups: list[tuple[list[_Node], float, float]] = []  # members, sum of wanted tops of the first member, height
    for node, top in zip(column, wanted):
        members, total, height = [node], top, node.height + ROW_GAP
        while groups and groups[-1][1] / len(groups[-1][0]) + groups[-1][2] > total / len(members):
            above, above_total, above_height = groups.pop()
            total = above_total + total - above_height * len(members)
            members, height = above + members, above_height + height
        groups.append((members, total, height))
    for members, total, _ in groups:
        y = total / len(members)
        for node in members:
            node.y = y
            y += node.height + ROW_GAP
