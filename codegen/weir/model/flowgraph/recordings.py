"""Checks SigMF recordings that a flowgraph reads, before a run fails on them.

The rules equal those of block-library/sources/sigmf_source; block-library/tests/unit/sigmf_metadata.txt tests both.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weir.diagnostics import Diagnostic, diagnostic, pointer
from weir.model.document import jsontext
from weir.model.flowgraph.graph import Graph

META, DATA = ".sigmf-meta", ".sigmf-data"
_BOM = b"\xef\xbb\xbf"
_DATATYPE = re.compile(r"([cr])(?:[iu]8|([iu](?:16|32)|f(?:32|64))_[lb]e)")
_MOST_BITS = 53
#: Block parameters that make demands on a recording.
_SETTINGS = ("sample_rate", "offset_items", "repeat")


class _Unreadable(Exception):
    """Reason why a recording cannot be read."""


@dataclass(frozen=True)
class _Metadata:
    """Metadata of a recording. `starts`: field and number of the first sample of each capture; `offset`: number of the
    first sample in the data.

    `before`: samples of the data before the recording begins.
    """

    datatype: str
    sample_rate: float | None
    offset: int
    starts: tuple[tuple[str, int], ...]
    before: int

    @property
    def sample_bytes(self) -> int:
        """Return the bytes of a sample in the data."""
        return int(re.sub(r"\D", "", self.datatype)) // 8 * (2 if self.datatype[0] == "c" else 1)


def recording_faults(graph: Graph, directory: Path) -> Iterator[Diagnostic]:
    """Yield E_RECORDING for each block whose recording exists but cannot be read with the block's parameters."""
    reported: set[str] = set()
    for instance in graph.instances:
        for parameter in instance.type.parameters:
            place = instance.pointer + pointer("parameters", parameter.id)
            if META not in parameter.beside or place in reported:
                continue
            reported.add(place)
            path = directory / str(instance.parameters[parameter.id])
            settings: Mapping[str, Any] = {name: instance.parameters[name] for name in _SETTINGS
                                           if name in instance.parameters}
            if why := why_unreadable(path, instance.item_type or "", **settings):
                yield diagnostic("E_RECORDING", place, f"`{instance.block_id}`: {why}")


def why_unreadable(path: Path, item_type: str, *, sample_rate: float = 0.0, offset_items: int = 0,
                   repeat: bool = False) -> str:
    """Return why a recording cannot be read; "" if it can, or if its files do not exist yet."""
    base, suffix = os.path.splitext(path)
    if suffix not in (META, DATA):
        return f"its path is named neither {META} nor {DATA}"
    meta = Path(base + META)
    try:
        metadata = _read(meta)
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"cannot read {meta.name}: {error.strerror}"
    except _Unreadable as error:
        return str(error)
    return (_unfit(metadata, item_type, sample_rate, meta.name)
            or _too_short(metadata, Path(base + DATA), offset_items, repeat))


def _read(path: Path) -> _Metadata:
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # opening a pipe would block
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise _Unreadable(f"not a regular file: {path.name}")
        with open(handle, "rb", closefd=False) as file:
            data = file.read(jsontext.MAX_BYTES + 1)
    finally:
        os.close(handle)
    if len(data) > jsontext.MAX_BYTES:
        raise _Unreadable(f"too large: {path.name}")
    try:
        return _parse(data)
    except _Unreadable as error:
        raise _Unreadable(f"{path.name}: {error}") from None


def _parse(data: bytes) -> _Metadata:
    value, faults = jsontext.read(data.removeprefix(_BOM), located=True)
    if faults:
        field = _field(faults[0].pointer)
        raise _Unreadable(f"{field}: {faults[0].message}" if field else faults[0].message)
    top = _Fields(value, "")
    if "global" not in top.values:
        raise _Unreadable("it has no object `global`")
    about = _Fields(top.values["global"], "global")
    datatype = about.take("core:datatype", "must be a text", str, "")
    rate = about.number("core:sample_rate", 0) if "core:sample_rate" in about.values else None
    offset = about.index("core:offset", 0)
    unread = [f"global.{name}" for name, wrong in (
        ("core:num_channels", about.number("core:num_channels", 1) != 1),
        ("core:trailing_bytes", about.number("core:trailing_bytes", 0) != 0),
        ("core:metadata_only", about.take("core:metadata_only", "must be true or false", bool, False)),
        ("core:dataset", "core:dataset" in about.values)) if wrong]
    starts: list[tuple[str, int]] = []
    captures = top.take("captures", "must be a list", list, [])
    for i, value in enumerate(captures):
        capture = _Fields(value, f"captures[{i}]")
        if capture.number("core:header_bytes", 0) != 0:
            unread.append(f"captures[{i}].core:header_bytes")
        if "core:sample_start" in capture.values:
            field, start = f"captures[{i}].core:sample_start", capture.index("core:sample_start", 0)
            if starts and start < starts[-1][1]:
                raise _Unreadable(f"{field} is less than that of a capture before it")
            starts.append((field, start))
    if not datatype:
        raise _Unreadable("it has no global.core:datatype")
    before = dict(starts).get("captures[0].core:sample_start", offset) - offset
    if before < 0:
        raise _Unreadable("captures[0].core:sample_start is less than global.core:offset")
    if not _DATATYPE.fullmatch(datatype):
        raise _Unreadable(f"global.core:datatype `{datatype}` is not a SigMF datatype")
    if unread:
        raise _Unreadable(f"recordings with this {unread[0]} are not supported")
    return _Metadata(datatype, rate, offset, tuple(starts), before)


class _Fields:
    """Typed access to the fields of a metadata object, by SigMF's types."""

    def __init__(self, values: object, place: str):
        self.place = place
        if not isinstance(values, dict):
            raise self.wrong("", "must be an object")
        self.values = values

    def wrong(self, name: str, what: str) -> _Unreadable:
        field = ".".join(word for word in (self.place, name) if word)
        return _Unreadable(f"{field}: {what}" if field else what)

    def take(self, name: str, wanted: str, kinds: type | tuple[type, ...], default: Any) -> Any:
        value = self.values.get(name)
        if name not in self.values:
            return default
        if not isinstance(value, kinds) or isinstance(value, bool) and kinds is not bool:
            raise self.wrong(name, wanted)
        return value

    def number(self, name: str, default: float) -> float:
        number: float = self.take(name, "must be a number", (int, float), default)
        return number

    def index(self, name: str, default: int) -> int:
        value = self.number(name, default)
        if not (0 <= value <= 2**_MOST_BITS and value == int(value)):
            raise self.wrong(name, "must be a whole number, at least 0")
        return int(value)


def _field(place: str) -> str:
    """Return /captures/0/core:datetime as captures[0].core:datetime."""
    words = (word.replace("~1", "/").replace("~0", "~") for word in place.split("/")[1:])
    return "".join(f"[{word}]" if word.isdecimal() else f".{word}" for word in words).removeprefix(".")


def _unfit(metadata: _Metadata, item_type: str, sample_rate: float, name: str) -> str:
    datatype, is_complex = metadata.datatype, metadata.datatype[0] == "c"
    if is_complex != (item_type == "c64"):
        return (f"{name}: global.core:datatype {datatype} is {'complex' if is_complex else 'real'}, the block's "
                f"item_type is {item_type}")
    if not sample_rate or metadata.sample_rate == sample_rate:
        return ""
    expected = f"the block expects {sample_rate:g} Hz"
    if metadata.sample_rate is None:
        return f"{name}: it has no global.core:sample_rate, {expected}"
    return f"{name}: global.core:sample_rate is {metadata.sample_rate:g} Hz, {expected}"


def _too_short(metadata: _Metadata, path: Path, offset: int, repeat: bool) -> str:
    try:
        about = path.stat()
    except OSError:
        return ""  # not there yet
    if not stat.S_ISREG(about.st_mode):
        return f"not a regular file: {path.name}"
    samples, rest = divmod(about.st_size, metadata.sample_bytes)
    if rest:
        return f"{path.name} has {about.st_size} bytes, not a multiple of the item's {metadata.sample_bytes}"
    for field, start in metadata.starts[-1:]:
        if start > metadata.offset + samples:
            return f"{field} is {start}, but {path.name} has {samples} samples"
    items = samples - metadata.before
    if offset > items:
        begin = f" from item {metadata.before} on" if metadata.before else ""
        return f"offset_items is {offset}, but {path.name} has {items} items{begin}"
    if repeat and offset == items:
        return f"{path.name} has no item to repeat"
    return ""
