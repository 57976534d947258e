"""Test a drawing under FutureSDR 0.10: rings or circuits between its blocks, and local domains."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from planning import machine
from planning import project as project_of
from runtimes import want
from target_world import answer, ends_of_all_kinds, weir, written
from test_futuresdr import EXAMPLE
from weir import ROOT
from weir.model import installed
from weir.model.catalog import load_catalog
from weir.model.check import check
from weir.model.planning.plan import make_plan
from weir.sure import sure

IN_PLACE = {"parameters": {"in_place": True}}
LOCAL = {"name": "local", "scheduler": "futuresdr010_local", "workers": 2, "placement": {"strategy": "contiguous"}}
CIRCUITS = {**LOCAL, "name": "circuits", **IN_PLACE}


def chain(folder: Path, *deployments: dict) -> Path:
    document = json.loads(EXAMPLE.read_text())
    document["deployments"] = list(deployments)
    document["run"] |= {"items": 1_000_003, "warmup_items": 0, "metrics": "counters",
                        "trace": {"backend": "memory", "probe_granularity": 4096}}
    return written(folder, document)


def generated(folder: Path, *deployments: dict) -> str:
    assert weir("generate", chain(folder, *deployments), "-o", folder / "out") == 0
    return (folder / "out" / "src" / "flowgraph.rs").read_text()


def test_each_worker_is_a_local_domain_with_local_buffers(tmp_path: Path) -> None:
    text = generated(tmp_path, LOCAL)
    assert re.findall(r"let (\w+) = fg\.with_local_domain\(domains\[(\d)\]", text) == [
        ("source", "0"), ("stage_0", "0"), ("stage_1", "0"), ("stage_2", "1"), ("stage_3", "1"), ("sink", "1")]
    assert text.count("domain.stream_local(") == 4
    assert text.count("fg.stream(&stage_1, |b| b.output(), &stage_2, |b| b.input())?;") == 1
    assert text.count("circular::Writer::<f32>::default()") == 1
    assert text.count("circular::Writer::<f32, LocalBlockInbox>::default()") == 4
    assert "circuit::" not in text


def test_a_circuit_passes_through_all_blocks_in_place(tmp_path: Path) -> None:
    text = generated(tmp_path, {**CIRCUITS, "workers": 1})
    assert re.findall(r"let (?:mut )?block = (\w+) \{", text) == [
        "DummySourceF32Filling0", *4 * ["SaxpyF32InPlace"], "BenchmarkSinkF32"]
    assert re.findall(r"block\.output\.inject_buffers_with_items\((\d+), (\d+)\)", text) == [("4", "8192")]
    assert text.count("circuit::Reader::<f32, LocalBlockInbox>::default()") == 5
    plan = json.loads((tmp_path / "out" / "plan.json").read_text())
    assert [stream.get("over") for stream in plan["streams"]] == [
        None, "source.out", "stage[0].out", "stage[1].out", "stage[2].out"]


def test_a_circuit_that_crosses_workers_is_local_to_none(tmp_path: Path) -> None:
    text = generated(tmp_path, CIRCUITS)
    assert text.count("circuit::Reader::<f32>::default()") == 5 and "LocalBlockInbox>" not in text


def test_buffers_and_chunks_decide_the_buffers_of_a_circuit(tmp_path: Path) -> None:
    text = generated(tmp_path, {**CIRCUITS, "chunk_items": 1024, "buffers": {"*.out->*.in": {"items": 5000}}})
    assert re.findall(r"inject_buffers_with_items\((\d+), (\d+)\)", text) == [("5", "1024")]


def test_a_circuit_ends_where_a_reader_needs_several_items_at_once() -> None:
    """Check that a circuit's last reader can use each item alone, and that a fork is no part of a circuit."""
    document = project_of(
        [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
         {"id": "a", "type": "saxpy"}, {"id": "b", "type": "saxpy"}, {"id": "c", "type": "saxpy"},
         {"id": "low", "type": "fir_filter", "parameters": {"taps": [0.5], "decimation": 4}},
         {"id": "one", "type": "null_sink"}, {"id": "two", "type": "null_sink"}],
        ["source.out > a.in", "a.out > b.in", "b.out > c.in", "c.out > low.in", "low.out > one.in", "b.out > two.in"],
        deployments=[CIRCUITS], run={"items": 100_000})
    it = check(json.dumps(document), directory=ROOT, catalog=load_catalog())
    streams = make_plan(sure(it.project), sure(it.graph), it.catalog, machine("two_core")).plan.streams
    assert {s.name: s.over for s in streams if s.over} == {"a.out": "source.out"}


def test_an_older_cargo_is_refused_with_the_way_to_a_newer_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                               capsys: pytest.CaptureFixture) -> None:
    cargo = tmp_path / "bin" / "cargo"
    cargo.parent.mkdir()
    cargo.write_text("#!/bin/sh\necho cargo 1.89.0\n")
    cargo.chmod(0o755)
    monkeypatch.setenv("PATH", f"{cargo.parent}:/usr/bin:/bin")
    installed.look.cache_clear()
    try:
        assert weir("run", chain(tmp_path, LOCAL), "--out", tmp_path / "runs") == 3
    finally:
        installed.look.cache_clear()
    said = capsys.readouterr().err
    assert "E_RUNTIME_MISSING" in said and "cargo 1.95 or newer is required" in said
    assert "rustup update stable" in said


@pytest.mark.slow
def test_chains_are_verified_in_rings_and_circuits(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    want("futuresdr010")
    shapes = [{"name": f"{name}_{how}", "scheduler": f"futuresdr010_{name}", "workers": 2, **more}
              for name in ("flow", "smol", "local") for how, more in (("rings", {}), ("circuits", IN_PLACE))]
    results = answer(capsys, "run", chain(tmp_path, *shapes), *(word for it in shapes
                                                               for word in ("--deployment", it["name"])),
                     "--verify", "--out", tmp_path / "runs")
    assert len(results) == 6
    for it in results:
        assert (it["status"], it["verification"]["ok"], it["runtime"]["version"]) == ("ok", True, "0.10.0")
        items = 4 * 8192 if it["deployment"].endswith("circuits") else 8192
        assert set(it["granted"]["buffers"].values()) == {items}
        assert it["latency"]["count"] == 1_000_003 // 4096


@pytest.mark.slow
@pytest.mark.parametrize("shape", [{"scheduler": "futuresdr010_flow", "workers": 2},
                                   {"scheduler": "futuresdr010_smol", "workers": 2, **IN_PLACE},
                                   {"scheduler": "futuresdr010_local", "workers": 1, **IN_PLACE},
                                   {"scheduler": "futuresdr010_local", "workers": 2}], ids=str)
def test_a_block_that_ends_takes_nothing_from_others(shape: dict, tmp_path: Path,
                                                     capsys: pytest.CaptureFixture) -> None:
    """Check with forks and joins: FutureSDR ends a writer with its first reader."""
    want("futuresdr010")
    file = written(tmp_path, project_of(*ends_of_all_kinds(), deployments=[{"name": "theirs", **shape}],
                                        run={"items": 100_003, "metrics": "none", "trace": {"backend": "off"}}))
    for result in answer(capsys, "run", file, "--repeat", 20, "--out", tmp_path / "runs"):
        assert (result["status"], result["verification"]["ok"]) == ("ok", True)
