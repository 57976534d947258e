"""Bench rows: ratios within a round, bootstrap over rounds. `measure` hands in one number per contender and round."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from weir.bench.cells import Cell
from weir.comparing.statistics import compare_paired
from weir.reporting.quantities import MISSING, si

BARE = "bare"


@dataclass(frozen=True)
class Row:
    """CONTRACTS section 5. `spread` is the interval of `ratio_to_bare`; null where the rounds are too few for one.

    `slowed`: rounds that a slower machine touched; `witness`: the slowest and the fastest bare kernel around its
    measurements, items/s. Both are null where nothing was witnessed.
    """

    work: str
    n: int
    m: int
    contender: str
    items_per_s: float
    ratio_to_bare: float
    ratio_to_ideal: float
    spread: list[float] | None
    rounds: int
    in_place: bool
    buffer_bytes: int | None
    flags: str
    slowed: int | None = None
    witness: list[float] | None = None

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def rows_of(cell: Cell, rates: Mapping[str, Sequence[float]], buffer_bytes: Mapping[str, int | None],
            flags: str) -> list[Row]:
    """One row a contender. `rates[contender][round]` in items/s; `rates["bare"]` is one core of the bare kernel.

    For `null_rand`, bare is the whole machine's runtime-less loop, so that the ideal is the bare rate itself.
    """
    bares_in_ideal = cell.n / cell.m if cell.work == "saxpy" else 1.0
    rows = []
    for contender, measured in rates.items():
        to_bare = compare_paired(rates[BARE], measured)
        rows.append(Row(cell.work, cell.n, cell.m, contender, statistics.median(measured), to_bare.ratio,
                        to_bare.ratio / bares_in_ideal, to_bare.interval and list(to_bare.interval), len(measured),
                        False, buffer_bytes.get(contender), flags))
    return rows


def table(rows: Sequence[Mapping]) -> str:
    """Aligned text: one line a row, cells apart."""
    lines = [f"{'work':<10} {'n':>2} {'m':>3}  {'contender':<18} {'items/s':>14} {'to bare':>8} {'to ideal':>9}  "
             f"{'95 % interval':<16}  slowed"]
    cell = None
    for row in rows:
        here = (row["work"], row["n"], row["m"])
        if cell not in (None, here):
            lines.append("")
        cell = here
        spread = "not enough data" if row["spread"] is None else "{:.3f} .. {:.3f}".format(*row["spread"])
        lines.append(f"{row['work']:<10} {row['n']:>2} {row['m']:>3}  {row['contender']:<18} "
                     f"{si(row['items_per_s'], 'items/s'):>14} {row['ratio_to_bare']:>8.3f} "
                     f"{row['ratio_to_ideal']:>9.3f}  {spread:<16}  {_slowed(row)}".rstrip())
    return "\n".join([*lines, *_witness_lines(rows)])


def _witness_lines(rows: Sequence[Mapping]) -> list[str]:
    speeds = [speed for row in rows for speed in row["witness"] or ()]
    slowed = sum(bool(row["slowed"]) for row in rows)
    if not speeds:
        return []
    what = (f"; the machine slowed down in rounds of {slowed} of {len(rows)} rows. Those rounds count: ratios are "
            "taken within a round") if slowed else ""
    return ["", f"witness: around the measurements the bare kernel ran at {si(min(speeds), 'items/s')} to "
                f"{si(max(speeds), 'items/s')}{what}"]


def _slowed(row: Mapping) -> str:
    if row["slowed"] is None:
        return MISSING
    return f"{row['slowed']} of {row['rounds']} rounds" if row["slowed"] else ""
