"""The sizes that a contender has in a sweep: those that the sweep states, or the best that were found for it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from weir.lab.sweeping.point import Axis, Cell
from weir.model.document.sweeps import BUFFER_BYTES, place_of

#: The column, which no parameter can be called, and the values of the axis that tells the two apart.
AXIS, STATED, BEST = "SIZES", "stated", "best"
CHUNK_ITEMS = "chunk_items"
#: As the scheduler decides, without being asked for anything.
AUTO = "auto"


@dataclass(frozen=True)
class Sizes:
    """Items of a call, and bytes of each buffer, or AUTO."""

    chunk_items: int | str
    buffer_bytes: int | str

    def words(self) -> str:
        """Both sizes as text."""
        return f"{CHUNK_ITEMS} {self.chunk_items}, {BUFFER_BYTES} {self.buffer_bytes}"


def is_of_sizes(axis: Axis) -> bool:
    """Whether it says what `Sizes` does."""
    parts = axis.key.split("/")
    placed = parts[1:2] == ["deployments"] and len(parts) > 3 and parts[3] in (CHUNK_ITEMS, "buffers")
    return not axis.parameter and (axis.key in (CHUNK_ITEMS, BUFFER_BYTES) or placed)


def is_best(cell: Cell, axes: Sequence[Axis]) -> bool:
    """Whether it has its contender's own best sizes."""
    return any(axis.key == AXIS and value == BEST for value, axis in zip(cell.values, axes))


def with_sizes(cell: Cell, sizes: Sizes, deployment: int) -> Cell:
    """That point with them, whatever it was to have. `deployment`: the number of its deployment in the project."""
    chunk, buffers = place_of(CHUNK_ITEMS, deployment), place_of("buffers", deployment)
    sets = {key: text for key, text in cell.sets.items()
            if key != chunk and key != buffers and not key.startswith(f"{buffers}/")}
    sets[chunk] = json.dumps(sizes.chunk_items)
    if isinstance(sizes.buffer_bytes, int):
        return replace(cell, sets=sets, buffers=(buffers, sizes.buffer_bytes))
    return replace(cell, sets={**sets, buffers: "{}"}, buffers=None)
