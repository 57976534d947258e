"""Answer of a search, as data and as text for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from weir.diagnostics import printable
from weir.lab.tuning.candidate import (
    GOALS,
    P99,
    PROJECT,
    THROUGHPUT,
    Candidate,
    Trial,
    best_of,
    expected,
    front,
    prediction_error,
)
from weir.lab.tuning.search import Search
from weir.lab.tuning.space import Skipped
from weir.model.planning.plan import Plan
from weir.model.planning.plan_text import table
from weir.model.planning.profile import Profile
from weir.read.reporting.quantities import duration, si
from weir.sure import sure

HEAD = ("", "deployment", "from", "predicted", "items/s", "interval", "runs", "p50", "p95", "p99")
#: Maximum number of left-out candidates to print.
MOST_SHOWN = 6
#: Significant digits of predictions.
DIGITS = 3


@dataclass(frozen=True)
class TuneAnswer:
    """Answer of a search. `names`: goal -> best deployment; `output`: the written file, or None.

    `unprofiled`: reason why there is no profile, or ""; `plans`: name -> plan of the built candidates; `start`: first
    deployment of the search, and its plan; `before_s`: seconds of profiling and of the first builds, before the budget.
    """

    project: str
    search: Search
    elapsed_s: float
    profile: Profile | None
    unprofiled: str
    paced: bool
    skipped: Sequence[Skipped]
    names: Mapping[str, str]
    output: str | None
    plans: Mapping[str, Plan] = field(default_factory=dict)
    start: tuple[str, Plan | None] = ("", None)
    before_s: float = 0.0

    @property
    def trials(self) -> list[Trial]:
        """Return the trials, the best first and failed ones last."""
        goal = self.search.goal
        return sorted(self.search.trials.values(), key=lambda t: (
            t.value(goal) is None, -(t.value(goal) or 0.0), -(t.items_per_s or 0.0), t.candidate.name))

    @property
    def best(self) -> dict[str, Trial]:
        """Return goal -> best finalist."""
        found = {goal: best_of(self.search.finalists, goal) for goal in GOALS}
        return {goal: trial for goal, trial in found.items() if trial is not None}

    @property
    def left_out(self) -> list[tuple[Candidate, str]]:
        """Return the candidates that were not built, the most promising first, with the reason."""
        hopeful = {one.name for one in self.search.hopeful()}
        left = [one for one in self.search.candidates if one.name not in self.search.trials]
        return [(one, "time" if one.name in hopeful else "predicted to be far behind")
                for one in sorted(left, key=lambda one: (one.name not in hopeful, -one.predicted, one.name))]

    def as_json(self) -> dict[str, Any]:
        """Return the answer of `tune --json`."""
        shown = front(list(self.search.trials.values()))
        return {
            "project": self.project, "goal": self.search.goal, "budget_s": self.search.budget_s,
            "elapsed_s": round(self.elapsed_s, 3), "interrupted": self.search.interrupted,
            "profile": self.profile and self.profile.as_json(),
            "prediction_error": prediction_error(list(self.search.trials.values())),
            "start": {"name": self.start[0], "plan": planned(self.start[1])},
            "tried": [self._row(trial, trial in shown) for trial in self.trials],
            "front": [trial.candidate.name for trial in shown],
            "best": {goal: self._best(goal, trial) for goal, trial in self.best.items()},
            "left_out": [{"name": one.name, "predicted_items_per_s": self._expected(one), "why": why}
                         for one, why in self.left_out],
            "skipped": list(map(asdict, self.skipped)), "output": self.output}

    def _row(self, trial: Trial, at_front: bool) -> dict[str, Any]:
        one, known = trial.candidate, trial.latency("p50_ns") is not None
        interval = interval_of(trial.rates)
        return {"name": one.name, "scheduler": one.scheduler, "origin": one.origin, "auto": one.auto,
                "deployment": {key: value for key, value in one.entry.items() if key != "name"},
                "predicted_items_per_s": self._expected(one), "by_costs_items_per_s": one.predicted,
                "items_per_s": trial.items_per_s,
                "interval": interval and list(interval), "runs": len(trial.good),
                "disturbed": sum(outcome.disturbed for outcome in trial.good),
                "latency": {name: trial.latency(name) for name in ("p50_ns", "p95_ns", "p99_ns")} if known else None,
                "kept_up": trial.kept_up, "front": at_front,
                "finalist": any(trial is other for other in self.search.finalists), "fault": trial.fault,
                "plan": planned(self.plans.get(one.name))}

    def _expected(self, one: Candidate) -> float:
        return float(f"{expected(one, list(self.search.trials.values())):.{DIGITS}g}")

    def _best(self, goal: str, trial: Trial) -> dict[str, Any]:
        return {"name": trial.candidate.name, "deployment": self.names.get(goal),
                "items_per_s": trial.items_per_s, "p99_ns": trial.latency("p99_ns"),
                "ratio_to_auto": self._ratio_to_auto(goal, trial)}

    def _ratio_to_auto(self, goal: str, trial: Trial) -> float | None:
        """Return the ratio of a trial to the best `auto`: above 1 is better. None if `auto` was not measured."""
        auto = best_of([t for t in self.search.finalists if t.candidate.auto], goal)
        if auto is None:
            return None
        mine, its = sure(trial.value(goal)), sure(auto.value(goal))
        return mine / its if goal == THROUGHPUT else its / mine

    def text(self) -> str:
        """Return the report for people."""
        lines = [printable(f"{self.project}: {len(self.search.trials)} deployments tried for {self.search.goal} in "
                           + self._time() + (", interrupted" if self.search.interrupted else "")), ""]
        at_front = front(list(self.search.trials.values()))
        rows = [self._line(trial, trial in at_front) for trial in self.trials]
        lines += table(HEAD, rows)
        lines += ["", "  * on the Pareto front of throughput and p99: no other deployment is better in both"]
        lines += [f"  {printable(t.candidate.name)}: {printable(t.fault)}" for t in self.trials if t.fault]
        disturbed = sum(outcome.disturbed for t in self.search.trials.values() for outcome in t.good)
        if disturbed:
            runs = sum(len(t.good) for t in self.search.trials.values())
            lines.append(f"  other programs disturbed {disturbed} of {runs} runs"
                         + ("; on an idle machine another deployment may be the best" if 2 * disturbed > runs else ""))
        error = prediction_error(list(self.search.trials.values()))
        costs = "measured costs" if self.profile else f"assumed costs (no profile: {self.unprofiled})"
        if error is not None:
            off = f"{100 * error:.0f} %" if error < 10 else f"a factor of {error + 1:.0f}"
            lines.append(f"  predictions were off by {off} (median of |predicted / measured - 1|; each prediction uses "
                         f"{costs} and the results of the other deployments)")
        lines += [printable(f"  impossible: {one.scheduler} ({one.code}): {one.why}") for one in self.skipped]
        lines += self._left_out_lines() + [""]
        return "\n".join([*lines, *self._best_lines()]) + "\n"

    def _time(self) -> str:
        """Return the time beside the budget, which begins with the first comparison."""
        whole, budget = self.elapsed_s, self.search.budget_s
        if not whole > budget:
            return f"{whole:.0f} s of {budget:g} s"
        return f"{whole:.0f} s: {whole - self.before_s:.0f} s of {budget:g} s, after {self.before_s:.0f} s to prepare"

    def _line(self, trial: Trial, at_front: bool) -> tuple[str, ...]:
        one, interval = trial.candidate, interval_of(trial.rates)
        origin = one.origin + (", auto" if one.auto else "")
        behind = " behind" if trial.kept_up is False else ""
        return ("*" if at_front else "", printable(one.name), origin, si(self._expected(one), "").strip(),
                "failed" if trial.fault else si(trial.items_per_s, "").strip() + behind,
                f"{si(interval[0], '').strip()} .. {si(interval[1], '').strip()}" if interval else "-",
                str(len(trial.good)), *(duration(trial.latency(name)) for name in ("p50_ns", "p95_ns", "p99_ns")))

    def _left_out_lines(self) -> list[str]:
        late = [one for one, why in self.left_out if why == "time"]
        behind = len(self.left_out) - len(late)
        more = f", and {len(late) - MOST_SHOWN} more" if len(late) > MOST_SHOWN else ""
        named = ", ".join(one.name for one in late[:MOST_SHOWN])
        lines = [printable(f"  left out, because the time was too short: {named}{more}")] if late else []
        return lines + ([f"  left out, because predicted to be far slower: {behind}"] if behind else [])

    def _best_lines(self) -> list[str]:
        if not self.best:
            return ["No deployment has a valid measurement."]
        lines = []
        for goal, trial in self.best.items():
            ratio = self._ratio_to_auto(goal, trial)
            beside = (self._beside_start(goal, trial) if ratio is None
                      else " (as good as auto)" if f"{ratio:.2f}" == "1.00"
                      else f" ({ratio:.2f} times as good as auto)")
            reached = si(trial.items_per_s, "items/s") if goal == THROUGHPUT else duration(trial.latency("p99_ns"))
            own = " of the project" if trial.candidate.origin == PROJECT else ""
            lines.append(f"Best {goal}: {self.names.get(goal, trial.candidate.name)}{own}, {reached}{beside}")
        if self.search.goal == P99 and not self.paced:
            lines.append("  no source is paced, so the latency is mostly waiting time in buffers")
        if self.paced and THROUGHPUT in self.best:
            lines.append("  the sources are paced, so they determine the throughput")
        if P99 not in self.best:
            lines.append("  no p99: " + ("no run has enough latencies" if not self.paced else
                                         "no run that kept up has enough latencies"))
        lines.append(f"Written: {self.output}" if self.output else
                     "Nothing is written: the project already has the best deployment")
        return lines


    def _beside_start(self, goal: str, trial: Trial) -> str:
        """Return how a trial compares with the start, where there is no `auto`."""
        start = self.search.trials.get(self.start[0])
        its = start.value(goal) if start else None
        if not its:
            return " (auto was not measured)"
        mine = sure(trial.value(goal))
        ratio = mine / its if goal == THROUGHPUT else its / mine
        return " (the start)" if trial is start else f" ({ratio:.2f} times as good as the start, {self.start[0]})"


def interval_of(values: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95 % interval of the typical value, None with too few values."""
    import numpy as np

    from weir.read.comparing.statistics import MIN_ROUNDS, of_logarithms

    return of_logarithms(np.log(np.asarray(values, float)))[1] if len(values) >= MIN_ROUNDS else None


def planned(plan: Plan | None) -> dict[str, object] | None:
    """Return the parts of a plan for the answer, None without a plan."""
    if plan is None:
        return None
    return {"scheduler": plan.scheduler, "wait": plan.wait,
            "workers": [{"name": worker.name, "instances": list(worker.instances)} for worker in plan.workers],
            "chunk_items": _span(block.chunk_items for block in plan.blocks),
            "ring_items": _span(stream.planned_items for stream in plan.streams if stream.kind == "ring")}


def _span(items: Iterable[int]) -> list[int] | None:
    """Return the minimum and maximum, None without values."""
    known = list(items)
    return [min(known), max(known)] if known else None
