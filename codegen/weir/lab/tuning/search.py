"""Schedule of a search: which candidates to build and measure when. The time begins with the first measurement.

The search builds candidates in waves and runs each once. The first wave has all mandatory candidates, before the time
starts. Each later wave has as many candidates as build in parallel. They are, in turns, the most promising one of all,
and the most promising one of a scheduler without a trial. The promise of a candidate is its prediction, times the ratio
of measured to predicted values of its kind (scheduler, and way to wait); without a trial of the kind, the best ratio of
its scheduler, or of all. Waves end when the next one would use time that is reserved for repetitions, or when no
remaining candidate could come near the best.

Then successive halving divides the time among rungs. In each rung, all remaining candidates run in turns, and the
better half goes on; the worse half has shorter runs. The first `auto`, the best `auto`, and the best one for the other
goal always go on. The search starts nothing that would not end in time, judging by earlier times.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from weir.lab.tuning.candidate import GIVEN_UP, GOALS, THROUGHPUT, Candidate, Outcome, Trial, best_of
from weir.read.comparing.statistics import MIN_ROUNDS
from weir.sure import sure

#: Seconds of a first run and of runs in the worse half, and seconds of all other runs.
LOOK_S, RUN_S = 0.25, 0.5
#: Share of the budget that is reserved for repetitions.
RESERVE = 0.25
#: Initial estimates: seconds of a build, and seconds to start, verify and read a run.
BUILD_S, AROUND_S = 10.0, 0.5
#: Margin of estimated times.
MARGIN = 1.2
#: Candidates with an expected value below this share of the best are not built.
NEAR = 0.4
#: Candidates in the last rung, and maximum number of runs.
FINALISTS, MOST_RUNS = 3, 24


class Measurer(Protocol):
    """Builder and runner of candidates."""

    @property
    def side_by_side(self) -> int:
        """Return the number of parallel builds."""

    def build(self, candidates: Sequence[Candidate]) -> tuple[dict[str, str], bool]:
        """Build candidates. Returns (name -> fault, whether anything was compiled)."""

    def run(self, wanted: Sequence[tuple[Trial, float]], done: Callable[[Trial, Outcome], None]) -> None:
        """Run each trial once for about its seconds, in any order. KeyboardInterrupt ends it."""


@dataclass
class Search:
    """Search within a budget. `budget_s`: from the first measurement on; `end`: deadline by `clock`, for `begins`.

    `built`: names of candidates that are built already; `compile_s`: seconds of an earlier build, or None; `say`:
    receiver of (phase, done, total).
    """

    candidates: Sequence[Candidate]
    goal: str
    budget_s: float
    measurer: Measurer
    clock: Callable[[], float]
    say: Callable[[str, int, int | None], None] = lambda what, done, total: None
    built: frozenset[str] = frozenset()
    compile_s: float | None = None
    trials: dict[str, Trial] = field(default_factory=dict)
    finalists: list[Trial] = field(default_factory=list)
    interrupted: bool = False
    begins: Callable[[float], None] = lambda end: None
    end: float = math.inf
    _looks_s: list[float] = field(default_factory=list)
    _waves: int = 0

    def go(self) -> None:
        """Search until the budget is spent or the user interrupts."""
        try:
            self._look()
            self.finalists = [trial for trial in self.trials.values() if trial.rates]
            self._halve()
        except KeyboardInterrupt:
            self.interrupted = True
            self.finalists = self.finalists or [trial for trial in self.trials.values() if trial.rates]

    # --- looking

    def _look(self) -> None:
        while wave := self._wave():
            # Mandatory candidates are built even if there is hardly time to repeat them.
            wanted = all(not one.first for one in wave) and any(trial.rates for trial in self.trials.values())
            reserve = RESERVE * self.budget_s if wanted else 0.0
            if self.clock() + self._wave_s(wave) > self.end - reserve:
                return
            self.say("building", len(self.trials), None)
            begun = self.clock()
            faults, compiled = self.measurer.build(wave)
            if compiled:
                self.compile_s = self.clock() - begun
            self._waves += 1
            looked = [Trial(one, fault=faults.get(one.name, "")) for one in wave if faults.get(one.name) != GIVEN_UP]
            self.trials.update((trial.candidate.name, trial) for trial in looked)
            if self.clock() < self.end:
                self._run([(trial, LOOK_S) for trial in looked if not trial.fault], "looking")
            self._looks_s += [trial.wall_s for trial in looked if trial.outcomes]
            if len(looked) < len(wave):
                return

    @property
    def left(self) -> int:
        """Return the number of candidates left: the finalists or, before there are any, the hopeful ones."""
        return len(self.finalists) or len(self.hopeful())

    def _wave_s(self, wave: Sequence[Candidate]) -> float:
        compile_s = BUILD_S if self.compile_s is None else MARGIN * self.compile_s
        look_s = MARGIN * max(self._looks_s, default=LOOK_S + AROUND_S)
        return compile_s * any(one.name not in self.built for one in wave) + len(wave) * look_s

    def _wave(self) -> list[Candidate]:
        """Return the candidates to build next."""
        left = [one for one in self.candidates if one.name not in self.trials]
        if must := [one for one in left if one.first or one.name in self.built]:
            return must
        wave: list[Candidate] = []
        hopeful = sorted(self.hopeful(), key=lambda one: (-self._promise(one), one.name))
        while hopeful and len(wave) < self.measurer.side_by_side:
            seen = {t.candidate.scheduler for t in self.trials.values()} | {one.scheduler for one in wave}
            new = [one for one in hopeful if one.scheduler not in seen]
            exploring = new and (self._waves + len(wave)) % 2 == 1
            wave.append(new[0] if exploring else hopeful[0])
            hopeful.remove(wave[-1])
        return wave

    def hopeful(self) -> list[Candidate]:
        """Return unbuilt candidates that may come near the best. For latency, these are all: it has no prediction."""
        left = [one for one in self.candidates if one.name not in self.trials]
        if self.goal != THROUGHPUT:
            return left
        best = best_of(list(self.trials.values()), self.goal)
        reach = [self._promise(one) for one in left]
        if best is not None:
            reach.append(sure(best.value(self.goal)))
        return [one for one in left if self._promise(one) >= NEAR * max(reach)]

    def _promise(self, one: Candidate) -> float:
        """Return the expected value, where more is better: items/s, or 1/ns."""
        guess = one.predicted if self.goal == THROUGHPUT else 1e-9 / one.latency_guess
        return guess * self._correction(one.kind)

    def _correction(self, kind: tuple[str, str]) -> float:
        """Return the ratio of measured to expected values for a kind."""
        ratios: dict[tuple[str, str], list[float]] = {}
        for trial in self.trials.values():
            value = trial.value(self.goal)
            if value is not None:
                of = trial.candidate
                reached = (value / max(of.predicted, 1e-9) if self.goal == THROUGHPUT else
                           1e9 * of.latency_guess / -value)
                ratios.setdefault(of.kind, []).append(reached)
        if kind in ratios:
            return statistics.median(ratios[kind])
        best = {of: max(reached) for of, reached in ratios.items()}
        alike = [ratio for (scheduler, _), ratio in best.items() if scheduler == kind[0]]
        return max(alike or best.values(), default=1.0)

    # --- repeating

    def _halve(self) -> None:
        alive = self._ranked([trial for trial in self.finalists if trial.value(self.goal) is not None])
        while alive:
            self.finalists = alive
            rungs = 1 + max(0, math.ceil(math.log2(len(alive) / FINALISTS)))
            share = (self.end - self.clock()) / rungs
            if not self._rung(alive, self.clock() + share) or len(alive) <= FINALISTS:
                return
            alive = self._ranked(alive)
            kept = alive[:max(FINALISTS, math.ceil(len(alive) / 2))]
            autos = [trial for trial in alive if trial.candidate.auto]
            others = [*(trial for trial in autos if trial.candidate.first), best_of(autos, self.goal),
                      *(best_of(alive, goal) for goal in GOALS)]
            kept += [trial for trial in others if trial is not None and all(trial is not one for one in kept)]
            if len(kept) == len(alive):
                self._rung(alive, self.end)
                return
            alive = kept

    def _rung(self, alive: Sequence[Trial], until: float) -> int:
        """Run rounds until `until`, and return their number: at least one if there is any time left."""
        rounds = 0
        # A single candidate needs no comparison: enough rounds for an interval suffice.
        enough = MOST_RUNS if len(alive) > 1 else MIN_ROUNDS
        while max(len(trial.outcomes) for trial in alive) < enough:
            half = math.ceil(len(alive) / 2) if len(alive) > FINALISTS else len(alive)
            ranked = self._ranked(alive)
            took = {id(trial): trial.wall_s for trial in alive}
            wanted = [(trial, RUN_S if place < half else LOOK_S) for place, trial in enumerate(ranked)]
            need = sum(MARGIN * max(took[id(trial)] + (seconds - LOOK_S) * (len(trial.outcomes) < 2), 0.01)
                       for trial, seconds in wanted)
            if self.clock() + need > (self.end if rounds == 0 else min(until, self.end)):
                return rounds
            self._run(wanted, "measuring")
            rounds += 1
            alive = [trial for trial in alive if not trial.fault]
            if not alive:
                return rounds
        return rounds

    def _ranked(self, trials: Sequence[Trial]) -> list[Trial]:
        known = [trial for trial in trials if trial.value(self.goal) is not None]
        return sorted(known, key=lambda trial: (-sure(trial.value(self.goal)), trial.candidate.name))

    def _run(self, wanted: Sequence[tuple[Trial, float]], what: str) -> None:
        finished = 0

        def done(trial: Trial, outcome: Outcome) -> None:
            nonlocal finished
            finished += 1
            trial.outcomes.append(outcome)
            trial.fault = trial.fault or outcome.fault
            self.say(what, finished, len(wanted))

        if wanted and self.end == math.inf:
            self.end = self.clock() + self.budget_s
            self.begins(self.end)
        self.say(what, 0, len(wanted))
        if wanted:
            self.measurer.run(wanted, done)
