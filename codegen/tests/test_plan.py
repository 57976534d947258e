"""Test plans: placement, CPUs, probes, pairs, refusals and warnings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import jsonschema
import pytest
from planning import EXAMPLES, chain, checked, decimator, deployed, machine, plan, project, workers
from weir import cli
from weir.diagnostics import Diagnostic
from weir.engine.measuring.results import speaking_against
from weir.engine.pipeline import Pipeline
from weir.model.catalog import load_catalog
from weir.model.check import check
from weir.model.document import jsontext, shape
from weir.model.planning import patterns
from weir.model.planning.deployment_check import check_machine
from weir.model.planning.machine import Machine
from weir.model.planning.plan import Planned, make_plan

MACHINES = ("two_core", "quad_smt", "kria", "two_packages", "one_cpu")


def block(planned, name: str):
    return next(b for b in planned.plan.blocks if b.instance == name)


# Placement

@pytest.mark.parametrize("stages,cores", [(1, 1), (2, 2), (5, 2), (6, 4), (7, 4), (12, 5), (3, 3)])
def test_contiguous_gives_the_first_workers_one_stage_more(stages: int, cores: int) -> None:
    placed = workers(plan(deployed(chain(stages), workers=cores, placement={"strategy": "contiguous"})))
    sizes = [sum(i.startswith("stage") for i in names) for names in placed.values()]
    assert sizes == [stages // cores + (i < stages % cores) for i in range(cores)]
    names = list(placed.values())
    assert names[0][:2] == ["source", "limit"] and names[-1][-1] == "sink"
    assert [i for w in names for i in w if "stage" in i] == [f"stage[{i}]" for i in range(stages)]


def test_contiguous_keeps_pipes_together() -> None:
    placed = workers(plan(deployed(chain(3, pipes=4), workers=2)))
    assert {i.partition("@")[2] for i in placed["w0"]} == {"p0", "p1"}
    assert {i.partition("@")[2] for i in placed["w1"]} == {"p2", "p3"}


def test_contiguous_on_a_diamond() -> None:
    placed = workers(plan(EXAMPLES / "diamond.weir.json", deployment=replace(
        checked(EXAMPLES / "diamond.weir.json").project.deployment("flow"), placement=None)))
    assert placed == {"w0": ["source", "limit", "double", "shift"], "w1": ["sum", "sink"]}


def test_round_robin_per_pipe_and_single() -> None:
    def place(strategy: str, **more) -> dict:
        return workers(plan(deployed(chain(2, **more), workers=2, placement={"strategy": strategy})))

    assert place("round_robin") == {"w0": ["source", "stage[0]", "sink"], "w1": ["limit", "stage[1]"]}
    assert [{i[-2:] for i in names} for names in place("per_pipe", pipes=3).values()] == [{"p0", "p2"}, {"p1"}]
    assert list(place("single")) == ["w0"]


def test_explicit_patterns_and_the_rest_goes_with_what_feeds_it() -> None:
    placed = workers(plan(deployed(chain(4, pipes=2), placement={
        "strategy": "explicit", "map": {"stage[0..1]@*": "w0", "stage[2..3]@p0": "w1", "stage[2]@p1": "w2"}})))
    assert "source@p1" in placed["w0"] and "limit@p0" in placed["w0"]
    assert placed["w1"] == ["stage[2]@p0", "stage[3]@p0", "sink@p0"]
    assert placed["w2"] == ["stage[2]@p1", "stage[3]@p1", "sink@p1"]


def test_workers_follow_the_machine_and_get_cores_first() -> None:
    on_smt = plan(deployed(chain(8)), "quad_smt").plan.workers
    assert [w.cpus for w in on_smt] == [(0,), (1,), (2,)] and all(w.requested is None for w in on_smt)
    assert len(plan(deployed(chain(8)), "kria").plan.workers) == 4
    more = plan(deployed(chain(8), workers=6), "quad_smt").plan.workers
    assert [w.cpus for w in more] == [(0,), (1,), (2,), (4,), (5,), (6,)]


def test_affinity_is_carried_and_other_schedulers_float() -> None:
    asked = plan(deployed(chain(4), workers=2, affinity={"w1": [0, 1]})).plan.workers
    assert [(w.requested, w.cpus) for w in asked] == [(None, (0,)), ((0, 1), (0, 1))]
    each = plan(deployed(chain(2), scheduler="thread_per_block", affinity={"stage[1]": [1]})).plan.workers
    assert {w.name: w.cpus for w in each} == {"source": (), "limit": (), "stage[0]": (), "stage[1]": (1,), "sink": ()}
    assert [w.cpus for w in plan(chain(2)).plan.workers] == [()]


@pytest.mark.parametrize("on,count,affinity,cpus", [
    ("two_core", 2, {"w0": [1]}, [1, 0]),
    ("two_core", 2, {"w1": [0]}, [1, 0]),
    ("quad_smt", 3, {"w1": [0]}, [1, 0, 2]),
    ("quad_smt", 6, {"w0": [4]}, [4, 1, 2, 5, 6, 0]),  # its sibling comes after the others' second threads
    ("two_core", 3, {"w0": [1]}, [1, 0, 1]),           # nothing else is left
])
def test_workers_without_an_affinity_leave_alone_what_others_asked_for(on: str, count: int, affinity: dict,
                                                                       cpus: list[int]) -> None:
    planned = plan(deployed(chain(8), workers=count, affinity=affinity), on)
    assert [worker.cpus for worker in planned.plan.workers] == [(cpu,) for cpu in cpus]


@pytest.mark.parametrize("text,names", [
    ("stage", 8), ("stage[1]", 2), ("stage[0..2]@p1", 3), ("*@p0", 7), ("stage[*]@*", 8), ("*", 14), ("sink@0..1", 2),
    ("stage[7]", 0)])
def test_patterns(text: str, names: int) -> None:
    graph = checked(chain(4, pipes=2)).graph
    assert len(patterns.parse(text).select(graph.instances)) == names


@pytest.mark.parametrize("text", ["", "stage[", "stage[1..]", "Stage", "a b", "stage[-1]", "stage@x", "[0]", "$(rm)"])
def test_bad_patterns(text: str) -> None:
    assert patterns.parse(text) is None


# Deployment faults have pointers that resolve. The codes themselves have bad projects.

def faults(document: dict) -> list[tuple[str, str]]:
    return [(d.code, d.pointer) for d in check(json.dumps(document)).diagnostics]


def test_two_patterns_that_clash() -> None:
    document = deployed(chain(4), placement={"strategy": "explicit", "map": {"*": "w0", "stage[1]": "w1"}})
    assert faults(document) == [("E_PLACEMENT_CONFLICT", "/deployments/0/placement/map/stage[1]")]


def test_nothing_connected_has_a_worker() -> None:
    blocks = [{"id": f"{k}{i}", "type": t, **({"parameters": {"item_type": "f32"}} if k == "a" else {})}
              for i in (0, 1) for k, t in (("a", "counter_source"), ("b", "digest_sink"))]
    document = project(blocks, ["a0.out > b0.in", "a1.out > b1.in"])
    assert faults(deployed(document, placement={"strategy": "explicit", "map": {"a0": "w0"}})) == [
        ("E_PLACEMENT_CONFLICT", "/deployments/0/placement/map")]


def test_workers_that_a_map_cannot_have() -> None:
    document = deployed(chain(2), workers=2, placement={"strategy": "explicit", "map": {"*": "w2"}})
    assert faults(document) == [("E_WORKER_UNKNOWN", "/deployments/0/placement/map/*")]


# Machines

def run_here(planned: Planned, here: Machine) -> list[Diagnostic]:
    return check_machine(planned.plan.workers, planned.plan.deployment,
                         load_catalog().schedulers[planned.plan.scheduler], here)


def test_missing_cpus_are_a_warning_in_a_plan_and_an_error_for_a_run() -> None:
    planned = plan(deployed(chain(4), workers=2, affinity={"w1": [7]}))
    assert [(d.code, d.severity, d.pointer) for d in planned.diagnostics] == [
        ("W_CPU_MISSING", "warning", "/deployments/0/affinity/w1")]
    (error,) = run_here(planned, machine("two_core"))
    assert (error.code, error.severity, error.pointer) == ("E_CPU_MISSING", "error", "/deployments/0/affinity/w1")
    assert run_here(planned, machine("quad_smt")) == []  # isolated, but present


def test_a_missing_cpu_is_found_at_a_pattern_and_at_a_worker_without_work() -> None:
    pinned = plan(deployed(chain(4), scheduler="thread_per_block", affinity={"stage[1..2]": [7]}))
    at = "/deployments/0/affinity/stage[1..2]"
    assert [(d.code, d.pointer) for d in pinned.diagnostics if "CPU" in d.code] == [("W_CPU_MISSING", at)]
    assert [d.pointer for d in run_here(pinned, machine("two_core"))] == [at] * 2
    unused = plan(deployed(chain(4), affinity={"w5": [7]}))  # two workers by default
    assert [(d.code, d.pointer) for d in unused.diagnostics] == [("W_CPU_MISSING", "/deployments/0/affinity/w5")]


def test_a_plan_for_another_machine_does_not_fit_this_one() -> None:
    faults = run_here(plan(deployed(chain(4)), "kria"), machine("two_core"))
    assert [d.code for d in faults] == ["E_CPU_MISSING"] * 2


@pytest.mark.parametrize("more,where", [({"workers": 2, "environment": "isolate"}, "/workers"),
                                        ({"affinity": {"w0": [1], "w1": [1]}}, "/affinity")])
def test_workers_that_need_a_cpu_each_are_not_run_on_fewer(more: dict, where: str) -> None:
    for name, codes in (("futuresdr_flow", ["E_CPU_MISSING"]), ("flow", [])):
        planned = plan(deployed(chain(4), scheduler=name, **{"workers": 2, **more}))
        said = run_here(planned, machine("two_core"))
        assert [d.code for d in said] == codes and all(d.pointer == "/deployments/0" + where for d in said)
    alone = plan(deployed(chain(4), scheduler="futuresdr_flow", workers=1, environment="isolate"))
    assert run_here(alone, machine("two_core")) == []


PARKED = {"workers": 2, "wait": "park"}
SPINNING = {"workers": 2, "wait": "spin"}


@pytest.mark.parametrize("on,deployment,codes", [
    ("two_core", {"workers": 3, "wait": "park"}, ["W_OVERSUBSCRIBED"]),
    ("two_core", {"workers": 3, "wait": "spin"}, ["W_OVERSUBSCRIBED", "W_SPIN_SHARED"]),
    ("two_core", {**SPINNING, "affinity": {"w0": [1], "w1": [1]}}, ["W_SPIN_SHARED"]),
    ("two_core", {**SPINNING, "affinity": {"w0": [1]}}, []),
    ("two_core", {"workers": 9, "wait": "park"}, ["W_WORKER_IDLE", "W_OVERSUBSCRIBED"]),
    ("two_core", SPINNING, []),
    ("quad_smt", {**SPINNING, "affinity": {"w0": [0], "w1": [4]}}, ["W_SPIN_SHARED"]),  # two threads of one core
    ("quad_smt", {**PARKED, "affinity": {"w0": [0], "w1": [4]}}, ["W_CORE_SHARED"]),
    ("quad_smt", {**PARKED, "affinity": {"w0": [0], "w1": [0]}}, ["W_CORE_SHARED"]),
    ("quad_smt", {**PARKED, "affinity": {"w0": [0], "w1": [1]}}, []),
    ("quad_smt", {**PARKED, "affinity": {"w0": [0, 4], "w1": [0, 4]}}, []),
    ("two_packages", {**PARKED, "affinity": {"w0": [0], "w1": [32]}}, ["W_NUMA_CROSSED"]),
    ("two_packages", {**PARKED, "affinity": {"w0": [0], "w1": [31]}}, []),
    ("two_packages", {**PARKED, "affinity": {"w0": [0, 32], "w1": [33]}}, []),
    ("two_packages", {**PARKED, "affinity": {"w1": [63]}}, []),
])
def test_what_is_legal_and_probably_not_meant(on: str, deployment: dict, codes: list[str]) -> None:
    found = plan(deployed(chain(4), **deployment), on).diagnostics
    assert [d.code for d in found] == codes
    assert all("stage[1].out->stage[2].in: w0 is on NUMA node 0, but w1 is on node 1" in d.message
               for d in found if d.code == "W_NUMA_CROSSED")


@pytest.mark.parametrize("wait, mends", [("spin", [("/deployments/0/wait", "park")] * 2), ("park", [])])
def test_workers_that_spin_on_too_few_cpus_have_a_mend(wait: str, mends: list) -> None:
    found = plan(deployed(chain(4), workers=3, wait=wait)).diagnostics
    assert [(fix.pointer, fix.what) for d in found for fix in d.fixes] == mends


@pytest.mark.parametrize("deployment, planned", [({"workers": 3, "wait": "park"}, True),
                                                ({"scheduler": "thread_per_block", "wait": "park"}, False),
                                                ({"scheduler": "thread_per_block", "wait": "spin"}, True)])
def test_a_thread_for_each_block_is_too_many_only_in_a_run(deployment: dict, planned: bool) -> None:
    pipeline = Pipeline.open(json.dumps(deployed(chain(4), **deployment)), here=machine("two_core"))
    for made, told in ((pipeline.plan(), planned), (pipeline.plan_to_run(), True)):
        assert [d.code for d in made.diagnostics].count("W_OVERSUBSCRIBED") == told


@pytest.mark.parametrize("on,words", [("two_core", "3 workers share 2 CPUs of this machine"),
                                      ("one_cpu", "3 workers share 1 CPU of this machine")])
def test_too_many_workers_are_told_how_many_cpus_there_are(on: str, words: str) -> None:
    [told] = plan(deployed(chain(4), workers=3, wait="park"), on).diagnostics
    assert told.message == words


@pytest.mark.parametrize("wait, codes", [("spin", ["W_OVERSUBSCRIBED"]), ("park", [])])
def test_workers_that_spin_on_too_few_cpus_are_reported_with_the_run(wait: str, codes: list[str]) -> None:
    planned = plan(deployed(chain(4), workers=3, wait=wait))
    said = speaking_against(planned.plan, planned.diagnostics)
    assert list(said) == codes and all("use the wait policy `park`" in message for message in said.values())


# Probes

def test_auto_granularity_is_that_of_the_method_on_a_chain_and_costs_under_one_percent() -> None:
    planned = plan(chain(4))
    assert planned.plan.trace.planned_granularity == 32768 and 0 < planned.plan.trace.predicted_cost < 0.01
    assert {b.instance for b in planned.plan.blocks if b.probe_granularity} == {"source", "sink"}


def test_boundaries_correspond_through_rate_changes() -> None:
    planned = plan(decimator(10))
    (pair,) = planned.plan.pairs
    assert pair.source_granularity == 10 * pair.sink_granularity and pair.pipe is None
    assert block(planned, "fir").probe_granularity == 0


def test_paced_pipes_share_the_percent_of_a_core_that_their_events_may_cost() -> None:
    """Share one core among many pipes: with a core for each, events of 64 receivers took a third of a core."""
    def traced(pipes: int, rate: float):
        document = chain(1, pipes=pipes)
        document["graph"]["blocks"][0] = {"id": "source", "type": "paced_source",
                                          "parameters": {"item_type": "f32", "rate": rate}}
        return plan(document).plan.trace

    one, many = traced(1, 1e6), traced(64, 1e6)
    assert many.planned_granularity == 64 * one.planned_granularity
    assert 0.005 <= one.predicted_cost < 0.01 and many.predicted_cost == pytest.approx(one.predicted_cost, rel=1e-3)
    flat_out = plan(chain(1, pipes=64)).plan.trace
    assert flat_out.planned_granularity == 32768 and flat_out.predicted_cost < 0.01


@pytest.mark.parametrize("asked,planned_items", [(1, 10), (14, 10), (15, 20), (1000, 1000)])
def test_explicit_granularity_is_rounded_to_whole_iterations(asked: int, planned_items: int) -> None:
    document = {**decimator(10), "run": {"trace": {"probe_granularity": asked}}}
    assert plan(document).plan.trace.planned_granularity == planned_items
    assert plan(document).plan.trace.requested_granularity == asked


def test_paced_sources_get_finer_probes() -> None:
    blocks = [{"id": "radio", "type": "paced_source", "parameters": {"item_type": "f32", "rate": 1e6}},
              {"id": "sink", "type": "null_sink"}]
    planned = plan(project(blocks, ["radio.out > sink.in"]))
    assert planned.plan.trace.planned_granularity == 32 and planned.plan.trace.predicted_cost < 0.01


def test_a_paced_source_holds_back_no_more_than_its_latency_budget() -> None:
    blocks = [{"id": "radio", "type": "paced_source",
               "parameters": {"item_type": "f32", "rate": 48000, "latency_budget": 0.001}},
              {"id": "sink", "type": "null_sink"}]
    assert plan(project(blocks, ["radio.out > sink.in"])).plan.blocks[0].chunk_items == 48


def test_probes_pairs_and_meters_of_pipes() -> None:
    planned = plan(chain(2, pipes=3))
    pairs = [(p.source, p.sink, p.pipe) for p in planned.plan.pairs]
    assert pairs == [(f"source@p{i}", f"sink@p{i}", i) for i in range(3)]
    assert planned.plan.metered == ("limit@p0", "limit@p1", "limit@p2")


def test_a_source_without_head_ends_at_the_runs_items() -> None:
    assert [b.instance for b in plan(decimator(3)).plan.blocks if b.ends_at_run_items] == ["source"]
    assert plan(decimator(3)).plan.metered == ("source",)
    assert not any(b.ends_at_run_items for b in plan(chain(2)).plan.blocks)


def test_a_source_with_a_head_and_another_reader_ends_itself() -> None:
    blocks = [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
              {"id": "limit", "type": "head"}, {"id": "a", "type": "digest_sink"}, {"id": "b", "type": "digest_sink"}]
    planned = plan(project(blocks, ["source.out > limit.in", "limit.out > a.in", "source.out > b.in"]))
    assert block(planned, "source").ends_at_run_items and planned.plan.metered == ("source",)
    assert {p.sink for p in planned.plan.pairs} == {"a", "b"}


def test_more_probes_and_no_trace() -> None:
    document = chain(2)
    document["graph"]["blocks"][2]["probe"] = True
    assert all(block(plan(document), f"stage[{i}]").probe_granularity == 65536 for i in (0, 1))
    off = {**chain(2), "run": {"trace": {"backend": "off"}}}
    assert plan(off).plan.trace.predicted_cost == 0
    result = checked(off)
    wanted = make_plan(result.project, result.graph, result.catalog, machine("two_core"), trace_with="memory")
    assert wanted.plan.trace.backend == "memory"


# The plan as a document

def planned_each_time() -> Iterator:
    """Yield every example on every machine; without --all, each on one of them in turn."""
    for number, example in enumerate(sorted(EXAMPLES.glob("**/*.weir.json"))):
        for turn, on in enumerate(MACHINES):
            yield pytest.param(example, on, id=f"{on}-{example.name.partition('.')[0]}",
                               marks=() if turn == number % len(MACHINES) else pytest.mark.slow)


@pytest.mark.parametrize(("example", "on"), planned_each_time())
def test_plans_fit_their_schema_and_repeat(example, on: str) -> None:
    it, fits = checked(example), jsonschema.Draft202012Validator(shape.schema("plan"))

    def planned(deployment) -> str:
        made = make_plan(it.project, it.graph, it.catalog, machine(on), deployment)
        return jsontext.write(made.plan.as_json())

    for deployment in it.project.deployments:
        text = planned(deployment)
        document = json.loads(text)
        fits.validate(document)
        assert shape.check_shape(document, "plan") == []
        assert planned(deployment) == text


def test_moving_a_box_changes_nothing_and_a_parameter_does() -> None:
    document = chain(2)
    moved = {**document, "ui": {"positions": {"source": [7, 7]}}, "x_note": 1,
             "$schema": "https://weir.invalid/schema/project.schema.json"}
    first, second = plan(document).plan, plan(moved).plan
    assert first.as_json() == second.as_json()
    other = plan(chain(2, "saxpy")).plan
    assert other.hash != first.hash and other.project_hash != first.project_hash


def test_the_hash_names_what_is_planned_not_where_it_came_from() -> None:
    document = chain(2)
    titled = {**document, "title": "Other"}
    assert plan(document).plan.hash == plan(titled).plan.hash
    assert plan(document).plan.project_hash != plan(titled).plan.project_hash
    assert plan(document).plan.hash != plan(document, "kria").plan.hash


def test_plan_verb(capsys: pytest.CaptureFixture) -> None:
    example = str(EXAMPLES / "diamond.weir.json")
    arguments = ["plan", example, "--machine", str(EXAMPLES.parent / "codegen/tests/machines/two_core.json")]
    assert cli.main([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["workers"][1]["cpus"] == {"requested": None, "planned": [1]}
    assert cli.main(arguments) == 0
    text = capsys.readouterr().out
    assert "items requested" in text and "items planned" in text and "limit.out" in text
    assert cli.main([*arguments, "--deployment", "none"]) == 2
