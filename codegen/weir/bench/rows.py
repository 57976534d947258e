"""Bench rows: ratios within a round, bootstrap over rounds. `measure` hands in one number per contender and round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from weir.bench.cells import Cell
from weir.reporting.quantities import si

MIN_ROUNDS = 8  # fewer paired rounds do not carry an interval
BOOTSTRAPS = 10_000
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Row:
    """CONTRACTS section 5. `spread` is the interval of `ratio_to_bare`; null with fewer than MIN_ROUNDS rounds."""

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

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def bootstrap_median(ratios: Sequence[float], seed: int) -> list[float] | None:
    """The interval of the median of paired ratios, resampling rounds; None when there are too few."""
    values = np.asarray(ratios, dtype=float)
    if values.size < MIN_ROUNDS:
        return None
    rng = np.random.default_rng(seed)
    medians = np.median(values[rng.integers(0, values.size, (BOOTSTRAPS, values.size))], axis=1)
    tail = (1.0 - CONFIDENCE) / 2.0
    return [float(q) for q in np.quantile(medians, [tail, 1.0 - tail])]


def rows_of(cell: Cell, rates: Mapping[str, Sequence[float]], buffer_bytes: Mapping[str, int | None],
            flags: str, seed: int) -> list[Row]:
    """One row a contender. `rates[contender][round]` in items/s; `rates["bare"]` is one core of the bare kernel.

    For `null_rand`, bare is the whole machine's runtime-less loop, so that the ideal is the bare rate itself.
    """
    bare = np.asarray(rates["bare"], dtype=float)
    ideal = bare * cell.n / cell.m if cell.work == "saxpy" else bare
    rows = []
    for contender, measured in rates.items():
        values = np.asarray(measured, dtype=float)
        ratios = values / bare
        rows.append(Row(cell.work, cell.n, cell.m, contender, float(np.median(values)), float(np.median(ratios)),
                        float(np.median(values / ideal)), bootstrap_median(ratios.tolist(), seed), int(values.size),
                        False, buffer_bytes.get(contender), flags))
    return rows


def table(rows: Sequence[Mapping]) -> str:
    """Aligned text: one line a row, cells apart."""
    lines = [f"{'work':<10} {'n':>2} {'m':>3}  {'contender':<18} {'items/s':>14} {'to bare':>8} {'to ideal':>9}  "
             "95 % interval"]
    cell = None
    for row in rows:
        here = (row["work"], row["n"], row["m"])
        if cell not in (None, here):
            lines.append("")
        cell = here
        spread = "not enough data" if row["spread"] is None else "{:.3f} .. {:.3f}".format(*row["spread"])
        lines.append(f"{row['work']:<10} {row['n']:>2} {row['m']:>3}  {row['contender']:<18} "
                     f"{si(row['items_per_s'], 'items/s'):>14} {row['ratio_to_bare']:>8.3f} "
                     f"{row['ratio_to_ideal']:>9.3f}  {spread}")
    return "\n".join(lines)
