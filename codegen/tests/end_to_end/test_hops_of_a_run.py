"""Test latency per hop in real runs, through LTTng and in memory, under schedulers whose blocks stay or move."""

from __future__ import annotations

import csv
import json
import re
import subprocess

import pytest
from lttng_world import environment, needs_lttng
from weir_process import ended, project, start

# Many times the capacity of the rings; otherwise one end finishes before the other begins.
ITEMS, GRANULARITY = 2_000_000, 10_000
GRAPH = {
    "blocks": [{"id": "numbers", "type": "counter_source", "parameters": {"item_type": "f32"}},
               {"id": "limit", "type": "head"},
               {"id": "fir", "type": "fir_filter", "parameters": {"taps": [1.0], "decimation": 4}, "probe": True},
               {"id": "sum", "type": "add", "probe": True}, {"id": "again", "type": "copy"},
               {"id": "narrow", "type": "digest_sink"}, {"id": "wide", "type": "digest_sink"}],
    "connections": [["numbers", "out", "limit", "in"], ["limit", "out", "fir", "in"], ["limit", "out", "wide", "in"],
                    ["fir", "out", "sum", "in0"], ["fir", "out", "again", "in"], ["again", "out", "sum", "in1"],
                    ["sum", "out", "narrow", "in"]]}
WAY = [("numbers", "fir"), ("fir", "sum"), ("sum", "narrow")]


@pytest.fixture
def path(tmp_path):
    return project(tmp_path, 1, "hops", graph=GRAPH,
                   deployments=[{"name": "flow", "scheduler": "flow", "workers": 2},
                                {"name": "work_stealing", "scheduler": "work_stealing"}],
                   run={"items": ITEMS, "timeout_s": 100,
                        "trace": {"backend": "lttng", "probe_granularity": GRANULARITY}})


def check(result: dict) -> None:
    assert result["status"] == "ok", result["reasons"]
    hops = {(h["from"], h["to"]): h for h in result["hops"]}
    assert set(hops) == {*WAY, ("numbers", "wide")}
    assert {h["lost"] for h in hops.values()} == {0}
    for way, sink in ((WAY, "narrow"), ([("numbers", "wide")], "wide")):
        pair = next(p for p in result["latency_pairs"] if p["sink"] == sink)
        parts = [hops[step][part] for step in way for part in ("waiting", "work")]
        # One of the two sinks finishes first; the window has everything that this sink received.
        assert {hops[step]["count"] for step in way} == {pair["count"]} and 20 <= pair["count"] <= ITEMS // GRANULARITY
        assert sum(part["mean_ns"] for part in parts) == pytest.approx(pair["mean_ns"], abs=0.01)
        assert all(0 <= part["p50_ns"] <= part["max_ns"] and part["p99_ns"] is None for part in parts)


@needs_lttng
def test_hops_add_up_through_lttng_and_are_what_the_events_say(tmp_path, path):
    [result] = ended(start(tmp_path, path, environment(tmp_path), "--deployment", "flow", "--keep-trace",
                           private=True), 0)
    assert result["trace"]["backend"] == "lttng"
    check(result)
    [folder] = (tmp_path / "runs").glob("*flow*")
    text = subprocess.run(["babeltrace2", "--clock-cycles", str(folder / "trace")], check=True, capture_output=True,
                          text=True).stdout
    index = {b["instance"]: b["index"] for b in json.loads((folder / "plan.json").read_text())["blocks"]}
    sent, entered, received = {}, {}, {}
    for m in re.finditer(r"\[(\d+)\].* weir:(tx|rx): .*?block = (\d+), k = (\d+)(?:, (\w+) = (\d+))?", text):
        time_ns, block, k = int(m[1]), int(m[3]), int(m[4])
        if m[2] == "tx":
            sent[block, k] = time_ns
        else:
            entered[block, k], received[block, k] = int(m[6]), time_ns
    fir, total = index["fir"], index["sum"]
    waiting = [entered[total, k] - sent[fir, k] for k in range(1, ITEMS // GRANULARITY + 1)
               if result["window"]["begin_ns"] < received[index["narrow"], k] <= result["window"]["end_ns"]]
    hop = next(h for h in result["hops"] if (h["from"], h["to"]) == ("fir", "sum"))
    assert hop["waiting"]["max_ns"] == max(waiting)
    assert hop["waiting"]["mean_ns"] == pytest.approx(sum(waiting) / len(waiting))
    with open(folder / "hops.csv", newline="") as file:
        assert {(row["from"], row["to"]): int(row["waiting_max_ns"]) for row in csv.DictReader(file)} == {
            (h["from"], h["to"]): h["waiting"]["max_ns"] for h in result["hops"]}


def test_hops_add_up_in_memory_where_blocks_move_between_workers(tmp_path, path):
    [result] = ended(start(tmp_path, path, environment(tmp_path), "--deployment", "work_stealing", "--trace",
                           "memory"), 0)
    assert result["trace"]["backend"] == "memory"
    check(result)
    assert result["trace"]["cost"] == pytest.approx(result["trace"]["events"] * 100e-9 / result["elapsed_s"])
    assert result["speed_check"]["before_items_per_s"] > 0 and result["clocks"]["raw_s"] > 0
