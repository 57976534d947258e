"""Latency from boundaries: tx of a source joined with rx of a sink, percentiles by nearest rank, text that others read.

Boundary k of a source belongs to boundary k of every probe behind it (the plan scales the granularities). All times are
nanoseconds of CLOCK_MONOTONIC. docs/measuring.md defines waiting and work.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from weir.engine.results_model import fields

#: field of results.json -> per mille of the samples that lie at or below it
PERCENTILES = {name: it.per_mille for name, it in fields("times").items() if it.per_mille is not None}

#: A percentile is a number only where so many samples lie beyond it, on the side that has fewer.
LEAST_BEYOND = 10

#: lines of the percentile text between one half of the remaining distance to 100 % and the next
HGRM_TICKS = 100

#: Pairs beyond so many share the one curve: nobody tells more apart, and each takes up to 100 KB.
MOST_CURVES = 32


@dataclass(frozen=True)
class Window:
    """The part of a run that counts, for throughput and latency alike: `window` of results.json."""

    begin_ns: int = np.iinfo(np.int64).min
    end_ns: int = np.iinfo(np.int64).max

    @staticmethod
    def of(results: Mapping) -> Window | None:
        """The window of a run; None where it has none."""
        window = results.get("window")
        return Window(window["begin_ns"], window["end_ns"]) if window else None

    def has(self, time_ns: np.ndarray) -> np.ndarray:
        """What ends the warm-up is stamped before the window begins, and what ends the run before it ends."""
        return (self.begin_ns < time_ns) & (time_ns <= self.end_ns)


ALWAYS = Window()


def received_in(window: Window | None, time_ns: np.ndarray) -> np.ndarray:
    """Which of these times count. Without a window none does."""
    return window.has(time_ns) if window else np.zeros(len(time_ns), bool)


@dataclass(frozen=True)
class Boundaries:
    """One block's boundary events: k (uint64), time_ns and since_ns (int64), 1-D and equally long, any order.

    `since_ns` of a tx: when the item was due (a paced source), else 0; of an rx: when the call of `work` that consumed
    it was entered.
    """

    k: np.ndarray
    time_ns: np.ndarray
    since_ns: np.ndarray

    @staticmethod
    def of(k: Sequence[int], time_ns: Sequence[int], since_ns: Sequence[int] | None = None) -> Boundaries:
        """Boundaries of sequences; times in ns."""
        return Boundaries(np.asarray(k, np.uint64), np.asarray(time_ns, np.int64),
                          np.zeros(len(k), np.int64) if since_ns is None else np.asarray(since_ns, np.int64))

    def first(self, expected: int) -> tuple[Boundaries, int]:
        """The first event of each k in 1..expected, ascending, and how many events of those k are left out by that."""
        keep = (self.k >= 1) & (self.k <= expected)
        k, at = np.unique(self.k[keep], return_index=True)
        return Boundaries(k, self.time_ns[keep][at], self.since_ns[keep][at]), int(keep.sum()) - len(k)

    @property
    def sent_ns(self) -> np.ndarray:
        """Of tx: when the item was due where the source is paced, so that a late one does not hide its delay."""
        return np.where(self.since_ns != 0, self.since_ns, self.time_ns)


NO_BOUNDARIES = Boundaries.of((), ())


@dataclass(frozen=True)
class PairSamples:
    """The boundaries seen at both ends of a (source, sink) pair, in the order of k, those of the whole run.

    `counted` says which of them the sink received in the window (None: all), `latency_ns` is of those. `lost` counts
    boundaries 1..expected that lack one end or the other, `repeated` events beyond one a boundary and end.
    """

    source: str
    sink: str
    pipe: int | None
    k: np.ndarray
    sent_ns: np.ndarray
    received_ns: np.ndarray
    lost: int
    repeated: int = 0
    counted: np.ndarray | None = None

    @property
    def every_latency_ns(self) -> np.ndarray:
        """The latency of every item, in ns."""
        return self.received_ns - self.sent_ns

    @property
    def latency_ns(self) -> np.ndarray:
        """The latency of the items that count, in ns."""
        return self.every_latency_ns if self.counted is None else self.every_latency_ns[self.counted]

    def late(self, deadline_ns: int | None) -> int | None:
        """How many of `latency_ns` are beyond the deadline; who meets it exactly is in time. None without one."""
        return None if deadline_ns is None else int((self.latency_ns > deadline_ns).sum())


def match(source: str, sink: str, pipe: int | None, tx: Boundaries, rx: Boundaries, expected: int,
          window: Window | None = ALWAYS) -> PairSamples:
    """Joins boundary k with boundary k for k in 1..expected.

    A tx beyond `expected` lies behind a head: it is left out and not lost. Where the source is paced, sent is the
    scheduled time, so that a late source does not hide its own delay.
    """
    (sent, again), (received, twice) = tx.first(expected), rx.first(expected)
    k, i, j = np.intersect1d(sent.k, received.k, assume_unique=True, return_indices=True)
    return PairSamples(source, sink, pipe, k, sent.sent_ns[i], received.time_ns[j], lost=expected - len(k),
                       repeated=again + twice, counted=received_in(window, received.time_ns[j]))


@dataclass(frozen=True)
class HopSamples:
    """The boundaries seen all along a hop that count, in the order of k.

    `waiting_ns` + `work_ns` is the time between its ends. `lost` and `early`, those that come to a block before they
    were sent to it, are of the whole run.
    """

    src: str
    dst: str
    pipe: int | None
    k: np.ndarray
    waiting_ns: np.ndarray
    work_ns: np.ndarray
    lost: int
    early: int = 0


def match_hop(src: str, dst: str, pipe: int | None, tx: Boundaries, rx: Boundaries, end: Boundaries,
              expected: int, counted: np.ndarray | None = None) -> HopSamples:
    """Joins tx of `src` with rx of `dst` and `end`: tx of `dst`, or its rx where it is a sink.

    `counted`: the k that a sink behind the hop received in the window (None: all count), so that hops and their pair
    are over the same boundaries.
    """
    sent, received, ended = (events.first(expected)[0] for events in (tx, rx, end))
    k = np.intersect1d(np.intersect1d(sent.k, received.k, assume_unique=True), ended.k, assume_unique=True)
    start, entry, stop = (times[np.searchsorted(events.k, k)]
                          for events, times in ((sent, sent.sent_ns), (received, received.since_ns),
                                                (ended, ended.time_ns)))
    # A block that sends a boundary before it consumes it (it looked ahead) was at work no later than it sent.
    entry = np.minimum(entry, stop)
    waiting, work = entry - start, stop - entry
    counts = np.ones(len(k), bool) if counted is None else np.isin(k, counted)
    return HopSamples(src, dst, pipe, k[counts], waiting[counts], work[counts], expected - len(k),
                      early=int((waiting < 0).sum()))


def nearest_rank(ordered: np.ndarray, per_mille: int) -> int:
    """The value at index ceil(p n) - 1 of ascending values. In whole numbers: 0.07 * 100 is not 7 in binary."""
    return int(ordered[max(0, -(-len(ordered) * per_mille // 1000) - 1)])


def least_samples(per_mille: int) -> int:
    """How many samples a percentile needs: 20 for the median, 200 for p5 and p95, 1,000 for p99, 10,000 for p99.9."""
    return LEAST_BEYOND * 1000 // min(per_mille, 1000 - per_mille)


def summarise(latency_ns: np.ndarray, lost: int) -> dict[str, int | float | None]:
    """`latency` of results.json. Without samples everything but the counts is None."""
    return {"count": len(latency_ns), "lost": lost, **times(latency_ns)}


def times(samples_ns: np.ndarray) -> dict[str, int | float | None]:
    """Mean, percentiles and maximum. None: without samples, and a percentile with too few."""
    if len(samples_ns) == 0:
        return {"mean_ns": None, **dict.fromkeys(PERCENTILES), "max_ns": None}
    ordered = np.sort(samples_ns)
    # Divided as whole numbers: as floats the sum of many long latencies would be rounded.
    return {"mean_ns": int(ordered.sum()) / len(ordered),
            **{field: nearest_rank(ordered, per_mille) if len(ordered) >= least_samples(per_mille) else None
               for field, per_mille in PERCENTILES.items()},
            "max_ns": int(ordered[-1])}


def pool(pairs: Iterable[PairSamples]) -> tuple[np.ndarray, int]:
    """Latencies of all pairs together, and how many boundaries are lost in all."""
    pairs = list(pairs)
    samples = [p.latency_ns for p in pairs]
    return (np.concatenate(samples) if samples else np.empty(0, np.int64)), sum(p.lost for p in pairs)


def deadline_of(plan: Mapping) -> int | None:
    """Of a plan, in nanoseconds."""
    deadline_us = plan["run"].get("deadline_us")
    return None if deadline_us is None else round(deadline_us * 1000)


def response(pairs: Sequence[PairSamples], deadline_ns: int | None) -> dict[str, int | float | None] | None:
    """`response` of results.json: what came too late or not at all, of what was due. None without a deadline."""
    if deadline_ns is None:
        return None
    answered, late, lost = (sum(counts) for counts in zip(*((len(p.latency_ns), p.late(deadline_ns), p.lost)
                                                            for p in pairs)))
    due = answered + lost
    return {"deadline_ns": deadline_ns, "answered": answered, "late": late, "lost": lost,
            "failure_ratio": (late + lost) / due if due else None}


def latency_fields(pairs: Sequence[PairSamples], hops: Sequence[HopSamples] = (),
                   deadline_ns: int | None = None) -> dict[str, object]:
    """`latency`, `latency_pairs`, `hops` and `response` of results.json; all None for a graph that has no pair."""
    if not pairs:
        return {"latency": None, "latency_pairs": None, "hops": None, "response": None}
    return {"latency": summarise(*pool(pairs)), "response": response(pairs, deadline_ns),
            "latency_pairs": [{"source": p.source, "sink": p.sink, "pipe": p.pipe, "late": p.late(deadline_ns),
                               **summarise(p.latency_ns, p.lost)} for p in pairs],
            "hops": [{"from": h.src, "to": h.dst, "pipe": h.pipe, "count": len(h.k), "lost": h.lost,
                      "waiting": times(h.waiting_ns), "work": times(h.work_ns)} for h in hops]}


def write_curves(folder: Path, pairs: Sequence[PairSamples]) -> None:
    """latency.hgrm of all pairs and, where there are several, latency.<i>.hgrm of `latency_pairs[i]`."""
    write_hgrm(folder / "latency.hgrm", pool(pairs)[0])
    if 1 < len(pairs) <= MOST_CURVES:
        for index, pair in enumerate(pairs):
            write_hgrm(folder / f"latency.{index}.hgrm", pair.latency_ns)


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
