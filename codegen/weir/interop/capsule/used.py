"""Inputs of the runs of a sweep: third-party code, Weir's own code, and the files that the project reads."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from weir import ROOT
from weir.diagnostics import WeirError, diagnostic, trying
from weir.engine.measuring.run_directory import KEPT, StoredRun
from weir.files import read_bounded
from weir.interop.capsule.layout import CODE, MOST_BYTES, PROJECT, SOURCES
from weir.interop.grc.exporting.exporter import export_project
from weir.interop.grc.exporting.recordings import recordings
from weir.model.catalog import Catalog, load_catalog
from weir.model.check import Checked, check
from weir.model.flowgraph.graph import Graph
from weir.model.folder_code import files_of
from weir.read.comparing.documents import plan as plan_of


def code(runs: Sequence[StoredRun]) -> dict[str, bytes]:
    """Return `code/blocks/<id>/…` and so on, as the runs kept it. Raises WeirError (E_RUN_DIRECTORY) if it was changed.
    """
    found: dict[str, bytes] = {}
    for run in runs:
        for name, digest in (run.run.get("kept") or {}).items():
            data = read(run.path / KEPT / name)
            if hashlib.sha256(data).hexdigest() != digest:
                raise WeirError(diagnostic("E_RUN_DIRECTORY", "",
                                           f"{run.path / KEPT / name} was changed after the run: its hash differs"))
            if found.setdefault(f"{CODE}/{name}", data) != data:
                raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{name} differs between runs of the sweep",
                                           "measure the sweep again with one version of the code"))
    return found


def own(runs: Sequence[StoredRun], kept: Mapping[str, bytes]) -> tuple[dict[str, bytes], list[str]]:
    """Return `sources/<place in Weir's tree>` -> current content, for the blocks, schedulers, targets and runtime of
    Weir that the runs used. Also return the names of files that have changed since, as far as the runs recorded their
    hashes.

    Raises WeirError if a file no longer exists.
    """
    catalog = load_catalog()
    found: dict[Path, bytes] = {}
    changed: dict[str, None] = {}
    for run in runs:
        for path, compiled in _own_files(run, kept, catalog):
            if path not in found:
                found[path] = read(path)
            if compiled and _is_another(path.name, found[path], run):
                changed[str(path.relative_to(ROOT))] = None
    return {f"{SOURCES}/{path.relative_to(ROOT)}": data for path, data in found.items()}, list(changed)


def _own_files(run: StoredRun, kept: Mapping[str, bytes], catalog: Catalog) -> Iterator[tuple[Path, bool]]:
    """Yield each file, and whether it is compiled unchanged."""
    for kind, name in _names(run, catalog):
        if any(file.startswith(f"{CODE}/{kind}/{name}/") for file in kept):
            continue
        it = getattr(catalog, kind).get(name)
        if it is None and kind == "schedulers" and any(file.startswith(f"{CODE}/targets/") for file in kept):
            continue  # its target brought it
        if it is None:
            raise WeirError(diagnostic("E_FILE_MISSING", "", f"{name} of {run.path.name} is not in this Weir",
                                       "export it with the Weir that measured it"))
        folders = {it.folder, it.code_folder} if kind == "schedulers" else {it.folder}
        yield from ((path, kind != "targets" and path == it.source) for folder in sorted(folders)
                    for path in files_of(folder))
        for entry in it.descriptor.get("copies", ()) if kind == "targets" else ():
            if "/" in entry["from"]:  # a folder of Weir's tree, and not a part of the plan
                yield from ((path, True) for pattern in entry["files"]
                            for path in sorted((ROOT / entry["from"]).glob(pattern)))


def _names(run: StoredRun, catalog: Catalog) -> Iterator[tuple[str, str]]:
    plan = plan_of(run)
    target = catalog.targets.get(plan.get("target", ""))
    if target is None or not target.hosts_gnuradio:  # else the blocks are GNU Radio's
        yield from (("blocks", name) for name in sorted({block["type"] for block in plan.get("blocks", ())}))
    yield from ((f"{kind}s", plan[kind]) for kind in ("scheduler", "target") if kind in plan)


def _is_another(name: str, data: bytes, run: StoredRun) -> bool:
    """Return whether the program was generated with another version of that file."""
    then = {digest for path, digest in run.run["sources"].items() if PurePosixPath(path).name == name}
    return bool(then) and hashlib.sha256(data).hexdigest() not in then


def inputs(runs: Sequence[StoredRun], overlay: str | None = None) -> dict[str, bytes]:
    """Return `project/<path>` -> content of the files that blocks read, and of `overlay`, the background of figures.

    Raises WeirError if a file is missing (E_FILE_MISSING) or outside the project's folder (E_PATH_OUTSIDE).
    """
    found: dict[str, bytes] = {}
    own_catalog = load_catalog()
    for run in runs:
        folder = Path(run.run["request"]["folder"])
        for path in (*_paths(run, folder, own_catalog), *([overlay] if overlay else [])):
            if os.path.isabs(path) or ".." in PurePosixPath(path).parts:
                raise WeirError(diagnostic("E_PATH_OUTSIDE", "",
                                           f"`{run.results['project']}` reads {path!r}, but a capsule contains only "
                                           "files of the project's folder",
                                           "put the file beside the project, and measure again"))
            name = f"{PROJECT}/{os.path.normpath(path)}"
            if name not in found:
                found[name] = read(folder / path)
    return found


def _paths(run: StoredRun, folder: Path, own_catalog: Catalog) -> Iterator[str]:
    kept = {kind: (run.path / KEPT / kind,) for kind in ("blocks", "schedulers", "targets")
            if any(name.startswith(f"{kind}/") for name in run.run.get("kept") or {})}
    allowed = [folder, *map(Path, run.run["request"]["catalog_paths"].get("--allow-path", ()))]
    catalog = load_catalog(kept.get("blocks", ()), kept.get("schedulers", ()), kept.get("targets", ())) \
        if kept else own_catalog
    found = check(read(run.path / "project.json"), directory=folder, allow_paths=allowed, catalog=catalog)
    if found.graph is None:
        faults = found.diagnostics
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "",
                                   f"{run.path / 'project.json'} is no longer valid: {faults[0].message}",
                                   "export it with the Weir that measured it"))
    yield from read_by_blocks(found, folder)
    yield from read_by_params(run.run["request"]["params"], found.graph)


def read_by_blocks(found: Checked, folder: Path) -> Iterator[str]:
    """Yield the paths, from the project's folder, of the files that the blocks of a project read."""
    if found.graph is None or found.project is None:
        return
    for instance in found.graph.instances:
        for parameter in instance.type.parameters:
            value = instance.parameters.get(parameter.id)
            if parameter.access == "read" and value:
                base, suffix = os.path.splitext(str(value))
                yield from (base + other for other in parameter.beside if suffix in parameter.beside)
                yield str(value)
    if found.graph.of_gnuradio:
        yield from recordings(export_project(found, found.project.deployment(None), None).flow, folder)


def read_by_params(params: Sequence[str], graph: Graph) -> list[str]:
    """Return the paths that `--param` gives to blocks."""
    found = []
    for text in params:
        target, _, value = text.partition("=")
        owner, _, name = target.strip().rpartition(".")
        if any(parameter.id == name and parameter.type == "path" for instance in graph.instances
               if owner in (instance.name, instance.block_id) for parameter in instance.type.parameters):
            found.append(value)
    return found


def read(path: Path) -> bytes:
    """Read a file. Raises WeirError if it cannot be read, or is larger than a capsule may be."""
    with trying(f"read {path}"):
        data = read_bounded(path, MOST_BYTES)
    if len(data) > MOST_BYTES:
        raise WeirError(diagnostic("E_CAPSULE_SIZE", "", f"{path} has more than {MOST_BYTES >> 20} MiB"))
    return data
