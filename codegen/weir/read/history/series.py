"""The values of metrics over commits or days, of the run directories in some folders."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from weir.diagnostics import WeirError, diagnostic, trying
from weir.engine.measuring.choosing import choose
from weir.engine.measuring.machines import machine_names, machine_of
from weir.engine.measuring.points import Point, by_point, in_order, labels
from weir.engine.measuring.results import is_disturbed
from weir.engine.measuring.revision import DIRTY, UNCHECKED, order_of
from weir.engine.measuring.run_directory import StoredRun
from weir.engine.measuring.run_store import Fault, stored_runs
from weir.engine.measuring.speed_check import speed
from weir.read.comparing.documents import graph
from weir.read.comparing.metrics import Metric
from weir.read.comparing.statistics import typical
from weir.sure import sure

COMMIT, DAY = "commit", "day"
#: Digits of a commit in names.
SHORT = 10


@dataclass(frozen=True)
class Group:
    """A commit or a day. `values`: of its runs, in their order, with whether others on the machine disturbed each;
    `control`: items/s of the bare kernel beside these runs, None where it was not measured.
    """

    name: str
    started: str
    values: tuple[tuple[float, bool], ...]
    control: float | None = None

    @property
    def disturbed(self) -> int:
        """How many of its runs were disturbed."""
        return sum(disturbed for _, disturbed in self.values)

    def value(self, undisturbed: bool) -> float | None:
        """The pseudomedian of its runs; None where none counts."""
        return typical([value for value, disturbed in self.values if not (undisturbed and disturbed)])


@dataclass(frozen=True)
class Series:
    """One metric at one point on one machine. `label`: what tells the point from the others."""

    label: str
    point: Point
    machine: str
    metric: Metric
    groups: tuple[Group, ...]

    @property
    def disturbed(self) -> int:
        """How many of its runs were disturbed."""
        return sum(group.disturbed for group in self.groups)

    def of(self, undisturbed: bool) -> list[tuple[Group, float]]:
        """Its groups that have a value."""
        return [(group, value) for group in self.groups if (value := group.value(undisturbed)) is not None]


@dataclass(frozen=True)
class Runs:
    """`folders` as they were named; `all` that could be read, the oldest first; `faults`: of those that could not."""

    folders: tuple[Path, ...]
    all: tuple[StoredRun, ...]
    faults: tuple[Fault, ...]

    @property
    def good(self) -> list[StoredRun]:
        """The runs that ended well."""
        return [run for run in self.all if run.status == "ok"]

    @cached_property
    def disturbed(self) -> frozenset[Path]:
        """Those that are ok and of a round, of a sweep or of `weir run`, in which a run was disturbed."""
        rounds = {_round(run) for run in self.all if is_disturbed(run.results)}
        return frozenset(run.path for run in self.good if _round(run) in rounds)

    @cached_property
    def commits(self) -> bool:
        """Whether all of them say which commit they are of."""
        return all(run.results["environment"]["git_revision"] for run in self.good)


def read_runs(folders: Sequence[Path]) -> Runs:
    """Those right in the folders, and right in the folders therein: a folder of sweeps is one of runs, too.

    WeirError (E_RUN_NONE) where none is ok, and where a folder cannot be read.
    """
    found: dict[Path, StoredRun] = {}
    faults: list[Fault] = []
    for folder in folders:
        with trying(f"read {folder}"):
            below = sorted(child for child in folder.iterdir() if child.is_dir() and not child.name.startswith(".")
                           and not (child / "results.json").is_file())
        for place in (folder, *below):
            stored, wrong = stored_runs(place)
            found.update((run.path.resolve(), run) for run in stored)
            faults += wrong
    ordered = sorted(found.values(), key=lambda run: (str(run.run.get("started")), run.path.name))
    runs = Runs(tuple(folders), tuple(ordered), tuple(faults))
    if not runs.good:
        raise WeirError(diagnostic("E_RUN_NONE", "", f"{', '.join(map(str, folders))}: no run that is ok in it, or in "
                                   "a folder of it"))
    return runs


def places_of(runs: Runs, repository: Path) -> dict[str, int] | None:
    """Of the commit of each run its place in the history of the repository around a folder; None where it does not have
    all of them, or runs do not say of which they are.
    """
    commits = {_commit(run) for run in runs.good}
    return order_of(commits, repository) if "" not in commits else None


def series_of(runs: Runs, metrics: Iterable[Metric], by: str, at: Sequence[str] = (),
              places: Mapping[str, int] | None = None) -> list[Series]:
    """By point, then machine and metric; none of a metric that was not measured. `by`: COMMIT or DAY; `at`: `key=value`
    that hold at the points; `places` of commits: without them these stand in the order of their first runs.

    Never of two machines, and never of two flowgraphs. WeirError as `choose` has it.
    """
    points = by_point(runs.good, lambda run: run.results, lambda run: run.path)
    chosen = in_order(choose(points, at, "--at", ", ".join(map(str, runs.folders))))
    told, machines = labels(chosen), machine_names(runs.good)
    graphs = _Graphs()
    found = []
    for point in chosen:
        kinds: dict[tuple[str, str], list[StoredRun]] = {}
        for run in points[point]:
            kinds.setdefault((machine_of(run), graphs.of(run)), []).append(run)
        drawn = list(dict.fromkeys(kind for _, kind in kinds))
        for (machine, kind), members in kinds.items():
            label = told[point] + (f" (flowgraph {drawn.index(kind) + 1})" if len(drawn) > 1 else "")
            found += [Series(label, point, machines[machine], metric, groups) for metric in metrics
                      if not metric.trials  # where none failed they have no ratio of their own
                      if (groups := _groups(members, metric, by, runs.disturbed, places))]
    return found


def _groups(runs: Sequence[StoredRun], metric: Metric, by: str, disturbed: frozenset[Path],
            places: Mapping[str, int] | None) -> tuple[Group, ...]:
    """By the places of their commits; those of one, and all without places, in the order of their first runs."""
    members: dict[str, list[StoredRun]] = {}
    for run in runs:
        if metric.of(run.results) is not None:
            members.setdefault(_name(run, by), []).append(run)
    if places and by == COMMIT:
        members = dict(sorted(members.items(), key=lambda item: places[_commit(item[1][0])]))
    return tuple(Group(name, str(of[0].run["started"]),
                       tuple((sure(metric.of(run.results)), run.path in disturbed) for run in of),
                       typical([rate for run in of if (rate := speed(run.results))]))
                 for name, of in members.items())


def _name(run: StoredRun, by: str) -> str:
    """What differs from its commit is of the day: it may be something else on the next one."""
    day = str(run.run["started"])[:10]
    revision = run.results["environment"]["git_revision"] if by == COMMIT else None
    if not revision:
        return day
    _, _, rest = revision.partition("-")
    return _commit(run)[:SHORT] + (f"-{rest} {day}" if f"-{rest}" in (DIRTY, UNCHECKED) else "")


def _commit(run: StoredRun) -> str:
    """All its digits; "" where the run does not say it."""
    return (run.results["environment"]["git_revision"] or "").partition("-")[0]


def _round(run: StoredRun) -> object:
    at = run.results["coordinates"]
    return (at["experiment"], at["round"]) if at["experiment"] is not None else run.path


class _Graphs:
    """The flowgraphs of runs without their values, which are parameters; each project is read once."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def of(self, run: StoredRun) -> str:
        """"" where its project cannot be read."""
        key = str(run.results["project_hash"])
        if key not in self._known:
            self._known[key] = _drawn(graph(run))
        return self._known[key]


def _drawn(of: Mapping[str, Any] | None) -> str:
    if of is None:
        return ""
    blocks = [[block["id"], block["type"], block.get("state", "enabled")] for block in of["blocks"]]
    return json.dumps([sorted(blocks), sorted(map(list, of.get("connections", ())))])


