"""Find why items were late: the activity of the threads that an item passed, from its due time until its sink.

The search goes backwards in time. It starts at the sink's worker, which slept until something woke it. If another
worker woke it, the search continues on that worker, until the time at which the item was due. docs/late.md defines each
kind of cause.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from weir.engine.measuring.kernel_trace import Recorded
from weir.engine.measuring.latency import PairSamples, deadline_of
from weir.engine.measuring.thread_times import INTERRUPT, PREEMPTED, RUNNING, SLEEPING, WAITING, Times, times_of

#: Kind of cause -> text in front of a number of items.
WORDS = {"preempted": "switched out", "waited_for_cpu": "woken, and waited for a CPU",
         "throttled": "held back from an idle CPU", "interrupted": "interrupted", "timer": "woken late by the timer",
         "slept": "asleep, waiting for another program", "work": "work took long", "unknown": "unknown"}
WORK, UNKNOWN = "work", "unknown"
#: Most items that are listed, and the number of items analysed if no deadline says which are late.
MOST_LISTED, LATEST = 200, 100
#: Quantile of the latency that counts as usual. The median would be unusual if most items are late.
USUAL = 0.05
#: Most changes of worker that the search follows for one item.
MOST_TURNS = 10_000
#: Thread id of an idle CPU.
IDLE = 0


@dataclass(frozen=True)
class Cause:
    """Cause of a late item. `by` is comm/pid or an interrupt; `worker` is the delayed worker.

    `behind` is the number of the delayed boundary that the item queued behind, None if it did not queue.
    """

    kind: str
    by: str | None
    worker: str | None
    block: str | None
    ns: int
    behind: int | None = None


@dataclass(frozen=True)
class _Piece:
    """A part of the time on an item's way."""

    kind: str
    by: str | None
    tid: int | None
    ns: int


@dataclass(frozen=True)
class Workers:
    """Workers of a run: names of the threads, worker of each block, and whether idle workers sleep (`park`)."""

    names: Mapping[int, str]
    of_block: Mapping[str, int]
    blocks: Mapping[int, Sequence[str]]
    park: bool

    @staticmethod
    def of(plan: Mapping, results: Mapping) -> Workers:
        """Return the workers of a run."""
        names = {thread["tid"]: thread["name"] for thread in results["threads"]}
        tids = {name: tid for tid, name in names.items()}
        of_block = {it["id"]: tids[it["worker"]] for it in results["blocks"] if it["worker"] in tids}
        blocks: dict[int, list[str]] = defaultdict(list)
        for block in plan["blocks"]:
            if block["instance"] in of_block:
                blocks[of_block[block["instance"]]].append(block["instance"])
        return Workers(names, of_block, blocks, plan["wait"] == "park")


def causes(pairs: Sequence[PairSamples], plan: Mapping, results: Mapping, recorded: Recorded) -> dict[str, Any]:
    """Return `causes` of results.json for the items that the sinks received in the window."""
    found: list[tuple[PairSamples, int, Cause]] = []
    late = late_items(pairs, deadline_of(plan))
    why_not = recorded.why_not or ("" if pairs else "no latency was measured")
    if not why_not and late:
        workers = Workers.of(plan, results)
        end_ns = max(int(pair.received_ns.max()) for pair, _ in late) + 1
        times = times_of(recorded.events, workers.names, end_ns)
        judges = {id(pair): Judge(pair, plan, workers, times) for pair, _ in late}
        found = [(pair, i, judges[id(pair)].cause(i)) for pair, i in late]
    kinds = Counter(cause.kind for _, _, cause in found)
    status = "unavailable" if why_not else "incomplete" if recorded.lost else "ok"
    no_room = f"Linux dropped {recorded.lost} events because its buffers were full" if recorded.lost else None
    return {"status": status, "reason": why_not or no_room, "events": None if why_not else len(recorded.events),
            "lost_events": None if why_not else recorded.lost, "late_items": len(late),
            "named": sum(kinds.values()) - kinds[UNKNOWN], "by_kind": dict(sorted(kinds.items())),
            "items": [_item(*it) for it in found[:MOST_LISTED]]}


def late_items(pairs: Sequence[PairSamples], deadline_ns: int | None) -> list[tuple[PairSamples, int]]:
    """Return (pair, index), latest first: items past the deadline, or the latest hundred if there is none."""
    found = []
    for pair in pairs:
        counted = np.ones(len(pair.k), bool) if pair.counted is None else pair.counted
        latency = pair.every_latency_ns
        late = np.flatnonzero(counted if deadline_ns is None else counted & (latency > deadline_ns))
        if deadline_ns is None and len(late) > LATEST:  # avoid sorting millions
            late = late[np.argpartition(latency[late], -LATEST)[-LATEST:]]
        found += [(int(latency[i]), pair, int(i)) for i in late]
    found.sort(key=lambda it: -it[0])
    return [(pair, i) for _, pair, i in found[:None if deadline_ns is not None else LATEST]]


def _item(pair: PairSamples, i: int, cause: Cause) -> dict[str, Any]:
    return {"source": pair.source, "sink": pair.sink, "index": int(pair.k[i]),
            "latency_ns": int(pair.every_latency_ns[i]), "cause": dict(vars(cause))}


class Judge:
    """Finds the causes of late items of one pair."""

    def __init__(self, pair: PairSamples, plan: Mapping, workers: Workers, times: Mapping[int, Times]):
        self._pair, self._workers, self._times = pair, workers, times
        self._way = way_of(plan, pair.source, pair.sink)
        self._usual_ns = int(np.quantile(pair.every_latency_ns, USUAL)) if len(pair.k) else 0
        self._known: dict[int, Cause] = {}

    def cause(self, i: int) -> Cause:
        """Return the cause of an item.

        If an item was late only because it queued, its cause is that of the first item of the queue.
        """
        queue = []
        while i not in self._known:
            own = self._own(i)
            queue.append((i, own))
            if own.kind != WORK or i == 0 or self._pair.received_ns[i - 1] <= self._pair.sent_ns[i]:
                self._known[i] = own
                break
            i -= 1
        for j, own in reversed(queue):
            if j not in self._known:
                first = self._known[j - 1]
                explains = first.kind not in (WORK, UNKNOWN) and 2 * first.ns >= own.ns
                behind = int(self._pair.k[j - 1]) if first.behind is None else first.behind
                self._known[j] = replace(first, behind=behind) if explains else own
        return self._known[queue[0][0] if queue else i]

    def _own(self, i: int) -> Cause:
        sent, received = int(self._pair.sent_ns[i]), int(self._pair.received_ns[i])
        pieces = self._walked(sent, received) if self._workers.park else self._for_spinning(sent, received)
        of_kind: Counter[str] = Counter()
        for piece in pieces:
            of_kind[piece.kind] += piece.ns
        of_kind[WORK] = max(0, of_kind[WORK] - self._usual_ns)
        kind, ns = max(of_kind.items(), key=lambda it: it[1])
        if ns == 0:
            kind = WORK
        who: Counter[tuple[str | None, int | None]] = Counter()
        for piece in pieces:
            if piece.kind == kind:
                who[piece.by, piece.tid] += piece.ns
        by, tid = who.most_common(1)[0][0] if who else (None, None)
        return Cause(kind, by, None if tid is None else self._workers.names.get(tid), self._block(tid), ns)

    def _block(self, tid: int | None) -> str | None:
        if tid is None:
            return None
        return next((name for name in reversed(self._workers.blocks.get(tid, ())) if name in self._way), None)

    def _last_worker(self, received_ns: int) -> int | None:
        """Return the thread that ran the sink when the item arrived, None if it is unknown."""
        tid = self._workers.of_block.get(self._pair.sink)
        if tid is not None:
            return tid
        running = [tid for tid, times in self._times.items()
                   if (span := times.before(received_ns)) and span.state == RUNNING]
        return running[0] if len(running) == 1 else None

    def _walked(self, sent: int, received: int) -> list[_Piece]:
        pieces: list[_Piece] = []
        tid, at = self._last_worker(received), received
        for _ in range(MOST_TURNS):
            if at <= sent:
                return pieces
            span = self._times[tid].before(at) if tid is not None else None
            if tid is None or span is None:
                break
            if span.state == SLEEPING and span.by in self._times and span.by != tid and at == span.end_ns:
                tid = span.by
                continue
            low = max(span.begin_ns, sent)
            pieces += self._pieces(tid, low, at)
            at = low
        return [*pieces, _Piece(UNKNOWN, None, tid, at - sent)]

    def _for_spinning(self, sent: int, received: int) -> list[_Piece]:
        """Return the pieces for spinning workers.

        They all run all the time, so the cause of a delay is a worker without a CPU, or work.
        """
        of_block = self._workers.of_block
        tids = {of_block[name] for name in self._way if name in of_block} or set(self._times)
        of_each = {tid: [piece for piece in self._pieces(tid, sent, received)
                         if piece.kind not in (WORK, "timer", "slept")] for tid in tids}
        worst = max(of_each, key=lambda tid: sum(piece.ns for piece in of_each[tid]), default=None)
        held = [] if worst is None else of_each[worst]
        known = any(span.state == RUNNING for tid in tids for span in self._times[tid].within(sent, received))
        rest = received - sent - sum(piece.ns for piece in held)
        return [*held, _Piece(WORK if known else UNKNOWN, None, worst, rest)]

    def _pieces(self, tid: int, begin: int, end: int) -> Iterator[_Piece]:
        """Yield the pieces of a thread in that time; interrupts of a running thread are separate pieces."""
        for span in self._times[tid].within(begin, end):
            ns = span.end_ns - span.begin_ns
            if span.state == RUNNING:
                for name, served in self._times[tid].served_within(span.begin_ns, span.end_ns):
                    yield _Piece("interrupted", name, tid, served)
                    ns -= served
            yield _Piece(_kind(span.state, span.by), _name(span.by, span.by_name), tid, ns)


def _kind(state: str, by: int | None) -> str:
    if state == SLEEPING:
        return "timer" if by == INTERRUPT else UNKNOWN if by is None else "slept"
    return {RUNNING: WORK, PREEMPTED: "throttled" if by == IDLE else "preempted", WAITING: "waited_for_cpu"}[state]


def _name(by: int | None, name: str) -> str | None:
    return f"{name}/{by}" if by else None


def way_of(plan: Mapping, source: str, sink: str) -> set[str]:
    """Return the instances on all paths from a source to a sink, both included."""
    readers: dict[str, set[str]] = defaultdict(set)
    for stream in plan["streams"]:
        readers[stream["name"].rpartition(".")[0]].update(reader.rpartition(".")[0] for reader in stream["readers"])
    reached = _reached(readers, source)
    writers: dict[str, set[str]] = defaultdict(set)
    for name, of in readers.items():
        for reader in of:
            writers[reader].add(name)
    return reached & _reached(writers, sink)


def _reached(following: Mapping[str, set[str]], start: str) -> set[str]:
    found, stack = {start}, [start]
    while stack:
        for name in following.get(stack.pop(), ()):
            if name not in found:
                found.add(name)
                stack.append(name)
    return found
