"""In which order the points of a sweep are measured, and what comes next: decided by the seed and by the runs that are
there, so that whoever goes on with a sweep goes on exactly there.

A block has every point once, in a random order. One that others on the machine disturbed is measured again, whole, as
often as was stated: because of foreign time and steal alone, and never because of what came out.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

#: Share of the time of its CPUs that others may have before a run counts as disturbed (docs/results.md).
DISTURBED_ABOVE = 0.10


@dataclass(frozen=True)
class Block:
    """`number` counts those that are measured; `planned`: of the repetitions that were asked for, which it is of;
    `again`: how manieth repetition of a disturbed one, 0 for the first. `order`: cells by position.
    """

    number: int
    planned: int
    again: int
    order: tuple[int, ...]


def order_of(seed: int, planned: int, again: int, cells: int) -> tuple[int, ...]:
    order = list(range(cells))
    random.Random(f"{seed}/{planned}/{again}").shuffle(order)
    return tuple(order)


def is_disturbed(results: Mapping) -> bool:
    """By what the kernel says of others, not by how long anything took."""
    at = results["environment"]
    return (at["foreign"] or 0.0) + (at["steal"] or 0.0) > DISTURBED_ABOVE


@dataclass(frozen=True)
class Order:
    """`repetitions` of every point, each block of them measured again up to `repeats` times where it was disturbed."""

    seed: int
    cells: int
    repetitions: int
    repeats: int

    def blocks(self, disturbed: Sequence[bool]) -> list[Block]:
        """Those that are complete, of each of which it is known whether it was disturbed, and the next one, if any."""
        found, planned, again = [], 0, 0
        for was in (*disturbed, None):
            if planned == self.repetitions:
                break
            found.append(Block(len(found), planned, again, order_of(self.seed, planned, again, self.cells)))
            if was and again < self.repeats:
                again += 1
            else:
                planned, again = planned + 1, 0
        return found
