"""Folder of a sweep: the request in `sweep.json`, and a run directory for each run.

The run directories record the progress. Each appears atomically, so it is complete however the sweep ends. Weir removes
or replaces only `sweep.json`, `loads.json` and the table.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from weir.diagnostics import Diagnostic, WeirError, diagnostic, trying
from weir.engine.measuring.run_directory import StoredRun
from weir.engine.measuring.run_store import Fault, stored_runs
from weir.files import lock_file, read_bounded, write_whole
from weir.model.document import jsontext
from weir.model.document.digits import counted
from weir.model.document.essence import essential
from weir.model.document.shape import check_shape
from weir.model.document.spelling import current_document, current_place
from weir.model.document.sweeps import cases_of

STATE, LOADS, LOCK = "sweep.json", "loads.json", ".sweep.lock"
#: Runs without a usable result, which Weir repeats and does not remove: interrupted ones, and those for which the disk
#: was full.
PARTIAL, NO_ROOM = "partial", ("E_DISK_FULL", "E_NOT_ANALYSED")

#: Number of a round, and number of a point.
Place = tuple[int, int]
#: Runs of a folder, and the errors of unreadable ones.
Stored = tuple[list[StoredRun], list[Fault]]


@dataclass(frozen=True)
class State:
    """State of a sweep. `value`: sweep.json, as in `schema/sweep.schema.json`."""

    folder: Path
    value: Mapping

    @property
    def id(self) -> str:
        """Return the sweep's ID."""
        return str(self.value["id"])

    @property
    def plot(self) -> Mapping:
        """Return the `plot` of the project's sweep."""
        sweeps = self.value["document"].get("sweeps", [])
        return next((sweep.get("plot", {}) for sweep in sweeps if sweep["name"] == self.value["sweep"]), {})

    def write(self) -> None:
        """Write the file. Raises WeirError if it is too large or cannot be written."""
        text = jsontext.write(dict(self.value))
        if len(text.encode()) > jsontext.MAX_BYTES:
            raise WeirError(diagnostic("E_SWEEP_SIZE", "", f"sweep.json would exceed {jsontext.MAX_BYTES >> 20} MiB",
                                       "measure fewer points"))
        _write(self.folder / STATE, text)


@dataclass
class Ignored:
    """Run directories of the folder that are in no table. `others`: of other sweeps, or duplicates; `again`: without a
    usable result, to be repeated; `faults`: errors of unreadable ones.
    """

    others: int = 0
    again: int = 0
    faults: list[str] = field(default_factory=list)

    def words(self) -> list[str]:
        """Return a sentence for each reason."""
        counts = ((self.others, "of other sweeps, or duplicates"),
                  (self.again, "without results, which Weir repeats (interrupted, or the disk was full)"))
        said = [f"not in the table: {count} run {'directory' if count == 1 else 'directories'} {what}"
                for count, what in counts if count]
        return said + [f"skipped: {fault}" for fault in self.faults]


def read_state(folder: Path) -> State | None:
    """Read the state of a folder, None if it has no sweep. Raises WeirError (E_SWEEP_FOLDER) if it is damaged."""
    if (read := _read(folder / STATE)) is None:
        return None
    value, faults = read
    wrong = [f"{fault.pointer} {fault.message}" for fault in faults or check_shape(value, "sweep")]
    wrong = wrong or list(_unfitting(value))
    if wrong:
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{folder / STATE} is damaged, or another version of Weir "
                                   f"wrote it: {wrong[0]}"))
    return State(folder, _respelled(value))


def _respelled(value: Mapping) -> dict[str, Any]:
    """Return sweep.json with the present names of the project's settings."""
    points = {name: [{**point, "values": {current_place(column): it for column, it in point["values"].items()}}
                     for point in value[name]] for name in ("points", "left_out")}
    return {**value, **points, "document": current_document(value["document"], "project").value,
            "axes": [{**axis, "key": current_place(axis["key"])} for axis in value["axes"]],
            "columns": [current_place(column) for column in value["columns"]]}


def _read(path: Path) -> tuple[Any, list[Diagnostic]] | None:
    """Read a JSON file: its value, and the errors of its text. None if it is missing."""
    with trying(f"read {path}"):
        try:
            return jsontext.read(read_bounded(path, jsontext.MAX_BYTES))
        except FileNotFoundError:
            return None


def _write(path: Path, text: str) -> None:
    with trying(f"write {path}"):
        write_whole(path, text)


def _unfitting(value: Mapping) -> Iterator[str]:
    columns = value["columns"]
    if len(columns) != len(value["axes"]):
        yield "its columns do not match its axes"
    yield from (f"point {point['number']} has no value of each axis" for point in value["points"]
                if set(point["values"]) != set(columns))


def check_new(folder: Path, resume: bool = False) -> None:
    """Check the folder of a new sweep. Raises WeirError (E_SWEEP_FOLDER) if it is not empty.

    `resume`: the sweep may continue after a search for loads.
    """
    with trying(f"read {folder}"):
        # A sweep that is killed while it writes its first file leaves a temporary file.
        there = sorted(name for name in (os.listdir(folder) if folder.exists() else [])
                       if name != LOCK and not name.startswith((f".{STATE}.", f".{LOADS}.")))
    if STATE in there:
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{folder} already contains a sweep",
                                   "--resume continues this sweep; another --out begins a new one"))
    if there == [LOADS]:
        if resume:
            return
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{folder} already contains a search for loads",
                                   "--resume continues this search; another --out begins a new one"))
    if there:
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{folder} contains other files, such as {there[0]}"))


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Create the folder if it is missing, and lock it against other sweeps.

    Raises WeirError (E_SWEEP_FOLDER) if another sweep has the lock.
    """
    with trying(f"lock {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        lock = lock_file(folder / LOCK)
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"another sweep is running in {folder}",
                                       "wait for it to end, or name another --out")) from None
        yield


def no_result(run: StoredRun) -> str:
    """Return the reason why a run has no usable result and must be repeated, or ""."""
    if run.status == PARTIAL:
        return "it was interrupted"
    return next((reason["message"] for reason in run.results["reasons"] if reason["code"] in NO_ROOM), "")


def done(state: State, points: Collection[int], rounds: int,
         read: Stored | None = None) -> tuple[dict[Place, StoredRun], Ignored]:
    """Return the finished runs of these points, up to a number of rounds. `read`: the folder, if already read."""
    stored, faults = read or stored_runs(state.folder)
    found: dict[Place, StoredRun] = {}
    ignored = Ignored(faults=[fault.message for fault in faults])
    for run in sorted(stored, key=lambda run: (str(run.run.get("started")), run.path.name)):
        made = run.run.get("set") or {}
        place: Any = run.results["coordinates"]["round"], made.get("point")
        if made.get("id") != state.id or place in found or place[1] not in points or place[0] >= rounds:
            ignored.others += 1
        elif no_result(run):
            ignored.again += 1
        else:
            found[place] = run
    return found, ignored


#: Parts of sweep.json that must not change, and their names.
_UNCHANGED = {"axes": "the axes", "hold": "the settings that must be equal (`hold`)"}


def check_unchanged(was: Mapping, now: Mapping, another_machine: bool) -> None:
    """Raise WeirError (E_SWEEP_CHANGED) with all changes since the sweep began."""
    faults = [diagnostic("E_SWEEP_CHANGED", "", what) for what in _changed(was, now)]
    if was["machine"] != now["machine"] and not another_machine:
        parts = [name for name in was["machine"] if was["machine"][name] != now["machine"].get(name)]
        faults.append(diagnostic("E_SWEEP_CHANGED", "",
                                 f"the sweep began on a machine with a different {', '.join(parts)}",
                                 "--another-machine continues the sweep anyway"))
    if faults:
        raise WeirError(faults)


def _changed(was: Mapping, now: Mapping) -> Iterator[str]:
    if essential(was["document"]) != essential(now["document"]):
        yield "the project changed since the sweep began; sweep.json has the original"
    for axis in was["axes"]:
        if cases_of(was["document"], axis["key"]) != cases_of(now["document"], axis["key"]):
            yield f"the cases of `{axis['key']}` changed since the sweep began"
    for key, words in _UNCHANGED.items():
        if was[key] != now[key]:
            yield f"{words} changed since the sweep began"
    binaries = {point["number"]: point["binary_hash"] for point in now["points"]}
    for point in was["points"]:
        if point["number"] not in binaries:
            yield f"this machine no longer has the software for {point['scheduler']}"
        elif binaries[point["number"]] != point["binary_hash"]:
            yield (f"the program of point {point['number']} ({point['scheduler']}) changed: Weir, the compiler or a "
                   "block is a different version")
    known = {point["number"] for point in was["points"]}
    if new := sorted(binaries.keys() - known):
        yield f"{counted(len(new), 'point')} that Weir left out when the sweep began can run now"


#: Parts of loads.json; the first three are those of sweep.json. `programs`: deployment -> hashes of the searched plan
#: and program.
_LOADS_PARTS = {"request", "machine", "loads", "programs"}


def read_loads(folder: Path) -> Mapping | None:
    """Read the results of a search for loads in a folder without sweep.json; None if there are none.

    Each contender takes minutes, so an interrupted search continues with the next one. Once the sweep has begun, its
    sweep.json has the results and this file is obsolete. Raises WeirError (E_SWEEP_FOLDER) if the file is damaged or
    not Weir's.
    """
    if (read := _read(folder / LOADS)) is None:
        return None
    value, faults = read
    whole = (not faults and isinstance(value, dict) and value.keys() == _LOADS_PARTS
             and isinstance(value["programs"], dict))
    if not whole or any(check_shape(value[part], "sweep", part) for part in ("request", "machine", "loads")):
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{folder / LOADS} is damaged, or Weir did not write it",
                                   "remove the file to begin the search again"))
    return value


def write_loads(folder: Path, request: Mapping, machine: Mapping, loads: Mapping, programs: Mapping[str, str]) -> None:
    """Write loads.json. `loads`: as in sweep.json, for the contenders so far."""
    _write(folder / LOADS, jsontext.write({"request": request, "machine": machine, "loads": loads,
                                           "programs": programs}))


def known_loads(before: Mapping | None, machine: Mapping, loads: Mapping,
                program: Callable[[str], str]) -> dict[str, Mapping]:
    """Return deployment -> earlier result, for results with a load of the same program, goal and machine.

    `program`: function from a deployment to its program's hashes, "" if it cannot be built.
    """
    now, _ = jsontext.read(jsontext.write({"machine": machine, "loads": {**loads, "found": []}}))
    if before is None or now != {"machine": before["machine"], "loads": {**before["loads"], "found": []}}:
        return {}
    return {name: it for it in before["loads"]["found"]
            if it["value"] is not None and before["programs"].get(name := it["deployment"]) == program(name)}
