"""The same drawing under FutureSDR: each instance a block of its own, each connection one of its buffers."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from runtimes import want
from target_world import answer, small, weir, written

from weir.catalog import ROOT

EXAMPLE = ROOT / "examples" / "saxpy_chain.weir.json"


def project(folder: Path, *deployments: dict, items: int = 1_000_003) -> Path:
    document = json.loads(EXAMPLE.read_text())
    document["deployments"] = list(deployments)
    document["run"] |= {"items": items, "warmup_items": 0, "metrics": "counters",
                        "trace": {"backend": "memory", "probe_granularity": 4096}}
    file = folder / "mine.weir.json"
    file.write_text(json.dumps(document))
    return file


FLOW = {"name": "fsdr", "scheduler": "futuresdr_flow", "workers": 2}


@pytest.fixture
def generated(tmp_path: Path) -> Iterator[Path]:
    assert weir("generate", project(tmp_path, FLOW), "-o", tmp_path / "out") == 0
    yield tmp_path / "out"


def test_it_reads_as_a_flowgraph_of_futuresdr(generated: Path) -> None:
    text = (generated / "src" / "flowgraph.rs").read_text()
    assert re.findall(r"let (\w+) = fg.add\((\w+) \{", text) == [
        ("source", "DummySourceF32"), *((f"stage_{i}", "SaxpyF32") for i in range(4)), ("sink", "BenchmarkSinkF32")]
    assert re.findall(r"fg.stream\(&(\w+), \|b\| &mut b\.output, &(\w+), \|b\| &mut b\.input\)", text) == [
        ("source", "stage_0"), ("stage_0", "stage_1"), ("stage_1", "stage_2"), ("stage_2", "stage_3"), ("stage_3", "sink")]
    plan = json.loads((generated / "plan.json").read_text())
    assert {stream["planned_items"] for stream in plan["streams"]} == {8192}
    assert plan["implementation"] == {"blocks": "shared", "kernels": "linked"}


def test_what_a_deployment_asks_becomes_a_setting_of_futuresdr(tmp_path: Path) -> None:
    file = project(tmp_path, {**FLOW, "affinity": {"w0": [1], "w1": [0]}, "placement": {"strategy": "contiguous"},
                              "buffers": {"source.out->stage[0].in": {"items": 4096}}})
    assert weir("generate", file, "-o", tmp_path / "out") == 0
    text = (tmp_path / "out" / "src" / "flowgraph.rs").read_text()
    assert "fg.block_mut(&source)?.output.set_min_buffer_size_in_items(4096);" in text
    assert "&[0, 1, 2],\n    &[3, 4, 5]," in text
    assert "= &[&[1], &[0]];" in (tmp_path / "out" / "src" / "main.rs").read_text()


def test_each_worker_has_a_cpu_of_its_own_where_there_are_enough(tmp_path: Path) -> None:
    """FutureSDR binds a thread to each CPU that its process may use. Too few are told when it is run."""
    for affinity, expected in (({"w0": [0, 1], "w1": [0]}, "&[1], &[0]"), ({"w0": [0], "w1": [0]}, "&[0], &[0]")):
        file, out = project(tmp_path, {**FLOW, "affinity": affinity}), tmp_path / expected.replace("&", "")
        assert weir("generate", file, "-o", out) == 0
        assert f"= &[{expected}];" in (out / "src" / "main.rs").read_text()


def test_its_runs_are_verified_pinned_and_counted_with_the_kernels_of_ours(tmp_path: Path,
                                                                         capsys: pytest.CaptureFixture) -> None:
    want("futuresdr")
    document = small(1_000_003, deployments=[{"name": "ours", "scheduler": "flow", "kernels": "linked"},
                                             {**FLOW, "workers": 1, "affinity": {"w0": [0]}}])
    document["run"] |= {"trace": {"backend": "memory", "probe_granularity": 4096}}
    file = written(tmp_path, document)
    results = {it["deployment"]: it for it in answer(capsys, "run", file, "--deployment", "ours", "--deployment", "fsdr",
                                                      "--out", tmp_path / "runs")}
    assert all((it["status"], it["verification"]["ok"]) == ("ok", True) for it in results.values())
    assert results["ours"]["sinks"] == results["fsdr"]["sinks"] and results["ours"]["sinks"][0]["digest"]
    kernels = {it["runtime"]["kernel_object_hash"] for it in results.values()}
    assert len(kernels) == 1 and re.fullmatch("[0-9a-f]{64}", *kernels)
    fsdr = results["fsdr"]
    assert (fsdr["runtime"]["target"], fsdr["runtime"]["version"]) == ("futuresdr", "0.0.40")
    assert fsdr["granted"]["affinity"] == {"w0": [0]} and set(fsdr["granted"]["buffers"].values()) == {8192}
    assert all(block["calls"] > 0 for block in fsdr["blocks"])
    assert fsdr["latency"]["count"] == 1_000_003 // 4096


DESCRIBED = """    let described = futuresdr::runtime::Runtime::block_on(running.describe())?;
    for (from, output, to, input) in &described.stream_edges {
        let name = |id: &futuresdr::runtime::BlockId| described.blocks[id.0].instance_name.clone();
        eprintln!("edge {} {} {} {}", name(from), output.name(), name(to), input.name());
    }
    let handle = running.handle();
"""


@pytest.mark.slow
def test_with_cargo_alone_it_builds_and_futuresdr_has_the_connections_of_the_plan(generated: Path) -> None:
    """Said by FutureSDR itself."""
    want("futuresdr")
    file = generated / "src" / "run.rs"
    text = file.read_text()
    assert text.count("    let handle = running.handle();\n") == 1
    file.write_text(text.replace("    let handle = running.handle();\n", DESCRIBED))
    subprocess.run(["cargo", "build", "--release", "--locked"], cwd=generated, check=True, capture_output=True,
                   env={key: value for key, value in os.environ.items() if not key.startswith(("WEIR", "CARGO_T"))})
    said = subprocess.run([generated / "target" / "release" / "saxpy_chain", "--out", generated / "run"], check=True,
                          capture_output=True, text=True).stderr
    plan = json.loads((generated / "plan.json").read_text())
    edges = {f"edge {stream['name'].removesuffix('.out')} output {reader.removesuffix('.in')} input"
             for stream in plan["streams"] for reader in stream["readers"]}
    assert {line for line in said.splitlines() if line.startswith("edge ")} == edges
