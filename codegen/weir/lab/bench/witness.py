"""Whether the machine kept its speed: the bare kernel right before and after each measurement of a benchmark.

The limits are those of runs (docs/measuring.md, "The speed witness"). Nothing is thrown away: what was measured on a
slower machine is marked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from weir.engine.measuring.witness import BEHIND_LIMIT, CHANGE_LIMIT
from weir.lab.bench.cells import Cell
from weir.lab.bench.contender import Key
from weir.lab.bench.rows import BARE, Row

SECONDS = 0.05


def marked(rows: Sequence[Row], raw: Sequence[Mapping]) -> tuple[list[Row], list[dict[str, object]]]:
    """(rows, measurements), both with what their witnesses say. `raw` has `witness_items_per_s`: [before, after].

    A measurement is slowed where the two differ, or where the better of them is behind the best of the whole
    benchmark on as many CPUs. A row is touched by a round in which its contender or the bare kernel was slowed.
    """
    best: dict[int, float] = {}
    for one in raw:
        best[_cpus(one)] = max(best.get(_cpus(one), 0.0), *one["witness_items_per_s"])
    measurements = [{**one, "slowed": _slowed(one["witness_items_per_s"], best[_cpus(one)])} for one in raw]

    bares = {(row.work, row.n, row.m): row.key for row in rows if row.contender == BARE}

    def with_witness(row: Row) -> Row:
        cell = row.work, row.n, row.m
        own = [one for one in measurements if (one["work"], one["n"], one["m"]) == cell
               and _key(one) in (row.key, bares[cell])]
        speeds = [speed for one in own if _key(one) == row.key for speed in one["witness_items_per_s"]]
        return replace(row, slowed=len({one["round"] for one in own if one["slowed"]}),
                       witness=[min(speeds), max(speeds)])

    return [with_witness(row) for row in rows], measurements


def _key(measurement: Mapping) -> Key:
    return measurement["contender"], measurement["buffers"], measurement["variant"], measurement["condition"]


def _cpus(measurement: Mapping) -> int:
    return Cell(measurement["work"], measurement["n"], measurement["m"]).cpus


def _slowed(witness: Sequence[float], best: float) -> bool:
    low, high = min(witness), max(witness)
    return high - low > CHANGE_LIMIT * high or high < (1.0 - BEHIND_LIMIT) * best
