"""Fairness of a sweep: settings that are equal for all contenders, as promised by the project and as granted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from types import MappingProxyType

from weir.engine.measuring.points import Point
from weir.engine.measuring.run_directory import StoredRun
from weir.lab.sweeping import sizes
from weir.lab.sweeping.axes import label, same_but_contender
from weir.lab.sweeping.point import Axis, Cell
from weir.read.comparing.sides import Side
from weir.read.comparing.work import HELD, held, held_in

#: Settings that differ on purpose if contenders have their own best sizes.
SIZED = ("buffer_bytes", "chunk_items", "items_per_call")
#: UNKNOWN: at least one pair of contenders lacks the value on a side.
EQUAL, DIFFERS, UNKNOWN = "equal", "differs", "not measured"


@dataclass(frozen=True)
class Finding:
    """Finding of one kind of `HELD`. `promised`: by the sweep's `hold`; `words`: differences, by pair of contenders."""

    kind: str
    promised: bool
    state: str
    words: tuple[str, ...]

    @property
    def broken(self) -> bool:
        """Return whether a promise is broken."""
        return self.promised and self.state == DIFFERS


def findings(axes: Sequence[Axis], names: Sequence[str], cells: Sequence[Cell],
             runs: Mapping[int, StoredRun], hold: Sequence[str],
             titles: Mapping[str, str] = MappingProxyType({})) -> list[Finding]:
    """Compare the contenders of each point with the first one. Contenders with best sizes are compared only with each
    other, and without their sizes. Returns [] if there is nothing to compare.

    `runs`: cell number -> one run that is ok; the granted settings are the same in all runs of a cell. `titles`:
    deployment -> title in the words.
    """
    sides = {cell.number: _side(cell, names, runs.get(cell.number)) for cell in cells}
    groups = [[cell for cell in of if sides[cell.number].good] for _, of in groupby(
        sorted(cells, key=lambda cell: same_but_contender(cell.values, axes)),
        key=lambda cell: same_but_contender(cell.values, axes))]
    pairs = [(of[0], other) for of in groups for other in of[1:]]
    if not pairs:
        return []
    said: dict[str, dict[tuple[str, str], list[str]]] = {kind: {} for kind in HELD}
    known = set(HELD)
    for first, other in pairs:
        who = _contender(first, axes, names, titles), _contender(other, axes, names, titles)
        apart = SIZED if sizes.is_best(first, axes) else ()
        known &= held_in(sides[first.number], sides[other.number]).union(apart)
        for it in held(sides[first.number], sides[other.number], who):
            if it.kind and it.kind not in apart:
                said[it.kind].setdefault(who, []).append(it.words)
    found = []
    for kind, of in said.items():
        words = tuple(f"{a} → {b}: {lines[0]}{_others(len(lines) - 1)}" for (a, b), lines in of.items())
        state = DIFFERS if words else EQUAL if kind in known else UNKNOWN
        found.append(Finding(kind, kind in hold, state, words))
    return found


def _side(cell: Cell, names: Sequence[str], run: StoredRun | None) -> Side:
    point = Point.of({("", "deployment"): cell.deployment})
    return Side(Path(), point, label(cell.values, names), (run,) if run else ())


def _others(points: int) -> str:
    return "" if not points else " (and at another point)" if points == 1 else f" (and at {points} other points)"


def _contender(cell: Cell, axes: Sequence[Axis], names: Sequence[str], titles: Mapping[str, str]) -> str:
    own = [(value, name) for value, name, axis in zip(cell.values, names, axes)
           if axis.has_contenders or axis.key == sizes.AXIS]
    return label([value for value, _ in own], [name for _, name in own], titles)


def lines(found: Sequence[Finding], brief: bool = False) -> list[str]:
    """Return lines for people, broken requirements first. `brief`: of other differences, one pair for each kind."""
    said = [f"must be equal, but differs: {HELD[it.kind]}: {words}" for it in found if it.broken for words in it.words]
    for it in found:
        shown = () if it.broken else it.words[:1] if brief else it.words
        more = len(it.words) - len(shown)
        said += [f"differs: {words}{f'; so do {more} more pairs' * (brief and more > 0)}" for words in shown]
    for state, words in ((EQUAL, "equal"), (UNKNOWN, "unknown on at least one side")):
        kinds = [HELD[it.kind] + (", as required" if it.promised and state == EQUAL else
                                  ", although required" if it.promised else "")
                 for it in found if it.state == state]
        said += [f"{words}: {'; '.join(kinds)}"] if kinds else []
    return said
