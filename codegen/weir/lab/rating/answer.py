"""Answer of `weir rate` as text and JSON: bounds of the sustainable rate, and latency and loss at each load."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, cast

from weir.lab.rating.offering import Added
from weir.lab.rating.search import LOWER, Goal, RateBounds, classified
from weir.lab.rating.trials import Measured
from weir.read.reporting.quantities import duration, si

#: Shares of the sustainable rate on the curve, besides the loads of the search.
SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)


@dataclass(frozen=True)
class Point:
    """Medians over all trials of a load. `disturbed`: the number of trials that other programs disturbed."""

    load_items_per_s: float
    trials: int
    disturbed: int
    loss_ratio: float
    p50_ns: float | None
    p99_ns: float | None


def curve(trials: Sequence[Measured]) -> list[Point]:
    """Return the points by ascending load."""
    points = []
    for load in sorted({trial.load for trial in trials}):
        own = [trial for trial in trials if trial.load == load]
        points.append(Point(load, len(own), sum(it.disturbed for it in own), median(it.loss_ratio for it in own),
                            _median([it.p50_ns for it in own]), _median([it.p99_ns for it in own])))
    return points


def _median(values: Sequence[int | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(median(known)) if known else None


COMPLETE, OUT_OF_TIME, INTERRUPTED = "complete", "out of time", "interrupted"


@dataclass(frozen=True)
class RateAnswer:
    """Result of `weir rate`. `flat_out`: items/s if all items are due at once; `found`: answer of the search;
    `beside`: more trials for the curve. `shares`: pacing block -> share of the load.
    """

    project: str
    deployment: str
    goal: Goal
    latency_s: float
    flat_out: float
    found: RateBounds
    beside: Sequence[Measured]
    shares: Mapping[str, float]
    added: Sequence[Added]
    trace: str
    seconds: float
    interrupted: bool

    @property
    def state(self) -> str:
        """Return `complete`, `out of time` or `interrupted`."""
        return INTERRUPTED if self.interrupted else OUT_OF_TIME if self.found.out_of_time else COMPLETE

    @property
    def ok(self) -> bool:
        """Return whether there is a lower bound and nothing irregular."""
        return self.found.lower is not None and not self.found.irregular

    def as_json(self) -> dict[str, Any]:
        """Return the answer of `rate --json`."""
        return {"project": self.project, "deployment": self.deployment, "state": self.state,
                "goal": {"latency_s": self.latency_s, **asdict(self.goal)},
                "lower_items_per_s": self.found.lower, "upper_items_per_s": self.found.upper,
                "irregular": self.found.irregular, "flat_out_items_per_s": self.flat_out,
                "shares": dict(self.shares),
                "added": [{"block": it.block, "source": it.source, "port": it.port} for it in self.added],
                "trace": self.trace, "seconds": round(self.seconds, 1),
                "trials": [_trial(it) for it in self.found.trials], "beside": [_trial(it) for it in self.beside],
                "curve": [asdict(it) for it in curve(cast(list[Measured], [*self.found.trials, *self.beside]))]}

    def text(self) -> str:
        """Return the report for people."""
        lines = [f"{self.project} · {self.deployment}"]
        lines += [f"  {name:<12}{said}" for name, said in self._facts()]
        lines += ["", *self._curve()]
        return "\n".join(lines) + "\n"

    def _facts(self) -> list[tuple[str, str]]:
        goal, found = self.goal, self.found
        facts = [("sustainable", self._bounds()),
                 ("goal", f"at most {100 * goal.loss_ratio:g} % of items later than {duration(self.latency_s * 1e9)}; "
                          f"{goal.duration_sum_s:g} s of trials of {goal.final_trial_s:g} s for each load, "
                          f"{100 * goal.exceed_ratio:g} % of them may lose more; bounds within {100 * goal.width:g} %"),
                 ("flat out", f"{si(self.flat_out, 'items/s')} with all items due at once"),
                 ("trials", self._trials())]
        if self.added:
            facts.append(("paced by", ", ".join(f"{it.block} after {it.source}.{it.port}" for it in self.added)))
        if len(self.shares) > 1:
            facts.append(("load shares", ", ".join(f"{block} {100 * share:.3g} %"
                                                   for block, share in self.shares.items())))
        for name, load in (("upper bound", found.upper), ("lower bound", found.lower)):
            if load is not None and (said := self._disturbed(load)):
                facts.append((name, said))
        return facts

    def _bounds(self) -> str:
        found = self.found
        if found.irregular:
            return "irregular: " + (
                f"no load is sustained; {si(found.upper, 'items/s')} is already too high" if found.lower is None else
                f"{si(found.upper, 'items/s')} is too high, but some higher loads are sustained")
        if found.lower is None:
            return "unknown: no trial was conclusive" if found.upper is None else (
                f"below {si(found.upper, 'items/s')}; the time was too short to find a sustained load")
        lower = si(found.lower, "items/s")
        if found.upper is None:
            return f"at least {lower}: no tried load was too high"
        ends = {COMPLETE: "", OUT_OF_TIME: "; the time was too short for closer bounds",
                INTERRUPTED: "; the search was interrupted before closer bounds"}
        return (f"{lower} is sustained, {si(found.upper, 'items/s')} is not (relevant bounds, not an interval)"
                f"{ends[self.state]}")

    def _trials(self) -> str:
        every = [*self.found.trials, *self.beside]
        disturbed = sum(it.disturbed for it in every)
        return (f"{len(every)} in {self.seconds:.0f} s; other programs disturbed {disturbed} of them; "
                f"trace {self.trace}")

    def _disturbed(self, load: float) -> str:
        """Return a remark if other programs disturbed trials of a bound, else ""."""
        own = [it for it in self.found.trials if it.load == load]
        disturbed = [it for it in own if it.disturbed]
        if not disturbed:
            return ""
        said = f"other programs disturbed {len(disturbed)} of its {len(own)} trials"
        late = [it for it in own if it.loss_ratio > self.goal.loss_ratio]
        if classified(own, self.goal) != LOWER and late and all(it.disturbed for it in late):
            return f"{said}, including all late trials: other programs, not the flowgraph, may be the cause"
        return said

    def _curve(self) -> list[str]:
        lines = [f"  {'load':>14}  {'trials':>6}  {'disturbed':>9}  {'too late':>8}  {'p50':>8}  {'p99':>8}"]
        for it in curve(cast(list[Measured], [*self.found.trials, *self.beside])):
            mark = {self.found.lower: "  lower bound", self.found.upper: "  upper bound"}.get(it.load_items_per_s, "")
            lines.append(f"  {si(it.load_items_per_s, 'items/s'):>14}  {it.trials:>6}  {it.disturbed:>9}  "
                         f"{100 * it.loss_ratio:>6.3g} %  {duration(it.p50_ns):>8}  {duration(it.p99_ns):>8}{mark}")
        return lines


def _trial(it: Any) -> dict[str, Any]:
    return {"load_items_per_s": it.load, "seconds": it.duration_s, "loss_ratio": it.loss_ratio,
            "latencies": it.latencies, "late": it.late, "p50_ns": it.p50_ns, "p99_ns": it.p99_ns,
            "delivered_items_per_s": it.delivered, "disturbed": it.disturbed, "other_programs": it.other_programs,
            "steal": it.steal, "run_id": it.run_id}
