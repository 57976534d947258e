"""Permissions that a run directory needs: code from elsewhere, and files outside of the project's folder.

The sender of a run directory controls its run.json, so Weir grants nothing because of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring.run_directory import KEPT
from weir.engine.pipeline import Folders
from weir.engine.rerunning.remake import Remake
from weir.files import read_bounded
from weir.model.document.jsontext import MAX_BYTES
from weir.model.flowgraph.graph import Graph

_CODE = "Weir compiles and runs its code"


@dataclass(frozen=True)
class Permission:
    """Permission that a run needs. `option` of `weir reproduce` grants it, "" if only --trust does.

    `what` is a folder or a setting.
    """

    option: str
    what: str
    why: str

    def __str__(self) -> str:
        return f"{self.option or '--param'} {self.what} ({self.why})"


def folders_named(remake: Remake, given: Folders) -> Folders:
    """Return the folders of the command line, else those of the run's command line."""
    recorded = Folders.of_options(remake.request["catalog_paths"])
    return Folders(given.allow or recorded.allow, given.blocks or recorded.blocks,
                   given.schedulers or recorded.schedulers, given.targets or recorded.targets)


def folders_to_use(remake: Remake, given: Folders) -> Folders:
    """Return `folders_named`, but with the code that the run kept, unless the command line names a folder.

    Raises WeirError if the kept code was changed.
    """
    named, kept = folders_named(remake, given), _kept(remake)
    if kept is None:
        return named
    return Folders(named.allow, given.blocks or kept.blocks, given.schedulers or kept.schedulers,
                   given.targets or kept.targets)


def ungranted(remake: Remake, graph: Graph, used: Folders, given: Folders, folder_is_given: bool) -> list[Permission]:
    """Return the permissions that the command line does not grant.

    `used` is from `folders_to_use`; `graph` is that of the run's project.
    """
    found = []
    for option, why in (("--block-path", _CODE), ("--scheduler-path", _CODE), ("--target-path", _CODE),
                        ("--allow-path", "blocks may read and write there")):
        if not given.by_option().get(option):
            found += [Permission(option, path, why) for path in used.by_option().get(option, ())]
    set_paths = [param for param in remake.request["params"] if _is_path(param, graph)]
    found += [Permission("", param, "a file that a block opens") for param in set_paths]
    if not folder_is_given and (reads := _reads(graph)):
        found.append(Permission("--folder", str(remake.folder), f"{reads} reads there"))
    return found


def _reads(graph: Graph) -> str:
    """Return a block that reads a file, "" if none does."""
    return next((instance.block_id for instance in graph.instances for parameter in instance.type.parameters
                 if parameter.access == "read" and instance.parameters.get(parameter.id)), "")


def _is_path(param: str, graph: Graph) -> bool:
    owner, _, name = param.partition("=")[0].rpartition(".")
    return any(parameter.id == name and parameter.type == "path" for instance in graph.instances
               if owner in (instance.name, instance.block_id) for parameter in instance.type.parameters)


def _kept(remake: Remake) -> Folders | None:
    """Return the code folders in the run directory; None for a run from before Weir kept code."""
    listed: Mapping[str, str] | None = remake.run.run.get("kept")
    if listed is None:
        return None
    folder = remake.run.path / KEPT
    there = {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()} if listed else set()
    for name in sorted(there.symmetric_difference(listed)):
        raise _changed(folder / name, "is gone" if name in listed else "was added after the run")
    for name, digest in listed.items():
        try:
            data = read_bounded(folder / name, MAX_BYTES)
        except OSError as error:
            raise _changed(folder / name, f"cannot be read: {error.strerror}") from None
        if hashlib.sha256(data).hexdigest() != digest:
            raise _changed(folder / name, "was changed after the run: its hash differs")

    def of(kind: str) -> tuple[Path, ...]:
        return (folder / kind,) if any(name.startswith(f"{kind}/") for name in listed) else ()

    return Folders((), of("blocks"), of("schedulers"), of("targets"))


def _changed(path: Path, what: str) -> WeirError:
    return WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path} {what}",
                                "give another folder with --extensions"))
