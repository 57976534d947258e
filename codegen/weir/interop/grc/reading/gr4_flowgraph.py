"""Flowgraphs of GNU Radio 4 (`.grc`), translated into the structure of those of GNU Radio Companion 3.10.

A block's `id` is its C++ type, such as `gr::testing::Copy<float32>`. Its first two template arguments become the
parameters `type` and `to_type`, which the table reads. Values become texts, as in 3.10. Subgraphs dissolve into their
blocks. The ports of each block become the numbers 0, 1, …
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from weir.diagnostics import Diagnostic, WeirError, diagnostic, pointer
from weir.interop.grc.reading.xml_flowgraph import Remark
from weir.interop.grc.reading.yaml_text import Plain
from weir.interop.grc.table import port_names, rules

#: Tags that GNU Radio 4 writes before values: they state the type of a setting.
TYPE_TAGS = {f"tag:yaml.org,2002:{name}" for name in (
    "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float32", "float64", "complex32",
    "complex64")}
SUBGRAPH = "SUBGRAPH"
#: Type of a block of the table that states none, as old files do.
UNSTATED = "unstated"
_MOST_FAULTS = 50
_HINT = ("a block needs an `id` and a name, a connection [source, port, destination, port], perhaps with a buffer "
         "size, and an exported port [block, INPUT or OUTPUT, port, name]")
_SIDES = ("OUTPUT", "INPUT")  # of the two ends of a connection
#: Name of a port in a collection, such as `in#1`.
_IN_COLLECTION = re.compile(r"(\w+)#(\d{1,3})", re.ASCII)
_COMPLEX = re.compile(r"\(([^(),]+),([^(),]+)\)")

Path = tuple[str | int, ...]
#: A port as the file writes it: a number, a name, or (collection, number in it).
Key = int | str | tuple[int, int]


def is_gnuradio4(value: Mapping[str, Plain]) -> bool:
    """Return whether the data of a file has the structure of a flowgraph of GNU Radio 4."""
    metadata = value.get("metadata")
    return (isinstance(value.get("blocks"), list) and "options" not in value
            and not (isinstance(metadata, dict) and "file_format" in metadata))


def read_gnuradio4(value: Mapping[str, Plain], name: str) -> tuple[dict[str, Plain], tuple[Remark, ...]]:
    """Return the flowgraph as plain data in the structure of 3.10, and remarks on the parts that this leaves out.
    `name`: the one of the flowgraph, which the file does not state.

    Raises WeirError (E_GRC_SHAPE) with all faults.
    """
    reader = _Reader()
    reader.graph(value, (), "")
    if reader.faults:
        raise WeirError(reader.faults[:_MOST_FAULTS])
    for key in value:
        if key not in ("blocks", "connections", "metadata"):
            reader.remark("dropped", pointer(key), "a project does not have it")
    return ({"options": {"parameters": {"id": name}}, "blocks": reader.blocks, "connections": reader.numbered(),
             "metadata": {"file_format": 1}}, tuple(reader.remarks))


@dataclass
class _Graph:
    """Graph or subgraph. `blocks`: its blocks, under the names in its connections, with their names in the flowgraph.
    `inside`: its subgraphs. `exported`: direction, and number or name of a port of the subgraph -> block and port
    inside.
    """

    blocks: dict[str, str] = field(default_factory=dict)
    inside: dict[str, _Graph] = field(default_factory=dict)
    exported: dict[tuple[str, Key], tuple[str, Key]] = field(default_factory=dict)


class _Reader:
    def __init__(self) -> None:
        self.faults: list[Diagnostic] = []
        self.remarks: list[Remark] = []
        self.blocks: list[Any] = []
        self.types: dict[str, str] = {}
        self.copies: dict[str, int] = {}
        self.connections: list[tuple[Path, list[tuple[str, Key]], Plain]] = []

    def fault(self, path: Path, message: str) -> None:
        self.faults.append(diagnostic("E_GRC_SHAPE", pointer(*path), message, _HINT))

    def remark(self, outcome: str, setting: str, reason: str) -> None:
        self.remarks.append(Remark(outcome, setting, reason))

    def listed(self, value: Mapping[str, Plain], key: str, path: Path) -> list[Any]:
        entries = value.get(key)
        if entries is None or isinstance(entries, list):
            return entries or []
        self.fault((*path, key), f"`{key}` is not a list")
        return []

    def graph(self, value: Mapping[str, Plain], path: Path, within: str) -> _Graph:
        """Read the blocks and connections of a graph. `within`: the name of the subgraph, with a slash."""
        made = _Graph()
        for i, entry in enumerate(self.listed(value, "blocks", path)):
            self.block(entry, (*path, "blocks", i), within, made)
        for i, entry in enumerate(self.listed(value, "connections", path)):
            self.connection(entry, (*path, "connections", i), made)
        numbers = {side: count() for side in _SIDES}
        for i, entry in enumerate(self.listed(value, "exported_ports", path)):
            self.export(entry, (*path, "exported_ports", i), made, numbers)
        return made

    def block(self, entry: Any, path: Path, within: str, graph: _Graph) -> None:
        if not isinstance(entry, dict):
            self.fault(path, "a block is not a mapping")
            return
        given = entry.get("parameters")
        if given is None:
            given = {}
        if not isinstance(given, dict):
            self.fault((*path, "parameters"), "`parameters` is not a mapping")
            return
        kind = _word(entry.get("id"))
        name = _word(given.get("name")) or _word(entry.get("name"))
        if not kind:
            self.fault((*path, "id"), "the type of a block, its `id`, is missing, or is not a word")
        if not name:
            self.fault((*path, "parameters", "name"), "the name of a block is missing, or is not a word")
        if not kind or not name:
            return
        own = self.own_name(within + name, path)
        self.types[own] = kind
        if kind == SUBGRAPH:
            self.subgraph(entry, path, own, name, graph)
            return
        graph.inside.pop(name, None)
        graph.blocks[name] = own
        if entry.get("ctx_parameters"):
            self.remark("dropped", pointer(*path, "ctx_parameters"),
                        f"`{own}` keeps its first parameters: those of a block do not change during a run")
        self.blocks.append({"name": own, "id": kind, "parameters": _parameters(kind, given, entry),
                            "states": _states(given)})

    def own_name(self, wanted: str, path: Path) -> str:
        """Return a name for a block, with a number if another one has it. Connections lead to the last one."""
        own = wanted
        while own in self.types:
            self.copies[wanted] = self.copies.get(wanted, 1) + 1
            own = f"{wanted}_{self.copies[wanted]}"
        if own != wanted:
            self.remark("replaced", pointer(*path), f"another block has the name `{wanted}`: this one is `{own}` here")
        return own

    def subgraph(self, entry: Mapping[str, Any], path: Path, own: str, name: str, graph: _Graph) -> None:
        inside = entry.get("graph")
        if inside is None:
            inside = {}
        if not isinstance(inside, dict):
            self.fault((*path, "graph"), "`graph` of a subgraph is not a mapping")
            return
        graph.inside[name] = self.graph(inside, (*path, "graph"), f"{own}/")
        self.remark("replaced", pointer(*path), f"the subgraph `{own}` is drawn as its blocks")
        if entry.get("scheduler"):
            self.remark("dropped", pointer(*path, "scheduler"),
                        f"the scheduler of `{own}`: a deployment states one for the whole flowgraph")

    def connection(self, entry: Any, path: Path, graph: _Graph) -> None:
        if not isinstance(entry, list) or len(entry) < 4:
            self.fault(path, "a connection is not a list of source, port, destination and port")
            return
        ends = [self.end(entry[i], entry[i + 1], (*path, i), graph, side) for i, side in zip((0, 2), _SIDES)]
        size = entry[4] if len(entry) > 4 else None
        if size is not None and (isinstance(size, bool) or not str(size).isdecimal()):
            self.fault((*path, 4), "the buffer size of a connection is not a whole number")
        if None not in ends:
            self.connections.append((path, [end for end in ends if end], size))

    def end(self, block: Any, port: Any, path: Path, graph: _Graph, side: str) -> tuple[str, Key] | None:
        """Return the block and the port at an end of a connection. An exported port leads into its subgraph."""
        key = _key(port)
        if key is None:
            self.fault((*path[:-1], int(path[-1]) + 1), "a port is neither a number, nor a name, nor a pair of numbers")
            return None
        name = _word(block)
        while name in graph.inside:
            graph = graph.inside[name]
            found = graph.exported.get((side, key))
            if found is None:
                self.fault(path, f"the subgraph `{name}` exports no {side.lower()} `{key}`")
                return None
            name, key = found
        if name not in graph.blocks:
            self.fault(path, f"the flowgraph has no block `{name}`" if name else
                       "the block of a connection is not a word")
            return None
        return graph.blocks[name], key

    def export(self, entry: Any, path: Path, graph: _Graph, numbers: Mapping[str, Iterator[int]]) -> None:
        words = [_word(it) for it in entry] if isinstance(entry, list) and len(entry) == 4 else []
        key = _key(entry[2]) if words else None
        if not all(words) or key is None or words[1] not in _SIDES:
            self.fault(path, "an exported port is not a list of block, INPUT or OUTPUT, port and name")
        elif words[0] not in graph.blocks and words[0] not in graph.inside:
            self.fault((*path, 0), f"the subgraph has no block `{words[0]}`")
        else:
            graph.exported[words[1], next(numbers[words[1]])] = words[0], key
            graph.exported.setdefault((words[1], words[3]), (words[0], key))

    def numbered(self) -> list[Plain]:
        """Return the connections with numbers as ports, as 3.10 writes them."""
        used: dict[tuple[str, str], list[Key]] = {}
        for _, ends, _ in self.connections:
            for side, (name, key) in zip(_SIDES, ends):
                used.setdefault((name, side), []).append(key)
        numbers = {at: _numbers(keys, port_names(self.types[at[0]], at[1])) for at, keys in used.items()}
        found: list[Plain] = []
        for _, ends, size in self.connections:
            (src, out), (dst, into) = ends
            made = [src, str(numbers[src, "OUTPUT"][out]), dst, str(numbers[dst, "INPUT"][into])]
            keys = ("src_blk_id", "src_port_id", "snk_blk_id", "snk_port_id")
            found.append([*made] if size is None else {**dict(zip(keys, made)), "buffer": int(str(size))})
        return found


def _word(value: Any) -> str:
    """Return a name, "" if the value is none."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)) or len(str(value)) > 1000:
        return ""
    return str(value)


def _key(value: Any) -> Key | None:
    if isinstance(value, list):
        pair = [_key(it) for it in value]
        if len(pair) == 2 and isinstance(pair[0], int) and isinstance(pair[1], int):
            return pair[0], pair[1]
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        return value if 0 <= value < 1000 else None
    if not isinstance(value, str) or not value or len(value) > 1000:
        return None
    if value.isascii() and value.isdecimal():
        return _key(int(value)) if len(value) < 5 else None
    named = _IN_COLLECTION.fullmatch(value)
    return f"{named[1]}#{int(named[2])}" if named else value


def _numbers(keys: list[Key], names: tuple[str, ...]) -> dict[Key, int]:
    """Return the number of each port of a side. `names`: the names of its ports, which the table states.

    Numbers count as they are. The ports of the only collection count from 0, those of several follow each other. Names
    that the table does not state get numbers in the order of the connections.
    """
    plain = {key for key in keys if isinstance(key, int)}
    pairs = {key for key in keys if isinstance(key, tuple)}
    if pairs and not plain and len({first for first, _ in pairs}) == 1:
        found: dict[Key, int] = {key: key[1] for key in pairs}
    elif pairs:
        places = sorted(pairs | {(key, -1) for key in plain})
        found = {(place if place[1] >= 0 else place[0]): number for number, place in enumerate(places)}
    else:
        found = {key: key for key in plain}
    named = [key for key in dict.fromkeys(keys) if isinstance(key, str)]
    for key in named:
        number = _IN_COLLECTION.fullmatch(key)
        if key in names:
            found[key] = names.index(key)
        elif number and not pairs and not plain:
            found[key] = int(number[2])
    taken = set(found.values())
    free = (number for number in count() if number not in taken)
    return found | {key: next(free) for key in named if key not in found}


def arguments(kind: str) -> list[str]:
    """Return the template arguments of a type: `Convert<float32, int16>` has float32 and int16."""
    _, opened, inside = kind.partition("<")
    found, depth = [""], 0
    for sign in inside.rpartition(">")[0] if opened else "":
        depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(sign, 0)
        if sign == "," and depth == 0:
            found.append("")
        else:
            found[-1] += sign
    return [it.strip() for it in found if it.strip()]


def _named_type(text: str) -> str:
    """Return the name of a type in files of today: older ones have `float` and `std::complex<float>`. An operation,
    such as `std::plus<float32>`, is its word.
    """
    if operation := re.fullmatch(r"std::(plus|minus|multiplies|divides)<.*>", text):
        return operation[1]
    text = re.sub(r"\bstd::(?=complex|u?int\d)|\bgr::(?=complex)|(?<=\d)_t\b", "", text)
    return re.sub(r"\b(float|double)\b", lambda found: {"float": "float32", "double": "float64"}[found[1]], text)


def _parameters(kind: str, given: Mapping[str, Plain], entry: Mapping[str, Plain]) -> dict[str, Plain]:
    """Return the parameters as texts, with the template arguments. Old files state these beside the type."""
    types = arguments(kind) or arguments(f"<{_word(entry.get('template_args'))}>")
    made: dict[str, Plain] = dict(zip(("type", "to_type"), map(_named_type, types)))
    if not types and rules(kind):
        made["type"] = UNSTATED
    return made | {name: _text(value) for name, value in given.items() if name not in ("name", "ui_constraints")}


def _text(value: Plain) -> str:
    """Return a value as an expression of 3.10 writes it."""
    if value is None:
        return ""
    if isinstance(value, list):
        return f"[{', '.join(_inside(it) for it in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {_inside(it)}' for key, it in value.items())}}}"
    if isinstance(value, str) and value in ("true", "false"):
        return value.capitalize()
    pair = _COMPLEX.fullmatch(value.strip()) if isinstance(value, str) else None
    return f"complex({pair[1].strip()}, {pair[2].strip()})" if pair else str(value)


def _inside(value: Plain) -> str:
    """Return a value in a list. A text with a tag, such as `!!float32 1`, is a number."""
    if not isinstance(value, str):
        return _text(value) or "None"
    try:
        float(value)
        return value
    except ValueError:
        return repr(value)


def _states(given: Mapping[str, Plain]) -> dict[str, Plain]:
    """Return the position in the drawing."""
    at = given.get("ui_constraints")
    x, y = _coordinates(at) if isinstance(at, dict) else (0, 0)
    return {"coordinate": [x, y], "rotation": 0, "state": "enabled"}


def _coordinates(at: Mapping[str, Plain]) -> Iterator[int]:
    for key in ("x", "y"):
        try:
            value = float(str(at.get(key)))
        except ValueError:
            value = 0
        yield round(value) if abs(value) < 1e6 else 0
