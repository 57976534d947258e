"""Page of a history: a figure of each series, those with changes first, and the table of all series."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from weir.read.history.answer import HistoryAnswer
from weir.read.reporting.axis_figures import Quantity
from weir.read.reporting.figures import Drawing
from weir.read.reporting.history_figures import Step, over_names
from weir.read.reporting.quantities import Entry
from weir.read.reporting.report import Lead

MOST_FIGURES = 24


def lead(answer: HistoryAnswer, command: str) -> Lead:
    """Return the lead of the report. `command`: command line that makes it again."""
    figures = list(_drawings(answer))
    remarks = answer.remarks()
    if len(answer.found) > MOST_FIGURES:
        remarks.append(f"only {MOST_FIGURES} of {len(answer.found)} series have a figure, those with changes first; "
                       "--metric and --at select others")
    names = list(dict.fromkeys(str(run.results["project"]) for run in answer.runs.good))
    caption = ("Each value is the pseudomedian of its runs; only runs that are ok count. The 95 % interval follows "
               "each change." + (" After |: without disturbed runs." if answer.undisturbed else ""))
    return Lead(f"{', '.join(names)} over {answer.by}s", f"{answer.summary()}.", remarks, figures, answer.heads(),
                [list(map(Entry, row)) for row in answer.rows()], caption, _data(answer), command)


def _drawings(answer: HistoryAnswer) -> Iterator[Drawing]:
    several = len(answer.machines) > 1
    ordered = sorted(answer.found, key=lambda it: not it.changes)
    for number, it in enumerate(ordered[:MOST_FIGURES], 1):
        one = it.series
        where = f"{one.label}{f', {one.machine}' if several else ''}"
        said = "; ".join(map(it.words, it.changes)) or it.why or "no change shown"
        caption = (f"{one.metric.title} of {where}: {said}. Dots: the pseudomedian of each {answer.by}; faint: its "
                   "runs; lines: the levels; grey: the interval of each change. The axis does not begin at 0.")
        yield over_names(f"{one.metric.id}_{number}", caption, Quantity(one.metric.title, one.metric.unit),
                         [group.name for group, _ in it.groups], [value for _, value in it.groups],
                         [[value for value, _ in group.values] for group, _ in it.groups],
                         [Step(change.at, change.first, change.last) for change in it.changes])


def _data(answer: HistoryAnswer) -> str:
    """Return the values as CSV, one row each."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["point", "machine", "metric", answer.by, "started", "value", "value_undisturbed", "runs",
                    "disturbed"])
    for one in answer.series:
        table.writerows([one.label, one.machine, one.metric.id, group.name, group.started, group.value(False),
                         group.value(True), len(group.values), group.disturbed] for group in one.groups)
    return text.getvalue()
