"""Committed lists of events (fixtures/events) and their expected results, computed without the product's code.

Only the plan comes from the product: its granularities give the number of expected boundaries. Percentiles are NumPy's
`inverted_cdf`, which is the nearest rank. The rest is dictionaries.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from planning import plan as make_plan

EVENTS = Path(__file__).parent / "fixtures" / "events"
NAMES = sorted(path.stem for path in EVENTS.glob("*.json"))
LEAST = {"p5_ns": 200, "p50_ns": 20, "p95_ns": 200, "p99_ns": 1000, "p999_ns": 10000}
QUANTILES = {"p5_ns": 5, "p50_ns": 50, "p95_ns": 95, "p99_ns": 99, "p999_ns": 99.9}


@dataclass(frozen=True)
class Event:
    kind: str
    block: str
    k: int
    time_ns: int
    since_ns: int


class Golden:
    """One list of events. `document` names its project, the items of its sinks, and its hops and paths."""

    def __init__(self, name: str, warm: float = 0.0):
        """Read the events.

        `warm`: warm-up as a share of the time between the first and the last rx of a sink. The window ends when the
        first sink has its last item.
        """
        self.document = json.loads((EVENTS / f"{name}.json").read_text(encoding="utf-8"))
        self.plan = make_plan(self.document["project"]).plan.as_json()
        self.index = {block["instance"]: block["index"] for block in self.plan["blocks"]}
        with open(EVENTS / f"{name}.csv", newline="", encoding="utf-8") as file:
            self.events = [Event(row["event"], row["block"], int(row["k"]), int(row["time_ns"]), int(row["since_ns"]))
                           for row in csv.DictReader(file)]
        self._at = {(e.kind, e.block, e.k): e for e in self.events}
        received = {sink: [e.time_ns for e in self.events if e.kind == "rx" and e.block == sink] for sink in self.sinks}
        first, last = min(map(min, received.values())), min(map(max, received.values()))
        self.begin_ns, self.end_ns = (first + int(warm * (last - first)), last) if warm else (0, 2**62)
        way = self.document["paths"][0]
        latencies = sorted(self.latency(way[0], way[-1]).values())
        self.deadline_ns = latencies[len(latencies) // 2]  # exactly one latency equals the deadline
        self.plan["run"]["deadline_us"] = self.deadline_ns / 1000

    @property
    def sinks(self) -> set[str]:
        return {sink["id"] for sink in self.document["sinks"]}

    @property
    def results(self) -> dict:
        """Return the results of such a run, as far as the analysis reads them."""
        return {"status": "ok", "reasons": [], "sinks": self.document["sinks"],
                "window": {"begin_ns": self.begin_ns, "end_ns": self.end_ns}}

    def boundaries(self, sink: str) -> int:
        items = next(s["expected"] for s in self.document["sinks"] if s["id"] == sink)
        return items // next(b["probe_granularity"] for b in self.plan["blocks"] if b["instance"] == sink)

    def boundaries_of_hop(self, dst: str) -> int:
        return max(self.boundaries(way[-1]) for way in self.document["paths"] if dst in way)

    def counts(self, sink: str, k: int) -> bool:
        received = self._at.get(("rx", sink, k))
        return received is not None and self.begin_ns < received.time_ns <= self.end_ns

    def sinks_behind(self, dst: str) -> set[str]:
        return {way[-1] for way in self.document["paths"] if dst in way}

    def latency(self, source: str, sink: str) -> dict[int, int]:
        """Return latencies in ns by boundary."""
        found = {}
        for k in range(1, self.boundaries(sink) + 1):
            sent, received = self._at.get(("tx", source, k)), self._at.get(("rx", sink, k))
            if sent and received:
                found[k] = received.time_ns - (sent.since_ns or sent.time_ns)
        return found

    def hop(self, src: str, dst: str) -> dict[int, tuple[int, int]]:
        """Return (waiting, work) in ns by boundary."""
        found = {}
        for k in range(1, self.boundaries_of_hop(dst) + 1):
            sent, received = self._at.get(("tx", src, k)), self._at.get(("rx", dst, k))
            end = received if dst in self.sinks else self._at.get(("tx", dst, k))
            if sent and received and end:
                found[k] = (received.since_ns - (sent.since_ns or sent.time_ns), end.time_ns - received.since_ns)
        return found

    def fields(self) -> dict[str, object]:
        """Return `latency`, `latency_pairs`, `hops` and `response` of results.json; pairs and hops by their ends."""
        pairs, lost, hops = {}, {}, {}
        for source, *_, sink in self.document["paths"]:
            found = self.latency(source, sink)
            lost[source, sink] = self.boundaries(sink) - len(found)
            pairs[source, sink] = {k: ns for k, ns in found.items() if self.counts(sink, k)}
        for src, dst in self.document["hops"]:
            found = self.hop(src, dst)
            inside = [ns for k, ns in found.items() if any(self.counts(sink, k) for sink in self.sinks_behind(dst))]
            hops[src, dst] = {"count": len(inside), "lost": self.boundaries_of_hop(dst) - len(found),
                              "waiting": statistics([waiting for waiting, _ in inside]),
                              "work": statistics([work for _, work in inside])}
        late = {pair: sum(ns > self.deadline_ns for ns in found.values()) for pair, found in pairs.items()}
        answered, all_lost = sum(map(len, pairs.values())), sum(lost.values())
        return {"response": {"deadline_ns": self.deadline_ns, "answered": answered, "late": sum(late.values()),
                             "lost": all_lost,
                             "failure_ratio": (sum(late.values()) + all_lost) / (answered + all_lost)},
                "latency": counted([ns for found in pairs.values() for ns in found.values()], sum(lost.values())),
                "latency_pairs": {pair: {"late": late[pair], **counted(list(found.values()), lost[pair])}
                                  for pair, found in pairs.items()},
                "hops": hops}


def statistics(samples: list[int]) -> dict[str, float]:
    return {"mean_ns": sum(samples) / len(samples),
            **{field: int(np.percentile(samples, q, method="inverted_cdf")) if len(samples) >= LEAST[field] else None
               for field, q in QUANTILES.items()},
            "max_ns": max(samples)}


def counted(samples: list[int], lost: int) -> dict[str, float]:
    return {"count": len(samples), "lost": lost, **statistics(samples)}


def by_ends(fields: Mapping) -> dict[str, object]:
    """Return the product's fields in the form of `Golden.fields`. Means are rounded: the last bit may differ."""
    def plain(value: Mapping) -> dict:
        kept = {k: v for k, v in value.items() if k not in ("source", "sink", "from", "to", "pipe")}
        return {k: plain(v) if isinstance(v, Mapping) else round(v, 6) if k == "mean_ns" else v
                for k, v in kept.items()}

    def ends(value: Mapping) -> tuple[str, str]:
        return (value["source"], value["sink"]) if "sink" in value else (value["from"], value["to"])

    return {"latency": plain(fields["latency"]), "response": fields["response"],
            "latency_pairs": {ends(p): plain(p) for p in fields["latency_pairs"]},
            "hops": {ends(h): plain(h) for h in fields["hops"]}}


def rounded(value: object) -> object:
    """`Golden.fields` with its means rounded like `by_ends`."""
    if isinstance(value, Mapping):
        return {k: round(v, 6) if k == "mean_ns" else rounded(v) for k, v in value.items()}
    return value
