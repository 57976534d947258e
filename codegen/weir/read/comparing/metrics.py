"""The metrics that runs are compared by, as the model of results states them, and which one decides."""

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
    """Of the values that are known; None where none is."""
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


@dataclass(frozen=True)
class Source:
    """Numbers of results.json as one: those `at` a pointer, whose `*` is every element, folded if there are several."""

    at: str
    fold: str = "sum"

    def of(self, results: Mapping) -> float | None:
        """None where there is none, or one of them was not measured."""
        values = list(values_at(results, self.at))
        if not values or None in values:
            return None
        return values[0] if len(values) == 1 else FOLDS[self.fold](values)


@dataclass(frozen=True)
class Metric:
    """A number of results.json, or one that is made of some: `source`, or that over another one, times `scale`.

    `trials`: of a share, what it is of. `better`: higher or lower. `gate`: it decides between runs that are flat_out,
    or paced. `beside`: shown beside another gate. Eight blocks give no p below 1/128, which Holm multiplies by the
    number of metrics: more than six of them could not speak at all. `column`: its heading where runs are listed, ""
    where it is not.
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
    def told(cls, told: Mapping) -> Metric:
        """As the model states it; unit and meaning are those of its field where it has none of its own."""
        given = {key: value for key, value in told.items() if key not in ("at", "fold", "over", "trials")}
        field = field_at(told["at"])
        others: dict[str, Any] = {"over": Source(**told["over"])} if "over" in told else {}
        others["trials"] = tuple(Source(**it) for it in told.get("trials", ()))
        return cls(**{"unit": field.unit, "meaning": field.meaning, **given},
                   source=Source(told["at"], told.get("fold", "sum")), **others)

    def value(self, results: Mapping) -> float | None:
        """None where it was not measured."""
        value = self.source.of(results)
        if value is None or self.over is None:
            return value
        over = self.over.of(results)
        return self.scale * value / over if over else None

    def of(self, results: Mapping) -> float | None:
        """None also where it is not above 0 and so has no ratio. Of a share of trials half a one more counts, of one
        trial more (Anscombe 1956): where none failed there is a ratio, too, and the less the more there were.
        """
        value = self.value(results)
        if value is not None and (trials := sum(it.of(results) or 0 for it in self.trials)):
            value = (value * trials + 0.5) / (trials + 1)
        return float(value) if value is not None and value > 0 else None

    def belongs_to(self, results: Mapping) -> bool:
        """Whether it is worth a row: it was measured, or its object was, though there were too few samples for it."""
        holders = values_at(results, self.source.at.rpartition("/")[0])
        counted = any(isinstance(holder, Mapping) and holder.get("count") for holder in holders)
        return counted or self.of(results) is not None

    def as_json(self) -> dict[str, Any]:
        """Returns it as plain JSON values."""
        return {"id": self.id, "title": self.title, "unit": self.unit, "better": self.better, "meaning": self.meaning,
                "column": self.column or None}


METRICS = tuple(map(Metric.told, model()["metrics"]))
BY_ID = {metric.id: metric for metric in METRICS}
#: Those that have a column where runs are listed.
LISTED = tuple(metric for metric in METRICS if metric.column)


def default_gate(runs: Iterable[Mapping]) -> str:
    """By the results of both sides: that of runs flat out, but that of paced ones where every source was paced and
    latencies were measured. Without an offered load throughput is what a run is for; with one, how late its items are.
    """
    results = list(runs)
    paced = bool(results) and all(r["offered_items_per_s"] is not None for r in results)
    kind = "paced" if paced and any((r["latency"] or {}).get("count") for r in results) else "flat_out"
    return next(metric.id for metric in METRICS if metric.gate == kind)
