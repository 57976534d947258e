"""Estimates of each metric for two sides: medians, ratio, interval and verdict."""

from __future__ import annotations

import statistics as plain
from dataclasses import dataclass
from typing import Any

from weir.engine.measuring.results import SHORT_WINDOW_S
from weir.engine.measuring.run_directory import StoredRun
from weir.read.comparing import statistics
from weir.read.comparing.metrics import HIGHER, METRICS, Metric
from weir.read.comparing.sides import Design, Side
from weir.read.comparing.statistics import Estimate
from weir.sure import sure

BETTER, WORSE, SAME = "better", "worse", "no difference"
TOO_FEW, NOT_COMPARABLE, NOT_MEASURED = "not enough data", "not comparable", "not measured"
#: Better or worse by the numbers, but the machine may be the cause (`doubts`).
IN_DOUBT = "in doubt"


@dataclass(frozen=True)
class Measured:
    """One metric of both sides: `a`, `b` are medians, `ratio` is B over A; None if a side lacks it.

    `rounds`: rounds that have it on both sides; `short_windows`: number of their runs with a window under 0.2 s;
    `p_value`: Holm-corrected, except for the gate.
    """

    metric: Metric
    gate: bool
    a: float | None
    b: float | None
    ratio: float | None
    interval: tuple[float, float] | None
    p_value: float | None
    verdict: str
    rounds: int
    short_windows: int

    def as_json(self) -> dict[str, Any]:
        """Return the metric as plain JSON values."""
        return {"id": self.metric.id, "unit": self.metric.unit, "better": self.metric.better, "gate": self.gate,
                "a": self.a, "b": self.b, "ratio": self.ratio,
                "interval": None if self.interval is None else list(self.interval), "p_value": self.p_value,
                "verdict": self.verdict, "rounds": self.rounds, "short_windows": self.short_windows}


@dataclass(frozen=True)
class Noted:
    """Run that does not count, or counts with a warning. `why`: the reasons."""

    side: str
    run_id: str
    status: str
    why: tuple[str, ...]


@dataclass(frozen=True)
class _Values:
    """Values of one metric with their runs and the estimate, None if a side has no value."""

    a: list[float]
    b: list[float]
    runs: list[StoredRun]
    estimate: Estimate | None

    @property
    def rounds(self) -> int:
        return min(len(self.a), len(self.b))


def measure(a: Side, b: Side, design: Design, gate: Metric, threshold: float, confidence: float,
            gate_confidence: float) -> tuple[Measured, ...]:
    """Return every metric that a side has, the gate first. The p-values of the others are corrected for their number,
    and a verdict needs them too. If latencies were measured, percentiles without a value are listed too.
    """
    shown = [metric for metric in METRICS if metric is gate or metric.beside
             and any(metric.belongs_to(run.results) for run in (*a.good, *b.good))]
    found = {metric: _values(a, b, design, metric, gate_confidence if metric is gate else confidence)
             for metric in sorted(shown, key=lambda metric: metric is not gate)}
    speaking = {metric: values.estimate.p_value for metric, values in found.items()
                if metric is not gate and values.estimate and values.estimate.p_value is not None}
    corrected = dict(zip(speaking, statistics.holm(list(speaking.values()))))
    return tuple(_measured(metric, metric is gate, values, corrected.get(metric), threshold, confidence)
                 for metric, values in found.items())


def _values(a: Side, b: Side, design: Design, metric: Metric, confidence: float) -> _Values:
    pairs = [pair for pair in design.pairs or () if all(metric.of(run.results) is not None for run in pair)]
    sides = [[pair[i] for pair in pairs] for i in (0, 1)] if pairs else [
        [run for run in side.good if metric.of(run.results) is not None] for side in (a, b)]
    x, y = ([sure(metric.of(run.results)) for run in side] for side in sides)
    estimate: statistics.Estimate | None
    if pairs:
        estimate = statistics.compare_paired(x, y, confidence)
    else:
        estimate = statistics.compare_successive(x, y, confidence) if x and y and design.pairs is None else None
    return _Values(x, y, [run for side in sides for run in side], estimate)


def _measured(metric: Metric, gate: bool, values: _Values, corrected: float | None, threshold: float,
              confidence: float) -> Measured:
    short = sum(window is not None and window < SHORT_WINDOW_S
                for window in (run.results["window_s"] for run in values.runs))
    sides = values.runs[:len(values.a)], values.runs[len(values.a):]
    a, b = (plain.median(sure(metric.value(run.results)) for run in side) if side else None for side in sides)
    estimate = values.estimate
    if estimate is None:
        return Measured(metric, gate, a, b, None, None, None, NOT_MEASURED, 0, short)
    p_value = estimate.p_value if gate else corrected
    verdict = verdict_of(metric, estimate.interval, threshold)
    if not gate and verdict in (BETTER, WORSE) and sure(p_value) >= 1.0 - confidence:
        verdict = SAME
    return Measured(metric, gate, a, b, estimate.ratio, estimate.interval, p_value, verdict, values.rounds, short)


def verdict_of(metric: Metric, interval: tuple[float, float] | None, threshold: float) -> str:
    """Return better or worse only if the whole interval of B over A is beyond the threshold, in percent."""
    if interval is None:
        return TOO_FEW
    low, high = interval
    less, more = high < 1.0 - threshold / 100.0, low > 1.0 + threshold / 100.0
    if not less and not more:
        return SAME
    return BETTER if more == (metric.better == HIGHER) else WORSE


def lacking(a: Side, b: Side, design: Design, metric: Metric) -> tuple[Noted, ...]:
    """Return the runs that are ok but lack this metric, and the runs of the other side in their rounds."""
    without = {run.path for side in (a, b) for run in side.good if metric.of(run.results) is None}
    alone = {run.path for pair in design.pairs or () for run in pair
             if any(other.path in without for other in pair)} - without

    def why(run: StoredRun) -> str:
        if run.path in alone:
            return f"the other side of its round has no {metric.id}"
        said = [reason["message"] for reason in run.results["reasons"] if reason["code"] == "W_NO_WINDOW"]
        return f"it has no {metric.id}" + (f": {said[0]}" if said else "")

    return tuple(Noted(name, run.results["run_id"], run.status, (why(run),)) for name, side in (("A", a), ("B", b))
                 for run in side.good if run.path in without | alone)
