"""Test chains by hand, drained in turn: each thread has whole chains, and empties one buffer after the other."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from by_hand import interrupted, pieces, program, results
from graph_reference import expected_sinks
from planning import EXAMPLES, UNOPTIMISED, plan
from planning import project as drawing
from target_world import answer, weir, written

SOURCE = {"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}}
SINK = {"id": "sink", "type": "digest_sink"}
#: Not a whole number of buffers; and the items that a head passes.
ITEMS, FEWER = 100_003, 30_001


def chains(stage: str = "copy_rand", pipes: int = 3, **deployment: object) -> dict:
    return drawing([SOURCE, {"id": "stage", "type": stage, "repeat": 2}, SINK],
                   ["source.out > stage.in", "stage.out > sink.in"], pipes=pipes,
                   deployments=[{"name": "by_hand", "scheduler": "drained", "workers": 2, "build": UNOPTIMISED,
                                 **deployment}])


def test_chains_are_dealt_out_in_turn(tmp_path: Path) -> None:
    def of(pipe: int) -> str:
        return ", ".join(f"{name}_p{pipe}" for name in ("source", "stage_0", "stage_1", "sink"))

    assert pieces(tmp_path, chains()) == [[of(0), of(2)], [of(1)]]
    assert pieces(tmp_path, chains(workers=1)) == [[of(0), of(1), of(2)]]
    # Their positions in the drawing do not matter.
    apart = drawing([SOURCE, {**SOURCE, "id": "other"}, SINK, {"id": "end", "type": "digest_sink"}],
                    ["source.out > end.in", "other.out > sink.in"], deployments=chains()["deployments"])
    assert pieces(tmp_path, apart) == [["source, end"], ["other, sink"]]


def test_workers_that_get_no_chain_are_left_out() -> None:
    made = plan(chains(pipes=2, workers=3), "quad_smt", "by_hand")
    assert [it.name for it in made.plan.workers] == ["w0", "w1"]
    assert [it.code for it in made.diagnostics] == ["W_WORKER_IDLE"]


@pytest.mark.parametrize(("wish", "offered", "items"), [
    ({}, 4096, {4096}), ({"chunk_items": 1000}, 1000, {1000}),
    ({"buffers": {"stage[*].out->sink.in": {"items": 500}}}, 500, {500}),
    ({"chunk_items": 1000, "buffers": {"source.out->stage[*].in": {"items": 4500}}}, 1000, {1000, 4500}),
    ({"chunk_items": 1000, "buffers": {"source.out->stage[*].in": {"items": 500}}}, 1000, {1000})])
def test_each_connection_has_a_buffer_of_16_kib_or_as_requested(wish: dict, offered: int, items: set[int]) -> None:
    made = plan(chains(stage="saxpy", **wish), deployment="by_hand").plan
    assert {block.chunk_items for block in made.blocks} == {offered}
    assert {stream.planned_items for stream in made.streams} == items
    assert len(made.memories) == len(made.streams) == 9


def test_the_ceiling_of_null_rand_is_a_deployment_of_its_example() -> None:
    for name, kib in (("by_hand", 8), ("by_hand_64k", 64)):
        made, flow = (plan(EXAMPLES / "null_rand_latency.weir.json", "two_core", it).plan for it in (name, "flow"))
        assert {stream.bytes for stream in made.streams} == {kib * 1024}
        assert [(it.cpus, set(it.instances)) for it in made.workers] == [
            (it.cpus, set(it.instances)) for it in flow.workers]


OTHERS = [
    ([SOURCE, {"id": "some", "type": "copy"}, SINK, {"id": "too", "type": "digest_sink"}],
     ["source.out > some.in", "some.out > sink.in", "some.out > too.in"], "some", "has several readers"),
    ([SOURCE, {**SOURCE, "id": "more"}, {"id": "sum", "type": "add"}, SINK],
     ["source.out > sum.in0", "more.out > sum.in1", "sum.out > sink.in"], "sum", "has several inputs"),
    ([{**SOURCE, "parameters": {"item_type": "c64"}}, {"id": "parts", "type": "complex_to_real_imag"}, SINK,
      {"id": "too", "type": "digest_sink"}],
     ["source.out > parts.in", "parts.real > sink.in", "parts.imag > too.in"], "parts", "has several outputs"),
    ([SOURCE, {"id": "thin", "type": "keep_one_in_n", "parameters": {"n": 2}}, SINK],
     ["source.out > thin.in", "thin.out > sink.in"], "thin", "does not move an item at a time"),
    ([SOURCE, {"id": "slow", "type": "throttle", "parameters": {"rate": 1000}}, SINK],
     ["source.out > slow.in", "slow.out > sink.in"], "slow", "waits for points in time")]


@pytest.mark.parametrize(("blocks", "wires", "block", "why"), OTHERS, ids=[why for *_, why in OTHERS])
def test_nothing_but_separate_chains_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture, blocks: list, wires: list,
                                              block: str, why: str) -> None:
    document = drawing(blocks, wires, deployments=chains()["deployments"])
    said = answer(capsys, "validate", written(tmp_path, document), code=1)
    [found] = [it for it in said["diagnostics"] if it["severity"] == "error"]
    assert (found["code"], found["pointer"], found["blocks"]) == (
        "E_SCHEDULER_BLOCK", "/deployments/0/scheduler", [block])
    assert found["message"].endswith(why) and found["hint"]


def test_buffers_that_nobody_has_memory_for_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    said = answer(capsys, "plan", written(tmp_path, chains(chunk_items=2**29)), code=3)
    assert [it["code"] for it in said["diagnostics"]] == ["E_PLANNER_REFUSES"]


#: Misbehaviour of `bad` in place of its work, and the expected message.
FAULTS = ("the block reported an error without a reason", "the block moved nothing of what it was offered",
          "the block did not write as many items as it read")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """Return the folder with `bad`, the project, and its program.

    The chains: one with `bad`; one whose items change type and that continues before its head; and a plain one.
    """
    folder = tmp_path_factory.mktemp("drained")
    assert weir("new", "block", "bad", "-o", folder / "blocks") == 0
    descriptor, code = (folder / "blocks" / "bad" / name for name in ("block.json", "bad.hpp"))
    described = json.loads(descriptor.read_text())
    described["parameters"] = [{"id": "fault", "type": "i64", "default": 0, "minimum": 0, "maximum": len(FAULTS),
                                "structural": False}]
    descriptor.write_text(json.dumps(described))
    text = code.read_text().replace("struct Params {};", "struct Params { std::int64_t fault = 0; };")
    text = re.sub(r"(WorkResult work\([^)]*\) noexcept \{)",
                  r"\1 if (params.fault == 1) return WorkStatus::error; if (params.fault == 2) return WorkStatus::ok;",
                  text)
    code.write_text(text.replace("        return WorkStatus::ok;\n    }",
                                 "        if (params.fault == 3) out.produce(n - 1);\n"
                                 "        return WorkStatus::ok;\n    }"))
    document = drawing(
        [SOURCE, {"id": "limit", "type": "head"}, {"id": "stage", "type": "copy_rand", "repeat": 2},
         {"id": "bad", "type": "bad"}, SINK,
         {"id": "complex", "type": "counter_source", "parameters": {"item_type": "c64"}},
         {"id": "magnitude", "type": "complex_to_mag"}, {"id": "fewer", "type": "head", "parameters": {"items": FEWER}},
         {"id": "few", "type": "digest_sink"},
         {**SOURCE, "id": "plain"}, {"id": "end", "type": "digest_sink"}],
        ["source.out > limit.in", "limit.out > stage.in", "stage.out > bad.in", "bad.out > sink.in",
         "complex.out > magnitude.in", "magnitude.out > fewer.in", "fewer.out > few.in", "plain.out > end.in"],
        deployments=[{"name": "by_hand", "scheduler": "drained", "workers": 2, "chunk_items": 2048}],
        run={"items": ITEMS, "metrics": "counters", "trace": {"backend": "memory", "probe_granularity": 4096}})
    file = written(folder, document)
    return folder / "blocks", file, program(file, folder / "blocks")


def test_a_run_is_verified_traced_and_counted(built: tuple[Path, Path, Path], tmp_path: Path,
                                              capsys: pytest.CaptureFixture) -> None:
    blocks, file, _ = built
    [found] = answer(capsys, "run", file, "--block-path", blocks, "--out", tmp_path / "runs")
    assert (found["status"], found["verification"]["ok"], found["verification"]["reference"]) == ("ok", True, "numpy")
    assert set(found["granted"]["buffers"].values()) == {2048}
    assert (found["latency"]["lost"], found["trace"]["discarded"]) == (0, 0) and found["latency"]["count"] > 0
    calls = {it["id"]: it["calls"] for it in found["blocks"]}
    assert calls["sink"] == calls["limit"] == calls["bad"] == calls["plain"] == -(-ITEMS // 2048)
    # As often as needed: half of 512 items per call, and fewer at the end of a buffer.
    assert ITEMS / 512 < calls["stage[0]"] < ITEMS / 100 and calls["few"] == -(-FEWER // 2048)


def test_unwatched_it_is_right_too(built: tuple[Path, Path, Path], tmp_path: Path) -> None:
    blocks, file, binary = built
    found = results(binary, tmp_path, "--trace", "off", "--metrics", "none")
    assert found["status"] == "ok"
    moved = {block["id"]: (block["items_in"], block["items_out"]) for block in found["blocks"]}
    assert moved == {
        "source": (0, ITEMS), **dict.fromkeys(("limit", "stage[0]", "stage[1]", "bad"), (ITEMS, ITEMS)),
        "sink": (ITEMS, 0), "plain": (0, ITEMS), "end": (ITEMS, 0), "complex": (0, FEWER),
        **dict.fromkeys(("magnitude", "fewer"), (FEWER, FEWER)), "few": (FEWER, 0)}
    # Copy of the drawing with blocks that numpy knows.
    document = json.loads(file.read_text())
    document["graph"]["blocks"] = [{**it, "type": "copy"} if it["id"] == "bad" else it
                                   for it in document["graph"]["blocks"]]
    wanted = expected_sinks(json.dumps(document), file.parent)
    assert {it["id"]: (it["items"], it["digest"]) for it in found["sinks"] if it["id"] != "few"} == {
        name: it for name, it in wanted.items() if name != "few"}


def test_all_chains_warm_up_before_the_first_continues(built: tuple[Path, Path, Path], tmp_path: Path) -> None:
    """Check that the first chain of a thread does not end before the window opens."""
    found = results(built[2], tmp_path, "--trace", "off", "--metrics", "none", "--warmup-items", FEWER // 2,
                    "--items", 50 * ITEMS, "--param", "fewer.items=0")
    assert found["window"]["begin_ns"] and found["window_s"] < found["elapsed_s"]
    assert found["throughput_items_per_s"] > 0 and found["status"] == "ok"


def test_one_without_an_end_stops_when_it_is_told_to(built: tuple[Path, Path, Path], tmp_path: Path) -> None:
    found = interrupted(built[2], tmp_path)
    moved = {it["id"]: it["items"] for it in found["sinks"]}
    # The first chain of its thread, and the next one there.
    assert moved["sink"] > 0 and moved["end"] == 0 and moved["few"] == FEWER


@pytest.mark.parametrize("watched", [False, True])
@pytest.mark.parametrize("fault", range(len(FAULTS)), ids=("error", "nothing", "fewer"))
def test_a_block_that_fails_ends_the_run(built: tuple[Path, Path, Path], tmp_path: Path, fault: int,
                                         watched: bool) -> None:
    found = results(built[2], tmp_path, "--trace", "off", "--metrics", "counters" if watched else "none",
                    "--param", f"bad.fault={fault + 1}")
    assert [it["message"] for it in found["reasons"] if it["code"] == "E_BLOCK"] == [f"bad: {FAULTS[fault]}"]
