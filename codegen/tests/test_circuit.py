"""Test that nothing is overwritten before it is read in the memory that `circuit` shares."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace

import jsonschema
import pytest
from planning import arranged, checked, deployed, graph, machine, plan, project
from test_schedules import BLOCKS, SCHEMA, WIRES
from test_static import series, static
from weir.diagnostics import WeirError
from weir.engine.conformance import oracle
from weir.engine.generation.emit import generate
from weir.model.catalog import load_catalog
from weir.model.document import jsontext
from weir.model.planning import arrangement_check, schedule_check
from weir.model.planning.plan_text import plan_table
from weir.model.planning.planner import Arrangement, Request
from weir.model.planning.schedule import Schedule, WorkerSchedule, firings

SAXPY = {"id": "stage", "type": "saxpy"}


def circuit(document: dict, **deployment) -> tuple[Request, Arrangement]:
    return arranged(deployed(document, scheduler="circuit", **{"workers": 2, **deployment}))


def over(made: Arrangement) -> dict[str, str]:
    return {s.name: s.over for s in made.streams if s.over is not None}


def on(**workers: str) -> dict:
    """Return a placement from the blocks of each worker."""
    return {"strategy": "explicit",
            "map": {name: worker for worker, names in workers.items() for name in names.split()}}


def test_a_chain_is_one_memory_from_the_source_to_the_sink() -> None:
    _, made = circuit(series({**SAXPY, "repeat": 4}))
    assert over(made) == {"stage[0].out": "source.out", **{f"stage[{i}].out": f"stage[{i - 1}].out" for i in (1, 2, 3)}}
    assert {s.kind for s in made.streams} == {"ring"} and len({(s.items, s.granule) for s in made.streams}) == 1
    assert [s.least_items is not None for s in made.streams] == [True, False, False, False, False]


def test_a_block_that_reads_its_earlier_output_is_in_no_circuit() -> None:
    _, made = circuit(series({**SAXPY, "repeat": 4}, source="dummy_source", sink="benchmark_sink"))
    assert over(made) == {f"stage[{i}].out": f"stage[{i - 1}].out" for i in (1, 2, 3)}
    assert {s.name: s.kind for s in made.streams}["source.out"] == "linear"


def test_what_copies_ends_a_circuit_and_begins_another() -> None:
    kinds = ("saxpy", "copy", "saxpy", "saxpy")
    blocks = [{"id": f"s{i}", "type": kind} for i, kind in enumerate(kinds)]
    _, made = circuit(series(*blocks), workers=3, placement=on(w0="source", w1="s0 s1 s2", w2="s3 sink"))
    assert over(made) == {"s0.out": "source.out", "s2.out": "s1.out", "s3.out": "s2.out"}


def test_a_stream_that_several_read_ends_a_circuit() -> None:
    """Check that such a stream may be the last of a circuit, where nothing overwrites it."""
    document = graph({"src": "counter_source", "a": "saxpy", "b": "saxpy", "c": "saxpy", "one": "digest_sink",
                      "two": "digest_sink"},
                     "src.out > a.in", "a.out > b.in", "a.out > c.in", "b.out > one.in", "c.out > two.in")
    request, made = circuit(document, placement=on(w0="src b one", w1="a c two"))
    assert over(made) == {"a.out": "src.out"}
    oracle.run(made, request, random.Random(1), left=oracle.firings_of_a_run(request, {"src": 100_000}))


def test_other_rates_end_a_circuit() -> None:
    blocks = [{"id": "a", "type": "saxpy"}, {"id": "down", "type": "keep_one_in_n", "parameters": {"n": 4}},
              {"id": "b", "type": "saxpy"}]
    _, made = circuit(series(*blocks), workers=4, placement=on(w0="source", w1="a", w2="down", w3="b sink"))
    assert over(made) == {"a.out": "source.out", "b.out": "down.out"}
    assert {s.granule for s in made.streams if s.name in ("source.out", "a.out")} == {4}


def test_what_stays_on_a_worker_is_planned_as_static_does() -> None:
    document = series({**SAXPY, "repeat": 4})
    _, alone = static(document, workers=1)
    _, made = circuit(document, workers=1)
    assert (made.streams, made.schedule) == (alone.streams, alone.schedule)
    assert len({s.offset for s in made.streams}) == 1


@pytest.mark.parametrize("workers", [2, 3, 4])
def test_there_are_more_quanta_than_workers(workers: int) -> None:
    document = series({**SAXPY, "repeat": 6})
    for asked in (1, workers + 1, 40):
        _, made = circuit(document, workers=workers, parameters={"quanta": asked})
        quantum = max(firings(own.body).most_common(1)[0][1] for own in made.schedule.worker_schedules)
        lowest = made.streams[0]
        least = max(asked, workers + 1) * quantum
        assert least <= lowest.items < least + machine("two_core").page_bytes and lowest.least_items is None


def test_quanta_that_suit_stay_in_the_cache_of_all() -> None:
    request, made = circuit(series({**SAXPY, "repeat": 4}))
    assert made.streams[0].bytes <= min(4 * request.machine.l2, request.machine.l3)
    assert made.streams[0].least_items < made.streams[0].items


def test_a_buffer_that_was_requested_is_that_of_the_circuit() -> None:
    _, made = circuit(series({**SAXPY, "repeat": 4}), buffers={"stage[1].out->stage[2].in": {"items": 300_000}})
    assert {s.items for s in made.streams} == {300_032} and made.streams[0].least_items is None


def test_more_than_there_may_be_is_the_deployments() -> None:
    with pytest.raises(WeirError) as raised:
        circuit(series({**SAXPY, "repeat": 2}), chunk_items=2**20, parameters={"quanta": 4096})
    [fault] = raised.value.diagnostics
    assert fault.code == "E_PLANNER_REFUSES" and "reduce the quanta" in fault.hint


def there_and_back() -> tuple[Request, Arrangement]:
    """Return a chain on w0, w1 and again w0."""
    return circuit(series({**SAXPY, "repeat": 3}), placement=on(w0="source stage[0] stage[2] sink", w1="stage[1]"))


@pytest.mark.parametrize(("workers", "placement"), [
    *((workers, {"strategy": strategy}) for workers in (1, 2, 3, 4) for strategy in ("round_robin", "contiguous")),
    (2, on(w0="source stage[0] stage[2] sink", w1="stage[1]"))])
def test_every_item_is_where_it_should_be(workers: int, placement: dict) -> None:
    """Simulate each item in random orders, also in a last period with fewer firings."""
    dice = random.Random(workers)
    request, made = circuit(series({**SAXPY, "repeat": 3}), workers=workers, placement=placement, chunk_items=16,
                            parameters={"quanta": 1})
    for items in (1, 15, 16, 1000, 30_000):
        oracle.run(made, request, dice, left=oracle.firings_of_a_run(request, {"source": items}))


@pytest.mark.parametrize("placement", [{"strategy": "round_robin"}, {"strategy": "contiguous"}])
@pytest.mark.parametrize("workers", [2, 3, 4])
def test_ways_that_part_and_meet(workers: int, placement: dict) -> None:
    dice = random.Random(workers)
    request, made = circuit(project(BLOCKS, WIRES, run={"items": 1000}), workers=workers, placement=placement,
                            chunk_items=48, parameters={"quanta": 1})
    for limit in (1, 5, 47, 2000):
        oracle.run(made, request, dice, left=oracle.firings_of_a_run(request, {"limit": limit}))


def with_streams(made: Arrangement, change: Callable) -> Arrangement:
    return replace(made, streams=tuple(change(s) for s in made.streams))


def test_the_oracle_finds_what_is_overwritten() -> None:
    """Take the space of the first ring's readers for that of the circuit."""
    request, made = circuit(series({**SAXPY, "repeat": 3}), workers=3, chunk_items=16, parameters={"quanta": 4})
    dice, found = random.Random(5), 0
    small = with_streams(made, lambda s: replace(s, items=64))
    left = oracle.firings_of_a_run(request, {"source": 5000})
    oracle.run(small, request, dice, left=left)

    def is_full(self, real, gone, was=oracle.Memory.is_full):
        circling, self.circuit = self.circuit, self.circuit[:1]
        try:
            return was(self, real, gone)
        finally:
            self.circuit = circling

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(oracle.Memory, "is_full", is_full)
        for _ in range(5):
            try:
                oracle.run(small, request, dice, left=left)
            except oracle.Spoilt as spoilt:
                found += "where item" in str(spoilt)
    assert found == 5


def test_a_circuit_too_small_to_continue_is_refused() -> None:
    """Count the items in flight in all streams, not in one."""
    request, made = there_and_back()
    period = firings(made.schedule.worker_schedules[0].body)["source"]
    twice = replace(made, schedule=Schedule(tuple(
        WorkerSchedule(s.worker, s.body if s.worker == "w1" else (*s.body[:2], *s.body[:2], *s.body[2:], *s.body[2:]))
        for s in made.schedule.worker_schedules)))
    for items, fine in ((2 * period, True), (2 * period - 1, False)):
        small = with_streams(twice, lambda s, items=items: replace(s, items=items, least_items=None))
        faults = schedule_check.faults_of(small.schedule, small.streams, request.graph, request.rates)
        assert not faults if fine else "the workers deadlock: w0: `source` waits for room" in faults[0].message


#: Changes to source > stage[0] > stage[1] | stage[2] > sink, and the expected message.
MUTANTS = {
    "over nobody": (lambda s: replace(s, over="nobody.out") if s.name == "stage[0].out" else s,
                    "stage[0].out lies over 'nobody.out', but `stage[0]` cannot work in place"),
    "over another one": (lambda s: replace(s, over="source.out") if s.name == "stage[2].out" else s,
                         "stage[2].out lies over 'source.out', but `stage[2]` cannot work in place"),
    "smaller than what it lies over": (lambda s: replace(s, items=s.items // 2) if s.name == "stage[1].out" else s,
                                       "stage[1].out lies over stage[0].out, but has a different number of items"),
    "of another granule": (lambda s: replace(s, granule=2) if s.name == "stage[1].out" else s,
                           "stage[1].out lies over stage[0].out, but has a different granule"),
    "growing by itself": (lambda s: replace(s, least_items=s.items) if s.name == "stage[1].out" else s,
                          "or a size that varies"),
    "a ring of its own within a worker": (lambda s: replace(s, over=None) if s.name == "stage[2].out" else s,
                                          "stage[2].out is of the kind 'ring': both ends are on one worker"),
    "in an arena": (lambda s: replace(s, kind="linear", arena="w1", offset=0) if s.name == "stage[2].out" else s,
                    "stage[2].out lies over 'stage[1].out', but with a schedule its place must be in an arena"),
}


@pytest.mark.parametrize("what", MUTANTS)
def test_what_is_no_circuit_is_refused(what: str) -> None:
    request, made = circuit(series({**SAXPY, "repeat": 3}),
                            placement=on(w0="source stage[0] stage[1]", w1="stage[2] sink"))
    assert arrangement_check.faults_of(made, request) == []
    change, said = MUTANTS[what]
    assert said in " ".join(arrangement_check.faults_of(with_streams(made, change), request))


def test_a_block_that_cannot_work_in_place_shares_no_space() -> None:
    request, made = circuit(series({"id": "stage", "type": "copy", "repeat": 3}))
    assert over(made) == {}
    same = with_streams(made, lambda s: replace(s, kind="ring", items=4096, over="source.out", arena=None, offset=None)
                        if s.name == "stage[0].out" else s)
    assert "`stage[0]` cannot work in place" in " ".join(arrangement_check.faults_of(same, request))


def test_the_plan_and_the_code_show_the_circuits() -> None:
    it = checked(deployed(series({**SAXPY, "repeat": 2}), scheduler="circuit", workers=2))
    made = plan(it.project.document)
    document = made.plan.as_json()
    jsonschema.validate(json.loads(jsontext.write(document)), SCHEMA)
    assert [(s["kind"], s.get("over")) for s in document["streams"]] == [
        ("ring", None), ("ring", "source.out"), ("ring", "stage[0].out")]
    text = plan_table(made.plan, machine("two_core"), it.catalog.targets[made.plan.target])
    assert "over source.out" in text and "over stage[0].out" in text
    code = generate(made.plan, it.project, load_catalog())["src/flowgraph.hpp"].decode()
    assert "// source.out -> stage[0].in: within w0" in code and "// stage[1].out -> sink.in: over stage[0].out" in code
    [first] = re.findall(r"weir::Stream<float> source_out\{\s*(.*)\};", code)
    assert ".least = " in first and first.endswith(".within = true}")
    assert re.search(r"Fired<weir::blocks::Saxpy<float>, weir::Inputs<weir::RingIn<float>>,\s+"
                     r"weir::Outputs<weir::RingOut<float>>> stage_0\{\s+\{[^}]*\.in_place = true", code)


def test_only_what_goes_to_another_worker_is_predicted_to_cross() -> None:
    """Check that a circuit's streams within a worker cost no more than those in an arena."""
    rates = {scheduler: plan(deployed(series({**SAXPY, "repeat": 4}), scheduler=scheduler, workers=2)).plan.predicted
             for scheduler in ("static", "circuit")}
    assert rates["circuit"].items_per_s == pytest.approx(rates["static"].items_per_s, rel=0.1)
