"""Test schedules that planners make in advance: as data, as text, and the faults of invalid ones."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from math import lcm
from types import SimpleNamespace

import jsonschema
import pytest
from conftest import CODEGEN
from planning import arranged, deployed, machine, project
from weir.diagnostics import WeirError
from weir.engine.conformance import oracle
from weir.engine.generation.emit import generate
from weir.engine.measuring.run_directory import rename_keys
from weir.engine.pipeline import Pipeline
from weir.engine.verifying import verify
from weir.model.catalog import Catalog, load_catalog
from weir.model.check import check
from weir.model.document import jsontext
from weir.model.planning import arrangement_check, schedule_check
from weir.model.planning.dynamic import streams_of
from weir.model.planning.layout import lay_out
from weir.model.planning.plan import make_plan
from weir.model.planning.plan_text import plan_table
from weir.model.planning.planner import Arrangement, Request
from weir.model.planning.schedule import Fire, Loop, Schedule, WorkerSchedule, calls, firings, length

SCHEDULERS = CODEGEN / "tests" / "schedulers"
SCHEMA = json.loads((CODEGEN / "weir" / "schema" / "plan.schema.json").read_text())

BLOCKS = [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
          {"id": "limit", "type": "head"},
          {"id": "up", "type": "interpolate", "parameters": {"interpolation": 3}},
          {"id": "gain", "type": "multiply_const", "parameters": {"constant": 2}},
          {"id": "down", "type": "keep_one_in_n", "parameters": {"n": 3}},
          {"id": "slow", "type": "keep_one_in_n", "parameters": {"n": 4}},
          {"id": "back", "type": "interpolate", "parameters": {"interpolation": 4}},
          {"id": "sum", "type": "add"},
          {"id": "sink", "type": "digest_sink"}]
WIRES = ["source.out > limit.in", "limit.out > up.in", "up.out > gain.in", "gain.out > down.in",
         "limit.out > slow.in", "slow.out > back.in", "down.out > sum.in0", "back.out > sum.in1", "sum.out > sink.in"]
ON_TWO = {"strategy": "explicit", "map": {name: "w1" if name in ("slow", "back", "sum", "sink") else "w0"
                                          for name in (b["id"] for b in BLOCKS)}}


@pytest.fixture(scope="module")
def library() -> Catalog:
    return load_catalog(scheduler_paths=[SCHEDULERS])


def multirate(**deployment) -> dict:
    """Return a fork and a join, with rates of three on one branch and four on the other."""
    return deployed(project(BLOCKS, WIRES, run={"items": 10_007}),
                    **{"scheduler": "looped", "workers": 2, "placement": ON_TWO, "parameters": {"period_items": 128},
                       **deployment})


def asked(document: dict, library: Catalog) -> tuple[Request, Arrangement]:
    return arranged(document, catalog=library)


def planned(document: dict, library: Catalog):
    it = check(json.dumps(document), catalog=library)
    return make_plan(it.project, it.graph, library, machine("two_core")).plan, it


def test_it_is_in_the_plan_as_data_and_as_text(library: Catalog) -> None:
    plan, it = planned(multirate(), library)
    document = plan.as_json()
    jsonschema.validate(json.loads(jsontext.write(document)), SCHEMA)
    assert plan.hash == make_plan(it.project, it.graph, library, machine("two_core")).plan.hash
    assert [s["worker"] for s in document["schedule"]["worker_schedules"]] == ["w0", "w1"]
    former = json.loads(json.dumps(document))
    former["schedule"]["sections"] = former["schedule"].pop("worker_schedules")
    rename_keys(former)
    assert former == json.loads(json.dumps(document)) and plan.schedule.sections == plan.schedule.worker_schedules
    arena = {a["worker"]: a["bytes"] for a in document["schedule"]["arenas"]}
    within = [s for s in document["streams"] if s["kind"] == "linear"]
    assert all(s["offset"] + s["bytes"] <= arena[s["arena"]] for s in within)
    assert not any({"arena", "offset"} & s.keys() for s in document["streams"] if s["kind"] == "ring")
    text = plan_table(plan, machine("two_core"), library.targets[plan.target])
    assert "w0 repeats, with an arena of" in text and "    source × " in text and "4 times\n" in text


def test_streams_share_bytes_where_their_times_allow_it(library: Catalog) -> None:
    period = {"parameters": {"period_items": 4096}}
    for document in (multirate(**period), multirate(workers=1, placement={"strategy": "single"}, **period)):
        _, made = asked(document, library)
        for worker, size in schedule_check.arenas(made.streams).items():
            alone = sum(s.bytes for s in made.streams if s.arena == worker)
            assert size < alone, f"{worker}: {size} of {alone} bytes"


def test_a_plan_of_todays_schedulers_says_nothing_of_schedules(library: Catalog) -> None:
    document = planned(multirate(scheduler="flow", parameters={}), library)[0].as_json()
    assert "schedule" not in document and not any("arena" in s or "offset" in s for s in document["streams"])


def with_worker_schedule(made: Arrangement, worker: str, change: Callable[[tuple], tuple]) -> Arrangement:
    return replace(made, schedule=Schedule(tuple(
        WorkerSchedule(s.worker, change(s.body)) if s.worker == worker else s for s in made.schedule.worker_schedules)))


def with_stream(made: Arrangement, name: str, **change) -> Arrangement:
    assert any(s.name == name for s in made.streams)
    return replace(made, streams=tuple(replace(s, **change) if s.name == name else s for s in made.streams))


def flat(made: Arrangement, worker: str) -> Arrangement:
    """Replace a worker's loops by the calls of a period, one by one."""
    return with_worker_schedule(made, worker, lambda body: tuple(calls(body)))


def swapped(body: tuple, a: int, b: int) -> tuple:
    steps = list(body)
    steps[a], steps[b] = steps[b], steps[a]
    return tuple(steps)


def _offset(made: Arrangement, name: str) -> int:
    return next(s.offset for s in made.streams if s.name == name)


#: Changes to a schedule, and the expected message.
MUTANTS = {
    "too few items": (lambda m: with_worker_schedule(m, "w0", lambda b: swapped(b, 2, 3)),
                      "`gain` fires 120 times, which needs 120 items at gain.in, but there are only 0"),
    "not in the ratio of the rates": (lambda m: with_worker_schedule(m, "w1", lambda b: (*b, Fire("sink", 1))),
                                      "in a period of w1, `slow` fires 10 times and `sink` 41 times"),
    "over items that are still to be read": (lambda m: with_stream(m, "up.out", offset=_offset(m, "gain.out") + 64),
                                             "`gain` writes gain.out over unread items of up.out"),
    "beyond its end": (lambda m: with_stream(m, "up.out", items=3), "which holds at most 3 items until it is empty"),
    "at an odd byte": (lambda m: with_stream(m, "up.out", offset=4), "up.out begins at byte 4 of the arena of w0"),
    "with more than there is": (lambda m: with_stream(m, "up.out", items=2**40),
                                "the arena of w0 has 43"),
    "far behind": (lambda m: with_stream(m, "up.out", offset=2**30), "at most 1073741824 are allowed"),
    "without a place": (lambda m: with_stream(m, "up.out", arena=None, offset=None), "up.out has no place in an arena"),
    "a ring that is too small": (lambda m: with_stream(m, "down.out", items=4),
                                 "the workers deadlock: w0: `down` waits for room for 40 items in down.out"),
    "too long to be checked": (lambda m: with_worker_schedule(m, "w0", lambda b: (Loop(10**6, b),)), "calls of work"),
}


@pytest.mark.parametrize("what", MUTANTS)
def test_a_schedule_that_cannot_be_run_is_refused(what: str, library: Catalog) -> None:
    request, made = asked(multirate(parameters={"period_items": 128, "passes": 1}), library)
    change, said = MUTANTS[what]
    mutant = change(made)
    assert arrangement_check.faults_of(mutant, request) == []
    faults = schedule_check.faults_of(mutant.schedule, mutant.streams, request.graph, request.rates)
    assert faults and said in " ".join(fault.message for fault in faults)


def test_slower_periods_belong_together_with_faster_ones(library: Catalog) -> None:
    """Let a worker do in one period what another does in three."""
    request, made = asked(multirate(), library)
    other = with_worker_schedule(made, "w0", lambda b: (Loop(3, b),))
    assert schedule_check.faults_of(other.schedule, other.streams, request.graph, request.rates) == []
    oracle.run(other, request, random.Random(0), iterations=_iterations(other, request))


def test_workers_that_wait_for_each_other_in_the_wrong_order(library: Catalog) -> None:
    """Put w1 between two parts of w0: in the wrong order both wait."""
    there = {"strategy": "explicit", "map": {"source": "w0", "limit": "w0", "up": "w0", "gain": "w1", "down": "w1",
                                             "slow": "w0", "back": "w0", "sum": "w0", "sink": "w0"}}
    request, made = asked(multirate(placement=there), library)
    assert length(made.schedule.worker_schedules[0].body) == 7
    looped = with_worker_schedule(made, "w0", lambda body: (Loop(2, tuple(
        Fire(step.instance, step.times // 2) for step in body)),))
    half = {name: times for name, times in firings(looped.schedule.worker_schedules[0].body).items()}
    whole = with_worker_schedule(looped, "w1", lambda _: (Fire("gain", half["up"] * 3), Fire("down", half["up"])))
    [fault] = schedule_check.faults_of(whole.schedule, whole.streams, request.graph, request.rates)
    assert "the workers deadlock" in fault.message and "`sum` waits for" in fault.message


def test_a_block_that_works_in_place_may_have_its_input_for_output(library: Catalog) -> None:
    request, made = asked(multirate(), library)
    body = next(s for s in made.streams if s.name == "up.out")
    same = with_stream(made, "gain.out", offset=body.offset, items=max(body.items, 9))
    faults = schedule_check.faults_of(same.schedule, same.streams, request.graph, request.rates)
    assert faults == [] and request.graph.instance("gain").type.behaviour["in_place"]
    kind = request.graph.instance("gain").type
    without = replace(kind, behaviour={**kind.behaviour, "in_place": False})
    graph = replace(request.graph, instances=tuple(
        replace(i, type=without) if i.name == "gain" else i for i in request.graph.instances))
    [fault] = schedule_check.faults_of(same.schedule, same.streams, graph, request.rates)
    assert "`gain` writes gain.out over unread items of up.out" in fault.message


def test_in_place_is_for_the_last_of_several_readers(library: Catalog) -> None:
    blocks = [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
              {"id": "a", "type": "abs"}, {"id": "b", "type": "abs"}, {"id": "sum", "type": "add"},
              {"id": "sink", "type": "digest_sink"}]
    wires = ["source.out > a.in", "source.out > b.in", "a.out > sum.in0", "b.out > sum.in1", "sum.out > sink.in"]
    request, made = asked(deployed(project(blocks, wires, run={"items": 1000}), scheduler="looped", workers=1,
                                   parameters={"period_items": 8, "passes": 1}), library)
    shared = with_stream(made, "a.out", offset=_offset(made, "source.out"))
    order = [step.instance for step in shared.schedule.worker_schedules[0].body]
    a, b = order.index("a"), order.index("b")
    for body, said in ((lambda steps: swapped(steps, a, b) if a < b else steps, None),
                       (lambda steps: steps if a < b else swapped(steps, a, b),
                        "`a` writes a.out over unread items of source.out")):
        mutant = with_worker_schedule(shared, "w0", body)
        faults = schedule_check.faults_of(mutant.schedule, mutant.streams, request.graph, request.rates)
        assert (said in faults[0].message) if said else not faults, faults


def test_a_block_that_reads_its_earlier_output_shares_no_space(library: Catalog) -> None:
    blocks = [{"id": "source", "type": "dummy_source", "parameters": {"item_type": "f32"}},
              {"id": "a", "type": "copy"}, {"id": "b", "type": "copy"}, {"id": "sink", "type": "benchmark_sink"}]
    document = deployed(project(blocks, ["source.out > a.in", "a.out > b.in", "b.out > sink.in"], run={"items": 1000}),
                        scheduler="looped", workers=1)
    request, made = asked(document, library)
    apart = next(s for s in made.streams if s.name == "source.out")
    assert all(s is apart or s.offset >= apart.offset + apart.bytes or s.offset + s.bytes <= apart.offset
               for s in made.streams)
    mutant = with_stream(made, "b.out", offset=apart.offset)
    faults = schedule_check.faults_of(mutant.schedule, mutant.streams, request.graph, request.rates)
    assert "`source` relies on finding its earlier output there" in faults[0].message


def _iterations(made: Arrangement, request: Request) -> int:
    """Return the iterations of the graph in which each worker does whole periods."""
    return lcm(*(times // request.rates.firings[name]
                 for own in made.schedule.worker_schedules for name, times in firings(own.body).items()))


def _drawn(dice: random.Random, library: Catalog) -> tuple[Request, Arrangement]:
    """Return the graph with a random placement, period and nesting, and a new layout of the streams."""
    names = [b["id"] for b in BLOCKS]
    workers = dice.choice([1, 2, 3])
    there = {"strategy": "explicit",
             "map": {name: f"w{min(i * workers // 9 if dice.random() < 0.7 else dice.randrange(workers), workers - 1)}"
                                             for i, name in enumerate(names)}}
    return asked(multirate(workers=workers, placement=there,
                           parameters={"period_items": dice.choice([12, 36, 60]), "passes": dice.choice([1, 3, 5])}),
                 library)


def _spoilt(made: Arrangement, dice: random.Random) -> Arrangement:
    """Return the arrangement with one change, which may be harmless."""
    own = dice.choice(made.schedule.worker_schedules)
    steps = tuple(calls(own.body))
    a, b = (dice.randrange(len(steps)) for _ in range(2))
    stream = dice.choice(made.streams)
    ways = [lambda: with_worker_schedule(made, own.worker, lambda _: swapped(steps, a, b)),
            lambda: with_worker_schedule(made, own.worker,
                                 lambda _: (*steps[:a], replace(steps[a], times=steps[a].times + 1),
                                                                  *steps[a + 1:])),
            lambda: with_worker_schedule(made, own.worker, lambda _: (Loop(2, steps),))]
    if stream.kind == "ring":
        ways.append(lambda: with_stream(made, stream.name, items=max(1, dice.choice([4, 12, 36]))))
    else:
        ways += [lambda: with_stream(made, stream.name, offset=64 * dice.randrange(4)),
                 lambda: with_stream(made, stream.name, items=max(1, stream.items - dice.choice([1, 3, 12])))] * 2
    return dice.choice(ways)()


def test_what_the_checker_lets_pass_computes_what_the_graph_says(library: Catalog) -> None:
    """Run hundreds of changed schedules byte by byte in random order: each one that passes the checker is correct."""
    dice, passed, refused, spoilt = random.Random(5), 0, 0, 0
    for _ in range(12):
        request, made = _drawn(dice, library)
        for _ in range(20):
            mutant = _spoilt(made, dice)
            faults = schedule_check.faults_of(mutant.schedule, mutant.streams, request.graph, request.rates)
            try:
                oracle.run(mutant, request, dice, iterations=_iterations(mutant, request))
                passed += not faults
            except (oracle.Spoilt, ZeroDivisionError) as fault:
                assert faults, (fault, mutant.schedule, mutant.streams)
                spoilt += 1
            refused += bool(faults)
    assert passed >= 60 and spoilt >= 60 and refused < spoilt * 1.5, (passed, refused, spoilt)


def test_the_last_period_is_safe_with_the_places_of_the_plan(library: Catalog) -> None:
    """Run a shortened last period: blocks with fewer firings than planned move the first items of a call correctly."""
    dice = random.Random(6)
    for _ in range(40):
        request, made = _drawn(dice, library)
        left = oracle.firings_of_a_run(request, {"limit": dice.randrange(1, 200)})
        assert left["source"] == left["limit"] and left["sum"] <= left["limit"]
        oracle.run(made, request, dice, left=left)


def test_where_arrays_are_laid_out_they_keep_apart(library: Catalog) -> None:
    """Call `lay_out` with schedules of other shapes than the planner's."""
    dice = random.Random(7)
    for _ in range(30):
        request, made = _drawn(dice, library)
        for own in made.schedule.worker_schedules:
            made = flat(made, own.worker)
        streams = lay_out(request, made.schedule, streams_of(request, made.workers))
        rings = {s.name: s for s in made.streams if s.kind == "ring"}
        streams = tuple(rings.get(s.name, s) for s in streams)
        assert schedule_check.faults_of(made.schedule, streams, request.graph, request.rates) == []


def test_a_target_without_code_for_schedules_says_so(library: Catalog) -> None:
    plan, it = planned(multirate(), library)
    without = replace(library, targets={"cpp_app": replace(library.targets["cpp_app"], schedules=False)})
    with pytest.raises(WeirError) as raised:
        generate(plan, it.project, without)
    assert [d.code for d in raised.value.diagnostics] == ["E_SCHEDULE_TARGET"]


@pytest.mark.parametrize("document, other", [
    (multirate(), "thread_per_block"),
    (deployed(project(BLOCKS, WIRES, run={"items": 1000}), scheduler="single_thread"), "thread_per_block"),
    (deployed(project(BLOCKS, WIRES, run={"items": 1000}), scheduler="flow", workers=2, placement=ON_TWO), None)])
def test_what_could_only_be_compared_with_itself_has_a_second_binary(document, other, library, monkeypatch):
    """Use a graph that numpy cannot compute; every other program runs the flowgraph on one thread."""
    it = Pipeline(check(json.dumps(document), catalog=library), here=machine("two_core"))
    plan, subjects, built = it.plan().plan, [], []
    monkeypatch.setattr(verify, "verified", lambda subject, *_: subjects.append(subject))
    monkeypatch.setattr(Pipeline, "build", lambda self, plan,
                        *_: built.append(plan) or SimpleNamespace(program="other"))
    it.verify(plan, SimpleNamespace(program="this"), (), None)
    [subject] = subjects
    assert (subject.another and subject.another()) == (other and "other")
    assert [(p.scheduler, p.schedule) for p in built] == ([(other, None)] if other else [])
