"""Run directories: created under a temporary name, renamed when complete, found again and removed."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic, trying
from weir.engine import results_model as model
from weir.engine.measuring.coordinates import derived
from weir.files import read_bounded, write_whole
from weir.machine.processes import identity, may_live, place
from weir.model import ownership
from weir.model.document import jsontext
from weir.model.document.shape import check_shape
from weir.model.document.spelling import current_document, current_settings

INCOMPLETE = ".incomplete-"

#: Folder of a run with its trace, if that was kept.
TRACE = "trace"

#: Folder of a run with sources from outside of Weir's tree.
KEPT = "sources"

#: File of a run with the user's note; no number is read from it.
NOTE = "note.txt"

RUN_ID = re.compile(r"\d{8}T\d{6}Z-[^/]+-[0-9a-f]{6}")


def new_run_id(project: str, deployment: str, now: float | None = None) -> str:
    """Return `<utc>-<project>-<deployment>-<6 hex>`, which sorts by time."""
    utc = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now))
    return f"{utc}-{project}-{deployment}-{secrets.token_hex(3)}"


class RunDirectory:
    """A run directory that is being filled. `complete` gives it its final name; otherwise leaving removes it.

    A killed process leaves the directory under its temporary name. No verb reads it, and the next run removes it.
    """

    def __init__(self, out: Path, run_id: str):
        self.run_id = run_id
        self.final = out / run_id
        self.path = out / (INCOMPLETE + run_id)
        self.written: list[str] = []
        self._live, self._has_name = {**identity(), **place()}, False
        self._rescue: Callable[[BaseException], None] | None = None
        with trying(f"make a run directory in {out}"):
            out.mkdir(parents=True, exist_ok=True)
            remove_abandoned(out)
            self.path.mkdir()
            try:
                self._mark(ownership.WHOLE, self._live)
            except BaseException:
                ownership.remove(self.path, ownership.WHOLE)
                raise

    def __enter__(self) -> RunDirectory:
        return self

    def __exit__(self, kind: object, error: BaseException | None, *_: object) -> None:
        if error is not None and self._rescue and not self._has_name:
            self._rescue(error)
        if not self._has_name:
            with contextlib.suppress(OSError):
                ownership.remove(self.path, ownership.WHOLE)

    def rescue_with(self, rescue: Callable[[BaseException], None] | None) -> None:
        """Set a function that saves the measurements if an exception ends the run; None: nothing to save."""
        self._rescue = rescue

    def write(self, name: str, value: object) -> None:
        """Write a JSON file of the directory, in canonical text."""
        write_whole(self.path / name, jsontext.write(value))
        self.written.append(name)

    def complete(self) -> Path:
        """List all files in the marker, give the directory its final name, and return it."""
        names = {name: None for name in (*ownership.entries(self.path), NOTE) if name.isprintable()}
        # Keep the live mark until the rename: without it, the directory looks like a run that is being removed.
        self._mark(names, self._live)
        self.abandon()
        with contextlib.suppress(OSError):
            self._mark(names)
        return self.final

    def abandon(self) -> Path:
        """Give the incomplete directory its final name, so that no later run removes it."""
        os.rename(self.path, self.final)
        self._has_name = True
        return self.final

    def _mark(self, files: ownership.Files, live: dict | None = None) -> None:
        marker = ownership.Marker(ownership.RUN, self.run_id, files, live)
        ownership.mark(self.final if self._has_name else self.path, marker)


def remove_abandoned(out: Path) -> None:
    """Remove incomplete runs and incomplete removals in `out` whose process on this host was killed."""
    for path in out.glob(INCOMPLETE + "*"):
        if path.is_symlink() or not path.is_dir():
            continue
        marker = ownership.read(path)
        with contextlib.suppress(OSError):
            if marker is None:
                # There is no marker: its process has not written it yet, or died. Remove the folder if empty and old.
                if RUN_ID.fullmatch(path.name.removeprefix(INCOMPLETE)) and time.time() - path.stat().st_mtime > 3600:
                    path.rmdir()
            elif marker.kind == ownership.RUN and not may_live(marker.live):
                ownership.remove(path, marker.files)


@dataclass(frozen=True)
class StoredRun:
    """A complete run directory. `results` is its results.json, `run` its run.json."""

    path: Path
    results: dict
    run: dict

    @property
    def status(self) -> str:
        """Return how the run ended."""
        return str(self.results["status"])

    @property
    def is_of_another_program(self) -> bool:
        """Return whether Weir did not generate the program, so that the plan's decisions do not describe it."""
        return "project" in (self.run.get("adopted") or {})


def fill_in(results: dict) -> None:
    """Set the fields that results of earlier versions lack to null, which means not measured."""
    had_load = "load" in results
    model.fill_in(results)
    if not had_load:
        results["load"]["offered_items_per_s"] = results.get("offered_items_per_s")
    verification = results.get("verification")
    if isinstance(verification, dict) and "message" not in verification:
        results["verification"] = None  # of a run that only verified


def rename_keys(document: dict) -> None:
    """Rename the keys of a run.json or plan.json of earlier versions: a round was a block, a worker schedule a section.

    These renamings changed the hashes of plans; `weir.model.document.spelling` has those that do not.
    """
    for at, former, name in ((document, "block", "round"), (document.get("set"), "blocks", "rounds"),
                             (document.get("schedule"), "sections", "worker_schedules")):
        if isinstance(at, dict) and former in at:
            at.setdefault(name, at.pop(former))


def _respell(results: dict) -> None:
    """Write the settings of a project that results of earlier versions hold in the present spelling."""
    requested, coordinates = results.get("requested"), results.get("coordinates")
    if isinstance(requested, dict):
        requested.update(current_document(requested, "plan").value)
    if isinstance(coordinates, dict) and isinstance(coordinates.get("settings"), dict):
        coordinates["settings"] = current_settings(coordinates["settings"])


def load_run(path: Path) -> StoredRun:
    """Return the run in a directory. Raises WeirError (E_RUN_DIRECTORY) if it is missing or damaged."""
    loaded = {}
    for name in ("results.json", "run.json"):
        if name == "run.json" and not (path / name).exists():
            raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path} has results.json but no run.json: it was made "
                                       f"without `weir run`; `weir import {path}` makes a run directory of it"))
        try:
            value, faults = jsontext.read(read_bounded(path / name, jsontext.MAX_BYTES))
        except OSError as error:
            raise WeirError(diagnostic("E_RUN_DIRECTORY", "",
                                       f"{path}: not a run directory: {name}: {error.strerror}")) from None
        if faults or not isinstance(value, dict):
            raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path}: {name} is damaged"))
        (fill_in if name == "results.json" else rename_keys)(value)
        if name == "results.json":
            _respell(value)
        wrong = check_shape(value, name.removesuffix(".json"))
        if wrong:
            raise WeirError(diagnostic(
                "E_RUN_DIRECTORY", "", f"{path}: {name} is damaged, or another version of Weir wrote it: "
                f"{wrong[0].pointer or 'all of it'}: {wrong[0].message}"))
        loaded[name] = value
    if loaded["results.json"]["coordinates"] is None:
        loaded["results.json"]["coordinates"] = derived(loaded["results.json"], loaded["run.json"], path)
    return StoredRun(path, loaded["results.json"], loaded["run.json"])


def runs_below(folder: Path) -> Iterator[Path]:
    """Yield the run directories directly in a folder, by name."""
    for child in sorted(folder.iterdir()):
        if child.is_dir() and not child.name.startswith(".") and (child / "results.json").is_file():
            yield child


def find_runs(path: Path) -> Iterator[Path]:
    """Yield the run directories directly below `path`, or `path` itself if there are none and it is one.

    A stray `results.json` does not turn a folder of runs into a run.
    """
    below = list(runs_below(path))
    if not below and (path / "results.json").is_file():
        yield path
    yield from below
