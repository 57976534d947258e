"""Where blocks go when nobody has placed them: Graphviz's dot ranks and orders them, columns and grid are made here."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from weir.diagnostics import WeirError, diagnostic
from weir.read.reporting.look import LOOK
from weir.read.reporting.rows import BETWEEN, Column, heights, wrapped

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
