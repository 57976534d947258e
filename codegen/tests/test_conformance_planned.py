"""Test `weir test --scheduler-path` on schedulers that plan in advance: planned, simulated, built and run."""

from __future__ import annotations

import dataclasses
import json
import shlex
import tempfile
from collections import Counter
from pathlib import Path

import jsonschema
import pytest
from conftest import CODEGEN
from planning import machine
from weir.cli import main
from weir.cli.verbs._suites import without_address_randomisation
from weir.engine.conformance import oracle, planned, scheduled
from weir.engine.conformance.claims import ADDRESS, NONE, PARTS, SCHEDULES, THREAD
from weir.engine.conformance.findings import Judgement
from weir.engine.conformance.judging import judge, parts_for
from weir.engine.conformance.planning_context import PlanningContext, Refused
from weir.engine.conformance.workshop import Workshop
from weir.model.catalog import read_scheduler
from weir.model.document import shape
from weir.model.planning.planner import Arrangement

LOOPED = CODEGEN / "tests" / "schedulers" / "looped"
FAULTY = CODEGEN / "tests" / "faulty_schedulers"
PLANS = next(part for part in PARTS if part.kind == NONE)
#: Fault -> the claim that it violates, and the part that must find it.
FAULTS = {
    "overlaps_lifetimes": ("schedule", "plans", NONE),
    "draws_lots": ("schedule", "plans", NONE),
    "follows_a_set": ("schedule", "plans", NONE),
    "leaves_one_out": ("ending", "scheduled_graphs", ADDRESS),
    "one_at_a_time": ("liveness", "scheduled_graphs", ADDRESS),
    "forgets_the_stopped": ("stop", "scheduled_stops", ADDRESS),
    "helps_a_neighbour": ("races", "scheduled_graphs", THREAD),
}


def context_of(folder: Path) -> PlanningContext:
    scheduler, faults = read_scheduler(folder / "scheduler.json")
    assert scheduler is not None, faults
    return PlanningContext.of(scheduler, machine("two_core"), Path(tempfile.mkdtemp()))


def tried(folder: Path, mode: str, kind: str, seed: int | None = None, **more) -> Judgement:
    parts = [dataclasses.replace(part, **more) for part in PARTS if (part.mode, part.kind) == (mode, kind)]
    return judge(folder / "scheduler.json", parts, Workshop.open(), seed=seed,
                 thread_prefix=without_address_randomisation())


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the compiler's findings about a header with those about looped's."""
    monkeypatch.setattr(Workshop, "header_findings", lambda self, scheduler: ([], not scheduler.planner))


def verdicts(it: Judgement) -> dict[str, str]:
    return {row.claim.id: row.verdict for row in it.rows}


def test_plans_of_random_graphs_are_gone_through_and_run_byte_by_byte():
    found = planned.try_plans(context_of(LOOPED), dataclasses.replace(PLANS, rounds=24, seconds=60), None)
    assert not found.findings, found.findings
    assert found.cases == 24 and found.runs >= 22 and int(found.notes[0].split()[0]) >= 18


def test_the_graphs_are_of_every_sort():
    """Check that the first hundred have workers, pipes, parts, forks, joins, rates, history and ends of all kinds."""
    sorts: Counter[str] = Counter()
    at = context_of(LOOPED)
    for seed in range(1, 101):
        case = at.case(seed)
        assert case == at.case(seed)
        types = {op.type for op in case.graph.ops}
        readers = Counter(end for op in case.graph.ops for end in op.inputs)
        sorts.update(types)
        sorts.update({"pipes": case.graph.pipes > 1, "fork": max(readers.values()) > 1,
                      "one item": case.graph.items == 1,
                      "several sources": sum(not op.inputs for op in case.graph.ops) > 1,
                      "repeat": any(op.repeat > 1 for op in case.graph.ops), "workers": case.wish.get("workers", 1) > 1,
                      "chunk": "chunk_items" in case.wish, "buffers": "buffers" in case.wish})
    wanted = ("pipes", "fork", "one item", "several sources", "repeat", "workers", "chunk", "buffers", "kit_mix",
              "kit_ratio",
              "kit_deal", "kit_fails", "delay", "head", "add_const")
    assert all(sorts[sort] >= 8 for sort in wanted), sorts


def test_a_fault_of_a_planner_is_found_and_its_graph_made_smaller(compiled, capsys):
    assert main(["test", "--scheduler-path", str(FAULTY / "overlaps_lifetimes"), "--only", "plans", "--json"]) == 4
    document = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("conformance")).validate(document)
    [scheduler] = document["schedulers"]
    [found] = scheduler["findings"]
    assert found["claim"] == "schedule" and "over unread items of op0.out" in found["message"]
    assert 0 < len(found["smaller"].splitlines()) < len(found["detail"].splitlines())
    assert found["again"].endswith(f"--only plans --seed {found['seed']}")
    words = shlex.split(found["plan"])  # the command on the page works
    assert words[:2] == ["weir", "plan"] and main(words[1:]) == 3 and "unread items" in capsys.readouterr().err
    left = {row["claim"]: row["verdict"] for row in scheduler["claims"]}
    assert (left["schedule"] == "failed" and left["timers"] == left["fairness"] == "not_held"
            and left["answers"] == "not_tried")


def test_what_the_checker_lets_pass_and_the_oracle_does_not_is_found(monkeypatch):
    def spoilt(*_, **__):
        raise oracle.Spoilt("op1.in finds None where item 3 should be")
    monkeypatch.setattr(oracle, "run", spoilt)
    [found] = planned.try_plans(context_of(LOOPED), dataclasses.replace(PLANS, rounds=9), None).findings
    assert found.claim == "schedule" and "op1.in finds None" in found.message and found.smaller


def test_a_graph_that_is_refused_is_no_finding_and_all_of_them_are_nothing(compiled, monkeypatch):
    def refuses(self, request):
        raise Refused("`looped` has no plan: not today")
    monkeypatch.setattr(PlanningContext, "arranged", refuses)
    it = tried(LOOPED, "plans", NONE, rounds=5)
    assert it.ok and it.runs == 0 and verdicts(it)["schedule"] == "not_tried"
    assert "5 refused: `looped` has no plan: not today" in it.tried[0].notes[-1]
    assert "none of its graphs has a plan" in it.idle["plans"]


@pytest.mark.parametrize("name", ("shapes", "timers", "fairness"))
def test_a_part_that_is_not_for_schedules_runs_nothing_and_says_so(name, compiled, capsys):
    assert main(["test", "--scheduler-path", str(LOOPED), "--only", name]) == 4
    told = capsys.readouterr().out
    assert (f"\nnot tried: {name}: " in told
            and told.splitlines()[-1].startswith("1 scheduler: none failed; looped not tried"))


@pytest.mark.parametrize(("words", "told"), [
    (("--only", "plans"), "plans: this scheduler has no planner"),
    (("--only", "plans", "--seed", "3"), "plans: this scheduler has no planner"),
    (("--only", "errors", "--seed", "3"), "errors: it has no random graphs for schedulers of this kind")])
def test_what_is_not_for_schedulers_without_a_planner_is_said_of_the_part_that_was_requested(words, told, compiled,
                                                                                             capsys):
    assert main(["test", "--scheduler-path", str(LOOPED.with_name("one_queue")), *words]) == 4
    page = capsys.readouterr().out
    assert (f"\nnot tried: {told}" in page
            and page.splitlines()[-1].startswith("1 scheduler: none failed; one_queue not tried"))


def test_a_plan_that_is_wrong_is_a_finding_of_the_part_that_wants_to_run_it(compiled, capsys):
    """Report the finding once: not in each part, and not if `plans` has it."""
    words = ["test", "--scheduler-path", str(FAULTY / "overlaps_lifetimes"), "--seed", "1"]
    for only, part in ((("--only", "graphs", "--only", "stops"), "graphs"),
                       (("--only", "plans", "--only", "graphs"), "plans")):
        assert main([*words, *only, "--json"]) == 4
        [scheduler] = json.loads(capsys.readouterr().out)["schedulers"]
        [found] = scheduler["findings"]
        assert (found["claim"], found["part"]) == ("schedule", part) and "unread items" in found["message"]
        assert found["again"].endswith(f"--only {part} --seed 1")


def test_a_plan_that_follows_the_order_of_a_set_is_found_in_another_process():
    [found] = planned.try_plans(context_of(FAULTY / "follows_a_set"), dataclasses.replace(PLANS, rounds=6),
                                None).findings
    assert found.claim == "schedule" and found.message.endswith("in two processes: they differ in streams")
    assert "sorted(" in found.hint
    again = planned.try_plans(context_of(FAULTY / "follows_a_set"), PLANS, found.seed)
    assert [f.message for f in again.findings] == [found.message]


@pytest.mark.slow
def test_a_graph_runs_as_numpy_and_flow_have_it_fails_and_stops():
    """Build one graph with the address sanitizer."""
    parts = [dataclasses.replace(part, rounds=1) for part in PARTS if part.of == SCHEDULES and part.kind == ADDRESS]
    it = judge(LOOPED / "scheduler.json", parts, Workshop.open())
    assert not it.findings, [(f.claim, f.message, f.case, f.seed, f.detail) for f in it.findings]
    runs = {t.part.mode: t.runs for t in it.tried}
    assert runs["scheduled_graphs"] >= 12 and runs["scheduled_errors"] == 4 and runs["scheduled_stops"] == 3
    assert it.tried[0].notes == ("1 of the graphs compared with flow, too",)
    assert {c: v for c, v in verdicts(it).items() if v != "ok"} == {
        "schedule": "not_tried", "races": "not_tried", "timers": "not_held", "fairness": "not_held"}


@pytest.mark.slow
def test_an_answer_that_is_not_numpys_is_found(compiled, monkeypatch):
    """Compare with a reference that draws other random items."""
    true = scheduled.evaluate
    monkeypatch.setattr(scheduled, "evaluate", lambda graph, conditions: true(
        graph, dataclasses.replace(conditions, seed=conditions.seed + 1)))
    it = tried(LOOPED, "scheduled_graphs", ADDRESS, rounds=1)
    assert [f.claim for f in it.findings] == ["answers"] and "is not numpy's" in it.findings[0].message


def test_every_faulty_one_with_a_planner_is_tried():
    folders = {file.parent.name for file in FAULTY.glob("*/scheduler.json")
               if "planner" in json.loads(file.read_text())}
    assert folders == set(FAULTS)


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_under_its_claim(name: str):
    claim, mode, kind = FAULTS[name]
    it = tried(FAULTY / name, mode, kind, rounds=4)
    assert it.findings and not it.ok
    found = it.findings[0]
    assert found.claim == claim, f"{found.claim}: {found.message}\n{found.detail}"
    assert found.case.startswith("random graph") and found.seed is not None
    if claim == "races":
        assert any(place.startswith(f"{FAULTY / name / name}.hpp:")
                   for place in found.places) or "fired.hpp" in found.detail


@pytest.mark.slow
def test_looped_passes():
    it = judge(LOOPED / "scheduler.json", parts_for([], False, None), Workshop.open(),
               thread_prefix=without_address_randomisation())
    assert it.ok, [(f.claim, f.message, f.case, f.seed, f.detail) for f in it.findings]
    assert set(verdicts(it).values()) == {"ok", "not_held"}
    assert {t.part for t in it.tried} == {part for part in PARTS if part.of == SCHEDULES}


def test_an_arrangement_without_a_schedule_is_planned_and_not_walked(monkeypatch):
    monkeypatch.setattr(PlanningContext, "arranged", lambda self, request: Arrangement((), ()))
    found = planned.try_plans(context_of(LOOPED), dataclasses.replace(PLANS, rounds=3), None)
    assert found.runs == 3 and found.notes == ("0 simulated byte by byte",)
