"""GNU Radio's block files (`*.block.yml`), read as data: parameters, ports, categories, documentation.

An installed GNU Radio and its out-of-tree modules have one file for each block. Nothing in a file is executed: Weir
reads YAML as events, and `weir.interop.grc.expressions` evaluates `${ … }`.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from weir.diagnostics import WeirError
from weir.interop.grc.expressions.evaluation import Namespace, Value
from weir.interop.grc.expressions.parsing import NotUnderstood
from weir.interop.grc.reading.flowgraph import GrcBlock
from weir.interop.grc.reading.yaml_text import MAX_BYTES, read_yaml
from weir.sure import sure

#: Folders of an installed GNU Radio; its out-of-tree modules install there, too.
FOLDERS = (Path("/usr/share/gnuradio/grc/blocks"), Path("/usr/local/share/gnuradio/grc/blocks"))
#: Folder in which grcc writes hierarchical blocks, unless `GRC_HIER_PATH` names another.
_HIERARCHICAL = "~/.grc_gnuradio"
MOST_PORTS = 1000
#: Blocks that Companion itself defines: the item types of their inputs and outputs. "" is the type of the other end.
_BUILT_IN: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "virtual_source": ((), ("",)), "virtual_sink": (("",), ()), "epy_module": ((), ()), "import": ((), ())}
_TEMPLATE = re.compile(r"\$\{(.*?)\}", re.DOTALL)
#: Types of parameters whose text is the value, and types whose text is the value unless it is an expression that gives
#: a text.
_NAMES = ("enum", "id", "stream_id", "name")
_TEXTS = ("string", "file_open", "file_save", "dir_select")
_CODE = ("_multiline", "_multiline_python_external", "gui_hint", "import")
_VECTORS = ("complex_vector", "real_vector", "float_vector", "int_vector")


@dataclass(frozen=True)
class GrcPort:
    """Port of a block, as a flowgraph connects it.

    `key` is a number for streams and a word for messages. `dtype` is `message`, or GNU Radio's name of an item type;
    "" is unknown. A stream's items are vectors of `vlen`. `cloned`: it repeats the port before it.
    """

    key: str
    dtype: str
    vlen: int = 1
    optional: bool = False
    label: str = ""
    cloned: bool = False

    @property
    def is_message(self) -> bool:
        """Return whether the port passes messages."""
        return self.dtype == "message"


@dataclass(frozen=True)
class GrcParameter:
    """Parameter of a block. `attributes`: for each of `options`, the named values that templates use. `hide`: `none`,
    `part` (in the drawing), `all`, or a template.
    """

    id: str
    label: str = ""
    dtype: str = "raw"
    default: str = ""
    options: tuple[str, ...] = ()
    option_labels: tuple[str, ...] = ()
    attributes: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    category: str = ""
    hide: str = "none"

    def attributes_of(self, value: str) -> Iterator[tuple[str, Any]]:
        """Yield the named values of an option."""
        if value in self.options:
            at = self.options.index(value)
            yield from ((name, values[at]) for name, values in self.attributes.items() if at < len(values))


@dataclass(frozen=True)
class BlockFile:
    """Description of a block. `inputs`, `outputs`: the ports as the file states them."""

    id: str
    label: str
    category: str
    flags: tuple[str, ...]
    documentation: str
    parameters: tuple[GrcParameter, ...]
    inputs: tuple[Mapping[str, Any], ...]
    outputs: tuple[Mapping[str, Any], ...]


def folders() -> tuple[Path, ...]:
    """Return the folders of block files: those of the user, which grcc also reads, then those of installations."""
    own = os.environ.get("GRC_BLOCKS_PATH", "").split(os.pathsep)
    hierarchical = Path(os.environ.get("GRC_HIER_PATH", _HIERARCHICAL)).expanduser()
    return (hierarchical, *(Path(it).expanduser() for it in own if it), *FOLDERS)


@cache
def block_files() -> Mapping[str, Path]:
    """Return block id -> file. The first folder that has a block counts."""
    found: dict[str, Path] = {}
    for folder in folders():
        for path in sorted(folder.glob("**/*.block.yml")) if folder.is_dir() else ():
            found.setdefault(_id_of(path), path)
    return found


def is_described(block_id: str) -> bool:
    """Return whether GNU Radio can have such a block: a file describes it, or Companion itself makes it."""
    return block_id in block_files() or block_id.startswith(("epy_", "virtual_"))


def _id_of(path: Path) -> str:
    """Return the id in a file, else the one in its name. Most files are named after their id."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            ids = [line[3:].strip() for line in file.read(4096).splitlines() if line.startswith("id:")]
    except OSError:
        ids = []
    return ids[0] if ids else path.name[:-len(".block.yml")]


@cache
def block_file(block_id: str) -> BlockFile | None:
    """Return the description of a block; None if no folder has its file, or the file describes no block."""
    path = block_files().get(block_id)
    try:
        text = path.read_bytes()[:MAX_BYTES].decode("utf-8", "replace") if path else ""
        value, _ = read_yaml(text)
    except (OSError, WeirError):
        return None
    return _described(value) if isinstance(value, dict) else None


def _described(value: Mapping[str, Any]) -> BlockFile:
    def texts(of: object) -> tuple[str, ...]:
        return tuple(map(_text, of)) if isinstance(of, list) else ()

    def entries(of: object) -> Iterator[Mapping[str, Any]]:
        yield from (it for it in of if isinstance(it, dict)) if isinstance(of, list) else ()

    parameters = []
    for it in entries(value.get("parameters")):
        attributes = it.get("option_attributes")
        parameters.append(GrcParameter(
            _text(it.get("id")), _text(it.get("label")), _text(it.get("dtype")) or "raw", _text(it.get("default")),
            texts(it.get("options")), texts(it.get("option_labels")),
            {name: many for name, many in attributes.items() if isinstance(many, list)}
            if isinstance(attributes, dict) else {}, _text(it.get("category")), _text(it.get("hide")) or "none"))
    return BlockFile(_text(value.get("id")), _text(value.get("label")), _text(value.get("category")),
                     texts(value.get("flags")), _text(value.get("documentation")), tuple(parameters),
                     tuple(entries(value.get("inputs"))), tuple(entries(value.get("outputs"))))


def _text(value: object) -> str:
    return "" if value is None else str(value)


def tree_files() -> tuple[Path, ...]:
    """Return the files that list the blocks of categories."""
    return tuple(path for folder in folders() if folder.is_dir() for path in sorted(folder.glob("**/*.tree.yml")))


def categories() -> Mapping[str, str]:
    """Return block id -> category, such as `[Core]/Audio`, of the blocks in tree files. The first category counts."""
    found: dict[str, str] = {}

    def read(value: object, place: tuple[str, ...]) -> None:
        if isinstance(value, dict):
            for name, inside in value.items():
                read(inside, (*place, name))
        elif isinstance(value, list):
            for inside in value:
                read(inside, place)
        elif isinstance(value, str):
            found.setdefault(value, "/".join(place))

    for path in tree_files():
        try:
            read(read_yaml(path.read_bytes()[:MAX_BYTES].decode("utf-8", "replace"))[0], ())
        except (OSError, WeirError):
            continue
    return found


class PortsUnknown(Exception):
    """Raised if the ports of a block cannot be determined; the message says why."""


def ports_of(block: GrcBlock, names: Namespace) -> tuple[list[GrcPort], list[GrcPort]]:
    """Return the inputs and outputs of a block. `names` has the variables of its flowgraph. Raises PortsUnknown."""
    if block.id == "epy_block":
        return _of_embedded(block)
    if block.id in _BUILT_IN:
        inputs, outputs = ([GrcPort(str(i), it) for i, it in enumerate(side)] for side in _BUILT_IN[block.id])
        return inputs, outputs
    file = block_file(block.id)
    if file is None:
        raise PortsUnknown(f"no block file describes `{block.id}`")
    scope = scope_of(file, block, names)
    own = {parameter.id for parameter in file.parameters}
    return _side(file.inputs, scope, "in", own), _side(file.outputs, scope, "out", own)


def stated_ports(file: BlockFile) -> tuple[list[GrcPort], list[GrcPort]]:
    """Return the inputs and outputs of a block whose parameters have no values yet: one of each, of any type unless the
    file states one.
    """
    def side(ports: Iterable[Mapping[str, Any]], name: str) -> list[GrcPort]:
        found: list[GrcPort] = []
        for port in ports:
            label = _text(port.get("label")) or name
            streams = sum(not it.is_message for it in found)
            if port.get("domain") == "message":
                found.append(GrcPort(_text(port.get("id")) or label, "message", label=label))
            else:
                dtype = _text(port.get("dtype"))
                found.append(GrcPort(str(streams), "" if "$" in dtype else dtype, label=label))
        return found

    return side(file.inputs, "in"), side(file.outputs, "out")


def hidden(block: GrcBlock, names: Namespace) -> Iterator[str]:
    """Yield the parameters that Companion does not show for these values of the others."""
    file = block_file(block.id)
    scope = scope_of(file, block, names) if file else names
    for parameter in file.parameters if file else ():
        try:
            if _evaluated(parameter.hide, scope) == "all":
                yield parameter.id
        except PortsUnknown:
            continue


def scope_of(file: BlockFile, block: GrcBlock, names: Namespace) -> Namespace:
    """Return the names that the templates of a block can use: its parameters, and the attributes of their options.

    A parameter that Weir cannot evaluate is left out, because few parameters decide about the ports.
    """
    values: dict[str, Value] = {}
    for parameter in file.parameters:
        text = block.parameters.get(parameter.id, parameter.default)
        if parameter.dtype == "enum" and text not in parameter.options:
            text = parameter.default or next(iter(parameter.options), "")
        try:
            values[parameter.id] = _value(parameter.dtype, text, names)
        except NotUnderstood:
            continue
        if parameter.dtype == "enum":
            values |= {f"{parameter.id}.{name}": it for name, it in parameter.attributes_of(text)}
    return Namespace({}, values)


def _value(dtype: str, text: str, names: Namespace) -> Value:
    """Return the value of a parameter as Companion evaluates it. Raises NotUnderstood."""
    if dtype in _NAMES or dtype in _CODE:
        return text
    if dtype in _TEXTS:
        try:
            value = names.text_value(text)
        except NotUnderstood:
            return text
        return value if isinstance(value, str) else text
    if not text:
        return [] if dtype in _VECTORS else 0
    value = names.text_value(text)
    if dtype == "bool":
        return bool(value)
    return [value] if dtype in _VECTORS and not isinstance(value, list) else value


def _side(ports: Iterable[Mapping[str, Any]], scope: Namespace, name: str, parameters: Set[str]) -> list[GrcPort]:
    """Return the ports of one side, whose default `name` is `in` or `out`.

    As Companion does: streams are numbered, a multiplicity adds clones of a port but never removes it, one that the
    `parameters` do not define counts as 1, and a message port without an id has its label as key.
    """
    found: list[GrcPort] = []
    streams = 0
    for port in ports:
        dtype = "message" if port.get("domain") == "message" else _spelled(_evaluated(port.get("dtype", ""), scope))
        many = port.get("multiplicity", 1)
        count = 1 if _undefined(many, parameters) else max(_whole(many, scope, "number of ports"), 1)
        vlen = _whole(port.get("vlen", 1), scope, "length of a vector")
        if count > MOST_PORTS or vlen < 1:
            raise PortsUnknown(f"it would have {count} ports with vectors of {vlen}")
        optional = bool(_evaluated(port.get("optional", False), scope))
        label = _text(port.get("label")) or name
        key = _text(port.get("id")) or label
        for number in range(count):
            own = key + (str(number) if count > 1 else "") if dtype == "message" else str(streams)
            streams += dtype != "message"
            found.append(GrcPort(own, dtype, vlen, optional, label, number > 0))
    return found


def _undefined(value: object, parameters: Set[str]) -> bool:
    """Return whether a template consists of a name that is no parameter of its block."""
    whole = _TEMPLATE.fullmatch(value.strip()) if isinstance(value, str) else None
    return bool(whole) and sure(whole)[1].strip().isidentifier() and sure(whole)[1].strip() not in parameters


def _whole(value: object, scope: Namespace, what: str) -> int:
    number = _evaluated(value, scope)
    try:
        whole = int(number)
    except (TypeError, ValueError, OverflowError):
        raise PortsUnknown(f"the {what} is {_spelled(number)!r}") from None
    if isinstance(number, float) and number != whole:
        raise PortsUnknown(f"the {what} is {number!r}")
    return whole


def _evaluated(value: object, scope: Namespace) -> Any:
    """Return the value of a template `${ … }`, or a plain value itself."""
    if not isinstance(value, str):
        return value
    whole = _TEMPLATE.fullmatch(value.strip())
    try:
        if whole:
            return scope.text_value(whole[1].strip())
        return _TEMPLATE.sub(lambda found: _spelled(scope.text_value(found[1].strip())), value)
    except NotUnderstood as error:
        raise PortsUnknown(f"`{value.strip()}`: {error}") from None


def _spelled(value: object) -> str:
    """Return a value as text. Raises PortsUnknown for a list: lists that share their parts can be endless as text."""
    if isinstance(value, list):
        raise PortsUnknown("its value is a list")
    return str(value)


def _of_embedded(block: GrcBlock) -> tuple[list[GrcPort], list[GrcPort]]:
    """Return the ports of an embedded Python block. Companion stores them beside its source, 3.7 as a parameter."""
    try:
        # (name, class, parameters, sinks, sources, documentation, callbacks)
        stored = ast.literal_eval(str(block.states.get("_io_cache") or block.parameters.get("_io_cache", "")))
        return tuple([_stored(port) for port in stored[i]] for i in (3, 4))  # type: ignore[return-value]
    except (ValueError, SyntaxError, TypeError, IndexError, KeyError, MemoryError, RecursionError):
        raise PortsUnknown("the file does not state the ports of this embedded Python block") from None


def _stored(port: Any) -> GrcPort:
    key, dtype, vlen = str(port[0]), str(port[1]), int(port[2])
    if vlen < 1:
        raise ValueError(vlen)
    return GrcPort(key, dtype, vlen)
