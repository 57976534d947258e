"""Sizes of a contender in a sweep: the stated ones, or the best ones of a search."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from weir.lab.sweeping.point import Axis, Cell
from weir.model.document.sweeps import BUFFER_BYTES, place_of

#: Name of the axis, which no parameter can have, and its two values.
AXIS, STATED, BEST = "SIZES", "stated", "best"
CHUNK_ITEMS = "chunk_items"
#: Value that leaves a size to the scheduler.
AUTO = "auto"


@dataclass(frozen=True)
class Sizes:
    """Items of a chunk and bytes of each buffer, or AUTO."""

    chunk_items: int | str
    buffer_bytes: int | str

    def words(self) -> str:
        """Return both sizes as text."""
        return f"{CHUNK_ITEMS} {self.chunk_items}, {BUFFER_BYTES} {self.buffer_bytes}"


def is_of_sizes(axis: Axis) -> bool:
    """Return whether the axis sets a value of `Sizes`."""
    parts = axis.key.split("/")
    placed = parts[1:2] == ["deployments"] and len(parts) > 3 and parts[3] in (CHUNK_ITEMS, "buffers")
    return not axis.parameter and (axis.key in (CHUNK_ITEMS, BUFFER_BYTES) or placed)


def is_best(cell: Cell, axes: Sequence[Axis]) -> bool:
    """Return whether the cell has its contender's best sizes."""
    return any(axis.key == AXIS and value == BEST for value, axis in zip(cell.values, axes))


def with_sizes(cell: Cell, sizes: Sizes, deployment: int) -> Cell:
    """Return the cell with these sizes. `deployment`: index of its deployment in the project."""
    chunk, buffers = place_of(CHUNK_ITEMS, deployment), place_of("buffers", deployment)
    sets = {key: text for key, text in cell.sets.items()
            if key != chunk and key != buffers and not key.startswith(f"{buffers}/")}
    sets[chunk] = json.dumps(sizes.chunk_items)
    if isinstance(sizes.buffer_bytes, int):
        return replace(cell, sets=sets, buffers=(buffers, sizes.buffer_bytes))
    return replace(cell, sets={**sets, buffers: "{}"}, buffers=None)
