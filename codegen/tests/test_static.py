"""Test schedules of `static` by example; the oracle and random graphs test it in `weir test`."""

from __future__ import annotations

import random

import pytest
from planning import arranged, deployed, plan, project
from test_schedules import BLOCKS, ON_TWO, WIRES
from weir.engine.conformance import oracle
from weir.model.planning.planner import Arrangement, Request
from weir.model.planning.schedule import Fire, calls, firings
from weir.model.planning.schedule_check import arenas


def static(document: dict, on: str = "two_core", **deployment) -> tuple[Request, Arrangement]:
    return arranged(deployed(document, scheduler="static", **deployment), on)


def series(*middle: dict, source: str = "counter_source", sink: str = "digest_sink") -> dict:
    blocks = [{"id": "source", "type": source, "parameters": {"item_type": "f32"}}, *middle,
              {"id": "sink", "type": sink}]
    names = [block["id"] for block in blocks]
    return project(blocks, [f"{a}.out > {b}.in" for a, b in zip(names, names[1:])], run={"items": 1000})


@pytest.mark.parametrize("stages", [1, 2, 6, 40])
def test_a_chain_that_works_in_place_has_two_places(stages: int) -> None:
    """Expect one place that the source writes, and one for all others."""
    kernel = {"id": "stage", "type": "saxpy", "repeat": stages}
    _, made = static(series(kernel, source="dummy_source", sink="benchmark_sink"), workers=1)
    places = {(s.offset, s.bytes) for s in made.streams}
    assert len(places) == 2 and len(made.streams) == stages + 1
    assert arenas(made.streams)["w0"] == sum(size for _, size in places)


def test_blocks_that_do_not_work_in_place_alternate_between_two_places() -> None:
    _, made = static(series({"id": "stage", "type": "copy", "repeat": 9}), workers=1)
    assert len({s.offset for s in made.streams}) == 2


@pytest.mark.parametrize("stages", [3, 12])
def test_a_chain_of_any_length_stays_in_l1(stages: int) -> None:
    """Use chunks as large as its two places allow; `flow` has a buffer for each stream there."""
    document = series({"id": "stage", "type": "copy", "repeat": stages})
    request, made = static(document, workers=1)
    offered = plan(deployed(document, scheduler="flow", workers=1)).plan
    [own] = made.schedule.worker_schedules
    assert request.machine.l1d / 2 < arenas(made.streams)["w0"] <= request.machine.l1d
    assert sum(s.bytes for s in offered.streams if s.over is None) > request.machine.l1d
    assert [step.instance for step in calls(own.body)] == [b.instance for b in offered.blocks]


def test_a_worker_of_slower_streams_has_a_longer_period() -> None:
    document = series({"id": "down", "type": "keep_one_in_n", "parameters": {"n": 8}}, {"id": "stage", "type": "copy"})
    on_two = {"strategy": "explicit", "map": {"source": "w0", "down": "w0", "stage": "w1", "sink": "w1"}}
    request, made = static(document, workers=2, placement=on_two)
    fast, slow = (firings(own.body) for own in made.schedule.worker_schedules)
    times = slow["stage"] // fast["down"]
    assert times > 1 and times & (times - 1) == 0 and slow["stage"] == times * fast["down"]
    [ring] = [s for s in made.streams if s.kind == "ring"]
    assert ring.items >= 4 * slow["stage"]


def test_firings_beyond_a_chunk_are_repeated() -> None:
    document = series({"id": "up", "type": "interpolate", "parameters": {"interpolation": 4096}},
                      {"id": "gain", "type": "multiply_const"},
                      {"id": "down", "type": "keep_one_in_n", "parameters": {"n": 4096}})
    document["graph"]["blocks"].insert(1, {"id": "first", "type": "keep_one_in_n", "parameters": {"n": 64}})
    document["graph"]["connections"] = [["source", "out", "first", "in"], ["first", "out", "up", "in"],
                                        *document["graph"]["connections"][1:]]
    request, made = static(document, workers=1, chunk_items=4096)
    body = made.schedule.worker_schedules[0].body
    largest = max(call.times * max(request.rates.inputs[call.instance] + request.rates.outputs[call.instance])
                  for call in calls(body))
    assert largest == 4096 and firings(body)["up"] == 1
    _, wide = static(document, workers=1, chunk_items=64)
    assert all(isinstance(step, Fire) for step in wide.schedule.worker_schedules[0].body)  # nothing left to divide


def test_workers_in_a_circle_have_one_call_of_each_block_in_equal_periods() -> None:
    """Check this because a worker that repeated a part would wait for items that arrive only after another's period."""
    back = {"strategy": "explicit", "map": {**ON_TWO["map"], "sink": "w0", "sum": "w0"}}
    request, made = static(project(BLOCKS, WIRES, run={"items": 1000}), workers=2, placement=back)
    for own in made.schedule.worker_schedules:
        assert len(list(calls(own.body))) == len(firings(own.body))
    assert {fired[name] // request.rates.firings[name] for fired in
            (firings(own.body) for own in made.schedule.worker_schedules) for name in fired} == {
        firings(made.schedule.worker_schedules[0].body)["source"] // request.rates.firings["source"]}


@pytest.mark.parametrize("placement", [ON_TWO, {"strategy": "single"}, {"strategy": "round_robin"}])
def test_every_byte_is_what_the_graph_says(placement: dict) -> None:
    """Simulate byte by byte in random orders, also with a last period of fewer firings."""
    dice = random.Random(3)
    request, made = static(project(BLOCKS, WIRES, run={"items": 1000}), workers=2, placement=placement, chunk_items=48)
    for limit in (1, 5, 47, 200):
        oracle.run(made, request, dice, left=oracle.firings_of_a_run(request, {"limit": limit}))
