"""Test the search for a sustainable rate, on systems whose limit is known."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from weir.lab.rating.search import LOWER, UNDECIDED, UPPER, Goal, Search, Trial, classified

GOAL = Goal(0.0, 1.0, 5.0, 0.5, 0.05)


def trials(*of: tuple[float, float]) -> list[Trial]:
    return [Trial(1.0, seconds, loss) for seconds, loss in of]


@pytest.mark.parametrize("of, verdict", [
    ([], UNDECIDED), ([(1, 0)] * 2, UNDECIDED), ([(1, 0)] * 3, LOWER), ([(1, 1)] * 2, UNDECIDED), ([(1, 1)] * 3, UPPER),
    ([(1, 0), (1, 1)] * 2, UNDECIDED), ([(1, 0)] * 3 + [(1, 1)] * 2, LOWER), ([(1, 1)] * 3 + [(1, 0)] * 2, UPPER),
    ([(0.5, 0)] * 100, UNDECIDED), ([(0.5, 1)] * 6, UPPER), ([(0.5, 1)] * 6 + [(0.5, 0)] * 6, UNDECIDED),
    ([(9, 0)], LOWER)])
def test_a_load_is_a_bound_where_more_trials_could_not_turn_it_round(of, verdict):
    assert classified(trials(*of), GOAL) == verdict


def test_a_loss_up_to_the_goal_is_none():
    goal = Goal(0.01, 1.0, 1.0, 0.5, 0.05)
    assert classified(trials((1, 0.01)), goal) == LOWER and classified(trials((1, 0.011)), goal) == UPPER


def searched(loss: Callable[[float, float], float], first: float = 1e6, goal: Goal = GOAL, **more) -> Search:
    search = Search(lambda load, seconds: Trial(load, seconds, loss(load, seconds)), goal, 1e12, 1.0, first, **more)
    search.answer = search.run()
    return search


@pytest.mark.parametrize("limit", [3.7, 8e5, 1e6, 5e9])
@pytest.mark.parametrize("first", [1e3, 1e6, 1e9])
def test_the_limit_lies_between_the_bounds_and_these_are_as_near_as_asked_for(limit, first):
    found = searched(lambda load, _: 0.0 if load <= limit else 1 - limit / load, first).answer
    assert found.lower <= limit < found.upper and not found.irregular
    assert found.upper - found.lower <= GOAL.width * found.upper
    assert sum(trial.duration_s for trial in found.trials) < 80


def test_a_trial_that_others_spoil_now_and_then_does_not_move_the_answer():
    for seed in range(20):
        dice = random.Random(seed)
        found = searched(lambda load, _, dice=dice: 0.2 if load > 1e6 or dice.random() < 0.05 else 0.0).answer
        assert found.lower is not None and 0.94e6 < found.lower <= 1e6 < found.upper


def test_what_is_late_at_every_load_is_irregular():
    found = searched(lambda load, _: 0.5).answer
    assert found.lower is None and found.upper == 1.0 and found.irregular


def test_what_keeps_up_with_everything_has_no_upper_bound():
    found = searched(lambda load, _: 0.0).answer
    assert found.upper is None and found.lower == 1e12 and not found.irregular


def test_when_the_time_is_over_the_bounds_are_those_that_there_are():
    left = [3.0]

    def has_time(seconds: float) -> bool:
        left[0] -= seconds
        return left[0] >= 0

    found = searched(lambda load, _: 0.0 if load < 5e5 else 1.0, has_time=has_time).answer
    assert found.out_of_time and sum(trial.duration_s for trial in found.trials) <= 3.0
    # Loads that passed only short trials do not count, and nothing is known about untried loads.
    left[0] = 8.0
    found = searched(lambda load, seconds: 0.0 if seconds < 1 and load < 2e6 else 1.0, has_time=has_time).answer
    assert found.out_of_time and found.lower is None and found.upper is not None and not found.irregular
