"""Export of a project as a flowgraph of GNU Radio Companion.

Imported parts return unchanged. The project keeps the original flowgraph under `x_grc`. The export imports it again and
applies only the differences between that import and the current project.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from weir.diagnostics import WeirError
from weir.interop.grc.buses import with_buses, with_streams
from weir.interop.grc.exporting.designs import calls_of
from weir.interop.grc.exporting.native import translate
from weir.interop.grc.exporting.options import options_of, report_unsupported_settings
from weir.interop.grc.exporting.python_text import Spelling
from weir.interop.grc.exporting.returning import Returned, Returning, positions_before, returned_block, settings_before
from weir.interop.grc.exporting.settings import Settings, needs_plan, settings_of
from weir.interop.grc.exporting.units import Unit, stored, units_of
from weir.interop.grc.exporting.variables_back import export_variables
from weir.interop.grc.exporting.writing import in_order
from weir.interop.grc.importing.building import OUTPUT_BUFFERS
from weir.interop.grc.importing.hosting import grc_block
from weir.interop.grc.importing.importer import Imported, Options, import_flowgraph
from weir.interop.grc.importing.signatures import Signature
from weir.interop.grc.names import identifier, python_name
from weir.interop.grc.notes import new_notes, note_back
from weir.interop.grc.reading.flowgraph import Flowgraph, GrcBlock, GrcConnection, read_flowgraph, states_of
from weir.interop.grc.report import Report
from weir.model.check import Checked
from weir.model.document.deployment import Deployment
from weir.model.planning.plan import Plan
from weir.sure import sure

_APART = 90  # between the parts of a block, in units of the canvas


@dataclass
class Exported:
    """Exported flowgraph, with a report on each part of the project."""

    flow: Flowgraph
    report: Report


def export_project(checked: Checked, deployment: Deployment, plan: Plan | None) -> Exported:
    """Export a project. Raises WeirError if the project is invalid, except for faults that it was imported with.
    `plan`: for CPU settings that need one.
    """
    return _Exporter(checked, deployment, plan).result()


def kept_flowgraph(checked: Checked, report: Report) -> tuple[Flowgraph, Imported] | tuple[None, None]:
    """Return the original flowgraph of the project, with buses as streams, and the result of importing it again."""
    kept = stored(checked.loaded().document)
    if kept is None:
        return None, None
    try:
        if not isinstance(kept, dict) or not isinstance(kept.get("flowgraph"), dict):
            raise WeirError([])
        flow = with_streams(read_flowgraph(kept["flowgraph"]))
    except WeirError:
        report.add("dropped", "setting", "x_grc", reason="the original is no longer a flowgraph, so the export uses "
                                                         "the project alone")
        return None, None
    random = kept.get("random") if isinstance(kept.get("random"), list) else []
    options = Options(files="random", unread=lambda name, path: "the original does not "
                                                                "exist" if name in sure(random) else "")
    if kept.get("stubs") == "copy":
        ports = kept.get("ports") if isinstance(kept.get("ports"), dict) else {}
        known = {name: found for name, value in sure(ports).items() if (found := Signature.read(value))}
        options = replace(options, stubs="copy", ports=known)
    if "gnuradio" in checked.loaded().document:
        options = replace(options, stubs="host")
    return flow, import_flowgraph(flow, checked.catalog, options)


class _Exporter:
    def __init__(self, checked: Checked, deployment: Deployment, plan: Plan | None):
        self.checked, self.deployment = checked, deployment
        self.report = Report()
        self.units, self.wires = units_of(checked)
        self.base: Flowgraph | None
        self.again: Imported | None
        self.base, self.again = kept_flowgraph(checked, self.report)
        self.positions = positions_before(checked.loaded().document, self.again)
        self.settings = settings_of(deployment, plan, needs_plan(deployment, checked), self.report)
        self.before = settings_before(self.again) if self.again else Settings()
        self.taken: set[str] = {block.name for block in self.base.blocks} if self.base else set()
        notes = checked.loaded().document.get("ui", {}).get("notes")
        self.notes: Mapping[str, Any] = notes if isinstance(notes, dict) else {}
        self.blocks: list[GrcBlock] = []
        self.connections: list[GrcConnection] = []
        self.ends: dict[tuple[str, str, str], tuple[str, int | str]] = {}  # unit, port, in or out -> block, key
        self.renamed: dict[str, str] = {}  # returning blocks -> their current names

    def result(self) -> Exported:
        project = self.checked.loaded()
        variables = export_variables(project, self.base, self.again, self.taken, self.report)
        items = project.document.get("run", {}).get("items", project.run.items)
        self.spelling = Spelling(variables.renamed, project.parameters, items)
        back = Returning(self.base, sure(self.again), self.units, self.wires, self.spelling) if self.base else None
        self.renamed |= {block.name: block.name for block in variables.blocks}  # some have message ports
        done: set[str] = set()
        for unit in self.units:
            name = back.names.get(unit.name) if back else None
            if name is None:
                self.put_new(unit)
            elif name not in done:
                done.add(name)
                self.put_back(name, sure(back).returned[name])
        if back:
            self.put_left_out(back)
        self.blocks += new_notes(self.notes, {identifier(b.name) for b in self.base.blocks if b.id == "note"}
                                 if self.base else set(), self.taken)
        self.connect(back)
        if variables.needs_math or self.spelling.needs_math:
            self.import_math()
        report_unsupported_settings(self.checked, self.deployment, self.report)
        options, metadata = options_of(self.checked, self.deployment, self.base, self.again)
        blocks = in_order((*variables.blocks, *self.blocks), self.base)
        flow = Flowgraph(options, tuple(blocks), tuple(self.connections), metadata)
        return Exported(with_buses(flow), self.report)

    def name_for(self, wanted: str) -> str:
        name = python_name(wanted, self.taken)
        self.taken.add(name)
        return name

    def put_back(self, name: str, back: Returned) -> None:
        now = name if back.main.name == back.own_id else self.name_for(back.main.name)
        self.renamed[name] = now
        position = self.positions.get(back.own_id)
        calls = {text: call for unit in back.units.values()
                 for text, call in calls_of(self.checked.loaded(), unit, self.spelling).items()}
        back = replace(back, texts=_by_calls(back.texts, calls))
        self.blocks.append(returned_block(back, now, position, self.advanced(name, back)))
        changed = f"as it came, with another {', '.join(sorted(back.texts))}" if back.texts else "as it came"
        outcome = "stubbed" if back.built.stub and not back.main.hosted else "kept"
        self.report.add(outcome, "block", back.main.name, back.main.type, (now,), changed)
        for number, targets in back.built.inputs.items():
            for part, port in targets:
                self.ends[back.units[part].name, port, "in"] = (now, number)
        for number, (part, port) in back.built.outputs.items():
            self.ends[back.units[part].name, port, "out"] = (now, number)
        self.add_ends(back.main, now)

    def add_ends(self, unit: Unit, name: str) -> None:
        """Note the ports that the project states for a block that GNU Radio runs."""
        for side, ports in (("in", "inputs"), ("out", "outputs")):
            for port in (unit.hosted or {}).get(ports, ()):
                self.ends[unit.name, port["id"], side] = (name, port["key"])

    def advanced(self, name: str, back: Returned) -> dict[str, str]:
        """Return affinity and buffers if they differ from the texts of the flowgraph."""
        texts: dict[str, str] = {}
        cpus = self.settings.cpus.get(back.main.name, [])
        if sorted(cpus) != sorted(self.before.cpus.get(back.own_id, [])):
            texts["affinity"] = str(list(cpus)) if cpus else ""
        now = max((self.settings.buffers.get(unit.name, 0) for unit in back.units.values()), default=0)
        then = max((self.before.buffers.get(sure(self.again).ids[name, part], 0) for part in back.units), default=0)
        if back.built.outputs and now != then:
            texts |= dict.fromkeys(OUTPUT_BUFFERS, str(now))
        return texts

    def put_new(self, unit: Unit) -> None:
        """Add a block of Weir that is new, or that cannot return unchanged."""
        if unit.hosted:
            self.put_hosted(unit, unit.hosted)
            return
        if unit.kind is None:
            self.put_stub(unit)
            return
        made = translate(unit.kind, unit.item_type, unit.parameters, self.spelling)
        calls = calls_of(self.checked.loaded(), unit, self.spelling)
        self.spelling.needs_math |= made.needs_math
        main = "" if any(part == "" for part, _, _ in made.parts) else made.parts[0][0]
        names = {part: self.name_for(unit.name if part == main else f"{unit.name}_{part}")
                 for part, _, _ in sorted(made.parts, key=lambda p: p[0] != main)}
        for i, (part, kind, parameters) in enumerate(made.parts):
            at = (sure(unit.position)[0], sure(unit.position)[1] + _APART * i)
            parameters = self.common(unit, part == main) | _by_calls(parameters, calls)
            self.blocks.append(GrcBlock(names[part], kind, parameters, states_of(at, unit.state)))
        self.connections += [GrcConnection(names[a], str(p), names[b], str(q)) for a, p, b, q in made.wires]
        for side, ports in (("in", made.inputs), ("out", made.outputs)):
            for port, (part, number) in ports.items():
                self.ends[unit.name, port, side] = (names[part], number)
        self.report.add("replaced" if made.reason else "kept", "block", unit.name, unit.type,
                        tuple(names[part] for part, _, _ in made.parts), made.reason or made.note)

    def put_hosted(self, unit: Unit, hosted: Mapping[str, Any]) -> None:
        """Add a block that GNU Radio runs."""
        name = self.name_for(hosted["name"])
        block = grc_block({"gnuradio": hosted, "parameters": unit.parameters}, self.base)
        sizes = self.common(unit, True)
        if self.settings.buffers.get(unit.name):
            block = replace(block, parameters={**block.parameters, **{key: sizes[key] for key in OUTPUT_BUFFERS}})
        self.blocks.append(GrcBlock(name, block.id, {**sizes, **block.parameters},
                                    {**block.states, **states_of(sure(unit.position), unit.state)}))
        self.add_ends(unit, name)
        self.report.add("kept", "block", unit.name, unit.type, (name,), "a new block of GNU Radio")

    def put_stub(self, unit: Unit) -> None:
        """Add a block of a type that the catalog lacks, because GNU Radio may know it."""
        base = self.base.by_name.get(unit.origin[0]) if self.base and unit.origin else None
        name = self.name_for(unit.name)
        texts = {key: value if isinstance(value, str) else self.spelling.text(value)
                 for key, value in unit.parameters.items()}
        known = dict(base.parameters) | {k: v for k, v in texts.items() if k in base.parameters} if base else texts
        self.blocks.append(GrcBlock(name, base.id if base else unit.type, self.common(unit, True) | known,
                                    states_of(sure(unit.position), unit.state)))
        self.report.add("stubbed", "block", unit.name, unit.type, (name,), "Weir does not know the block")
        for a, p, b, q in self.wires:
            for own, port, side in ((a, p, "out"), (b, q, "in")):
                if own == unit.name and port.removeprefix(side).isdigit():
                    self.ends[own, port, side] = (name, int(port.removeprefix(side)))

    def common(self, unit: Unit, main: bool) -> dict[str, str]:
        cpus = self.settings.cpus.get(unit.name, [])
        items = str(self.settings.buffers.get(unit.name, 0))
        return {"affinity": str(list(cpus)) if cpus else "", "alias": "", "comment": unit.comment if main else "",
                "minoutbuf": items, "maxoutbuf": items}

    def put_left_out(self, back: Returning) -> None:
        for was in back.left_out():
            block = note_back(was, self.notes)
            if block is None:
                continue
            self.blocks.append(block)
            self.renamed.setdefault(block.name, block.name)
            self.report.add("kept", "block", block.name, block.id, (block.name,), "as it came")

    def connect(self, back: Returning | None) -> None:
        kept, covered = back.connections(self.renamed) if back else ([], set())
        self.connections += kept
        covered |= back.inner if back else set()
        # Remove blocks that the import put at open ports.
        opened = {unit.name for returned in back.returned.values() for part, unit in returned.units.items()
                  if part.startswith("open_")} if back else set()
        there = {c.ends for c in self.connections}
        for wire in self.wires:
            if wire in covered or wire[0] in opened or wire[2] in opened:
                continue
            src, dst = self.ends.get((wire[0], wire[1], "out")), self.ends.get((wire[2], wire[3], "in"))
            if src is None or dst is None:
                self.report.add("dropped", "connection", ".".join(wire[:2]) + " -> " + ".".join(wire[2:]),
                                reason="one of its ends has no counterpart")
                continue
            connection = GrcConnection(src[0], str(src[1]), dst[0], str(dst[1]))
            if connection.ends not in there:
                there.add(connection.ends)
                self.connections.append(connection)

    def import_math(self) -> None:
        if not any(b.id == "import" and b.parameters.get("imports", "").strip() == "import math" for b in self.blocks):
            self.blocks.append(GrcBlock(self.name_for("import_math"), "import",
                                        {"alias": "", "comment": "", "imports": "import math"}, states_of((8, 100))))


def _by_calls(texts: Mapping[str, str], calls: Mapping[str, str]) -> dict[str, str]:
    return {name: calls.get(text, text) for name, text in texts.items()}
