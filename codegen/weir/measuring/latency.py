"""Latency from boundaries: tx of a source joined with rx of a sink, percentiles by nearest rank, text that others read.

Boundary k of a source belongs to boundary k of the sink it is paired with (the plan scales the granularities). All
times are nanoseconds of CLOCK_MONOTONIC.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

#: field of results.json -> per mille of the samples that lie at or below it
PERCENTILES = {"p5_ns": 50, "p50_ns": 500, "p95_ns": 950, "p99_ns": 990, "p999_ns": 999}

#: lines of the percentile text between one half of the remaining distance to 100 % and the next
HGRM_TICKS = 100

PAIR_COLUMNS = ("source", "sink", "pipe", "k", "sent_ns", "received_ns")


@dataclass(frozen=True)
class Boundaries:
    """One block's boundary events: k (uint64), time_ns and scheduled_ns (int64), 1-D and equally long, any order."""

    k: np.ndarray
    time_ns: np.ndarray
    scheduled_ns: np.ndarray

    @staticmethod
    def of(k: Sequence[int], time_ns: Sequence[int], scheduled_ns: Sequence[int] | None = None) -> Boundaries:
        return Boundaries(np.asarray(k, np.uint64), np.asarray(time_ns, np.int64),
                          np.zeros(len(k), np.int64) if scheduled_ns is None else np.asarray(scheduled_ns, np.int64))


NO_BOUNDARIES = Boundaries.of((), ())


@dataclass(frozen=True)
class PairSamples:
    """The boundaries seen at both ends of a (source, sink) pair, in the order of k.

    `lost` counts boundaries 1..expected that lack one end or the other, `repeated` events beyond one a boundary and
    end.
    """

    source: str
    sink: str
    pipe: int | None
    k: np.ndarray
    sent_ns: np.ndarray
    received_ns: np.ndarray
    lost: int
    repeated: int = 0

    @property
    def latency_ns(self) -> np.ndarray:
        return self.received_ns - self.sent_ns


def match(source: str, sink: str, pipe: int | None, tx: Boundaries, rx: Boundaries, expected: int) -> PairSamples:
    """Joins boundary k with boundary k for k in 1..expected.

    A tx beyond `expected` lies behind a head: it is left out and not lost. Where the source is paced, sent is the
    scheduled time, so that a late source does not hide its own delay.
    """
    sent, received = _within(tx, expected), _within(rx, expected)
    sent_k, sent_at = np.unique(sent.k, return_index=True)
    received_k, received_at = np.unique(received.k, return_index=True)
    k, i, j = np.intersect1d(sent_k, received_k, assume_unique=True, return_indices=True)
    times, due = sent.time_ns[sent_at][i], sent.scheduled_ns[sent_at][i]
    repeated = len(sent.k) - len(sent_k) + len(received.k) - len(received_k)
    return PairSamples(source, sink, pipe, k, np.where(due != 0, due, times), received.time_ns[received_at][j],
                       lost=expected - len(k), repeated=repeated)


def _within(events: Boundaries, expected: int) -> Boundaries:
    keep = (events.k >= 1) & (events.k <= expected)
    return Boundaries(events.k[keep], events.time_ns[keep], events.scheduled_ns[keep])


def nearest_rank(ordered: np.ndarray, per_mille: int) -> int:
    """The value at index ceil(p n) - 1 of ascending values. In whole numbers: 0.07 * 100 is not 7 in binary."""
    return int(ordered[max(0, -(-len(ordered) * per_mille // 1000) - 1)])


def summarise(latency_ns: np.ndarray, lost: int) -> dict[str, int | float | None]:
    """`latency` of results.json. Without samples everything but the counts is None."""
    if len(latency_ns) == 0:
        return {"count": 0, "lost": lost, "mean_ns": None, **dict.fromkeys(PERCENTILES), "max_ns": None}
    ordered = np.sort(latency_ns)
    return {"count": len(ordered), "lost": lost, "mean_ns": float(ordered.mean()),
            **{field: nearest_rank(ordered, per_mille) for field, per_mille in PERCENTILES.items()},
            "max_ns": int(ordered[-1])}


def pool(pairs: Iterable[PairSamples]) -> tuple[np.ndarray, int]:
    """Latencies of all pairs together, and how many boundaries are lost in all."""
    pairs = list(pairs)
    samples = [p.latency_ns for p in pairs]
    return (np.concatenate(samples) if samples else np.empty(0, np.int64)), sum(p.lost for p in pairs)


def latency_fields(pairs: Sequence[PairSamples]) -> dict[str, object]:
    """`latency` and `latency_pairs` of results.json; both None for a graph that has no pair."""
    if not pairs:
        return {"latency": None, "latency_pairs": None}
    return {"latency": summarise(*pool(pairs)),
            "latency_pairs": [{"source": p.source, "sink": p.sink, "pipe": p.pipe, **summarise(p.latency_ns, p.lost)}
                              for p in pairs]}


def read_pairs(path: Path, expected: Mapping[tuple[str, str], int]) -> list[PairSamples]:
    """The pairs file that a binary writes with the memory back-end. ValueError where it is malformed.

    `expected`: boundaries that each (source, sink) should have; a pair without a row is listed with all of them lost.
    """
    rows: dict[tuple[str, str], list[tuple[int, int, int]]] = {pair: [] for pair in expected}
    pipes: dict[tuple[str, str], int | None] = {}
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.reader(file)
        if tuple(next(reader, ())) != PAIR_COLUMNS:
            raise ValueError(f"{path.name} does not start with {','.join(PAIR_COLUMNS)}")
        for source, sink, pipe, k, sent, received in reader:
            pipes[source, sink] = int(pipe) if pipe not in ("", "-1") else None
            rows.setdefault((source, sink), []).append((int(k), int(sent), int(received)))
    pairs = []
    for (source, sink), samples in rows.items():
        k, sent, received = np.array(samples, np.int64).reshape(-1, 3).T
        pairs.append(match(source, sink, pipes.get((source, sink)), Boundaries.of(k, sent), Boundaries.of(k, received),
                           expected.get((source, sink), len(samples))))
    return pairs


def write_hgrm(path: Path, latency_ns: np.ndarray) -> None:
    """The percentile text of HdrHistogram, values in nanoseconds, exact (no buckets). Empty body without samples."""
    ordered = np.sort(latency_ns)
    lines = [f"{'Value':>12} {'Percentile':>14} {'TotalCount':>10} {'1/(1-Percentile)':>14}\n"]
    for level in _levels(len(ordered)):
        value = ordered[max(0, int(np.ceil(level * len(ordered))) - 1)]
        count = int(np.searchsorted(ordered, value, side="right"))
        tail = f" {1 / (1 - level):14.2f}" if level < 1 else ""
        lines.append(f"{float(value):12.3f} {level:14.12f} {count:10d}{tail}")
    mean, deviation, largest = (ordered.mean(), ordered.std(), ordered[-1]) if len(ordered) else (0.0, 0.0, 0)
    lines.append(f"#[Mean    = {mean:12.3f}, StdDeviation   = {deviation:12.3f}]")
    lines.append(f"#[Max     = {largest:12.3f}, Total count    = {len(ordered):12d}]")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _levels(n: int) -> list[float]:
    """Steps that halve with each halving of the distance to 1, down to one sample, and then 1."""
    if n == 0:
        return []
    levels, half = [], 0
    while 0.5**half > 1 / n:
        start, width = 1 - 0.5**half, 0.5 ** (half + 1)
        levels += [start + width * tick / HGRM_TICKS for tick in range(HGRM_TICKS)]
        half += 1
    return [*levels, 1.0]


def read_hgrm(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """(percentile as a fraction, value in ns), both ascending. ValueError where the file is malformed."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        fields = line.split()
        if fields and not line.startswith("#"):
            if len(fields) < 3:
                raise ValueError(f"{path.name}: a line with {len(fields)} columns")
            rows.append((float(fields[1]), float(fields[0])))
    levels, values = np.array(rows, float).reshape(-1, 2).T
    return levels, values


def write_blocks_csv(path: Path, blocks: Iterable[Mapping[str, object]]) -> None:
    """`blocks` of results.json as a table; what was not measured is empty."""
    plain = ("id", "worker", "calls", "items_in", "items_out", "busy_ns")
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*plain, "items_per_call_p5", "items_per_call_p50", "items_per_call_p95"])
        for block in blocks:
            per_call = block.get("items_per_call") or {}
            writer.writerow([block.get(f) for f in plain] + [per_call.get(f) for f in ("p5", "p50", "p95")])
