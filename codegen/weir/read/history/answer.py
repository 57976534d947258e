"""Answer of a history: the changes of each series, as data and as text for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from weir.diagnostics import printable
from weir.read.comparing.metrics import HIGHER
from weir.read.history.change_points import LEAST, Change, changes, levels, p_value, ratio_of, testable
from weir.read.history.series import COMMIT, Group, Runs, Series
from weir.read.reporting.quantities import aligned, quantity
from weir.sure import sure

WORSE, BETTER = "worse", "better"
#: Maximum number of unreadable runs to name.
MOST_FAULTS = 5


@dataclass(frozen=True)
class SeriesChanges:
    """Changes of one series, with or without disturbed runs. `why`: reason why it was not tested, or ""."""

    series: Series
    groups: Sequence[tuple[Group, float]]
    p_value: float | None
    changes: Sequence[Change]
    why: str = ""

    def verdict(self, change: Change) -> str:
        """Return whether a change is better or worse."""
        return BETTER if (change.ratio > 1) == (self.series.metric.better == HIGHER) else WORSE

    def control(self, change: Change) -> tuple[float, tuple[float, float]] | None:
        """Return the ratio of the bare kernel at a change with its interval, which shows changes of the machine. None
        if some runs lack it.
        """
        values = [group.control for group, _ in self.groups[change.begin:change.end]]
        if None in values:
            return None
        logs, at = np.log(np.asarray(values, float)), change.at - change.begin
        return ratio_of(logs[:at], logs[at:])

    def as_json(self) -> dict[str, Any]:
        """Return the changes as plain JSON values."""
        return {"why": self.why, "p_value": self.p_value, "changes": [self._change(it) for it in self.changes]}

    def _change(self, it: Change) -> dict[str, Any]:
        control = self.control(it)
        return {"at": self._name(it.at), "from": self._name(it.first), "to": self._name(it.last), "ratio": it.ratio,
                "interval": list(it.interval), "verdict": self.verdict(it),
                "control": control and {"ratio": control[0], "interval": list(control[1])}}

    def _name(self, place: int) -> str:
        return self.groups[place][0].name

    def words(self, change: Change) -> str:
        """Return a change in words: `-7.1 % (-9.0 .. -5.2 %) at 1234abcd (2026-11-20; from 12ab to 34cd)`."""
        low, high = (100 * (end - 1) for end in change.interval)
        control = self.control(change)
        at = self.groups[change.at][0]
        notes = [*([at.started[:10]] if at.started[:10] not in at.name else []),
                 *([f"from {self._name(change.first)} to {self._name(change.last)}"]
                   if change.first != change.last else []),
                 *([f"the bare kernel {100 * (control[0] - 1):+.1f} %"]
                   if control and not control[1][0] <= 1 <= control[1][1] else [])]
        return (f"{self.verdict(change)} {100 * (change.ratio - 1):+.1f} % ({low:+.1f} .. {high:+.1f} %) at {at.name}"
                + (f" ({'; '.join(notes)})" if notes else ""))


def changes_in(series: Sequence[Series], undisturbed: bool) -> list[SeriesChanges]:
    """Find the changes of all series together. Their number decides what exceeds chance (Holm)."""
    groups = [one.of(undisturbed) for one in series]
    tested = testable([len(of) for of in groups])
    p_values = {i: p_value([value for _, value in groups[i]]) for i in tested}
    level = dict(zip(tested, levels([p_values[i] for i in tested])))
    found = []
    for i, one in enumerate(series):
        values = [value for _, value in groups[i]]
        why = ("" if i in p_values else
               f"not enough data: {len(values)} values, but at least {LEAST} are needed" if len(values) < LEAST else
               f"not enough data: {len(values)} values are too few for one of {len(series)} series")
        at = changes(values, sure(level[i])) if level.get(i) is not None else []
        found.append(SeriesChanges(one, groups[i], p_values.get(i), at, why))
    return found


@dataclass(frozen=True)
class HistoryAnswer:
    """Answer of `weir runs history`."""

    runs: Runs
    series: Sequence[Series]
    by: str
    why_by: str = ""
    #: Whether commits have the order of a repository, else that of their first runs.
    by_git: bool = False

    @cached_property
    def found(self) -> list[SeriesChanges]:
        """Return the changes in each series."""
        return changes_in(self.series, False)

    @cached_property
    def undisturbed(self) -> list[SeriesChanges] | None:
        """Return the changes without disturbed runs, None if no run was disturbed."""
        return changes_in(self.series, True) if any(one.disturbed for one in self.series) else None

    @property
    def machines(self) -> list[str]:
        """Return the machines of the runs."""
        return list(dict.fromkeys(one.machine for one in self.series))

    def as_json(self) -> dict[str, Any]:
        """Return the answer of `history --json`."""
        without: Sequence[SeriesChanges | None] = self.undisturbed or [None] * len(self.series)
        return {
            "folders": list(map(str, self.runs.folders)), "by": self.by,
            "order": "git" if self.by_git else "first_runs", "runs": len(self.runs.all), "ok": len(self.runs.good),
            "disturbed": len(self.runs.disturbed), "machines": self.machines,
            "series": [{
                "label": it.series.label, "coordinates": it.series.point.as_json(), "machine": it.series.machine,
                "metric": it.series.metric.id, "unit": it.series.metric.unit, "better": it.series.metric.better,
                "groups": [{"name": group.name, "started": group.started, "value": group.value(False),
                            "undisturbed": group.value(True), "runs": len(group.values), "disturbed": group.disturbed}
                           for group in it.series.groups],
                "all": it.as_json(), "undisturbed": quiet and quiet.as_json()}
                for it, quiet in zip(self.found, without)],
            "skipped": [{"path": str(fault.path), "message": fault.message} for fault in self.runs.faults]}

    def remarks(self) -> list[str]:
        """Return remarks on the runs, one sentence each."""
        said = [self.why_by] if self.why_by else []
        bad, disturbed = len(self.runs.all) - len(self.runs.good), len(self.runs.disturbed)
        if disturbed:
            said.append(f"other programs disturbed {disturbed} of {len(self.runs.good)} runs, or their rounds; changes "
                        "after | exclude them")
        said += [f"left out: {_counted(bad, 'run')} with a status other than ok"] if bad else []
        if len(self.machines) > 1:
            said.append(f"{len(self.machines)} machines, each with its own series: {', '.join(self.machines)}")
        said += [f"skipped: {fault.message}" for fault in self.runs.faults[:MOST_FAULTS]]
        more = len(self.runs.faults) - MOST_FAULTS
        return said + ([f"{more} more runs are unreadable"] if more > 0 else [])

    def summary(self) -> str:
        """Return a summary of the runs in one line."""
        names = {group.name for one in self.series for group in one.groups}
        days = sorted(str(run.run["started"])[:10] for run in self.runs.good)
        order = f" in the order of {'git' if self.by_git else 'their first runs'}" if self.by == COMMIT else ""
        counted = f"{_counted(len(self.runs.good), 'run')} of {_counted(len(names), self.by)}"
        return (f"{counted}{order}, {days[0]}" + (f" to {days[-1]}" if days[-1] != days[0] else ""))

    def heads(self) -> list[str]:
        """Return the heads of the table."""
        machine = ["machine"] if len(self.machines) > 1 else []
        return ["point", *machine, "metric", f"{self.by}s", "first", "last", "changes"]

    def rows(self) -> list[list[str]]:
        """Return one row for each series, with all its changes."""
        without, rows = self.undisturbed, []
        for i, it in enumerate(self.found):
            shown = _words_of(it) + (f" | {_words_of(without[i])}" if without else "")
            ends = [quantity(value, it.series.metric.unit) for _, value in (it.groups[0], it.groups[-1])]
            machine = [it.series.machine] if len(self.machines) > 1 else []
            rows.append([it.series.label, *machine, it.series.metric.title, str(len(it.groups)), *ends, shown])
        return rows

    def text(self) -> str:
        """Return the report for people."""
        lines = [*self.remarks(), "", *aligned([self.heads(), *self.rows()])]
        return "\n".join(map(printable, [self.summary(), *(line and f"  {line}" for line in lines)])) + "\n"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count != 1 else ''}"


def _words_of(it: SeriesChanges) -> str:
    return "; ".join(map(it.words, it.changes)) or it.why or "none shown"


def why_days(by: str, runs: Runs) -> str:
    """Return the reason for grouping by day without a request, or ""."""
    missing = sum(not run.results["environment"]["git_revision"] for run in runs.good)
    return "" if by == COMMIT else f"by day, because {missing} of {len(runs.good)} runs do not record their commit"
