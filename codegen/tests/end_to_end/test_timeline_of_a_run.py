"""Test which events a run records, which of them are kept, and the timeline of a real run."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from lttng_world import environment, needs_lttng
from weir_process import GRANULARITY, RATE, ended, project, start, weir

TRACE = {"probe_granularity": GRANULARITY, "events": ["work", "park"]}
ITEMS = RATE // 5


@pytest.fixture
def world(tmp_path: Path) -> dict[str, str]:
    return environment(tmp_path)


@pytest.fixture
def busy(tmp_path: Path) -> Path:
    """Return a project with two workers that park: the sink's worker waits for items in every chunk."""
    return project(tmp_path, 1, "busy", run={"items": ITEMS, "trace": {"backend": "lttng", **TRACE}},
                   deployments=[{"name": "pair", "scheduler": "thread_per_block", "wait": "park"}])


@needs_lttng
def test_work_and_parking_are_on_the_timeline(tmp_path, world, busy):
    [result] = ended(start(tmp_path, busy, world, "--keep-trace", private=True), 0)
    target = tmp_path / "t.json"
    done = subprocess.run(weir("runs", "trace", result["run_id"], "--out", tmp_path / "runs", "-o", target), env=world,
                          capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    events = json.loads(target.read_text())["traceEvents"]
    shown = Counter((e["ph"], e["name"]) for e in events)
    boundaries = ITEMS // GRANULARITY
    assert shown["i", "rx sink"] == boundaries <= shown["i", "tx radio"]
    assert shown["i", "park"] == shown["i", "unpark"] > 0
    calls = {block["id"]: block["calls"] for block in result["blocks"]}
    assert {name: shown["X", name] for name in calls} == calls
    items = Counter()
    for event in events:
        if event["ph"] == "X":
            items[event["name"]] += event["args"]["items"]
    assert items["sink"] == ITEMS
    tracks = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert sorted(tracks.values()) == sorted(thread["name"] for thread in result["threads"])
    workers = {block["id"]: block["worker"] for block in result["blocks"]}
    assert all(tracks[e["tid"]] == workers[e["name"]] for e in events if e["ph"] == "X")
    every = 2 * sum(calls.values()) + sum(n for (phase, _), n in shown.items() if phase == "i")
    assert result["trace"]["events"] == every


@needs_lttng
def test_a_trace_is_removed_once_it_was_analysed(tmp_path, world, busy):
    [result] = ended(start(tmp_path, busy, world, private=True), 0)
    assert result["status"] == "ok" and not (tmp_path / "runs" / result["run_id"] / "trace").exists()
    done = subprocess.run(weir("runs", "trace", result["run_id"], "--out", tmp_path / "runs", "-o",
                               tmp_path / "t.json"), env=world, capture_output=True, text=True)
    assert done.returncode == 4 and "E_TRACE_MISSING" in done.stderr and "--keep-trace" in done.stderr


def test_events_traced_in_memory_are_counted_and_not_kept(tmp_path, world, busy):
    few = RATE // 50  # on a fast machine, at worst one call per item: this many events fit into memory
    [result] = ended(start(tmp_path, busy, world, "--trace", "memory", "--keep-trace", "--items", few), 0)
    calls = sum(block["calls"] for block in result["blocks"])
    assert result["trace"]["backend"] == "memory" and result["trace"]["events"] > 2 * calls
    done = subprocess.run(weir("runs", "trace", result["run_id"], "--out", tmp_path / "runs", "-o",
                               tmp_path / "t.json"), env=world, capture_output=True, text=True)
    assert done.returncode == 4 and "in memory only" in done.stderr and "--trace lttng --keep-trace" in done.stderr
