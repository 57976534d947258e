"""Test what workers do alike under `replicated`, what they take turns with, and what is done again."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace

import jsonschema
import pytest
from planning import arranged, checked, deployed, machine, plan
from test_schedules import SCHEMA
from test_static import series
from weir.diagnostics import WeirError
from weir.engine.conformance import oracle
from weir.engine.generation.emit import generate
from weir.model.catalog import load_catalog
from weir.model.check import check
from weir.model.document import jsontext
from weir.model.document.project import Project
from weir.model.planning import arrangement_check
from weir.model.planning.plan import Plan
from weir.model.planning.plan_text import plan_table
from weir.model.planning.planner import Arrangement, Request
from weir.model.planning.replication import Replication, iterations_remembered, turns_of
from weir.model.planning.schedule import Fire, Fuse, Loop, Schedule, firings

FIR = {"type": "fir_filter", "parameters": {"taps": [0.25] * 9}}
SAXPY = {"type": "saxpy"}


def replicated(document: dict, **deployment) -> tuple[Request, Arrangement]:
    wanted = {key: value for key, value in {"workers": 2, **deployment}.items() if value is not None}
    return arranged(deployed(document, scheduler="replicated", **wanted))


def planned(document: dict, on: str = "two_core", workers: int = 2) -> tuple[Plan, Project]:
    document = deployed(document, scheduler="replicated", workers=workers)
    return plan(document, on).plan, checked(document).project


def test_each_worker_runs_all_of_it() -> None:
    request, made = replicated(series({**SAXPY, "id": "stage", "repeat": 3}), workers=2)
    names = tuple(request.graph.by_name)
    assert [(w.name, w.instances) for w in made.workers] == [("w0", names), ("w1", names)]
    first, second = made.schedule.worker_schedules
    assert first.body == second.body and (first.worker, second.worker) == ("w0", "w1")
    assert {s.arena for s in made.streams} == {"w0"} and {s.kind for s in made.streams} == {"linear"}
    assert made.replication == Replication(again=0) and not turns_of(request.graph)


@pytest.mark.parametrize(("count", "asked"), [(2, {"workers": None}), (1, {"workers": 1}), (5, {"workers": 5})])
def test_there_are_as_many_as_are_requested_or_as_there_are_cores(count: int, asked: dict) -> None:
    _, made = replicated(series({**SAXPY, "id": "stage"}), **asked)
    assert len(made.workers) == count


def test_blocks_that_remember_get_to_know_it_from_the_stretch_before() -> None:
    """Chain two filters of nine taps: each needs the sixteen items before, some of which all earlier blocks repeat."""
    request, made = replicated(series({**FIR, "id": "one"}, {**SAXPY, "id": "gain"}, {**FIR, "id": "two"}))
    assert not turns_of(request.graph) and iterations_remembered(request.graph, request.rates) == 16
    [loop] = made.schedule.worker_schedules[0].body
    assert isinstance(loop, Loop) and made.replication.again * firings(loop.body)["source"] >= 16
    assert made.replication.again * 20 <= loop.times
    oracle.run(made, request, random.Random(1),
               left=dict.fromkeys(request.graph.by_name, firings([loop])["source"] + 707))


def test_rates_count_for_what_is_remembered() -> None:
    """Chain blocks with memory.

    A decimator by four with nine taps remembers two firings of four items. The block with four taps behind it remembers
    three more.
    """
    decimator = {**FIR, "id": "down", "parameters": {**FIR["parameters"], "decimation": 4}}
    three = {**FIR, "id": "three", "parameters": {"taps": [1.0, 0.5, 0.5, 0.25]}}
    request, _ = replicated(series(decimator, three))
    assert iterations_remembered(request.graph, request.rates) == 3 + 2


@pytest.mark.parametrize(("blocks", "turns"), [
    (({**SAXPY, "id": "a"}, {"type": "dc_blocker", "id": "dc"}), {"dc": "depends on all earlier items"}),
    (({"type": "dc_blocker", "id": "dc"}, {**FIR, "id": "fir"}),
     {"dc": "depends on all earlier items", "fir": "depends on earlier items, which Weir cannot recompute"}),
    (({**FIR, "id": "fir"}, {"type": "dc_blocker", "id": "dc"}, {**SAXPY, "id": "a"}),
     {"dc": "depends on all earlier items"}),
])
def test_what_cannot_be_had_by_each_is_there_once(blocks: tuple[dict, ...], turns: dict[str, str]) -> None:
    request, made = replicated(series(*blocks))
    assert turns_of(request.graph) == turns
    alone = [step.instance for step in made.schedule.worker_schedules[0].body if isinstance(step, Fire)]
    assert alone == list(turns)
    oracle.run(made, request, random.Random(1), left=dict.fromkeys(request.graph.by_name, 20_011))


def test_a_sink_that_does_not_say_that_it_can_be_merged_takes_turns() -> None:
    document = series({**SAXPY, "id": "a"}, sink="file_sink")
    document["graph"]["blocks"][-1]["parameters"] = {"path": "out.f32"}
    request, made = replicated(document)
    assert turns_of(request.graph) == {"sink": "needs items in order"}
    assert made.schedule.worker_schedules[0].body[-1] == Fire(
        "sink", firings(made.schedule.worker_schedules[0].body)["source"])


def test_neighbours_are_one_loop_where_it_is_requested() -> None:
    stages = series({**SAXPY, "id": "stage", "repeat": 3})
    _, plain = replicated(stages)
    _, fused = replicated(stages, parameters={"fuse": True})
    calls = [[type(call) for call in made.schedule.worker_schedules[0].body[0].body] for made in (plain, fused)]
    assert calls == [[Fire] * 5, [Fire, Fuse, Fire]]


def test_what_blocks_remember_may_be_too_much() -> None:
    long = {"type": "delay", "id": "late", "parameters": {"items": 10**8}}
    with pytest.raises(WeirError) as refusal:
        replicated(series(long), chunk_items=64)
    [said] = refusal.value.diagnostics
    assert said.code == "E_PLANNER_REFUSES" and "the history of the blocks covers 1562500 periods" in said.message


def test_placement_is_not_asked_for() -> None:
    document = deployed(series({**SAXPY, "id": "a"}), scheduler="replicated", placement={"strategy": "single"})
    assert "E_SCHEDULER_PLACEMENT" in [d.code for d in check(json.dumps(document)).diagnostics]


def test_a_block_of_its_own_choice_is_refused() -> None:
    document = deployed(series({"type": "copy_rand", "id": "stage"}), scheduler="replicated")
    [found] = [d for d in check(json.dumps(document)).diagnostics if d.severity == "error"]
    assert found.code == "E_RATE_NOT_STATIC" and "`stage` (copy_rand)" in found.message


def less_again(made: Arrangement) -> Arrangement:
    return replace(made, replication=Replication(0))


def different(made: Arrangement) -> Arrangement:
    first, second = made.schedule.worker_schedules
    longer = replace(second, body=(Loop(2, second.body),))
    return replace(made, schedule=Schedule((first, longer)))


def turn_in_a_loop(made: Arrangement) -> Arrangement:
    worker_schedules = tuple(replace(s, body=(*s.body[:-1], Loop(1, s.body[-1:])))
                             for s in made.schedule.worker_schedules)
    return replace(made, schedule=Schedule(worker_schedules))


def not_all(made: Arrangement) -> Arrangement:
    return replace(made, workers=(made.workers[0], replace(made.workers[1], instances=made.workers[1].instances[:-1])))


@pytest.mark.parametrize(("spoil", "said"), [
    (less_again, "0 repeated repetitions are too few for the history of the blocks"),
    (different, "replicated workers have different worker schedules"),
    (turn_in_a_loop, "an instance at which workers take turns must fire once in a stretch"),
    (not_all, "w1 fires `sink`"),
    (lambda made: replace(made, replication="yes"), "`replication` is a str"),
    (lambda made: replace(made, replication=None), "is assigned to both w0 and w1"),
])
def test_a_spoilt_plan_is_found(spoil: Callable[[Arrangement], Arrangement], said: str) -> None:
    document = series({**FIR, "id": "fir"}, sink="file_sink")
    document["graph"]["blocks"][-1]["parameters"] = {"path": "out.f32"}
    request, made = replicated(document)
    assert arrangement_check.faults_of(made, request) == []
    assert any(said in fault for fault in arrangement_check.faults_of(spoil(made), request))


def test_the_oracle_misses_what_is_not_done_again() -> None:
    """Check the oracle itself, so that its approval means something."""
    request, made = replicated(series({**FIR, "id": "fir"}))
    longer = firings(made.schedule.worker_schedules[0].body)["source"] + 100
    with pytest.raises(oracle.Spoilt, match="fir has a history of 8 items"):
        oracle.run(less_again(made), request, random.Random(1), left=dict.fromkeys(request.graph.by_name, longer))


def test_a_plan_says_it() -> None:
    document = series({**FIR, "id": "fir"}, {"type": "dc_blocker", "id": "dc"}, {**SAXPY, "id": "gain"})
    found, _ = planned(document)
    as_json = json.loads(jsontext.write(found.as_json()))
    jsonschema.validate(as_json, SCHEMA)
    assert as_json["schedule"]["replication"] == {"again": 1}
    assert [(b["instance"], b["worker"], b.get("takes_turns", False)) for b in as_json["blocks"]] == [
        ("source", None, False), ("fir", None, False), ("dc", None, True), ("gain", None, False), ("sink", None, False)]
    assert {s["name"] for s in as_json["streams"] if s.get("held")} == {"fir.out"}
    assert [arena["worker"] for arena in as_json["schedule"]["arenas"]] == ["w0", "w1"]
    text = plan_table(found, machine("two_core"), load_catalog().targets[found.target])
    assert "w1: like w0, each with its own stretch of items; each stretch starts with the last 1 repetitions" in text
    assert "in turn, shared by all workers: dc" in text


def test_the_code_says_it() -> None:
    found, project = planned(series({**FIR, "id": "fir"}, {"type": "dc_blocker", "id": "dc"}))
    code = generate(found, project, load_catalog())["src/flowgraph.hpp"].decode()
    for text in (r"struct Flowgraph : weir::Replicated<Replica, 2> \{\};", r"\.replicas = 2,",
                 r"weir::InTurn<weir::blocks::DcBlocker",
                 r"for \(int period = -stretch\.again\(1\); period != 20; \+\+period\) \{", r"dc\.share\(first\.dc\);",
                 r"\.held = true", r"fir\.take_up\(at, stretch, \d+, \d+\);", r"dc\.take_up\(at, stretch, \d+\);"):
        assert re.search(text, code), text
    assert code.count("weir::task_range<0, 3>") == 1 and code.count("weir::task_range<4, 7>") == 1


def test_what_is_in_turn_bounds_what_is_predicted() -> None:
    plain, _ = planned(series({**SAXPY, "id": "a"}, {**SAXPY, "id": "b"}), "quad_smt", 4)
    turns, _ = planned(series({"type": "dc_blocker", "id": "a"}, {**SAXPY, "id": "b"}), "quad_smt", 4)
    assert plain.predicted.busiest != "a" and turns.predicted.busiest == "a"
    assert turns.predicted.items_per_s < plain.predicted.items_per_s
