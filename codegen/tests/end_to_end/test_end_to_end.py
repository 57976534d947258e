"""Run chains, forks, diamonds, rate changes and pipes: every scheduler gives the digest of a numpy reference."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from graph_reference import ROOT, expected_sinks
from planning import unoptimised

SCHEDULERS = ("single_thread", "thread_per_block", "flow")
#: Prime, so the last firing of every rate is incomplete and the last chunk odd.
ITEMS = 300_007


def block(name: str, kind: str, item_type: str | None = None, **more) -> dict:
    parameters = more.pop("parameters", {})
    if item_type:
        parameters = {"item_type": item_type, **parameters}
    return {"id": name, "type": kind, "parameters": parameters, **more}


def chain(*names: str) -> list[list[str]]:
    return [[a, "out", b, "in"] for a, b in zip(names, names[1:])]


#: One project has all shapes, so each scheduler needs one build. Values are small integers, so float32 is exact.
SHAPES = {
    "schema_version": 1, "name": "shapes",
    "graph": {
        "blocks": [
            block("count", "counter_source", "f32"), block("limit", "head"), block("ragged", "copy_rand", repeat=3),
            block("chain_end", "digest_sink"),
            block("fork", "counter_source", "i16"), block("fork_head", "head"), block("left", "copy"),
            block("right", "copy_rand"), block("left_end", "digest_sink"), block("right_end", "digest_sink"),
            block("top", "counter_source", "f32"), block("twice", "multiply_const", parameters={"constant": 2}),
            block("plus", "saxpy", parameters={"a": 1, "b": 3}), block("sum", "add"),
            block("diamond_end", "digest_sink"), block("fast", "counter_source", "f32"),
            block("slower", "fir_filter", parameters={"taps": [1, 2, 3], "decimation": 5}),
            block("slowest", "fir_filter", parameters={"taps": [1, -1], "decimation": 7}),
            block("rate_end", "digest_sink"),
            block("iq", "counter_source", "c64"), block("power", "complex_to_mag_squared"),
            block("power_end", "digest_sink"),
            block("parts", "complex_to_real_imag"), block("real_short", "float_to_integer", "i16"),
            block("real_end", "digest_sink"), block("imag_end", "digest_sink"),
            block("pairs", "complex_to_interleaved", "i16"), block("joined", "interleaved_to_complex"),
            block("joined_end", "digest_sink"),
            block("noise", "random_source", "u8"), block("noise_copy", "copy"), block("noise_end", "digest_sink"),
            block("short", "counter_source", "i32"), block("short_head", "head", parameters={"items": 1009}),
            block("short_end", "digest_sink"),
        ],
        "connections": [
            *chain("count", "limit", "ragged", "chain_end"),
            *chain("fork", "fork_head", "left", "left_end"), *chain("fork_head", "right", "right_end"),
            *chain("top", "twice"), *chain("top", "plus"), ["twice", "out", "sum", "in0"],
            ["plus", "out", "sum", "in1"], *chain("sum", "diamond_end"),
            *chain("fast", "slower", "slowest", "rate_end"), *chain("iq", "power", "power_end"),
            *chain("iq", "pairs", "joined", "joined_end"), ["iq", "out", "parts", "in"],
            ["parts", "real", "real_short", "in"], ["parts", "imag", "imag_end", "in"],
            *chain("real_short", "real_end"),
            *chain("noise", "noise_copy", "noise_end"), *chain("short", "short_head", "short_end"),
        ],
        "pipes": 2,
    },
    "deployments": [{"name": name, "scheduler": name} for name in SCHEDULERS],
    "run": {"items": ITEMS, "seed": 7, "timeout_s": 120, "trace": {"backend": "off"}},
}


#: Blocks of varying rates have their own worker beside a worker schedule: in front of a worker that reads their output,
#: and in a circle with one that waits for them within its period.
BESIDE = {"static": {"chain_end": "w2", "right_end": "w2", "rate_end": "w2"}, "fused": {}}
SHAPES["deployments"] += [
    {"name": name, "scheduler": name, "wait": "park", "placement": {"strategy": "explicit", "map": {
        **{it["id"]: "w1" if it["type"] == "copy_rand" else "w0" for it in SHAPES["graph"]["blocks"]}, **behind}}}
    for name, behind in BESIDE.items()]
ALL = (*SCHEDULERS, *BESIDE)
for deployment in SHAPES["deployments"]:  # compiles faster
    deployment["build"] = {"optimisation": "O0"}


def run(project: Path, folder: Path, *arguments: str) -> list[dict]:
    done = subprocess.run([sys.executable, "-m", "weir", "run", str(project), "--json", "--out", str(folder / "runs"),
                           *arguments],
                          env={**os.environ, "PYTHONPATH": str(ROOT / "codegen")}, capture_output=True, text=True,
                          timeout=900)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def shapes(tmp_path_factory, request) -> tuple[dict, dict[str, dict]]:
    """Return the expected items of the sinks, and the result of each requested scheduler, built side by side."""
    folder = tmp_path_factory.mktemp("shapes")
    asked = {item.callspec.params.get("scheduler") for item in request.session.items if hasattr(item, "callspec")}
    project = folder / "shapes.weir.json"
    project.write_text(json.dumps(SHAPES))
    results = run(project, folder, *(word for name in ALL if name in asked for word in ("--deployment", name)))
    return expected_sinks(project, folder), {result["deployment"]: result for result in results}


# Always one scheduler of each kind: random projects compare the others with numpy.
@pytest.mark.parametrize("scheduler", [pytest.param(it, marks=() if it in ("flow", "static") else pytest.mark.slow)
                                       for it in ALL])
def test_every_shape_gives_the_reference_digest(scheduler, shapes):
    wanted, results = shapes
    assert wanted["rate_end@p0"][0] == ITEMS // 5 // 7 and wanted["short_end@p1"][0] == 1009
    result = results[scheduler]
    assert result["status"] == "ok" and result["scheduler"] == scheduler
    assert {s["id"]: (s["items"], s["digest"]) for s in result["sinks"]} == wanted
    assert all(s["items"] == s["expected"] for s in result["sinks"])
    # A schedule fires no block for items that nothing reads, so its blocks leave none of these items behind.
    left_over = ITEMS // 5 % 7 + (0 if scheduler in BESIDE else ITEMS % 5)
    assert result["tail_items"] == 2 * left_over
    verification = result["verification"]
    assert verification["ok"] and verification["reference"] == "numpy", verification["message"]
    assert {sink["id"] for sink in verification["sinks"]} == set(wanted)
    assert verification["binary_hash"] == result["binary_hash"]


# The shapes have a fork and a diamond; random projects under the other schedulers are compared with numpy.
@pytest.mark.parametrize("name", ["quickstart", *(pytest.param(name, marks=pytest.mark.slow)
                                                  for name in ("fork", "diamond"))])
def test_every_deployment_of_an_example_gives_the_reference_digest(name, tmp_path):
    project = ROOT / "examples" / f"{name}.weir.json"
    items = 1_200_007
    wanted = expected_sinks(project, project.parent, {"/run/items": str(items)})
    deployments = [d["name"] for d in json.loads(project.read_text())["deployments"]]
    chosen = [word for d in deployments for word in ("--deployment", d)]
    results = run(project, tmp_path, "--items", str(items), *chosen, *unoptimised(project))
    assert sorted(r["deployment"] for r in results) == sorted(deployments)
    for result in results:
        digested = {s["id"]: (s["items"], s["digest"]) for s in result["sinks"] if s["digest"]}
        assert digested == {sink: wanted[sink] for sink in digested} and digested
