"""Series of metrics over commits or days, from the run directories in some folders."""

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
    """Commit or day. `values`: (value, whether it was disturbed) of its runs in order. `control`: items/s of the bare
    kernel beside these runs, or None.
    """

    name: str
    started: str
    values: tuple[tuple[float, bool], ...]
    control: float | None = None

    @property
    def disturbed(self) -> int:
        """Return the number of disturbed runs."""
        return sum(disturbed for _, disturbed in self.values)

    def value(self, undisturbed: bool) -> float | None:
        """Return the pseudomedian of its runs, None if none counts."""
        return typical([value for value, disturbed in self.values if not (undisturbed and disturbed)])


@dataclass(frozen=True)
class Series:
    """Series of one metric at one point on one machine. `label`: distinguishes the point from the others."""

    label: str
    point: Point
    machine: str
    metric: Metric
    groups: tuple[Group, ...]

    @property
    def disturbed(self) -> int:
        """Return the number of disturbed runs."""
        return sum(group.disturbed for group in self.groups)

    def of(self, undisturbed: bool) -> list[tuple[Group, float]]:
        """Return its groups that have a value."""
        return [(group, value) for group in self.groups if (value := group.value(undisturbed)) is not None]


@dataclass(frozen=True)
class Runs:
    """Runs of `folders`. `all`: readable runs, the oldest first; `faults`: errors of the unreadable ones."""

    folders: tuple[Path, ...]
    all: tuple[StoredRun, ...]
    faults: tuple[Fault, ...]

    @property
    def good(self) -> list[StoredRun]:
        """Return the runs that are ok."""
        return [run for run in self.all if run.status == "ok"]

    @cached_property
    def disturbed(self) -> frozenset[Path]:
        """Return the runs that are ok and belong to a round with a disturbed run."""
        rounds = {_round(run) for run in self.all if is_disturbed(run.results)}
        return frozenset(run.path for run in self.good if _round(run) in rounds)

    @cached_property
    def commits(self) -> bool:
        """Return whether all runs record their commit."""
        return all(run.results["environment"]["git_revision"] for run in self.good)


def read_runs(folders: Sequence[Path]) -> Runs:
    """Read the runs in the folders and in their direct subfolders, so that folders of sweeps work too.

    Raises WeirError (E_RUN_NONE) if no run is ok, or if a folder is unreadable.
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
        raise WeirError(diagnostic("E_RUN_NONE", "", f"{', '.join(map(str, folders))} and the folders in it contain no "
                                   "run that is ok"))
    return runs


def places_of(runs: Runs, repository: Path) -> dict[str, int] | None:
    """Return commit -> place in the history of the repository around a folder; None if it lacks one, or if runs do not
    record their commit.
    """
    commits = {_commit(run) for run in runs.good}
    return order_of(commits, repository) if "" not in commits else None


def series_of(runs: Runs, metrics: Iterable[Metric], by: str, at: Sequence[str] = (),
              places: Mapping[str, int] | None = None) -> list[Series]:
    """Return the series by point, machine and metric, without metrics that were not measured. `by`: COMMIT or DAY;
    `at`: `key=value` conditions of the points; `places`: of commits, else they are in the order of their first runs.

    A series never mixes machines or flowgraphs. Raises WeirError like `choose`.
    """
    points = by_point(runs.good, lambda run: run.results, lambda run: run.path)
    chosen = in_order(choose(points, at, "--at", ", ".join(map(str, runs.folders))))
    label_of, machines = labels(chosen), machine_names(runs.good)
    graphs = _Graphs()
    found = []
    for point in chosen:
        kinds: dict[tuple[str, str], list[StoredRun]] = {}
        for run in points[point]:
            kinds.setdefault((machine_of(run), graphs.of(run)), []).append(run)
        drawn = list(dict.fromkeys(kind for _, kind in kinds))
        for (machine, kind), members in kinds.items():
            label = label_of[point] + (f" (flowgraph {drawn.index(kind) + 1})" if len(drawn) > 1 else "")
            found += [Series(label, point, machines[machine], metric, groups) for metric in metrics
                      if not metric.trials  # changes are ratios, and a share of 0 has none
                      if (groups := _groups(members, metric, by, runs.disturbed, places))]
    return found


def _groups(runs: Sequence[StoredRun], metric: Metric, by: str, disturbed: frozenset[Path],
            places: Mapping[str, int] | None) -> tuple[Group, ...]:
    """Return the groups by the places of their commits; otherwise in the order of their first runs."""
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
    """Return the name of a run's group. Uncommitted changes belong to their day, because they may differ on the next.
    """
    day = str(run.run["started"])[:10]
    revision = run.results["environment"]["git_revision"] if by == COMMIT else None
    if not revision:
        return day
    _, _, rest = revision.partition("-")
    return _commit(run)[:SHORT] + (f"-{rest} {day}" if f"-{rest}" in (DIRTY, UNCHECKED) else "")


def _commit(run: StoredRun) -> str:
    """Return the full commit of a run, or ""."""
    return (run.results["environment"]["git_revision"] or "").partition("-")[0]


def _round(run: StoredRun) -> object:
    at = run.results["coordinates"]
    return (at["experiment"], at["round"]) if at["experiment"] is not None else run.path


class _Graphs:
    """Reader of runs' flowgraphs without values, which are parameters. It reads each project once."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def of(self, run: StoredRun) -> str:
        """Return the flowgraph of a run as text, "" if its project is unreadable."""
        key = str(run.results["project_hash"])
        if key not in self._known:
            self._known[key] = _drawn(graph(run))
        return self._known[key]


def _drawn(of: Mapping[str, Any] | None) -> str:
    if of is None:
        return ""
    blocks = [[block["id"], block["type"], block.get("state", "enabled")] for block in of["blocks"]]
    return json.dumps([sorted(blocks), sorted(map(list, of.get("connections", ())))])


