"""Test chunks, buffers and predicted rates from the speeds of a machine: smooth, and as large as the model says."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planning import EXAMPLES, chain, deployed, machine, plan, project
from weir.model.check import check
from weir.model.planning.chunking import MAX_LINEAR_BYTES, MIN_LINEAR_BYTES, MIN_RING_BYTES, TOLERANCE, Chunking, Part
from weir.model.planning.machine import Machine
from weir.model.planning.plan import Plan, make_plan
from weir.model.planning.plan_text import plan_table
from weir.model.planning.speeds import ASSUMED, Speeds

KIB = 1024
CACHES = [(32, 256), (32, 1024), (48, 512), (48, 2048)]
#: Measured on a virtual machine with an EPYC of 2021; and invented: a slow L2, and steps without cost.
MEASURED = replace(ASSUMED, step=70.1, varying_step=213, l2_kib=23, l3_kib=37.1, line=265)
SLOW_L2 = replace(ASSUMED, l1_kib=8, l2_kib=24, l3_kib=60)
QUICK_STEPS = replace(ASSUMED, step=5, varying_step=15)
AXES = [("null_rand_latency", "flow", range(1, 13)), ("saxpy_chain", "single_thread", range(1, 9))]


def with_caches(l1_kib: int, l2_kib: int, speeds: Speeds | None = None) -> Machine:
    base = machine("two_core")
    sizes = {1: l1_kib * KIB, 2: l2_kib * KIB}
    caches = tuple(replace(it, bytes=sizes.get(it.level, it.bytes)) for it in base.caches)
    return replace(base, caches=caches, measured=speeds)


@cache
def example(name: str, stages: int):
    sets = {"stages": str(stages), **({"/graph/pipes": "2"} if name == "null_rand_latency" else {})}
    return check(EXAMPLES / f"{name}.weir.json", sets=sets)


def planned(name: str, deployment: str, stages: int, on: Machine) -> Plan:
    it = example(name, stages)
    return make_plan(it.project, it.graph, it.catalog, on, it.project.deployment(deployment), None, it.rates).plan


@pytest.mark.parametrize("speeds", [None, MEASURED, SLOW_L2, QUICK_STEPS],
                         ids=["assumed", "measured", "slow_l2", "quick_steps"])
@pytest.mark.parametrize("caches", CACHES, ids=lambda sizes: f"{sizes[0]}K_{sizes[1]}K")
@pytest.mark.parametrize("name,deployment,stages", AXES, ids=["null_rand", "saxpy"])
def test_one_stage_more_never_doubles_or_halves_a_chunk(name: str, deployment: str, stages: range, caches,
                                                        speeds) -> None:
    on = with_caches(*caches, speeds)
    chunks = [planned(name, deployment, count, on).blocks[2].chunk_items for count in stages]
    steps = [max(a, b) / min(a, b) for a, b in zip(chunks, chunks[1:])]
    assert max(steps) <= 2, chunks


@given(st.integers(2, 200), st.integers(0, 200), st.sampled_from(CACHES), st.sampled_from([ASSUMED, MEASURED, SLOW_L2]))
def test_a_part_has_chunks_that_cost_hardly_more_than_the_best(blocks: int, varying: int, caches, speeds) -> None:
    """Compare with a search over all possible sizes; the product searches its own."""
    on = with_caches(*caches, speeds)
    part = Part(blocks, min(varying, blocks - 2), blocks - 2 or 1, blocks - 1)
    size = Chunking(on).linear_bytes(part)
    most = max(MIN_LINEAR_BYTES, min(on.l2 // part.buffers, MAX_LINEAR_BYTES))
    assert MIN_LINEAR_BYTES <= size <= most

    def byte_ns(asked: int) -> float:
        return (part.steps_ns(speeds.step, speeds.varying_step) / asked
                + part.copies / KIB * speeds.kib_ns(part.buffers * asked, on.l1d, on.l2))

    best = min(byte_ns(asked) for asked in range(MIN_LINEAR_BYTES, most + 1, 512))
    assert byte_ns(size) <= best * (1 + 2 * TOLERANCE)


def test_what_a_step_costs_makes_chunks_larger_and_what_memory_costs_smaller() -> None:
    part = Part(blocks=5, varying=0, copies=3, buffers=4)

    def size(speeds: Speeds) -> int:
        return Chunking(with_caches(32, 1024, speeds)).linear_bytes(part)

    assert size(replace(ASSUMED, step=5)) < size(ASSUMED) < size(replace(ASSUMED, step=300))
    assert size(replace(ASSUMED, l2_kib=60, l3_kib=90)) < size(ASSUMED)
    assert size(replace(ASSUMED, l2_kib=ASSUMED.l1_kib, l3_kib=ASSUMED.l1_kib)) > size(ASSUMED)


def test_rings_are_a_part_of_l2_and_together_have_room_in_l3() -> None:
    chunking = Chunking(with_caches(32, 2048))
    share = with_caches(32, 2048).l3
    sizes = [chunking.ring_bytes(rings, waking=False) for rings in range(1, 1000)]
    assert max(sizes) <= 2048 * KIB // 4
    assert all(rings * size <= share // 2 for rings, size in enumerate(sizes, 1) if size > MIN_RING_BYTES)
    assert chunking.ring_bytes(1_000_000, waking=False) == MIN_RING_BYTES


def test_a_ring_whose_ends_wake_each_other_is_as_much_larger_as_that_costs() -> None:
    def size(wake: float) -> int:
        return Chunking(with_caches(32, 512, replace(MEASURED, wake=wake))).ring_bytes(2, waking=True)

    assert Chunking(with_caches(32, 512, MEASURED)).ring_bytes(2, waking=False) <= size(1) < size(1000)
    assert size(1000) <= size(1_000_000) <= 512 * KIB // 2 < 1.01 * size(1_000_000)


def test_memory_is_slower_the_more_is_used_and_never_jumps() -> None:
    times = [MEASURED.kib_ns(2 ** (i / 8), 32 * KIB, 512 * KIB) for i in range(8 * 10, 8 * 24)]
    assert times == sorted(times) and times[0] == MEASURED.l1_kib and times[-1] == MEASURED.l3_kib
    assert all(log(b / a) < log(MEASURED.l3_kib / MEASURED.l1_kib) / 8 for a, b in zip(times, times[1:]))
    assert MEASURED.kib_ns(256 * KIB, 32 * KIB, 512 * KIB) == pytest.approx(MEASURED.l2_kib)
    assert MEASURED.kib_ns(300 * KIB, 512 * KIB, 512 * KIB) == MEASURED.l1_kib  # an L2 no larger than L1 counts as none


# Predictions

def test_a_chain_on_one_worker_is_predicted_from_its_steps_and_its_copies() -> None:
    on = with_caches(32, 1024)
    it = planned("saxpy_chain", "single_thread", 3, on)
    (chunk,) = {block.chunk_items for block in it.blocks}
    held = sum(stream.bytes for stream in it.streams if stream.over is None)
    ns = 5 * ASSUMED.step / chunk + 3 * 4 / KIB * ASSUMED.kib_ns(held, on.l1d, on.l2)
    assert it.predicted.items_per_s == pytest.approx(1e9 / ns, rel=0.01)
    assert (it.predicted.busiest, it.predicted.speeds) == ("w0", "assumed")


def test_pipes_on_two_workers_are_twice_as_fast_and_workers_on_one_cpu_are_not() -> None:
    def rate(**deployment) -> float:
        return plan(deployed(chain(4, pipes=2), **deployment)).plan.predicted.items_per_s

    one, two = rate(workers=1), rate(workers=2, placement={"strategy": "per_pipe"})
    assert two == pytest.approx(2 * one, rel=0.02)
    crowded = rate(workers=2, placement={"strategy": "per_pipe"}, affinity={"w0": [0], "w1": [0]})
    assert crowded == pytest.approx(one, rel=0.02)


def test_more_stages_are_predicted_to_be_slower_and_a_faster_machine_faster() -> None:
    on = with_caches(32, 1024)
    rates = [planned("null_rand_latency", "flow", stages, on).predicted.items_per_s for stages in range(1, 13)]
    assert rates == sorted(rates, reverse=True)
    faster = replace(ASSUMED, **{name: getattr(ASSUMED, name) / 2 for name in ("step", "varying_step", "l1_kib",
                                                                             "l2_kib", "l3_kib", "line", "wake")})
    twice = planned("null_rand_latency", "flow", 5, with_caches(32, 1024, faster)).predicted
    assert twice.items_per_s == pytest.approx(2 * rates[4], rel=0.01) and twice.speeds == "measured"


def test_items_count_where_they_are_metered_through_rate_changes() -> None:
    blocks = [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
              {"id": "fir", "type": "fir_filter", "parameters": {"taps": [1.0], "decimation": 10}},
              {"id": "sink", "type": "null_sink"}]
    wires = ["source.out > fir.in", "fir.out > sink.in"]
    it = plan(deployed(project(blocks, wires), scheduler="single_thread")).plan
    tenths = {"source": 1, "fir": 0.1, "sink": 0.1}  # firings per item of the source
    every = sum(ASSUMED.step * tenths[b.instance] * max(b.in_rates + b.out_rates) / b.chunk_items for b in it.blocks)
    held, on = sum(stream.bytes for stream in it.streams), machine("two_core")
    moved = 0.4 / KIB * ASSUMED.kib_ns(held, on.l1d, on.l2)
    assert 1e9 / it.predicted.items_per_s == pytest.approx(every + moved, rel=0.01)


def test_a_paced_source_bounds_it() -> None:
    blocks = [{"id": "radio", "type": "paced_source", "parameters": {"item_type": "f32", "rate": 48000}},
              {"id": "sink", "type": "null_sink"}]
    it = plan(project(blocks, ["radio.out > sink.in"])).plan.predicted
    assert (it.items_per_s, it.busiest) == (48000, None)


@pytest.mark.parametrize("bits,build,flags", [
    (512, {}, ("-mprefer-vector-width=512",)),
    (256, {"extra_flags": ["-funroll-loops"]}, ("-funroll-loops", "-mprefer-vector-width=256")),
    (512, {"extra_flags": ["-mprefer-vector-width=128"]}, ("-mprefer-vector-width=128",)),  # as requested
    (512, {"march": "x86-64-v3"}, ()),                                                       # for other machines
    (0, {}, ()),                                                                             # a single width
])
def test_blocks_have_vectors_as_wide_as_the_faster_kernel(bits: int, build: dict, flags: tuple[str, ...]) -> None:
    measured = replace(machine("two_core"), measured=replace(MEASURED, vector_bits=bits))
    planned = plan(deployed(chain(2), build=build), measured).plan
    assert planned.build.extra_flags == tuple(planned.as_json()["build"]["extra_flags"]) == flags
    again = plan(deployed(chain(2), build={**build, "extra_flags": list(flags)}), measured).plan
    assert again.build == planned.build


def test_a_prediction_is_reported_with_what_it_is_of_and_is_no_part_of_what_is_planned() -> None:
    document = deployed(chain(2), workers=1, chunk_items=1000)
    assumed, measured = (plan(document, with_caches(32, 1024, speeds)).plan for speeds in (None, MEASURED))
    assert assumed.predicted != measured.predicted and assumed.hash == measured.hash
    target = check(json.dumps(document)).catalog.targets[assumed.target]
    texts = [" ".join(plan_table(it, machine("two_core"), target).split()) for it in (assumed, measured)]
    assert "topology --measure" in texts[0] and "as measured" in texts[1]
    assert all("Predicted: at most" in text and "with each block counted as y = a x + b" in text for text in texts)
