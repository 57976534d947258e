"""Search for a sustainable rate, after MLRsearch for packet forwarding (IETF BMWG, draft-ietf-bmwg-mlrsearch).

Trials offer a load. The loss ratio of a trial is the share of offered items that arrive late or not at all: a flowgraph
blocks its sources instead of losing items, so late items count as lost. Other programs may spoil a trial. Therefore
several trials decide about a load, and a share of them (`exceed_ratio`) may miss the goal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

LOWER, UPPER, UNDECIDED = "lower bound", "upper bound", "undecided"
#: Intermediate goals before the last one: factors for shorter trials and wider bounds.
EARLIER = ((1 / 4, 8.0), (1 / 2, 3.0))
#: Without a bound on one side, the load changes by this factor, then by its square, and so on.
EXPANSION = 2.0


@dataclass(frozen=True)
class Goal:
    """Goal of a search. `loss_ratio`: maximum of a good trial; `final_trial_s`: duration of a full trial;
    `duration_sum_s`: total duration of full trials that decides about a load; `exceed_ratio`: share of them that may
    be worse; `width`: distance of the bounds, as a share of the upper one.
    """

    loss_ratio: float = 0.0
    final_trial_s: float = 1.0
    duration_sum_s: float = 5.0
    exceed_ratio: float = 0.5
    width: float = 0.05


@dataclass(frozen=True)
class Trial:
    """Trial of a load in items/s. `disturbed`: other programs took too much CPU time."""

    load: float
    duration_s: float
    loss_ratio: float
    disturbed: bool = False


@dataclass(frozen=True)
class RateBounds:
    """Relevant bounds in items/s, or None. `irregular`: loads below a good one, or all loads, are bad."""

    lower: float | None
    upper: float | None
    trials: Sequence[Trial]
    irregular: bool
    out_of_time: bool = False


def classified(trials: Sequence[Trial], goal: Goal) -> str:
    """Classify a load by its trials: a bound if more trials could not change the verdict.

    Short trials count only if more of them are bad than the exceed ratio allows.
    """
    def seconds(full: bool, bad: bool) -> float:
        return math.fsum(it.duration_s for it in trials if (it.duration_s >= goal.final_trial_s) == full
                         and (it.loss_ratio > goal.loss_ratio) == bad)

    good, bad, short_good, short_bad = (seconds(full, bad) for full in (True, False) for bad in (False, True))
    excess = max(0.0, short_bad - short_good * goal.exceed_ratio / (1.0 - goal.exceed_ratio))
    bad += excess
    whole = max(good + bad, goal.duration_sum_s)
    allowed = whole * goal.exceed_ratio
    # The missing trials may all be good or all be bad.
    if bad > allowed:
        return UPPER
    return LOWER if whole - good <= allowed else UNDECIDED


@dataclass
class Search:
    """Search for the bounds. `measure(load, seconds)` runs a trial; loads stay between `least` and `most`."""

    measure: Callable[[float, float], Trial]
    goal: Goal
    most: float
    least: float
    first: float
    has_time: Callable[[float], bool] = lambda seconds: True
    trials: list[Trial] = field(default_factory=list)
    out_of_time: bool = False

    def run(self) -> RateBounds:
        """Search through ever narrower goals. Each goal begins at the bounds of the one before."""
        near, last = [self.first], self.goal
        earlier = [Goal(last.loss_ratio, seconds, seconds, last.exceed_ratio, last.width * width)
                   for share, width in EARLIER for seconds in [last.final_trial_s * share]]
        for goal in (*earlier, last):
            if not self._narrow(goal, near):
                self.out_of_time = True
                break
            lower, upper = self.bounds(goal)
            near = [load for load in (lower, upper) if load is not None]
        return self.answer()

    def bounds(self, goal: Goal) -> tuple[float | None, float | None]:
        """Return the largest lower bound below the smallest upper bound, and that upper bound."""
        of = {load: self.verdict(load, goal) for load in {trial.load for trial in self.trials}}
        upper = min((load for load, verdict in of.items() if verdict == UPPER), default=None)
        lower = max((load for load, verdict in of.items() if verdict == LOWER and (upper is None or load < upper)),
                    default=None)
        return lower, upper

    def verdict(self, load: float, goal: Goal) -> str:
        """Return the verdict of a load's trials."""
        return classified([trial for trial in self.trials if trial.load == load], goal)

    def _narrow(self, goal: Goal, near: Sequence[float]) -> bool:
        """Narrow the bounds to the goal's width. Returns False if the time runs out first."""
        todo, steps = list(near), 0
        while True:
            load: float | None
            if todo:
                load = todo.pop(0)
            else:
                lower, upper = self.bounds(goal)
                load = self._next(lower, upper, goal, steps)
                if load is None:
                    return True
                steps = steps + 1 if lower is None or upper is None else 0
            while self.verdict(load, goal) == UNDECIDED:
                if not self.has_time(goal.final_trial_s):
                    return False
                self.trials.append(self.measure(load, goal.final_trial_s))

    def _next(self, lower: float | None, upper: float | None, goal: Goal, steps: int) -> float | None:
        factor = EXPANSION ** (2 ** min(steps, 5))
        if lower is None:
            below = self.most if upper is None else max(self.least, _plain(upper / factor))
            return below if upper is None or below < upper else None
        if upper is None:
            return min(self.most, _plain(lower * factor)) if lower < self.most else None
        return _plain(math.sqrt(lower * upper)) if upper - lower > goal.width * upper else None

    def answer(self) -> RateBounds:
        """Return the answer of all trials so far."""
        lower, upper = self.bounds(self.goal)
        loads = {trial.load for trial in self.trials}
        good_above = any(self.verdict(load, self.goal) == LOWER for load in loads if upper is not None and load > upper)
        irregular = lower is None and upper is not None and not self.out_of_time or good_above
        return RateBounds(lower, upper, tuple(self.trials), irregular, self.out_of_time)


def _plain(load: float) -> float:
    """Round a load, so that different ways to compute it give the same value."""
    return float(f"{load:.4g}")
