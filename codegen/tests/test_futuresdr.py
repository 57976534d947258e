"""Test a drawing under FutureSDR: each instance becomes a block, each connection one of its buffers."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from planning import project as project_of
from runtimes import want
from target_world import answer, ends_of_all_kinds, run_untraced, small, weir, written
from weir import ROOT

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
    assert re.findall(r"fg.stream\(&(\w+), \|b\| b\.output\(\), &(\w+), \|b\| b\.input\(\)\)", text) == [
        ("source", "stage_0"), ("stage_0", "stage_1"), ("stage_1", "stage_2"), ("stage_2", "stage_3"),
        ("stage_3", "sink")]
    plan = json.loads((generated / "plan.json").read_text())
    assert {stream["planned_items"] for stream in plan["streams"]} == {8192}
    assert plan["implementation"] == {"blocks": "shared", "kernels": "linked"}


def test_what_a_deployment_asks_becomes_a_setting_of_futuresdr(tmp_path: Path) -> None:
    file = project(tmp_path, {**FLOW, "affinity": {"w0": [1], "w1": [0]}, "placement": {"strategy": "contiguous"},
                              "buffers": {"source.out->stage[0].in": {"items": 4096}}})
    assert weir("generate", file, "-o", tmp_path / "out") == 0
    text = (tmp_path / "out" / "src" / "flowgraph.rs").read_text()
    assert "fg.block_mut(&source)?.output().set_min_buffer_size_in_items(4096);" in text
    assert "&[0, 1, 2],\n    &[3, 4, 5]," in text
    assert "= &[&[1], &[0]];" in (tmp_path / "out" / "src" / "main.rs").read_text()


def test_each_worker_has_a_cpu_of_its_own_where_there_are_enough(tmp_path: Path) -> None:
    """Check that too few CPUs are reported before the build: FutureSDR binds a thread to each CPU of its process."""
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
    results = {it["deployment"]: it
               for it in answer(capsys, "run", file, "--deployment", "ours", "--deployment", "fsdr",
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


def natives(folder: Path) -> Path:
    """Return a project with native blocks.

    Conversions and arithmetic with a fork and a join, measured at the ends; a chain that is native in FutureSDR except
    its head; and ends of all kinds.
    """
    blocks, connections = ends_of_all_kinds()
    return written(folder, project_of(
        [{"id": "source", "type": "counter_source", "parameters": {"item_type": "i16"}},
         {"id": "limit", "type": "head"},
         {"id": "float", "type": "integer_to_float", "parameters": {"scale": 3}},
         {"id": "gain", "type": "multiply_const", "parameters": {"constant": 0.7}}, {"id": "pass", "type": "copy"},
         {"id": "pair", "type": "real_imag_to_complex"}, {"id": "turn", "type": "conjugate"},
         {"id": "parts", "type": "complex_to_real_imag"},
         {"id": "low", "type": "fir_filter", "parameters": {"taps": [0.3, 0.5]}},
         {"id": "sum", "type": "subtract"}, {"id": "sink", "type": "digest_sink"},
         {"id": "zeros", "type": "null_source", "parameters": {"item_type": "c64"}}, {"id": "some", "type": "head"},
         {"id": "same", "type": "saxpy", "parameters": {"a": [1, 0], "b": [0, 2]}},
         {"id": "nowhere", "type": "null_sink"}, *blocks],
        ["source.out > limit.in", "limit.out > float.in", "float.out > gain.in", "float.out > pass.in",
         "gain.out > pair.real", "pass.out > pair.imag", "pair.out > turn.in", "turn.out > parts.in",
         "parts.imag > low.in",
         "parts.real > sum.in0", "low.out > sum.in1", "sum.out > sink.in",
         "zeros.out > some.in", "some.out > same.in", "same.out > nowhere.in", *connections],
        deployments=[{"name": "native", "scheduler": "futuresdr_flow", "blocks": "native", "workers": 1}],
        run={"items": 100_003, "trace": {"backend": "memory", "probe_granularity": 4096}}))


def test_with_native_blocks_futuresdrs_own_stand_where_they_mean_the_same(tmp_path: Path) -> None:
    assert weir("generate", natives(tmp_path), "-o", tmp_path / "out") == 0
    text = (tmp_path / "out" / "src" / "flowgraph.rs").read_text()
    assert Counter(re.findall(r"fg\.add\(blocks::(\w+::.*)\);", text)) == {
        "Apply::new(|x: &i16| *x as f32 * (1.0 / 3_f32) + 0_f32)": 1, "Apply::new(|x: &f32| x * 0.7_f32)": 1,
        "Copy::<f32>::new()": 1,
        "Combine::new(|re: &f32, im: &f32| Complex32::new(*re, *im))": 1, "Apply::new(|z: &Complex32| z.conj())": 1,
        "Split::new(|z: &Complex32| (z.re, z.im))": 1, "Combine::new(|a: &f32, b: &f32| a - b)": 1,
        "NullSource::<Complex32>::new()": 1, "NullSink::<Complex32>::new()": 1, "Copy::<i32>::new()": 5,
        "Apply::new(|x: &Complex32| Complex32::new(1_f32, 0_f32) * x + Complex32::new(0_f32, 2_f32))": 1}
    # FutureSDR's head does not end with its input, and its filter begins elsewhere. Other blocks wait for each other's
    # end.
    assert Counter(re.findall(r"fg\.add\((\w+) \{", text)) == {
        "CounterSourceI16": 1, "HeadI16": 1, "FirFilterF32": 1, "DigestSinkF32": 1, "NullSourceC64": 1, "HeadC64": 1,
        "NullSinkC64": 1,
        "CounterSourceI32": 3, "HeadI32": 4, "AddI32": 1, "DigestSinkI32": 6}
    assert 'fg.stream(&parts, |b| b.output1(), &low, |b| b.input())?;' in text
    assert 'fg.stream_dyn(zeros, "output", some, "input")?;' in text


def test_native_blocks_are_verified_and_say_what_they_can(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    want("futuresdr")
    (result,) = answer(capsys, "run", natives(tmp_path), "--out", tmp_path / "runs")
    assert (result["status"], result["verification"]["ok"], result["runtime"]["blocks"]) == ("ok", True, "native")
    assert result["verification"]["reference"] == "numpy"
    blocks = {block["id"]: block for block in result["blocks"]}
    assert {name for name, it in blocks.items() if it["calls"] is None} == {
        "float", "gain", "pass", "pair", "turn", "parts", "sum", "same", "early", "late", "way[0]", "way[1]", "on_way"}
    assert {blocks["gain"][key] for key in ("items_in", "items_out", "calls", "busy_ns")} == {None}
    assert blocks["low"]["items_in"] == blocks["nowhere"]["items_in"] == 100_003

    alone = run_untraced(natives(tmp_path), "native", tmp_path / "alone")
    assert (alone["status"], alone["throughput_items_per_s"] > 0) == ("ok", True)
    blocks = {block["id"]: block for block in alone["blocks"]}
    assert (blocks["zeros"]["items_out"], blocks["some"]["items_out"],
            blocks["nowhere"]["items_in"]) == (None, 100_003, 100_003)
    assert blocks["nowhere"]["calls"] is None and min(alone["granted"]["buffers"].values()) > 0


@pytest.mark.slow
@pytest.mark.parametrize("shape",
                         [{"scheduler": "futuresdr_flow", "workers": 1}, {"scheduler": "futuresdr_flow", "workers": 2},
                                   {"scheduler": "futuresdr_smol", "workers": 2}, {"scheduler": "gnuradio310"}],
                         ids=str)
def test_a_block_that_ends_takes_nothing_from_others(shape: dict, tmp_path: Path,
                                                     capsys: pytest.CaptureFixture) -> None:
    """Check with a fork: both runtimes end a writer with its first reader."""
    want("gnuradio3" if shape["scheduler"] == "gnuradio310" else "futuresdr")
    file = written(tmp_path, project_of(*ends_of_all_kinds(), deployments=[{"name": "theirs", **shape}],
                                        run={"items": 100_003, "metrics": "none", "trace": {"backend": "off"}}))
    for result in answer(capsys, "run", file, "--repeat", 20, "--out", tmp_path / "runs"):
        assert (result["status"], result["verification"]["ok"]) == ("ok", True)


DESCRIBED = """    let described = futuresdr::runtime::Runtime::block_on(running.describe())?;
    for (from, output, to, input) in &described.stream_edges {
        let name = |id: &futuresdr::runtime::BlockId| described.blocks[id.0].instance_name.clone();
        eprintln!("edge {} {} {} {}", name(from), output.name(), name(to), input.name());
    }
    let handle = running.handle();
"""


@pytest.mark.slow
def test_with_cargo_alone_it_builds_and_futuresdr_has_the_connections_of_the_plan(generated: Path) -> None:
    """Read the connections from FutureSDR itself."""
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
