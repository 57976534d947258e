"""Return of the original flowgraph: its blocks and connections that still exist in the project."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from weir.interop.grc.exporting.merging import changed_parameters
from weir.interop.grc.exporting.python_text import Spelling
from weir.interop.grc.exporting.settings import Settings
from weir.interop.grc.exporting.units import Ends, Unit, stored
from weir.interop.grc.importing.importer import Imported
from weir.interop.grc.importing.parts import Built
from weir.interop.grc.importing.variables import is_variable
from weir.interop.grc.reading.flowgraph import Flowgraph, GrcBlock, GrcConnection
from weir.sure import sure

_LONGEST_COMMENT = 100_000


@dataclass(frozen=True)
class Returned:
    """Block that returns as a whole: its current parts, and the texts that changed."""

    block: GrcBlock
    built: Built
    units: Mapping[str, Unit]
    texts: Mapping[str, str]
    own_id: str  # the import's name for its main part

    @property
    def main(self) -> Unit:
        """Return the unit of the main part, else the first unit."""
        return self.units.get("") or next(iter(self.units.values()))


class Returning:
    """Comparison of the project with its original. `flow`: the original flowgraph. `again`: the result of importing it
    again.
    """

    def __init__(self, flow: Flowgraph, again: Imported, units: Iterable[Unit], wires: Iterable[Ends],
                 spelling: Spelling):
        self.flow, self.again = flow, again
        there = set(wires)
        origins: dict[tuple[str, str], Unit] = {}
        for unit in units:
            if unit.origin and unit.origin[0] in again.made:
                origins.setdefault(unit.origin, unit)  # for copies, the first one
        self.returned: dict[str, Returned] = {}
        for name, built in again.made.items():
            found = {part.name: origins[name, part.name] for part in built.parts if (name, part.name) in origins
                     and origins[name, part.name].type == part.type}
            if self._is_whole(built, found, there):
                block = flow.by_name[name]
                texts = changed_parameters(block, built, found, spelling)
                if texts is not None:
                    main = "" if "" in found else next(iter(found))
                    self.returned[name] = Returned(block, built, found, texts, again.ids[name, main])
        self.names = {unit.name: name for name, back in self.returned.items() for unit in back.units.values()}
        self.alive = self._alive(there)
        self.inner = {ends for back in self.returned.values() for ends in _inner(back)}
        self._connected: dict[str, list[int]] = {}
        for i, connection in enumerate(flow.connections):
            for name in (connection.src, connection.dst):
                self._connected.setdefault(name, []).append(i)
        self._by_connection: dict[int, list[Ends]] = {}
        for wire in again.wires:
            for number in wire.via:
                self._by_connection.setdefault(number, []).append(wire.ends)

    @staticmethod
    def _is_whole(built: Built, units: Mapping[str, Unit], there: set[Ends]) -> bool:
        """Return whether all parts exist and are connected as before. Parts that close a port, change the sign of
        bytes or keep a rate may be missing.
        """
        complete = all(part.name in units or part.name.startswith(("open_", "bytes_", "rate_")) for part in built.parts)
        return complete and bool(units) and all(
            (units[a].name, p, units[b].name, q) in there for a, p, b, q in built.wires)

    def _alive(self, there: set[Ends]) -> dict[Ends, Ends]:
        """Return the import's connections that still exist -> their current form."""
        now = {back_id: unit.name for name, back in self.returned.items() for part, unit in back.units.items()
               for back_id in (self.again.ids[name, part],)}
        found: dict[Ends, Ends] = {}
        for a, p, b, q in (wire.ends for wire in self.again.wires):
            if a in now and b in now and (now[a], p, now[b], q) in there:
                found[a, p, b, q] = (now[a], p, now[b], q)
        return found

    def left_out(self) -> Iterable[GrcBlock]:
        """Return the blocks that the import left out: imports, notes, blocks with message ports, and disabled blocks
        that Weir does not have.
        """
        for block in self.flow.blocks:
            if is_variable(block.id):
                continue
            second = self.flow.by_name[block.name] is not block
            there = not self.again.is_wire(block) or self._is_used(block.name)
            if second or block.name not in self.again.made and there:
                yield block

    def _is_used(self, name: str) -> bool:
        """Return whether a virtual block still has a stream, or never had one."""
        used = [ends for i in self._connected.get(name, ()) for ends in self._by_connection.get(i, ())]
        return not used or any(ends in self.alive for ends in used)

    def connections(self, renamed: Mapping[str, str]) -> tuple[list[GrcConnection], set[Ends]]:
        """Return the original connections that still exist, and the connections of the project that they replace.
        `renamed`: blocks that return to the flowgraph.
        """
        kept, covered = [], set()
        for i, connection in enumerate(self.flow.connections):
            used = self._by_connection.get(i, [])
            src, dst = (renamed.get(name) for name in (connection.src, connection.dst))
            if src is not None and dst is not None and (not used or any(wire in self.alive for wire in used)):
                kept.append(replace(connection, src=src, dst=dst))
                covered |= {self.alive[wire] for wire in used if wire in self.alive}
        return kept, covered


def _inner(back: Returned) -> Iterable[Ends]:
    for a, p, b, q in back.built.wires:
        yield back.units[a].name, p, back.units[b].name, q


def returned_block(back: Returned, name: str, position: object, advanced: Mapping[str, str]) -> GrcBlock:
    """Return the block in its exported form. `position`: its place after the import. `advanced`: changed affinity and
    buffers.
    """
    block, unit = back.block, back.main
    parameters = {**block.parameters, **back.texts, **advanced}
    if unit.comment != block.parameters.get("comment", "")[:_LONGEST_COMMENT]:
        parameters["comment"] = unit.comment
    states = dict(block.states)
    if unit.state != block.state:
        states["state"] = unit.state
    if unit.position and list(unit.position) != position:
        states["coordinate"] = list(unit.position)
    return GrcBlock(name, block.id, parameters, states)


def positions_before(document: Mapping, again: Imported | None) -> Mapping[str, Any]:
    """Return the original positions of the blocks that the import placed in `document`.

    Blocks that the import laid out return to their positions in the flowgraph if none of them was moved, because two
    drawings do not mix.
    """
    if not again:
        return {}
    now, kept = document.get("ui", {}).get("positions", {}), sure(stored(document))
    laid_out = kept.get("laid_out", kept.get("x_laid_out"))
    if (isinstance(now, dict) and isinstance(laid_out, dict)
            and all(now.get(name, at) == at for name, at in laid_out.items())):
        return laid_out
    return again.document["ui"]["positions"]


def settings_before(again: Imported) -> Settings:
    """Return the settings for CPUs and buffers that the flowgraph itself has. Their texts stay unchanged."""
    first = again.document["deployments"][0]
    before = Settings(cpus=dict(first.get("affinity", {})))
    for edge, buffer in first.get("buffers", {}).items():
        before.add_buffer(edge, buffer["items"])
    return before
