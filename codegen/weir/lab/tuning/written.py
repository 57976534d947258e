"""Copy of the project with the best deployments, under free names."""

from __future__ import annotations

import copy
import errno
import os
from collections.abc import Mapping
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic, os_error, trying
from weir.files import write_whole
from weir.lab import free_name
from weir.lab.tuning.candidate import PROJECT, Candidate
from weir.model.document import jsontext

SUFFIX = ".weir.json"


def default_output(source: str, project: str) -> Path:
    """Return `<name>.tuned.weir.json` beside the project, or in the current folder for standard input."""
    path = Path(project + SUFFIX) if source == "-" else Path(source)
    return path.with_name(path.name.removesuffix(SUFFIX).removesuffix(".json") + ".tuned" + SUFFIX)


def check_output(path: Path, force: bool) -> None:
    """Raise WeirError before the search if the output could not be written."""
    if path.exists() and not force:
        raise WeirError(diagnostic("E_OUTPUT_EXISTS", "", f"{path} already exists",
                                   "name another file with -o, or replace this one with --force"))
    if not path.parent.is_dir():
        raise WeirError(diagnostic("E_FILE_MISSING", "", f"the folder of {path} is missing", "create the folder first"))
    number = errno.EISDIR if path.is_dir() else 0 if os.access(path.parent, os.W_OK) else errno.EACCES
    if number:
        raise WeirError(os_error(OSError(number, os.strerror(number)), f"write {path}"))


def with_tuned(document: Mapping, best: Mapping[str, Candidate]) -> tuple[dict, dict[str, str]]:
    """Return (copy of the project with the best, goal -> deployment's name). The project's own keep their names."""
    made = copy.deepcopy(dict(document))
    deployments = list(made.get("deployments", ()))
    names: dict[str, str] = {}
    added: dict[str, str] = {}
    for goal, one in best.items():
        if one.origin == PROJECT and any(entry["name"] == one.name for entry in deployments):
            names[goal] = one.name
            continue
        if one.name not in added:
            taken = {entry["name"] for entry in deployments}
            added[one.name] = free_name(f"tuned_{goal}", taken)
            deployments.append({**one.entry, "name": added[one.name]})
        names[goal] = added[one.name]
    if added:
        made["deployments"] = deployments
    return made, names


def write(path: Path, document: Mapping) -> None:
    """Write the file atomically. Raises WeirError if that fails."""
    with trying(f"write {path}"):
        write_whole(path, jsontext.write(document))
