"""Run directories: made under a temporary name, renamed when they are complete, found again, removed."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic, os_error
from weir.document import jsontext
from weir.document.shape import check_shape
from weir.files import read_bounded, write_whole
from weir.measuring.processes import identity, is_alive

INCOMPLETE = ".incomplete-"
OWNER = "owner.json"
RUN_ID = re.compile(r"\d{8}T\d{6}Z-.+-[0-9a-f]{6}")


def new_run_id(project: str, deployment: str, now: float | None = None) -> str:
    """`<utc>-<project>-<deployment>-<6 hex>`; sorts by time."""
    utc = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(now))
    return f"{utc}-{project}-{deployment}-{secrets.token_hex(3)}"


class RunDirectory:
    """A run directory that is being filled. `complete` gives it its name; left without that, it is removed.

    A killed process leaves it behind under its temporary name, which no verb looks at; the next run removes it.
    """

    def __init__(self, out: Path, run_id: str):
        self.run_id = run_id
        self.final = out / run_id
        self.path = out / (INCOMPLETE + run_id)
        try:
            out.mkdir(parents=True, exist_ok=True)
            remove_abandoned(out)
            self.path.mkdir()
            (self.path / OWNER).write_text(json.dumps(identity()), encoding="utf-8")
        except OSError as error:
            shutil.rmtree(self.path, ignore_errors=True)
            raise WeirError(os_error(error, f"make a run directory in {out}")) from None

    def __enter__(self) -> RunDirectory:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    def write(self, name: str, value: object) -> None:
        """A JSON file of the directory, in canonical text."""
        write_whole(self.path / name, jsontext.write(value))

    def complete(self) -> Path:
        """From here on it is a run that other verbs see."""
        (self.path / OWNER).unlink(missing_ok=True)
        os.rename(self.path, self.final)
        return self.final


def remove_abandoned(out: Path) -> None:
    """Removes what runs that were killed have left half done in `out`."""
    for path in out.glob(INCOMPLETE + "*"):
        if not RUN_ID.fullmatch(path.name.removeprefix(INCOMPLETE)) or path.is_symlink():
            continue  # not ours, whatever it is
        try:
            owner = json.loads((path / OWNER).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            # Made this moment, and its owner not yet written; or damaged: an hour tells them apart.
            try:
                if time.time() - path.stat().st_mtime < 3600:
                    continue
            except OSError:
                continue
            owner = None
        if not is_alive(owner):
            shutil.rmtree(path, ignore_errors=True)


@dataclass(frozen=True)
class StoredRun:
    """A complete run directory. `results` is its results.json, `run` its run.json."""

    path: Path
    results: dict
    run: dict

    @property
    def status(self) -> str:
        return str(self.results["status"])


def load_run(path: Path) -> StoredRun:
    """The run in a directory. WeirError (E_RUN_DIRECTORY) where it is none, or damaged."""
    loaded = {}
    for name in ("results.json", "run.json"):
        try:
            value, faults = jsontext.read(read_bounded(path / name, jsontext.MAX_BYTES))
        except OSError as error:
            raise WeirError(diagnostic("E_RUN_DIRECTORY", "",
                                       f"{path}: not a run directory: {name}: {error.strerror}")) from None
        if faults or not isinstance(value, dict):
            raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path}: {name} is damaged"))
        wrong = check_shape(value, name.removesuffix(".json"))
        if wrong:
            raise WeirError(diagnostic(
                "E_RUN_DIRECTORY", "", f"{path}: {name} is damaged, or another version of Weir wrote it: "
                f"{wrong[0].pointer or 'all of it'}: {wrong[0].message}"))
        loaded[name] = value
    return StoredRun(path, loaded["results.json"], loaded["run.json"])


def find_runs(path: Path) -> Iterator[Path]:
    """`path` itself where it is a run directory, else the run directories right below it, by name."""
    if (path / "results.json").is_file():
        yield path
        return
    for child in sorted(path.iterdir()):
        if child.is_dir() and not child.name.startswith(".") and (child / "results.json").is_file():
            yield child
