"""Test the search of `weir tune` with a simulated measurer, whose time is counted and whose rates are known."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest
from weir.lab.tuning import search as module
from weir.lab.tuning.candidate import (
    GIVEN_UP,
    P99,
    PROJECT,
    THROUGHPUT,
    Candidate,
    Outcome,
    Trial,
    best_of,
    expected,
    front,
    prediction_error,
)
from weir.lab.tuning.search import FINALISTS, MOST_RUNS, Search


class World:
    """Simulated measurer.

    `true`: items/s that a candidate reaches; `p99`: ns. Building takes `build_s` per wave; a run takes its time plus
    half a second.
    """

    side_by_side = 2

    def __init__(self, true: dict[str, float], p99: dict[str, float] | None = None, build_s: float = 5.0,
                 noise: float = 0.0, interrupt_after: int = 10**9, broken: Sequence[str] = (),
                 slow: Sequence[str] = ()):
        self.true, self.p99, self.build_s, self.noise = true, p99 or {}, build_s, noise
        self.interrupt_after, self.broken, self.slow = interrupt_after, set(broken), set(slow)
        self.now, self.built, self.runs = 0.0, [], []
        self._dice = random.Random(1)

    def clock(self) -> float:
        return self.now

    def build(self, candidates: Sequence[Candidate]) -> tuple[dict[str, str], bool]:
        names = [one.name for one in candidates]
        self.built.append(names)
        self.now += self.build_s
        return {name: "does not build" for name in names if name in self.broken}, True

    def run(self, wanted: Sequence[tuple[Trial, float]], done: Callable[[Trial, Outcome], None]) -> None:
        for trial, seconds in wanted:
            if len(self.runs) >= self.interrupt_after:
                raise KeyboardInterrupt
            name = trial.candidate.name
            self.runs.append((name, seconds))
            self.now += seconds + 0.5
            p99 = self.p99.get(name)
            rate = self.true[name] * (1 + self.noise * self._dice.uniform(-1, 1))
            done(trial, Outcome(rate, {"p50_ns": p99, "p95_ns": p99, "p99_ns": p99} if p99 else None,
                                False if name in self.slow else None, "", seconds + 0.5))


def candidates(predicted: dict[str, float], **more) -> list[Candidate]:
    """Return candidates, named after their scheduler, as in `flow-3`. The first is `auto`, and is required."""
    return [Candidate(name, name.partition("-")[0], "choice", rate, waiting_items=more.get(name, 100.0),
                      first=not at, auto=not at) for at, (name, rate) in enumerate(predicted.items())]


def searched(predicted: dict[str, float], world: World, budget: float = 60.0, goal: str = THROUGHPUT, **more) -> Search:
    it = Search(candidates(predicted), goal, budget, world, world.clock, **more)
    it.go()
    return it


MANY = {f"{scheduler}-{n}": 100.0 - 3 * n - 10 * s for s, scheduler in enumerate(("flow", "pool", "static"))
        for n in range(8)}


@pytest.mark.parametrize("budget", [8.0, 20.0, 60.0, 300.0])
@pytest.mark.parametrize("seed", range(5))
def test_it_never_works_longer_than_it_may(budget: float, seed: int) -> None:
    dice = random.Random(seed)
    world = World({name: dice.uniform(10, 200) for name in MANY}, build_s=dice.uniform(0.5, 6), noise=0.1)
    it = Search(candidates(MANY), THROUGHPUT, budget, world, world.clock, compile_s=world.build_s)
    it.go()
    assert it.end == world.build_s + budget  # only required candidates were built before
    assert it.trials and world.now <= it.end


def test_it_says_how_many_are_left() -> None:
    world = World({name: rate for name, rate in MANY.items()})
    told: list[tuple[str, int]] = []
    it = Search(candidates(MANY), THROUGHPUT, 120.0, world, world.clock,
                lambda what, done, total: told.append((what, it.left)))
    it.go()
    looking = [left for what, left in told if what == "looking"]
    measuring = [left for what, left in told if what == "measuring"]
    assert looking == sorted(looking, reverse=True) and looking[0] == len(MANY) - len(world.built[0])
    assert measuring == sorted(measuring, reverse=True) and measuring[-1] == len(it.finalists) == FINALISTS


def test_the_same_world_is_searched_in_the_same_way() -> None:
    made = [World({name: rate * 0.7 for name, rate in MANY.items()}, noise=0.2) for _ in range(2)]
    found = [searched(MANY, world) for world in made]
    assert made[0].built == made[1].built and made[0].runs == made[1].runs
    assert [t.candidate.name for t in found[0].finalists] == [t.candidate.name for t in found[1].finalists]


def test_auto_is_first_and_stays_to_the_end_and_nothing_chosen_is_worse() -> None:
    true = {name: 100.0 + at for at, name in enumerate(MANY)}  # the candidate of `auto` is the slowest
    it = searched(MANY, world := World(true, build_s=2.0, noise=0.02))
    assert "flow-0" in world.built[0] and any(t.candidate.auto for t in it.finalists)
    auto, best = it.trials["flow-0"], best_of(it.finalists, THROUGHPUT)
    assert best.items_per_s >= auto.items_per_s and len(auto.rates) == len(best.rates)


def test_of_several_autos_the_first_one_and_the_best_one_stay() -> None:
    some = [Candidate(f"flow-{n}", "flow", "choice", 100.0, first=not n, auto=n < 4) for n in range(16)]
    world = World({one.name: 50.0 + n for n, one in enumerate(some)}, build_s=0.5)
    it = Search(some, THROUGHPUT, 120.0, world, world.clock)
    it.go()
    names = {trial.candidate.name for trial in it.finalists}
    assert {"flow-0", "flow-3", "flow-15"} <= names and not {"flow-1", "flow-2"} & names


def test_a_candidate_that_falls_behind_is_repeated_less() -> None:
    it = searched(MANY, world := World(dict(MANY), build_s=2.0, noise=0.01), 90.0)
    counts = {name: len(trial.rates) for name, trial in it.trials.items()}
    assert max(counts, key=counts.get) in {t.candidate.name for t in it.finalists}
    assert len(counts) > FINALISTS and min(counts.values()) < max(counts.values()) <= MOST_RUNS
    last = {name for name, _ in world.runs[-len(it.finalists):]}
    assert last == {t.candidate.name for t in it.finalists}
    shorter = {name for name, seconds in world.runs if seconds < module.RUN_S}
    assert shorter >= set(counts)  # each was tried


def test_each_scheduler_is_tried_before_one_of_them_is_tried_to_the_end() -> None:
    world = World(dict(MANY), build_s=3.0)
    it = searched(MANY, world)
    first = [name for wave in world.built[:3] for name in wave]
    assert {name.partition("-")[0] for name in first} == {"flow", "pool", "static"} and len(it.trials) >= 4


def test_a_scheduler_that_misses_its_prediction_is_abandoned() -> None:
    """Predict that `pool` is the best; it reaches a tenth of that."""
    predicted = {"flow-0": 50.0, **{f"pool-{n}": 100.0 - n for n in range(10)},
                 **{f"flow-{n}": 49.0 for n in (1, 2, 3)}}
    true = {name: rate / 10 if name.startswith("pool") else rate for name, rate in predicted.items()}
    it = searched(predicted, World(true, build_s=3.0), 120.0)
    tried = [name for name in it.trials if name.startswith("pool")]
    assert len(tried) <= 2 and {"flow-1", "flow-2", "flow-3"} <= set(it.trials)
    assert all(one.name.startswith("pool") for one in it.candidates if one.name not in it.trials)
    assert it.hopeful() == []


def test_required_candidates_are_measured_however_long_they_build() -> None:
    told: list[float] = []
    it = searched(MANY, world := World(dict(MANY), build_s=90.0), begins=told.append, built=frozenset({"static-7"}))
    assert world.built == [["flow-0", "static-7"]] and told == [it.end] == [150.0]
    assert len(it.trials["flow-0"].rates) > 1 and {t.candidate.name for t in it.finalists} == {"flow-0", "static-7"}


def test_candidates_that_are_built_come_first() -> None:
    searched(MANY, world := World(dict(MANY), build_s=3.0), built=frozenset({"static-7"}))
    assert world.built[0] == ["flow-0", "static-7"] and {name for name, _ in world.runs[:2]} == set(world.built[0])


def test_candidates_that_do_not_build_or_run_do_not_count() -> None:
    it = searched(MANY, World(dict(MANY), broken=["flow-0"]))
    assert it.trials["flow-0"].fault == "does not build" and not it.trials["flow-0"].rates
    assert best_of(it.finalists, THROUGHPUT) is not None
    assert all(t.candidate.name != "flow-0" for t in it.finalists)

    class Wrong(World):
        def run(self, wanted, done):
            super().run(wanted, lambda trial, outcome: done(trial, Outcome(fault="a wrong answer", wall_s=0.8)
                                                            if trial.candidate.name == "pool-0" else outcome))

    it = searched(MANY, Wrong(dict(MANY)))
    assert it.trials["pool-0"].fault == "a wrong answer" and it.trials["pool-0"].items_per_s is None
    assert best_of(list(it.trials.values()), THROUGHPUT).candidate.name == "flow-0"


def test_candidates_not_built_in_time_are_left_out() -> None:
    class Slow(World):
        def build(self, candidates):
            faults, compiled = super().build(candidates)
            if len(self.built) < 3:
                return faults, compiled
            self.now = 70.0
            return {candidates[-1].name: GIVEN_UP}, compiled

    it = searched(MANY, world := Slow(dict(MANY), build_s=3.0))
    assert len(world.built) == 3 and world.built[2][-1] not in it.trials and world.built[2][0] in it.trials
    assert it.trials[world.built[2][0]].outcomes == [] and best_of(it.finalists, THROUGHPUT) is not None


@pytest.mark.parametrize("after", [0, 1, 3, 12])
def test_an_interrupt_keeps_the_measurements(after: int) -> None:
    it = searched(MANY, World(dict(MANY), interrupt_after=after))
    assert it.interrupted and sum(len(t.outcomes) for t in it.trials.values()) == after
    assert (best_of(it.finalists, THROUGHPUT) is None) == (after == 0)


def test_for_latency_the_lowest_p99_that_keeps_up_is_chosen() -> None:
    p99 = {name: 1000.0 + 10 * at for at, name in enumerate(MANY)}
    slow = ["flow-0"]
    it = searched(MANY, World(dict(MANY), p99, build_s=2.0, slow=slow), goal=P99)
    best = best_of(it.finalists, P99)
    assert best.candidate.name != "flow-0" and it.trials["flow-0"].value(P99) is None
    assert best.latency("p99_ns") == min(t.latency("p99_ns") for n, t in it.trials.items() if n not in slow)


def test_for_latency_nothing_is_left_out_by_prediction() -> None:
    p99 = {name: 1e9 if name != "flow-0" else 1.0 for name in MANY}
    it = searched(MANY, World(dict(MANY), p99, build_s=20.0), goal=P99)
    assert {one.name for one in it.hopeful()} == set(MANY) - set(it.trials)


def test_the_best_one_for_the_other_goal_is_repeated_to_the_end_too() -> None:
    p99 = {name: 1000.0 for name in MANY} | {"static-0": 10.0}
    it = searched(MANY, World(dict(MANY), p99, build_s=2.0), 90.0)
    assert best_of(it.finalists, P99).candidate.name == "static-0"


def trial(name: str, rate: float | None, p99: float | None, **more) -> Trial:
    outcome = Outcome(rate, {"p99_ns": p99} if p99 else None, **more)
    return Trial(Candidate(name, "s", PROJECT, 100.0), [outcome])


def test_the_front_has_the_candidates_that_no_other_one_beats() -> None:
    some = [trial("a", 10.0, 5.0), trial("b", 20.0, 9.0), trial("c", 9.0, 6.0), trial("d", 20.0, 8.0),
            trial("e", 5.0, 1.0), trial("f", 99.0, None), trial("g", 99.0, 0.1, fault="wrong")]
    assert [t.candidate.name for t in front(some)] == ["d", "a", "e"]
    assert [t.candidate.name for t in front([trial("a", 1.0, None), trial("b", 2.0, None)])] == ["b"]
    assert front([]) == []


def test_predictions_use_costs_and_measurements_of_similar_candidates() -> None:
    def of(name: str, rate: float | None, *, wait: str = "spin", workers: int = 2, crosses: bool = True) -> Trial:
        one = Candidate(name, name.partition("-")[0], PROJECT, 100.0, wait=wait, workers=workers, crosses=crosses)
        return Trial(one, [Outcome(rate)])

    alone, spun, parked = of("single", 90.0, workers=1,
                             crosses=False), of("flow-0", 60.0), of("flow-1", 20.0, wait="park")
    some = [alone, spun, parked]
    assert expected(of("flow-2", None).candidate, some) == 60.0
    assert expected(of("flow-2", None, wait="yield").candidate, some) == 40.0  # the median of both
    assert expected(of("pool-0", None).candidate, some) == 40.0  # items cross there, too
    assert expected(of("replicated-0", None, crosses=False).candidate, some) == 90.0
    assert expected(of("replicated-0", None, crosses=False).candidate, [spun, of("flow-3", None)]) == 60.0
    assert expected(spun.candidate, [spun]) == 100.0  # its own measurement does not count


def test_the_prediction_error_is_the_median_of_leave_one_out_errors() -> None:
    assert prediction_error([trial("a", 100.0, None)]) == 0.0  # predicted by costs alone
    # a: predicted 110 from the others' median; b: 150; c: 75.
    assert prediction_error([trial("a", 100.0, None), trial("b", 50.0, None), trial("c", 200.0, None)]) == 0.625
    assert prediction_error([trial("a", None, None)]) is None
