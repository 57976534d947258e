"""Test `weir tune` from a project to its copy: built, verified and measured; then run the tuned project."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import jsonschema
import pytest
from lttng_world import environment
from weir.model.document import shape
from weir_process import weir

#: Blocks without known costs: the first stage costs many times as much as the others.
PROJECT = {
    "schema_version": 1, "name": "uneven",
    "graph": {
        "blocks": [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
                   {"id": "limit", "type": "head"},
                   {"id": "heavy", "type": "fir_filter", "parameters": {"taps": [1, 2, 3, 4, 3, 2, 1, 1, 1, 1, 1, 1]}},
                   {"id": "light", "type": "copy", "repeat": 3}, {"id": "sink", "type": "digest_sink"}],
        "connections": [["source", "out", "limit", "in"], ["limit", "out", "heavy", "in"],
                        ["heavy", "out", "light", "in"], ["light", "out", "sink", "in"]]},
    "deployments": [{"name": "one", "scheduler": "single_thread"}],
    "run": {"items": 1_000_000, "trace": {"backend": "off"}},
}
#: Flags with which compiling is quick: this tests the steps, not the figures.
FAST = ("--set", '/deployments/0/build={"optimisation": "O0"}')


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "uneven.weir.json"
    path.write_text(json.dumps(PROJECT))
    return path


def test_tuning_writes_a_copy_whose_deployments_run(project: Path, tmp_path: Path) -> None:
    world, before = environment(tmp_path), project.read_bytes()
    # Builds the runtime in advance, so the budget is spent on the graph.
    subprocess.run(weir("generate", "--build", project, *FAST), env=world, check=True, capture_output=True, timeout=600)
    done = subprocess.run(weir("tune", project, "--budget", "20s", "--json", *FAST), env=world, capture_output=True,
                          text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    jsonschema.Draft202012Validator(shape.schema("tune")).validate(answer)
    assert project.read_bytes() == before and set(answer["profile"]["blocks"]) == {
        "source", "limit", "heavy", "light", "sink"}
    cost = {name: block["ns_per_item"] for name, block in answer["profile"]["blocks"].items()}
    # Not necessarily more than the sink: without optimisation a digest costs as much.
    assert cost["heavy"] > 10 * max(cost["light"], cost["limit"])
    good = [row for row in answer["tried"] if row["items_per_s"]]
    assert good and answer["prediction_error"] is not None
    best = answer["best"]["throughput"]
    assert best["items_per_s"] == max(row["items_per_s"] for row in good if row["finalist"])
    autos = [row["items_per_s"] for row in good if row["finalist"] and row["auto"]]
    assert all(best["items_per_s"] >= rate for rate in autos)
    copy = tmp_path / "uneven.tuned.weir.json"
    assert copy.exists() == (answer["output"] is not None)
    if copy.exists():
        made = json.loads(copy.read_text())
        assert made["graph"] == PROJECT["graph"]
        assert {d["name"] for d in made["deployments"]} > {"one"}
        name = next(d["name"] for d in made["deployments"] if d["name"] != "one")
        again = subprocess.run(weir("plan", copy, "--deployment", name, "--json"), env=world, capture_output=True,
                               text=True, check=True)
        assert json.loads(again.stdout)["deployment"] == name
        refused = subprocess.run(weir("tune", project), env=world, capture_output=True, text=True)
        assert refused.returncode == 3 and "E_OUTPUT_EXISTS" in refused.stderr


def test_an_interrupt_ends_it_with_what_was_measured(project: Path, tmp_path: Path) -> None:
    process = subprocess.Popen(weir("tune", project, "--budget", "5m", "--json", "--progress=json", *FAST),
                               env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if line.startswith("{") and json.loads(line)["phase"] == "looking":
            break
    os.kill(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    answer = json.loads(out)
    jsonschema.Draft202012Validator(shape.schema("tune")).validate(answer)
    assert process.returncode == 4 and answer["interrupted"]
