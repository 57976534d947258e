"""The search for a sustainable rate, as MLRsearch does it for packet forwarding (IETF BMWG, draft-ietf-bmwg-mlrsearch).

A load is offered in trials. A trial's loss ratio is the share of what was offered that came later than allowed, or not
at all: a flowgraph holds its sources up and loses nothing, so what is late counts as lost. Trials may be spoilt by
others on the machine; therefore several of them decide about a load, and a share of them (`exceed_ratio`) may be worse
than the goal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

LOWER, UPPER, UNDECIDED = "lower bound", "upper bound", "undecided"
#: What the narrowing goals before the last one have: shorter trials, and a wider answer.
EARLIER = ((1 / 4, 8.0), (1 / 2, 3.0))
#: Without a bound on one side the load is changed by this factor, and by its square the next time, and so on.
EXPANSION = 2.0


@dataclass(frozen=True)
class Goal:
    """`loss_ratio` of a good trial, at most; `final_trial_s`: of a trial that counts in full; `duration_sum_s`: of full
    trials that decide about a load; `exceed_ratio`: the share of them that may be worse; `width`: of the answer, as a
    share of its upper bound.
    """

    loss_ratio: float = 0.0
    final_trial_s: float = 1.0
    duration_sum_s: float = 5.0
    exceed_ratio: float = 0.5
    width: float = 0.05


@dataclass(frozen=True)
class Trial:
    """`load` in items/s; `disturbed`: others on the machine had more of it than a run bears."""

    load: float
    duration_s: float
    loss_ratio: float
    disturbed: bool = False


@dataclass(frozen=True)
class Answer:
    """Relevant bounds in items/s, None where there is none. `irregular`: loads below a good one, or all, are not."""

    lower: float | None
    upper: float | None
    trials: Sequence[Trial]
    irregular: bool
    out_of_time: bool = False


def classified(trials: Sequence[Trial], goal: Goal) -> str:
    """What the trials of one load say of it: a bound where more trials could not turn it round.

    Short trials count only as far as more of them are bad than the exceed ratio lets be.
    """
    def seconds(full: bool, bad: bool) -> float:
        return math.fsum(it.duration_s for it in trials if (it.duration_s >= goal.final_trial_s) == full
                         and (it.loss_ratio > goal.loss_ratio) == bad)

    good, bad, short_good, short_bad = (seconds(full, bad) for full in (True, False) for bad in (False, True))
    excess = max(0.0, short_bad - short_good * goal.exceed_ratio / (1.0 - goal.exceed_ratio))
    bad += excess
    whole = max(good + bad, goal.duration_sum_s)
    allowed = whole * goal.exceed_ratio
    # Of what is not yet measured nobody knows anything: it may be all good, or all bad.
    if bad > allowed:
        return UPPER
    return LOWER if whole - good <= allowed else UNDECIDED


@dataclass
class Search:
    """`measure`: a trial of a load, for so many seconds. `most`: no load above it is offered; `least`: none below."""

    measure: Callable[[float, float], Trial]
    goal: Goal
    most: float
    least: float
    first: float
    has_time: Callable[[float], bool] = lambda seconds: True
    trials: list[Trial] = field(default_factory=list)
    out_of_time: bool = False

    def run(self) -> Answer:
        """Through goals that get narrower: what the earlier ones found is where the later ones begin."""
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
        """The smallest upper bound, and the largest lower bound below it."""
        of = {load: self.verdict(load, goal) for load in {trial.load for trial in self.trials}}
        upper = min((load for load, verdict in of.items() if verdict == UPPER), default=None)
        lower = max((load for load, verdict in of.items() if verdict == LOWER and (upper is None or load < upper)),
                    default=None)
        return lower, upper

    def verdict(self, load: float, goal: Goal) -> str:
        """What the trials of a load say of it."""
        return classified([trial for trial in self.trials if trial.load == load], goal)

    def _narrow(self, goal: Goal, near: Sequence[float]) -> bool:
        """Until the bounds are as near as the goal wants them; False where the time is over before."""
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

    def answer(self) -> Answer:
        """What the trials until now come to."""
        lower, upper = self.bounds(self.goal)
        loads = {trial.load for trial in self.trials}
        good_above = any(self.verdict(load, self.goal) == LOWER for load in loads if upper is not None and load > upper)
        irregular = lower is None and upper is not None and not self.out_of_time or good_above
        return Answer(lower, upper, tuple(self.trials), irregular, self.out_of_time)


def _plain(load: float) -> float:
    """In few digits, so that a load which is come to on several ways is one."""
    return float(f"{load:.4g}")
