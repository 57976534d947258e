"""Test that a run detects a binary with wrong results: mutated runtimes, blocks that round wrongly, slow blocks."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from planning import UNOPTIMISED, unoptimised
from weir import ROOT
from weir.model.document import shape

NULL_RAND = ROOT / "examples" / "null_rand_latency.weir.json"
CALL = "        const WorkResult result = Base::call(in_views, out_views);\n"
MUTANTS = {name: f"        ([](const auto& out) {{ {line} }}(std::get<O>(out_views)), ...);\n" for name, line in {
    "swapped": "std::swap_ranges(out.data(), out.data() + out.produced() / 2, out.data() + out.produced() / 2);",
    "duplicated": "if (out.produced() > 1) out.data()[1] = out.data()[0];"}.items()}
#: The block's output exceeds its bound by far, and is no integer.
SLIGHTLY = {
    "block.json": {"format": 1, "id": "slightly", "title": "Slightly", "inputs": [{"id": "in", "type": "f32"}],
                   "outputs": [{"id": "out", "type": "f32"}], "parameters": [], "item_types": ["f32"],
                   "behaviour": {"state": "stateless"}, "accuracy": {"ulp": 2}},
    "slightly.hpp": """#pragma once
#include <algorithm>
#include "weir/block.hpp"
namespace weir::blocks {
template <class T> struct Slightly {
    struct Params {};
    Params params;
    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        for (std::size_t i = 0; i < n; ++i) out[i] = in[i] * 0.100001F;
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }
};
}  // namespace weir::blocks
""",
    "reference.py": 'def reference(parameters, inputs, item_type, context):\n'
                    '    return {"out": inputs["in"].astype("f8") * 0.1}\n',
}


def weir(tree: Path, folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-P", "-m", "weir", "run", *map(str, arguments), "--json",
                           "--out", str(folder / "runs")], cwd=folder, capture_output=True, text=True, timeout=900,
                          env={**os.environ, "PYTHONPATH": str(tree / "codegen")}, check=False)


def project(folder: Path, *middle: dict) -> Path:
    """Return a project with a source and a throttle that would take a quarter of an hour in the first verifying run."""
    blocks = [{"id": "radio", "type": "paced_source", "parameters": {"item_type": "f32", "rate": 10}},
              {"id": "slow", "type": "throttle", "parameters": {"rate": 10}}, *middle,
              {"id": "end", "type": "null_sink"}]
    path = folder / "paced.weir.json"
    path.write_text(json.dumps({
        "schema_version": 1, "name": "paced",
        "graph": {"blocks": blocks,
                  "connections": [[a["id"], "out", b["id"], "in"] for a, b in zip(blocks, blocks[1:])]},
        "deployments": [{"name": "d", "scheduler": "thread_pool", "build": UNOPTIMISED}],
        "run": {"items": 1, "trace": {"backend": "lttng"}}}))
    return path


@pytest.mark.parametrize("mutant", ["swapped", pytest.param("duplicated", marks=pytest.mark.slow)])
def test_a_plain_run_of_a_spoilt_runtime_is_invalid(mutant: str, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    for part in ("codegen/weir", "runtime", "block-library", "templates"):
        shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("__pycache__", "tests"))
    node = tree / "runtime/include/weir/node.hpp"
    text = node.read_text()
    assert text.count(CALL) == 2  # the first call of a turn, and the call that keeps ports aligned
    node.write_text(text.replace(CALL, CALL + MUTANTS[mutant]))
    chosen = ("--deployment", "flow", "--deployment", "thread_pool", "--items", "100000", "--trace", "off",
              *unoptimised(NULL_RAND))
    for _ in ("found out", "remembered"):
        done = weir(tree, tmp_path, NULL_RAND, *chosen)
        assert done.returncode == 4, done.stderr
        for result in json.loads(done.stdout):
            assert result["status"] == "invalid" and "E_VERIFY" in [r["code"] for r in result["reasons"]]
            assert not result["verification"]["ok"] and result["verification"]["message"]
    stored = [json.loads(path.read_text()) for path in (tmp_path / "runs").glob("*/results.json")]
    assert len(stored) == 4 and all(result["status"] == "invalid" for result in stored)


def test_a_verification_waits_for_no_clock_traces_nothing_and_stores_no_run(tmp_path: Path) -> None:
    scale = {"id": "scale", "type": "multiply_const", "parameters": {"constant": 0.1}}
    path = project(tmp_path, scale)
    for changed in ((), ("--param", "scale.constant=0.3"), ("--param", "slow.rate=1")):
        done = weir(ROOT, tmp_path, path, "--verify", "--trace", "lttng", *changed)
        assert done.returncode == 0, done.stdout + done.stderr
        [found] = json.loads(done.stdout)
        jsonschema.Draft202012Validator(shape.schema("verify")).validate([found])
        results = shape.schema("results")
        jsonschema.Draft202012Validator({"$defs": results["$defs"], **results["properties"]["verification"]}
                                        ).validate(found["verification"])
        assert found["verification"]["items"] >= 10_007 and "at scale.out" in found["message"]
    assert list(tmp_path.iterdir()) == [path]


def test_a_block_that_rounds_wrongly_is_found_by_its_reference_alone(tmp_path: Path) -> None:
    folder = tmp_path / "blocks" / "slightly"
    folder.mkdir(parents=True)
    for name, content in SLIGHTLY.items():
        (folder / name).write_text(content if isinstance(content, str) else json.dumps(content))
    path = project(tmp_path, {"id": "wrong", "type": "slightly"})
    words = (path, "--block-path", folder.parent, "--verify")
    done = weir(ROOT, tmp_path, *words)
    assert done.returncode == 4, done.stdout + done.stderr
    [found] = json.loads(done.stdout)
    assert found["message"].startswith("wrong.out (slightly) is ") and not found["verification"]["sinks"][0]["ok"]
    (folder / "reference.py").write_text("import nothing_like_this\n")
    [found] = json.loads(weir(ROOT, tmp_path, *words).stdout)
    assert found["ok"] and "the reference.py of `slightly` fails: ModuleNotFoundError" in found["message"]
    (folder / "reference.py").unlink()
    done = weir(ROOT, tmp_path, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    [found] = json.loads(done.stdout)
    assert found["verification"]["reference"] == "scheduler" and found["verification"]["scheduler"] == "single_thread"
    assert found["message"].endswith("items equal to those under single_thread (slightly has no reference.py)")
    # A binary of one thread has only one order; it is compared with one that has a thread per block.
    [found] = json.loads(weir(ROOT, tmp_path, *words, "--set", '/deployments/0/scheduler="single_thread"').stdout)
    assert found["ok"] and found["verification"]["scheduler"] == "thread_per_block"
