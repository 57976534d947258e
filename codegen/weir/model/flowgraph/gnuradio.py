"""Blocks that only GNU Radio has. The project itself states their types, ports and parameters, as `weir import` found
them, so a project opens without GNU Radio.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from weir.model.catalog import BlockType, Port
from weir.model.document.item_types import Parameter

#: Type of ports that pass messages instead of items.
MESSAGE = "message"


def of_gnuradio(entry: Mapping[str, Any]) -> BlockType:
    """Return the type of a block entry with the key `gnuradio`. Its parameters are texts, which GNU Radio evaluates."""
    said = entry["gnuradio"]
    parameters = tuple(Parameter(name, "string", title=name) for name in entry.get("parameters", {})
                       if not name.startswith("x_"))
    inputs, outputs = (_ports(said.get(side, ())) for side in ("inputs", "outputs"))
    return BlockType(entry["type"], "gnuradio", said.get("title") or said["type"], "", (), inputs[False],
                     outputs[False], parameters, {}, {}, (), Path(), {}, of_gnuradio=True,
                     message_inputs=inputs[True], message_outputs=outputs[True])


def _ports(entries: Iterable[Mapping[str, Any]]) -> Mapping[bool, tuple[Port, ...]]:
    """Return the ports by whether they pass messages, which are always optional."""
    made = [Port(it["id"], it["type"], optional=it["type"] == MESSAGE or it.get("optional", False)) for it in entries]
    return {wanted: tuple(it for it in made if (it.type == MESSAGE) is wanted) for wanted in (False, True)}
