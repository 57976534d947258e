"""Search of `best`: measure its candidates in stages. Each stage is a sweep in a separate folder."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from weir.diagnostics import trying
from weir.engine.measuring.listener import Listener
from weir.engine.measuring.runnable import Runnable, RunOptions
from weir.lab.sweeping import best, state
from weir.lab.sweeping.point import Axis, Cell
from weir.lab.sweeping.record import Order, Record
from weir.lab.sweeping.sweep import Ran, Sweep
from weir.lab.sweeping.table import Row
from weir.model.catalog import Catalog

#: Folder in that of the sweep, with a folder for each stage.
FOLDER = "search"
NOT_HERE = "this machine cannot run it"
NONE_COUNTS = "no run of the search was ok and long enough"


@dataclass
class Search:
    """Search for best sizes. `of`: sweep that needs them; `runnables`: candidate's number -> program.

    `begins` is called with the record of each stage.
    """

    of: state.State
    axes: Sequence[Axis]
    goal: str
    rungs: Sequence[best.Rung]
    runnables: Mapping[int, Runnable]
    options: RunOptions
    catalog: Catalog
    listener: Listener
    on_run: Ran
    begins: Callable[[Record], None] = lambda record: None
    interrupted: bool = False
    _rows: list[Row] = field(default_factory=list)

    def go_on(self, tried: Sequence[best.SearchCandidate]) -> dict[str, Any] | None:
        """Run the search and return its entry in sweep.json, None if it was interrupted. Finished runs are kept.

        Raises WeirError if a run fails or cannot be stored, or if the candidates changed since the beginning.
        """
        left = [one for one in tried if one.number in self.runnables]
        seen: dict[int, tuple[int, float | None]] = {}
        for rung in self.rungs:
            if not left:
                break
            rows = self._rung(rung, left)
            if self.interrupted:
                return None
            self._rows += rows
            values = {}
            for one in left:
                own = [row for row in rows if row["point"] == one.number]
                values[one.number] = best.value(own, self.goal)
                seen[one.number] = len(own) + seen.get(one.number, (0, None))[0], values[one.number]
            left = [one for of in best.by_contender(left) for one in best.ranked(of, values, self.goal)[:rung.kept]]
        return self._found(tried, left, seen)

    def _rung(self, rung: best.Rung, tried: Sequence[best.SearchCandidate]) -> list[Row]:
        cells = [one.cell for one in tried]
        at = self._state(self.of.folder / FOLDER / rung.name, rung, tried)
        record = Record(cells, at.value["columns"], Order(at.value["seed"], len(cells), rung.rounds, 0))
        self.begins(record)
        sweep = Sweep(at, record, [self.runnables[one.number] for one in tried],
                      replace(self.options, out=at.folder.absolute(), repetitions=rung.rounds), self.catalog,
                      self.listener, self.on_run)
        self.interrupted = sweep.go_on()
        return record.table()

    def _state(self, folder: Path, rung: best.Rung, tried: Sequence[best.SearchCandidate]) -> state.State:
        """Return the state of a stage, new or old. Raises WeirError (E_SWEEP_CHANGED) if its candidates changed."""
        columns = [name for name, axis in zip(self.of.value["columns"], self.axes) if axis.has_contenders]
        columns += best.COLUMNS
        now = {**self.of.value, "axes": best.search_axes(tried, self.axes), "columns": columns, "hold": [],
               "repetitions": rung.rounds, "repeats": 0, "left_out": [], "points": [
                   point_of(one.cell, columns, self.runnables[one.number]) for one in tried]}
        begun = state.read_state(folder)
        if begun:
            state.check_unchanged(begun.value, now, another_machine=True)  # the sweep has checked the machine
            return begun
        with trying(f"make {folder}"):
            folder.mkdir(parents=True, exist_ok=True)
        made = state.State(folder, {**now, "id": secrets.token_hex(8)})
        made.write()
        return made

    def _found(self, tried: Sequence[best.SearchCandidate], left: Sequence[best.SearchCandidate],
               seen: Mapping[int, tuple[int, float | None]]) -> dict[str, Any]:
        names = [name for name, axis in zip(self.of.value["columns"], self.axes) if axis.has_contenders]
        winners = {one.contender: one for one in left}
        contenders = []
        for of in best.by_contender(tried):
            it = winners.get(of[0].contender)
            contenders.append({
                "values": dict(zip(names, of[0].contender)),
                "found": asdict(it.sizes) if it and it.sizes else None, "as_stated": it is not None and not it.sizes,
                "why": "" if it else NONE_COUNTS if any(one.number in seen for one in of) else NOT_HERE,
                "tried": [{"sizes": one.sizes and asdict(one.sizes), "runs": seen[one.number][0],
                           "value": seen[one.number][1]} for one in of if one.number in seen]})
        return {"goal": self.goal, "at": best.point(tried, self.axes, self.of.value["columns"]),
                "seed": self.of.value["seed"], "runs": len(self._rows),
                "measured_s": round(sum(float(row["elapsed_s"] or 0.0) for row in self._rows), 3),
                "contenders": contenders}


def point_of(cell: Cell, columns: Sequence[str], it: Runnable) -> dict[str, Any]:
    """Return a point for sweep.json."""
    return {"number": cell.number, "values": dict(zip(columns, cell.values)), "deployment": it.plan["deployment"],
            "scheduler": it.plan["scheduler"], "target": it.plan["target"], "binary_hash": it.program.hash}
