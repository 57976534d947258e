"""Automatic layout of blocks: Graphviz's dot ranks and orders them, and this module makes columns and the grid.

Columns wrap into rows, like words of a text, if a single row would be shown too small.
"""

from __future__ import annotations

import json
import subprocess
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from weir.diagnostics import WeirError, diagnostic
from weir.read.reporting.look import LOOK

BETWEEN = 120  # from row to row; the wires to the next row lead back there
BESIDE = 160  # what these wires take at both ends of the rows together
WORTH = 1.15  # how many times larger all must be shown for more rows
READABLE = 0.7  # what is shown so large needs no rows
MOST_ROWS = 24
BACK = 2  # so many columns early a row may end, for fewer wires that lead back


@dataclass(frozen=True)
class Column:
    """`width` with the gap to the next; `top` and `bottom` of what is in it; `crossed`: wires over its left edge."""

    width: float
    top: float
    bottom: float
    crossed: int


def wrapped(columns: Sequence[Column], room: tuple[float, float]) -> list[range]:
    """The columns of each row: as few rows as let all of it be read in `room`, the width and height of a window, or
    show it as large as possible there.
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
    """Return the height of each row."""
    return max(columns[i].bottom for i in row) - min(columns[i].top for i in row)


GRID = LOOK["grid"]
COLUMN_GAP = 80
#: Room for the numbers of a run below a block and the pill above the next one, which are no smaller at 60 %.
ROW_GAP = 60
ORIGIN = (80, 80)
POINTS_PER_INCH = 72
TIME_LIMIT_S = 60
SIMPLEX_ROUNDS = 4  # for each block; without a limit, dot takes minutes for graphs of a thousand


@dataclass(frozen=True)
class Wire:
    """From block to block; `source_y` and `target_y` are where its ports are, down from the tops of their blocks."""

    source: str
    target: str
    source_y: float = 0.0
    target_y: float = 0.0


def layered(sizes: Mapping[str, tuple[float, float]], wires: Sequence[Wire],
            room: tuple[float, float] | None = None) -> dict[str, tuple[int, int]]:
    """The upper left corner of each block, on the grid, sources on the left. Same input, same output.

    `sizes`: block -> (width, height), in the order of the document, which breaks ties. Wires from or to blocks without
    a size, and from a block to itself, do not count. `room`: width and height of the window that is to show it; columns
    wrap into rows where it shows them larger. WeirError (E_TOOL_MISSING, E_LAYOUT) where dot does not answer.
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
    """The graph in dot's language, a pixel a point. Blocks are numbered: no text of a project gets into it.

    Upside down: dot counts upwards. Ties go the document's way up when the members of a part come last first.
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
    """The blocks by what hangs together, in the order given."""
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
    """A block as a table of one column, with a cell around each port, so that dot knows where wires end."""
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
    """Centres of the blocks."""
    centres = {}
    for node in answer["objects"]:
        x, y = (float(part) for part in node["pos"].split(","))
        centres[names[int(node["name"].removeprefix("n"))]] = (x, y)
    return centres
