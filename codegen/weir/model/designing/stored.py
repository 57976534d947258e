"""Designs stored beside taps, in `ui.designs` of a project: `block.parameter` -> design."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from weir.diagnostics import Diagnostic, diagnostic, did_you_mean, pointer
from weir.model.catalog import Catalog
from weir.model.designing.design import Design, read_design
from weir.model.document.item_types import F32_MAX
from weir.model.document.project import Project
from weir.model.document.values import Evaluator, Path_

#: Relative to the largest tap: files may hold rounded taps, for example with six decimals.
TOLERANCE = 5e-6


@dataclass(frozen=True)
class Stored:
    """Taps stored in a block. `taps` is None if they are no list of numbers; `problems` then says why, if known."""

    path: Path_
    taps: tuple[float, ...] | None
    problems: tuple[Diagnostic, ...] = ()


def stored_taps(project: Project, name: str) -> Stored | None:
    """Return the taps of `block.parameter`, None if the project has no such block."""
    block, _, parameter = name.partition(".")
    for i, entry in enumerate(project.document["graph"]["blocks"]):
        if entry["id"] == block:
            path = ("graph", "blocks", i, "parameters", parameter)
            values = entry.get("parameters", {}).get(parameter)
            evaluator = project.evaluator()
            taps = _numbers(evaluator, values, path)
            return Stored(path, taps, tuple(evaluator.diagnostics))
    return None


def _numbers(evaluator: Evaluator, values: Any, path: Path_) -> tuple[float, ...] | None:
    values = [evaluator.literal(v, (*path, i)) for i, v in enumerate(values)] if isinstance(values, list) else []
    right = values and all(isinstance(v, (int, float)) and not isinstance(v, bool) and abs(v) <= F32_MAX
                           for v in values)
    return tuple(values) if right else None


def gives(design: Design, taps: Sequence[float] | None) -> bool:
    """Return whether the design gives these taps up to rounding. A design with another number of taps is not computed.
    """
    if taps is None or design.count() != len(taps):
        return False
    allowed = TOLERANCE * max(map(abs, taps))
    return all(abs(a - b) <= allowed for a, b in zip(design.taps(), taps))


def entry_of(document: Mapping[str, Any], name: str) -> Any:
    """Return the entry of `ui.designs` for a name, None if there is none. The entry is unchecked and may have any type.
    """
    return _designs(document).get(name)


def _designs(document: Mapping[str, Any]) -> dict[str, Any]:
    ui = document.get("ui")
    designs = ui.get("designs") if isinstance(ui, dict) else None
    return designs if isinstance(designs, dict) else {}


def changed_taps(project: Project, catalog: Catalog) -> list[Diagnostic]:
    """Warn about each design that does not yield the taps beside it. Designs of missing blocks are ignored."""
    found = []
    for name, entry in _designs(project.document).items():
        stored = stored_taps(project, name)
        if stored is None:
            continue
        design, problems = read_design(entry, project.evaluator(), ("ui", "designs", name))
        if design is not None and gives(design, stored.taps) or project.broken:
            continue
        if not stored.taps:
            message, hint = _without_taps(project, catalog, stored.path)
            found.append(diagnostic("W_DESIGN", pointer(*stored.path[:3]), message, hint))
            continue
        message = (f"the design of the stored taps is invalid: {problems[0].message}" if problems else
                   "the stored taps differ from the taps that their design gives")
        found.append(diagnostic("W_DESIGN", pointer(*stored.path), message))
    return found


def _without_taps(project: Project, catalog: Catalog, path: Path_) -> tuple[str, str]:
    """Return the message for a design whose parameter does not exist or has no numbers, and a hint, "" for the usual
    one.
    """
    block, parameter = project.document["graph"]["blocks"][path[2]], str(path[-1])
    type_ = catalog.blocks.get(block["type"])
    known = [it.id for it in type_.parameters if it.type == "f32_list"] if type_ else []
    if parameter in known:
        return f"`{block['id']}` has a design for `{parameter}`, but this parameter is no list of numbers", ""
    return (f"`{block['id']}` has a design for `{parameter}`, which is no parameter for taps",
            did_you_mean(parameter, known) or "remove the design from ui.designs")
