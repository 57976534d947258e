"""Test the hops of a plan: between probed blocks, with a granularity for each side of a block."""

from __future__ import annotations

from planning import chain, checked, plan, project
from weir.model.planning.probes import plan_hops


def hops(document: dict) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(h.src, h.dst, h.sinks) for h in plan(document).plan.hops]


def block(document: dict, instance: str):
    return next(b for b in plan(document).plan.blocks if b.instance == instance)


def probed(document: dict, *ids: str) -> dict:
    for entry in document["graph"]["blocks"]:
        if entry["id"] in ids:
            entry["probe"] = True
    return document


def source(name: str) -> dict:
    return {"id": name, "type": "counter_source", "parameters": {"item_type": "f32"}}


def test_without_a_probe_between_source_and_sink_there_are_no_hops():
    assert hops(chain(3)) == []
    assert hops(probed(chain(3), "source", "sink")) == []


def test_a_chain_is_a_hop_from_each_probe_to_the_next():
    assert hops(probed(chain(2), "stage")) == [
        ("source", "stage[0]", ("sink",)), ("stage[0]", "stage[1]", ("sink",)), ("stage[1]", "sink", ("sink",))]


def test_hops_of_many_probes_are_found():
    found = plan_hops(checked(probed(chain(9000), "stage")).graph)
    assert len(found) == 9001 and {h.sinks for h in found} == {("sink",)}


def test_pipes_have_hops_of_their_own():
    found = plan(probed(chain(1, pipes=2), "stage")).plan.hops
    assert [(h.src, h.dst, h.pipe) for h in found] == [
        (src + f"@p{p}", dst + f"@p{p}", p)
        for p in (0, 1) for src, dst in (("source", "stage[0]"), ("stage[0]", "sink"))]


def test_a_fork_continues_from_its_probe_to_each_way():
    blocks = [source("source"), {"id": "both", "type": "copy", "probe": True}, {"id": "left", "type": "copy"},
              {"id": "a", "type": "digest_sink"}, {"id": "b", "type": "digest_sink"}]
    document = project(blocks, ["source.out > both.in", "both.out > left.in", "left.out > a.in", "both.out > b.in"])
    assert hops(document) == [("source", "both", ("a", "b")), ("both", "a", ("a",)), ("both", "b", ("b",))]


def test_a_join_has_a_hop_from_each_of_its_ways():
    blocks = [source("x"), source("y"), {"id": "left", "type": "copy", "probe": True},
              {"id": "sum", "type": "add", "probe": True}, {"id": "sink", "type": "digest_sink"}]
    document = project(blocks, ["x.out > left.in", "left.out > sum.in0", "y.out > sum.in1", "sum.out > sink.in"])
    assert set(hops(document)) == {("x", "left", ("sink",)), ("left", "sum", ("sink",)), ("y", "sum", ("sink",)),
                                   ("sum", "sink", ("sink",))}


def test_a_diamond_that_rejoins_behind_a_fork_counts_each_hop_once():
    blocks = [source("source"), {"id": "left", "type": "copy", "probe": True}, {"id": "right", "type": "copy"},
              {"id": "sum", "type": "add"}, {"id": "sink", "type": "digest_sink"}]
    document = project(blocks, ["source.out > left.in", "source.out > right.in", "left.out > sum.in0",
                                "right.out > sum.in1", "sum.out > sink.in"])
    assert set(hops(document)) == {("source", "left", ("sink",)), ("source", "sink", ("sink",)),
                                   ("left", "sink", ("sink",))}


def test_both_sides_of_a_rate_change_have_their_granularity():
    fir = {"id": "fir", "type": "fir_filter", "parameters": {"taps": [1.0], "decimation": 5}, "probe": True}
    document = project([source("source"), fir, {"id": "sink", "type": "digest_sink"}],
                       ["source.out > fir.in", "fir.out > sink.in"], run={"trace": {"probe_granularity": 1000}})
    found = block(document, "fir")
    assert (found.probe_granularity, found.tx_granularity) == (1000, 200)
    assert (block(document, "source").tx_granularity, block(document, "sink").probe_granularity) == (1000, 200)
    assert block(document, "sink").tx_granularity == 0


def test_a_block_with_a_probe_writes_two_events_a_boundary():
    plain = plan({**chain(1), "run": {"trace": {"probe_granularity": 10000}}}).plan.trace.predicted_cost
    more = plan({**probed(chain(1), "stage"), "run": {"trace": {"probe_granularity": 10000}}}).plan.trace.predicted_cost
    assert more == 2 * plain
