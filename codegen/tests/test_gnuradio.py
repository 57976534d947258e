"""Test a drawing under GNU Radio: each instance becomes a block, each connection one of its buffers."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from planning import UNOPTIMISED, deployed, plan
from planning import project as project_of
from runtimes import want
from target_world import answer, ends_of_all_kinds, run_untraced, weir, written
from weir import ROOT

EXAMPLE = ROOT / "examples" / "saxpy_chain.weir.json"


def project(folder: Path, example: Path = EXAMPLE, **deployment: object) -> Path:
    document = json.loads(example.read_text())
    document["deployments"] = [{"name": "gnuradio", "scheduler": "gnuradio310", "build": UNOPTIMISED, **deployment}]
    document["run"] |= {"items": 1_000_003, "warmup_items": 0}
    file = folder / "mine.weir.json"
    file.write_text(json.dumps(document))
    return file


@pytest.fixture
def generated(tmp_path: Path) -> Iterator[Path]:
    assert weir("generate", project(tmp_path), "-o", tmp_path / "out") == 0
    yield tmp_path / "out"


def test_it_reads_as_a_top_block_of_gnu_radio(generated: Path) -> None:
    text = (generated / "src" / "flowgraph.hpp").read_text()
    assert "gr::top_block_sptr top = gr::make_top_block(" in text
    assert re.findall(r"top->connect\((.*)\);", text) == [
        "source, 0, stage_0, 0", "stage_0, 0, stage_1, 0", "stage_1, 0, stage_2, 0", "stage_2, 0, stage_3, 0",
        "stage_3, 0, sink, 0"]
    plan = json.loads((generated / "plan.json").read_text())
    assert {stream["planned_items"] for stream in plan["streams"]} == {16384}
    assert [worker["name"] for worker in plan["workers"]] == [block["instance"] for block in plan["blocks"]]


def test_what_a_deployment_asks_becomes_a_setting_of_gnu_radio(tmp_path: Path) -> None:
    file = project(tmp_path, affinity={"stage[0]": [1]}, chunk_items=512, buffers={
        "source.out->stage[0].in": {"items": 4096}, "stage[0].out->stage[1].in": {"items": 100_000}})
    assert weir("generate", file, "-o", tmp_path / "out") == 0
    text = (tmp_path / "out" / "src" / "flowgraph.hpp").read_text()
    assert "stage_0->set_processor_affinity({1});" in text
    assert "source->set_min_output_buffer(0, 4096);" in text and "source->set_max_output_buffer(0, 4096);" in text
    assert "stage_0->set_min_output_buffer(0, 100000);" in text and "stage_0->set_max_output_buffer" not in text
    assert text.count("->set_max_noutput_items(512);") == 6


def pinned(folder: Path, **deployment: object) -> dict[str, list[int]]:
    """Return the CPUs that the generated flowgraph assigns to its blocks, on a machine with four."""
    machine = ROOT / "codegen" / "tests" / "machines" / "kria.json"
    assert weir("generate", project(folder, **deployment), "--machine", machine, "-o", folder / "out") == 0
    found = re.findall(r"(\w+)->set_processor_affinity\(\{(.*)\}\);",
                       (folder / "out" / "src" / "flowgraph.hpp").read_text())
    return {name: [int(cpu) for cpu in cpus.split(", ")] for name, cpus in found}


def test_a_placement_gives_the_blocks_of_a_piece_one_cpu(tmp_path: Path) -> None:
    """Check the CPUs; GNU Radio still has one thread per block."""
    names = ["source", "stage_0", "stage_1", "stage_2", "stage_3", "sink"]
    assert pinned(tmp_path, workers=3, placement={"strategy": "contiguous"}) == {
        name: [cpu] for name, cpu in zip(names, (0, 0, 0, 1, 2, 2))}
    plan = json.loads((tmp_path / "out" / "plan.json").read_text())
    assert [worker["name"] for worker in plan["workers"]] == [block["instance"] for block in plan["blocks"]]
    assert pinned(tmp_path, workers=2, placement={"strategy": "round_robin"}) == {
        name: [cpu] for name, cpu in zip(names, (0, 1, 0, 1, 0, 1))}
    assert pinned(tmp_path, placement={"strategy": "explicit", "map": {"stage": "w0", "sink": "w1"}}) == {
        name: [cpu] for name, cpu in zip(names, (0, 0, 0, 0, 0, 1))}
    assert pinned(tmp_path, placement={"strategy": "single"}) == {name: [0] for name in names}
    assert pinned(tmp_path) == {}


@pytest.mark.parametrize("strategy", ["contiguous", "round_robin", "per_pipe", "auto"])
def test_pieces_are_what_workers_are_elsewhere(strategy: str) -> None:
    document = {**json.loads((ROOT / "examples" / "null_rand_latency.weir.json").read_text()), "sweeps": []}
    gnuradio, flow = (
        {name: worker.cpus
         for worker in plan(deployed(document, scheduler=scheduler, workers=3, placement={"strategy": strategy}),
                                              "kria").plan.workers for name in worker.instances}
        for scheduler in ("gnuradio310", "flow"))
    assert gnuradio == flow and len(set(flow.values())) > 1


def test_workers_without_a_placement_are_cpus_that_all_threads_share(tmp_path: Path) -> None:
    found = pinned(tmp_path, workers=2, affinity={"stage[1..2]": [3]})
    assert found == {**dict.fromkeys(("source", "stage_0", "stage_3", "sink"), [0, 1]),
                     **dict.fromkeys(("stage_1", "stage_2"), [3])}


def test_the_affinity_of_a_block_comes_before_that_of_its_piece(tmp_path: Path) -> None:
    found = pinned(tmp_path, workers=2, placement={"strategy": "contiguous"}, affinity={"stage[1..2]": [2, 3]})
    assert found == {"source": [0], "stage_0": [0], "stage_1": [2, 3], "stage_2": [2, 3], "stage_3": [1], "sink": [1]}


@pytest.mark.parametrize(("wish", "code", "pointer"), [
    ({"workers": 7, "placement": {"strategy": "contiguous"}}, "E_SCHEDULER_WORKERS", "/workers"),
    ({"placement": {"strategy": "explicit", "map": {"nobody": "w0"}}}, "E_PLACEMENT_INSTANCE", "/placement/map/nobody"),
    ({"scheduler": "thread_per_block", "placement": {"strategy": "contiguous"}}, "E_SCHEDULER_PLACEMENT",
     "/placement")])
def test_pieces_that_cannot_be_are_refused(tmp_path: Path, capsys, wish: dict, code: str, pointer: str) -> None:
    said = answer(capsys, "validate", project(tmp_path, **wish), code=1)
    assert [(it["code"], it["pointer"]) for it in said["diagnostics"] if it["severity"] == "error"] == [
        (code, "/deployments/0" + pointer)]


def natives(folder: Path) -> Path:
    """Return a project with native blocks.

    Conversions, arithmetic, a filter, and a fork and a join of them, between measured blocks; a chain that is native in
    GNU Radio; and ends of all kinds.
    """
    blocks, connections = ends_of_all_kinds()
    document = project_of(
        [{"id": "source", "type": "counter_source", "parameters": {"item_type": "i16"}},
         {"id": "limit", "type": "head"},
         {"id": "float", "type": "integer_to_float", "parameters": {"scale": 3}},
         {"id": "gain", "type": "multiply_const", "parameters": {"constant": 0.7}}, {"id": "pass", "type": "copy"},
         {"id": "sum", "type": "add"}, {"id": "root", "type": "busy_work"},
         {"id": "low", "type": "fir_filter", "parameters": {"taps": [0.3, 0.5, 0.1], "decimation": 2}},
         {"id": "sink", "type": "digest_sink"},
         {"id": "zeros", "type": "null_source", "parameters": {"item_type": "f32"}}, {"id": "some", "type": "head"},
         {"id": "same", "type": "copy"}, {"id": "nowhere", "type": "null_sink"}, *blocks],
        ["zeros.out > some.in", "some.out > same.in", "same.out > nowhere.in",
         "source.out > limit.in", "limit.out > float.in", "float.out > gain.in", "float.out > pass.in",
         "gain.out > sum.in0", "pass.out > sum.in1", "sum.out > root.in", "root.out > low.in", "low.out > sink.in",
         *connections],
        deployments=[{"name": "native", "scheduler": "gnuradio310", "blocks": "native", "build": UNOPTIMISED}],
        run={"items": 100_003, "trace": {"backend": "memory", "probe_granularity": 4096}})
    return written(folder, document)


def test_with_native_blocks_gnu_radios_own_stand_where_they_mean_the_same(tmp_path: Path) -> None:
    assert weir("generate", natives(tmp_path), "-o", tmp_path / "out") == 0
    text = (tmp_path / "out" / "src" / "flowgraph.hpp").read_text()
    assert Counter(re.findall(r"return (gr::.*); }", text)) == {
        "gr::blocks::short_to_float::make(1, 3.0F)": 1, "gr::blocks::multiply_const_ff::make(0.7F)": 1,
        "gr::blocks::copy::make(sizeof(float))": 2, "gr::blocks::add_ff::make()": 1,
        "gr::filter::fir_filter_fff::make(2, {0.3F, 0.5F, 0.1F})": 1, "gr::blocks::null_source::make(sizeof(float))": 1,
        "gr::blocks::null_sink::make(sizeof(float))": 1, "gr::blocks::copy::make(sizeof(std::int32_t))": 5}
    # Measured blocks are Weir's. GNU Radio has no equal of one, and others wait for each other's end.
    assert Counter(re.findall(r"gnuradio3::Node<weir::Linked<weir::blocks::(\w+)", text)) == {
        "CounterSource": 4, "Head": 6, "BusyWork": 1, "Add": 1, "DigestSink": 7}
    assert "COMPONENTS runtime blocks fft filter)" in (tmp_path / "out" / "CMakeLists.txt").read_text()


def test_native_blocks_are_verified_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    want("gnuradio3")
    (result,) = answer(capsys, "run", natives(tmp_path), "--out", tmp_path / "runs")
    assert (result["status"], result["verification"]["ok"], result["runtime"]["blocks"]) == ("ok", True, "native")
    assert result["verification"]["reference"] == "numpy" and result["verification"]["sinks"][0]["error_ulp"] >= 0
    blocks = {block["id"]: block for block in result["blocks"]}
    assert (blocks["low"]["items_in"], blocks["low"]["items_out"], blocks["low"]["calls"]) == (100_002, 50_001, None)
    # If a run watches the ends of the graph, they are Weir's.
    theirs = {"float", "gain", "pass", "sum", "low", "same", "early", "late", "way[0]", "way[1]", "on_way"}
    assert {name for name, block in blocks.items() if block["calls"] is None} == theirs
    assert {thread["name"] for thread in result["threads"]} == blocks.keys() - theirs

    # Otherwise they are GNU Radio's, which report the items they moved.
    alone = run_untraced(natives(tmp_path), "native", tmp_path / "alone")
    assert (alone["status"], alone["throughput_items_per_s"] > 0) == ("ok", True)
    blocks = {block["id"]: block for block in alone["blocks"]}
    assert {name for name, block in blocks.items() if block["calls"] is None} == theirs | {"zeros", "nowhere"}
    assert blocks["some"]["items_out"] == blocks["same"]["items_in"] == blocks["nowhere"]["items_in"] == 100_003
    assert blocks["zeros"]["items_out"] >= 100_003


@pytest.mark.slow
def test_a_chain_is_gnu_radios_from_end_to_end_where_nothing_is_watched(tmp_path: Path,
                                                                        capsys: pytest.CaptureFixture) -> None:
    want("gnuradio3")
    file = written(tmp_path, project_of(
        [{"id": "zeros", "type": "null_source", "parameters": {"item_type": "f32"}}, {"id": "some", "type": "head"},
         {"id": "same", "type": "copy"}, {"id": "nowhere", "type": "null_sink"}],
        ["zeros.out > some.in", "some.out > same.in", "same.out > nowhere.in"],
        deployments=[{"name": "native", "scheduler": "gnuradio310", "blocks": "native"}],
        run={"items": 1_000_003, "metrics": "none", "trace": {"backend": "off"}}))
    (result,) = answer(capsys, "run", file, "--param", "some.items=500000", "--out", tmp_path / "runs")
    assert (result["status"], result["verification"]["ok"], result["threads"]) == ("ok", True, [])
    assert {block["id"]: block["items_in"] for block in result["blocks"]} == {
        "zeros": 0, "some": 500_000, "same": 500_000, "nowhere": 500_000}
    assert result["throughput_items_per_s"] > 0


SHOWN = """
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "flowgraph.hpp"
#include "schedulers/gnuradio310.gr.hpp"

struct Shown {
    void run(weir::Run& run, Flowgraph& graph) const {
        const char* const given = std::getenv("FAULT");
        const std::string_view fault = given != nullptr ? given : "";
        if (fault == "never starts") {
            run.host(run.plan().workers, [&] {
                while (!run.stopping()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
            });
            return;
        }
        std::thread breaker([&] {
            if (fault != "ends too early") return;
            while (run.began_ns() == 0 || graph.source->nitems_written(0) < 100'000) std::this_thread::yield();
            graph.top->stop();
        });
        weir::schedulers::Gnuradio310{}.run(run, graph);
        breaker.join();
        std::cerr << graph.top->edge_list();
    }
};

int main(int argc, char** argv) { return weir::app_main<Flowgraph, Shown>(argc, argv, plan()); }
"""


@pytest.mark.slow
def test_gnu_radio_has_the_connections_of_the_plan_and_its_faults_are_seen(generated: Path) -> None:
    """Read the connections from GNU Radio itself, in a program built by its own tools."""
    want("gnuradio3")
    (generated / "src" / "main.cpp").write_text(SHOWN)
    for words in (["cmake", "-S", ".", "-B", "build", "-DCMAKE_CXX_FLAGS=-O0"], ["cmake", "--build", "build", "-j2"]):
        subprocess.run(words, cwd=generated, check=True, capture_output=True)
    program = generated / "build" / "saxpy_chain"

    def run(out: str, *words: object, fault: str = "") -> tuple[str, dict]:
        done = subprocess.run([program, *map(str, words), "--out", generated / out], capture_output=True, text=True,
                              check=not fault, env={**os.environ, "FAULT": fault})
        return done.stderr, json.loads((generated / out / "results.json").read_text())

    said, _ = run("run")
    plan = json.loads((generated / "plan.json").read_text())
    edges = [f"{stream['name'].removesuffix('.out')}:0->{reader.removesuffix('.in')}:0"
             for stream in plan["streams"] for reader in stream["readers"]]
    assert [line for line in said.splitlines() if "->" in line] == edges
    run("by_itself", "--verify")

    _, results = run("short", "--items", 10**9, fault="ends too early")
    assert (results["status"], results["reasons"][0]["code"]) == ("invalid", "E_COUNT")
    _, results = run("hung", "--timeout-s", 1, fault="never starts")
    assert results["status"] != "ok" and results["watchdog"]["blocks"]


def test_a_run_is_verified_and_counted_on_the_cpus_of_its_pieces(tmp_path: Path,
                                                                 capsys: pytest.CaptureFixture) -> None:
    want("gnuradio3")
    cpus = sorted(os.sched_getaffinity(0))[:2]
    file = project(tmp_path, workers=len(cpus), placement={"strategy": "contiguous"}, require=["affinity"])
    document = json.loads(file.read_text())
    document["run"] |= {"metrics": "counters", "trace": {"backend": "memory", "probe_granularity": 4096}}
    file.write_text(json.dumps(document))
    (result,) = answer(capsys, "run", file, "--out", tmp_path / "runs")
    planned = {name: [cpus[0]] for name in ("source", "stage[0]", "stage[1]")} | {
        name: [cpus[-1]] for name in ("stage[2]", "stage[3]", "sink")}
    assert (result["status"], result["verification"]["ok"]) == ("ok", True)
    assert result["granted"]["affinity"] == planned
    assert all(block["calls"] > 0 for block in result["blocks"])
    assert min(result["granted"]["buffers"].values()) >= 4096
    assert result["latency"]["count"] == 1_000_003 // 4096


@pytest.mark.slow
def test_a_run_has_the_cpu_that_is_said_for_all(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    want("gnuradio3")
    (result,) = answer(capsys, "run", project(tmp_path, affinity={"*": [0]}), "--trace", "off",
                       "--out", tmp_path / "runs")
    assert (result["status"], result["verification"]["ok"]) == ("ok", True)
    assert set(map(tuple, result["granted"]["affinity"].values())) == {(0,)}


def test_a_paced_source_is_not_left_asleep(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """Pace a source: if a call makes no items, GNU Radio does not call the source again for a quarter of a second."""
    want("gnuradio3")
    document = {"schema_version": 1, "name": "paced", "graph": {
        "blocks": [{"id": "source", "type": "paced_source", "parameters": {"item_type": "f32", "rate": 1e6}},
                   {"id": "sink", "type": "null_sink"}], "connections": [["source", "out", "sink", "in"]]},
        "deployments": [{"name": "gnuradio", "scheduler": "gnuradio310", "build": UNOPTIMISED}],
        "run": {"items": 1_000_000, "trace": {"backend": "memory", "probe_granularity": 256}}}
    file = tmp_path / "paced.weir.json"
    file.write_text(json.dumps(document))
    (result,) = answer(capsys, "run", file, "--out", tmp_path / "runs")
    assert result["latency"]["count"] == 1_000_000 // 256
    # Asleep, it would fill its buffer four times a second, and half of the items would be 7 s late.
    assert result["latency"]["p50_ns"] < 2e9
