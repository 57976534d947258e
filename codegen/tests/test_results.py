"""What the runner adds to a binary's results."""

from __future__ import annotations

import warnings

import pytest
from stored_runs import EXAMPLES, planned
from weir.measuring import results as res
from weir.verifying.references import library


def test_a_negative_seed_stays_as_it_was_given() -> None:
    """Also where the program wrote nothing, and without what numpy makes of a number that is out of range."""
    _, plan, _ = planned(EXAMPLES / "quickstart.weir.json")
    plan = {**plan, "run": {**plan["run"], "seed": -3}}  # others have the same plan
    results = res.without_results(plan, "r", 0, "off", {})
    assert results["seed"] == -3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert library().instance_seed(-3, "noise") == library().instance_seed(2**64 - 3, "noise")


@pytest.mark.parametrize("offered", [None, 1500.5])
def test_what_was_offered_is_what_the_program_says(offered: float | None) -> None:
    """A source with a parameter `rate` need not have a schedule: the program alone knows."""
    checked, plan, _ = planned(EXAMPLES / "quickstart.weir.json")
    source = next(b["block"] for b in plan["blocks"] if b["instance"] == plan["pairs"][0]["source"])
    results = res.without_results(plan, "r", 0, "off", {})
    results["offered_items_per_s"] = results["load"]["offered_items_per_s"] = offered
    res.add_request(results, plan, checked.project.document, {f"{source}.rate": 48_000})
    assert results["parameters"] == {f"{source}.rate": 48_000} and results["requested"] is not None
    assert results["offered_items_per_s"] == results["load"]["offered_items_per_s"] == offered
