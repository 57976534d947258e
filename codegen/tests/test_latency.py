"""Test how boundaries become latencies: matching, heads, rate changes, loss, percentiles, the percentile text."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir.engine.measuring.latency import (
    Boundaries,
    PairSamples,
    Window,
    latency_fields,
    match,
    match_hop,
    nearest_rank,
    read_hgrm,
    summarise,
    write_curves,
    write_hgrm,
)
from weir.engine.measuring.results import add_latency
from weir.engine.measuring.tables import write_table
from weir.engine.measuring.trace import Trace, hop_samples, pair_samples


def test_boundary_k_meets_boundary_k_whatever_the_order_of_the_events():
    tx = Boundaries.of([3, 1, 2], [30, 10, 20])
    rx = Boundaries.of([2, 3, 1], [25, 39, 11])
    pair = match("src", "snk", None, tx, rx, 3)
    assert pair.latency_ns.tolist() == [1, 5, 9]
    assert (pair.lost, pair.repeated) == (0, 0)


def test_tx_beyond_a_head_is_left_out_and_not_lost():
    pair = match("src", "snk", None, Boundaries.of(range(1, 11), range(10)), Boundaries.of([1, 2, 3], [5, 6, 7]), 3)
    assert pair.k.tolist() == [1, 2, 3]
    assert pair.lost == 0
    behind_it_too = match("src", "snk", None, *[Boundaries.of(range(1, 5), range(4))] * 2, 3)
    assert (behind_it_too.k.tolist(), behind_it_too.lost) == ([1, 2, 3], 0)


def test_a_boundary_that_lacks_either_end_is_lost():
    tx, rx = Boundaries.of([1, 2, 4, 5], [1, 2, 4, 5]), Boundaries.of([1, 3, 4, 5], [9, 9, 9, 9])
    assert match("src", "snk", None, tx, rx, 5).lost == 2
    assert match("src", "snk", None, tx, rx, 7).lost == 4


def test_a_mark_that_a_block_drops_is_no_lost_event():
    trace = Trace(7, 0, {0: Boundaries.of([1, 2, 3, 4], [1, 2, 3, 4])}, {1: Boundaries.of([3, 4, 2], [9, 9, 9])})
    pair = {"source": "src", "sink": "snk", "pipe": None}
    plan = {"blocks": [{"instance": "src", "index": 0}, {"instance": "snk", "index": 1}]}
    for identities, lost in ((True, 0), (False, 1)):
        found, = pair_samples(trace, plan | {"pairs": [pair | {"identities": identities}]}, {("src", "snk"): 4})
        assert (found.k.tolist(), found.latency_ns.tolist(), found.lost) == ([2, 3, 4], [7, 6, 5], lost)


def test_an_event_that_comes_twice_is_counted_and_the_first_is_used():
    pair = match("src", "snk", None, Boundaries.of([1, 1], [5, 6]), Boundaries.of([1, 1, 1], [9, 10, 11]), 1)
    assert pair.repeated == 3
    assert pair.latency_ns.tolist() == [4]


def test_a_negative_latency_is_kept_for_the_status_to_see():
    pair = match("src", "snk", None, Boundaries.of([1], [10]), Boundaries.of([1], [9]), 1)
    assert pair.latency_ns.min() == -1


@pytest.mark.parametrize("field, least", [("p5_ns", 200), ("p50_ns", 20), ("p95_ns", 200), ("p99_ns", 1000),
                                          ("p999_ns", 10000)])
def test_a_percentile_has_ten_samples_beyond_it_or_is_none(field, least):
    assert summarise(np.arange(1, least), 0)[field] is None
    assert summarise(np.arange(1, least + 1), 0)[field] is not None
    assert summarise(np.array([7]), 0)["mean_ns"] == summarise(np.array([7]), 0)["max_ns"] == 7


def test_only_what_arrives_in_the_window_counts_and_what_is_lost_is_of_the_whole_run():
    # 1 ends the warm-up, 4 arrives after the end of another sink, 5 is lost
    tx = Boundaries.of([1, 2, 3, 4, 5], [10, 50, 160, 190, 195])
    rx = Boundaries.of([1, 2, 3, 4], [100, 101, 200, 201])
    pair = match("src", "snk", None, tx, rx, 5, Window(100, 200))
    assert pair.latency_ns.tolist() == [51, 40] and (pair.lost, len(pair.k)) == (1, 4)
    assert latency_fields([pair])["latency"]["count"] == 2
    outside = match("src", "snk", None, tx, rx, 5, None)
    assert outside.latency_ns.tolist() == [] and outside.lost == 1


def test_a_hop_counts_what_a_sink_behind_it_receives_in_the_window():
    tx = Boundaries.of([1, 2], [10, 90])
    entered = Boundaries.of([1, 2], [31, 96], [20, 92])
    hop = match_hop("src", "mid", None, tx, entered, Boundaries.of([1, 2], [30, 95]), 3, np.array([2], np.uint64))
    assert (hop.waiting_ns.tolist(), hop.work_ns.tolist(), hop.lost, hop.early) == ([2], [3], 1, 0)
    late = Boundaries.of([1, 2], [25, 90])  # the first one in the warm-up
    assert match_hop("src", "mid", None, late, entered, Boundaries.of([1, 2], [30, 95]), 2, hop.k).early == 1


def test_a_hop_counts_what_any_of_the_sinks_behind_it_receives_in_the_window():
    tx = {0: Boundaries.of([1, 2], [10, 90]), 1: Boundaries.of([1, 2], [30, 95])}
    rx = {1: Boundaries.of([1, 2], [31, 96], [20, 92]), 2: Boundaries.of([1, 2], [60, 150], [50, 99]),
          3: Boundaries.of([1, 2], [110, 160], [70, 99])}
    plan = {"blocks": [{"instance": name, "index": i} for i, name in enumerate("abcd")],
            "pairs": [{"source": "a", "sink": sink, "pipe": None} for sink in "cd"],
            "hops": [{"from": "a", "to": "b", "pipe": None, "sinks": ["c", "d"]},
                     {"from": "b", "to": "c", "pipe": None, "sinks": ["c"]}]}
    before_both, before_one = hop_samples(Trace(0, 0, tx, rx), plan, [2, 2], Window(100, 200))
    assert (before_both.k.tolist(), before_one.k.tolist(), before_one.waiting_ns.tolist()) == ([1, 2], [2], [4])


def test_a_block_that_sends_an_item_before_it_consumes_it_was_at_work_when_it_sent():
    tx, looked_ahead = Boundaries.of([1], [10]), Boundaries.of([1], [50], [40])
    hop = match_hop("src", "mid", None, tx, looked_ahead, Boundaries.of([1], [30]), 1)
    assert (hop.waiting_ns.tolist(), hop.work_ns.tolist(), hop.early) == ([20], [0], 0)


def test_an_end_before_its_start_is_noticed_in_the_warm_up_too():
    results = {"status": "ok", "reasons": []}
    pair = match("src", "snk", None, Boundaries.of([1, 2], [50, 150]), Boundaries.of([1, 2], [40, 160]), 2,
                 Window(100, 200))
    add_latency(results, [pair])
    assert results["latency"]["count"] == 1 and [r["code"] for r in results["reasons"]] == ["E_NEGATIVE_LATENCY"]
    assert "1 boundaries" in results["reasons"][0]["message"] and "10 ns" in results["reasons"][0]["message"]


def test_without_pairs_or_samples_nothing_is_invented():
    assert latency_fields([], (), 5) == {"latency": None, "latency_pairs": None, "hops": None, "response": None}
    empty = summarise(np.empty(0, np.int64), 3)
    assert empty["lost"] == 3 and empty["count"] == 0
    assert {v for k, v in empty.items() if k.endswith("_ns")} == {None}


@given(st.lists(st.integers(-10**12, 10**12), min_size=1, max_size=400), st.integers(1, 1000))
def test_nearest_rank_is_the_definition(values, per_mille):
    ordered = np.sort(np.array(values))
    wanted = next(v for i, v in enumerate(ordered) if (i + 1) * 1000 >= per_mille * len(values))
    assert nearest_rank(ordered, per_mille) == wanted


def test_the_mean_of_many_long_latencies_is_not_rounded_on_the_way():
    assert summarise(np.array([1, 2**53 + 1, 2**53 + 1]), 0)["mean_ns"] == (2**54 + 3) / 3


def test_whole_percentiles_are_not_pushed_up_by_binary_fractions():
    assert nearest_rank(np.arange(1, 101), 70) == 7  # 0.07 * 100 is 7.000000000000001
    assert nearest_rank(np.arange(1, 101), 950) == 95


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=300))
def test_percentile_text_reads_back(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("hgrm") / "latency.hgrm"
    write_hgrm(path, np.array(values))
    levels, read = read_hgrm(path)
    assert read[-1] == max(values) and levels[-1] == 1.0
    assert np.all(np.diff(levels) > 0) and np.all(np.diff(read) >= 0)
    ordered = sorted(values)
    for level, value in zip(levels, read):
        assert value == ordered[max(0, math.ceil(level * len(ordered)) - 1)]


def test_percentile_text_of_a_run_without_samples_has_no_rows(tmp_path):
    write_hgrm(tmp_path / "latency.hgrm", np.empty(0, np.int64))
    assert len(read_hgrm(tmp_path / "latency.hgrm")[0]) == 0


def test_block_table_leaves_what_was_not_measured_empty(tmp_path):
    block = {"id": "a", "worker": "w0", "calls": 3, "unaligned_calls": 2, "items_in": 4, "items_out": 5,
             "busy_ns": None, "items_per_call": None}
    write_table(tmp_path / "blocks.csv", "block", [block])
    assert (tmp_path / "blocks.csv").read_text().splitlines()[1] == "a,w0,3,2,4,5,,,,,"


def test_pairs_have_curves_of_their_own_where_there_are_several(tmp_path: Path) -> None:
    def pair(sink: str, *latencies: int) -> PairSamples:
        values = np.array(latencies, np.int64)
        return PairSamples("source", sink, None, np.arange(len(values), dtype=np.uint64), np.zeros_like(values), values,
                           0)

    write_curves(tmp_path, [pair("one", 10, 20)])
    assert [path.name for path in tmp_path.iterdir()] == ["latency.hgrm"]
    write_curves(tmp_path, [pair("one", 10, 20), pair("two", 500)])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["latency.0.hgrm", "latency.1.hgrm", "latency.hgrm"]
    assert [read_hgrm(tmp_path / f"latency{x}.hgrm")[1][-1] for x in (".0", ".1", "")] == [20, 500, 500]
