"""Test a program's report about its load: whether it kept up with paced sources, and the interference on its CPUs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from fixture_program import codes, events_of, needs_program, results_of, run

pytestmark = needs_program


def paced(out: Path, *arguments: str, fixture: str = "paced") -> dict:
    done = run(fixture, *arguments, out=out)
    assert done.returncode == 0, done.stderr
    return {**results_of(out), "stdout": done.stdout}


def told(out: Path, *arguments: str) -> dict:
    """Return the first of five runs for which `kept_up` is decided; on a busy machine it may stay undecided."""
    for attempt in range(5):
        r = paced(out / str(attempt), *arguments)
        if r["load"]["kept_up"] is not None:
            return r
    pytest.fail("`kept_up` was undecided in five runs")


def rate_that_would_have_held(r: dict) -> float:
    message, = [x["message"] for x in r["reasons"] if x["code"] == "W_OVERLOADED"]
    return float(re.search(r"source offers \d+ items/s, but only (\d+) items/s arrived and .*\. Try about \1 items/s",
                           message)[1])


def test_a_chain_that_is_too_slow_is_overloaded_and_half_the_rate_that_is_named_holds(tmp_path):
    # Each call of the stage sleeps 10 ms and takes at most a chunk of 4096 items, so 400 k items/s is the upper limit.
    slow = ("--param", "stage.delay_us=10000", "--warmup-items", "20k")
    r = paced(tmp_path / "fast", *slow, "--param", "source.rate=1M", "--items", "500k")
    assert r["status"] == "ok" and r["load"]["offered_items_per_s"] == r["offered_items_per_s"] == 1e6
    assert r["load"]["kept_up"] is False and r["load"]["delivered_items_per_s"] < 450e3
    held = rate_that_would_have_held(r)
    assert (held == pytest.approx(r["load"]["delivered_items_per_s"], abs=1) and "did not keep up" in r["stdout"]
            and "W_OVERLOADED" in r["stdout"])
    r = told(tmp_path / "slower", *slow, "--param", f"source.rate={held / 2}", "--items", f"{int(held)}")
    assert r["load"]["kept_up"] is True and "W_OVERLOADED" not in codes(r) and ": kept up" in r["stdout"]


def test_a_backlog_that_the_buffers_take_in_is_a_backlog(tmp_path):
    # The source never waits: its buffer holds all items of the run.
    r = paced(tmp_path, "--param", "stage.delay_us=10000", "--param", "source.rate=570k", "--items", "400k",
              "--warmup-items", "4k", fixture="paced_into_a_lake")
    assert r["granted"]["buffers"]["source.out"] > 400_000
    assert r["load"]["kept_up"] is False and r["load"]["delivered_items_per_s"] < 450e3
    assert rate_that_would_have_held(r) == pytest.approx(r["load"]["delivered_items_per_s"], abs=1)


def test_a_window_that_ends_in_the_first_half_of_the_run_is_flagged(tmp_path):
    """Run the second radio for 0.3 s, and the first one, whose sink ends the window, for 30 ms or as long."""
    for rate, early in (("1M", True), ("100k", False)):
        r = paced(tmp_path / rate, "--param", f"source.rate={rate}", "--items", "30k", "--warmup-items", "1k",
                  fixture="two_paced")
        assert ("N_EARLY_WINDOW" in codes(r)) == early and r["window_s"] < r["elapsed_s"]


def test_of_two_sources_the_one_that_is_too_fast_is_named_with_its_own_rate(tmp_path):
    r = paced(tmp_path, "--param", "stage.delay_us=20000", "--param", "source.rate=400k", "--items", "100k",
              "--warmup-items", "4k", fixture="two_paced")
    assert r["load"]["offered_items_per_s"] == 500e3 and r["load"]["kept_up"] is False
    message, = [x["message"] for x in r["reasons"] if x["code"] == "W_OVERLOADED"]
    assert message.startswith("source offers 400000 items/s, but only ") and "other" not in message
    held = rate_that_would_have_held(r)
    assert held < 250e3 and r["load"]["delivered_items_per_s"] == pytest.approx(held + 100e3, rel=0.3)


def test_a_chain_that_keeps_up_says_so(tmp_path):
    r = told(tmp_path, "--items", "100k", "--warmup-items", "1k")
    assert r["load"]["kept_up"] is True and r["load"]["offered_items_per_s"] == 100e3
    assert 50e3 < r["load"]["delivered_items_per_s"] < 150e3


def test_a_source_that_runs_flat_out_has_no_load_to_keep_up_with(tmp_path):
    done = run("chain", "--param", "stage.delay_us=10000", "--items", "200k", out=tmp_path)
    assert done.returncode == 0
    r = results_of(tmp_path)
    assert r["load"] == {"offered_items_per_s": None, "delivered_items_per_s": None, "kept_up": None}
    assert "W_OVERLOADED" not in codes(r) and "offered" not in done.stdout


def test_a_busy_process_beside_the_run_is_reported(tmp_path):
    """Two busy processes per CPU take a share of the CPUs of this run, whatever other programs do."""
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
               for _ in range(2 * len(os.sched_getaffinity(0)))]
    try:
        assert run("chain", "--param", "stage.delay_us=2000", "--items", "800k", out=tmp_path).returncode == 0
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
    r = results_of(tmp_path)
    assert r["status"] == "ok" and r["environment"]["other_programs"] > 0.1
    message, = [x["message"] for x in r["reasons"] if x["code"] == "W_DISTURBED"]
    assert "during this run" in message and "other processes" in message


def test_interference_is_in_the_results(tmp_path):
    assert run("chain", out=tmp_path).returncode == 0
    r = results_of(tmp_path)
    assert r["environment"]["runnable"] >= 0 and 0 <= r["environment"]["other_programs"] <= 1
    assert all(t["run_delay_s"] >= 0 for t in r["threads"])


def test_a_paced_source_is_measured_from_when_items_were_due(tmp_path):
    assert run("paced", "--items", "50k", "--warmup-items", "0", out=tmp_path).returncode == 0
    r = results_of(tmp_path)
    assert 0 < r["throughput_items_per_s"] < 150e3
    due = [event.since_ns for event in events_of(tmp_path, "tx")]
    gaps = [b - a for a, b in zip(due, due[1:])]
    assert all(abs(gap - 10_000_000) <= 1
               for gap in gaps)      # 1000 items at 100 k items/s, however late the source was
