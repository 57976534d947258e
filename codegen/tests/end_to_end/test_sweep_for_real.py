"""Test `weir sweep` with real programs and traces: killed during a run, resumed, and compared."""

from __future__ import annotations

import csv
import json
import shutil
import signal
import subprocess
from pathlib import Path

import jsonschema
from lttng_world import environment
from weir.model.document import shape
from weir_process import project, wait_for_worker, weir


def answer(words: list[str], world: dict, code: int = 0) -> dict:
    done = subprocess.run(words, env=world, capture_output=True, text=True, timeout=300)
    assert done.returncode == code, done.stderr
    value = json.loads(done.stdout)
    jsonschema.Draft202012Validator(shape.schema("sweep_answer")).validate(value)
    return value


def test_a_sweep_whose_process_is_killed_in_a_run_continues_with_that_run(tmp_path: Path) -> None:
    world, out = environment(tmp_path), tmp_path / "out"
    started = tmp_path / "started"
    (tmp_path / "lttng-sessiond").write_text(
        f"#!/bin/sh\necho started >>{started}\nexec {shutil.which('lttng-sessiond')} \"$@\"\n")
    (tmp_path / "lttng-sessiond").chmod(0o755)
    world["PATH"] = f"{tmp_path}:{world['PATH']}"
    paced = project(tmp_path, seconds=0.5, sweeps=[
        {"name": "traced", "vary": {"trace": ["lttng", "off"], "/deployments/0/chunk_items": [256, 1024]},
         "repetitions": 2, "hold": ["chunk_items"]}])
    document = json.loads(paced.read_text())
    document["deployments"][0].update(build={"optimisation": "O0"}, chunk_items=256)
    paced.write_text(json.dumps(document))
    words = weir("sweep", paced, "--out", out, "--repeats", "0", "--seed", "3", "--json")
    with subprocess.Popen(words, env=world, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as killed:
        wait_for_worker(killed.pid, "w0")
        killed.send_signal(signal.SIGKILL)
        assert killed.wait() == -signal.SIGKILL
    there = {path.name for path in out.glob("2*Z-*")}
    assert (out / "sweep.json").is_file() and len(there) < 8
    jsonschema.Draft202012Validator(shape.schema("sweep")).validate(json.loads((out / "sweep.json").read_text()))

    started.unlink(missing_ok=True)
    value = answer(weir("sweep", paced, "--out", out, "--resume", "--json"), world)
    # Each start and end of the daemon takes half a second, so the sweep keeps it. It may be that of another program.
    assert not started.exists() or len(started.read_text().splitlines()) == 1
    assert (value["state"], value["runs"], value["ok"]) == ("complete", 8, 8)
    assert [point["values"] for point in value["points"]] == [
        {"trace": trace, "vary_chunk_items": chunk} for trace in ("lttng", "off") for chunk in (256, 1024)]
    assert value["fairness"] == []  # there is one contender
    with open(out / "table.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["round"], row["position"]) for row in rows] == [(str(b), str(p)) for b in range(2) for p in range(4)]
    assert {row["point"] for row in rows[:4]} == {"0", "1", "2", "3"}
    assert there <= {row["directory"] for row in rows} == {path.name for path in out.glob("2*Z-*")}
    for row in rows:
        assert (row["latency_count"] != "") == (row["trace"] == "lttng") and row["verified"] == "true"
        assert (float(row["bare_before_items_per_s"]) > 1e6 and row["chunk_items"]
                and float(row["chunk_items"]) <= float(row["vary_chunk_items"]))

    done = subprocess.run(weir("compare", out, out, "--a-point", "trace=lttng", "--b-point", "trace=off", "--json"),
                          env=world,
                          capture_output=True, text=True, timeout=100)
    assert (done.returncode == 4
            and {pair["design"] for pair in json.loads(done.stdout)["comparisons"]} == {"interleaved"})
    changed = subprocess.run(weir("sweep", paced, "--out", out, "--resume", "--items", "5"), env=world,
                             capture_output=True,
                             text=True, timeout=100)
    assert changed.returncode == 2 and "E_SWEEP_CHANGED" in changed.stderr
