"""Import a run that a generated program made without the runner, as a normal run directory.

The program leaves results.json; its generated project has plan.json, project.json and the manifest. Hashes show whether
they belong together. Fields that only the runner can fill in stay empty.
"""

from __future__ import annotations

import copy
import hashlib
import json
import shlex
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from weir.diagnostics import WeirError, diagnostic, trying
from weir.engine.measuring import results as res
from weir.engine.measuring.coordinates import Requested, params_of
from weir.engine.measuring.latency import write_curves
from weir.engine.measuring.recording import Recording
from weir.engine.measuring.run_directory import RUN_ID, RunDirectory, fill_in, new_run_id, rename_keys
from weir.engine.measuring.tables import write_tables
from weir.engine.measuring.weir_protocol import EVENTS
from weir.files import read_bounded
from weir.model.document import jsontext
from weir.model.document.project import load_project
from weir.model.document.shape import check_shape
from weir.model.document.spelling import current_document
from weir.model.planning.machine import Machine
from weir.model.planning.plan import plan_digest, project_digest

_UTC = "%Y%m%dT%H%M%SZ"


@dataclass(frozen=True)
class Tree:
    """A generated project. `sources` has the sha256 of each file as it is now; edited files differ from the manifest.

    `program` is the program's path, relative to the folder.
    """

    folder: Path
    plan: Mapping
    project: Mapping
    sources: Mapping[str, str]
    program: str

    @property
    def binary(self) -> Path:
        """Return the program's file."""
        return self.folder / self.program


@dataclass(frozen=True)
class Place:
    """Position of an imported run among the runs of one `weir import`: `round` of `rounds`."""

    set_id: str
    rounds: int
    round: int


def made_by_hand(path: Path) -> list[Path]:
    """Return `path`, or the folders directly below it, with results of a program and no run.json."""
    with trying(f"read {path}"):
        folders = [path] if (path / "results.json").is_file() else sorted(path.iterdir())
        found = [folder for folder in folders if (folder / "results.json").is_file()]
    wanted = [folder for folder in found if not (folder / "run.json").exists()]
    if not wanted:
        what = "is already a run directory" if found else "contains no results.json"
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path}: {what}"))
    return wanted


def find_tree(results: Mapping, candidates: Iterable[Path]) -> Tree:
    """Return the first folder that has the generated project of a run. Raises WeirError if none has."""
    tried = []
    for folder in candidates:
        if not all((folder / name).is_file() for name in ("manifest.json", "plan.json")):
            continue  # the manifest of another tool
        plan = _object(folder / "plan.json")
        renamed = current_document(copy.deepcopy(plan), "plan").value
        rename_keys(renamed)  # the hash covers the names of schedules as they were written
        if plan_digest(plan) == results["plan_hash"] and not check_shape(renamed, "plan"):
            return _tree(folder, current_document(plan, "plan").value, results)
        tried.append(str(folder))
    said = f"; these have another plan: {', '.join(tried)}" if tried else ""
    raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"the generated project of this run was not found{said}",
                               "give the folder that `weir generate` wrote (also with --build -o) as --tree DIR"))


def _tree(folder: Path, plan: Mapping, results: Mapping) -> Tree:
    project, manifest = _object(folder / "project.json"), _object(folder / "manifest.json")
    if project_digest(project) != results["project_hash"]:
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{folder}: project.json does not belong to the run"))
    faults = check_shape(manifest, "manifest")
    if faults:
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{folder}: manifest.json: {faults[0].message}"))
    names = [name for name in manifest["files"] if _stays_inside(name)]
    program = manifest.get("program", f"build/{plan['project']}")
    return Tree(folder.absolute(), plan, current_document(project, "project").value,
                {name: hashlib.sha256(_bytes(folder / name)).hexdigest() for name in names},
                program if _stays_inside(program) else "")


def _stays_inside(name: str) -> bool:
    return ".." not in PurePosixPath(name).parts and not name.startswith("/")


def read_written(folder: Path) -> dict:
    """Return the object in a program's results.json, unchecked. Raises WeirError (E_JSON_…) if it is not a JSON object.
    """
    path = folder / "results.json"
    value, faults = jsontext.read(_bytes(path))
    if not faults and not isinstance(value, dict):
        faults = [diagnostic("E_VALUE_TYPE", "", "expected an object")]
    if faults:
        raise WeirError(faults, 4, str(path))
    return value


def is_of_a_plan(written: Mapping) -> bool:
    """Return whether a generated program wrote the results: only it knows its plan."""
    return "plan_hash" in written


def check_by_hand(folder: Path, results: dict) -> None:
    """Raise WeirError if a generated program's results are damaged or of another version of Weir."""
    fill_in(results)
    wrong = check_shape(results, "results")
    if wrong:
        raise WeirError(diagnostic(
            "E_RUN_DIRECTORY", "", f"{folder}: results.json is damaged, or another version of Weir generated the "
            f"program: {wrong[0].pointer or 'all of it'}: {wrong[0].message}"))


def adopt(source: Path, results: dict, tree: Tree, machine: Machine | None, folder: Path, out: Path,
          place: Place) -> Path:
    """Create the run directory in `out` for the `results` in `source`, which stays unchanged, and return it.

    `machine` is the one that the plan was made for, if known. The program's relative paths start at `folder`.
    """
    ended = (source / "results.json").stat().st_mtime
    started = _begun(results["run_id"])
    run_id = results["run_id"] if started else new_run_id(tree.plan["project"], tree.plan["deployment"], ended)
    if (out / run_id).exists():
        raise WeirError(diagnostic("E_OUTPUT_EXISTS", "", f"{out / run_id} exists: this run was imported before",
                                   "choose another folder with --out, or remove that run"))
    with RunDirectory(out, run_id) as directory:
        with trying(f"import {source} into {out}"):
            directory.write("project.json", tree.project)
            directory.write("plan.json", tree.plan)
            if machine is not None:
                directory.write("machine.json", machine.as_json())
            backend = results["trace"]["backend"]
            if (source / EVENTS).is_file():
                shutil.copyfile(source / EVENTS, directory.path / EVENTS)
            results["run_id"], results["repetition"] = run_id, place.round
            res.add_request(results, tree.plan, tree.project, _parameters(tree.project))
            requested = Requested(tree.plan["target"], place.round, results["items"], results["seed"], backend,
                                  place.set_id, _parameters(tree.project),
                                  params_of(_changed(results, tree.plan), tree.plan))
            res.add_coordinates(results, tree.plan, requested, results["weir_version"])
            results["binary_hash"] = _binary_hash(tree.binary, ended)
            if backend != "lttng":  # Weir did not control the session
                recording = Recording(tree.plan, backend, run_id, directory.path, 0)
                pairs = recording.add_to(results)
                if pairs or results["latency"] is None:  # otherwise the program computed it
                    write_curves(directory.path, pairs)
                recording.remove_events()
            res.check_written(results, "results")
            write_tables(directory.path, results)
            directory.write("results.json", results)
            times = started or utc(ended), utc(ended)
            directory.write("run.json", _run_json(results, tree, source, folder, times, place))
            return directory.complete()


def _begun(run_id: str) -> datetime | None:
    """Return the time in a run id of Weir, None for an id that the user chose."""
    try:
        return datetime.strptime(run_id.partition("-")[0], _UTC).replace(tzinfo=UTC) \
            if RUN_ID.fullmatch(run_id) else None
    except ValueError:
        return None


def utc(when: float) -> datetime:
    """Return a clock time in UTC; `when` is in seconds."""
    return datetime.fromtimestamp(when, UTC)


def _parameters(project: Mapping) -> Mapping[str, Any]:
    loaded, _ = load_project(jsontext.write(project))
    return loaded.parameters if loaded else {}


def _binary_hash(binary: Path, ended: float) -> str | None:
    """Return the program's hash, None if it is missing or was rebuilt after the run."""
    try:
        if binary.stat().st_mtime <= ended:
            return hashlib.sha256(binary.read_bytes()).hexdigest()
    except OSError:
        pass
    return None


def _run_json(results: Mapping, tree: Tree, source: Path, folder: Path, times: tuple[datetime, datetime],
              place: Place) -> dict:
    request = {"folder": str(folder), "items": results["items"] or None, "trace": results["trace"]["backend"],
               "params": _changed(results, tree.plan), "keep_trace": False, "catalog_paths": {}}
    words = [str(tree.binary), "--items", str(results["items"]), "--seed", str(results["seed"]), "--trace",
             request["trace"], *(word for param in request["params"] for word in ("--param", param))]
    value = {"schema_version": 1, "run_id": results["run_id"], "weir_version": results["weir_version"],
             "command": shlex.join(words), "request": request, "argv": [], "exit_code": None,
             "started": iso(times[0]), "finished": iso(times[1]),
             "round": place.round, "host": {}, "environment": {}, "versions": {}, "sources": dict(tree.sources),
             "set": {"id": place.set_id, "seed": 0, "rounds": place.rounds, "size": 1, "position": 0},
             "adopted": {"from": str(source), "tree": str(tree.folder), "at": iso(datetime.now(UTC))}}
    res.check_written(value, "run")
    return value


def iso(when: datetime) -> str:
    """Return a time in the format of run.json."""
    return when.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _changed(results: Mapping, plan: Mapping) -> list[str]:
    """Return `--param` texts of block parameters whose values differ from the plan."""
    planned = {f"{block['block']}.{name}": value for block in plan["blocks"]
               for name, value in block["parameters"].items()}
    return [f"{name}={value if isinstance(value, str) else json.dumps(value)}"
            for name, value in results["parameters"].items() if name in planned and planned[name] != value]


def _bytes(path: Path) -> bytes:
    with trying(f"read {path}"):
        return read_bounded(path, jsontext.MAX_BYTES)


def _object(path: Path) -> dict:
    value, faults = jsontext.read(_bytes(path))
    if faults or not isinstance(value, dict):
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path} is damaged"))
    return value
