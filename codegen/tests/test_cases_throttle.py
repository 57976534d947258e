"""Test that a throttle wakes a flowgraph per burst, not per item, and that no worker is busy in between."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from planning import UNOPTIMISED, project
from weir.cli import main
from weir.engine.measuring import results as res

#: Items per second; items of one second; number of bursts of 20 ms.
RATE, ITEMS, BURSTS = 32_000, 32_000, 50
KINDS = {"s": "signal_source", "t": "throttle", "a": "copy", "b": "copy", "c": "copy", "h": "head", "k": "digest_sink"}
GIVEN = {"s": {"item_type": "c64"}, "t": {"rate": RATE}, "h": {"items": ITEMS}}
DEPLOYMENTS = ["single_thread", "flow", "static", "work_stealing", "thread_pool", "thread_per_block"]
THROTTLED = project([{"id": name, "type": kind, "parameters": GIVEN.get(name, {})} for name, kind in KINDS.items()],
                    [f"{a}.out > {b}.in" for a, b in zip("stabch", "tabchk")],
                    deployments=[{"name": name, "scheduler": name, "build": UNOPTIMISED,
                                  **({} if name == "single_thread" else {"wait": "park"})} for name in DEPLOYMENTS],
                    run={"items": ITEMS, "warmup_items": 0, "timeout_s": 60, "metrics": "counters",
                         "trace": {"backend": "off"}})


def run(capsys: pytest.CaptureFixture, out: Path, deployments: list[str], *words: str) -> dict[str, dict]:
    """Return the results of a second of the case, by deployment."""
    chosen = [word for name in deployments for word in ("--deployment", name)]
    (out / "p.weir.json").write_text(json.dumps(THROTTLED))
    code = main(["run", str(out / "p.weir.json"), *chosen, "--json", "--out", str(out), *words])
    answer = capsys.readouterr()
    assert code == 0, answer
    return {it["deployment"]: it for it in json.loads(answer.out)}


def check_wakes(results: dict) -> None:
    """Check counts, because times depend on the machine. Item by item there would be 32,000 of each, or more."""
    assert results["status"] == "ok" and results["sinks"][0]["items"] == ITEMS
    assert results["elapsed_s"] >= 0.95 * ITEMS / RATE
    switches = [thread["voluntary_switches"] for thread in results["threads"]]
    assert max(switches) >= 5, "nobody slept until an item was due"
    assert max(switches) < 10 * BURSTS
    for block in results["blocks"]:
        assert block["calls"] < 100 * BURSTS, block
    assert "W_SMALL_BURSTS" not in {it["code"] for it in results["reasons"]}


def test_a_throttle_wakes_for_bursts_and_a_run_says_so_where_it_does_not(tmp_path, capsys, monkeypatch):
    """Check also that a single thread sleeps in between by default."""
    check_wakes(run(capsys, tmp_path, ["single_thread"])["single_thread"])
    # The same program, eight items at a time: item by item, a slow machine is never done before the next one.
    monkeypatch.setattr(res, "MANY_WAKES_PER_S", 5 * BURSTS)
    results = run(capsys, tmp_path, ["single_thread"], "--param", "t.burst_items=8")["single_thread"]
    [said] = [it["message"] for it in results["reasons"] if it["code"] == "W_SMALL_BURSTS"]
    assert said.endswith("a larger `burst_items` of `t` lets more items pass together")


@pytest.mark.slow
def test_no_scheduler_wakes_for_each_item(tmp_path, capsys):
    for results in run(capsys, tmp_path, DEPLOYMENTS[1:]).values():
        check_wakes(results)
