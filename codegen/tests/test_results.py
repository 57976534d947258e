"""Test what the runner adds to a program's results."""

from __future__ import annotations

import warnings

import pytest
from stored_runs import EXAMPLES, planned
from weir.engine.measuring import results as res
from weir.engine.verifying.references import library


def test_a_negative_seed_stays_as_it_was_given() -> None:
    """Check also without results of the program, and without numpy's conversion of an out-of-range number."""
    _, plan, _ = planned(EXAMPLES / "quickstart.weir.json")
    plan = {**plan, "run": {**plan["run"], "seed": -3}}  # other seeds have the same plan
    results = res.without_results(plan, "r", 0, "off", {})
    assert results["seed"] == -3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert library().instance_seed(-3, "noise") == library().instance_seed(2**64 - 3, "noise")


@pytest.mark.parametrize("offered", [None, 1500.5])
def test_the_offered_rate_is_the_programs(offered: float | None) -> None:
    """Use a source with a parameter `rate`, which need not have a schedule: only the program knows."""
    checked, plan, _ = planned(EXAMPLES / "quickstart.weir.json")
    source = next(b["block"] for b in plan["blocks"] if b["instance"] == plan["pairs"][0]["source"])
    results = res.without_results(plan, "r", 0, "off", {})
    results["offered_items_per_s"] = results["load"]["offered_items_per_s"] = offered
    res.add_request(results, plan, checked.project.document, {f"{source}.rate": 48_000})
    assert results["parameters"] == {f"{source}.rate": 48_000} and results["requested"] is not None
    assert results["offered_items_per_s"] == results["load"]["offered_items_per_s"] == offered


@pytest.mark.parametrize("wakes, items, elapsed_s, told", [
    (320_000, 320_000, 10.0, True), (320_000, 31_990_000, 10.0, True), (320_000, 32_000_000, 10.0, False),
    (100_000, 320_000, 10.0, False), (100_001, 320_000, 10.0, True), (3_000, 3_000, 0.1, False),
    (None, 10, None, False)])
def test_a_thread_that_wakes_for_few_items_is_reported(wakes, items, elapsed_s, told) -> None:
    """Expect the warning above 10,000 wake-ups per second for fewer than 100 items each, in runs of at least 0.2 s."""
    _, plan, _ = planned(EXAMPLES / "quickstart.weir.json")
    results = res.without_results(plan, "r", 0, "off", {})
    results["elapsed_s"], results["sinks"] = elapsed_s, [{"items": 1}, {"items": items}]
    results["threads"] = [{"name": "w0", "voluntary_switches": 7}, {"name": "w1", "voluntary_switches": wakes}]
    res.add_small_bursts(results, plan)
    assert [it["code"] for it in results["reasons"]] == ["W_SMALL_BURSTS"] * told and results["status"] == "ok"
    assert all(it["message"].startswith("worker w1 ") for it in results["reasons"])
    # Items that leave the sources also count if hardly any of them reach a sink.
    results.update(reasons=[], throughput_items_per_s=1e9)
    res.add_small_bursts(results, plan)
    assert not results["reasons"]
