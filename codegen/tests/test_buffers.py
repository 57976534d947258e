"""Test the planned buffers: their memory, sizes and chunks."""

from __future__ import annotations

import json
from math import lcm

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planning import EXAMPLES, chain, decimator, deployed, machine, plan, project
from weir.model.check import check
from weir.model.planning import sizing
from weir.model.planning.plan_text import plan_table


def stream(planned, name: str):
    return next(s for s in planned.plan.streams if s.name == name)


def block(planned, name: str):
    return next(b for b in planned.plan.blocks if b.instance == name)


def test_streams_within_a_worker_are_linear_and_of_one_size() -> None:
    planned = plan(deployed(chain(4), workers=1))
    assert {s.kind for s in planned.plan.streams} == {"linear"}
    assert len({s.bytes for s in planned.plan.streams}) == 1


def test_pipes_on_a_worker_have_their_turns_apart_and_so_l1_to_themselves() -> None:
    alone, beside = (plan(deployed(chain(4, pipes=pipes), workers=1)) for pipes in (1, 6))
    assert {s.bytes for s in alone.plan.streams} == {s.bytes for s in beside.plan.streams}


def test_a_block_that_moves_what_it_likes_is_offered_much() -> None:
    def offered(stage: str) -> int:
        blocks = [{"id": "source", "type": "null_source", "parameters": {"item_type": "f32"}},
                  {"id": "stage", "type": stage, "repeat": 3}, {"id": "sink", "type": "null_sink"}]
        planned = plan(deployed(project(blocks, ["source.out > stage.in", "stage.out > sink.in"]), workers=1))
        return block(planned, "stage[0]").chunk_items

    assert offered("copy_rand") > 2 * offered("copy")


def in_place(source: str, *, stage: str = "abs", **deployment) -> dict[str, str]:
    """Plan three stages behind this source, the second with another reader; return which stream lies over which."""
    blocks = [{"id": "source", "type": source, "parameters": {"item_type": "f32"}},
              *({"id": name, "type": stage} for name in "abc"),
              {"id": "sink", "type": "null_sink"}, {"id": "beside", "type": "null_sink"}]
    wires = ["source.out > a.in", "a.out > b.in", "b.out > c.in", "b.out > beside.in", "c.out > sink.in"]
    streams = plan(deployed(project(blocks, wires), **deployment)).plan.streams
    over, items = ({s.name: of(s) for s in streams} for of in (lambda s: s.over, lambda s: s.planned_items))
    assert all(items[name] == items[below] for name, below in over.items() if below is not None)
    return {name: below for name, below in over.items() if below is not None}


def test_blocks_work_in_place_where_nobody_wants_what_they_write_over() -> None:
    assert in_place("null_source", workers=1) == {"a.out": "source.out", "b.out": "a.out"}
    assert in_place("null_source", stage="copy", workers=1) == {}
    assert in_place("null_source", scheduler="thread_per_block") == {}
    assert in_place("dummy_source", workers=1) == {"b.out": "a.out"}  # it needs to find its earlier output


def test_a_size_requested_for_one_stream_counts_for_all_in_its_memory() -> None:
    blocks = [{"id": "source", "type": "null_source", "parameters": {"item_type": "f32"}},
              {"id": "a", "type": "abs"}, {"id": "b", "type": "abs"}, {"id": "sink", "type": "null_sink"}]
    planned = plan(deployed(project(blocks, ["source.out > a.in", "a.out > b.in", "b.out > sink.in"]), workers=1,
                            buffers={"a.out->b.in": {"items": 777}}))
    streams = planned.plan.streams
    assert [(s.planned_items, s.requested_items) for s in streams] == [(777, None), (777, 777), (777, None)]


def test_streams_across_workers_are_rings_of_whole_pages_that_lie_in_l2_until_they_are_fast() -> None:
    document = deployed(chain(4), workers=2)
    planned = plan(document)
    (ring,) = [s for s in planned.plan.streams if s.kind == "ring"]
    least = 4 * ring.least_items
    assert least % 4096 == 0 and 32 * 1024 < least <= machine("two_core").l2 // 4
    # It holds more while it is fast.
    assert ring.bytes % least == 0 and 2 * least <= ring.bytes <= 4 * machine("two_core").l2
    assert f"{ring.least_items} .. {ring.planned_items}" in plan_table(
        planned.plan, machine("two_core"), check(json.dumps(document)).catalog.targets[planned.plan.target])
    each = plan(deployed(chain(4), scheduler="thread_per_block"))
    assert {s.kind for s in each.plan.streams} == {"ring"}
    assert all(b.chunk_items * 4 * 4 <= s.bytes for b in each.plan.blocks for s in each.plan.streams)


def test_a_fork_is_one_stream_with_its_readers() -> None:
    planned = plan(EXAMPLES / "fork.weir.json")
    assert stream(planned, "limit.out").readers == ("double.in", "shift.in")
    assert stream(planned, "limit.out").kind == "ring"


def test_requested_sizes_are_rounded_and_both_are_reported() -> None:
    document = deployed(chain(2), workers=2, buffers={"stage[0].out->stage[1].in": 5000, "source.out->limit.in": 100})
    document["deployments"][0]["buffers"] = {k: {"items": v} for k, v in document["deployments"][0]["buffers"].items()}
    planned = plan(document)
    ring, line = stream(planned, "stage[0].out"), stream(planned, "source.out")
    assert (ring.requested_items, ring.planned_items, ring.bytes) == (5000, 5120, 20480)
    assert ring.least_items is None  # the requested size is used as a whole
    assert (line.requested_items, line.planned_items) == (100, 100)
    assert block(planned, "source").chunk_items == 100


def test_buffers_by_pattern() -> None:
    document = deployed(chain(3), buffers={"stage.out->stage.in": {"items": 640}})
    planned = plan(document)
    assert [s.requested_items for s in planned.plan.streams] == [None, None, 640, 640, None]


def test_chunk_items_are_carried() -> None:
    planned = plan(deployed(chain(2), workers=1, chunk_items=500))
    assert {b.chunk_items for b in planned.plan.blocks} == {500}
    assert {s.planned_items for s in planned.plan.streams} == {500}
    across = plan(deployed(chain(2), workers=2, chunk_items=500))
    assert all(s.least_items is None for s in across.plan.streams)


def test_rings_grow_into_no_more_than_the_last_cache() -> None:
    streams = plan(deployed(chain(40), scheduler="thread_per_block")).plan.streams
    assert sum(s.bytes for s in streams) <= max(machine("two_core").l3,
                                                sum(s.bytes for s in streams if s.least_items is None))
    few = plan(deployed(chain(2), scheduler="thread_per_block")).plan.streams
    assert min(s.bytes for s in few) > max(s.bytes for s in streams)


@pytest.mark.parametrize("scheduler,pipes,on,grows", [
    ("work_stealing", 1, "two_core", True), ("work_stealing", 2, "two_core", False),
    ("work_stealing", 1, "one_cpu", False),
    ("thread_per_block", 1, "two_core", True), ("thread_per_block", 2, "two_core", False),
    ("thread_per_block", 1, "one_cpu", False)])
def test_rings_grow_where_both_ends_are_at_work_at_once(scheduler: str, pipes: int, on: str, grows: bool) -> None:
    """Use one pipe per core, whose blocks take turns on it."""
    streams = plan(deployed(chain(3, pipes=pipes), scheduler=scheduler), machine(on)).plan.streams
    assert {s.kind for s in streams} == {"ring"} and {s.least_items is not None for s in streams} == {grows}


def test_rings_between_workers_with_a_core_each_grow_whatever_the_pipes() -> None:
    streams = plan(deployed(chain(3, pipes=4), workers=2, placement={"strategy": "round_robin"})).plan.streams
    assert {s.least_items is not None for s in streams if s.kind == "ring"} == {True}


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("d", [2, 7, 1000, 999_983])
def test_rate_changes_make_granules_and_never_strand_a_firing(d: int, cores: int) -> None:
    planned = plan(decimator(d, workers=cores, placement={"strategy": "round_robin"}))
    into = stream(planned, "source.out")
    assert into.granule == d and into.planned_items % d == 0
    assert block(planned, "fir").chunk_items >= d and block(planned, "fir").in_rates == (d,)
    assert into.kind == ("linear" if cores == 1 else "ring")
    assert into.bytes <= 64 * 2**20  # a buffer gives up whole pages before it grows further


def test_a_linear_buffer_around_a_loop_holds_whole_iterations() -> None:
    blocks = [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
              *({"id": f"fir{i}", "type": "fir_filter", "parameters": {"decimation": d, "taps": [1]}}
                for i, d in enumerate((3, 2, 6))), {"id": "sum", "type": "add"}, {"id": "sink", "type": "digest_sink"}]
    planned = plan(project(blocks, ["source.out > fir0.in", "fir0.out > fir1.in", "source.out > fir2.in",
                                    "fir1.out > sum.in0", "fir2.out > sum.in1", "sum.out > sink.in"]))
    assert stream(planned, "source.out").planned_items % 6 == 0
    assert stream(planned, "fir0.out").planned_items % 2 == 0


@given(st.integers(1, 3000), st.integers(1, 3000), st.one_of(st.none(), st.integers(1, 10**6)),
       st.sampled_from([1, 2, 4, 8]), st.sampled_from(["auto", 1, 4096]))
def test_ring_sizes(p: int, c: int, wanted: int | None, size: int, chunk: int | str) -> None:
    granule = lcm(p, c)
    items, part = sizing._ring(wanted, 2**16 // size, granule, granule, 4096 // size, chunk)
    assert items % granule == 0 and items >= max(granule, wanted or 0) and 1 <= part <= items
    paged = items * size % 4096 == 0
    assert paged or lcm(granule, 4096 // size) > 4 * max(wanted or 2**16 // size, granule, 4096 // size) // 2
