"""Bench rows: ratios within a round, bootstrap over rounds. `measure` hands in one outcome per entry and round."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from weir.lab.bench.cells import Cell
from weir.lab.bench.contender import Entry, Key, Outcome
from weir.read.comparing.statistics import compare_paired

BARE = "bare"
#: (contender, buffers, condition): what a row is of.
_Shown = tuple[str, str | None, str | None]
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
        """The median of its rates, items/s."""
        return statistics.median(self.rates)


@dataclass(frozen=True)
class Row:
    """CONTRACTS section 5. `spread` is the interval of `ratio_to_bare`; null where the rounds are too few for one.

    `buffers`: auto, equal, or null for who has no choice; `variant`: the better one of those that were measured.
    `cpu_s`: CPU seconds in a second on each of the cell's CPUs, 1 = all of them busy. `slowed`: rounds that a slower
    machine touched; `witness`: the slowest and the fastest bare kernel around its measurements, items/s. Both are null
    where nothing was witnessed. The rest is as in `Facts`.

    `condition`: how it was run, where the work has several ways. `ratio_to_own`: to the same contender in the condition
    that its entry is held against, in the same round, with the interval `own_spread`. `latency`: the medians over the
    rounds of p50_ns, p95_ns, p99_ns and max_ns, beside what was offered and one chunk's time with its work.
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
    condition: str | None = None
    ratio_to_own: float | None = None
    own_spread: list[float] | None = None
    latency: Mapping[str, float | None] | None = None

    @property
    def key(self) -> Key:
        """That of the entry that it shows."""
        return self.contender, self.buffers, self.variant, self.condition

    def as_json(self) -> dict[str, Any]:
        """Returns the row as plain JSON values."""
        return asdict(self)


def rows_of(cell: Cell, measured: Sequence[Series]) -> list[Row]:
    """One row for each contender, choice of buffers and condition, bare's first: that of its variant with the best
    median.

    ValueError without a bare kernel among them, or without a condition that one is held against.
    """
    best = _best_variants(measured)
    bare = best.pop((BARE, None, None), None)
    if bare is None:
        raise ValueError(f"nothing to compare with in {cell}")
    rows = []
    for series in (bare, *best.values()):
        to_bare = compare_paired(bare.rates, series.rates)
        entry, facts = series.entry, series.entry.facts
        own = _own(series, best, cell)
        to_own = own and compare_paired(own.rates, series.rates)
        used = [outcome.cpu_s for outcome in series.outcomes if outcome.cpu_s is not None]
        whole = len(used) == len(series.outcomes)
        rows.append(Row(cell.work, cell.n, cell.m, entry.contender, entry.buffers, entry.variant, series.median,
                        to_bare.ratio, to_bare.ratio / cell.bares_in_ideal, to_bare.interval and list(to_bare.interval),
                        len(series.outcomes), facts.in_place, facts.items_per_call, facts.buffer_bytes,
                        facts.total_buffer_bytes,
                        statistics.median(used) / cell.cpus if whole else None, facts.flags,
                        condition=entry.condition, ratio_to_own=to_own.ratio if to_own else None,
                        own_spread=list(to_own.interval) if to_own and to_own.interval else None,
                        latency=_latency(series)))
    return rows


def _best_variants(measured: Sequence[Series]) -> dict[_Shown, Series]:
    best: dict[_Shown, Series] = {}
    for series in measured:
        it = series.entry
        row = it.contender, it.buffers, it.condition
        if row not in best or series.median > best[row].median:
            best[row] = series
    return best


def _own(series: Series, shown: Mapping[_Shown, Series], cell: Cell) -> Series | None:
    it = series.entry
    if it.against is None:
        return None
    try:
        return shown[it.contender, it.buffers, it.against]
    except KeyError:
        raise ValueError(f"{it} has nothing to be held against in {cell}") from None


def _latency(series: Series) -> dict[str, float | None] | None:
    """None where not every round has one, and so for each percentile."""
    found = [outcome.latency for outcome in series.outcomes]
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found):
        return None
    facts, medians = series.entry.facts, {}
    for name in known[0]:
        values = [value for one in known if (value := one[name]) is not None]
        medians[name] = statistics.median(values) if len(values) == len(known) else None
    return {"offered_items_per_s": facts.offered_items_per_s, "chunk_ns": facts.chunk_ns, **medians}


def in_cells(rows: Sequence[Mapping]) -> dict[tuple[str, int, int], list[Mapping]]:
    """Rows as in JSON by (work, n, m), in their order."""
    found: dict[tuple[str, int, int], list[Mapping]] = {}
    for row in rows:
        found.setdefault((row["work"], row["n"], row["m"]), []).append(row)
    return found
