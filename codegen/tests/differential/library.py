"""Blocks for random projects, and values for their parameters.

This file names no block. The descriptors decide which block fits where. Values of parameters come from their ranges and
from the `cases` of the references.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from graph_reference import Block, Context, load_blocks
from weir.model.catalog import BlockType, Catalog
from weir.model.document import expressions
from weir.model.document.item_types import Parameter

LARGEST_RATE = 64
LONGEST_LIST = 200
SMALL = (1, 2, 3, 5, 7, 8)


@dataclass
class Placed:
    """Block type with one choice of item type and parameters. `rates`: items per firing, in and out."""

    kind: BlockType
    item_type: str
    parameters: dict[str, object]
    inputs: list[int]
    outputs: list[int]

    def in_type(self, port: int) -> str:
        return self.kind.inputs[port].item_type(self.item_type or None)

    def out_type(self, port: int) -> str:
        return self.kind.outputs[port].item_type(self.item_type or None)

    @property
    def is_wire_like(self) -> bool:
        """Return whether copies can be connected in series: one input and one output, of the same type and rate."""
        return (len(self.inputs) == len(self.outputs) == 1 and self.inputs == self.outputs
                and self.in_type(0) == self.out_type(0))


class Library:
    """Blocks that have a reference, by role."""

    def __init__(self, catalog: Catalog, references: dict[str, Block] | None = None):
        self.references = references or load_blocks()
        kinds = [k for k in catalog.blocks.values() if k.id in self.references]
        self.sources = [k for k in kinds if k.is_source]
        self.sinks = [k for k in kinds if k.is_sink]
        self.inner = [k for k in kinds if not k.is_source and not k.is_sink]

    def takes(self, kinds: list[BlockType], item_type: str, inputs: int) -> list[tuple[BlockType, str]]:
        """Return the blocks with this number of inputs whose first input accepts `item_type`, each with its type T."""
        found = []
        for kind in kinds:
            if len(kind.inputs) != inputs:
                continue
            first = kind.inputs[0].type
            for own in kind.item_types or ("",):
                if (own if first == "T" else first) == item_type:
                    found.append((kind, own))
        return found

    def keeps(self, kind: BlockType) -> bool:
        """Return whether a later comparison can check part of what the sink reads."""
        reference = self.references[kind.id]
        own = reference.item_types[0]
        empty = {port: np.zeros(0, dtype) for port, dtype in reference.ports("inputs", own).items()}
        return bool(reference.reference({}, empty, own, Context()))

    def placed(self, kind: BlockType, item_type: str, items: int, folder: Path, dice: random.Random) -> Placed | None:
        """Return the block with values for its parameters; None if it would move too many items at once.

        `items`: of the run. Writes the files that the block reads into `folder`.
        """
        context = Context(items=items, seed=1, project_dir=folder, output_dir=folder)
        cases = [dict(c) for c in self.references[kind.id].cases(item_type, context)] or [{}]
        values = dice.choice(cases)
        reads_files = any(p.access == "read" for p in kind.parameters)
        if not reads_files and not kind.behaviour.get("waits") and dice.random() < 0.7:
            # Any numbers are taps; other lists may need a length, or whole numbers.
            taps = {p["id"] for p in self.references[kind.id].descriptor["parameters"] if "design" in p}
            own = {p.id: _value(p, kind, item_type, items, dice) for p in kind.parameters
                   if p.type != "f32_list" or p.id in taps}
            # The counts of a case belong together: an index below n may not be below another n.
            counts = {p.id for p in kind.parameters if p.type == "i64"}
            values = {name: value for name, value in values.items() if name not in counts}
            values |= {name: value for name, value in own.items() if value is not None}
        if any(isinstance(v, list) and len(v) > LONGEST_LIST for v in values.values()):
            return None
        numbers = {p.id: values.get(p.id, p.default) for p in kind.parameters if p.type == "i64"}
        try:
            rates = [[expressions.evaluate(p.rate["expr"], numbers) if isinstance(p.rate, dict) else p.rate
                      for p in side] for side in (kind.inputs, kind.outputs)]
        except expressions.ExpressionError:
            return None
        if any(not 1 <= r <= LARGEST_RATE for side in rates for r in side):
            return None
        return Placed(kind, item_type, values, *[[int(r) for r in side] for side in rates])


def _value(parameter: Parameter, kind: BlockType, item_type: str, items: int, dice: random.Random) -> object:
    """Return a small integer, so that float streams stay exact; None keeps the default."""
    if parameter.type == "item":
        return [dice.choice(SMALL), dice.choice((0, 1, -1))] if item_type == "c64" else dice.choice(SMALL[:4])
    if parameter.type == "f32_list":
        return [dice.choice((1, 2, 3, 1, 0, -1)) for _ in range(dice.randint(1, 9))]
    if parameter.id == kind.behaviour.get("bounds"):
        return dice.choice((0, 0, 0, items // 2, dice.randint(1, 2 * items), dice.randint(1, 9)))
    rates = [p.rate["expr"] for p in (*kind.inputs, *kind.outputs) if isinstance(p.rate, dict)]
    if parameter.type == "i64" and any(parameter.id in rate for rate in rates):
        allowed = [v for v in SMALL if (parameter.minimum or 1) <= v <= (parameter.maximum or v)]
        return dice.choice(allowed) if allowed else None
    return None
