"""Report of a sweep: remarks, figures and table; and the same as JSON, for programs that draw the figures and link
each point to its runs.
"""

from __future__ import annotations

import io
import shlex
from collections.abc import Mapping

from weir.lab.sweeping import table
from weir.lab.sweeping.answer import COMPLETE, SweepAnswer, titles_of
from weir.lab.sweeping.drawings import drawings, quantities_of, shape_of, undrawn
from weir.lab.sweeping.fairness import findings
from weir.lab.sweeping.record import axes_of, record_of
from weir.lab.sweeping.request import words
from weir.lab.sweeping.state import State, Stored
from weir.lab.sweeping.table import Row
from weir.model.document.essence import identity
from weir.read.comparing.statistics import MIN_ROUNDS
from weir.read.reporting.report import Lead

UNFINISHED = "not finished"
LATENCY = "latency_p50_ns"


def answer_of(at: State, read: Stored | None = None, titled: bool = False) -> SweepAnswer:
    """Return the answer of a sweep as far as it is measured. `read`: contents of its folder, if already read.
    `titled`: its findings have the titles of deployments.
    """
    record, ignored = record_of(at, read)
    titles = titles_of(at.value["document"]) if titled else {}
    return SweepAnswer(at, record, UNFINISHED if record.following else COMPLETE, findings(
        axes_of(at), record.columns, record.cells, record.latest, at.value["hold"], titles), ignored.words())


def lead(at: State, read: Stored | None = None) -> Lead:
    """Return the lead of a sweep's report. `read`: see `answer_of`."""
    axes, answer = axes_of(at), answer_of(at, read, titled=True)
    record = answer.record
    heads, *rows = answer.table(titled=True)
    text = io.StringIO()
    table.write_csv(text, record.table(), record.columns)
    value = at.value
    said = (f"{answer.title}: {answer.summary()}. Every round has every point once, in a random order (seed "
             f"{record.order.seed}). Begun {value['created']}.")
    title = at.plot.get("title", value["document"].get("title", answer.title))
    remarks = [*answer.remarks(brief=True), *undrawn(axes, shape_of(axes, at.plot))]
    return Lead(title, said, remarks, list(drawings(answer, axes)), [it.text for it in heads], rows,
                _caption(answer), text.getvalue(), _command(value), answer.summary() if record.following else "")


def _caption(answer: SweepAnswer) -> str:
    enough = len(answer.record.whole) >= MIN_ROUNDS
    latency = any(row[LATENCY] is not None for row in answer.record.table())
    return ("Pseudomedian over the rounds" + (", with its 95 % interval (bootstrap over rounds)" if enough else "")
            + ("; each run gives one value of a latency quantile" if latency else "")
            + ". Only runs that are ok count."
            + (" After |: without the rounds that other programs disturbed."
               if answer.record.disturbed else ""))


def _command(value: Mapping) -> str:
    return shlex.join([*words(value), "--out", "DIR"])


def outline(at: State) -> dict[str, object]:
    """Return the outline of a sweep, as in `schema/sweep_outline.schema.json`."""
    answer, value, axes = answer_of(at), at.value, axes_of(at)
    record, drawn, shape = answer.record, quantities_of(at.plot), shape_of(axes, at.plot)
    measured = {column: it for column, it in drawn.items() if any(row[column] is not None for row in record.table())}
    columns = value["columns"]
    return {
        "project": value["project"], "sweep": value["sweep"], "id": at.id, "directory": str(at.folder.absolute()),
        "title": answer.title, "summary": answer.summary(), "remarks": answer.remarks(), "state": answer.state,
        "created": value["created"], "essence": identity(value["document"]),
        "rounds": answer.rounds,
        "axes": [{"key": axis.key, "column": column, "values": list(axis.values)}
                 for axis, column in zip(axes, columns)],
        "figure": {"x": None if shape.x is None else columns[shape.x],
                   "lines": [columns[i] for i in shape.lines], "figures": [columns[i] for i in shape.figures]},
        "quantities": [{"column": column, "words": it.words, "unit": "" if it.unit in ("share", "ratio") else it.unit}
                       for column, it in measured.items()],
        "points": [{"number": cell.number, "name": answer.names[cell.number], **answer.point(cell, measured),
                    "runs": [_run(row, measured) for row in answer.rows_of(cell)]} for cell in record.cells],
        "left_out": answer.left_out}


def _run(row: Row, columns: Mapping[str, object]) -> dict[str, object]:
    keys = ("run_id", "directory", "round", "repetition", "status", "reasons", "round_disturbed")
    return {**{key: row[key] for key in keys},
            "values": {column: row[column] for column in columns}}
