"""Import of a GNU Radio Companion flowgraph as a project."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from weir.diagnostics import WeirError, diagnostic
from weir.interop.grc.buses import with_streams
from weir.interop.grc.importing.building import NotBuilt, build, hosted, stub
from weir.interop.grc.importing.byte_types import conversion, decide_bytes
from weir.interop.grc.importing.deployments import deployments, run_settings, slowest
from weir.interop.grc.importing.message_keys import with_message_keys
from weir.interop.grc.importing.no_longer import no_longer
from weir.interop.grc.importing.parts import Built, Part
from weir.interop.grc.importing.rates import flat_out, rate_keepers
from weir.interop.grc.importing.signatures import Signature, signature
from weir.interop.grc.importing.standins import stand_in
from weir.interop.grc.importing.variables import Variables, drawn, is_variable
from weir.interop.grc.importing.wires import Streams, Wire
from weir.interop.grc.names import identifier, label, unique
from weir.interop.grc.notes import above, note_of, note_on
from weir.interop.grc.reading.block_files import GrcPort, PortsUnknown, block_file, ports_of
from weir.interop.grc.reading.flowgraph import Flowgraph, GrcBlock
from weir.interop.grc.report import Report
from weir.interop.grc.table import elided, no_streams
from weir.model.catalog import Catalog
from weir.sure import sure

_LONGEST_TEXT = 100_000
_APART = 90  # between the parts of a block, in units of the canvas


@dataclass(frozen=True)
class Options:
    """Options of an import. `stubs`: `keep` leaves unknown blocks as stubs, `copy` replaces them by blocks that move as
    many items, `host` leaves every block as GNU Radio's own.

    `ports`: known ports of unknown blocks, by name; None reads the block files of an installed GNU Radio. `files`:
    `keep` leaves the paths of recordings unchanged, `random` replaces unreadable ones by a random source. `unread`:
    returns why a block, by its name, cannot read a path; "" if it can.
    """

    stubs: str = "keep"
    ports: Mapping[str, Signature] | None = None
    files: str = "keep"
    unread: Callable[[str, str], str] = lambda name, path: ""


@dataclass
class Imported:
    """Imported project. `made`: name in the flowgraph -> its translation. `ids`: (name, part) -> block of the project.

    `wires`: the project's connections, each with the connections of the flowgraph that it replaces.
    """

    document: dict[str, Any]
    report: Report
    made: dict[str, Built]
    ids: dict[tuple[str, str], str]
    wires: list[Wire]
    variables: Variables
    is_wire: Callable[[GrcBlock], bool]


def import_flowgraph(flow: Flowgraph, catalog: Catalog, options: Options = Options()) -> Imported:
    """Return the project for a flowgraph, with the report. Raises WeirError (E_GRC_HOST) if GNU Radio 3.10 shall run a
    flowgraph of GNU Radio 4.
    """
    if flow.is_gr4 and options.stubs == "host":
        raise WeirError(diagnostic("E_GRC_HOST", "", "GNU Radio 3.10 cannot run a flowgraph of GNU Radio 4"))
    flow = with_message_keys(with_streams(flow))
    return _Importer(flow, catalog, options).result()


def import_to_run(flow: Flowgraph, catalog: Catalog, options: Options) -> Imported:
    """Return a project of Weir's blocks if Weir has all enabled ones, else a project of GNU Radio's own blocks. The
    project for a flowgraph of GNU Radio 4 always has Weir's blocks.
    """
    if flow.is_gr4:
        return import_flowgraph(flow, catalog, options)
    flow = with_message_keys(with_streams(flow))
    made = import_flowgraph(flow, catalog, options)
    stubs = any(built.stub and flow.by_name[name].state == "enabled" for name, built in made.made.items())
    messages = any(not c.is_stream for c in flow.connections)
    return import_flowgraph(flow, catalog, replace(options, stubs="host")) if stubs or messages else made


class _Importer:
    def __init__(self, flow: Flowgraph, catalog: Catalog, options: Options):
        self.flow, self.catalog, self.options = flow, catalog, options
        self.report = Report()
        self.streams = Streams(flow, options.stubs == "host")
        self.drawn = drawn(flow) if options.stubs == "host" else set()
        self.variables = Variables(flow, self.drawn)
        self.by_name = flow.by_name
        self.made: dict[str, Built] = {}
        self.ids: dict[tuple[str, str], str] = {}
        self.notes: dict[str, Any] = {}
        self.ports: dict[str, Signature] = {}
        self.random: list[str] = []
        self.taken: set[str] = set()

    def result(self) -> Imported:
        for remark in self.flow.remarks:
            self.report.add(remark.outcome, "setting", remark.setting, reason=remark.reason)
        for block in self.flow.blocks:
            if self.by_name[block.name] is not block:
                self.report.add("dropped", "block", block.name, block.id, (), "another block has the same name")
            elif self.options.stubs == "host":
                self.host(block)
            elif not is_variable(block.id):
                self.take(block)
        wires = self.wires()
        if self.options.stubs != "host":
            self.close_open_ports(wires)
            wires = self.with_rates(wires)
        parts = {self.ids[name, part.name]: part for name, built in self.made.items() for part in built.parts}
        decide_bytes(parts, [wire.ends for wire in wires], self.catalog)
        wires = self.with_conversions(wires, parts)
        used_by = [values for part in parts.values() for values in (part.parameters, *part.designs.values())]
        parameters = (self.variables.every_parameter(self.report) if self.options.stubs == "host" else
                      self.variables.parameters(used_by, self.report))
        document = self.document(wires, parameters)
        return Imported(document, self.report, self.made, self.ids, wires, self.variables,
                        self.streams.is_wire)

    def take(self, block: GrcBlock) -> None:
        inputs, outputs = self.streams.ports(block.name)
        if reason := elided(block.id):
            self.report.add("kept", "block", block.name, block.id, (), reason)
        elif not inputs and not outputs:
            self.leave(block)
        else:
            built = self.built(block, inputs, outputs)
            if built:
                self.place(block, built)

    def host(self, block: GrcBlock) -> None:
        """Take a block as GNU Radio's own. One without ports stays in the stored flowgraph."""
        if is_variable(block.id) and block.name not in self.drawn:
            return  # every_parameter() reports it
        if self.streams.is_wire(block):
            self.report.add("kept", "block", block.name, block.id, (), sure(elided(block.id)))
            return
        note = ""
        try:
            inputs, outputs = ports_of(block, self.variables.namespace)
        except PortsUnknown as error:
            inputs, outputs = [], []
            note = f"ports from its connections: {error}"
        lacking = self.add_lacking(block.name, inputs, outputs)
        if lacking and not note:
            note = f"ports from its connections: {block.id} has no {lacking} here"
        if not inputs and not outputs:
            self.leave(block)
            return
        described = block_file(block.id)
        if described and self.flow.remarks:  # a translated flowgraph
            note = "; ".join(filter(None, (note, no_longer(block, described))))
        built = hosted(block, described.label if described else "", inputs, outputs)
        built.note = note
        self.place(block, built)

    def add_lacking(self, name: str, inputs: list[GrcPort], outputs: list[GrcPort]) -> str:
        """Add the ports that only connections name, as those of another version of the block, and return them in words.
        """
        added: list[str] = []
        for side, ports, streams, keys in zip(("input", "output"), (inputs, outputs), self.streams.ports(name),
                                              self.streams.message_keys(name)):
            there = {it.key for it in ports}
            more = [GrcPort(str(i), "", optional=True) for i in range(max(streams, default=-1) + 1)]
            more += [GrcPort(key, "message") for key in sorted(keys)]
            ports += (new := [it for it in more if it.key not in there])
            added += [f"{side} `{it.key}`" for it in new]
        return " and no ".join(added)

    def leave(self, block: GrcBlock) -> None:
        """Leave a block without streams out. It stays in the stored flowgraph, which the export uses."""
        if note := note_of(block):
            self.notes[identifier(block.name)] = note
            self.report.add("kept", "block", block.name, block.id, (), "a note on the canvas")
            return
        if self.options.stubs == "host":
            self.report.add("kept", "block", block.name, block.id, (), "GNU Radio runs it; it has no ports, so the "
                                                                       "canvas does not show it")
            return
        reason = no_streams(block.id) or ("it has only message connections" if self.streams.has_messages(block.name)
                                          else "it has no connections")
        if self.flow.is_gr4:
            self.notes[unique(identifier(block.name), self.notes)] = note_on(block)
            reason += "; the canvas shows it as a note"
        self.report.add("dropped", "block", block.name, block.id, (), reason)

    def built(self, block: GrcBlock, inputs: set[int], outputs: set[int]) -> Built | None:
        try:
            return self.with_files(block.name, build(block, self.variables.values, self.catalog, inputs, outputs))
        except NotBuilt as error:
            reason = no_streams(block.id) or str(error)
        if block.state == "disabled":
            self.report.add("dropped", "block", block.name, block.id, (), f"it is disabled, and {reason}")
            return None
        if self.options.stubs == "copy":
            try:
                known = (signature(block, self.variables.namespace) if self.options.ports is None else
                         self.options.ports.get(block.name))
                built = stand_in(block, known, self.variables.values, self.streams)
                self.ports[block.name] = sure(known)
                return built
            except NotBuilt as error:
                reason = f"{reason}; {error}"
        kind = identifier(re.sub(r"\W+", "_", block.id).strip("_"))
        return stub(block, f"grc_{kind}"[:64] if kind in self.catalog.blocks else kind, inputs, outputs, reason)

    def with_files(self, name: str, built: Built) -> Built:
        """Replace an unreadable recording by random items, or report this option."""
        for i, part in enumerate(built.parts):
            paths = [str(part.parameters[p.id]) for p in self.catalog.blocks[part.type].parameters
                     if p.access == "read" and p.id in part.parameters]
            why = next(filter(None, (self.options.unread(name, path) for path in paths)), "")
            if why and self.options.files == "random":
                built.parts[i] = Part(part.name, "random_source", part.item_type)
                built.reason, built.rule = f"differs in its items, which are random: {why}", None
                self.random.append(name)
            elif why:
                built.note = f"{why}; `weir import --files random` replaces it by a random source"
        return built

    def place(self, block: GrcBlock, built: Built) -> None:
        self.made[block.name] = built
        base = identifier(block.name)
        primary = built.parts[-1].name if "" not in [part.name for part in built.parts] else ""
        for part in sorted(built.parts, key=lambda part: part.name != primary):
            name = base if part.name == primary else identifier(f"{base[:50]}_{part.name}")
            self.ids[block.name, part.name] = self.new_id(name)
        became = tuple(self.ids[block.name, part.name] for part in built.parts)
        types = ", ".join(dict.fromkeys(part.type for part in built.parts))
        if built.stub and not built.parts[0].gnuradio:
            self.report.add("stubbed", "block", block.name, block.id, became, built.reason)
        elif built.reason:
            self.report.add("replaced", "block", block.name, block.id, became, f"{types}: {built.reason}")
        else:
            self.report.add("kept", "block", block.name, block.id, became, built.note)

    def new_id(self, wanted: str) -> str:
        own = unique(wanted, self.taken)
        self.taken.add(own)
        return own

    def wires(self) -> list[Wire]:
        wires, messages = [], self.streams.message_count
        for name, part_wires in ((name, built.wires) for name, built in self.made.items()):
            wires += [Wire((self.ids[name, a], p, self.ids[name, b], q), ()) for a, p, b, q in part_wires]
        for path in self.streams.paths():
            source, target = self.made.get(path.src), self.made.get(path.dst)
            if source is None or target is None:
                continue
            out, into = source.outputs.get(path.src_port), target.inputs.get(path.dst_port)
            if out is None or into is None:
                self.report.add("dropped", "connection", path.text, reason="the block has no such port in Weir")
                continue
            wires += [Wire((self.ids[path.src, out[0]], out[1], self.ids[path.dst, part], port), path.via)
                      for part, port in into]
        for text in self.streams.seconds():
            self.report.add("dropped", "connection", text, reason="another connection feeds the same input")
        for text in self.streams.on_device():
            self.report.add("dropped", "connection", text, reason="it is on the device, which is not there")
        if self.options.stubs == "host":
            wires += self.message_wires()
        elif messages:
            self.report.add("dropped", "connection", f"{messages} message connection{'s' * (messages > 1)}",
                            reason="Weir supports only streams of items")
        return wires

    def message_wires(self) -> Iterator[Wire]:
        """Yield the connections of messages, followed through virtual blocks."""
        for first, last, via in self.streams.message_paths():
            ends = [(self.made.get(first.src), first.src, first.src_port, "outputs"),
                    (self.made.get(last.dst), last.dst, last.dst_port, "inputs")]
            found = [(self.ids[name, ""], it["id"]) for built, name, port, side in ends if built
                     for it in sure(built.parts[0].gnuradio).get(side, ()) if it["key"] == port]
            if len(found) == 2:
                yield Wire((*found[0], *found[1]), via)
            else:
                self.report.add("dropped", "connection",
                                f"{first.src}:{first.src_port} -> {last.dst}:{last.dst_port}",
                                reason="a block has no such port")

    def close_open_ports(self, wires: list[Wire]) -> None:
        """Close open ports, which GNU Radio permits for some blocks: discard open outputs, and feed zeros to open
        inputs.
        """
        named = {end for a, p, b, q in (wire.ends for wire in wires) for end in ((a, p, "out"), (b, q, "in"))}
        for name, built in self.made.items():
            if self.by_name[name].state == "disabled":
                continue
            for part in list(built.parts):
                kind, own = self.catalog.blocks.get(part.type), self.ids[name, part.name]
                for port in kind.outputs if kind else ():
                    if (own, port.id, "out") not in named:
                        self.close(wires, name, (own, port.id), "null_sink", port.item_type(part.item_type))
                for port in kind.inputs if kind else ():
                    if (own, port.id, "in") not in named and port.id in built.optional_inputs:
                        self.close(wires, name, (own, port.id), "null_source", port.item_type(part.item_type))

    def close(self, wires: list[Wire], name: str, end: tuple[str, str], kind: str, item_type: str | None) -> None:
        part = Part(f"open_{end[0]}_{end[1]}", kind, item_type)
        self.made[name].parts.append(part)
        own = self.ids[name, part.name] = self.new_id(identifier(f"{end[0][:40]}_{end[1]}_open"))
        wires.append(Wire((*end, own, "in") if kind == "null_sink" else (own, "out", *end), ()))

    def with_rates(self, wires: list[Wire]) -> list[Wire]:
        """Insert a throttle behind each source that would otherwise run flat out beside a part that keeps a rate."""
        def enabled(name: str) -> bool:
            return self.by_name[name].state == "enabled"

        keeper = slowest(rate_keepers(self.made, enabled), self.variables)
        for name, source in list(flat_out(self.made, self.ids, wires, enabled)) if keeper else ():
            like, kept = sure(keeper)
            own = self.ids[name, source.name]
            part = Part(f"rate_{own}", "throttle", source.item_type,
                        {key: value for key, value in kept.parameters.items() if key in ("rate", "burst_items")})
            self.made[name].parts.append(part)
            paced = self.ids[name, part.name] = self.new_id(identifier(f"{own[:50]}_rate"))
            wires = [Wire((paced, *wire.ends[1:]), wire.via) if wire.ends[0] == own else wire for wire in wires]
            via = tuple(sorted({number for wire in wires if wire.ends[0] == paced for number in wire.via}))
            wires.append(Wire((own, "out", paced, "in"), via))
            self.report.extend(name, paced, f"at the rate of {like}")
        return wires

    def with_conversions(self, wires: list[Wire], parts: Mapping[str, Part]) -> list[Wire]:
        """Insert conversions between u8 and i8, one for all readers of a port that need it."""
        owners = {own: name for (name, _), own in self.ids.items()}
        made: list[Wire] = []
        for wire in wires:
            kind = conversion(parts, wire.ends, self.catalog)
            if kind is None:
                made.append(wire)
                continue
            src, out, dst, into = wire.ends
            key = owners[src], f"bytes_{src}_{out}"
            if key not in self.ids:
                self.made[key[0]].parts.append(Part(key[1], kind))
                self.ids[key] = self.new_id(identifier(f"{src[:40]}_{out}_bytes"))
            own = self.ids[key]
            made += [Wire((src, out, own, "in"), wire.via), Wire((own, "out", dst, into), wire.via)]
        return list({wire.ends: wire for wire in reversed(made)}.values())[::-1]

    def document(self, wires: list[Wire], parameters: Mapping[str, Any]) -> dict[str, Any]:
        options = self.flow.options.parameters
        blocks: list = []
        positions: dict = {}
        designs: dict = {}
        for name, built in self.made.items():
            at = self.by_name[name].position
            for i, part in enumerate(built.parts):
                own = self.ids[name, part.name]
                blocks.append(self.entry(self.by_name[name], part, own))
                positions[own] = [at[0], at[1] + _APART * (len(built.parts) - 1 - i)]
                designs |= {f"{own}.{parameter}": design for parameter, design in part.designs.items()}
        document: dict[str, Any] = {
            "schema_version": 1, "name": label(options.get("id") or "flowgraph"),
            "title": (options.get("title") or options.get("id") or "")[:_LONGEST_TEXT],
            "description": (options.get("description") or "")[:_LONGEST_TEXT]}
        if parameters:
            document["parameters"] = dict(parameters)
        document["graph"] = {"blocks": blocks, "connections": [list(wire.ends) for wire in wires]}
        document["deployments"] = deployments(self.flow, self.made, self.ids, wires, self.variables, self.report)
        document["run"] = run_settings(self.made, self.variables)
        if self.options.stubs == "host":
            document["deployments"] = [{"name": "gnuradio", "scheduler": self.catalog.gnuradio_scheduler()} | {
                key: it for key, it in document["deployments"][0].items() if key == "affinity"}]
            document["run"] = {"items": 0, "timeout_s": 10}
        notes = above(self.notes, positions.values()) if self.flow.is_gr4 else self.notes
        document["ui"] = {"positions": positions} | {
            kind: parts for kind, parts in (("notes", notes), ("designs", designs)) if parts}
        kept: dict[str, Any] = {"flowgraph": self.flow.as_json()}
        if self.options.stubs == "copy":
            kept |= {"stubs": self.options.stubs, "ports": {name: s.as_json() for name, s in self.ports.items()}}
        if self.random:
            kept["random"] = self.random
        if self.flow.is_gr4:  # the export writes files of 3.10, which have no part of this one
            return document
        document["gnuradio" if self.options.stubs == "host" else "x_grc"] = kept
        return document

    def entry(self, block: GrcBlock, part: Part, own: str) -> dict[str, Any]:
        entry: dict[str, Any] = {"id": own, "type": part.type}
        parameters = ({"item_type": part.item_type} if part.item_type else {}) | part.parameters
        if parameters:
            entry["parameters"] = parameters
        if block.state != "enabled":
            entry["state"] = block.state
        if comment := block.parameters.get("comment", ""):
            entry["comment"] = comment[:_LONGEST_TEXT]
        if part.gnuradio:
            return entry | {"gnuradio": part.gnuradio}
        entry["x_grc"] = {"block": block.name} | ({"part": part.name} if part.name else {})
        return entry
