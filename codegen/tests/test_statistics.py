"""Test the mathematics of `weir compare`: against SciPy and by hand, and on noise of known truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from weir.read.comparing.simulation import DESIGNS, NOISES, ROUNDS, simulate
from weir.read.comparing.statistics import (
    MIN_ROUNDS,
    compare_paired,
    compare_successive,
    drift,
    holm,
    paired_interval,
    pseudomedian,
    shift,
    successive_interval,
    tail_level,
)


def test_the_pseudomedian_is_the_median_of_the_means_of_pairs() -> None:
    assert pseudomedian(np.array([1.0, 2.0, 10.0])) == 3.75  # of 1, 1.5, 2, 5.5, 6, 10
    many = np.array([[1.0, 2.0, 10.0], [0.0, 0.0, 3.0]])
    assert pseudomedian(many).tolist() == [3.75, 0.75]


def test_the_shift_is_the_median_of_all_differences() -> None:
    assert shift(np.array([0.0, 1.0]), np.array([10.0, 12.0, 20.0])) == 11.5  # of 9, 10, 11, 12, 19, 20


def test_one_outlier_moves_the_ratio_little() -> None:
    a = [100.0] * 10
    b = [95.0 + 0.1 * i for i in range(9)] + [10.0]
    assert compare_paired(a, b).ratio == pytest.approx(0.953, abs=0.003)


def test_the_tails_are_those_of_student_and_of_the_plain_bootstrap_in_the_limit() -> None:
    assert tail_level(10**7, 0.95) == pytest.approx(0.025, rel=1e-4)
    n = 8
    half_width = -stats.norm.ppf(tail_level(n, 0.95)) * math.sqrt((n - 1) / n)
    assert half_width == pytest.approx(stats.t.ppf(0.975, n - 1))


def test_holm_is_stepwise_and_monotone() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0] and holm([]) == []


def test_the_ratio_does_not_depend_on_the_unit_and_turns_over_with_the_sides() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.lognormal(0, 0.1, 12), rng.lognormal(0.2, 0.1, 12)
    forth, back, scaled = compare_paired(a, b), compare_paired(b, a), compare_paired(a * 1e9, b * 1e9)
    assert forth.ratio == pytest.approx(1 / back.ratio) == pytest.approx(scaled.ratio)
    assert forth.interval == pytest.approx(scaled.interval)
    assert forth.p_value == pytest.approx(back.p_value)


@pytest.mark.parametrize("compare", [compare_paired, compare_successive])
def test_too_few_blocks_have_no_interval(compare) -> None:
    values = list(np.random.default_rng(1).lognormal(0, 0.1, MIN_ROUNDS))
    few, enough = compare(values[:-1], values[:-1]), compare(values, values[::-1])
    assert (few.interval, few.p_value) == (None, None) and few.ratio == pytest.approx(1.0)
    assert enough.interval[0] <= enough.ratio <= enough.interval[1]


def test_equal_sides_have_an_interval_of_no_width() -> None:
    found = compare_paired([5.0] * 9, [5.0] * 9)
    assert (found.ratio, found.interval, found.p_value) == (1.0, (1.0, 1.0), 1.0)


@pytest.mark.filterwarnings("error")
def test_pairs_without_a_difference_are_left_out_of_the_test_and_nothing_is_said_of_it() -> None:
    mixed = compare_paired([1.0, 2.0, *range(3, 11)], [1.0, 2.0, *(1.01 * v for v in range(3, 11))])
    alone = compare_paired(list(range(3, 11)), [1.01 * v for v in range(3, 11)])
    assert mixed.p_value == alone.p_value == pytest.approx(2 / 2**8)
    assert compare_paired(range(1, 9), [*range(1, 8), 9]).p_value == 1.0  # one pair proves nothing


def test_an_interval_is_the_same_every_time() -> None:
    values = np.random.default_rng(2).standard_normal(16)
    assert paired_interval(values) == paired_interval(values)


def test_pairing_removes_what_hits_both_sides_of_a_block() -> None:
    rng = np.random.default_rng(4)
    weather = rng.standard_normal(16)
    a, b = np.exp(weather), np.exp(weather + 0.01 * rng.standard_normal(16) + 0.05)
    low, high = compare_paired(a, b).interval
    assert 1.03 < low < math.exp(0.05) < high < 1.07
    low, high = compare_successive(a, b).interval
    assert low < 1.0 < high


def test_drift_within_a_side_widens_its_interval() -> None:
    steady = np.random.default_rng(5).standard_normal(16) * 0.01
    rising = steady + np.linspace(0, 0.1, 16)
    assert drift(rising) > 0.04 > drift(steady)
    assert drift(np.array([0.0, 0.0, 99.0, 1.0, 1.0])) == 1.0
    assert np.ptp(successive_interval(steady, rising)) > np.ptp(successive_interval(steady, steady)) + 0.04


def test_a_line_through_both_sides_is_not_a_difference() -> None:
    line = np.linspace(0, 0.2, 32) + np.random.default_rng(6).standard_normal(32) * 0.002
    low, high = successive_interval(line[:16], line[16:])
    assert low < 0.0 < high


def test_every_design_and_noise_is_simulated_the_same_every_time() -> None:
    for design in DESIGNS:
        for noise in NOISES:
            assert simulate(design, noise, 8, 3) == simulate(design, noise, 8, 3)


def above(share: float, comparisons: int) -> float:
    """Return the value that a true share exceeds in one of a thousand simulations."""
    return stats.binom.ppf(0.999, comparisons, share) / comparisons


@pytest.mark.parametrize("noise", ["normal", "shared machine"])
def test_false_alarms_and_power(noise: str) -> None:
    comparisons = 150
    cell = simulate("interleaved", noise, 10, comparisons)
    assert cell.missed <= above(0.05, comparisons) and cell.alarms <= cell.missed
    assert cell.found >= 0.6 and 0.02 < cell.width < 0.1


@pytest.mark.slow
@pytest.mark.parametrize("noise", list(NOISES))
@pytest.mark.parametrize("blocks", ROUNDS)
def test_false_alarms_of_every_noise(noise: str, blocks: int) -> None:
    comparisons = 1000
    cell = simulate("interleaved", noise, blocks, comparisons)
    assert cell.missed <= above(0.05, comparisons)
    assert cell.alarms <= above(0.05, comparisons)
    assert cell.found >= {8: 0.4, 10: 0.5, 16: 0.7, 32: 0.9}[blocks]
    after = simulate("one after the other", noise, blocks, comparisons)
    assert after.alarms <= above(0.10 if noise == "drifting" else 0.05, comparisons)
