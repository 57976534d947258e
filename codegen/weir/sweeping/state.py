"""The folder of a sweep: what was asked for, in `sweep.json`, and the runs that were made, each a run directory.

The run directories are the record of what is done: one appears whole or not at all, so whatever ends a sweep, what is
there is done and the rest is not. Nothing in the folder is ever removed or replaced but `sweep.json` and the table.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic, os_error
from weir.document import jsontext
from weir.document.shape import check_shape
from weir.files import read_bounded, write_whole
from weir.measuring.run_directory import StoredRun
from weir.measuring.run_store import stored_runs

STATE, LOCK = "sweep.json", ".sweep.lock"
#: Of a run that somebody interrupted: it is made again, and stays where it is.
PARTIAL = "partial"

Place = tuple[int, int]


@dataclass(frozen=True)
class State:
    """`document` of sweep.json, as `schema/sweep.schema.json` has it."""

    folder: Path
    value: Mapping

    @property
    def id(self) -> str:
        return str(self.value["id"])

    def write(self) -> None:
        try:
            write_whole(self.folder / STATE, jsontext.write(dict(self.value)))
        except OSError as error:
            raise WeirError(os_error(error, f"write {self.folder / STATE}")) from None


@dataclass
class Ignored:
    """Of the run directories in the folder, those that no table has. `others`: not of this sweep, or there twice;
    `partial`: somebody interrupted them; `faults`: why they cannot be read.
    """

    others: int = 0
    partial: int = 0
    faults: list[str] = field(default_factory=list)

    def words(self) -> list[str]:
        counts = ((self.others, "of something else, or there twice"), (self.partial, "interrupted, and made again"))
        said = [f"{count} run directories are {what}: no table has them" for count, what in counts if count]
        return said + [f"skipped: {fault}" for fault in self.faults]


def read_state(folder: Path) -> State | None:
    """None where no sweep was begun there. WeirError (E_SWEEP_FOLDER) where its file is damaged."""
    try:
        value, faults = jsontext.read(read_bounded(folder / STATE, jsontext.MAX_BYTES))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise WeirError(os_error(error, f"read {folder / STATE}")) from None
    wrong = faults or check_shape(value, "sweep")
    if wrong:
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{folder / STATE} is damaged, or another version of Weir "
                                   f"wrote it: {wrong[0].pointer} {wrong[0].message}"))
    return State(folder, value)


def check_new(folder: Path) -> None:
    """For a sweep that is to be begun. WeirError (E_SWEEP_FOLDER) where something is in it already."""
    try:
        there = sorted(name for name in os.listdir(folder) if name != LOCK) if folder.exists() else []
    except OSError as error:
        raise WeirError(os_error(error, f"read {folder}")) from None
    if STATE in there:
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{folder} has a sweep",
                                   "--resume goes on with it; another --out begins another one"))
    if there:
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{folder} has other things in it, such as {there[0]}"))


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Two sweeps do not measure into one folder, which is made where there is none.

    WeirError (E_SWEEP_FOLDER) where another one is at it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    except OSError as error:
        raise WeirError(os_error(error, f"lock {folder}")) from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"another sweep measures into {folder}",
                                       "let it end, or name another --out")) from None
        yield
    finally:
        os.close(lock)


def done(state: State) -> tuple[dict[Place, StoredRun], Ignored]:
    """What was measured so far, by block and position."""
    stored, faults = stored_runs(state.folder)
    found: dict[Place, StoredRun] = {}
    ignored = Ignored(faults=[fault.message for fault in faults])
    for run in sorted(stored, key=lambda run: (str(run.run.get("started")), run.path.name)):
        made = run.run.get("set") or {}
        place = run.results["coordinates"]["block"], made.get("position")
        if run.status == PARTIAL:
            ignored.partial += 1
        elif made.get("id") != state.id or place in found:
            ignored.others += 1
        else:
            found[place] = run
    return found, ignored
