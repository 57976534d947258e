"""What the report of a sweep shows: its figures over its axes, its table, and what a reader has to know first."""

from __future__ import annotations

import io
import shlex
from collections.abc import Mapping

from weir.lab.sweeping import table
from weir.lab.sweeping.answer import COMPLETE, Answer
from weir.lab.sweeping.drawings import drawings, shape_of, undrawn
from weir.lab.sweeping.fairness import findings
from weir.lab.sweeping.record import axes_of, record_of
from weir.lab.sweeping.request import words
from weir.lab.sweeping.state import State, Stored
from weir.read.comparing.statistics import MIN_BLOCKS
from weir.read.reporting.report import Lead

UNFINISHED = "not finished"


def answer_of(at: State, read: Stored | None = None) -> Answer:
    """What it has to say as far as it was measured. `read`: what is in its folder, where it was read."""
    record, ignored = record_of(at, read)
    return Answer(at, record, UNFINISHED if record.following else COMPLETE, findings(
        axes_of(at), record.columns, record.cells, record.latest, at.value["hold"]), ignored.words())


def lead(at: State, read: Stored | None = None) -> Lead:
    """The beginning of its report. `read`: as of `answer_of`."""
    axes, answer = axes_of(at), answer_of(at, read)
    record = answer.record
    heads, *rows = answer.table()
    text = io.StringIO()
    table.write_csv(text, record.table(), record.columns)
    value = at.value
    said = (f"{answer.summary()}. Every block has every point once, in a random order (seed "
             f"{record.order.seed}). Begun {value['created']}.")
    title = at.plot.get("title", answer.title)
    remarks = [*answer.remarks(), *undrawn(axes, shape_of(axes, at.plot))]
    return Lead(title, said, remarks, list(drawings(answer, axes)), [it.text for it in heads], rows,
                _caption(answer), text.getvalue(), _command(value), answer.summary() if record.following else "")


def _caption(answer: Answer) -> str:
    enough = len(answer.record.whole) >= MIN_BLOCKS
    return ("Pseudomedian over the blocks" + (", with its interval of 95 % (bootstrap over blocks)" if enough else "")
            + "; a quantile of latency is taken of each run first. Only runs that are ok count."
            + (" Behind |: without the blocks that others on the machine disturbed."
               if answer.record.disturbed else ""))


def _command(value: Mapping) -> str:
    return shlex.join([*words(value), "--out", "DIR"])
