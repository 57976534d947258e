"""What there is of a sweep so far, as JSON: for whoever draws its figures, and leads to the runs behind a point."""

from __future__ import annotations

from collections.abc import Mapping

from weir.lab.sweeping import page
from weir.lab.sweeping.answer import Answer
from weir.lab.sweeping.drawings import quantities_of, shape_of
from weir.lab.sweeping.point import Cell
from weir.lab.sweeping.record import axes_of
from weir.lab.sweeping.state import State
from weir.lab.sweeping.table import Row
from weir.model.document.essence import identity


def outline(at: State) -> dict[str, object]:
    """As `schema/sweep_outline.schema.json` has it."""
    answer, value, axes = page.answer_of(at), at.value, axes_of(at)
    record, drawn, shape = answer.record, quantities_of(at.plot), shape_of(axes, at.plot)
    measured = {column: it for column, it in drawn.items() if any(row[column] is not None for row in record.table())}
    columns = value["columns"]
    return {
        "project": value["project"], "sweep": value["sweep"], "id": at.id, "directory": str(at.folder.absolute()),
        "title": answer.title, "summary": answer.summary(), "remarks": answer.remarks(), "state": answer.state,
        "created": value["created"], "essence": identity(value["document"]),
        "blocks": {"asked": record.order.repetitions, "measured": len(record.whole), "disturbed": record.disturbed},
        "axes": [{"key": axis.key, "column": column, "values": list(axis.values)}
                 for axis, column in zip(axes, columns)],
        "figure": {"x": None if shape.x is None else columns[shape.x],
                   "lines": [columns[i] for i in shape.lines], "figures": [columns[i] for i in shape.figures]},
        "quantities": [{"column": column, "words": it.words, "unit": "" if it.unit in ("share", "ratio") else it.unit}
                       for column, it in measured.items()],
        "points": [_point(answer, cell, measured) for cell in record.cells],
        "left_out": [{key: it[key] for key in ("values", "code", "message")} for it in value["left_out"]]}


def _point(answer: Answer, cell: Cell, columns: Mapping[str, object]) -> dict[str, object]:
    rows = answer.rows_of(cell)
    return {"number": cell.number, "name": answer.names[cell.number], "deployment": cell.deployment,
            "values": dict(zip(answer.record.columns, cell.values)),
            "all": {column: answer.estimate(cell, column).as_json() for column in columns},
            "undisturbed": {column: answer.estimate(cell, column, True).as_json() for column in columns},
            "runs": [_run(row, columns) for row in rows]}


def _run(row: Row, columns: Mapping[str, object]) -> dict[str, object]:
    return {**{key: row[key] for key in ("run_id", "directory", "block", "status", "reasons", "block_disturbed")},
            "values": {column: row[column] for column in columns}}
