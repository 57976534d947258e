"""Sources of a run from outside of Weir's tree, kept to build the run again after their folders have moved."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from weir import ROOT
from weir.diagnostics import WeirError, diagnostic, os_error, trying
from weir.files import read_bounded
from weir.model.catalog import Catalog
from weir.model.document.jsontext import MAX_BYTES
from weir.model.folder_code import files_of
from weir.model.planning.plan import Plan
from weir.model.target_type import Target

_OWN = (ROOT / "block-library", ROOT / "runtime" / "schedulers", ROOT / "templates")


def outside_sources(plan: Plan, catalog: Catalog) -> dict[str, bytes]:
    """Return the contents of outside sources that a plan uses, by `blocks/<id>/<file>`, `schedulers/<id>/<file>` and
    `targets/<id>/<path>`.

    For a block or scheduler: the descriptor, the files that the target needs or copies, a block's reference in numpy,
    and a scheduler's planner with the Python beside it. For a target: its whole folder, with its schedulers. Raises
    WeirError if a file cannot be read.
    """
    target, scheduler = catalog.targets[plan.target], catalog.schedulers[plan.scheduler]
    used: list[tuple[str, Any]] = [("blocks", catalog.blocks[name])
                                   for name in sorted({block.type for block in plan.blocks} & catalog.blocks.keys())]
    if not scheduler.folder.is_relative_to(target.folder):
        used.append(("schedulers", scheduler))
    found = {}
    for kind, it in [*used, ("targets", target)]:
        if not any(it.folder.resolve().is_relative_to(own) for own in _OWN):
            python = sorted(it.folder.glob("*.py")) if getattr(it, "planner", "") else []
            for path in _whole(target) if it is target else [*_parts(kind, it.id, it.folder, target), *python]:
                name = f"{kind}/{it.id}/{path.relative_to(it.folder)}"
                if not name.isprintable():
                    raise _not_kept(path, "its name has characters that cannot be printed")
                found[name] = _read(path)
    return found


def _parts(kind: str, name: str, folder: Path, target: Target) -> Iterator[Path]:
    copied = [pattern for entry in target.descriptor.get("copies", ()) for pattern in entry["files"]
              if entry["from"] in (kind, kind.removesuffix("s"))]
    needed = [file.replace("{id}", name) for file in target.needs.get(kind.removesuffix("s"), ())]
    found = {path for pattern in copied for path in folder.glob(pattern)}
    found |= {folder / file for file in (f"{kind.removesuffix('s')}.json", "reference.py", *needed)}
    yield from (path for path in sorted(found) if path.is_file())


def _whole(target: Target) -> list[Path]:
    try:
        return list(files_of(target.folder))
    except OSError as error:
        raise WeirError(os_error(error, f"read {error.filename}")) from None


def _read(path: Path) -> bytes:
    with trying(f"read {path}"):
        data = read_bounded(path, MAX_BYTES)
    if len(data) > MAX_BYTES:
        raise _not_kept(path, f"it is larger than {MAX_BYTES} bytes")
    return data


def _not_kept(path: Path, why: str) -> WeirError:
    return WeirError(diagnostic("E_FILE_IO", "", f"a run cannot keep {str(path)!r}: {why}",
                                "move files that are not source code to another folder: a run keeps its sources"))
