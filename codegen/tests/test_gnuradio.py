"""The same drawing under GNU Radio: each instance a block of its own, each connection one of its buffers."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from runtimes import want
from target_world import answer, weir

from weir.catalog import ROOT

EXAMPLE = ROOT / "examples" / "saxpy_chain.weir.json"


def project(folder: Path, example: Path = EXAMPLE, **deployment: object) -> Path:
    document = json.loads(example.read_text())
    document["deployments"] = [{"name": "gnuradio", "scheduler": "gnuradio310", **deployment}]
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
    file = project(tmp_path, affinity={"stage[0]": [1]}, buffers={"source.out->stage[0].in": {"items": 4096}}, chunk_items=512)
    assert weir("generate", file, "-o", tmp_path / "out") == 0
    text = (tmp_path / "out" / "src" / "flowgraph.hpp").read_text()
    assert "stage_0->set_processor_affinity({1});" in text
    assert "source->set_min_output_buffer(0, 4096);" in text and "source->set_max_output_buffer(0, 4096);" in text
    assert text.count("->set_max_noutput_items(512);") == 6


SHOWN = """
#include <iostream>

#include "flowgraph.hpp"
#include "schedulers/gnuradio310.gr.hpp"

struct Shown {
    void run(weir::Run& run, Flowgraph& graph) const {
        weir::schedulers::Gnuradio310{}.run(run, graph);
        std::cerr << graph.top->edge_list();
    }
};

int main(int argc, char** argv) { return weir::app_main<Flowgraph, Shown>(argc, argv, plan()); }
"""


def test_gnu_radio_has_the_connections_of_the_plan_and_no_other(generated: Path) -> None:
    """Said by GNU Radio itself."""
    want("gnuradio3")
    (generated / "src" / "main.cpp").write_text(SHOWN)
    for words in (["cmake", "-S", ".", "-B", "build", "-DCMAKE_CXX_FLAGS=-O0"], ["cmake", "--build", "build", "-j2"]):
        subprocess.run(words, cwd=generated, check=True, capture_output=True)
    said = subprocess.run([generated / "build" / "saxpy_chain", "--out", generated / "run"], check=True,
                          capture_output=True, text=True).stderr
    plan = json.loads((generated / "plan.json").read_text())
    edges = [f"{stream['name'].removesuffix('.out')}:0->{reader.removesuffix('.in')}:0"
             for stream in plan["streams"] for reader in stream["readers"]]
    assert [line for line in said.splitlines() if "->" in line] == edges


def test_a_run_is_verified_pinned_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    want("gnuradio3")
    file = project(tmp_path, affinity={"*": [0]})
    document = json.loads(file.read_text())
    document["run"] |= {"metrics": "counters", "trace": {"backend": "memory", "probe_granularity": 4096}}
    file.write_text(json.dumps(document))
    (result,) = answer(capsys, "run", file, "--out", tmp_path / "runs")
    assert (result["status"], result["verification"]["ok"]) == ("ok", True)
    assert set(map(tuple, result["granted"]["affinity"].values())) == {(0,)}
    assert all(block["calls"] > 0 for block in result["blocks"])
    assert min(result["granted"]["buffers"].values()) >= 4096
    assert result["latency"]["count"] == 1_000_003 // 4096


def test_a_paced_source_is_not_left_asleep(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """A source that makes nothing in a call is not called again by GNU Radio for a quarter of a second."""
    want("gnuradio3")
    document = {"schema_version": 1, "name": "paced", "graph": {
        "blocks": [{"id": "source", "type": "paced_source", "parameters": {"item_type": "f32", "rate": 1e6}},
                   {"id": "sink", "type": "null_sink"}], "connections": [["source", "out", "sink", "in"]]},
        "deployments": [{"name": "gnuradio", "scheduler": "gnuradio310"}],
        "run": {"items": 1_000_000, "trace": {"backend": "memory", "probe_granularity": 256}}}
    file = tmp_path / "paced.weir.json"
    file.write_text(json.dumps(document))
    (result,) = answer(capsys, "run", file, "--out", tmp_path / "runs")
    assert result["latency"]["count"] == 1_000_000 // 256
    assert result["latency"]["p50_ns"] < 50e6
