"""The project and the plan of a run, as its directory has them."""

from __future__ import annotations

from pathlib import Path

from weir.engine.measuring.run_directory import StoredRun
from weir.files import read_bounded
from weir.machine.isolating import words
from weir.model.document import jsontext
from weir.model.document.deployment import default_deployment
from weir.model.document.essence import essential
from weir.model.planning.plan import decisions, digest, without_decoration


def project(run: StoredRun) -> dict:
    """Without what changes no run."""
    return essential(_read(run.path / "project.json"))


def graph(run: StoredRun) -> dict | None:
    """That of the project; None where project.json is not that of the run, or is not there."""
    found = _read(run.path / "project.json")
    known = digest(without_decoration(found)) == run.results["project_hash"]
    return essential(found["graph"], "/graph") if known else None


def isolation(run: StoredRun) -> str:
    """The CPUs that were kept free for it."""
    return words.place(run.run["isolation"]) if "isolation" in run.run else "none"


def interference_load(run: StoredRun) -> str:
    """The loops that were beside it because its deployment wants them."""
    told = run.results["interference"]
    return words.loops(told["granted"]) if told else "none"


def deployment(run: StoredRun) -> dict:
    """What it ran, as its project has it: {"name": …, "scheduler": …, …}. A project need not have any: then it is the
    one that such a project runs under. Of a program that is not Weir's: who ran it, as it says itself.
    """
    if run.is_of_another_program:
        return {"name": run.results["deployment"], "scheduler": run.results["scheduler"]}
    name, found = run.results["deployment"], project(run).get("deployments", [])
    entries = [it for it in found if isinstance(it, dict)] if isinstance(found, list) else []
    default = default_deployment()
    implied = {"scheduler": default.scheduler} if name == default.name else {}
    return next((it for it in entries if it.get("name") == name), {"name": name, **implied})


def plan(run: StoredRun) -> dict:
    """{} where a program was run that no plan was made for."""
    if run.is_of_another_program:
        return {}
    return {key: value for key, value in decisions(_read(run.path / "plan.json")).items() if key != "project"}


def _read(path: Path) -> dict:
    """{} where the file is not there or damaged: that is no reason not to compare."""
    try:
        value, _ = jsontext.read(read_bounded(path, jsontext.MAX_BYTES))
    except OSError:
        return {}
    return value if isinstance(value, dict) else {}
