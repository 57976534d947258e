"""Automatic layout of blocks: Graphviz's dot ranks and orders them. This module arranges them in columns on the grid.

Columns wrap into rows, like words in a paragraph, if a single row would be too small to read.
"""

from __future__ import annotations

import json
import subprocess
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from weir.diagnostics import WeirError, diagnostic
from weir.read.reporting.look import LOOK

BETWEEN = 120  # gap between rows, with room for the wires that lead back to the next row
BESIDE = 160  # width of these wires, both ends of a row together
WORTH = 1.15  # least gain in scale that justifies more rows
READABLE = 0.7  # scale at which text is readable; a larger scale is no gain
MOST_ROWS = 24
BACK = 2  # columns by which a row may end early so that it cuts fewer wires


@dataclass(frozen=True)
class Column:
    """Column of blocks. `width` includes the gap to the next column. `crossed`: number of wires over its left edge."""

    width: float
    top: float
    bottom: float
    crossed: int


def wrapped(columns: Sequence[Column], room: tuple[float, float]) -> list[range]:
    """Split the columns into the fewest rows that make the graph readable, or else as large as possible.

    `room`: width and height of the window.
    """
    best, largest = [range(len(columns))], 0.0
    for count in range(1, min(MOST_ROWS, len(columns)) + 1):
        limits = range(int(max(c.width for c in columns)), int(sum(c.width for c in columns)) + 2)
        narrowest = limits[min(bisect_left(limits, True, key=lambda at: len(_filled(columns, at)) <= count),
                               len(limits) - 1)]
        rows = _filled(columns, narrowest)
        shown = _shown(columns, rows, room)
        if shown > largest * WORTH:
            best, largest = rows, shown
    return best


def _filled(columns: Sequence[Column], limit: float) -> list[range]:
    starts, used, at = [0], 0.0, 0
    while at < len(columns):
        if used + columns[at].width > limit and at > starts[-1]:
            first = max(starts[-1] + 1, at - BACK)
            at = min(range(at, first - 1, -1), key=lambda i: columns[i].crossed)
            starts.append(at)
            used = 0.0
        used += columns[at].width
        at += 1
    return [range(a, b) for a, b in zip(starts, [*starts[1:], len(columns)])]


def _shown(columns: Sequence[Column], rows: Sequence[range], room: tuple[float, float]) -> float:
    width = max(sum(columns[i].width for i in row) for row in rows) + (BESIDE if len(rows) > 1 else 0)
    height = sum(heights(columns, row) for row in rows) + BETWEEN * (len(rows) - 1)
    return min(READABLE, room[0] / width, room[1] / height)


def heights(columns: Sequence[Column], row: range) -> float:
    """Return the height of a row."""
    return max(columns[i].bottom for i in row) - min(columns[i].top for i in row)


GRID = LOOK["grid"]
COLUMN_GAP = 80
#: Room for the results of a run below a block and the pill above the next block. Neither shrinks further below 60 %
#: zoom.
ROW_GAP = 60
ORIGIN = (80, 80)
POINTS_PER_INCH = 72
TIME_LIMIT_S = 60
SIMPLEX_ROUNDS = 4  # for each block; without this limit, dot takes minutes for a thousand blocks


@dataclass(frozen=True)
class Wire:
    """Wire between two blocks. `source_y` and `target_y`: distances of its ports from the tops of their blocks."""

    source: str
    target: str
    source_y: float = 0.0
    target_y: float = 0.0


def layered(sizes: Mapping[str, tuple[float, float]], wires: Sequence[Wire],
            room: tuple[float, float] | None = None) -> dict[str, tuple[int, int]]:
    """Return the upper left corner of each block, on the grid, with sources on the left. The result is deterministic.

    `sizes`: block -> (width, height), in the order of the document, which breaks ties. The layout ignores a wire if one
    of its blocks has no size, or if it joins a block to itself. `room`: width and height of the window; columns wrap
    into rows if that makes the blocks larger there. Raises WeirError: E_TOOL_MISSING or E_LAYOUT if dot is missing or
    fails.
    """
    if not sizes:
        return {}
    joined = [w for w in wires if w.source in sizes and w.target in sizes and w.source != w.target]
    centres = _centres(_run_dot(_description(sizes, joined)), list(sizes))
    columns: dict[int, list[str]] = {}
    for name in sizes:
        columns.setdefault(round(centres[name][0]), []).append(name)
    tops = {name: round(centres[name][1] - sizes[name][1] / 2) for name in sizes}
    ordered = [names for _, names in sorted(columns.items())]
    measured = _measured(ordered, sizes, tops, joined)
    corners, y = {}, ORIGIN[1]
    for row in wrapped(measured, room) if room else [range(len(ordered))]:
        highest, x = min(measured[i].top for i in row), ORIGIN[0]
        for i in row:
            for name in ordered[i]:
                corners[name] = (x, _snap(tops[name] - highest + y))
            x += int(measured[i].width)
        y += _snap(heights(measured, row) + BETWEEN)
    return {name: corners[name] for name in sizes}


def _measured(columns: Sequence[Sequence[str]], sizes: Mapping[str, tuple[float, float]], tops: Mapping[str, float],
              wires: Sequence[Wire]) -> list[Column]:
    of = {name: i for i, names in enumerate(columns) for name in names}
    begin, end = [0] * (len(columns) + 1), [0] * (len(columns) + 1)
    for first, last in (sorted((of[wire.source], of[wire.target])) for wire in wires):
        begin[first + 1] += 1
        end[last + 1] += 1
    crossed, measured = 0, []
    for i, names in enumerate(columns):
        crossed += begin[i] - end[i]
        measured.append(Column(_snap(max(sizes[n][0] for n in names) + COLUMN_GAP + GRID / 2 - 1),
                               min(tops[n] for n in names), max(tops[n] + sizes[n][1] for n in names), crossed))
    return measured


def _snap(value: float) -> int:
    return int(value / GRID + 0.5) * GRID


def _description(sizes: Mapping[str, tuple[float, float]], wires: Sequence[Wire]) -> str:
    """Return the graph in dot's language; one point is one pixel. Numbers replace the names of blocks, so no text of a
    project reaches dot.

    The graph is upside down because dot's y axis points up. Each part lists its blocks in reverse so that ties keep the
    order of the document.
    """
    number = {name: i for i, name in enumerate(sizes)}
    ports: dict[str, set[float]] = {name: set() for name in sizes}
    for wire in wires:
        ports[wire.source].add(sizes[wire.source][1] - wire.source_y)
        ports[wire.target].add(sizes[wire.target][1] - wire.target_y)
    rows = {name: {y: i for i, y in enumerate(sorted(heights))} for name, heights in ports.items()}
    lines = ["digraph {", "graph [rankdir=LR splines=none "
             f"nodesep={ROW_GAP / POINTS_PER_INCH:.4f} ranksep={COLUMN_GAP / POINTS_PER_INCH:.4f} "
             f"nslimit={SIMPLEX_ROUNDS} nslimit1={SIMPLEX_ROUNDS}]", "node [shape=none margin=0]"]
    lines += [f"n{number[name]} [label=<{_table(*sizes[name], rows[name])}>]"
              for part in _parts(sizes, wires) for name in reversed(part)]
    lines += [f"n{number[w.source]}:p{rows[w.source][sizes[w.source][1] - w.source_y]}:e -> "
              f"n{number[w.target]}:p{rows[w.target][sizes[w.target][1] - w.target_y]}:w" for w in wires]
    return "\n".join([*lines, "}"])


def _parts(names: Iterable[str], wires: Sequence[Wire]) -> list[list[str]]:
    """Return the connected components, in the order given."""
    part = {name: [name] for name in names}
    for wire in wires:
        a, b = part[wire.source], part[wire.target]
        if a is not b:
            small, large = sorted((a, b), key=len)
            large += small
            part.update(dict.fromkeys(small, large))
    parts: dict[int, list[str]] = {}
    for name, members in part.items():
        parts.setdefault(id(members), []).append(name)
    return list(parts.values())


def _table(width: float, height: float, ports: Iterable[float]) -> str:
    """Return a block as a table of one column with a cell around each port. The cells tell dot where wires end."""
    heights = sorted(ports)
    gaps = [b - a for a, b in zip(heights, heights[1:])]
    half = max(min([LOOK["ports"]["pitch"], *gaps]) / 2, 1)
    cells, at = [], 0.0
    for i, y in enumerate(heights):
        cells += [_cell(width, y - half - at), _cell(width, 2 * half, f' PORT="p{i}"')]
        at = y + half
    cells.append(_cell(width, height - at))
    return f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">{"".join(cells)}</TABLE>'


def _cell(width: float, height: float, port: str = "") -> str:
    if round(height) < 1:
        return ""
    return f'<TR><TD FIXEDSIZE="TRUE" WIDTH="{round(width)}" HEIGHT="{round(height)}"{port}></TD></TR>'


def _run_dot(description: str) -> dict:
    try:
        done = subprocess.run(["dot", "-Tjson0"], input=description.encode(), capture_output=True, timeout=TIME_LIMIT_S)
    except FileNotFoundError:
        raise WeirError(diagnostic("E_TOOL_MISSING", "", "dot is not installed, so blocks cannot be laid out",
                                   "install the package graphviz")) from None
    except subprocess.TimeoutExpired:
        raise WeirError(diagnostic("E_LAYOUT", "", f"dot found no layout within {TIME_LIMIT_S} s")) from None
    except OSError as error:
        raise WeirError(diagnostic("E_LAYOUT", "", f"dot does not start: {error.strerror or error}")) from None
    if done.returncode != 0:
        words = " ".join(done.stderr.decode(errors="replace").split())
        raise WeirError(diagnostic("E_LAYOUT", "", f"dot: {words or done.returncode}"))
    return json.loads(done.stdout)


def _centres(answer: dict, names: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Return the centres of the blocks."""
    centres = {}
    for node in answer["objects"]:
        x, y = (float(part) for part in node["pos"].split(","))
        centres[names[int(node["name"].removeprefix("n"))]] = (x, y)
    return centres
