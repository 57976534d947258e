"""Folder of run directories: lists the runs with their sizes, and removes runs.

Weir removes only files of runs, and follows no links.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic, os_error, trying
from weir.engine.measuring.choosing import choose
from weir.engine.measuring.points import by_point
from weir.engine.measuring.run_directory import INCOMPLETE, NOTE, RUN_ID, TRACE, StoredRun, load_run, runs_below
from weir.files import disk_bytes, read_bounded
from weir.machine.processes import may_live, place
from weir.model import ownership

MOST_NOTE_BYTES = 4096

#: Files of runs of versions without markers, except files that blocks wrote.
OF_ANY_RUN = re.compile(r"(project|plan|machine|results|run)\.json|(blocks|hops)\.csv|latency(\.\d+)?\.hgrm|stdout\.log"
                        r"|note\.txt|trace/([\w.-]+/)*(metadata|[\w.-]+_\d+(\.idx)?)?")


@dataclass(frozen=True)
class RunFilter:
    """Filter for runs: each field that is set narrows the choice. Ages are in seconds; `keep` excludes the newest N.

    `at` has `key=value` conditions on the coordinates, as for `choose`.
    """

    projects: Sequence[str] = ()
    deployments: Sequence[str] = ()
    statuses: Sequence[str] = ()
    older_than_s: float | None = None
    keep: int | None = None
    at: Sequence[str] = ()

    @property
    def is_everything(self) -> bool:
        """Return whether the filter selects all runs."""
        return self == RunFilter()

    def of(self, runs: Sequence[StoredRun], now: float | None = None) -> list[StoredRun]:
        """Return the selected runs, oldest first. Raises WeirError like `choose`."""
        now = time.time() if now is None else now
        chosen = sorted((run for run in self._there(runs) if self._means(run, now)),
                        key=lambda run: (started(run), run.path.name))
        return chosen if self.keep is None else chosen[:max(0, len(chosen) - self.keep)]

    def _there(self, runs: Sequence[StoredRun]) -> Sequence[StoredRun]:
        if not (self.at and runs):
            return runs
        points = by_point(runs, lambda run: run.results, lambda run: run.path)
        return [run for point in choose(points, self.at, "--at", str(runs[0].path.parent)) for run in points[point]]

    def _means(self, run: StoredRun, now: float) -> bool:
        return ((not self.projects or run.results.get("project") in self.projects)
                and (not self.deployments or run.results.get("deployment") in self.deployments)
                and (not self.statuses or run.status in self.statuses)
                and (self.older_than_s is None or now - started(run) > self.older_than_s))


def started(run: StoredRun) -> float:
    """Return the start of the run in seconds since 1970; the time of its directory if run.json has none."""
    try:
        return datetime.fromisoformat(str(run.run.get("started"))).timestamp()
    except ValueError:
        return run.path.stat().st_mtime


@dataclass(frozen=True)
class Fault:
    """A run directory that cannot be read."""

    path: Path
    message: str


def stored_runs(out: Path) -> tuple[list[StoredRun], list[Fault]]:
    """Return the runs in `out` by name, and the faults of unreadable ones. Raises WeirError if `out` cannot be read."""
    runs, faults = [], []
    with trying(f"read {out}"):
        paths = list(runs_below(out)) if out.exists() else []
    for path in paths:
        try:
            runs.append(load_run(path))
        except WeirError as error:
            faults.append(Fault(path, error.diagnostics[0].message))
    return runs, faults


def without_results(out: Path) -> Iterator[Path]:
    """Yield folders with a run's name but no results: partly copied or removed."""
    for path in sorted(out.glob("*Z-*")):
        if (RUN_ID.fullmatch(path.name) and path.is_dir() and not (path / "results.json").is_file()
                and _has_files_of_a_run(path)):
            yield path


def _has_files_of_a_run(path: Path) -> bool:
    """Return whether files of a run are left. Files that a user or another program added do not count."""
    try:
        return (path / ownership.MARKER).exists() or any(map(OF_ANY_RUN.fullmatch, ownership.entries(path)))
    except OSError:
        return True


def named_run(name: str, out: Path) -> StoredRun:
    """Return the run with that path, or that name in `out`. Raises WeirError (E_RUN_DIRECTORY) if there is none.

    Links do not count, because they may lead to files of other users. `out` itself does not count either, even with a
    results.json.
    """
    path = Path(name)
    if not path.is_dir() and os.sep not in name:
        path = out / name
    if path.is_symlink():
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path} is a symbolic link",
                                   "give the folder that it points to"))
    if path.resolve() == out.resolve():
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path} is the folder of the runs, not a run"))
    return load_run(path)


def abandoned(out: Path) -> Iterator[Path]:
    """Return incomplete runs of killed processes; the next run into `out` removes them."""
    return out.glob(INCOMPLETE + "*")


def is_half_done(name: str) -> bool:
    """Return whether the name is that of an incomplete run."""
    return Path(name).name.startswith(INCOMPLETE)


def half_done_run(name: str, out: Path) -> tuple[Path, ownership.Files]:
    """Return the incomplete run with that path, or that name in `out`, and its files.

    Raises WeirError (E_RUN_DIRECTORY) if there is none, it has no marker of a run, or it still runs on this host. Weir
    cannot check another host; a restarted container counts as another host.
    """
    path = Path(name)
    if not path.is_dir() and os.sep not in name:
        path = out / name
    if path.is_symlink() or not path.is_dir():
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path} is not a folder"))
    marker = ownership.read(path)
    if marker is None or marker.kind != ownership.RUN:
        raise _not_removed(path, f"it has no {ownership.MARKER} of a run")
    live = marker.live or {}
    if live.get("host") == place()["host"] and may_live(live):
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path}: its run has not ended", "stop it first"))
    return path, marker.files


def remove_half_done(path: Path) -> list[str]:
    """Remove an incomplete run. Returns and raises like `remove`."""
    _, files = half_done_run(str(path), path.parent)
    with trying(f"remove {path}"):
        return ownership.remove(path, files)


def note_of(path: Path) -> str | None:
    """Return the user's note about a run, None if there is none."""
    try:
        text = read_bounded(path / NOTE, MOST_NOTE_BYTES)[:MOST_NOTE_BYTES]
        return text.decode("utf-8", "replace").strip() or None
    except OSError:
        return None


def trace_bytes(run: StoredRun) -> int:
    """Return the disk space of a run's trace in bytes."""
    return disk_bytes(run.path / TRACE)


def files_of(run: StoredRun) -> ownership.Files:
    """Return the files that belong to a run. Raises WeirError (E_RUN_DIRECTORY) if that is unknown."""
    marker = ownership.read(run.path)
    if marker is not None and marker.kind == ownership.RUN and marker.id == run.results["run_id"]:
        if marker.files != ownership.WHOLE:
            return marker.files
        raise _not_removed(run.path, "its run could not be completed")
    if marker is not None:
        raise _not_removed(run.path, f"its {ownership.MARKER} belongs to something else")
    # A run of a version without markers must still have its name, and only files that any run can have.
    files = {name: None for name in ownership.entries(run.path) if OF_ANY_RUN.fullmatch(name)}
    stranger = next(ownership.strangers(run.path, files), None)
    if stranger is not None:
        raise _not_removed(run.path, f"it has no {ownership.MARKER}, and {stranger} is not a file of every run")
    if run.path.resolve().name != run.results["run_id"]:
        raise _not_removed(run.path, f"it has no {ownership.MARKER}, and its name is not that of its run")
    return files


def _not_removed(path: Path, why: str) -> WeirError:
    return WeirError(diagnostic("E_RUN_DIRECTORY", "", f"Weir does not remove {path}: {why}",
                                "check its files, and remove it by hand"))


def remove(run: StoredRun, trace_only: bool = False) -> list[str]:
    """Remove a run, or only its trace. Return the entries that stay because they do not belong to the run.

    Raises WeirError if it cannot be removed, is not Weir's, or is no longer a run directory.
    """
    path = run.path.resolve()  # `.` and `..` are not the run's name
    if run.path.is_symlink() or load_run(path).results["run_id"] != run.results["run_id"]:
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path} now has another run"))
    files = files_of(run)
    try:
        if trace_only:
            return ownership.remove(path, files, TRACE + "/")
        if next(ownership.strangers(path, files), None) is None:
            path = _moved_aside(path, run.results["run_id"], files)
        # Remove results.json first, so that an interruption leaves no half run behind.
        ownership.remove(path, files, "results.json")
        return ownership.remove(path, files)
    except OSError as error:
        raise WeirError(os_error(error, f"remove {path}")) from None


def _moved_aside(path: Path, run_id: str, files: ownership.Files) -> Path:
    """Give the run a marker and the name of an incomplete one, so that a later run can finish the removal."""
    with contextlib.suppress(OSError):  # the disk may be full, and the user removes the run to free space
        ownership.mark(path, ownership.Marker(ownership.RUN, run_id, files))
    hidden = path.with_name(INCOMPLETE + path.name)
    os.rename(path, hidden)
    return hidden
