"""What a search chooses from, and what was measured of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from weir.read.comparing.metrics import median
from weir.sure import sure

THROUGHPUT, P99 = "throughput", "p99"
GOALS = (THROUGHPUT, P99)
#: The fault of a candidate whose building was given up at the end of the time.
GIVEN_UP = "not built in time"
#: Where a candidate is from: the project's own deployments, the choices of placement and workers, a cut beside that of
#: `auto`, other sizes of chunks and rings.
PROJECT, CHOICE, CUT, SIZES = "project", "choice", "cut", "sizes"


@dataclass(frozen=True)
class Candidate:
    """A deployment that could be measured. `name`: of it among all of the search; `entry`: as a project has it.

    `auto`: blocks lie where that placement has them, whoever wrote it. `predicted`: items/s, by costs alone;
    `waiting_items`: that may lie in its buffers. `first`: measured before any ranking counts. `crosses`: items go from
    worker to worker.
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
        """What is off by the same factor from what is predicted, by and large."""
        return self.scheduler, self.wait

    @property
    def kinds(self) -> tuple[tuple[object, ...], ...]:
        """The same, from the narrowest on. Who hands nothing over does not wait for anybody."""
        return (self.scheduler, self.wait, self.workers), (self.scheduler, self.workers), (self.crosses,), ()

    @property
    def latency_guess(self) -> float:
        """To rank by, and no prediction: seconds in which what may lie in its buffers comes out."""
        return self.waiting_items / max(self.predicted, 1e-9)


@dataclass(frozen=True)
class Outcome:
    """Of one run. `fault`: why its figures do not count; `wall_s`: all that it took, `elapsed_s`: the run itself."""

    items_per_s: float | None = None
    latency: Mapping[str, float | None] | None = None
    kept_up: bool | None = None
    fault: str = ""
    wall_s: float = 0.0
    disturbed: bool = False


@dataclass
class Trial:
    """A candidate that was built, or was to be. `fault`: why it does not count any more."""

    candidate: Candidate
    outcomes: list[Outcome] = field(default_factory=list)
    fault: str = ""

    @property
    def good(self) -> list[Outcome]:
        """The outcomes that ended well."""
        return [] if self.fault else [one for one in self.outcomes if not one.fault and one.items_per_s]

    @property
    def rates(self) -> list[float]:
        """Their rates, items/s."""
        return [one.items_per_s for one in self.good if one.items_per_s]

    @property
    def items_per_s(self) -> float | None:
        """The median rate; None where nothing ended well."""
        return median(self.rates)

    def latency(self, name: str) -> float | None:
        """The median of a percentile over the runs that have it."""
        return median((one.latency or {}).get(name) for one in self.good)

    @property
    def kept_up(self) -> bool | None:
        """False where any run did not; None: nothing was paced."""
        told = [one.kept_up for one in self.good if one.kept_up is not None]
        return all(told) if told else None

    @property
    def wall_s(self) -> float:
        """That another run takes."""
        return max((one.wall_s for one in self.outcomes[-2:]), default=0.0)

    def value(self, goal: str) -> float | None:
        """More is better; None where it does not count for this goal."""
        if self.kept_up is False or self.items_per_s is None:
            return None
        if goal == THROUGHPUT:
            return self.items_per_s
        p99 = self.latency("p99_ns")
        return None if p99 is None else -p99


def best_of(trials: Sequence[Trial], goal: str) -> Trial | None:
    """The first of equal ones."""
    known = [trial for trial in trials if trial.value(goal) is not None]
    return max(known, key=lambda trial: sure(trial.value(goal))) if known else None


def front(trials: Sequence[Trial]) -> list[Trial]:
    """Those that no other one beats in both throughput and p99, the fastest first. Where latencies are not known: the
    fastest alone.
    """
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
    """Items/s: by its costs, times what the most alike of the others that were measured reached of theirs."""
    others = [trial for trial in trials if trial.items_per_s and trial.candidate.name != one.name]
    for depth, kind in enumerate(one.kinds):
        alike = [sure(trial.items_per_s) / max(trial.candidate.predicted, 1e-9) for trial in others
                 if trial.candidate.kinds[depth] == kind]
        if alike:
            return one.predicted * sure(median(alike))
    return one.predicted


def prediction_error(trials: Sequence[Trial]) -> float | None:
    """The median of |expected / measured - 1|: of each by the others, so that it says how far one that was not measured
    can be trusted.
    """
    return median(abs(expected(trial.candidate, trials) / trial.items_per_s - 1) for trial in trials
                  if trial.items_per_s)
