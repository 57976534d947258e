"""Test the judgement of a reproduction: agreements, differences, and the error rate on noise of known truth."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
import pytest
from capsule_world import CHANGES, verdicts
from conftest import CODEGEN
from weir.interop.capsule import judging
from weir.interop.capsule.judging import (
    AGREES,
    DIFFERS,
    NOT_MEASURED,
    NOT_TRIED,
    TIED,
    TOO_FEW,
    TOO_WIDE,
    Claim,
    Pair,
    judged,
    verdict,
)
from weir.read.comparing.simulation import NOISES

PAIR = Pair("stages=1", "x", "y", ("flow", "static"))
THROUGHPUT, P50, P99 = "throughput_items_per_s", "latency_p50_ns", "latency_p99_ns"


def blocks(ratio: float, noise: float = 0.01, count: int = 8, level: float = 1e9,
           seed: int = 1) -> dict[str, dict[int, float]]:
    """Draw two contenders; the second is `ratio` times the first."""
    rng = np.random.default_rng(seed)
    return {name: {block: level * factor * math.exp(noise * rng.standard_normal()) for block in range(count)}
            for name, factor in (("x", 1.0), ("y", ratio))}


def claim(there: dict, here: dict, tried: Sequence[str] = ("x", "y"), quantity: str = THROUGHPUT) -> Claim:
    found, = judged([PAIR], {quantity: there}, {quantity: here}, frozenset(tried))
    return found


def test_another_speed_of_the_machine_is_no_difference():
    it = claim(blocks(1.5), blocks(1.5, level=3e9, seed=2))
    assert (it.order, it.ratio, it.verdict) == (AGREES, AGREES, AGREES) and it.there.order == it.here.order == 1
    assert verdict([it]) == AGREES and it.change.interval[0] < 1 < it.change.interval[1]


def test_an_order_that_turned_round_differs_also_where_the_ratio_did_not_move_far():
    it = claim(blocks(1.04, 0.002), blocks(0.97, 0.002, seed=2))
    assert (it.order, it.ratio, it.verdict) == (DIFFERS, AGREES, DIFFERS) and verdict([it]) == DIFFERS


def test_an_order_that_is_lost_differs_and_one_that_noise_hides_does_not():
    assert claim(blocks(1.08, 0.003), blocks(1.0, 0.003, seed=2)).order == DIFFERS
    hidden = claim(blocks(1.04, 0.01), blocks(1.02, 0.03, seed=2))
    assert hidden.there.order == 1 and hidden.here.order == 0 and hidden.order == AGREES


def test_where_the_capsule_has_no_order_none_is_claimed():
    it = claim(blocks(1.0, 0.01), blocks(1.05, 0.002, seed=2))
    assert it.there.order == 0 and it.here.order == 1 and (it.order, it.verdict) == (TIED, AGREES)


def test_a_ratio_beyond_the_tolerance_differs_in_the_same_order_too():
    it = claim(blocks(2.0), blocks(2.0 / 1.3, seed=2))
    assert (it.order, it.ratio, it.verdict) == (AGREES, DIFFERS, DIFFERS)


def test_fewer_than_eight_blocks_never_agree():
    for there, here in ((8, 7), (7, 8), (3, 3)):
        it = claim(blocks(1.5, count=there), blocks(1.5, count=here))
        assert it.verdict == TOO_FEW and it.change.interval is None and verdict([it]) == TOO_FEW
    swapped = claim(blocks(1.5, count=3), blocks(0.5, count=3))
    assert verdict([swapped]) == TOO_FEW


def test_an_interval_in_which_anything_may_hide_is_no_agreement():
    it = claim(blocks(1.0, 0.5), blocks(1.0, 0.5, seed=2))
    assert it.verdict == TOO_WIDE and verdict([it]) == TOO_FEW


def test_where_the_order_is_the_same_beyond_doubt_the_ratio_may_be_wide():
    it = claim(blocks(8.0, 0.3), blocks(8.0, 0.3, seed=2))
    assert (it.order, it.ratio, it.verdict) == (AGREES, TOO_WIDE, AGREES)


def test_what_was_not_tried_or_not_measured_says_so():
    assert claim(blocks(1.5), {"x": blocks(1.5)["x"]}, ["x"]).verdict == NOT_TRIED
    assert claim(blocks(1.5), {"x": blocks(1.5)["x"]}).verdict == NOT_MEASURED
    assert judged([PAIR], {THROUGHPUT: {"x": {0: 1.0}}}, {THROUGHPUT: blocks(1.5)}, frozenset("xy")) == []


def test_blocks_without_one_of_both_do_not_count():
    there, here = blocks(1.5), blocks(1.5, seed=2)
    del here["y"][3]
    assert claim(there, here).here.rounds == 7 and claim(there, here).verdict == TOO_FEW


def test_most_of_what_decides_must_agree_and_nothing_differ():
    good, bad = claim(blocks(1.5), blocks(1.5, seed=2)), claim(blocks(1.5), {}, ["x"])
    tails = claim(blocks(1.5), blocks(3.0, seed=2), quantity=P99)
    assert tails.verdict == DIFFERS and not tails.decides
    assert verdict([good, good, bad, tails]) == AGREES
    assert verdict([good, bad]) == TOO_FEW and verdict([]) == TOO_FEW and verdict([tails]) == TOO_FEW
    assert verdict([good, good, claim(blocks(1.5), blocks(3.0, seed=2), quantity=P50)]) == DIFFERS
    assert verdict([good], answers_differ=True) == DIFFERS


def test_with_more_claims_each_has_a_wider_interval():
    many = [Pair(str(i), "x", "y", ("a", "b")) for i in range(20)]
    one, *_ = judged(many, {THROUGHPUT: blocks(1.5)}, {THROUGHPUT: blocks(1.5, seed=2)}, frozenset("xy"))
    alone = claim(blocks(1.5), blocks(1.5, seed=2))
    assert one.change.interval[0] < alone.change.interval[0] and one.change.interval[1] > alone.change.interval[1]


def test_of_twenty_reproductions_at_least_nineteen_agree_and_what_is_planted_is_found():
    """Try a few; `weir test --all` tries hundreds."""
    assert verdicts("shared machine", 8, "none", 20).get(AGREES, 0) >= 19
    for change in [it for it in CHANGES if it != "none"]:
        assert verdicts("shared machine", 8, change, 5) == {DIFFERS: 5}


def told() -> list[int]:
    """Return the verdicts on the page, the same under each noise: two that agree, then one for each change."""
    page = (CODEGEN.parent / "docs" / "capsules.md").read_text().partition("Under each of five noises:")[2]
    return [int(number) for number in re.findall(r"(\d+) of\s\d+", page)[:4]]


@pytest.mark.slow
@pytest.mark.parametrize("noise", list(NOISES))
def test_the_verdicts_of_the_page_are_those_of_the_simulation(noise: str):
    said = told()
    alike = verdicts(noise, 8, "none", 200), verdicts(noise, 8, "none", 100, 0.01)
    changed = [verdicts(noise, 8, change, 50) for change in CHANGES if change != "none"]
    assert [*(it.get(AGREES, 0) for it in alike), *(it.get(DIFFERS, 0) for it in changed)] == said and said[0] >= 190
    assert not any(DIFFERS in it for it in alike)  # "was ever called different"


def test_the_page_has_the_limits_of_the_judgement():
    page = " ".join((CODEGEN.parent / "docs" / "capsules.md").read_text().split())
    assert f"no more than chance and {judging.THRESHOLD:.0%}".replace("%", " %") in page
    assert f"may be within {judging.TOLERANCE:.0%}".replace("%", " %") in page
    assert f"beyond {judging.NOTICED:.0%}".replace("%", " %") in page
    assert told() == [200, 100, 50, 50] and len(NOISES) == 5
    assert judging.DECIDING == (THROUGHPUT, P50)
