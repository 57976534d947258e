"""Comparison of two sides: a gate metric with an interval and a verdict, and other metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from weir.engine.measuring.results import SPINNING
from weir.engine.measuring.run_directory import StoredRun
from weir.engine.measuring.speed_check import slow_runs
from weir.read.comparing.differences import Difference, differences
from weir.read.comparing.doubts import doubts_of
from weir.read.comparing.estimates import (
    BETTER,
    IN_DOUBT,
    NOT_COMPARABLE,
    SAME,
    TOO_FEW,
    WORSE,
    Measured,
    Noted,
    lacking,
    measure,
)
from weir.read.comparing.metrics import BY_ID, default_gate
from weir.read.comparing.sides import Choice, Design, Side, design_of, load_runs, match, sides_of, why
from weir.read.comparing.statistics import MIN_ROUNDS
from weir.read.comparing.work import judge

#: Verdicts over several points, the worst first.
VERDICTS = (WORSE, NOT_COMPARABLE, TOO_FEW, IN_DOUBT, BETTER, SAME)
EXIT_CODES = {WORSE: 1, NOT_COMPARABLE: 4, TOO_FEW: 4, IN_DOUBT: 4, BETTER: 0, SAME: 0}


@dataclass(frozen=True)
class Options:
    """Options of a comparison. `metric`: the gate, None = by the kind of the runs; `threshold`: smallest difference
    that counts, in percent.

    A deployment that is named for one side also applies to the other side, if that has several. `at`: `key=value`
    conditions of the points; `despite`: differences that are allowed (`work.DESPITE`).
    """

    metric: str | None = None
    threshold: float = 1.0
    confidence: float = 0.95
    a_deployment: str | None = None
    b_deployment: str | None = None
    a_at: tuple[str, ...] = ()
    b_at: tuple[str, ...] = ()
    a_set: str | None = None
    b_set: str | None = None
    despite: tuple[str, ...] = ()


@dataclass(frozen=True)
class Compared:
    """Comparison of one point of A with one of B. `because` explains why there is no verdict; `headline` lists
    unintended differences.
    """

    a: Side
    b: Side
    design: str
    rounds: int
    verdict: str
    because: str
    metrics: tuple[Measured, ...]
    differences: tuple[Difference, ...]
    headline: tuple[str, ...] = ()
    left_out: tuple[Noted, ...] = ()
    flagged: tuple[Noted, ...] = ()

    @property
    def same_work(self) -> bool:
        """Return whether no difference changes the computation."""
        return not any(difference.changes_work for difference in self.differences)

    @property
    def gate(self) -> Measured | None:
        """Return the metric of the verdict, None if neither side has it."""
        return next((m for m in self.metrics if m.gate), None)

    @property
    def says(self) -> str:
        """Return the verdict with its metrics, such as `throughput better, latency worse`.

        Metrics of one unit are combined. Metrics of the gate's unit that disagree with the gate are named one by one:
        `p99 latency worse, p50 latency better`.
        """
        gate = self.gate
        if gate is None or self.verdict not in (BETTER, WORSE, SAME):
            return self.verdict
        kinds = {"ns": "latency", "items/s": "throughput"}
        like = [m for m in self.metrics if m.metric.unit == gate.metric.unit]
        otherwise = [m for m in like if m.verdict in (BETTER, WORSE) and m.verdict != gate.verdict]
        found: dict[str, list[str]] = {}
        for m in (gate, *otherwise):
            named = m.metric.title[:1].lower() + m.metric.title[1:]
            found[named if otherwise else kinds.get(m.metric.unit, named)] = [m.verdict]
        for m in self.metrics:
            if m not in like and m.verdict in (BETTER, WORSE):
                found.setdefault(kinds.get(m.metric.unit, m.metric.title), []).append(m.verdict)
        for m in self.metrics:  # doubtful verdicts too: leaving them out would read as no difference
            if m not in like and m.verdict == IN_DOUBT:
                found.setdefault(kinds.get(m.metric.unit, m.metric.title), [IN_DOUBT])
        return ", ".join(f"no difference shown in {kind}" if of == [SAME] else
                         f"{kind} {of[0] if len(set(of)) == 1 else 'mixed'}" for kind, of in found.items())

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as plain JSON values."""
        return {"a": _side(self.a), "b": _side(self.b), "design": self.design, "rounds": self.rounds,
                "verdict": self.verdict, "says": self.says, "because": self.because,
                "headline": list(self.headline), "metrics": [m.as_json() for m in self.metrics],
                "same_work": self.same_work, "differences": [d.as_json() for d in self.differences],
                "left_out": [_plain(n) for n in self.left_out], "flagged": [_plain(n) for n in self.flagged]}


@dataclass(frozen=True)
class Comparison:
    """Comparison of all points. `interval_confidence` is that of each gate, corrected for the number of points.
    `because` explains which points have no counterpart.
    """

    a: Path
    b: Path
    options: Options
    interval_confidence: float
    verdict: str
    compared: tuple[Compared, ...]
    without_partner: tuple[str, ...] = field(default=())
    because: str = ""

    @property
    def exit_code(self) -> int:
        """Return the exit code of the verdict."""
        return EXIT_CODES[self.verdict]

    def as_json(self) -> dict[str, Any]:
        """Return the answer of `compare --json`."""
        return {"schema_version": 1, "a": str(self.a), "b": str(self.b), "verdict": self.verdict,
                "threshold_percent": self.options.threshold, "confidence": self.options.confidence,
                "interval_confidence": self.interval_confidence,
                "comparisons": [c.as_json() for c in self.compared], "without_partner": list(self.without_partner),
                "because": self.because}


def _side(side: Side) -> dict[str, Any]:
    return {"deployment": side.deployment, "runs": len(side.runs), "good": len(side.good), "label": side.label,
            "point": side.point.as_json()}


def _plain(noted: Noted) -> dict[str, Any]:
    return {**asdict(noted), "why": list(noted.why)}


def compare(a: Path, b: Path, options: Options, warn: Callable[[str], None] = lambda text: None) -> Comparison:
    """Compare the runs in `a` with those in `b`. Raises WeirError if no run matches the options."""
    runs = load_runs(a, warn, options.a_set), load_runs(b, warn, options.b_set)
    choices = (Choice(options.a_deployment, options.a_at, options.b_deployment),
               Choice(options.b_deployment, options.b_at, options.a_deployment))
    pairs, alone = match(*sides_of(a, b, runs, choices))
    confidence = 1.0 - (1.0 - options.confidence) / max(1, len(pairs))
    compared = tuple(_compare(*pair, options, confidence) for pair in pairs)
    verdict = min((c.verdict for c in compared), key=VERDICTS.index, default=NOT_COMPARABLE)
    if alone:  # points without a counterpart may hide a regression
        verdict = min(verdict, NOT_COMPARABLE, key=VERDICTS.index)
    return Comparison(a, b, options, confidence, verdict, compared,
                      tuple(f"{name} has {side.label}" for name, side in alone), why(alone))


def _compare(a: Side, b: Side, options: Options, confidence: float) -> Compared:
    design = design_of(a, b)
    found = tuple(differences(a.shown, b.shown))
    left_out, flagged = _left_out(a, b, design), _flagged(a, b)

    copies = [f"left out {side.copies} {'copy' if side.copies == 1 else 'copies'} of runs of {name}: each run counts "
              "once"
              for name, side in (("A", a), ("B", b)) if side.copies]

    def without(verdict: str, because: str, headline: Iterable[str] = ()) -> Compared:
        return Compared(a, b, design.id, 0, verdict, because, (), found, (*copies, *headline), left_out, flagged)

    if {run.results["run_id"] for run in a.runs} & {run.results["run_id"] for run in b.runs}:
        return without(NOT_COMPARABLE, "A and B share some runs")
    for name, side in (("A", a), ("B", b)):
        if not side.good:
            return without(TOO_FEW, f"no run of {name} is ok")
        if side.kinds():
            mixed = ", ".join(f"{count} {kind}" for kind, count in side.kinds().items())
            return without(NOT_COMPARABLE, f"{name} mixes different runs: {mixed}; choose one set of runs")
    judged = judge(a, b, found, options.despite)
    if judged.refused:
        return without(NOT_COMPARABLE, judged.refused, judged.headline)
    gate = BY_ID[options.metric or default_gate([run.results for run in (*a.good, *b.good)])]
    doubts = doubts_of(a, b, found, judged.headline, flagged)
    measured = measure(a, b, design, gate, options.threshold, options.confidence, confidence)
    metrics = tuple(replace(m, verdict=IN_DOUBT) if doubts.of(m.verdict) else m for m in measured)
    first, alone = metrics[0], lacking(a, b, design, gate)
    if first.ratio is None:
        sides = " and ".join(name for name, value in (("A", first.a), ("B", first.b)) if value is None)
        return without(NOT_COMPARABLE, f"{gate.id} was not measured in {sides or 'runs of the same rounds'}",
                       judged.headline)
    verdict, because = first.verdict, doubts.of(measured[0].verdict)
    if first.rounds < MIN_ROUNDS:
        count = "run of each side counts" if first.rounds == 1 else "runs of each side count"
        if first.rounds == min(len(a.good), len(b.good)) < max(len(a.good), len(b.good)):
            count += f" (A has {len(a.good)}, B has {len(b.good)})"
        verdict, because = TOO_FEW, f"{first.rounds} {count}, but a verdict needs {MIN_ROUNDS}"
    headline = (*copies, *_spinning(flagged), *doubts.headline([m.verdict for m in metrics], because),
                *judged.headline, *judged.unverified)
    return Compared(a, b, design.id, first.rounds, verdict, because, metrics, found, headline, (*left_out, *alone),
                    flagged)


def _left_out(a: Side, b: Side, design: Design) -> tuple[Noted, ...]:
    found = [Noted(name, run.results["run_id"], run.status, _messages(run, "E"))
             for name, side in (("A", a), ("B", b)) for run in side.runs if run.status != "ok"]
    alone = {run.path for run in design.unpaired}
    return (*found, *(Noted(name, run.results["run_id"], run.status, ("its round has no run of the other side",))
                      for name, side in (("A", a), ("B", b)) for run in side.good if run.path in alone))


def _flagged(a: Side, b: Side) -> tuple[Noted, ...]:
    slow = slow_runs(run.results for side in (a, b) for run in side.good)

    def why(run: StoredRun) -> tuple[str, ...]:
        run_id = run.results["run_id"]
        return (*_messages(run, "W"), *((f"W_MACHINE_SLOWED: {slow[run_id]}",) if run_id in slow else ()))

    return tuple(Noted(name, run.results["run_id"], run.status, why(run))
                 for name, side in (("A", a), ("B", b)) for run in side.good if why(run))


def _spinning(flagged: Iterable[Noted]) -> Iterable[str]:
    """Return the warnings of the plans about spinning workers, once for each side."""
    said: dict[str, str] = {}
    for noted in flagged:
        for reason in noted.why:
            code, _, message = reason.partition(": ")
            if code in SPINNING:
                said.setdefault(noted.side, f"{noted.side}: {message}")
    return said.values()


def _messages(run: StoredRun, kind: str) -> tuple[str, ...]:
    return tuple(f"{reason['code']}: {reason['message']}" for reason in run.results["reasons"]
                 if reason["code"].startswith(kind))
