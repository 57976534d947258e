"""Test `weir rate` against a queue of known limit: a throttle, whose output has a fixed rate whatever the offered load.
"""

from __future__ import annotations

import json
import subprocess

import jsonschema
import pytest
from lttng_world import environment
from weir.model.document import shape
from weir_process import project, weir

#: Service rate of the queue in items per second. Low, so that the work itself is negligible on any machine.
LIMIT = 400e3


def rated(folder, *words: str) -> dict:
    path = project(folder, 1, graph={
        "blocks": [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
                   {"id": "served", "type": "throttle", "parameters": {"rate": LIMIT, "burst_items": 1}},
                   {"id": "sink", "type": "null_sink"}],
        "connections": [["source", "out", "served", "in"], ["served", "out", "sink", "in"]]},
        deployments=[{"name": "parked", "scheduler": "thread_per_block", "wait": "park"}],
        run={"trace": {"backend": "memory", "probe_granularity": 128}})
    done = subprocess.run(weir("rate", path, "--json", "--out", folder / "runs", *words), env=environment(folder),
                          capture_output=True, text=True, timeout=600)
    assert done.returncode in (0, 4), done.stderr
    answer = json.loads(done.stdout)
    jsonschema.Draft202012Validator(shape.schema("rate")).validate(answer)
    assert [it["block"] for it in answer["added"]] == ["pace_source"]
    assert answer["flat_out_items_per_s"] == pytest.approx(LIMIT, rel=0.2)
    return answer


def test_a_load_above_the_limit_of_a_queue_is_never_sustainable(tmp_path):
    # At twice the limit, an item at the end of 0.2 s is 0.1 s late on any machine. Below the limit, items on a busy
    # machine may be late, too.
    answer = rated(tmp_path, "--latency", "20ms", "--trial", "0.2s", "--duration-sum", "0.2s", "--width", "50%",
                   "--budget", "6s")
    assert answer["upper_items_per_s"] is None or answer["lower_items_per_s"] is None or \
        answer["lower_items_per_s"] < answer["upper_items_per_s"]
    assert answer["lower_items_per_s"] is None or answer["lower_items_per_s"] < 1.5 * LIMIT
    kept = {path.name for path in (tmp_path / "runs").iterdir()}
    assert {it["run_id"] for it in answer["trials"]} <= kept
    for it in answer["trials"]:
        assert it["load_items_per_s"] < 1.5 * LIMIT or it["loss_ratio"] > 0.1


@pytest.mark.slow
def test_the_limit_of_a_queue_is_between_the_bounds(tmp_path):
    # 50 ms late at the end of 1.1 s means 5 % above the limit. A machine that is busy all the time lowers the answer.
    answer = rated(tmp_path, "--latency", "50ms", "--width", "4%", "--budget", "3m")
    assert not answer["irregular"] and answer["state"] == "complete"
    assert 0.8 * LIMIT < answer["lower_items_per_s"] < 1.06 * LIMIT
    loads = [it["load_items_per_s"] for it in answer["curve"]]
    assert loads == sorted(loads) and any(load < 0.2 * LIMIT for load in loads)
