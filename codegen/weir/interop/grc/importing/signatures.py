"""Ports of blocks that the table does not know, read from the block files of an installed GNU Radio, as data.

A type, a length or a count is used only if it is a plain value, or the plain value of a parameter (`${ type }`, `${
type.input }`). Everything else in these files is ignored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from weir.diagnostics import WeirError
from weir.interop.grc.reading.flowgraph import GrcBlock
from weir.interop.grc.reading.yaml_text import MAX_BYTES, read_yaml
from weir.interop.grc.table import item_types

FOLDERS = (Path("/usr/share/gnuradio/grc/blocks"), Path("/usr/local/share/gnuradio/grc/blocks"))
_PARAMETER = re.compile(r"\$\{\s*([A-Za-z_]\w*)(?:\.(\w+))?\s*\}")


@dataclass(frozen=True)
class Signature:
    """Item type of each stream port, None if unknown."""

    inputs: tuple[str | None, ...]
    outputs: tuple[str | None, ...]

    def as_json(self) -> list[list[str | None]]:
        """Return inputs and outputs as lists."""
        return [list(self.inputs), list(self.outputs)]

    @staticmethod
    def read(value: Any) -> Signature | None:
        """Return the signature that a project stored, None if it is malformed."""
        kinds = {None, *item_types().values()}
        if not isinstance(value, list) or len(value) != 2 or not all(
                isinstance(side, list) and all(isinstance(kind, (str, type(None))) and kind in kinds for kind in side)
                for side in value):
            return None
        return Signature(tuple(value[0]), tuple(value[1]))


@cache
def _files() -> dict[str, Path]:
    """Return block id -> file. Most files are named after their id, the others contain it in a line."""
    found: dict[str, Path] = {}
    for folder in FOLDERS:
        for path in sorted(folder.glob("*.block.yml")) if folder.is_dir() else ():
            try:
                with path.open(encoding="utf-8", errors="replace") as file:
                    ids = [line[3:].strip() for line in file.read(4096).splitlines() if line.startswith("id:")]
            except OSError:
                continue
            found.setdefault(ids[0] if ids else path.name[:-len(".block.yml")], path)
    return found


@cache
def _description(block_id: str) -> dict | None:
    path = _files().get(block_id)
    try:
        text = path.read_bytes()[:MAX_BYTES].decode("utf-8", "replace") if path else ""
        value, _ = read_yaml(text)
    except (OSError, WeirError):
        return None
    return value if isinstance(value, dict) else None


def signature(block: GrcBlock) -> Signature | None:
    """Return the signature of a block, None if GNU Radio is not installed or does not know the block."""
    description = _description(block.id)
    if description is None:
        return None
    parameters = {p["id"]: p for p in description.get("parameters") or () if isinstance(p, dict) and "id" in p}
    return Signature(*(tuple(_ports(description.get(side), block, parameters)) for side in ("inputs", "outputs")))


def _ports(ports: Any, block: GrcBlock, parameters: dict) -> list[str | None]:
    found: list[str | None] = []
    for port in ports if isinstance(ports, list) else ():
        if isinstance(port, dict) and port.get("domain") != "message":
            count = _plain(port.get("multiplicity", 1), block, parameters)
            kind = item_types().get(str(_plain(port.get("dtype"), block, parameters)))
            found += [kind] * (int(count) if str(count).isdigit() and int(count) < 1000 else 1)
    return found


def _plain(value: Any, block: GrcBlock, parameters: dict) -> Any:
    """Return the value itself, or that of the parameter that it names."""
    match = _PARAMETER.fullmatch(value.strip()) if isinstance(value, str) else None
    if not match:
        return value
    parameter = parameters.get(match[1])
    if parameter is None:
        return None
    text = block.parameters.get(match[1]) or parameter.get("default") or (parameter.get("options") or [None])[0]
    if not match[2]:
        return text
    try:
        return parameter["option_attributes"][match[2]][parameter["options"].index(text)]
    except (KeyError, ValueError, IndexError, TypeError, AttributeError):
        return None
