"""Test which blocks `fused` makes one loop, and which it leaves alone."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace

import jsonschema
import pytest
from planning import arranged, chain, checked, deployed, graph, plan
from test_schedules import SCHEMA
from test_static import series
from weir.diagnostics import WeirError
from weir.engine.conformance import oracle
from weir.engine.generation.emit import generate
from weir.model.catalog import load_catalog
from weir.model.document import jsontext
from weir.model.planning import arrangement_check, schedule_check
from weir.model.planning.planner import Arrangement, Request
from weir.model.planning.schedule import Fire, Fuse, Schedule, WorkerSchedule, different_calls
from weir.model.planning.schedule_check import arenas

SAXPY = {"id": "stage", "type": "saxpy"}


def fused(document: dict, **deployment) -> tuple[Request, Arrangement]:
    return arranged(deployed(document, scheduler="fused", **{"workers": 1, **deployment}))


def loops(made: Arrangement) -> list[tuple[str, ...]]:
    return list(dict.fromkeys(call.instances for own in made.schedule.worker_schedules
                              for call in different_calls(own.body) if isinstance(call, Fuse)))


def test_a_chain_is_one_loop_between_two_places() -> None:
    _, made = fused(series({**SAXPY, "repeat": 6}, source="dummy_source", sink="benchmark_sink"))
    stages = tuple(f"stage[{i}]" for i in range(6))
    assert loops(made) == [stages]
    inside = [s for s in made.streams if s.kind == "register"]
    assert [s.name for s in inside] == [f"{name}.out" for name in stages[:-1]]
    assert {(s.items, s.bytes, s.arena, s.offset) for s in inside} == {(0, 0, None, None)}
    assert arenas(made.streams)["w0"] == sum(s.bytes for s in made.streams)


def test_a_loop_has_as_many_blocks_as_the_deployment_says() -> None:
    _, made = fused(series({**SAXPY, "repeat": 5}), parameters={"blocks_a_loop": 2})
    assert loops(made) == [("stage[0]", "stage[1]"), ("stage[2]", "stage[3]")]
    assert Fire("stage[4]", 1).instances in {
        call.instances for call in different_calls(made.schedule.worker_schedules[0].body)}


def test_a_loop_has_eight_where_nobody_says_anything() -> None:
    _, made = fused(series({**SAXPY, "repeat": 19}))
    assert [len(loop) for loop in loops(made)] == [8, 8, 3]


def test_what_several_read_is_in_memory() -> None:
    _, made = fused(graph({"src": "counter_source", "a": "copy", "b": "copy", "c": "copy", "d": "copy",
                           "one": "digest_sink", "two": "digest_sink"},
                          "src.out > a.in", "a.out > b.in", "b.out > c.in", "b.out > two.in", "c.out > d.in",
                          "d.out > one.in"))
    assert loops(made) == [("a", "b"), ("c", "d")]


def test_ways_that_part_at_a_stream_and_meet_are_one_loop() -> None:
    request, made = fused(graph({"src": "counter_source", "a": "saxpy", "b": "saxpy", "sum": "add", "gain": "saxpy",
                                 "sink": "digest_sink"},
                                "src.out > a.in", "src.out > b.in", "a.out > sum.in0", "b.out > sum.in1",
                                "sum.out > gain.in", "gain.out > sink.in"))
    assert loops(made) == [("a", "b", "sum", "gain")]
    oracle.run(made, request, random.Random(1), iterations=1)


def test_streams_that_may_end_apart_meet_outside_of_a_loop() -> None:
    """Use streams of different length: `a` fires as often as its source, `sum` as often as the shorter allows."""
    _, made = fused(graph({"src": "counter_source", "other": "random_source", "a": "saxpy", "b": "saxpy", "sum": "add",
                           "gain": "saxpy", "sink": "digest_sink"},
                          "src.out > a.in", "other.out > b.in", "a.out > sum.in0", "b.out > sum.in1",
                          "sum.out > gain.in", "gain.out > sink.in"))
    assert loops(made) == [("sum", "gain")]


def test_what_has_no_element_function_stays_alone() -> None:
    _, made = fused(series({"id": "first", "type": "saxpy"}, {"id": "dc", "type": "dc_blocker"},
                           {"id": "second", "type": "saxpy"}, {"id": "third", "type": "saxpy"}))
    assert loops(made) == [("second", "third")]


def test_a_loop_is_of_one_worker() -> None:
    _, made = fused(series({**SAXPY, "repeat": 4}), workers=2)
    assert loops(made) == [("stage[0]", "stage[1]"), ("stage[2]", "stage[3]")]
    assert {s.name: s.kind for s in made.streams}["stage[1].out"] == "ring"


@pytest.mark.parametrize(("source", "kinds", "same"), [
    ("counter_source", ("saxpy", "saxpy"), True),
    ("dummy_source", ("saxpy", "saxpy"), False),  # it relies on finding its earlier output
    ("counter_source", ("saxpy", "float_to_integer"), False),  # into items of half the size
])
def test_a_loop_works_in_place_where_one_of_its_blocks_could(source: str, kinds: tuple[str, ...], same: bool) -> None:
    blocks = [{"id": f"stage_{i}", "type": kind} for i, kind in enumerate(kinds)]
    if kinds[-1] == "float_to_integer":
        blocks[-1]["parameters"] = {"item_type": "i16"}
    _, made = fused(series(*blocks, source=source))
    place = {s.name: s.offset for s in made.streams}
    assert (place["source.out"] == place["stage_1.out"]) == same


def with_body(made: Arrangement, change: Callable[[tuple], tuple]) -> Arrangement:
    own = made.schedule.worker_schedules[0]
    return replace(made, schedule=Schedule((WorkerSchedule(own.worker, change(own.body)),)))


def with_loop(*instances: str) -> Callable[[Arrangement], Arrangement]:
    return lambda made: with_body(made, lambda body: tuple(
        replace(step, instances=instances) if isinstance(step, Fuse) else step for step in body))


#: Changes to a chain of s0 to s2 in one loop, and the expected message.
MUTANTS = {
    "of one": (with_loop("s0"), "a fused loop has ('s0',) instead of a tuple of several instances"),
    "of the same twice": (with_loop("s0", "s0", "s1", "s2"), "instead of a tuple of several instances"),
    "with what has no element function": (with_loop("s0", "s1", "s2", "sink"), "`sink` has no element function"),
    "the wrong way round": (with_loop("s1", "s0", "s2"), "`s1` reads `s0`, but does not follow `s0` in the loop"),
    "a loop, and one of it alone": (
        lambda made: with_body(made, lambda body: (*body, Fire("s1", 1))),
        "w0 fires `s1` both in a fused loop and outside of it"),
    "with memory within": (
        lambda made: replace(made, streams=tuple(replace(s, kind="linear", items=64) if s.name == "s0.out" else s
                                                 for s in made.streams)),
        "s0.out is of the kind 'linear' with 64 items"),
    "with a place within": (
        lambda made: replace(made, streams=tuple(replace(s, arena="w0", offset=0) if s.name == "s0.out" else s
                                                 for s in made.streams)),
        "s0.out has a place although its items stay in registers"),
}


@pytest.mark.parametrize("what", MUTANTS)
def test_a_loop_that_cannot_be_is_refused(what: str) -> None:
    request, made = fused(series(*({"id": f"s{i}", "type": "saxpy"} for i in range(3))))
    assert arrangement_check.faults_of(made, request) == []
    change, said = MUTANTS[what]
    assert said in " ".join(arrangement_check.faults_of(change(made), request))


def test_what_a_loop_overwrites_must_have_been_read() -> None:
    request, made = fused(graph({"src": "counter_source", "a": "saxpy", "b": "saxpy", "one": "digest_sink",
                                 "two": "digest_sink"},
                                "src.out > a.in", "src.out > two.in", "a.out > b.in", "b.out > one.in"))
    place = {s.name: s for s in made.streams}
    over = replace(made, streams=tuple(replace(s, offset=place["src.out"].offset) if s.name == "b.out" else s
                                       for s in made.streams))
    faults = schedule_check.faults_of(over.schedule, over.streams, request.graph, request.rates)
    assert "the loop of `a` to `b` writes b.out over unread items of src.out" \
        in " ".join(fault.message for fault in faults)


def test_the_plan_and_the_code_say_what_was_fused() -> None:
    it = checked(deployed(chain(2, kind="saxpy"), scheduler="fused", workers=1))
    made = plan(it.project.document)
    document = made.plan.as_json()
    jsonschema.validate(json.loads(jsontext.write(document)), SCHEMA)
    [loop] = [step for step in document["schedule"]["worker_schedules"][0]["body"] if "fuse" in step]
    assert loop["fuse"] == ["stage[0]", "stage[1]"]
    code = generate(made.plan, it.project, load_catalog())["src/flowgraph.hpp"].decode()
    assert "/// stage[0], stage[1]: one loop, in which an item stays in registers." in code
    assert re.search(r"const float stage_0_out = stage_0\.element\(stage_0_in\[i\]\);\n +"
                     r"stage_1_out\[i\] = stage_1\.element\(stage_0_out\);", code)


def test_an_edge_with_a_buffer_that_was_requested_is_in_memory() -> None:
    _, made = fused(series({**SAXPY, "repeat": 4}), buffers={"stage[1].out->stage[2].in": {"items": 64}})
    assert loops(made) == [("stage[0]", "stage[1]"), ("stage[2]", "stage[3]")]


@pytest.mark.parametrize("scheduler", ["static", "fused", "flow"])
@pytest.mark.parametrize("stages", [1, 4, 6])
def test_auto_is_predicted_no_slower_than_one_worker_or_an_even_cut(scheduler: str, stages: int) -> None:
    def predicted(strategy: str) -> float:
        return plan(deployed(series({**SAXPY, "repeat": stages}), scheduler=scheduler, workers=2,
                             placement={"strategy": strategy})).plan.predicted.items_per_s

    assert predicted("auto") >= max(predicted("single"), predicted("contiguous"))


@pytest.mark.parametrize("scheduler", ["static", "fused"])
def test_chunks_that_are_too_large_are_the_deployments(scheduler: str) -> None:
    with pytest.raises(WeirError) as raised:
        plan(deployed(series({**SAXPY, "repeat": 2}), scheduler=scheduler, workers=1, chunk_items=2**31))
    [fault] = raised.value.diagnostics
    assert fault.code == "E_PLANNER_REFUSES" and "a smaller chunk_items" in fault.hint
