"""GNU Radio calls that make the taps of a project, from the designs stored beside the taps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from weir.interop.grc.exporting.python_text import Spelling
from weir.interop.grc.exporting.units import Unit
from weir.interop.grc.expressions.taps import ARGUMENTS, WINDOWS
from weir.model.designing.design import RRC, Design, read_design
from weir.model.designing.fir import KAISER
from weir.model.designing.stored import entry_of, gives, stored_taps
from weir.model.document.project import Project
from weir.sure import sure


def calls_of(project: Project, unit: Unit, spelling: Spelling) -> dict[str, str]:
    """Return the text of a list of taps -> the equivalent call of `firdes`, for the unit's parameters with a design.

    Designs that give other taps are left out, and designs with a number of taps that the rules of `firdes` do not give.
    """
    found = {}
    block = unit.name.partition("[")[0].partition("@")[0]
    for parameter, value in unit.parameters.items():
        name = f"{block}.{parameter}"
        entry = entry_of(project.document, name)
        stored = stored_taps(project, name) if isinstance(entry, dict) and isinstance(value, list) else None
        design = read_design(entry, project.evaluator(), ("ui", "designs", name))[0] if stored else None
        if design is not None and gives(design, sure(stored).taps) and _is_theirs(design):
            found[spelling.text(value)] = _call(design, entry, spelling)
    return found


def _is_theirs(design: Design) -> bool:
    return replace(design, beta=design.window_beta()).count() == design.count() if design.window == KAISER else True


def _call(design: Design, entry: dict[str, Any], spelling: Spelling) -> str:
    texts = [spelling.text(entry.get(key, getattr(design, key))) for key in ARGUMENTS[design.kind].values()
             if key not in ("window", "beta")]
    if design.kind != RRC:
        texts.append("window." + next(theirs for theirs, ours in WINDOWS.items() if ours == design.window))
        if design.window == KAISER:
            texts.append(spelling.text(entry.get("beta", design.window_beta())))
    return f"firdes.{design.kind}({', '.join(texts)})"
