"""Item types of the stream ports of blocks that the table does not know."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from weir.interop.grc.expressions.evaluation import Namespace
from weir.interop.grc.reading.block_files import PortsUnknown, ports_of
from weir.interop.grc.reading.flowgraph import GrcBlock
from weir.interop.grc.table import item_types, of_gnuradio4


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


def signature(block: GrcBlock, names: Namespace) -> Signature | None:
    """Return the signature of a block, None if its ports are unknown. `names` has the flowgraph's variables. All ports
    of a block of GNU Radio 4 have the type in its first template argument, which may be inside a data set.
    """
    if of_gnuradio4(block.id):
        text = block.parameters.get("type", "")
        kinds = [kind for word, kind in item_types().items() if re.search(rf"\b{word}\b", text) and "64" not in text]
        return Signature((kinds[0],), (kinds[0],)) if kinds else None
    try:
        sides = ports_of(block, names)
    except PortsUnknown:
        return None
    return Signature(*(tuple(item_types().get(port.dtype)
                             for port in side if not port.is_message) for side in sides))
