"""The folder of a sweep: what was asked for, in `sweep.json`, and the runs that were made, each a run directory.

The run directories are the record of what is done: one appears whole or not at all, so whatever ends a sweep, what is
there is done and the rest is not. Nothing in the folder is ever removed or replaced but `sweep.json`, `loads.json` and
the table.
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
from weir.model.document.essence import essential
from weir.model.document.shape import check_shape

STATE, LOADS, LOCK = "sweep.json", "loads.json", ".sweep.lock"
#: Runs that say nothing of what was run are made again, and stay where they are: those that somebody interrupted, and
#: those whose results the disk had no room for.
PARTIAL, NO_ROOM = "partial", ("E_DISK_FULL", "E_NOT_ANALYSED")

#: The number of a round, and that of a point.
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
        _write(self.folder / STATE, text)


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
    if (read := _read(folder / STATE)) is None:
        return None
    value, faults = read
    wrong = [f"{fault.pointer} {fault.message}" for fault in faults or check_shape(value, "sweep")]
    wrong = wrong or list(_unfitting(value))
    if wrong:
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{folder / STATE} is damaged, or another version of Weir "
                                   f"wrote it: {wrong[0]}"))
    return State(folder, value)


def _read(path: Path) -> tuple[Any, list[Diagnostic]] | None:
    """What a file says, and what is wrong with its text; None where it is not there."""
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
        yield "it has other columns than axes"
    yield from (f"point {point['number']} has no value of each axis" for point in value["points"]
                if set(point["values"]) != set(columns))


def check_new(folder: Path, resume: bool = False) -> None:
    """For a sweep that is to be begun. WeirError (E_SWEEP_FOLDER) where something is in it already.

    `resume`: after a search for loads, which may have been interrupted, it goes on.
    """
    with trying(f"read {folder}"):
        # Whoever was killed when it wrote the first file has left half of it.
        there = sorted(name for name in (os.listdir(folder) if folder.exists() else [])
                       if name != LOCK and not name.startswith((f".{STATE}.", f".{LOADS}.")))
    if STATE in there:
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{folder} has a sweep",
                                   "--resume goes on with it; another --out begins another one"))
    if there == [LOADS]:
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
    with trying(f"lock {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        lock = lock_file(folder / LOCK)
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


def done(state: State, points: Collection[int], rounds: int,
         read: Stored | None = None) -> tuple[dict[Place, StoredRun], Ignored]:
    """What was measured so far of these points, in so many rounds. `read`: what is in its folder, where it was read."""
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


#: What of sweep.json is compared as it is, and what it is called.
_UNCHANGED = {"axes": "the axes", "hold": "what is held equal"}


def check_unchanged(was: Mapping, now: Mapping, another_machine: bool) -> None:
    """WeirError (E_SWEEP_CHANGED) with everything that is not as it was."""
    faults = [diagnostic("E_SWEEP_CHANGED", "", what) for what in _changed(was, now)]
    if was["machine"] != now["machine"] and not another_machine:
        parts = [name for name in was["machine"] if was["machine"][name] != now["machine"].get(name)]
        faults.append(diagnostic("E_SWEEP_CHANGED", "", f"it was begun on another machine: another {', '.join(parts)}",
                                 "--another-machine goes on all the same"))
    if faults:
        raise WeirError(faults)


def _changed(was: Mapping, now: Mapping) -> Iterator[str]:
    if essential(was["document"]) != essential(now["document"]):
        yield "the project is not the one that the sweep was begun with; sweep.json has that"
    for key, words in _UNCHANGED.items():
        if was[key] != now[key]:
            yield f"{words} are others than at the beginning"
    binaries = {point["number"]: point["binary_hash"] for point in now["points"]}
    for point in was["points"]:
        if point["number"] not in binaries:
            yield f"what it needs for {point['scheduler']} is not here any more"
        elif binaries[point["number"]] != point["binary_hash"]:
            yield (f"the program of point {point['number']} ({point['scheduler']}) is another one: Weir, the compiler "
                   "or a block was changed")
    known = {point["number"] for point in was["points"]}
    if new := sorted(binaries.keys() - known):
        yield f"{len(new)} points that were left out at the beginning can be run now"


#: Parts of loads.json; the first three are those of sweep.json. `programs`: by deployment, the hashes of the plan and
#: of the program that were searched.
_LOADS_PARTS = {"request", "machine", "loads", "programs"}


def read_loads(folder: Path) -> Mapping | None:
    """What a search for loads has found so far, in a folder that has no sweep.json yet; None where there was none.

    Each contender takes minutes: who interrupts the search goes on with the next one. Once the sweep has begun, its
    sweep.json says what was found, and this file says nothing any more. WeirError (E_SWEEP_FOLDER) where the file is
    damaged, or somebody else's.
    """
    if (read := _read(folder / LOADS)) is None:
        return None
    value, faults = read
    whole = (not faults and isinstance(value, dict) and value.keys() == _LOADS_PARTS
             and isinstance(value["programs"], dict))
    if not whole or any(check_shape(value[part], "sweep", part) for part in ("request", "machine", "loads")):
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{folder / LOADS} is damaged, or nothing of Weir's",
                                   "without it, the search begins anew"))
    return value


def write_loads(folder: Path, request: Mapping, machine: Mapping, loads: Mapping, programs: Mapping[str, str]) -> None:
    """`loads`: as sweep.json has it, of the contenders that were searched so far."""
    _write(folder / LOADS, jsontext.write({"request": request, "machine": machine, "loads": loads,
                                           "programs": programs}))


def known_loads(before: Mapping | None, machine: Mapping, loads: Mapping,
                program: Callable[[str], str]) -> dict[str, Mapping]:
    """By deployment, what was found of the same program for the same goal on this machine, where that is a load.

    `program`: that of a deployment as it is now, "" where it cannot be had.
    """
    now, _ = jsontext.read(jsontext.write({"machine": machine, "loads": {**loads, "found": []}}))
    if before is None or now != {"machine": before["machine"], "loads": {**before["loads"], "found": []}}:
        return {}
    return {name: it for it in before["loads"]["found"]
            if it["value"] is not None and before["programs"].get(name := it["deployment"]) == program(name)}
