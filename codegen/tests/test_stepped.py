"""Test `static` and `fused` with blocks that choose how many items they move: their worker has no worker schedule."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import jsonschema
import pytest
from planning import arranged, chain, checked, deployed, machine, plan, project
from test_schedules import SCHEMA
from weir.diagnostics import WeirError
from weir.engine.generation.emit import generate
from weir.model.catalog import load_catalog
from weir.model.check import check
from weir.model.document import jsontext
from weir.model.planning import arrangement_check, schedule_check, sizing
from weir.model.planning.deployment_check import refused_schedulers
from weir.model.planning.plan_text import plan_table
from weir.model.planning.planner import Arrangement, Request
from weir.model.planning.schedule import Fuse, Stepped, WorkerSchedule, different_calls, fired

BLOCKS = [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
          {"id": "gain", "type": "saxpy", "repeat": 2}, {"id": "rand", "type": "copy_rand"},
          {"id": "after", "type": "saxpy", "repeat": 2},
          {"id": "half", "type": "keep_one_in_n", "parameters": {"n": 2}},
          {"id": "sink", "type": "digest_sink"}]
WIRES = ["source.out > gain.in", "gain.out > rand.in", "rand.out > after.in", "after.out > half.in",
         "half.out > sink.in"]
#: `after` shares a worker with `rand`, so it is stepped, too.
THREE = {"source": "w0", "gain": "w0", "rand": "w1", "after": "w1", "half": "w2", "sink": "w2"}
#: Some items return to the worker that they left, whose other part waits for them.
ROUND = [{"id": "source", "type": "counter_source", "parameters": {"item_type": "c64"}},
         {"id": "rand", "type": "copy_rand"}, {"id": "split", "type": "complex_to_real_imag"},
         {"id": "gain", "type": "saxpy"}, {"id": "sum", "type": "add"}, {"id": "sink", "type": "digest_sink"}]
ROUND_WIRES = ["source.out > rand.in", "rand.out > split.in", "split.real > gain.in", "gain.out > sum.in0",
               "split.imag > sum.in1", "sum.out > sink.in"]
ROUND_ON = {"source": "w0", "gain": "w0", "rand": "w1", "split": "w1", "sum": "w1", "sink": "w0"}


def asked(blocks: list[dict], wires: list[str], on: dict[str, str], scheduler: str = "static",
          **more) -> tuple[Request, Arrangement]:
    return arranged(deployed(project(blocks, wires, run={"items": 1000}), scheduler=scheduler,
                             placement={"strategy": "explicit", "map": on}, **more))


def test_a_worker_without_such_a_block_has_a_schedule() -> None:
    request, made = asked(BLOCKS, WIRES, THREE)
    assert [own.worker for own in made.schedule.worker_schedules] == ["w0", "w2"]
    assert made.schedule.stepped == (Stepped("w1", ("rand",)),)
    assert fired(made.schedule) == {"source", "gain[0]", "gain[1]", "half", "sink"}
    assert set(made.chunks) == {"rand", "after[0]", "after[1]"}
    assert set(made.offered(request.rates)) == set(request.graph.by_name)
    streams = {stream.name: stream for stream in made.streams}
    assert [s.name for s in made.streams if s.kind == "ring"] == ["gain[1].out", "after[1].out"]
    assert streams["source.out"].arena == "w0" and streams["half.out"].arena == "w2"
    # Streams of the stepped worker are as under `flow`, where `after` works in place.
    assert streams["rand.out"].arena is None and streams["after[0].out"].over == "rand.out"


def test_rings_are_as_large_as_either_end_wants_them() -> None:
    request, made = asked(BLOCKS, WIRES, THREE)
    most = {call.instances[-1]: call.times for s in made.schedule.worker_schedules for call in different_calls(s.body)}
    rings = {stream.name: stream.always for stream in made.streams if stream.kind == "ring"}
    assert rings["gain[1].out"] >= 4 * most["gain[1]"] and rings["after[1].out"] >= 4 * 2 * most["half"]
    for scheduled in (False, True):
        for stream in sizing.plan_streams(request.graph, request.rates, list(made.workers), [], request.deployment,
                                          request.machine, scheduled):
            assert stream.kind != "ring" or rings[stream.name] >= stream.items


def test_the_plan_says_who_repeats_nothing_and_why() -> None:
    it = checked(deployed(project(BLOCKS, WIRES, run={"items": 1000}), scheduler="static",
                          placement={"strategy": "explicit", "map": THREE}))
    found = plan(it.project.document).plan
    document = json.loads(jsontext.write(found.as_json()))
    jsonschema.validate(document, SCHEMA)
    assert document["schedule"]["stepped"] == [{"worker": "w1", "varying": ["rand"]}]
    assert "w1 has no fixed schedule, because rand has variable rates" in plan_table(
        found, machine("two_core"), it.catalog.targets["cpp_app"])


def test_the_generated_code_steps_them() -> None:
    it = checked(deployed(project(BLOCKS, WIRES, run={"items": 1000}), scheduler="fused",
                          placement={"strategy": "explicit", "map": THREE}))
    text = generate(plan(it.project.document).plan, it.project, it.catalog)["src/flowgraph.hpp"].decode()
    assert "weir::Node<weir::blocks::CopyRand<float>> rand{" in text and '#include "weir/node.hpp"' in text
    assert "nullptr,  // w1: no fixed schedule, because rand has variable rates" in text
    assert "schedule_w0(at)" in text and "schedule_w2(at)" in text and "schedule_w1" not in text
    assert ".in_place = true" in text.partition("> after_0{")[2].partition("}")[0]


def test_only_those_of_a_schedule_are_fused() -> None:
    _, made = asked(BLOCKS, WIRES, THREE, scheduler="fused")
    loops = [call.instances for s in made.schedule.worker_schedules for call in different_calls(s.body)
             if isinstance(call, Fuse)]
    assert loops == [("gain[0]", "gain[1]")]
    assert not [s for s in made.streams if s.kind == "register" and s.source.startswith("after")]


def test_streams_of_a_circle_have_room_until_their_items_return() -> None:
    """Let the stepped worker fill both outputs of `split`; the other worker first takes a period of one of them."""
    request, made = asked(ROUND, ROUND_WIRES, ROUND_ON)
    kept = next(s for s in made.streams if s.name == "split.imag")
    period = next(call.times for s in made.schedule.worker_schedules for call in different_calls(s.body)
                  if call.instances == ("gain",))
    assert kept.kind == "linear" and kept.items >= period
    short = [replace(s, items=period - 1) if s is kept else s for s in made.streams]
    [fault] = schedule_check.faults_of(made.schedule, short, request.graph, request.rates)
    assert "the workers deadlock" in fault.message and "`gain` waits for" in fault.message


def test_a_ring_that_a_call_never_finds_full_enough_is_found() -> None:
    request, made = asked(BLOCKS, WIRES, THREE)
    period = next(c.times for s in made.schedule.worker_schedules for c in different_calls(s.body)
                  if c.instances == ("half",))
    short = [replace(s, items=period, least_items=None) if s.name == "after[1].out" else s for s in made.streams]
    [fault] = schedule_check.faults_of(made.schedule, short, request.graph, request.rates)
    assert f"`half` waits for {2 * period} items at half.in, but there are only {period}" in fault.message


@pytest.mark.parametrize("chunk_items", ["auto", 1, 7, 4096])
def test_any_placement_of_some_such_blocks_can_be_run_or_is_refused(chunk_items: int | str) -> None:
    """Try random placements; `planners.arrange` simulates each of these schedules."""
    dice, planned = random.Random(str(chunk_items)), 0
    for _ in range(12):
        blocks, wires = (BLOCKS, WIRES) if dice.random() < 0.5 else (ROUND, ROUND_WIRES)
        on = {block["id"]: f"w{dice.randrange(3)}" for block in blocks}
        try:
            _, made = asked(blocks, wires, on, scheduler=dice.choice(("static", "fused")), chunk_items=chunk_items)
        except AssertionError as refused:
            assert "E_RATE_NOT_STATIC" in str(refused)
            continue
        planned += 1
        assert {it.worker for it in made.schedule.stepped} == {on["rand"]}
    assert planned


def test_where_nothing_is_left_to_schedule_the_block_is_named() -> None:
    for way in ({"placement": {"strategy": "single"}}, {"workers": 1},
                {"placement": {"strategy": "explicit", "map": {"source": "w0", "limit": "w0", "stage": "w0",
                                                               "sink": "w0"}}}):
        document = deployed(chain(2, kind="copy_rand"), scheduler="static", **way)
        [found] = [d for d in check(json.dumps(document)).diagnostics if d.severity == "error"]
        assert found.code == "E_RATE_NOT_STATIC" and found.pointer == "/deployments/0/scheduler"
        assert "`stage` (copy_rand)" in found.message and "one worker has all blocks" in found.message
        assert "more workers, or an explicit placement" in found.hint and found.as_json()["blocks"] == ["stage"]


def test_each_worker_with_such_a_block_is_refused_too() -> None:
    document = deployed(chain(2, kind="copy_rand"), scheduler="static", workers=2)
    [found] = [d for d in check(json.dumps(document)).diagnostics if d.severity == "error"]
    assert found.code == "E_RATE_NOT_STATIC" and "every worker has such a block" in found.message


def test_what_depends_on_the_machine_is_reported_by_the_plan() -> None:
    with pytest.raises(WeirError) as refused:
        plan(deployed(chain(2, kind="copy_rand"), scheduler="static"))
    [found] = refused.value.diagnostics
    assert found.code == "E_RATE_NOT_STATIC" and found.pointer == "/deployments/0/scheduler"
    assert found.as_json()["blocks"] == ["stage"]


def test_placement_by_cost_leaves_a_worker_a_schedule_where_it_can() -> None:
    try:
        found = plan(deployed(chain(6, kind="copy_rand"), scheduler="static", workers=2,
                              placement={"strategy": "auto"})).plan
    except WeirError as refused:
        assert {d.code for d in refused.diagnostics} == {"E_RATE_NOT_STATIC"}
    else:
        assert found.schedule.worker_schedules and found.schedule.stepped


def test_a_graph_with_no_other_blocks_is_refused_wherever_they_are() -> None:
    catalog = load_catalog()
    one = chain(2, kind="copy_rand")
    assert "static" not in refused_schedulers(check(json.dumps(one)).graph, catalog)
    graph = check(json.dumps(one)).graph
    varying = replace(catalog.blocks["copy_rand"], behaviour={})
    only = replace(graph, instances=tuple(replace(i, type=varying) for i in graph.instances))
    assert "`source` (copy_rand) has variable rates" in refused_schedulers(only, catalog)["static"]


def test_an_arrangement_steps_what_it_says() -> None:
    request, made = asked(BLOCKS, WIRES, THREE)

    def said(**changes) -> str:
        return " ".join(arrangement_check.faults_of(replace(made, **changes), request))

    schedule = made.schedule
    assert not said()
    assert "the chunk of `rand` is None" in said(chunks={})
    assert "w2 has no worker schedule" in said(
        schedule=replace(schedule, worker_schedules=schedule.worker_schedules[:1]))
    assert "has no such instances" in said(schedule=replace(schedule, stepped=(Stepped("w1", ("half",)),)))
    assert "a stepped worker is" in said(schedule=replace(schedule, stepped=(Stepped("w1", None),)))
    both = replace(schedule, worker_schedules=(
        *schedule.worker_schedules, WorkerSchedule("w1", schedule.worker_schedules[0].body)))
    assert "has a worker schedule although it is stepped" in said(schedule=both)
    assert "its worker has no schedule" in said(streams=tuple(
        replace(s, arena="w1", offset=0) if s.name == "rand.out" else s for s in made.streams))
