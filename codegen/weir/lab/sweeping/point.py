"""A point of a sweep, and the axes that it lies on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from weir.model.document.sweeps import DEPLOYMENT, is_number

#: Of `--quick`: values of an axis of numbers, and of any other.
QUICK_VALUES, QUICK_CONTENDERS = 3, 4
#: Axes whose values are contenders: what is compared, and not what it is compared over.
CONTENDERS = (DEPLOYMENT, "scheduler", "target", "blocks")


@dataclass(frozen=True)
class Axis:
    """`values` as JSON has them; `texts`: as `--set` takes each. `place`: where in the project they stand, or "".
    `parameter`: whether it is one of the project or of a block, and no setting.
    """

    key: str
    values: tuple[object, ...]
    texts: tuple[str, ...]
    place: str = ""
    parameter: bool = False

    @property
    def has_contenders(self) -> bool:
        """Whether its values are what is compared."""
        return self.key in CONTENDERS and not self.parameter

    def place_of(self, number: int) -> str:
        """The JSON pointer to a value; empty where it is not from a file."""
        return f"{self.place}/{number}" if self.place else ""

    def quick(self) -> Axis:
        """With no more values than `--quick` has time for: the ends and the middle, or the first of names."""
        if self.has_contenders or not all(map(is_number, self.values)):
            return self._only(range(min(QUICK_CONTENDERS, len(self.values))))
        count = len(self.values)
        return self._only(range(count) if count <= QUICK_VALUES else (0, count // 2, count - 1))

    def of(self, values: Sequence[Any]) -> Axis:
        """With these of its values."""
        return self._only([self.values.index(value) for value in values])

    def _only(self, numbers: Sequence[int]) -> Axis:
        return replace(self, values=tuple(self.values[i] for i in numbers),
                       texts=tuple(self.texts[i] for i in numbers), place="")


@dataclass(frozen=True)
class Cell:
    """A point to measure. `deployment`: its name; `sets`: as `--set` has them; `trace`: as `--trace` has it;
    `buffers`: where the deployment's buffers stand in the project, and how many bytes each is to have.

    `values`: one of each axis, in their order, None of an axis that does not hold for it; `numbers`: their places on
    the axes.
    """

    number: int
    deployment: str | None
    sets: Mapping[str, str]
    trace: str | None
    values: tuple[object, ...]
    numbers: tuple[int, ...]
    buffers: tuple[str, int] | None = None
