"""Export of a project's parameters as variables: imported ones with their new values, and new ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from weir.interop.grc.exporting.python_text import Spelling
from weir.interop.grc.importing.importer import Imported
from weir.interop.grc.importing.variables import is_variable
from weir.interop.grc.names import python_name
from weir.interop.grc.reading.flowgraph import Flowgraph, GrcBlock, states_of
from weir.interop.grc.report import Report
from weir.model.document.project import Project
from weir.sure import sure

_LIMITS = {"minimum": "start", "maximum": "stop"}
_COLUMNS, _WIDTH = 6, 130


@dataclass
class ExportedVariables:
    """Exported variables. `renamed`: names of the project's parameters in the flowgraph."""

    blocks: list[GrcBlock] = field(default_factory=list)
    renamed: dict[str, str] = field(default_factory=dict)
    needs_math: bool = False


def export_variables(project: Project, base: Flowgraph | None, again: Imported | None, taken: set[str],
                     report: Report) -> ExportedVariables:
    """Return the project's parameters as variables. Variables of `base` keep their blocks."""
    entries = {name: entry for name, entry in project.document.get("parameters", {}).items()
               if not name.startswith("x_")}
    shown = again.made if again else {}  # variables that are blocks of the project
    known = {block.name: block for block in base.by_name.values()
             if is_variable(block.id) and block.name not in shown} if base else {}
    made = ExportedVariables()
    came: dict[str, str] = {}
    for name, entry in entries.items():
        origin = entry.get("x_grc", {}).get("block") if isinstance(entry.get("x_grc"), dict) else None
        if origin in known and origin not in came:
            came[origin] = name
            made.renamed[name] = origin
        else:
            made.renamed[name] = python_name(name, taken)
            taken.add(made.renamed[name])
    if again:  # variables without a parameter stay, because other blocks may use them
        made.renamed |= {own: name for name, own in again.variables.renamed.items()
                         if own not in made.renamed and name in known}
    spelling = Spelling(made.renamed, project.parameters)
    for block in base.blocks if base else ():
        counts = sure(base).by_name[block.name] is block
        if is_variable(block.id) and not (counts and block.name in shown):
            own = came.get(block.name) if counts else None
            made.blocks.append(_changed(block, own, entries, sure(again), spelling, report))
    for i, name in enumerate(name for name in entries if made.renamed[name] not in came):
        at = [200 + _WIDTH * (i % _COLUMNS), 12 + 70 * (i // _COLUMNS)]
        parameters = {"comment": entries[name].get("description", ""), "value": spelling.text(entries[name]["value"])}
        made.blocks.append(GrcBlock(made.renamed[name], "variable", parameters, states_of(at)))
        report.add("kept", "variable", name, "", (made.renamed[name],), "")
    made.needs_math = spelling.needs_math
    return made


def _changed(block: GrcBlock, own: str | None, entries: Mapping[str, Mapping], again: Imported, spelling: Spelling,
             report: Report) -> GrcBlock:
    before = again.document.get("parameters", {}).get(own) if own else None
    parameters = dict(block.parameters)
    changed = []
    if before is not None:
        now = entries[sure(own)]
        if now.get("value") != before.get("value"):
            parameters["value"] = spelling.text(now["value"])
            changed.append("value")
        for key, theirs in _LIMITS.items():
            if theirs in parameters and key in now and now[key] != before.get(key):
                parameters[theirs] = spelling.text(now[key])
                changed.append(theirs)
    report.add("kept", "variable", own or block.name, block.id, (block.name,),
               f"as it came, with another {', '.join(changed)}" if changed else "as it came")
    return GrcBlock(block.name, block.id, parameters, block.states)
