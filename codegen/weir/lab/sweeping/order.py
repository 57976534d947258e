"""In which order the points of a sweep are measured, and what comes next: decided by the seed and by the runs that are
there, so that whoever goes on with a sweep goes on exactly there.

A block has every point once, in a random order. One that others on the machine disturbed is measured again, whole, as
often as was stated: because of foreign time and steal alone, and never because of what came out.
"""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Block:
    """`planned`: of the repetitions that were asked for, which it is of; `again`: how manieth repetition of a disturbed
    one, 0 for the first; `number`: the same for these two, whatever else is measured. `order`: cells by position.
    """

    number: int
    planned: int
    again: int
    order: tuple[int, ...]


def order_of(seed: int, planned: int, again: int, cells: int) -> tuple[int, ...]:
    """The order in which a block's cells are measured."""
    order = list(range(cells))
    random.Random(f"{seed}/{planned}/{again}").shuffle(order)
    return tuple(order)


@dataclass(frozen=True)
class Order:
    """`repetitions` of every point, each block of them measured again up to `repeats` times where it was disturbed."""

    seed: int
    cells: int
    repetitions: int
    repeats: int

    def block(self, planned: int, again: int) -> Block:
        """One block."""
        return Block(planned * (self.repeats + 1) + again, planned, again,
                     order_of(self.seed, planned, again, self.cells))

    def of_number(self, number: int) -> tuple[int, int]:
        """(planned, again)."""
        return divmod(number, self.repeats + 1)
