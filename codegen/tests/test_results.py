"""What the runner adds to a binary's results."""

from __future__ import annotations

from weir.measuring.results import offered_items_per_s


def plan(*sources: str) -> dict:
    return {"blocks": [{"instance": f"{name}@p0", "block": name} for name in (*sources, "sink")],
            "pairs": [{"source": f"{name}@p0", "sink": "sink@p0"} for name in sources]}


def test_the_offered_load_is_the_sum_of_the_paced_sources() -> None:
    assert offered_items_per_s(plan("a", "b"), {"a.rate": 1000, "b.rate": 500.5, "sink.rate": 7}) == 1500.5


def test_a_source_that_runs_flat_out_offers_no_set_load() -> None:
    assert offered_items_per_s(plan("a", "b"), {"a.rate": 1000}) is None
    assert offered_items_per_s(plan(), {}) is None
