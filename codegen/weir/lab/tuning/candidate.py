"""Candidates of a search, and their measurements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from weir.read.comparing.metrics import median
from weir.sure import sure

THROUGHPUT, P99 = "throughput", "p99"
GOALS = (THROUGHPUT, P99)
#: Fault of a candidate whose build was aborted at the end of the time.
GIVEN_UP = "not built in time"
#: Origin of a candidate: the project's deployments, choices of placement and workers, a variation of the cut of `auto`,
#: other sizes of chunks and rings.
PROJECT, CHOICE, CUT, SIZES = "project", "choice", "cut", "sizes"


@dataclass(frozen=True)
class Candidate:
    """Deployment that could be measured. `name`: unique in the search; `entry`: its entry in a project.

    `auto`: its placement equals that of `auto`; `predicted`: items/s by costs alone; `waiting_items`: capacity of its
    buffers; `first`: measured before the ranking; `crosses`: items move between workers.
    """

    name: str
    scheduler: str
    origin: str
    predicted: float
    waiting_items: float = 1.0
    entry: Mapping[str, Any] = field(default_factory=dict)
    first: bool = False
    auto: bool = False
    wait: str = ""
    workers: int = 1
    crosses: bool = False

    @property
    def kind(self) -> tuple[str, str]:
        """Return the kind: candidates of a kind have about the same prediction error."""
        return self.scheduler, self.wait

    @property
    def kinds(self) -> tuple[tuple[object, ...], ...]:
        """Return the kinds from the narrowest on. Without items between workers, waiting does not matter."""
        return (self.scheduler, self.wait, self.workers), (self.scheduler, self.workers), (self.crosses,), ()

    @property
    def latency_guess(self) -> float:
        """Return the seconds to drain full buffers. This ranks candidates and is no prediction."""
        return self.waiting_items / max(self.predicted, 1e-9)


@dataclass(frozen=True)
class Outcome:
    """Outcome of one run. `fault`: reason why it does not count, or ""; `wall_s`: seconds with its overhead."""

    items_per_s: float | None = None
    latency: Mapping[str, float | None] | None = None
    kept_up: bool | None = None
    fault: str = ""
    wall_s: float = 0.0
    disturbed: bool = False


@dataclass
class Trial:
    """Trial of a candidate. `fault`: reason why it no longer counts, or ""."""

    candidate: Candidate
    outcomes: list[Outcome] = field(default_factory=list)
    fault: str = ""

    @property
    def good(self) -> list[Outcome]:
        """Return the outcomes without a fault."""
        return [] if self.fault else [one for one in self.outcomes if not one.fault and one.items_per_s]

    @property
    def rates(self) -> list[float]:
        """Return the rates of the good outcomes, in items/s."""
        return [one.items_per_s for one in self.good if one.items_per_s]

    @property
    def items_per_s(self) -> float | None:
        """Return the median rate, None without a good outcome."""
        return median(self.rates)

    def latency(self, name: str) -> float | None:
        """Return the median of a percentile over the runs that have it."""
        return median((one.latency or {}).get(name) for one in self.good)

    @property
    def kept_up(self) -> bool | None:
        """Return whether all runs kept up with paced sources, None without paced sources."""
        answers = [one.kept_up for one in self.good if one.kept_up is not None]
        return all(answers) if answers else None

    @property
    def wall_s(self) -> float:
        """Return the estimated seconds of another run."""
        return max((one.wall_s for one in self.outcomes[-2:]), default=0.0)

    def value(self, goal: str) -> float | None:
        """Return the value for a goal, where more is better; None if it does not count."""
        if self.kept_up is False or self.items_per_s is None:
            return None
        if goal == THROUGHPUT:
            return self.items_per_s
        p99 = self.latency("p99_ns")
        return None if p99 is None else -p99


def best_of(trials: Sequence[Trial], goal: str) -> Trial | None:
    """Return the best trial for a goal, the first of equal ones."""
    known = [trial for trial in trials if trial.value(goal) is not None]
    return max(known, key=lambda trial: sure(trial.value(goal))) if known else None


def front(trials: Sequence[Trial]) -> list[Trial]:
    """Return the Pareto front of throughput and p99, the fastest first. Without latencies, return only the fastest."""
    both = [trial for trial in trials if trial.value(THROUGHPUT) is not None and trial.value(P99) is not None]
    if not both:
        fastest = best_of(trials, THROUGHPUT)
        return [fastest] if fastest else []
    found: list[Trial] = []
    for trial in sorted(both, key=lambda t: (-sure(t.value(THROUGHPUT)), -sure(t.value(P99)))):
        if not found or sure(trial.value(P99)) > sure(found[-1].value(P99)):
            found.append(trial)
    return found


def expected(one: Candidate, trials: Sequence[Trial]) -> float:
    """Return the expected items/s: the prediction by costs, corrected by the most similar measured candidates."""
    others = [trial for trial in trials if trial.items_per_s and trial.candidate.name != one.name]
    for depth, kind in enumerate(one.kinds):
        alike = [sure(trial.items_per_s) / max(trial.candidate.predicted, 1e-9) for trial in others
                 if trial.candidate.kinds[depth] == kind]
        if alike:
            return one.predicted * sure(median(alike))
    return one.predicted


def prediction_error(trials: Sequence[Trial]) -> float | None:
    """Return the median of |expected / measured - 1|. The other trials predict each trial, so this estimates the error
    for a candidate without a trial.
    """
    return median(abs(expected(trial.candidate, trials) / trial.items_per_s - 1) for trial in trials
                  if trial.items_per_s)
