"""Blocks of Weir that one block of GNU Radio becomes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from weir.interop.grc.table import Rule


@dataclass
class Part:
    """Part that is a block of Weir. `name` distinguishes the parts of a block. `item_type` may be `byte` until
    neighbours decide. `designs`: parameter -> the design of its taps. `gnuradio`: type, name and ports of a block that
    stays GNU Radio's own.
    """

    name: str
    type: str
    item_type: str | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    designs: dict[str, dict[str, Any]] = field(default_factory=dict)
    gnuradio: dict[str, Any] | None = None


@dataclass
class Built:
    """Result of a translation. `inputs`, `outputs`: port number -> part and port. `reason`: why it is not the same
    block, "" if it is.

    `rule`: the rule of the table, None for stubs and stand-ins.
    """

    parts: list[Part]
    inputs: dict[int, list[tuple[str, str]]]
    outputs: dict[int, tuple[str, str]]
    wires: list[tuple[str, str, str, str]] = field(default_factory=list)
    optional_inputs: tuple[str, ...] = ()
    reason: str = ""
    note: str = ""
    stub: bool = False
    rule: Rule | None = None
