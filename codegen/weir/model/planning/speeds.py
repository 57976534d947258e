"""Speeds at which a machine moves items. Plans use them for the sizes of chunks and buffers, and for predictions.

`bench/speeds` measures them on request (`engine/measuring/speeds.py`), and they become a part of the machine. Otherwise
plans use `ASSUMED`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from math import log
from typing import Any

#: Bytes of the buffers used in turn, as shares of a cache. Up to a share, they run at the speed of that cache. Between
#: two of these limits, the time per item grows with the logarithm of the bytes. Measured for rows of 8 buffers and
#: more, from L1 into L2 (docs/measuring.md, "The speeds of a machine").
_ALL_IN_L1, _ALL_IN_L2, _MOSTLY_BEYOND_L2 = 3 / 4, 1 / 2, 4

#: Time of a scheduled call as a share of a step. Measured for chains of 1 to 6 saxpy stages, with chunks of 256 and of
#: 1,024 items, on an EPYC (Zen 3).
_FIRED = 0.3


@dataclass(frozen=True)
class Speeds:
    """Times in ns. `bench/speeds/speeds.cpp` explains each. `vector_bits`: width of the faster kernel, 0 = only one
    width.

    `vector_bits` becomes a flag of the compiler.
    """

    step: float
    varying_step: float
    l1_kib: float
    l2_kib: float
    l3_kib: float
    far_kib: float
    line: float
    wake: float
    vector_bits: int

    def as_json(self) -> dict[str, Any]:
        """Return the speeds as plain JSON values."""
        return asdict(self)

    @property
    def fired_step(self) -> float:
        """Return the time of a scheduled call, which needs no check for items or space."""
        return _FIRED * self.step

    @property
    def plausible(self) -> bool:
        """Return whether no cache is slower than the next one, and all times are positive."""
        times = self.step, self.varying_step, self.l1_kib, self.line, self.wake
        return min(times) > 0 and self.l1_kib <= self.l2_kib <= self.l3_kib \
            and self.l1_kib <= self.far_kib

    def kib_ns(self, footprint: float, l1: int, l2: int) -> float:
        """Return the ns that a kernel takes for a KiB of items, between buffers of `footprint` bytes in total."""
        at = (_ALL_IN_L1 * l1, self.l1_kib), (_ALL_IN_L2 * l2, self.l2_kib), (_MOSTLY_BEYOND_L2 * l2, self.l3_kib)
        if footprint <= at[0][0]:
            return self.l1_kib
        for (low, fast), (high, slow) in zip(at, at[1:]):
            if footprint <= high and low < high:
                return fast + (slow - fast) * log(max(footprint / low, 1)) / log(high / low)
        return self.l3_kib


#: An x86-64 server of 2021 at 2.4 GHz, to two digits.
ASSUMED = Speeds(step=35, varying_step=200, l1_kib=16, l2_kib=22, l3_kib=28, far_kib=110, line=270, wake=30_000,
                 vector_bits=0)


def speeds_from_json(document: Mapping[str, Any]) -> Speeds:
    """Return the speeds of a document that fits the schema. If the newer `far_kib` is missing, it equals the speed
    beyond L2.
    """
    document = {"far_kib": document["l3_kib"], **document}
    values: dict[str, Any] = {field.name: (int if field.name == "vector_bits" else float)(document[field.name])
                              for field in fields(Speeds)}
    return Speeds(**values)
