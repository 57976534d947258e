"""The folder of a sweep: what was asked for, in `sweep.json`, and the runs that were made, each a run directory.

The run directories are the record of what is done: one appears whole or not at all, so whatever ends a sweep, what is
there is done and the rest is not. Nothing in the folder is ever removed or replaced but `sweep.json`, `loads.json` and
the table.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from weir.diagnostics import WeirError, diagnostic, os_error
from weir.engine.measuring.run_directory import StoredRun
from weir.engine.measuring.run_store import Fault, stored_runs
from weir.files import lock_file, read_bounded, write_whole
from weir.lab.sweeping import loads_found
from weir.model.document import jsontext
from weir.model.document.shape import check_shape

STATE, LOCK = "sweep.json", ".sweep.lock"
#: Runs that say nothing of what was run are made again, and stay where they are: those that somebody interrupted, and
#: those whose results the disk had no room for.
PARTIAL, NO_ROOM = "partial", ("E_DISK_FULL", "E_NOT_ANALYSED")

#: The number of a block, and that of a point.
Place = tuple[int, int]
#: The runs of a folder, and what is wrong with others in it.
Stored = tuple[list[StoredRun], list[Fault]]


@dataclass(frozen=True)
class State:
    """`value`: sweep.json, as `schema/sweep.schema.json` has it."""

    folder: Path
    value: Mapping

    @property
    def id(self) -> str:
        """The sweep's id."""
        return str(self.value["id"])

    @property
    def plot(self) -> Mapping:
        """What the project's sweep says of its figure."""
        sweeps = self.value["document"].get("sweeps", [])
        return next((sweep.get("plot", {}) for sweep in sweeps if sweep["name"] == self.value["sweep"]), {})

    def write(self) -> None:
        """Writes the file. WeirError where it is too large or cannot be written."""
        text = jsontext.write(dict(self.value))
        if len(text.encode()) > jsontext.MAX_BYTES:
            raise WeirError(diagnostic("E_SWEEP_SIZE", "", "what the sweep measures takes more than "
                                       f"{jsontext.MAX_BYTES >> 20} MiB to write down"))
        try:
            write_whole(self.folder / STATE, text)
        except OSError as error:
            raise WeirError(os_error(error, f"write {self.folder / STATE}")) from None


@dataclass
class Ignored:
    """Of the run directories in the folder, those that no table has. `others`: not of this sweep, or there twice;
    `again`: somebody interrupted them, or there was no room for them: they are made again; `faults`: why they cannot be
    read.
    """

    others: int = 0
    again: int = 0
    faults: list[str] = field(default_factory=list)

    def words(self) -> list[str]:
        """What was passed over, a sentence each."""
        counts = ((self.others, "of something else, or there twice"),
                  (self.again, "interrupted or had no room, and made again"))
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
    wrong = [f"{fault.pointer} {fault.message}" for fault in faults or check_shape(value, "sweep")]
    wrong = wrong or list(_unfitting(value))
    if wrong:
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{folder / STATE} is damaged, or another version of Weir "
                                   f"wrote it: {wrong[0]}"))
    return State(folder, value)


def _unfitting(value: Mapping) -> Iterator[str]:
    columns = value["columns"]
    if len(columns) != len(value["axes"]):
        yield "it has other columns than axes"
    yield from (f"point {point['number']} has no value of each axis" for point in value["points"]
                if set(point["values"]) != set(columns))


def check_new(folder: Path, resume: bool = False) -> None:
    """For a sweep that is to be begun. WeirError (E_SWEEP_FOLDER) where something is in it already.

    `resume`: after a search for loads, which may have been interrupted, it goes on.
    """
    try:
        # Whoever was killed when it wrote the first file has left half of it.
        there = sorted(name for name in (os.listdir(folder) if folder.exists() else [])
                       if name != LOCK and not name.startswith((f".{STATE}.", f".{loads_found.FILE}.")))
    except OSError as error:
        raise WeirError(os_error(error, f"read {folder}")) from None
    if STATE in there:
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{folder} has a sweep",
                                   "--resume goes on with it; another --out begins another one"))
    if there == [loads_found.FILE]:
        if resume:
            return
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{folder} has a search for loads",
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
        lock = lock_file(folder / LOCK)
    except OSError as error:
        raise WeirError(os_error(error, f"lock {folder}")) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"another sweep measures into {folder}",
                                       "let it end, or name another --out")) from None
        yield


def no_result(run: StoredRun) -> str:
    """Why a run says nothing of what was run, and is made again; "" where it does."""
    if run.status == PARTIAL:
        return "it was interrupted"
    return next((reason["message"] for reason in run.results["reasons"] if reason["code"] in NO_ROOM), "")


def done(state: State, points: Collection[int], blocks: int,
         read: Stored | None = None) -> tuple[dict[Place, StoredRun], Ignored]:
    """What was measured so far of these points, in so many blocks. `read`: what is in its folder, where it was read."""
    stored, faults = read or stored_runs(state.folder)
    found: dict[Place, StoredRun] = {}
    ignored = Ignored(faults=[fault.message for fault in faults])
    for run in sorted(stored, key=lambda run: (str(run.run.get("started")), run.path.name)):
        made = run.run.get("set") or {}
        place: Any = run.results["coordinates"]["block"], made.get("point")
        if made.get("id") != state.id or place in found or place[1] not in points or place[0] >= blocks:
            ignored.others += 1
        elif no_result(run):
            ignored.again += 1
        else:
            found[place] = run
    return found, ignored
