"""Project and plan of a run, from its directory."""

from __future__ import annotations

from pathlib import Path

from weir.engine.measuring.run_directory import StoredRun, rename_keys
from weir.files import read_bounded
from weir.machine.isolating import words
from weir.model.document import jsontext
from weir.model.document.deployment import default_deployment
from weir.model.document.essence import essential
from weir.model.document.spelling import current_document
from weir.model.planning.plan import decisions, project_digest


def project(run: StoredRun) -> dict:
    """Return the project without the parts that affect no run."""
    return essential(_read(run.path / "project.json"))


def graph(run: StoredRun) -> dict | None:
    """Return the flowgraph of the project, None if project.json is missing or does not match the run."""
    found = _read(run.path / "project.json")
    known = project_digest(found) == run.results["project_hash"]
    return essential(found["graph"], "/graph") if known else None


def isolation(run: StoredRun) -> str:
    """Return the CPUs that were isolated for the run, in words."""
    return words.place(run.run["isolation"]) if "isolation" in run.run else "none"


def interference_load(run: StoredRun) -> str:
    """Return the interference load that its deployment requests, in words."""
    load = run.results["interference"]
    return words.loops(load["granted"]) if load else "none"


def deployment(run: StoredRun) -> dict:
    """Return the deployment of the run from its project: {"name": …, "scheduler": …, …}, or the default deployment if
    the project has none. For a program that Weir did not generate, return the one that the program reports.
    """
    if run.is_of_another_program:
        return {"name": run.results["deployment"], "scheduler": run.results["scheduler"]}
    name, found = run.results["deployment"], project(run).get("deployments", [])
    entries = [it for it in found if isinstance(it, dict)] if isinstance(found, list) else []
    default = default_deployment()
    implied = {"scheduler": default.scheduler} if name == default.name else {}
    return next((it for it in entries if it.get("name") == name), {"name": name, **implied})


def plan(run: StoredRun) -> dict:
    """Return the plan of the run, {} for a program without a plan."""
    if run.is_of_another_program:
        return {}
    found = _read(run.path / "plan.json")
    rename_keys(found)
    return {key: value for key, value in decisions(found).items() if key != "project"}


def _read(path: Path) -> dict:
    """Read project.json or plan.json in the present spelling; {} if the file is missing or damaged, which does not
    prevent a comparison.
    """
    try:
        value, _ = jsontext.read(read_bounded(path, jsontext.MAX_BYTES))
    except OSError:
        return {}
    return current_document(value, path.stem).value if isinstance(value, dict) else {}
