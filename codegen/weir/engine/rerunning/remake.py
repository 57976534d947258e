"""Read a run directory to repeat the run: its request, and whether its files are unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring.run_directory import StoredRun, load_run
from weir.files import read_bounded
from weir.model.document import jsontext
from weir.model.document.shape import check_shape
from weir.model.planning.plan import digest, plan_digest, project_digest
from weir.model.planning.profile import Profile, profile_from_json


@dataclass(frozen=True)
class Remake:
    """A run to repeat. `project` is the text of project.json; `plan` and `machine` are those of the run."""

    run: StoredRun
    project: bytes
    plan: Mapping[str, Any]
    machine: Path

    @property
    def deployment(self) -> str:
        """Return the deployment of the run."""
        return str(self.run.results["deployment"])

    @property
    def request(self) -> Mapping[str, Any]:
        """Return the request of the run."""
        return cast(Mapping[str, Any], self.run.run["request"])

    @property
    def profile(self) -> Profile | None:
        """Return the block costs that the plan was made with, None if none. Raises WeirError if they are damaged."""
        document = self.plan.get("profile")
        if document is None:
            return None
        if check_shape(document, "profile") or digest(document) != self.plan.get("profile_hash"):
            raise _damaged(self.run.path, "plan.json: the profile is damaged")
        return profile_from_json(document)

    @property
    def folder(self) -> Path:
        """Return the folder of its project."""
        return Path(self.request["folder"])


def read_remake(path: Path) -> Remake:
    """Return the run to repeat.

    Raises WeirError (E_RUN_DIRECTORY) if a file is missing, damaged or changed.
    """
    run = load_run(path)
    if run.is_of_another_program:
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path}: Weir did not generate the program of this run, and "
                                   "cannot build it again", "run that program again, and `weir import` its results"))
    text = {name: _text(path, name) for name in ("project.json", "plan.json", "machine.json")}
    project, plan = (_object(path, name, text[name]) for name in ("project.json", "plan.json"))
    _object(path, "machine.json", text["machine.json"])
    if project_digest(project) != run.results["project_hash"]:
        raise _damaged(path, "project.json was changed after the run: its hash differs")
    if plan_digest(plan) != run.results["plan_hash"]:
        raise _damaged(path, "plan.json was changed after the run: its hash differs")
    return Remake(run, text["project.json"], plan, path / "machine.json")


def _text(path: Path, name: str) -> bytes:
    try:
        return read_bounded(path / name, jsontext.MAX_BYTES)
    except OSError as error:
        raise _damaged(path, f"{name}: {error.strerror}") from None


def _object(path: Path, name: str, text: bytes) -> dict[Any, Any]:
    value, faults = jsontext.read(text)
    if faults or not isinstance(value, dict):
        raise _damaged(path, f"{name} is damaged")
    return value


def _damaged(path: Path, what: str) -> WeirError:
    return WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path}: {what}"))


@dataclass(frozen=True)
class Checks:
    """Comparison of the repeated run with the original."""

    plan: bool
    sources: bool
    binary: bool

    def as_json(self) -> dict[str, bool]:
        """Return the checks as plain JSON values."""
        return {"plan": self.plan, "sources": self.sources, "binary": self.binary}


def checks(then: StoredRun, now: StoredRun) -> Checks:
    """Return which parts are equal in both runs."""
    return Checks(now.results["plan_hash"] == then.results["plan_hash"], now.run["sources"] == then.run["sources"],
                  now.results["binary_hash"] == then.results["binary_hash"])
