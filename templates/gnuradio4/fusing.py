"""Runs of native blocks that GNU Radio fuses into one at compile time, with its MergeByIndex."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import groupby

from weir.engine.generation.natives import Native
from weir.model.planning.plan import Plan, PlannedBlock

#: Longest name of a fused block that says what is in it. It is part of a file name.
_MOST_LETTERS = 80


def groups_of(plan: Plan, natives: Mapping[str, Native]) -> list[tuple[PlannedBlock, ...]]:
    """Return the blocks that GNU Radio gets: instances alone, or several that it fuses, upstream first.

    Neighbours are fused if both compute one item from one item, on the same worker, and if no other block reads what
    passes between them. A buffer that the deployment requests stays.
    """
    into = {reader.rpartition(".")[0]: stream for stream in plan.streams for reader in stream.readers}
    found: dict[str, tuple[PlannedBlock, ...]] = {}  # by the last instance
    for block in plan.blocks:  # upstream first
        members: tuple[PlannedBlock, ...] = (block,)
        if plan.deployment.parameters.get("fuse") and _fuses(block, natives):
            stream = into[block.instance]
            above = found.get(stream.name.rpartition(".")[0])
            if above and _fuses(above[-1], natives) and above[-1].worker == block.worker and (
                    len(stream.readers) == 1 and stream.requested_items is None):
                members = (*found.pop(above[-1].instance), block)
        found[block.instance] = members
    return list(found.values())


def _fuses(block: PlannedBlock, natives: Mapping[str, Native]) -> bool:
    return block.instance in natives and bool(natives[block.instance].entry.get("fuses"))


def class_of(members: Sequence[str]) -> str:
    """Return the class that fuses these classes. Its halves are fused first: equal ones are compiled once."""
    if len(members) == 1:
        return members[0]
    half = (len(members) + 1) // 2
    return f"gr::MergeByIndex<{class_of(members[:half])}, 0, {class_of(members[half:])}, 0>"


def name_of(members: Sequence[PlannedBlock]) -> str:
    """Return the name of the function that makes the fused block, such as `make_fused_saxpy_3_f32`."""
    name = "_".join(f"{kind}_{len(list(equal))}" for kind, equal in groupby(members, lambda it: it.type))
    if len(name) > _MOST_LETTERS:
        name = hashlib.sha256(name.encode()).hexdigest()[:16]
    return f"make_fused_{name}_{members[0].item_type}"
