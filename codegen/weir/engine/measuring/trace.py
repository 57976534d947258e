"""Turn a recorded trace into boundaries, to be joined by latency.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from weir.engine.measuring.event_stream import RECORD, RX, TX, EventStream, TraceUnreadable
from weir.engine.measuring.latency import (
    ALWAYS,
    NO_BOUNDARIES,
    Boundaries,
    HopSamples,
    PairSamples,
    Window,
    match,
    match_hop,
    received_in,
)


@dataclass(frozen=True)
class Trace:
    """Boundaries of a trace: tx and rx by block index. `events` and `discarded` count all events read and dropped.

    `note` says why reading was slow, "" if it was not.
    """

    events: int
    discarded: int
    tx: dict[int, Boundaries] = field(default_factory=dict)
    rx: dict[int, Boundaries] = field(default_factory=dict)
    note: str = ""

    @property
    def blocks(self) -> set[int]:
        """Return the block numbers that have boundaries."""
        return {*self.tx, *self.rx}

    def renumbered(self, numbers: Mapping[int, int]) -> Trace:
        """Return the trace with new block numbers, without the blocks that have none."""
        tx, rx = ({numbers[block]: of for block, of in events.items() if block in numbers}
                  for events in (self.tx, self.rx))
        return replace(self, tx=tx, rx=rx)


def read_trace(path: Path) -> Trace:
    """Return the trace below `path`.

    Raises TraceUnreadable if it cannot be read to its end, ReaderMissing if there is no reader.
    """
    stream = EventStream(path, ("tx", "rx"))
    records = np.concatenate([np.empty(0, RECORD), *stream])
    note = stream.reader.note if stream.reader else ""
    return Trace(stream.events, stream.discarded, _by_block(records, TX), _by_block(records, RX), note)


def read_recording(path: Path) -> Trace:
    """Return a program's recording from memory. Raises TraceUnreadable if it is missing or incomplete."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TraceUnreadable(f"{path.name}: {error.strerror}") from None
    if len(data) % RECORD.itemsize:
        raise TraceUnreadable(f"{path.name} ends within an event")
    records = np.frombuffer(data, RECORD)
    return Trace(len(records), 0, _by_block(records, TX), _by_block(records, RX))


def _by_block(records: np.ndarray, event: int) -> dict[int, Boundaries]:
    rows = records[records["event"] == event]
    found = {}
    for block in np.unique(rows["id"]):
        of = rows[rows["id"] == block]
        found[int(block)] = Boundaries(*(np.ascontiguousarray(of[name]) for name in ("value", "time_ns", "since_ns")))
    return found


def pair_samples(trace: Trace, plan: Mapping, expected: Mapping[tuple[str, str], int],
                 window: Window | None = ALWAYS) -> list[PairSamples]:
    """Return the samples of a plan's pairs. `expected` has boundaries by (source, sink).

    Boundaries of a pair with `identities` are marks on items, which blocks between may drop: no event of them is lost.
    """
    index = _indices(plan)
    found = [match(p["source"], p["sink"], p["pipe"], trace.tx.get(p.get("tx", index[p["source"]]), NO_BOUNDARIES),
                   trace.rx.get(p.get("rx", index[p["sink"]]), NO_BOUNDARIES), expected[p["source"], p["sink"]], window)
             for p in plan["pairs"]]
    return [replace(it, lost=0) if p.get("identities") else it for p, it in zip(plan["pairs"], found)]


def hop_samples(trace: Trace, plan: Mapping, expected: Sequence[int],
                window: Window | None = ALWAYS) -> list[HopSamples]:
    """Return the samples of a plan's hops. `expected` has boundaries by hop."""
    index, sinks = _indices(plan), {pair["sink"] for pair in plan["pairs"]}
    found = []
    for hop, boundaries in zip(plan.get("hops", ()), expected):
        received = trace.rx.get(index[hop["to"]], NO_BOUNDARIES)
        end = received if hop["to"] in sinks else trace.tx.get(index[hop["to"]], NO_BOUNDARIES)
        found.append(match_hop(hop["from"], hop["to"], hop["pipe"], trace.tx.get(index[hop["from"]], NO_BOUNDARIES),
                               received, end, boundaries,
                               _received_by(trace, [index[sink] for sink in hop["sinks"]], window)))
    return found


def _received_by(trace: Trace, sinks: Sequence[int], window: Window | None) -> np.ndarray:
    """Return the k that any of these sinks received in the window."""
    received = [trace.rx.get(sink, NO_BOUNDARIES).first(np.iinfo(np.int64).max)[0] for sink in sinks]
    return np.concatenate([r.k[received_in(window, r.time_ns)] for r in received])


def numbers_of(plan: Mapping) -> set[int]:
    """Return the numbers of blocks and pairs in events."""
    return {*_indices(plan).values(), *(pair[end] for pair in plan["pairs"] for end in ("tx", "rx") if end in pair)}


def _indices(plan: Mapping) -> dict[str, int]:
    """Return block numbers in events, by instance."""
    return {block["instance"]: block["index"] for block in plan["blocks"]}
