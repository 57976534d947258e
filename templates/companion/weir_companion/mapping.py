"""Settings of blocks, by their names in the flowgraph: CPUs, priorities and buffers.

    {"probe_granularity": 32768, "identities": true,
     "blocks": {"blocks_head_0": {"affinity": [0], "priority": 10, "min_output_buffer": 4096, "max_output_buffer": 8192,
                                  "max_noutput_items": 1024}}}

All keys are optional. `identities: false` adds neither tags nor metadata; then there is no latency over variable rates
or through PDUs.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass, field
from pathlib import Path

from weir_companion.faults import Fault

#: Setting of a block that is a number -> its least value.
NUMBERS = {"priority": 1, "min_output_buffer": 1, "max_output_buffer": 1, "max_noutput_items": 1}
GRANULARITY = 32768


@dataclass(frozen=True)
class Settings:
    """Settings of one block; None keeps the program's setting."""

    affinity: tuple[int, ...] | None = None
    priority: int | None = None
    min_output_buffer: int | None = None
    max_output_buffer: int | None = None
    max_noutput_items: int | None = None


@dataclass(frozen=True)
class Mapping:
    """Settings by block, and the items between two boundaries at the fastest source."""

    blocks: dict[str, Settings] = field(default_factory=dict)
    probe_granularity: int = GRANULARITY
    identities: bool = True


def read(file: Path) -> Mapping:
    """Read a mapping. Raises Fault with the place of what is wrong."""
    try:
        document = json.loads(file.read_text())
    except (OSError, ValueError) as error:
        raise Fault(f"{file}: {error}") from None
    if not isinstance(document, dict):
        raise Fault(f"{file}: not a JSON object")
    known(file, "", document, ("blocks", "identities", "probe_granularity"))
    blocks = document.get("blocks", {})
    if not isinstance(blocks, dict):
        raise Fault(f"{file}: /blocks is not an object")
    granularity = number(file, "/probe_granularity", document.get("probe_granularity", GRANULARITY), 1)
    return Mapping({name: settings(file, f"/blocks/{name}", one) for name, one in blocks.items()}, granularity,
                   truth(file, "/identities", document.get("identities", True)))


def settings(file: Path, place: str, one: object) -> Settings:
    """Read the settings of one block."""
    if not isinstance(one, dict):
        raise Fault(f"{file}: {place} is not an object")
    known(file, place, one, ("affinity", *NUMBERS))
    numbers = {key: number(file, f"{place}/{key}", one[key], least) for key, least in NUMBERS.items()
               if one.get(key) is not None}
    affinity = one.get("affinity")
    if affinity is not None:
        if not isinstance(affinity, list) or not affinity:
            raise Fault(f"{file}: {place}/affinity is not a list of CPUs")
        affinity = tuple(number(file, f"{place}/affinity", cpu, 0) for cpu in affinity)
    return Settings(affinity=affinity, **numbers)


def truth(file: Path, place: str, value: object) -> bool:
    """Return a value that is true or false."""
    if not isinstance(value, bool):
        raise Fault(f"{file}: {place} is neither true nor false")
    return value


def number(file: Path, place: str, value: object, least: int) -> int:
    """Return an integer of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 2**31:
        raise Fault(f"{file}: {place} is {json.dumps(value)}, not an integer from {least} to {2**31 - 1}")
    return value


def known(file: Path, place: str, document: dict[str, object], keys: tuple[str, ...]) -> None:
    """Refuse keys that nothing reads."""
    for key in document:
        if key not in keys:
            raise Fault(f"{file}: unknown key {place}/{key}; known keys: {', '.join(keys)}")


def like(name: str, names: list[str]) -> str:
    """Return a hint at the intended name."""
    near = difflib.get_close_matches(name, names, 1)
    return f"; did you mean {near[0]}?" if near else f"; the flowgraph has {', '.join(names[:20])}"
