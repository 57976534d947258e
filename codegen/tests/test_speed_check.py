"""Test the speed checks of several runs: which runs met a slower machine."""

from __future__ import annotations

import pytest
from weir.engine.measuring.speed_check import slow_runs, speed


def run(name: str, before: float | None, after: float | None = None, flags: str = "-O3") -> dict:
    speed_check = None if before is None else {"cpu": 0, "seconds": 0.05, "before_items_per_s": before,
                                           "after_items_per_s": after}
    return {"run_id": name, "speed_check": speed_check,
            "environment": {"cpu": "X", "kernel": "Linux", "compiler": "g++", "flags": flags}}


def test_a_run_on_a_slowed_machine_is_named_and_how_much_slower_it_was():
    slow = slow_runs([run("a", 10e9, 9.9e9), run("b", 9.5e9, 9.7e9), run("c", 7.0e9, 7.5e9)])
    assert list(slow) == ["c"] and "25 % slower" in slow["c"] and "only the other runs show it" in slow["c"]


@pytest.mark.parametrize("share, flagged", [(0.81, False), (0.79, True)])
def test_the_limit_is_a_fifth(share, flagged):
    assert ("b" in slow_runs([run("a", 10e9), run("b", share * 10e9)])) == flagged


def test_one_disturbed_speed_check_of_two_does_not_speak_for_the_run():
    assert slow_runs([run("a", 10e9, 10e9), run("b", 4e9, 10e9), run("c", 10e9, 4e9)]) == {}


def test_only_what_is_alike_is_compared():
    assert slow_runs([run("a", 10e9), run("b", 2e9, flags="-O0"), run("c", None)]) == {}


def test_a_run_without_a_speed_check_has_no_speed():
    assert speed(run("a", None)) is None and speed({}) is None
