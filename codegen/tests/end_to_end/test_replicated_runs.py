"""Test programs whose workers all run the whole graph: together they give the result of one worker, to the bit."""

from __future__ import annotations

import hashlib
import json

import pytest
from planning import UNOPTIMISED, project
from weir.engine.measuring.recording import Recording
from weir.tracers import MEMORY
from weir_process import answer, program_of

ITEMS = 2 * 10**6 + 7
DEPLOYMENTS = {"alone": {"scheduler": "single_thread"},
               "two": {"scheduler": "replicated", "workers": 2, "wait": "yield"},
               "fused": {"scheduler": "replicated", "workers": 3, "wait": "park", "parameters": {"fuse": True}}}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[dict, str]]:
    """Return, by deployment, the results and the hash of the file written in order."""
    folder = tmp_path_factory.mktemp("replicated")
    blocks = [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
              {"id": "first", "type": "saxpy"}, {"id": "second", "type": "saxpy", "parameters": {"a": 0.5}},
              {"id": "filter", "type": "fir_filter", "parameters": {"taps": [0.5, -0.25, 0.125, 1.0, 0.75]}},
              {"id": "digest", "type": "digest_sink"},
              {"id": "fewer", "type": "fir_filter", "parameters": {"taps": [1.0, 2.0, 3.0], "decimation": 10}},
              {"id": "dc", "type": "dc_blocker"},
              {"id": "file", "type": "file_sink", "parameters": {"path": "out.f32"}}]
    wires = ["source.out > first.in", "first.out > second.in", "second.out > filter.in", "filter.out > digest.in",
             "filter.out > fewer.in", "fewer.out > dc.in", "dc.out > file.in"]
    document = project(blocks, wires, run={"items": ITEMS, "metrics": "counters",
                                             "trace": {"backend": "memory", "probe_granularity": 4096}},
                       deployments=[{"name": name, "build": UNOPTIMISED, **one} for name, one in DEPLOYMENTS.items()])
    found = {}
    for name in DEPLOYMENTS:
        program, out = program_of(folder / name, document, "--deployment", name), folder / "out" / name
        result = answer(program, out)
        plan = json.loads((folder / name / "plan.json").read_text())
        Recording(plan, MEMORY, name, out, 0).add_to(result)
        found[name] = result, hashlib.sha256((out / "out.f32").read_bytes()).hexdigest()
    return found


@pytest.mark.parametrize("name", ["two", "fused"])
def test_together_they_give_the_result_of_one(name: str, runs: dict[str, tuple[dict, str]]) -> None:
    (alone, written), (several, also_written) = runs["alone"], runs[name]
    assert written == also_written
    assert several["status"] == "ok" and several["sinks"] == alone["sinks"]
    assert {s["id"]: s["items"] for s in several["sinks"]} == {"digest": ITEMS, "file": ITEMS // 10}
    counted = [{b["id"]: (b["items_in"], b["items_out"]) for b in it["blocks"]} for it in (alone, several)]
    assert counted[0] == counted[1] and {b["worker"] for b in several["blocks"]} == {None}


@pytest.mark.parametrize("name", list(DEPLOYMENTS))
def test_each_boundary_has_its_latency(name: str, runs: dict[str, tuple[dict, str]]) -> None:
    """Count lost boundaries over the whole run, and latencies before the first sink had all items."""
    latency = runs[name][0]["latency"]
    assert latency["count"] > 300 and latency["lost"] == 0
    assert 0 < latency["p50_ns"] < latency["max_ns"]
