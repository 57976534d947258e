"""GNU Radio's blocks in a project that GNU Radio runs: ports for their parameters, and the blocks to choose from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from weir import __version__
from weir.diagnostics import Diagnostic, Fix, WeirError, diagnostic, pointer
from weir.engine.generation.kept import AnswerCache
from weir.interop.grc.expressions.evaluation import Namespace
from weir.interop.grc.importing.building import OUTPUT_BUFFERS, hosted
from weir.interop.grc.importing.parts import Part
from weir.interop.grc.importing.variables import Variables
from weir.interop.grc.names import identifier
from weir.interop.grc.reading.block_files import (
    BlockFile,
    PortsUnknown,
    block_file,
    block_files,
    categories,
    hidden,
    is_described,
    ports_of,
    stated_ports,
    tree_files,
)
from weir.interop.grc.reading.flowgraph import Flowgraph, GrcBlock, read_flowgraph
from weir.model.flowgraph.gnuradio import MESSAGE
from weir.model.flowgraph.replacing import is_gone
from weir.model.planning.plan import digest

_CATALOGS = AnswerCache("gnuradio_blocks", 4)
SIDES = ("inputs", "outputs")


def grc_block(entry: Mapping[str, Any], flow: Flowgraph | None) -> GrcBlock:
    """Return the block of GNU Radio that an entry of a project describes."""
    said = entry["gnuradio"]
    original = flow.by_name.get(said["name"]) if flow else None
    file = block_file(said["type"])
    names = {identifier(it.id): it.id for it in file.parameters} if file else {}
    if original and original.id == said["type"]:
        names |= {identifier(name): name for name in original.parameters}
    parameters = {names.get(key, key): str(value) for key, value in entry.get("parameters", {}).items()}
    return GrcBlock(said["name"], said["type"], parameters, original.states if original else {})


class Hosted:
    """Blocks of a project that GNU Radio runs. Executes nothing."""

    def __init__(self, document: Mapping[str, Any]):
        self.entries = [(number, entry) for number, entry in enumerate(document["graph"]["blocks"])
                        if "gnuradio" in entry]
        self.flow: Flowgraph | None
        try:
            self.flow = read_flowgraph(document["gnuradio"]["flowgraph"])
            self.names = Variables(self.flow).namespace
        except WeirError:
            self.flow, self.names = None, Namespace({})

    def changed_ports(self) -> Iterator[Diagnostic]:
        """Yield a warning, with the fix, for each block whose ports do not match its parameters."""
        for number, entry in self.entries:
            said, block = entry["gnuradio"], grc_block(entry, self.flow)
            try:
                part = hosted(block, "", *ports_of(block, self.names)).parts[0]
            except PortsUnknown:
                continue
            wanted = {side: (part.gnuradio or {}).get(side, []) for side in SIDES}
            if all(_plain(said.get(side, ())) == _plain(wanted[side]) for side in SIDES):
                continue
            at = pointer("graph", "blocks", number, "gnuradio")
            kept = {key: value for key, value in said.items() if key not in SIDES}
            differ = (f"{_counted(wanted)}, but the project states {_counted(said)}"
                      if _counted(wanted) != _counted(said) else "ports of other types")
            yield diagnostic("W_BLOCK_PORTS", at,
                             f"with its parameters, `{entry['id']}` ({said['type']}) has {differ}",
                             fixes=[Fix("Use these ports", at, "set",
                                        kept | {side: ports for side, ports in wanted.items() if ports})])

    def unknown(self) -> Iterator[Diagnostic]:
        """Yield a warning for each type of block that no installed block file describes, if GNU Radio is installed."""
        found: dict[str, list[tuple[int, str]]] = {}
        for number, entry in self.entries if block_files() else ():
            kind = entry["gnuradio"]["type"]
            if entry.get("state") != "disabled" and not (is_described(kind) or is_gone(kind)):
                found.setdefault(kind, []).append((number, entry["id"]))
        for kind, blocks in found.items():
            yield diagnostic("W_BLOCK_FILE", pointer("graph", "blocks", blocks[0][0]),
                             f"no installed block file describes `{kind}`, the type of "
                             + ", ".join(f"`{name}`" for _, name in blocks))

    def hidden(self) -> dict[str, list[str]]:
        """Return for each block the parameters that Companion hides for the values of the others."""
        found = {entry["id"]: [identifier(name) for name in hidden(grc_block(entry, self.flow), self.names)]
                 for _, entry in self.entries}
        return {name: parameters for name, parameters in found.items() if parameters}


def _plain(ports: Any) -> list[tuple]:
    return [(it["id"], it["key"], it["type"], it.get("optional", False)) for it in ports]


def _counted(ports: Mapping[str, Any]) -> str:
    sides = [(len(ports.get(side, ())), side) for side in SIDES]
    return " and ".join(f"{count} {side if count != 1 else side[:-1]}" for count, side in sides)


def catalog() -> list[dict[str, Any]]:
    """Return all blocks of the installed GNU Radio that a project can have, for `weir catalog --gnuradio`."""
    read = [*block_files().values(), *tree_files()]
    key = digest([__version__, *OUTPUT_BUFFERS, *(_stamp(path) for path in read)])
    kept = _CATALOGS.load(key)
    if isinstance(kept, list):
        return kept
    where, found = categories(), []
    for block_id in block_files():
        file = block_file(block_id)
        if file and (file.inputs or file.outputs):
            found.append(_described(block_id, file, file.category or where.get(block_id, "")))
    _CATALOGS.store(key, found)
    return found


def _stamp(path: Path) -> list[Any]:
    try:
        about = path.stat()
    except OSError:
        return [str(path)]
    return [str(path), about.st_size, about.st_mtime_ns]


def _buffers(part: Part) -> list[dict[str, Any]]:
    """Return the parameters of output buffers, which Companion adds to each block."""
    if all(port["type"] == MESSAGE for port in (part.gnuradio or {}).get("outputs", ())):
        return []
    return [{"id": key, "key": key, "label": label, "dtype": "int", "default": "0", "options": [], "option_labels": [],
             "hide": "part", "category": "Advanced"}
            for key, label in zip(OUTPUT_BUFFERS, ("Min Output Buffer", "Max Output Buffer"))]


def _described(block_id: str, file: BlockFile, category: str) -> dict[str, Any]:
    defaults = {it.id: it.default or next(iter(it.options), "") if it.dtype == "enum" else it.default
                for it in file.parameters}
    block = GrcBlock(block_id, block_id, defaults)
    try:
        inputs, outputs = ports_of(block, Namespace({}))
    except PortsUnknown:
        inputs, outputs = stated_ports(file)
    part = hosted(block, file.label, inputs, outputs).parts[0]
    said = {key: value for key, value in (part.gnuradio or {}).items() if key != "name"}
    return {"id": block_id, "label": file.label or block_id, "category": category.replace("[Core]/", ""),
            "documentation": file.documentation.strip(), "flags": list(file.flags),
            "parameters": [{"id": it.id, "key": identifier(it.id), "label": it.label, "dtype": it.dtype,
                            "default": defaults[it.id], "options": list(it.options),
                            "option_labels": list(it.option_labels), "hide": it.hide, "category": it.category}
                           for it in file.parameters] + _buffers(part),
            "entry": {"type": part.type, "parameters": part.parameters, "gnuradio": said}}
