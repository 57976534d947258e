"""What a sweep has to say at its end, for people and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from weir.comparing.statistics import MIN_BLOCKS
from weir.diagnostics import printable
from weir.reporting.quantities import MISSING, duration, si
from weir.sweeping.axes import Cell, label
from weir.sweeping.estimates import SHOWN, Estimated, estimated
from weir.sweeping.fairness import Finding, lines
from weir.sweeping.ready import LeftOut
from weir.sweeping.table import Row

COMPLETE, INTERRUPTED, OUT_OF_TIME = "complete", "interrupted", "out of time"
#: Points beyond so many are in the table and in the report.
MOST_POINTS = 40


@dataclass(frozen=True)
class Answer:
    """`blocks`: measured whole; `disturbed`: how many of them others disturbed."""

    project: str
    name: str | None
    id: str
    folder: Path
    state: str
    cells: Sequence[Cell]
    columns: Sequence[str]
    rows: Sequence[Row]
    blocks: int
    asked_blocks: int
    disturbed: int
    left_out: Sequence[LeftOut]
    fairness: Sequence[Finding]
    notes: Sequence[str] = ()

    @property
    def ok(self) -> bool:
        return self.state != INTERRUPTED and all(row["status"] == "ok" for row in self.rows)

    def _of(self, cell: Cell, quiet: bool = False) -> list[Row]:
        return [row for row in self.rows if row["point"] == cell.number
                and not (quiet and row["block_disturbed"] is not False)]

    def as_json(self) -> dict[str, object]:
        return {
            "project": self.project, "sweep": self.name, "id": self.id, "directory": str(self.folder),
            "state": self.state, "runs": len(self.rows), "ok": sum(row["status"] == "ok" for row in self.rows),
            "blocks": {"asked": self.asked_blocks, "measured": self.blocks, "disturbed": self.disturbed},
            "points": [{"values": dict(zip(self.columns, cell.values)), "deployment": cell.deployment,
                        "all": self._estimates(self._of(cell)),
                        "undisturbed": self._estimates(self._of(cell, True))} for cell in self.cells],
            "fairness": [it.as_json() for it in self.fairness],
            "left_out": [{"values": dict(zip(self.columns, it.cell.values)), "code": it.code, "message": it.message}
                         for it in self.left_out]}

    @staticmethod
    def _estimates(rows: Sequence[Row]) -> dict[str, object]:
        return {column: estimated(rows, column).as_json() for column in SHOWN}

    def text(self) -> str:
        bad = [row for row in self.rows if row["status"] != "ok"]
        title = f"{self.project}{f' · {self.name}' if self.name else ''}"
        said = [f"{title}: {len(self.rows)} runs of {len(self.cells)} points in {self.blocks} of {self.asked_blocks} "
                f"blocks{'' if self.state == COMPLETE else ', ' + self.state}"]
        said += [f"  {line}" for line in lines(self.fairness)]
        if self.disturbed:
            said.append(f"  others on the machine disturbed {self.disturbed} of {self.blocks} blocks; figures behind | "
                        "are without them")
        said += [f"  left out: {label(it.cell.values, self.columns)}: {it.message}" for it in self.left_out]
        said += [f"  {row['status']}: {row['directory']}: {row['reasons']}" for row in bad[:5]]
        said += [f"  {len(bad) - 5} more runs are not ok"] if bad[5:] else []
        if self.blocks < MIN_BLOCKS:
            said.append(f"  not enough data for intervals: {self.blocks} blocks, of {MIN_BLOCKS} at least")
        said += ["", *self._table(), *(f"  {note}" for note in self.notes)]
        return "\n".join(map(printable, said)) + "\n"

    def _table(self) -> list[str]:
        shown = [column for column in SHOWN if any(row[column] is not None for row in self.rows)]
        heads = ["point", "runs", *(SHOWN[column] for column in shown)]
        rows = [heads]
        for cell in self.cells[:MOST_POINTS]:
            own, quiet = self._of(cell), self._of(cell, True)
            texts = []
            for column in shown:
                text = _figure(column, estimated(own, column))
                if self.disturbed:
                    text += f" | {_figure(column, estimated(quiet, column))}"
                texts.append(text)
            rows.append([label(cell.values, self.columns), str(len(own)), *texts])
        widths = [max(len(row[i]) for row in rows) for i in range(len(heads))]
        found = ["  " + "  ".join(f"{text:<{width}}" for text, width in zip(row, widths)).rstrip() for row in rows]
        rest = len(self.cells) - MOST_POINTS
        return found + ([f"  and {rest} more points, in the table"] if rest > 0 else [])


def _figure(column: str, it: Estimated) -> str:
    if it.value is None:
        return MISSING

    def of(value: float) -> str:
        return duration(value) if column.endswith("_ns") else si(value, "items/s")

    return of(it.value) + (f" ({of(it.interval[0])} .. {of(it.interval[1])})" if it.interval else "")
