"""Answer of a sweep at its end, for people and as JSON."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from weir.diagnostics import printable
from weir.engine.measuring.points import value_text
from weir.engine.measuring.results import SHORT_WINDOW_S, has_short_window
from weir.lab.sweeping import best, loads, noise
from weir.lab.sweeping.axes import label, labels
from weir.lab.sweeping.estimates import (
    MEAN,
    SHOWN,
    SPREAD,
    UNITS,
    WORDS,
    Baseline,
    Estimated,
    baseline_of,
    difference,
    estimated,
)
from weir.lab.sweeping.fairness import Finding, lines
from weir.lab.sweeping.noise import Noise
from weir.lab.sweeping.point import Cell
from weir.lab.sweeping.ready import NOT_HERE
from weir.lab.sweeping.record import Record, axes_of
from weir.lab.sweeping.state import State
from weir.lab.sweeping.table import Row
from weir.model.catalog import load_catalog
from weir.model.document.sweeps import FAILURES, RATES
from weir.read.comparing.statistics import MIN_ROUNDS
from weir.read.reporting.quantities import MISSING, Entry, aligned, figure
from weir.read.reporting.summary import UNCERTAIN

COMPLETE, INTERRUPTED, OUT_OF_TIME = "complete", "interrupted", "out of time"
#: Maximum number of points to print; the table and the report have all.
MOST_POINTS = 40
#: Maximum number of failed runs to name.
MOST_BAD = 5


@dataclass(frozen=True)
class SweepAnswer:
    """Answer of a sweep. `notes`: remarks on contents of the folder that are in no table."""

    at: State
    record: Record
    state: str
    fairness: Sequence[Finding]
    notes: Sequence[str] = ()
    _estimates: dict[tuple[int, str, bool], Estimated] = field(default_factory=dict, repr=False)

    @property
    def ok(self) -> bool:
        """Return whether everything is measured, and every run is ok."""
        return (self.state != INTERRUPTED and not self.lacks_runtimes
                and all(row["status"] == "ok" for row in self.record.rows.values()))

    @property
    def lacks_runtimes(self) -> bool:
        """Return whether points are left out because their runtime is missing, and --fitting did not allow that."""
        value = self.at.value
        return not value["request"]["fitting"] and any(it["code"] in NOT_HERE for it in value["left_out"])

    @property
    def title(self) -> str:
        """Return the project, the sweep and the values that all points share."""
        name = self.at.value["sweep"]
        alike = labels(self.record.cells, self.record.columns)[1]
        return f"{self.at.value['project']}{f' · {name}' if name else ''}{f', {alike}' if alike else ''}"

    @property
    def bad(self) -> list[Row]:
        """Return the rows of runs that are not ok."""
        return [row for row in self.record.table() if row["status"] != "ok"]

    @cached_property
    def names(self) -> Mapping[int, str]:
        """Return point number -> label that distinguishes the points."""
        return labels(self.record.cells, self.record.columns)[0]

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """Return deployment -> title, for the deployments that have one."""
        return titles_of(self.at.value["document"])

    @cached_property
    def colours(self) -> Mapping[str, int]:
        """Return `value_text` of a deployment -> number of its colour in figures."""
        return colours_of(self.at.value["document"].get("deployments", ()))

    @cached_property
    def titled(self) -> Mapping[int, str]:
        """Return point number -> label, with titles of deployments."""
        return labels(self.record.cells, self.record.columns, self.titles)[0]

    @cached_property
    def _by_point(self) -> Mapping[int, list[Row]]:
        found: dict[int, list[Row]] = {cell.number: [] for cell in self.record.cells}
        for row in self.record.table():
            found[row["point"]].append(row)
        return found

    def rows_of(self, cell: Cell, undisturbed: bool = False) -> list[Row]:
        """Return the rows of one point; with `undisturbed`, only those of undisturbed rounds."""
        return [row for row in self._by_point[cell.number]
                if not (undisturbed and row["round_disturbed"] is not False)]

    def as_json(self) -> dict[str, Any]:
        """Return the answer of `sweep --json`."""
        value, record = self.at.value, self.record
        return {
            "project": value["project"], "sweep": value["sweep"], "id": self.at.id, "directory": str(self.at.folder),
            "state": self.state, "runs": len(record.rows), "ok": len(record.rows) - len(self.bad),
            "rounds": self.rounds, "points": [self.point(cell, self.shown) for cell in record.cells],
            "noise": [{"values": dict(zip(record.columns, cell.values)), "quantities": [it.as_json() for it in found]}
                      for cell, found in self.noise],
            "fairness": list(map(asdict, self.fairness)), "best": value["best"], "loads": value.get("loads"),
            "left_out": self.left_out}

    @property
    def rounds(self) -> dict[str, int]:
        """Return the numbers of rounds for the JSON answer."""
        record = self.record
        return {"requested": record.order.repetitions, "measured": len(record.whole), "disturbed": record.disturbed}

    @property
    def left_out(self) -> list[dict[str, Any]]:
        """Return the points that are not measured, for the JSON answer."""
        return [{key: it[key] for key in ("values", "code", "message")} for it in self.at.value["left_out"]]

    def point(self, cell: Cell, columns: Iterable[str]) -> dict[str, Any]:
        """Return the estimates of these columns at a point, for the JSON answer."""
        return {"values": dict(zip(self.record.columns, cell.values)), "deployment": cell.deployment,
                "all": {column: self.estimate(cell, column).as_json() for column in columns},
                "undisturbed": {column: self.estimate(cell, column, True).as_json() for column in columns}}

    @cached_property
    def shown(self) -> Mapping[str, str]:
        """Return column -> title, of the columns of every point. Response failures need a deadline."""
        measured = any(row.get(FAILURES) is not None for row in self.record.rows.values())
        throughput, *quantiles = SHOWN.items()
        return dict([throughput, (MEAN, "mean [p5 .. p95]"), *quantiles,
                     *([(FAILURES, WORDS[FAILURES])] if measured else [])])

    @cached_property
    def noise(self) -> list[tuple[Cell, list[Noise]]]:
        """Return the noise of an A/A test at each point, with the cell of the point's first side. [] for other sweeps.
        """
        if noise.AXIS not in self.record.columns:
            return []
        at = self.record.columns.index(noise.AXIS)
        sides: dict[str, list[Cell]] = {}
        for cell in self.record.cells:
            sides.setdefault(value_text([*cell.values[:at], *cell.values[at + 1:]]), []).append(cell)
        return [(pair[0], noise.noise_of(*(self.rows_of(cell) for cell in pair))) for pair in sides.values()
                if len(pair) == 2]

    def _noise_lines(self) -> list[str]:
        at = self.record.columns.index(noise.AXIS) if self.noise else 0
        points = [Cell(cell.number, None, {}, None, (*cell.values[:at], *cell.values[at + 1:]), ())
                  for cell, _ in self.noise]
        names, _ = labels(points, [name for name in self.record.columns if name != noise.AXIS]) if points else ({}, "")
        lead = "measured twice: " if len(points) < 2 else ""
        return [f"{lead or names[cell.number] + ', measured twice: '}{it.words()}"
                for cell, found in self.noise for it in found]

    def estimate(self, cell: Cell, column: str, undisturbed: bool = False) -> Estimated:
        """Return the estimate of a column at a point. Estimates are cached: with hundreds of points, they take a while.
        """
        undisturbed = undisturbed and self.record.disturbed > 0
        key = cell.number, column, undisturbed
        if key not in self._estimates:
            self._estimates[key] = estimated(self.rows_of(cell, undisturbed), column)
        return self._estimates[key]

    def spread(self, cell: Cell, undisturbed: bool = False) -> tuple[float, float] | None:
        """Return the 5th and 95th percentile of the latency at a point, None if either is unknown."""
        low, high = (self.estimate(cell, column, undisturbed).value for column in SPREAD)
        return None if low is None or high is None else (low, high)

    def _left_out_lines(self) -> list[str]:
        """Return a line for each reason to leave points out, with the first of its points."""
        points: dict[str, list[str]] = {}
        for it in self.at.value["left_out"]:
            if it["code"] not in (best.NOT_FOUND, loads.NOT_FOUND):
                points.setdefault(it["message"], []).append(label(list(it["values"].values()), list(it["values"])))
        return [f"left out: {first}{f' and {len(others)} more' if others else ''}: {message}"
                for message, (first, *others) in points.items()]

    def remarks(self, brief: bool = False) -> list[str]:
        """Return the remarks to read before the figures, the worst first. `brief`: as of `fairness.lines`."""
        record, bad = self.record, self.bad
        disturbed, rounds = record.disturbed, len(record.whole)
        said = [*self._noise_lines(), *lines(self.fairness, brief)]
        said += best.remarks(self.at.value["best"]) if self.at.value["best"] else []
        said += loads.remarks(self.at.value["loads"]) if self.at.value.get("loads") else []
        if disturbed:
            said.append(f"other programs disturbed {disturbed} of {rounds} rounds; numbers after | exclude these "
                        "rounds")
        said += self._left_out_lines()
        windowless = {run.results["run_id"]: reason["message"] for run in record.latest.values()
                      for reason in run.results["reasons"] if reason["code"] == "W_NO_WINDOW"}
        said += [f"{len(windowless)} points have no throughput: {message}"
                 for message in list(windowless.values())[:1]]
        said += [f"{row['status']}: {row['directory']}: {row['reasons']}" for row in bad[:MOST_BAD]]
        said += [f"{len(bad) - MOST_BAD} more runs are not ok"] if bad[MOST_BAD:] else []
        if any(map(is_short, record.rows.values())):
            said.append(f"{UNCERTAIN} marks an uncertain throughput: a window was under {SHORT_WINDOW_S} s")
        if rounds < MIN_ROUNDS:
            said.append(f"too little data for intervals: {rounds} round{'s' * (rounds != 1)}, "
                        f"but at least {MIN_ROUNDS} are needed")
        return [*said, *self.notes]

    def summary(self) -> str:
        """Return a summary of the measurements in one line."""
        record = self.record
        again = sum(round_.again > 0 for round_ in record.whole)
        rounds = record.order.repetitions
        whole = rounds if record.following is None else record.following.planned
        return (f"{len(record.rows)} runs of {len(record.cells)} points in {whole} of {rounds} rounds"
                + (f", and {again} repeated" if again else "")
                + ("" if self.state == COMPLETE else f", {self.state}"))

    def text(self) -> str:
        """Return the report for people."""
        rest = len(self.record.cells) - MOST_POINTS
        lines = [*self.remarks(), "", *aligned([[it.text for it in row] for row in self.table(MOST_POINTS)]),
                 *([f"and {rest} more points, in the table"] if rest > 0 else [])]
        said = [f"{self.title}: {self.summary()}", *(line and f"  {line}" for line in lines)]
        return "\n".join(map(printable, said)) + "\n"

    def table(self, most: int | None = None, titled: bool = False) -> list[list[Entry]]:
        """Return the head and one row for each point, up to `most`. `titled`: with titles of deployments."""
        plot = self.at.plot
        base = baseline_of(plot, axes_of(self.at))
        drawn = {plot["y"]: WORDS[plot["y"]]} if "y" in plot and plot["y"] not in self.shown else {}
        shown = {column: words for column, words in {**self.shown, **drawn}.items()
                 if any(row[column] is not None for row in self.record.rows.values())}
        heads = ["point", "runs", *shown.values(), *([f"{WORDS[plot['y']]} {base.words}"] if base else [])]
        rows = [list(map(Entry, heads))]
        for cell in self.record.cells[:most]:
            runs = len(self.rows_of(cell))
            entries = [self._estimated(cell, column) for column in shown]
            entries += [self._difference(cell, base, plot["y"])] if base else []
            name = (self.titled if titled else self.names)[cell.number]
            rows.append([Entry(name), Entry(str(runs), runs), *entries])
        return rows

    def _estimated(self, cell: Cell, column: str) -> Entry:
        """Return an estimate; after |, the estimate without disturbed rounds if there are any."""
        sets = (False, True) if self.record.disturbed else (False,)
        found = [self.estimate(cell, column, some) for some in sets]
        texts = [self._with_spread(cell, some) if column == MEAN else
                 _with_interval(it, UNITS[column]) + self._mark(cell, column, some) for it, some in zip(found, sets)]
        return Entry(" | ".join(texts), found[0].value)

    def _with_spread(self, cell: Cell, undisturbed: bool) -> str:
        mean, ends = self.estimate(cell, MEAN, undisturbed).value, self.spread(cell, undisturbed)
        if mean is None:
            return MISSING
        return figure(mean, UNITS[MEAN]) + (f" [{' .. '.join(figure(it, UNITS[MEAN]) for it in ends)}]" if ends else "")

    def _mark(self, cell: Cell, column: str, undisturbed: bool) -> str:
        """Return the mark of a rate over a short window, or ""."""
        return UNCERTAIN if column in RATES and any(map(is_short, self.rows_of(cell, undisturbed))) else ""

    def _difference(self, cell: Cell, base: Baseline, column: str) -> Entry:
        other = base.base_of(cell, self.record.cells)
        if other is None:
            return Entry("")
        it = difference(self.rows_of(other), self.rows_of(cell), column)
        return Entry(_with_interval(it, "%"), it.value)


def is_short(row: Row) -> bool:
    """Return whether the window of a run that is ok is too short for a reliable rate."""
    return row["status"] == "ok" and row["throughput_items_per_s"] is not None and has_short_window(row)


def _with_interval(it: Estimated, unit: str) -> str:
    if it.value is None:
        return MISSING
    if it.below is not None:
        return f"below {figure(it.below, unit)}"
    interval = f" ({figure(it.interval[0], unit)} .. {figure(it.interval[1], unit)})" if it.interval else ""
    return figure(it.value, unit) + interval


def titles_of(document: Mapping[str, Any]) -> dict[str, str]:
    """Return deployment -> title, for the deployments of a project that have one."""
    return {it["name"]: it["title"] for it in document.get("deployments", ()) if "title" in it}


def colours_of(deployments: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return deployment -> number of its colour: that of its scheduler, so that it is the same in all sweeps. A second
    deployment of one scheduler, and one of a scheduler without a colour, has a free number.
    """
    schedulers = load_catalog().schedulers
    found: dict[str, int] = {}
    for it in deployments:
        known = schedulers.get(str(it.get("scheduler")))
        number = known.descriptor.get("colour") if known else None
        if number is not None and number not in found.values():
            found[value_text(it["name"])] = number
    for name in (value_text(it["name"]) for it in deployments):
        if name not in found:
            found[name] = next(number for number in itertools.count() if number not in found.values())
    return found
