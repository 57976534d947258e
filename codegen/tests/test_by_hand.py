"""Test a chain by hand: buffers of a fixed size circulate, and each thread calls its blocks on them in place."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from by_hand import header, interrupted, pieces, program, results
from graph_reference import expected_sinks
from planning import EXAMPLES, UNOPTIMISED, plan
from planning import project as drawing
from target_world import answer, weir, written

SOURCE = {"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}}
SINK = {"id": "sink", "type": "digest_sink"}
#: Not a whole number of buffers.
ITEMS = 100_003


def chain(stages: int = 5, item_type: str = "f32", run: dict | None = None, **deployment: object) -> dict:
    return drawing([{**SOURCE, "parameters": {"item_type": item_type}},
                    {"id": "stage", "type": "saxpy", "repeat": stages}, SINK],
                   ["source.out > stage.in", "stage.out > sink.in"],
                   deployments=[{"name": "by_hand", "scheduler": "handed_round", "workers": 2, "build": UNOPTIMISED,
                                 **deployment}],
                   run={"items": ITEMS, "metrics": "none", "trace": {"backend": "off"}, **(run or {})})


def test_each_thread_has_a_contiguous_piece(tmp_path: Path) -> None:
    """Give the first M mod N threads one stage more."""
    assert pieces(tmp_path, chain(stages=8, workers=3)) == [
        ["source, stage_0, stage_1, stage_2"], ["stage_3, stage_4, stage_5"], ["stage_6, stage_7, sink"]]
    assert pieces(tmp_path, chain(stages=3, workers=1)) == [["source, stage_0, stage_1, stage_2, sink"]]
    assert pieces(tmp_path, chain(stages=1, workers=2)) == [["source, stage_0, sink"]]


@pytest.mark.parametrize(("wish", "buffers", "items"), [
    ({}, 3, 4096), ({"workers": 4}, 5, 4096), ({"item_type": "c64"}, 3, 2048), ({"chunk_items": 1000}, 3, 1000),
    ({"chunk_items": 1000, "buffers": {"source.out->stage[0].in": {"items": 4500}}}, 5, 1000)])
def test_there_is_one_buffer_more_than_threads_of_16_kib_or_as_requested(tmp_path: Path, wish: dict, buffers: int,
                                                                         items: int) -> None:
    assert f"kBuffers = {buffers}, kBufferItems = {items};" in header(tmp_path, chain(**wish))
    streams = json.loads((tmp_path / "out" / "plan.json").read_text())["streams"]
    assert {stream["planned_items"] for stream in streams} == {buffers * items}
    assert [stream.get("over") for stream in streams] == [None, *(stream["name"] for stream in streams[:-1])]


def test_what_a_dummy_source_wrote_is_written_over_where_buffers_are_handed_on() -> None:
    example = EXAMPLES / "saxpy_multi_core.weir.json"
    first = {name: plan(example, "two_core", name).plan.streams[1].over
             for name in ("by_hand", "circuit_custom", "qsdr_custom")}
    assert first == {"by_hand": "source.out", "circuit_custom": None, "qsdr_custom": "source.out"}


OTHERS = [
    ([SOURCE, {"id": "some", "type": "copy"}, SINK], ["source.out > some.in", "some.out > sink.in"], "some",
     "does not work in place"),
    ([SOURCE, {"id": "some", "type": "abs"}, SINK, {"id": "too", "type": "digest_sink"}],
     ["source.out > some.in", "some.out > sink.in", "some.out > too.in"], "some", "has several readers"),
    ([SOURCE, {**SOURCE, "id": "more"}, {"id": "sum", "type": "add"}, SINK],
     ["source.out > sum.in0", "more.out > sum.in1", "sum.out > sink.in"], "more", "is a second source"),
    ([SOURCE, {"id": "sum", "type": "add"}, SINK],
     ["source.out > sum.in0", "source.out > sum.in1", "sum.out > sink.in"],
     "source", "has several readers"),
    ([{**SOURCE, "parameters": {"item_type": "c64"}}, {"id": "parts", "type": "complex_to_real_imag"}, SINK,
      {"id": "too", "type": "digest_sink"}],
     ["source.out > parts.in", "parts.real > sink.in", "parts.imag > too.in"], "parts", "has several outputs"),
    ([{**SOURCE, "parameters": {"item_type": "i32"}}, {"id": "some", "type": "integer_to_float"}, SINK],
     ["source.out > some.in", "some.out > sink.in"], "some", "does not work in place")]


@pytest.mark.parametrize(("blocks", "wires", "block", "why"), OTHERS, ids=[why for *_, why in OTHERS])
def test_no_other_graph_than_a_chain_is_taken(tmp_path: Path, capsys, blocks: list, wires: list, block: str,
                                              why: str) -> None:
    document = drawing(blocks, wires, deployments=chain()["deployments"])
    said = answer(capsys, "validate", written(tmp_path, document), code=1)
    [found] = [it for it in said["diagnostics"] if it["severity"] == "error"]
    assert (found["code"], found["pointer"],
            found["blocks"]) == ("E_SCHEDULER_BLOCK", "/deployments/0/scheduler", [block])
    assert found["message"].endswith(why) and found["hint"]


@pytest.mark.parametrize(("changes", "why"), [
    ({"outputs": [{"id": "out", "type": "i32", "rate": 1}]}, "changes the type of the items"),
    ({"inputs": [{"id": "in", "type": "T", "rate": 2}], "outputs": [{"id": "out", "type": "T", "rate": 2}]},
     "does not move an item at a time")])
def test_items_are_of_one_type_and_go_one_by_one(tmp_path: Path, capsys, changes: dict, why: str) -> None:
    assert weir("new", "block", "odd", "-o", tmp_path / "blocks") == 0
    file = tmp_path / "blocks" / "odd" / "block.json"
    descriptor = json.loads(file.read_text())
    file.write_text(json.dumps({**descriptor, **changes, "vectors": [],
                                "behaviour": {**descriptor["behaviour"], "in_place": True, "rates": "fixed"}}))
    document = drawing([SOURCE, {"id": "some", "type": "odd"}, SINK], ["source.out > some.in", "some.out > sink.in"],
                       deployments=chain()["deployments"])
    said = answer(capsys, "validate", written(tmp_path, document), "--block-path", tmp_path / "blocks", code=1)
    [found] = [it for it in said["diagnostics"] if it["severity"] == "error"]
    assert (found["code"], found["blocks"]) == ("E_SCHEDULER_BLOCK", ["some"]) and found["message"].endswith(why)


@pytest.mark.parametrize(("wish", "code"), [
    ({"placement": {"strategy": "contiguous"}}, "E_SCHEDULER_PLACEMENT"), ({"wait": "park"}, "E_SCHEDULER_WAIT"),
    ({"target": "cpp_app"}, "E_TARGET_SCHEDULER")])
def test_what_it_leaves_no_choice_of_is_refused(tmp_path: Path, capsys, wish: dict, code: str) -> None:
    said = answer(capsys, "validate", written(tmp_path, chain(**wish)), code=1)
    assert [it["code"] for it in said["diagnostics"] if it["severity"] == "error"] == [code]


def test_a_block_that_moves_what_it_likes_is_refused(tmp_path: Path, capsys) -> None:
    document = drawing([SOURCE, {"id": "some", "type": "copy_rand"}, SINK],
                       ["source.out > some.in", "some.out > sink.in"],
                       deployments=chain()["deployments"])
    said = answer(capsys, "validate", written(tmp_path, document), code=1)
    assert [it["code"] for it in said["diagnostics"] if it["severity"] == "error"][0] == "E_RATE_NOT_STATIC"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the project, whose last thread has the first CPU, and its program."""
    cpus = sorted(os.sched_getaffinity(0))[:2]
    file = written(tmp_path_factory.mktemp("by_hand"), chain(affinity={"w0": cpus[-1:], "w1": cpus[:1]}, wait="yield"))
    return file, program(file)


def test_a_run_is_verified_pinned_and_right(built: tuple[Path, Path], tmp_path: Path,
                                            capsys: pytest.CaptureFixture) -> None:
    """Verify while blocks are watched, and without anything between them."""
    file, _ = built
    [found] = answer(capsys, "run", file, "--out", tmp_path / "runs")
    cpus = sorted(os.sched_getaffinity(0))[:2]
    assert (found["status"], found["verification"]["ok"], found["verification"]["reference"]) == ("ok", True, "numpy")
    assert found["granted"]["affinity"] == {"w0": cpus[-1:], "w1": cpus[:1]}
    assert set(found["granted"]["buffers"].values()) == {3 * 4096}
    [(items, digest)] = expected_sinks(file, file.parent).values()
    assert [(sink["items"], sink["digest"]) for sink in found["sinks"]] == [(items, digest)] and items == ITEMS
    assert {block["id"]: (block["items_in"], block["items_out"]) for block in found["blocks"]} == {
        "source": (0, ITEMS), "sink": (ITEMS, 0), **{f"stage[{i}]": (ITEMS, ITEMS) for i in range(5)}}
    assert found["throughput_items_per_s"] > 0


def test_what_is_watched_is_counted(built: tuple[Path, Path], tmp_path: Path) -> None:
    found = results(built[1], tmp_path, "--metrics", "counters")
    assert found["status"] == "ok" and {block["calls"] for block in found["blocks"]} == {-(-ITEMS // 4096)}
    assert {block["items_per_call"]["p50"] for block in found["blocks"]} == {4096}
    assert found["sinks"][0]["digest"] == results(built[1], tmp_path, "--metrics", "none")["sinks"][0]["digest"]


def test_a_warm_up_is_apart_from_the_window(built: tuple[Path, Path], tmp_path: Path) -> None:
    found = results(built[1], tmp_path, "--warmup-items", ITEMS // 2, "--items", 50 * ITEMS)
    assert (found["window"]["begin_ns"] and found["window_s"] < found["elapsed_s"]
            and found["throughput_items_per_s"] > 0)


def test_one_without_an_end_stops_when_it_is_told_to(built: tuple[Path, Path], tmp_path: Path) -> None:
    assert interrupted(built[1], tmp_path)["sinks"][0]["items"] > 0


def test_it_is_traced_and_may_have_its_kernels_from_a_library(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    document = chain(kernels="linked", workers=1, run={"trace": {"backend": "memory", "probe_granularity": 4096}})
    [found] = answer(capsys, "run", written(tmp_path, document), "--out", tmp_path / "runs")
    assert (found["status"], found["verification"]["ok"], found["latency"]["count"]) == ("ok", True, ITEMS // 4096)
    assert found["runtime"]["kernel_object_hash"]


def test_a_block_that_fails_ends_the_run(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """Fail in a thread behind another one, which then waits for a buffer."""
    assert weir("new", "block", "fails", "-o", tmp_path / "blocks") == 0
    folder = tmp_path / "blocks" / "fails"
    descriptor = json.loads((folder / "block.json").read_text())
    descriptor["behaviour"] |= {"in_place": True, "rates": "fixed"}
    (folder / "block.json").write_text(json.dumps(descriptor))
    header = (folder / "fails.hpp").read_text()
    (folder / "fails.hpp").write_text(re.sub(r"(WorkResult work\([^)]*\) noexcept \{)",
                                             r"\1 if (++calls_ > 20) return WorkStatus::error;", header)
                                      .replace("};\n\n}", "  private:\n    int calls_ = 0;\n};\n\n}"))
    document = drawing([SOURCE, {"id": "stage", "type": "saxpy"}, {"id": "bad", "type": "fails"}, SINK],
                       ["source.out > stage.in", "stage.out > bad.in", "bad.out > sink.in"],
                       deployments=chain()["deployments"],
                       run={"items": 0, "metrics": "none", "trace": {"backend": "off"}})
    found = answer(capsys, "run", written(tmp_path, document), "--block-path", tmp_path / "blocks", "--out",
                   tmp_path / "runs", code=4)
    assert [(it["code"], it["message"].partition(":")[0]) for it in found[0]["reasons"]
            if it["code"] == "E_BLOCK"] == [("E_BLOCK", "bad")]
