"""Case 10: a throttle wakes a flowgraph for a burst, not for each item, and no worker is busy until the next one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from weir.cli import main
from weir.engine.measuring import results as res
from weir.model.check import check

CASE = Path(__file__).parent / "cases" / "10-throttle-item-by-item"
#: Items a second; so many for a second, in bursts of 20 ms.
RATE, ITEMS, BURSTS = 32_000, 32_000, 50


def run(capsys: pytest.CaptureFixture, out: Path, deployments: list[str], *words: str) -> dict[str, dict]:
    """The results of a second of the case, by deployment."""
    chosen = [word for name in deployments for word in ("--deployment", name)]
    code = main(["run", str(CASE / "throttled.weir.json"), *chosen, "--json", "--out", str(out),
                 "--set", f"/graph/blocks/5/parameters/items={ITEMS}", "--set", f"/run/items={ITEMS}",
                 "--set", '/run/metrics="counters"', *words])
    answer = capsys.readouterr()
    assert code == 0, answer
    return {it["deployment"]: it for it in json.loads(answer.out)}


def check_wakes(results: dict) -> None:
    """Counts, as what it takes depends on the machine: item by item there are some 32,000 of each, and more."""
    assert results["status"] == "ok" and results["sinks"][0]["items"] == ITEMS
    assert results["elapsed_s"] >= 0.95 * ITEMS / RATE
    switches = [thread["voluntary_switches"] for thread in results["threads"]]
    assert max(switches) >= 5, "nobody slept until an item was due"
    assert max(switches) < 10 * BURSTS
    for block in results["blocks"]:
        assert block["calls"] < 100 * BURSTS, block
    assert "W_SMALL_BURSTS" not in {it["code"] for it in results["reasons"]}


def test_a_throttle_wakes_for_bursts_and_a_run_says_so_where_it_does_not(tmp_path, capsys, monkeypatch):
    """Also that one thread sleeps in between by default."""
    check_wakes(run(capsys, tmp_path, ["single_thread"])["single_thread"])
    # The same program, item by item: how often it is woken then, a busy machine decides.
    monkeypatch.setattr(res, "MANY_WAKES_PER_S", 5 * BURSTS)
    results = run(capsys, tmp_path, ["single_thread"], "--param", "t.burst_items=1")["single_thread"]
    [said] = [it["message"] for it in results["reasons"] if it["code"] == "W_SMALL_BURSTS"]
    assert said.endswith("a larger `burst_items` of `t` lets more of them pass together")


@pytest.mark.slow
def test_no_scheduler_wakes_for_each_item(tmp_path, capsys):
    names = ["flow", "static", "work_stealing", "thread_pool", "thread_per_block"]
    for results in run(capsys, tmp_path, names).values():
        check_wakes(results)


def test_an_imported_throttle_holds_the_rate_in_bursts(capsys):
    assert main(["import", str(CASE / "throttled.grc"), "-o", "-", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    checked = check(answer["document"])
    assert checked.graph is not None, checked.diagnostics
    [throttle] = [it for it in checked.graph.instances if it.type.id == "throttle"]
    assert (throttle.parameters["rate"], throttle.parameters["burst_items"]) == (RATE, 4096)
    [reason] = [it["reason"] for it in answer["kept"] if it["name"] == "thr"]
    assert reason.startswith("holds the rate")
