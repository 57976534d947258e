"""Flowgraph of GNU Radio Companion as data with a checked shape. A project stores it as JSON under `x_grc`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import cast

from weir.diagnostics import Diagnostic, WeirError, diagnostic, pointer
from weir.interop.grc.reading.gr4_flowgraph import TYPE_TAGS, is_gnuradio4, read_gnuradio4
from weir.interop.grc.reading.xml_flowgraph import Remark, read_xml_flowgraph
from weir.interop.grc.reading.yaml_text import MAX_BYTES, Plain, read_yaml
from weir.sure import sure

NEWEST_FORMAT = 2
MAX_BLOCKS, MAX_CONNECTIONS = 20_000, 100_000
#: GNU Radio Companion treats every other state as enabled.
_STATES = ("disabled", "bypassed")


@dataclass(frozen=True)
class GrcBlock:
    """Block of a flowgraph. `parameters`: the texts as typed. `states`: coordinate, rotation, state, bus_…, unchanged.
    """

    name: str
    id: str
    parameters: Mapping[str, str]
    states: Mapping[str, Plain] = field(default_factory=dict)

    @property
    def state(self) -> str:
        """Return `enabled`, `disabled` or `bypassed`."""
        state = self.states.get("state")
        return state if state in _STATES else "enabled"

    @property
    def position(self) -> tuple[int, int]:
        """Return the position in the drawing."""
        at = self.states.get("coordinate")
        if isinstance(at, list) and len(at) == 2 and all(isinstance(v, (int, float)) for v in at):
            x, y = (max(-1_000_000, min(1_000_000, round(cast(float, v)))) for v in at)
            return x, y
        return 0, 0


def states_of(position: Sequence[int], state: str = "enabled") -> dict[str, Plain]:
    """Return the `states` of a new block."""
    return {"bus_sink": False, "bus_source": False, "bus_structure": None, "coordinate": list(position), "rotation": 0,
            "state": state}


@dataclass(frozen=True)
class GrcConnection:
    """Connection of a flowgraph. `extra`: further properties of connections in format 2."""

    src: str
    src_port: str
    dst: str
    dst_port: str
    extra: Mapping[str, Plain] = field(default_factory=dict)

    @property
    def ends(self) -> tuple[str, str, str, str]:
        """Return both ends: block and port, block and port."""
        return self.src, self.src_port, self.dst, self.dst_port

    @property
    def is_stream(self) -> bool:
        """Return whether the connection carries a stream and not messages. Ports of streams are numbers."""
        return all(port.isascii() and port.isdigit() and len(port) < 6 for port in (self.src_port, self.dst_port))


@dataclass(frozen=True)
class Flowgraph:
    """A .grc file: options, blocks and connections. `remarks`: for the report, on the translation from XML or from a
    flowgraph of GNU Radio 4, for which `is_gr4` is true.
    """

    options: GrcBlock
    blocks: tuple[GrcBlock, ...]
    connections: tuple[GrcConnection, ...]
    metadata: Mapping[str, Plain]
    remarks: tuple[Remark, ...] = ()
    is_gr4: bool = False

    @cached_property
    def by_name(self) -> dict[str, GrcBlock]:
        """Return the blocks by name. Of two with the same name GNU Radio uses the enabled one, else the last."""
        found: dict[str, GrcBlock] = {}
        for block in self.blocks:
            if block.name not in found or block.state != "disabled" or found[block.name].state == "disabled":
                found[block.name] = block
        return found

    def as_json(self) -> dict[str, Plain]:
        """Return the flowgraph in the structure of its file, which `read_flowgraph` accepts."""
        return {"options": {"parameters": dict(self.options.parameters), "states": dict(self.options.states)},
                "blocks": [{"name": b.name, "id": b.id, "parameters": dict(b.parameters), "states": dict(b.states)}
                           for b in self.blocks],
                "connections": [connection_json(c) for c in self.connections], "metadata": dict(self.metadata)}


def connection_json(c: GrcConnection) -> Plain:
    """Return a connection in the file's form."""
    if not c.extra:
        return [c.src, c.src_port, c.dst, c.dst_port]
    return {"src_blk_id": c.src, "src_port_id": c.src_port, "snk_blk_id": c.dst, "snk_port_id": c.dst_port, **c.extra}


def read_grc(data: bytes, name: str = "") -> Flowgraph:
    """Return the flowgraph in a file's bytes. `name`: for a file of GNU Radio 4, which states none. Raises WeirError
    with all faults if it is not a flowgraph, or not one of a supported version.
    """
    if len(data) > MAX_BYTES:
        raise WeirError(diagnostic("E_GRC_LIMIT", "", f"the file has more than {MAX_BYTES} bytes"))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise WeirError(diagnostic("E_GRC_SYNTAX", "", f"line {line}: byte {error.start} is not UTF-8",
                                   "is it a file of GNU Radio Companion?")) from None
    if text.lstrip()[:1] == "<":
        older, remarks = read_xml_flowgraph(text)
        _refuse_other_versions(older)
        return replace(read_flowgraph(older), remarks=remarks)
    value, tags = read_yaml(text)
    newer = isinstance(value, dict) and is_gnuradio4(value)
    if newer:
        tags = [tag for tag in tags if tag.rpartition(" ")[2] not in TYPE_TAGS]
    else:
        _refuse_other_versions(value)
    if tags:
        raise WeirError([diagnostic("E_GRC_SYNTAX", "", f"{tag} would construct an object",
                                    "remove it: Weir executes nothing from a file") for tag in tags[:20]])
    if newer:
        translated, remarks = read_gnuradio4(cast(dict[str, Plain], value), name)
        return replace(read_flowgraph(translated), remarks=remarks, is_gr4=True)
    return read_flowgraph(cast(dict[str, Plain], value))


def _refuse_other_versions(value: Plain) -> None:
    if not isinstance(value, dict):
        raise WeirError(diagnostic("E_GRC_SHAPE", "", "the file contains no flowgraph",
                                   "a flowgraph needs `options`, `blocks` and `connections`"))
    metadata = value.get("metadata")
    if "options" not in value and not (isinstance(metadata, dict) and "file_format" in metadata):
        raise WeirError(diagnostic("E_GRC_SHAPE", "", "the file contains no flowgraph",
                                   "a flowgraph needs `options`, `blocks` and `connections`"))
    version = metadata.get("file_format", 0) if isinstance(metadata, dict) else 0
    if isinstance(version, bool) or not isinstance(version, int) or version < 0 or version > NEWEST_FORMAT:
        raise WeirError(diagnostic("E_GRC_VERSION", "/metadata/file_format",
                                   f"Weir does not support file_format {str(version)[:40]}",
                                   "save it with GNU Radio Companion 3.8 to 3.10, which writes the formats 0, 1 and 2"))


def read_flowgraph(value: Mapping[str, Plain]) -> Flowgraph:
    """Return the flowgraph in plain data. Raises WeirError (E_GRC_SHAPE) with all faults."""
    reader = _Reader()
    options = reader.block(value.get("options") or {}, ("options",), name="", kind="options")
    blocks = [reader.block(entry, ("blocks", i)) for i, entry in enumerate(reader.list(value, "blocks", MAX_BLOCKS))]
    connections = [reader.connection(entry, ("connections", i))
                   for i, entry in enumerate(reader.list(value, "connections", MAX_CONNECTIONS))]
    metadata = value.get("metadata") or {}
    if not isinstance(metadata, dict):
        reader.fault(("metadata",), "`metadata` is not a mapping")
    if reader.faults:
        raise WeirError(reader.faults)
    return Flowgraph(sure(options), tuple(map(sure, blocks)), tuple(map(sure, connections)),
                     cast(Mapping[str, Plain], metadata))


class _Reader:
    MOST_FAULTS = 50

    def __init__(self) -> None:
        self.faults: list[Diagnostic] = []

    def fault(self, path: tuple[str | int, ...], message: str) -> None:
        if len(self.faults) < self.MOST_FAULTS:
            self.faults.append(diagnostic("E_GRC_SHAPE", pointer(*path), message))

    def list(self, value: Mapping[str, Plain], key: str, most: int) -> list:
        entries = value.get(key)
        if entries is None:
            return []
        if not isinstance(entries, list):
            self.fault((key,), f"`{key}` is not a list")
            return []
        if len(entries) > most:
            raise WeirError(diagnostic("E_GRC_LIMIT", f"/{key}",
                                       f"the file has {len(entries)} {key}, but at most {most} are allowed"))
        return entries

    def block(self, entry: Plain, path: tuple, name: str | None = None, kind: str | None = None) -> GrcBlock | None:
        if not isinstance(entry, dict):
            self.fault(path, "a block is not a mapping")
            return None
        name = self.word(entry.get("name"), (*path, "name"), "a block's name") if name is None else name
        kind = self.word(entry.get("id"), (*path, "id"), "a block's id") if kind is None else kind
        parameters, states = entry.get("parameters") or {}, entry.get("states") or {}
        if not isinstance(parameters, dict) or not isinstance(states, dict):
            self.fault(path, "`parameters` and `states` of a block must be mappings")
            return None
        texts = {key: self.text(value, (*path, "parameters", key)) for key, value in parameters.items()}
        return GrcBlock(name, kind, texts, states) if name is not None and kind is not None else None

    def word(self, value: Plain, path: tuple, what: str) -> str | None:
        if isinstance(value, bool) or not isinstance(value, (str, int)) or not str(value) or len(str(value)) > 1000:
            self.fault(path, f"{what} is missing, or is not a word")
            return None
        return str(value)

    def text(self, value: Plain, path: tuple) -> str:
        if value is None:
            return ""
        if isinstance(value, (dict, list)):
            self.fault(path, "a parameter's value is not a text")
        return str(value)

    def connection(self, entry: Plain, path: tuple) -> GrcConnection | None:
        extra: dict[str, Plain] = {}
        if isinstance(entry, dict):
            keys = ("src_blk_id", "src_port_id", "snk_blk_id", "snk_port_id")
            extra = {key: value for key, value in entry.items() if key not in keys}
            entry = [entry.get(key) for key in keys]
        if not isinstance(entry, list) or len(entry) != 4:
            self.fault(path, "a connection is not a list of source, port, sink and port")
            return None
        ends = [self.word(value, (*path, i), "an end of a connection") for i, value in enumerate(entry)]
        src, src_port, dst, dst_port = ends
        if src is None or src_port is None or dst is None or dst_port is None:
            return None
        return GrcConnection(src, src_port, dst, dst_port, extra)
