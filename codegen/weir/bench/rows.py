"""Bench rows: ratios within a round, bootstrap over rounds. `measure` hands in one outcome per entry and round."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from weir.bench.cells import Cell
from weir.bench.contender import Entry, Outcome
from weir.comparing.statistics import compare_paired

BARE = "bare"
#: What bounds a core and not a chain: no ideal is shown for them.
CEILINGS = (BARE, "fma_peak")


@dataclass(frozen=True)
class Series:
    """What an entry reached, a round each."""

    entry: Entry
    outcomes: list[Outcome] = field(default_factory=list)

    @property
    def rates(self) -> list[float]:
        """Items/s."""
        return [outcome.items_per_s for outcome in self.outcomes]

    @property
    def median(self) -> float:
        return statistics.median(self.rates)


@dataclass(frozen=True)
class Row:
    """CONTRACTS section 5. `spread` is the interval of `ratio_to_bare`; null where the rounds are too few for one.

    `buffers`: auto, equal, or null for who has no choice; `variant`: the better one of those that were measured.
    `cpu_s`: CPU seconds in a second on each of the cell's CPUs, 1 = all of them busy. `slowed`: rounds that a slower
    machine touched; `witness`: the slowest and the fastest bare kernel around its measurements, items/s. Both are null
    where nothing was witnessed. The rest is as in `Facts`.
    """

    work: str
    n: int
    m: int
    contender: str
    buffers: str | None
    variant: str | None
    items_per_s: float
    ratio_to_bare: float
    ratio_to_ideal: float
    spread: list[float] | None
    rounds: int
    in_place: bool
    items_per_call: float | None
    buffer_bytes: int | None
    total_buffer_bytes: int | None
    cpu_s: float | None
    flags: str
    slowed: int | None = None
    witness: list[float] | None = None

    @property
    def key(self) -> tuple[str, str | None, str | None]:
        """That of the entry that it shows."""
        return self.contender, self.buffers, self.variant

    def as_json(self) -> dict[str, object]:
        return asdict(self)


def rows_of(cell: Cell, measured: Sequence[Series]) -> list[Row]:
    """One row for each contender and choice of buffers, bare's first: that of its variant with the best median.

    For `null_rand`, bare is the runtime-less loop on all CPUs of the cell, so that the ideal is the bare rate itself.
    ValueError without a bare kernel among them.
    """
    best = _best_variants(measured)
    bare = best.pop((BARE, None), None)
    if bare is None:
        raise ValueError(f"nothing to compare with in {cell}")
    bares_in_ideal = cell.n / cell.m if cell.work == "saxpy" else 1.0
    rows = []
    for series in (bare, *best.values()):
        to_bare = compare_paired(bare.rates, series.rates)
        entry, facts = series.entry, series.entry.facts
        used = [outcome.cpu_s for outcome in series.outcomes]
        rows.append(Row(cell.work, cell.n, cell.m, entry.contender, entry.buffers, entry.variant, series.median,
                        to_bare.ratio, to_bare.ratio / bares_in_ideal, to_bare.interval and list(to_bare.interval),
                        len(used), facts.in_place, facts.items_per_call, facts.buffer_bytes, facts.total_buffer_bytes,
                        None if None in used else statistics.median(used) / cell.n, facts.flags))
    return rows


def _best_variants(measured: Sequence[Series]) -> dict[tuple[str, str | None], Series]:
    best: dict[tuple[str, str | None], Series] = {}
    for series in measured:
        row = series.entry.contender, series.entry.buffers
        if row not in best or series.median > best[row].median:
            best[row] = series
    return best


def in_cells(rows: Sequence[Mapping]) -> dict[tuple[str, int, int], list[Mapping]]:
    """Rows as in JSON by (work, n, m), in their order."""
    found: dict[tuple[str, int, int], list[Mapping]] = {}
    for row in rows:
        found.setdefault((row["work"], row["n"], row["m"]), []).append(row)
    return found
