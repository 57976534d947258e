"""A folder of run directories: which runs it has, what they take on the disk, and how some are removed.

Nothing but run directories is ever removed, and no link is followed.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic, os_error
from weir.files import read_bounded
from weir.measuring.run_directory import INCOMPLETE, RUN_ID, StoredRun, find_runs, load_run

#: The folder of a run that has its trace, where that was kept.
TRACE = "trace"

#: The file of a run directory that has what a person wrote about it; no number is ever read from it.
NOTE = "note.txt"
MOST_NOTE_BYTES = 4096


@dataclass(frozen=True)
class Wanted:
    """Which runs: each field that is set narrows the choice. Ages in seconds; `keep` leaves out the newest so many."""

    projects: Sequence[str] = ()
    deployments: Sequence[str] = ()
    statuses: Sequence[str] = ()
    older_than_s: float | None = None
    keep: int | None = None

    @property
    def is_everything(self) -> bool:
        return self == Wanted()

    def of(self, runs: Sequence[StoredRun], now: float | None = None) -> list[StoredRun]:
        """Those of `runs` that are meant, the oldest first."""
        now = time.time() if now is None else now
        chosen = sorted((run for run in runs if self._means(run, now)), key=lambda run: (started(run), run.path.name))
        return chosen if self.keep is None else chosen[:max(0, len(chosen) - self.keep)]

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
    try:
        paths = list(find_runs(out)) if out.exists() else []
    except OSError as error:
        raise WeirError(os_error(error, f"read {out}")) from None
    for path in paths:
        try:
            runs.append(load_run(path))
        except WeirError as error:
            faults.append(Fault(path, error.diagnostics[0].message))
    return runs, faults


def without_results(out: Path) -> Iterator[Path]:
    """Folders that are called as runs are and have no results: copied or removed by halves."""
    for path in out.glob("*Z-*"):
        if RUN_ID.fullmatch(path.name) and path.is_dir() and not (path / "results.json").is_file():
            yield path


def named_run(name: str, out: Path) -> StoredRun:
    """The run of that path, or of that name in `out`. WeirError (E_RUN_DIRECTORY) where there is none.

    A link is none: what it points to might be anybody's.
    """
    path = Path(name)
    if not path.is_dir() and os.sep not in name:
        path = out / name
    if path.is_symlink():
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path} is a symbolic link", "name what it points to"))
    return load_run(path)


def abandoned(out: Path) -> Iterator[Path]:
    """What processes that were killed have left half done; the next run into `out` removes it."""
    return out.glob(INCOMPLETE + "*")


def disk_bytes(path: Path) -> int:
    """What a folder takes on the disk. 0 where there is none."""
    total = 0
    for folder, _, files in os.walk(path):
        for name in files:
            try:
                total += os.lstat(os.path.join(folder, name)).st_blocks * 512
            except OSError:
                continue
    return total


def note_of(path: Path) -> str | None:
    """What a person noted about a run. None where nothing was."""
    try:
        text = read_bounded(path / NOTE, MOST_NOTE_BYTES)[:MOST_NOTE_BYTES]
        return text.decode("utf-8", "replace").strip() or None
    except OSError:
        return None


def trace_bytes(run: StoredRun) -> int:
    return disk_bytes(run.path / TRACE)


def remove(run: StoredRun, trace_only: bool = False) -> None:
    """Removes a run, or its trace alone. WeirError where it cannot be, or is no run directory any more."""
    path = run.path.resolve()  # `.` and `..` have no name of their own
    if run.path.is_symlink() or load_run(path).results["run_id"] != run.results["run_id"]:
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path} is not the run directory that it was"))
    try:
        if not trace_only:
            # Under the name of a half done one first: whoever is killed in the middle leaves no half run behind.
            hidden = path.with_name(INCOMPLETE + path.name)
            os.rename(path, hidden)
            shutil.rmtree(hidden)
        elif (path / TRACE).is_symlink():
            (path / TRACE).unlink()
        elif (path / TRACE).exists():
            shutil.rmtree(path / TRACE)
    except OSError as error:
        raise WeirError(os_error(error, f"remove {path}")) from None
