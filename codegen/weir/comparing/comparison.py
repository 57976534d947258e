"""Compares two sides: one gate metric with an interval and a verdict, the others beside it."""

from __future__ import annotations

import statistics as plain
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from weir.comparing import statistics
from weir.comparing.differences import Difference, differences
from weir.comparing.metrics import BY_ID, HIGHER, METRICS, Metric, default_gate
from weir.comparing.sides import Design, Side, design_of, load_side, match
from weir.comparing.statistics import MIN_BLOCKS, Estimate
from weir.measuring.run_directory import StoredRun
from weir.measuring.witness import slow_runs

BETTER, WORSE, SAME = "better", "worse", "no difference"
TOO_FEW, NOT_COMPARABLE = "not enough data", "not comparable"
#: The worst first: the verdict over several deployments.
VERDICTS = (WORSE, NOT_COMPARABLE, TOO_FEW, BETTER, SAME)
EXIT_CODES = {WORSE: 1, NOT_COMPARABLE: 4, TOO_FEW: 4, BETTER: 0, SAME: 0}


@dataclass(frozen=True)
class Options:
    """`metric`: the gate, None = by the kind of the runs. `threshold`: percent that a difference must exceed."""

    metric: str | None = None
    threshold: float = 1.0
    confidence: float = 0.95
    a_deployment: str | None = None
    b_deployment: str | None = None
    a_set: str | None = None
    b_set: str | None = None


@dataclass(frozen=True)
class Measured:
    """One metric of both sides: `a`, `b` are medians, `ratio` is B over A. `p_value` is Holm's but for the gate."""

    metric: Metric
    gate: bool
    a: float
    b: float
    ratio: float
    interval: tuple[float, float] | None
    p_value: float | None
    verdict: str

    def as_json(self) -> dict[str, object]:
        return {"id": self.metric.id, "unit": self.metric.unit, "better": self.metric.better, "gate": self.gate,
                "a": self.a, "b": self.b, "ratio": self.ratio,
                "interval": None if self.interval is None else list(self.interval), "p_value": self.p_value,
                "verdict": self.verdict}


@dataclass(frozen=True)
class Noted:
    """A run that does not count, or that counts with a warning; `why`: its reasons."""

    side: str
    run_id: str
    status: str
    why: tuple[str, ...]


@dataclass(frozen=True)
class Compared:
    """One deployment of A beside one of B. `because` explains a verdict that is none."""

    a: Side
    b: Side
    design: str
    blocks: int
    verdict: str
    because: str
    metrics: tuple[Measured, ...]
    differences: tuple[Difference, ...]
    left_out: tuple[Noted, ...] = ()
    flagged: tuple[Noted, ...] = ()

    @property
    def same_work(self) -> bool:
        return not any(difference.changes_work for difference in self.differences)

    @property
    def gate(self) -> Measured | None:
        return next((m for m in self.metrics if m.gate), None)

    def as_json(self) -> dict[str, object]:
        return {"a": {"deployment": self.a.deployment, "runs": len(self.a.runs), "good": len(self.a.good)},
                "b": {"deployment": self.b.deployment, "runs": len(self.b.runs), "good": len(self.b.good)},
                "design": self.design, "blocks": self.blocks, "verdict": self.verdict, "because": self.because,
                "metrics": [m.as_json() for m in self.metrics], "same_work": self.same_work,
                "differences": [d.as_json() for d in self.differences],
                "left_out": [_plain(n) for n in self.left_out], "flagged": [_plain(n) for n in self.flagged]}


@dataclass(frozen=True)
class Comparison:
    """`interval_confidence` is that of each gate: several deployments share the error that one may make."""

    a: Path
    b: Path
    options: Options
    interval_confidence: float
    verdict: str
    compared: tuple[Compared, ...]
    without_partner: tuple[str, ...] = field(default=())

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.verdict]

    def as_json(self) -> dict[str, object]:
        return {"schema_version": 1, "a": str(self.a), "b": str(self.b), "verdict": self.verdict,
                "threshold_percent": self.options.threshold, "confidence": self.options.confidence,
                "interval_confidence": self.interval_confidence,
                "comparisons": [c.as_json() for c in self.compared], "without_partner": list(self.without_partner)}


def _plain(noted: Noted) -> dict[str, object]:
    return {**asdict(noted), "why": list(noted.why)}


def compare(a: Path, b: Path, options: Options, warn: Callable[[str], None] = lambda text: None) -> Comparison:
    """The runs in `a` beside those in `b`. WeirError where there are none, or no deployment of the name asked for."""
    pairs, alone = match(load_side(a, warn, options.a_set), load_side(b, warn, options.b_set), options.a_deployment, options.b_deployment)
    confidence = 1.0 - (1.0 - options.confidence) / max(1, len(pairs))
    compared = tuple(_compare(*pair, options, confidence) for pair in pairs)
    verdict = min((c.verdict for c in compared), key=VERDICTS.index, default=NOT_COMPARABLE)
    return Comparison(a, b, options, confidence, verdict, compared, tuple(alone))


def _compare(a: Side, b: Side, options: Options, confidence: float) -> Compared:
    design = design_of(a, b)
    noted = {"left_out": _left_out(a, b, design), "flagged": _flagged(a, b)}
    found = tuple(differences(a.shown, b.shown))
    gate = BY_ID[options.metric or default_gate([run.results for run in (*a.good, *b.good)])]

    def without(verdict: str, because: str, blocks: int = 0, metrics: tuple[Measured, ...] = ()) -> Compared:
        return Compared(a, b, design.id, blocks, verdict, because, metrics, found, **noted)

    if {run.path.resolve() for run in a.runs} & {run.path.resolve() for run in b.runs}:
        return without(NOT_COMPARABLE, "A and B have runs in common")
    for name, side in (("A", a), ("B", b)):
        if not side.good:
            return without(TOO_FEW, f"no run of {name} is ok")
        if side.kinds():
            mixed = ", ".join(f"{count} {kind}" for kind, count in side.kinds().items())
            return without(NOT_COMPARABLE, f"the runs of {name} are not of one kind: {mixed}; name one set of them")
    blocks, estimates = _estimates(a, b, design, gate, options, confidence)
    if gate.id not in estimates:
        lacking = " and ".join(name for name, side in (("A", a), ("B", b))
                               if not any(gate.of(run.results) for run in side.good))
        return without(NOT_COMPARABLE, f"{gate.id} was not measured in {lacking or 'runs of the same blocks'}")
    metrics = _measured(estimates, gate, options)
    if blocks < MIN_BLOCKS:
        return without(TOO_FEW, f"{blocks} blocks count, and it takes {MIN_BLOCKS}", blocks, metrics)
    return without(metrics[0].verdict, "", blocks, metrics)


Values = tuple[list[float], list[float]]


def _estimates(a: Side, b: Side, design: Design, gate: Metric, options: Options,
               confidence: float) -> tuple[int, dict[str, tuple[Values, Estimate]]]:
    """(blocks of the gate, metric -> values and estimate); a metric that a side lacks is left out."""
    blocks, found = 0, {}
    for metric in (metric for metric in METRICS if metric.beside or metric is gate):
        if design.pairs is None:
            values = tuple([v for run in side.good if (v := metric.of(run.results)) is not None] for side in (a, b))
            estimate = statistics.compare_successive
        else:
            both = [(x, y) for x, y in ((metric.of(p.results), metric.of(q.results)) for p, q in design.pairs)
                    if x is not None and y is not None]
            values = [x for x, _ in both], [y for _, y in both]
            estimate = statistics.compare_paired
        if all(values):
            level = confidence if metric is gate else options.confidence
            found[metric.id] = values, estimate(*values, level)
            blocks = min(map(len, values)) if metric is gate else blocks
    return blocks, found


def _measured(estimates: dict[str, tuple[Values, Estimate]], gate: Metric, options: Options) -> tuple[Measured, ...]:
    """The gate first. The others' p-values are corrected for their number, and have to speak too."""
    others = [name for name, (_, e) in estimates.items() if name != gate.id and e.p_value is not None]
    corrected = dict(zip(others, statistics.holm([estimates[name][1].p_value for name in others])))
    found = []
    for name in (gate.id, *(name for name in estimates if name != gate.id)):
        (x, y), estimate = estimates[name]
        metric, p_value = BY_ID[name], corrected.get(name, estimate.p_value)
        verdict = verdict_of(metric, estimate.interval, options.threshold)
        if metric is not gate and verdict in (BETTER, WORSE) and p_value >= 1.0 - options.confidence:
            verdict = SAME
        found.append(Measured(metric, metric is gate, plain.median(x), plain.median(y), estimate.ratio,
                              estimate.interval, p_value, verdict))
    return tuple(found)


def verdict_of(metric: Metric, interval: tuple[float, float] | None, threshold: float) -> str:
    """Better or worse only where the whole interval of B over A lies beyond the threshold, in percent."""
    if interval is None:
        return TOO_FEW
    low, high = interval
    less, more = high < 1.0 - threshold / 100.0, low > 1.0 + threshold / 100.0
    if not less and not more:
        return SAME
    return BETTER if more == (metric.better == HIGHER) else WORSE


def _left_out(a: Side, b: Side, design: Design) -> tuple[Noted, ...]:
    found = [Noted(name, run.results["run_id"], run.status, _messages(run, "E"))
             for name, side in (("A", a), ("B", b)) for run in side.runs if run.status != "ok"]
    alone = {run.path for run in design.unpaired}
    return (*found, *(Noted(name, run.results["run_id"], run.status, ("its block has no run of the other side",))
                      for name, side in (("A", a), ("B", b)) for run in side.good if run.path in alone))


def _flagged(a: Side, b: Side) -> tuple[Noted, ...]:
    slow = slow_runs(run.results for side in (a, b) for run in side.good)

    def why(run: StoredRun) -> tuple[str, ...]:
        run_id = run.results["run_id"]
        return (*_messages(run, "W"), *((f"W_MACHINE_SLOWED: {slow[run_id]}",) if run_id in slow else ()))

    return tuple(Noted(name, run.results["run_id"], run.status, why(run))
                 for name, side in (("A", a), ("B", b)) for run in side.good if why(run))


def _messages(run: StoredRun, kind: str) -> tuple[str, ...]:
    return tuple(f"{reason['code']}: {reason['message']}" for reason in run.results["reasons"]
                 if reason["code"].startswith(kind))
