"""Test a drawing under qsdr: each instance becomes a block, and quanta circulate between the blocks."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from planning import project as drawing
from runtimes import want
from target_world import answer, weir
from weir import ROOT
from weir.model.catalog import load_catalog

EXAMPLE = json.loads((ROOT / "examples" / "saxpy_chain.weir.json").read_text())
SCHEDULERS = ("qsdr_custom", "qsdr_single_thread", "qsdr_tokio", "qsdr_async_executor")
SOURCE = {"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}}
SINK = {"id": "sink", "type": "digest_sink"}


def project(folder: Path, document: dict = EXAMPLE, scheduler: str = "qsdr_custom", **deployment: object) -> Path:
    document = {**document, "deployments": [{"name": "qsdr", "scheduler": scheduler, **deployment}],
                "run": {**document.get("run", {}), "items": 1_000_003, "warmup_items": 0}}
    file = folder / "mine.weir.json"
    file.write_text(json.dumps(document))
    return file


def flowgraph(folder: Path, file: Path) -> str:
    """Return the generated src/flowgraph.rs without leading spaces."""
    assert weir("generate", file, "-o", folder / "out") == 0
    return re.sub(r"^ +", "", (folder / "out" / "src" / "flowgraph.rs").read_text(), flags=re.MULTILINE)


def circuits(text: str) -> list[str]:
    return re.findall(r"^(?:let mut \w+ = )?fg\.(?:new_circuit|connect)\w*.*;$", text, re.MULTILINE)


def test_it_reads_as_a_flowgraph_of_qsdr(tmp_path: Path) -> None:
    text = flowgraph(tmp_path, project(tmp_path, workers=2, placement={"strategy": "contiguous"}))
    assert circuits(text) == [
        "let mut source_out_circuit = fg.new_circuit(quanta::<f32>(3, 4096));",
        "fg.connect(&mut source_out_circuit, source.output(), stage_0.input())?;",
        "fg.connect(&mut source_out_circuit, stage_0.output(), stage_1.input())?;",
        "fg.connect(&mut source_out_circuit, stage_1.output(), stage_2.input())?;",
        "fg.connect(&mut source_out_circuit, stage_2.output(), stage_3.input())?;",
        "fg.connect_with_return(&mut source_out_circuit, stage_3.output(), sink.input(), source.input())?;"]
    assert re.findall(r"scheduler::run\((.*)\)\.boxed\(\)", text) == [
        "in_turn!(source, stage_0, stage_1)", "in_turn!(stage_2, stage_3, sink)"]
    plan = json.loads((tmp_path / "out" / "plan.json").read_text())
    assert [stream.get("over") for stream in plan["streams"]] == [None, "source.out", "stage[0].out", "stage[1].out",
                                                                  "stage[2].out"]


@pytest.mark.parametrize("keeps", [False, True])
def test_output_is_overwritten_unless_its_writer_is_a_block_that_relies_on_it(tmp_path: Path, keeps: bool) -> None:
    assert weir("new", "block", "some", "-o", tmp_path / "blocks") == 0
    file = tmp_path / "blocks" / "some" / "block.json"
    descriptor = json.loads(file.read_text())
    file.write_text(json.dumps({**descriptor, "behaviour": {**descriptor["behaviour"], "keeps_output": keeps}}))
    document = drawing([SOURCE, {"id": "some", "type": "some"}, {"id": "stage", "type": "abs"}, SINK],
                       ["source.out > some.in", "some.out > stage.in", "stage.out > sink.in"])
    assert weir("generate", project(tmp_path, document), "-o", tmp_path / "out", "--block-path",
                tmp_path / "blocks") == 0
    plan = json.loads((tmp_path / "out" / "plan.json").read_text())
    assert plan["streams"][2].get("over") == (None if keeps else "some.out")


def test_what_moves_between_workers_is_a_task_each(tmp_path: Path) -> None:
    text = flowgraph(tmp_path, project(tmp_path, scheduler="qsdr_tokio", workers=2))
    assert re.findall(r"scheduler::run\((.*)\)\.boxed\(\)", text) == [
        "source", "stage_0", "stage_1", "stage_2", "stage_3", "sink"]
    assert 'default = ["qsdr_tokio"]' in (tmp_path / "out" / "Cargo.toml").read_text()


def test_sizes_of_a_deployment_are_quanta_and_circuits(tmp_path: Path) -> None:
    file = project(tmp_path, workers=1, chunk_items=512, buffers={"stage[1].out->stage[2].in": {"items": 4000}})
    assert [line for line in circuits(flowgraph(tmp_path, file)) if "new_circuit" in line] == [
        "let mut source_out_circuit = fg.new_circuit(quanta::<f32>(8, 512));"]


def test_a_fork_copies_and_a_join_has_a_circuit_for_each_input(tmp_path: Path) -> None:
    """Check quanta: those of a part of the graph have equally many iterations of its rates."""
    document = drawing([SOURCE, {"id": "half", "type": "keep_one_in_n", "parameters": {"n": 3}},
                        {"id": "one", "type": "abs"}, {"id": "two", "type": "abs"}, {"id": "sum", "type": "add"}, SINK],
                       ["source.out > half.in", "half.out > one.in", "half.out > two.in", "one.out > sum.in0",
                        "two.out > sum.in1", "sum.out > sink.in"])
    assert circuits(flowgraph(tmp_path, project(tmp_path, document, "qsdr_single_thread"))) == [
        "let mut source_out_circuit = fg.new_circuit(quanta::<f32>(2, 4095));",
        "fg.connect_with_return(&mut source_out_circuit, source.output(), half.input(), source.input())?;",
        "let mut half_out_circuit = fg.new_circuit(quanta::<f32>(2, 1365));",
        "fg.connect_with_return(&mut half_out_circuit, half.output(), half_out_fork.input(), half.source())?;",
        "let mut one_in_circuit = fg.new_circuit(quanta::<f32>(2, 1365));",
        "fg.connect_with_return(&mut one_in_circuit, half_out_fork.output0(), one.input(), half_out_fork.source0())?;",
        "let mut two_in_circuit = fg.new_circuit(quanta::<f32>(2, 1365));",
        "fg.connect_with_return(&mut two_in_circuit, half_out_fork.output1(), two.input(), half_out_fork.source1())?;",
        "let mut one_out_circuit = fg.new_circuit(quanta::<f32>(2, 1365));",
        "fg.connect_with_return(&mut one_out_circuit, one.output(), sum.in0(), one.source())?;",
        "let mut two_out_circuit = fg.new_circuit(quanta::<f32>(2, 1365));",
        "fg.connect_with_return(&mut two_out_circuit, two.output(), sum.in1(), two.source())?;",
        "let mut sum_out_circuit = fg.new_circuit(quanta::<f32>(2, 1365));",
        "fg.connect_with_return(&mut sum_out_circuit, sum.output(), sink.input(), sum.output_source())?;"]


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_a_rate_that_depends_on_data_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture, scheduler: str) -> None:
    document = drawing([SOURCE, {"id": "some", "type": "copy_rand"}, SINK],
                       ["source.out > some.in", "some.out > sink.in"])
    said = answer(capsys, "validate", project(tmp_path, document, scheduler), code=1)
    [found] = [it for it in said["diagnostics"] if it["severity"] == "error"]
    assert (found["code"], found["pointer"]) == ("E_RUNTIME_RATE", "/graph/blocks/1")
    assert "some" in found["message"] and found["hint"]


def test_a_rate_that_time_decides_is_not(tmp_path: Path) -> None:
    """Use a block that waits until a quantum is full, so the quantum holds no more than its latency budget."""
    source = {"id": "source", "type": "paced_source", "parameters": {"item_type": "f32", "rate": 1e6}}
    document = drawing([source, {"id": "slow", "type": "throttle"}, SINK],
                       ["source.out > slow.in", "slow.out > sink.in"])
    assert "new_circuit(quanta::<f32>(2, 1000))" in flowgraph(tmp_path, project(tmp_path, document, workers=1))


def test_quanta_that_memory_cannot_hold_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    file = project(tmp_path, workers=1, chunk_items=2**30)
    said = answer(capsys, "plan", file, code=3)
    assert [it["code"] for it in said["diagnostics"] if it["severity"] == "error"] == ["E_PLANNER_REFUSES"]


def test_sequences_have_eight_streams_at_most(tmp_path: Path) -> None:
    stages = {"stages": {**EXAMPLE["parameters"]["stages"], "value": 70}}
    text = flowgraph(tmp_path,
                     project(tmp_path, {**EXAMPLE, "parameters": {**EXAMPLE["parameters"], **stages}}, workers=1))
    one = r"in_turn!\((?:\w+(?:, )?){1,8}\)"
    assert len(re.findall(one, text)) == 9
    inner = re.sub(r"\s", "", re.sub(one, "x", text))
    assert "scheduler::run(in_turn!(in_turn!(x,x,x,x,x,x,x,x),x))" in inner


def test_every_scheduler_of_it_is_in_the_lock(tmp_path: Path) -> None:
    lock = (ROOT / "templates" / "qsdr" / "Cargo.lock").read_text()
    for crate in ("qsdr", "tokio", "async-executor", "async-io"):
        assert f'name = "{crate}"\n' in lock
    assert {it.id for it in load_catalog().schedulers.values() if it.target == "qsdr"} == set(SCHEDULERS)


def test_a_run_is_verified_pinned_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    want("qsdr")
    file = project(tmp_path, workers=1, affinity={"w0": [0]})
    document = json.loads(file.read_text())
    document["run"] |= {"metrics": "counters", "trace": {"backend": "memory", "probe_granularity": 4096}}
    file.write_text(json.dumps(document))
    (result,) = answer(capsys, "run", file, "--out", tmp_path / "runs")
    assert (result["status"], result["verification"]["ok"]) == ("ok", True)
    assert result["granted"]["affinity"] == {"w0": [0]}
    assert all(block["calls"] == -(-1_000_003 // 4096) for block in result["blocks"])
    assert set(result["granted"]["buffers"].values()) == {2 * 4096}
    assert result["latency"]["count"] == 1_000_003 // 4096
