"""A folder of run directories: which runs it has, what they take on the disk, and how some are removed.

Nothing but the files of runs is ever removed, and no link is followed.
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

#: What runs had in them before there were markers, but for files that their blocks wrote.
OF_ANY_RUN = re.compile(r"(project|plan|machine|results|run)\.json|(blocks|hops)\.csv|latency(\.\d+)?\.hgrm|stdout\.log"
                        r"|note\.txt|trace/([\w.-]+/)*(metadata|[\w.-]+_\d+(\.idx)?)?")


@dataclass(frozen=True)
class Wanted:
    """Which runs: each field that is set narrows the choice. Ages in seconds; `keep` leaves out the newest so many.

    `at`: `key=value` of the coordinates, as `choose` takes them.
    """

    projects: Sequence[str] = ()
    deployments: Sequence[str] = ()
    statuses: Sequence[str] = ()
    older_than_s: float | None = None
    keep: int | None = None
    at: Sequence[str] = ()

    @property
    def is_everything(self) -> bool:
        """Whether nothing is left out."""
        return self == Wanted()

    def of(self, runs: Sequence[StoredRun], now: float | None = None) -> list[StoredRun]:
        """Those of `runs` that are meant, the oldest first. WeirError as `choose` has it."""
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
    """When the run began, in seconds since 1970; when it was written where run.json does not say."""
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
    """The runs in `out` by name, and what is wrong with those that cannot be read. WeirError where `out` cannot be."""
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
    """Folders that are called as runs are and have no results: copied or removed by halves."""
    for path in sorted(out.glob("*Z-*")):
        if (RUN_ID.fullmatch(path.name) and path.is_dir() and not (path / "results.json").is_file()
                and _has_files_of_a_run(path)):
            yield path


def _has_files_of_a_run(path: Path) -> bool:
    """False too for what others had put into a run that was removed."""
    try:
        return (path / ownership.MARKER).exists() or any(map(OF_ANY_RUN.fullmatch, ownership.entries(path)))
    except OSError:
        return True


def named_run(name: str, out: Path) -> StoredRun:
    """The run of that path, or of that name in `out`. WeirError (E_RUN_DIRECTORY) where there is none.

    A link is none: what it points to might be anybody's. Nor is `out` itself, whatever lies in it.
    """
    path = Path(name)
    if not path.is_dir() and os.sep not in name:
        path = out / name
    if path.is_symlink():
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path} is a symbolic link", "name what it points to"))
    if path.resolve() == out.resolve():
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path} is the folder of the runs, and none itself"))
    return load_run(path)


def abandoned(out: Path) -> Iterator[Path]:
    """What processes that were killed have left half done; the next run into `out` removes it."""
    return out.glob(INCOMPLETE + "*")


def is_half_done(name: str) -> bool:
    """Whether a run directory is one that is being written."""
    return Path(name).name.startswith(INCOMPLETE)


def half_done_run(name: str, out: Path) -> tuple[Path, ownership.Files]:
    """The half done run of that path, or of that name in `out`, and what in it is its own.

    WeirError (E_RUN_DIRECTORY) where there is none, where it has no marker of a run, and where it still goes here. Of
    another host's nobody can tell: a container that was started again counts as another host than it was.
    """
    path = Path(name)
    if not path.is_dir() and os.sep not in name:
        path = out / name
    if path.is_symlink() or not path.is_dir():
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path} is no folder"))
    marker = ownership.read(path)
    if marker is None or marker.kind != ownership.RUN:
        raise _not_removed(path, f"it has no {ownership.MARKER} of a run")
    live = marker.live or {}
    if live.get("host") == place()["host"] and may_live(live):
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path}: its run still goes", "end it first"))
    return path, marker.files


def remove_half_done(path: Path) -> list[str]:
    """Returns and raises what `remove` does."""
    _, files = half_done_run(str(path), path.parent)
    with trying(f"remove {path}"):
        return ownership.remove(path, files)


def note_of(path: Path) -> str | None:
    """What a person noted about a run. None where nothing was."""
    try:
        text = read_bounded(path / NOTE, MOST_NOTE_BYTES)[:MOST_NOTE_BYTES]
        return text.decode("utf-8", "replace").strip() or None
    except OSError:
        return None


def trace_bytes(run: StoredRun) -> int:
    """What the trace of a run takes on the disk."""
    return disk_bytes(run.path / TRACE)


def files_of(run: StoredRun) -> ownership.Files:
    """What in a run directory is the run's. WeirError (E_RUN_DIRECTORY) where nobody can tell: nothing goes then."""
    marker = ownership.read(run.path)
    if marker is not None and marker.kind == ownership.RUN and marker.id == run.results["run_id"]:
        if marker.files != ownership.WHOLE:
            return marker.files
        raise _not_removed(run.path, "it was left when its run could not be completed")
    if marker is not None:
        raise _not_removed(run.path, f"its {ownership.MARKER} is of something else")
    # Made before there were markers: as it was made, it has the run's name and nothing that no run has.
    files = {name: None for name in ownership.entries(run.path) if OF_ANY_RUN.fullmatch(name)}
    stranger = next(ownership.strangers(run.path, files), None)
    if stranger is not None:
        raise _not_removed(run.path, f"it has no {ownership.MARKER}, and {stranger} is no file of every run")
    if run.path.resolve().name != run.results["run_id"]:
        raise _not_removed(run.path, f"it has no {ownership.MARKER}, and not the name of its run")
    return files


def _not_removed(path: Path, why: str) -> WeirError:
    return WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path} is not Weir's to remove: {why}",
                                "look into it, and remove it by hand"))


def remove(run: StoredRun, trace_only: bool = False) -> list[str]:
    """Removes a run, or its trace alone, and returns what stays because it is not the run's.

    WeirError where it cannot be removed, is not Weir's to remove, or is no run directory any more.
    """
    path = run.path.resolve()  # `.` and `..` have no name of their own
    if run.path.is_symlink() or load_run(path).results["run_id"] != run.results["run_id"]:
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path} is not the run directory that it was"))
    files = files_of(run)
    try:
        if trace_only:
            return ownership.remove(path, files, TRACE + "/")
        if next(ownership.strangers(path, files), None) is None:
            path = _moved_aside(path, run.results["run_id"], files)
        # What makes it a run goes first: whoever is killed in the middle leaves no half run behind.
        ownership.remove(path, files, "results.json")
        return ownership.remove(path, files)
    except OSError as error:
        raise WeirError(os_error(error, f"remove {path}")) from None


def _moved_aside(path: Path, run_id: str, files: ownership.Files) -> Path:
    """Under the name of a half done one, with a marker: whoever goes on with it knows what may go."""
    with contextlib.suppress(OSError):  # no room is left, perhaps, which is why it is removed
        ownership.mark(path, ownership.Marker(ownership.RUN, run_id, files))
    hidden = path.with_name(INCOMPLETE + path.name)
    os.rename(path, hidden)
    return hidden
