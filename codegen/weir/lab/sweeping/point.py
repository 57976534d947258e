"""Points of a sweep and their axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from weir.model.document.sweeps import DEPLOYMENT, is_number

#: Limits of `--quick`: values of a numeric axis, and of any other.
QUICK_VALUES, QUICK_CONTENDERS = 3, 4
#: Axes whose values are contenders, which the sweep compares; the other axes are conditions.
CONTENDERS = (DEPLOYMENT, "scheduler", "target", "blocks")


@dataclass(frozen=True)
class Axis:
    """Axis of a sweep. `values`: JSON values; `texts`: the same for `--set`; `place`: JSON pointer in the project, or
    ""; `parameter`: true for a parameter of the project or a block, false for a setting.
    """

    key: str
    values: tuple[object, ...]
    texts: tuple[str, ...]
    place: str = ""
    parameter: bool = False

    @property
    def has_contenders(self) -> bool:
        """Return whether the values are contenders."""
        return self.key in CONTENDERS and not self.parameter

    def place_of(self, number: int) -> str:
        """Return the JSON pointer of a value, "" if it is not from a file."""
        return f"{self.place}/{number}" if self.place else ""

    def words_of(self, value: object) -> str:
        """Return a value as people write it: a name without quotation marks."""
        return self.texts[self.values.index(value)].strip('"')

    def quick(self) -> Axis:
        """Return the axis with the values for `--quick`: ends and middle of numbers, or the first names."""
        if self.has_contenders or not all(map(is_number, self.values)):
            return self._only(range(min(QUICK_CONTENDERS, len(self.values))))
        count = len(self.values)
        return self._only(range(count) if count <= QUICK_VALUES else (0, count // 2, count - 1))

    def of(self, values: Sequence[Any]) -> Axis:
        """Return the axis restricted to these values."""
        return self._only([self.values.index(value) for value in values])

    def _only(self, numbers: Sequence[int]) -> Axis:
        return replace(self, values=tuple(self.values[i] for i in numbers),
                       texts=tuple(self.texts[i] for i in numbers), place="")


@dataclass(frozen=True)
class Cell:
    """Point to measure. `sets`: as for `--set`; `trace`: as for `--trace`; `buffers`: JSON pointer of the deployment's
    buffers, and bytes of each.

    `values`: one value of each axis in order, None if the axis does not apply; `numbers`: their indices on the axes.
    """

    number: int
    deployment: str | None
    sets: Mapping[str, str]
    trace: str | None
    values: tuple[object, ...]
    numbers: tuple[int, ...]
    buffers: tuple[str, int] | None = None
