"""Test deadlines: the definition of a response failure, and the estimate of its probability."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from planning import chain, checked, generated, project
from stored_runs import CAUSES, EXAMPLES, store
from test_sweep_figures import axis, drawn, measured
from weir import cli
from weir.engine.measuring.latency import Boundaries, Window, latency_fields, match
from weir.engine.measuring.run_directory import load_run
from weir.lab.sweeping.estimates import estimated
from weir.lab.sweeping.table import row_of
from weir.read.comparing.metrics import BY_ID
from weir.read.comparing.statistics import share_of_failures, upper_bound
from weir.read.reporting.report import make_report
from weir.read.reporting.summary import Summary, response_words

DEADLINE_US = 3450


def trace_of(latencies_ns, lost=(), due_ns=1_000_000):
    """Return the boundaries of a paced source, one due every millisecond, and sent late as if delayed."""
    k = np.arange(1, len(latencies_ns) + 1)
    due, received = k * due_ns, k * due_ns + np.asarray(latencies_ns)
    there = ~np.isin(k, lost)
    return match("slots", "answer", None, Boundaries.of(k, due + 500, due), Boundaries.of(k[there], received[there]),
                 len(k))


def response_of(*pairs, deadline_ns=100):
    return latency_fields(pairs, (), deadline_ns)["response"]


def test_who_meets_the_deadline_exactly_is_in_time_and_what_is_lost_failed():
    assert response_of(trace_of([99, 100, 101, 50, 500], lost=[4])) == {
        "deadline_ns": 100, "answered": 4, "late": 2, "lost": 1, "failure_ratio": 0.6}


def test_late_is_counted_from_when_the_item_was_due_and_not_from_when_it_was_sent():
    pair = trace_of([600, 400])
    assert response_of(pair, deadline_ns=500)["late"] == 1  # sent 500 ns after it was due, in transit for only 100


def test_every_pair_has_its_own_count_and_the_response_is_of_all():
    found = latency_fields([trace_of([50, 150]), trace_of([150, 150, 10])], (), 100)
    assert [pair["late"] for pair in found["latency_pairs"]] == [1, 2]
    assert found["response"] | {"failure_ratio": 0.6} == found["response"] and found["response"]["late"] == 3


@pytest.mark.parametrize("failures, slots", [(0, 1), (1, 1), (3, 10_000), (10_000, 10_000)])
def test_the_ratio_of_a_trace_is_what_it_was_made_with(failures, slots):
    late = np.random.default_rng(failures).permutation(slots) < failures
    found = response_of(trace_of(np.where(late, 101, 100)))
    assert found["failure_ratio"] == failures / slots and found["answered"] == slots


def test_only_what_came_in_the_window_can_be_late_and_without_one_nothing_was_answered():
    k = [1, 2, 3]
    for window, late in ((Window(0, 10**9), 3), (Window(1_000_500, 2_000_500), 1), (None, 0)):
        pair = match("a", "b", None, Boundaries.of(k, [n * 10**6 for n in k]),
                     Boundaries.of(k, [n * 10**6 + 500 for n in k]), 3,
                     window)
        found = response_of(pair)
        assert (found["late"], found["answered"]) == (late, late)
        assert found["failure_ratio"] == (1.0 if late else None)


def test_without_a_deadline_nothing_is_late_and_nothing_in_time():
    found = latency_fields([trace_of([1, 2])])
    assert found["response"] is None and found["latency_pairs"][0]["late"] is None


# Confidence

def test_the_bound_where_nothing_failed_is_clopper_and_pearsons_and_the_rule_of_three():
    from scipy.stats import beta

    for n in (1, 20, 20_000):
        assert upper_bound(n) == pytest.approx(beta.ppf(0.95, 1, n))
    assert upper_bound(20_000) == pytest.approx(3 / 20_000, rel=0.002)
    share = share_of_failures([0] * 10, [2000] * 10)
    assert (share.value, share.interval, share.below) == (0.0, None, upper_bound(20_000))


def test_failures_in_one_block_make_a_wide_interval_and_the_same_all_over_a_narrow_one():
    clustered = share_of_failures([100, *[0] * 9], [2000] * 10)
    spread = share_of_failures([10] * 10, [2000] * 10)
    assert clustered.value == spread.value == 0.005
    assert spread.interval == pytest.approx((0.005, 0.005))
    assert clustered.interval[0] == 0 and clustered.interval[1] > 0.01
    assert share_of_failures([100, 0], [2000, 2000]).interval is None


def test_blocks_count_by_their_slots_and_one_without_any_not_at_all():
    share = share_of_failures([1, 0, 0], [10, 90, 0])
    assert share.value == 0.01


def test_the_interval_covers_the_truth_about_as_often_as_it_says():
    rng, held = np.random.default_rng(5), 0
    for _ in range(60):
        failed = rng.binomial(2000, rng.beta(2, 98, 12))  # blocks with separate ratios, 0.02 on average
        low, high = share_of_failures(failed, [2000] * 12).interval
        held += low <= 0.02 <= high
    assert held >= 50


def row(late: int, answered: int = 2000, **more) -> dict:
    return {"status": "ok", "answered": answered, "late": late, "latency_lost": 0,
            "failure_ratio": late / answered if answered else None, **more}


def test_a_point_of_a_sweep_has_the_ratio_of_all_its_blocks_together():
    rows = [row(0)] * 9 + [row(20), row(999, status="invalid")]
    found = estimated(rows, "failure_ratio")
    assert found.value == pytest.approx(20 / 20_000) and found.rounds == 10 and found.below is None
    assert found.interval[0] == 0 and found.interval[1] > 0.002
    none = estimated([row(0)] * 10, "failure_ratio")
    assert none.as_json() == {"value": 0.0, "interval": None, "rounds": 10, "below": upper_bound(20_000)}
    assert estimated([row(0, answered=0)], "failure_ratio").value is None


LIMITS = (axis("deployment", "one", "other"), axis("stages", 1, 2))


def of_sweep(plot: dict):
    """Return the plot of a sweep: `one` never fails; `other` fails in one slot of 100 at 1, and of 10,000 at 2."""
    return measured(LIMITS, {"x": "stages", "y": "failure_ratio", **plot},
                    lambda at, _: row(0 if at["deployment"] == "one" else {1: 100, 2: 1}[at["stages"]], 10_000))


def test_a_figure_of_failures_is_logarithmic_and_shows_bounds_as_such():
    of = of_sweep({})
    [(drawing, lines, ax)] = drawn(of)
    assert (lines["other"][1] == pytest.approx([0.01, 0.0001])
            and lines["one"][1] == pytest.approx([upper_bound(80_000)] * 2))
    assert ax.get_yscale() == "log" and "nothing failed" in drawing.caption and "of the share over" in drawing.caption
    assert ([mark.words.startswith("one, ") and "below 0.0000374" in mark.words for mark in drawing.marks]
            == [True, True, False, False])
    heads, *rows = [[entry.text for entry in line] for line in of[0].table()]
    assert (heads[-1] == "response failures" and rows[0][-1] == "below 0.0000374"
            and rows[-1][-1] == "0.000100 (0.000100 .. 0.000100)")


def test_published_ratios_may_lie_over_it_and_nothing_may_be_compared_with_0():
    document = json.loads((EXAMPLES / "realtime_response.weir.json").read_text())
    document["sweeps"][0]["plot"]["against"] = {"deployment": "alone"}
    del document["sweeps"][0]["plot"]["overlay"]
    [found] = checked_with_errors(document)
    assert (found.code, found.pointer) == ("E_SWEEP_KEY", "/sweeps/0/plot/against")


def checked_with_errors(document: dict):
    from weir.model.check import check

    return check(json.dumps(document), directory=EXAMPLES).diagnostics


# The project and its program

SLOTS = [{"id": "slots", "type": "paced_source",
          "parameters": {"item_type": "f32", "rate": 1209600, "burst_items": 864}},
         {"id": "answer", "type": "null_sink"}]


def warnings(**run) -> list[str]:
    document = project(SLOTS, ["slots.out > answer.in"], run={"items": 8640000, **run})
    return [f"{it.code} {it.pointer}" for it in checked(document).diagnostics]


def test_a_deadline_that_nobody_can_tell_of_is_reported():
    fine = {"backend": "memory", "probe_granularity": 864}
    assert warnings(deadline_us=DEADLINE_US, trace=fine) == []
    assert warnings(deadline_us=DEADLINE_US, trace={**fine, "probe_granularity": 32}) == []
    assert warnings(trace={**fine, "probe_granularity": 8640}) == []
    assert warnings(deadline_us=DEADLINE_US,
                    trace={**fine, "probe_granularity": 865}) == ["W_SLOT_UNSEEN /run/trace/probe_granularity"]
    assert warnings(deadline_us=DEADLINE_US, trace={"backend": "off"}) == ["W_TRACE_OFF /run/deadline_us"]


def test_a_deadline_is_in_the_plan_and_in_no_source():
    with_one, without = (generated({**chain(2), "run": run}) for run in ({"deadline_us": 3450.5}, {}))
    assert json.loads(with_one["plan.json"])["run"]["deadline_us"] == 3450.5
    assert b"deadline" not in b"".join([without["plan.json"], *(with_one[name] for name in with_one
                                                               if name.startswith("src/"))])


# Reports about runs

RESPONSE = {"deadline_ns": 3_450_000, "answered": 20_000, "late": 12, "lost": 0, "failure_ratio": 0.0006}


def test_the_words_of_runs_say_how_many_and_what_is_below():
    assert response_words([RESPONSE]) == "12 of 20\u202f000 later than 3.45 ms: failure ratio 0.000600"
    fine = {**RESPONSE, "late": 0, "failure_ratio": 0.0}
    assert response_words([fine]).endswith("failure ratio below 0.000150")
    assert response_words([RESPONSE] * 8).endswith("failure ratio 0.000600 (95 %: 0.000600 .. 0.000600)")
    assert "1 of them lost" in response_words([{**RESPONSE, "lost": 1}])
    assert response_words([{**fine, "answered": 0, "failure_ratio": None}]) == "nothing was due within 3.45 ms"


def test_a_report_a_summary_and_a_row_of_a_table_have_it(tmp_path):
    run = load_run(store(tmp_path / "d", changes={"response": RESPONSE, "causes": CAUSES}))
    said = Summary().run(run.results, run.path)
    assert "12 of 20\u202f000 later than 3.45 ms" in said and "switched out: 2, by loop/77" in said
    page = make_report([run])
    assert "failure ratio 0.000600" in page and "loop/77" in page and "The latest items" in page
    assert row_of(run, {}, {}) | {"answered": 20_000, "late": 12, "failure_ratio": 0.0006} == row_of(run, {}, {})
    plain = load_run(store(tmp_path / "p"))
    assert ("later than" not in Summary().run(plain.results, plain.path)
            and "The latest items" not in make_report([plain]))
    assert row_of(plain, {}, {})["failure_ratio"] is None


def test_runs_without_a_failure_are_compared_too(tmp_path, capsys):
    for side, late in (("a", 200), ("b", 0)):
        for block in range(10):
            own = late + block % 2 * (late > 0)
            store(tmp_path / side, repetition=block, latencies=np.full(2000, 1000), changes={
                "response": {**RESPONSE, "late": own, "failure_ratio": own / 20_000}, "binary_hash": f"{late:064x}"})
    assert BY_ID["failure_ratio"].of({"response": {**RESPONSE, "failure_ratio": 0.0}}) == pytest.approx(0.5 / 20_001)
    code = cli.main(["compare", str(tmp_path / "a"), str(tmp_path / "b"), "--metric", "failure_ratio", "--json"])
    [one] = json.loads(capsys.readouterr().out)["comparisons"]
    gate = next(it for it in one["metrics"] if it["gate"])
    assert code == 0 and gate["id"] == "failure_ratio" and gate["verdict"] == "better"
    assert gate["ratio"] == pytest.approx(0.5 / 200.75, rel=0.01) and math.isfinite(gate["interval"][0])
