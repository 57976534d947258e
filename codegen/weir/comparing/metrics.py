"""The metrics that runs are compared by, and which one decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

HIGHER, LOWER = "higher", "lower"


@dataclass(frozen=True)
class Metric:
    """A number of results.json. `better`: higher or lower; `part`: the object that holds it, "" for the root.

    `beside`: shown beside another gate. Eight blocks give no p below 1/128, which Holm multiplies by the number of
    metrics: more than six of them could not speak at all.
    """

    id: str
    better: str
    unit: str
    part: str = ""
    beside: bool = True

    def of(self, results: Mapping) -> float | None:
        """None where it was not measured, or is not above 0 and so has no ratio."""
        holder = results.get(self.part) if self.part else results
        value = (holder or {}).get(self.id)
        return float(value) if value is not None and value > 0 else None


METRICS = (
    Metric("throughput_items_per_s", HIGHER, "items/s"),
    Metric("p50_ns", LOWER, "ns", "latency"),
    Metric("p95_ns", LOWER, "ns", "latency"),
    Metric("p99_ns", LOWER, "ns", "latency"),
    Metric("p999_ns", LOWER, "ns", "latency"),
    Metric("mean_ns", LOWER, "ns", "latency", beside=False),
    Metric("max_ns", LOWER, "ns", "latency", beside=False),
    Metric("elapsed_s", LOWER, "s", beside=False),
)
BY_ID = {metric.id: metric for metric in METRICS}
#: Without an offered load, throughput is what a run is for; with one, how late its items are.
FLAT_OUT_GATE, PACED_GATE = "throughput_items_per_s", "p99_ns"


def default_gate(runs: Iterable[Mapping]) -> str:
    """By the results of both sides: throughput, but the 99th percentile where every source was paced and latencies
    were measured.
    """
    results = list(runs)
    paced = bool(results) and all(r["offered_items_per_s"] is not None for r in results)
    return PACED_GATE if paced and any((r["latency"] or {}).get("count") for r in results) else FLAT_OUT_GATE
