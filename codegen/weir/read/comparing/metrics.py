"""Metrics of comparisons, from the model of results, and the choice of the gate."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from weir.engine.results_model import field_at, model, values_at

HIGHER, LOWER = "higher", "lower"

FOLDS: Mapping[str, Callable[[list[float]], float]] = {
    "sum": math.fsum, "max": max, "min": min, "mean": statistics.fmean}


def median(values: Iterable[float | None]) -> float | None:
    """Return the median of the known values, None without any."""
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


@dataclass(frozen=True)
class Source:
    """Source of a metric: the numbers `at` a pointer of results.json (`*` is every element), folded into one."""

    at: str
    fold: str = "sum"

    def of(self, results: Mapping) -> float | None:
        """Return the folded number, None if there is none or one of them was not measured."""
        values = list(values_at(results, self.at))
        if not values or None in values:
            return None
        return values[0] if len(values) == 1 else FOLDS[self.fold](values)


@dataclass(frozen=True)
class Metric:
    """Metric computed from results.json: `source`, or `scale` * `source` / `over`.

    `trials`: number of trials of a share; `better`: higher or lower. `gate`: the kind of runs whose verdict it decides,
    flat_out or paced. `beside`: also shown with another gate. `column`: heading in lists of runs, or "". Eight rounds
    give no p below 1/128, which Holm multiplies by the number of metrics, so at most six can be shown beside a gate.
    """

    id: str
    title: str
    better: str
    unit: str
    meaning: str
    source: Source
    over: Source | None = None
    trials: tuple[Source, ...] = ()
    scale: float = 1.0
    gate: str = ""
    beside: bool = False
    column: str = ""

    @classmethod
    def from_entry(cls, entry: Mapping) -> Metric:
        """Make a metric from its entry in the model. Unit and meaning default to those of its field."""
        given = {key: value for key, value in entry.items() if key not in ("at", "fold", "over", "trials")}
        field = field_at(entry["at"])
        others: dict[str, Any] = {"over": Source(**entry["over"])} if "over" in entry else {}
        others["trials"] = tuple(Source(**it) for it in entry.get("trials", ()))
        return cls(**{"unit": field.unit, "meaning": field.meaning, **given},
                   source=Source(entry["at"], entry.get("fold", "sum")), **others)

    def value(self, results: Mapping) -> float | None:
        """Return the value of a run, None if it was not measured."""
        value = self.source.of(results)
        if value is None or self.over is None:
            return value
        over = self.over.of(results)
        return self.scale * value / over if over else None

    def of(self, results: Mapping) -> float | None:
        """Return the value for ratios, None if it is not above 0.

        Shares of trials get half a failure and one trial more (Anscombe 1956), so that 0 failures have a ratio too.
        """
        value = self.value(results)
        if value is not None and (trials := sum(it.of(results) or 0 for it in self.trials)):
            value = (value * trials + 0.5) / (trials + 1)
        return float(value) if value is not None and value > 0 else None

    def belongs_to(self, results: Mapping) -> bool:
        """Return whether the metric gets a row: it was measured, or its object was, but with too few samples."""
        holders = values_at(results, self.source.at.rpartition("/")[0])
        counted = any(isinstance(holder, Mapping) and holder.get("count") for holder in holders)
        return counted or self.of(results) is not None

    def as_json(self) -> dict[str, Any]:
        """Return the metric as plain JSON values."""
        return {"id": self.id, "title": self.title, "unit": self.unit, "better": self.better, "meaning": self.meaning,
                "column": self.column or None}


METRICS = tuple(map(Metric.from_entry, model()["metrics"]))
BY_ID = {metric.id: metric for metric in METRICS}
#: Metrics with a column in lists of runs.
LISTED = tuple(metric for metric in METRICS if metric.column)


def default_gate(runs: Iterable[Mapping]) -> str:
    """Return the gate for the results of both sides: the latency gate if all sources are paced and latencies were
    measured, else the throughput gate.
    """
    results = list(runs)
    paced = bool(results) and all(r["offered_items_per_s"] is not None for r in results)
    kind = "paced" if paced and any((r["latency"] or {}).get("count") for r in results) else "flat_out"
    return next(metric.id for metric in METRICS if metric.gate == kind)
