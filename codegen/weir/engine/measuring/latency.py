"""Latency from boundaries: joins tx of a source with rx of a sink; percentiles by nearest rank; HdrHistogram text.

Boundary k of a source belongs to boundary k of every probe behind it (the plan scales the granularities). All times are
nanoseconds of CLOCK_MONOTONIC. docs/measuring.md defines waiting and work.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from weir.engine.results_model import fields

#: Field of results.json -> per mille of the samples at or below it
PERCENTILES = {name: it.per_mille for name, it in fields("times").items() if it.per_mille is not None}

#: A percentile needs this many samples beyond it, on the side that has fewer.
LEAST_BEYOND = 10

#: Lines of the percentile text for each halving of the remaining distance to 100 %
HGRM_TICKS = 100

#: With more pairs, Weir writes only the common curve: nobody can tell more curves apart, and each takes up to 100 KB.
MOST_CURVES = 32


@dataclass(frozen=True)
class Window:
    """Measured part of a run, for throughput and latency alike: `window` of results.json."""

    begin_ns: int = np.iinfo(np.int64).min
    end_ns: int = np.iinfo(np.int64).max

    @staticmethod
    def of(results: Mapping) -> Window | None:
        """Return the window of a run, None if it has none."""
        window = results.get("window")
        return Window(window["begin_ns"], window["end_ns"]) if window else None

    def has(self, time_ns: np.ndarray) -> np.ndarray:
        """Return which times are inside: after the begin (the last warm-up event), up to and including the end."""
        return (self.begin_ns < time_ns) & (time_ns <= self.end_ns)


ALWAYS = Window()


def received_in(window: Window | None, time_ns: np.ndarray) -> np.ndarray:
    """Return which of these times are in the window; none if there is no window."""
    return window.has(time_ns) if window else np.zeros(len(time_ns), bool)


@dataclass(frozen=True)
class Boundaries:
    """Boundary events of one block: k (uint64), time_ns and since_ns (int64), 1-D, equally long, in any order.

    `since_ns` of a tx is the time at which the item was due (paced source), else 0. For an rx it is the start of the
    call of `work` that consumed the item.
    """

    k: np.ndarray
    time_ns: np.ndarray
    since_ns: np.ndarray

    @staticmethod
    def of(k: Sequence[int], time_ns: Sequence[int], since_ns: Sequence[int] | None = None) -> Boundaries:
        """Return boundaries from sequences; times in ns."""
        return Boundaries(np.asarray(k, np.uint64), np.asarray(time_ns, np.int64),
                          np.zeros(len(k), np.int64) if since_ns is None else np.asarray(since_ns, np.int64))

    def first(self, expected: int) -> tuple[Boundaries, int]:
        """Return the first event of each k in 1..expected, ascending, and the number of repeated events."""
        keep = (self.k >= 1) & (self.k <= expected)
        k, at = np.unique(self.k[keep], return_index=True)
        return Boundaries(k, self.time_ns[keep][at], self.since_ns[keep][at]), int(keep.sum()) - len(k)

    @property
    def sent_ns(self) -> np.ndarray:
        """Return send times of tx events: for a paced source the due time, because a late one would hide its delay."""
        return np.where(self.since_ns != 0, self.since_ns, self.time_ns)


NO_BOUNDARIES = Boundaries.of((), ())


@dataclass(frozen=True)
class PairSamples:
    """Boundaries seen at both ends of a (source, sink) pair during the whole run, in the order of k.

    `counted` marks those that the sink received in the window (None: all); `latency_ns` is for those. `lost` counts
    boundaries in 1..expected that lack an end; `repeated` counts additional events of a boundary.
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
        """Return the latency of every item, in ns."""
        return self.received_ns - self.sent_ns

    @property
    def latency_ns(self) -> np.ndarray:
        """Return the latency of the items that count, in ns."""
        return self.every_latency_ns if self.counted is None else self.every_latency_ns[self.counted]

    def late(self, deadline_ns: int | None) -> int | None:
        """Return the number of `latency_ns` greater than the deadline, None without a deadline."""
        return None if deadline_ns is None else int((self.latency_ns > deadline_ns).sum())


def match(source: str, sink: str, pipe: int | None, tx: Boundaries, rx: Boundaries, expected: int,
          window: Window | None = ALWAYS) -> PairSamples:
    """Join boundary k of tx with boundary k of rx, for k in 1..expected.

    A head cuts off a tx beyond `expected`, so that tx is not lost. For a paced source, the send time is the scheduled
    time; otherwise a late source would hide its own delay.
    """
    (sent, again), (received, twice) = tx.first(expected), rx.first(expected)
    k, i, j = np.intersect1d(sent.k, received.k, assume_unique=True, return_indices=True)
    return PairSamples(source, sink, pipe, k, sent.sent_ns[i], received.time_ns[j], lost=expected - len(k),
                       repeated=again + twice, counted=received_in(window, received.time_ns[j]))


@dataclass(frozen=True)
class HopSamples:
    """Counted boundaries seen everywhere along a hop, in the order of k.

    `waiting_ns` + `work_ns` is the time between the ends of the hop. `lost` and `early` (boundaries that arrive before
    they were sent) are for the whole run.
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
    """Join tx of `src` with rx of `dst` and `end`: tx of `dst`, or its rx if it is a sink.

    `counted` has the k that a sink behind the hop received in the window (None: all), so that hops and their pair cover
    the same boundaries.
    """
    sent, received, ended = (events.first(expected)[0] for events in (tx, rx, end))
    k = np.intersect1d(np.intersect1d(sent.k, received.k, assume_unique=True), ended.k, assume_unique=True)
    start, entry, stop = (times[np.searchsorted(events.k, k)]
                          for events, times in ((sent, sent.sent_ns), (received, received.since_ns),
                                                (ended, ended.time_ns)))
    # A block that looks ahead may send a boundary before it consumes it; its work began no later than that.
    entry = np.minimum(entry, stop)
    waiting, work = entry - start, stop - entry
    counts = np.ones(len(k), bool) if counted is None else np.isin(k, counted)
    return HopSamples(src, dst, pipe, k[counts], waiting[counts], work[counts], expected - len(k),
                      early=int((waiting < 0).sum()))


def nearest_rank(ordered: np.ndarray, per_mille: int) -> int:
    """Return the value at index ceil(p n) - 1 of ascending values, in integers: 0.07 * 100 is not 7 in binary."""
    return int(ordered[max(0, -(-len(ordered) * per_mille // 1000) - 1)])


def least_samples(per_mille: int) -> int:
    """Return the samples that a percentile needs: 20 for the median, 200 for p5 and p95, 1,000 for p99."""
    return LEAST_BEYOND * 1000 // min(per_mille, 1000 - per_mille)


def summarise(latency_ns: np.ndarray, lost: int) -> dict[str, int | float | None]:
    """Return `latency` of results.json. Without samples, everything but the counts is None."""
    return {"count": len(latency_ns), "lost": lost, **times(latency_ns)}


def times(samples_ns: np.ndarray) -> dict[str, int | float | None]:
    """Return mean, percentiles and maximum; None without samples, or for a percentile with too few."""
    if len(samples_ns) == 0:
        return {"mean_ns": None, **dict.fromkeys(PERCENTILES), "max_ns": None}
    ordered = np.sort(samples_ns)
    # Sum as integers: a float sum of many long latencies would round.
    return {"mean_ns": int(ordered.sum()) / len(ordered),
            **{field: nearest_rank(ordered, per_mille) if len(ordered) >= least_samples(per_mille) else None
               for field, per_mille in PERCENTILES.items()},
            "max_ns": int(ordered[-1])}


def pool(pairs: Iterable[PairSamples]) -> tuple[np.ndarray, int]:
    """Return the latencies of all pairs together, and the number of lost boundaries."""
    pairs = list(pairs)
    samples = [p.latency_ns for p in pairs]
    return (np.concatenate(samples) if samples else np.empty(0, np.int64)), sum(p.lost for p in pairs)


def deadline_of(plan: Mapping) -> int | None:
    """Return the deadline of a plan in nanoseconds, None if it has none."""
    deadline_us = plan["run"].get("deadline_us")
    return None if deadline_us is None else round(deadline_us * 1000)


def response(pairs: Sequence[PairSamples], deadline_ns: int | None) -> dict[str, int | float | None] | None:
    """Return `response` of results.json: late and lost items among those due. None without a deadline."""
    if deadline_ns is None:
        return None
    answered, late, lost = (sum(counts) for counts in zip(*((len(p.latency_ns), p.late(deadline_ns), p.lost)
                                                            for p in pairs)))
    due = answered + lost
    return {"deadline_ns": deadline_ns, "answered": answered, "late": late, "lost": lost,
            "failure_ratio": (late + lost) / due if due else None}


def latency_fields(pairs: Sequence[PairSamples], hops: Sequence[HopSamples] = (),
                   deadline_ns: int | None = None) -> dict[str, object]:
    """Return `latency`, `latency_pairs`, `hops` and `response` of results.json; all None without pairs."""
    if not pairs:
        return {"latency": None, "latency_pairs": None, "hops": None, "response": None}
    return {"latency": summarise(*pool(pairs)), "response": response(pairs, deadline_ns),
            "latency_pairs": [{"source": p.source, "sink": p.sink, "pipe": p.pipe, "late": p.late(deadline_ns),
                               **summarise(p.latency_ns, p.lost)} for p in pairs],
            "hops": [{"from": h.src, "to": h.dst, "pipe": h.pipe, "count": len(h.k), "lost": h.lost,
                      "waiting": times(h.waiting_ns), "work": times(h.work_ns)} for h in hops]}


def write_curves(folder: Path, pairs: Sequence[PairSamples]) -> None:
    """Write latency.hgrm of all pairs and, if there are several, latency.<i>.hgrm of `latency_pairs[i]`."""
    write_hgrm(folder / "latency.hgrm", pool(pairs)[0])
    if 1 < len(pairs) <= MOST_CURVES:
        for index, pair in enumerate(pairs):
            write_hgrm(folder / f"latency.{index}.hgrm", pair.latency_ns)


def write_hgrm(path: Path, latency_ns: np.ndarray) -> None:
    """Write the percentile text of HdrHistogram, exact values in nanoseconds. The body is empty without samples."""
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
    """Return percentile levels: steps that halve with the distance to 1, down to one sample, and then 1."""
    if n == 0:
        return []
    levels, half = [], 0
    while 0.5**half > 1 / n:
        start, width = 1 - 0.5**half, 0.5 ** (half + 1)
        levels += [start + width * tick / HGRM_TICKS for tick in range(HGRM_TICKS)]
        half += 1
    return [*levels, 1.0]


def read_hgrm(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return (percentiles as fractions, values in ns), both ascending. Raises ValueError if the file is malformed."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        fields = line.split()
        if fields and not line.startswith("#"):
            if len(fields) < 3:
                raise ValueError(f"{path.name}: a line with {len(fields)} columns")
            rows.append((float(fields[1]), float(fields[0])))
    levels, values = np.array(rows, float).reshape(-1, 2).T
    return levels, values
