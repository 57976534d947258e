"""Test `weir test --scheduler-path` without a run: reading of programs, descriptors and headers, and the page."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import jsonschema
import pytest
from conftest import CODEGEN
from weir import ROOT
from weir.cli import main
from weir.engine.conformance.claims import ADDRESS, CLAIMS, PART_NAMES, PARTS, TASKS, THREAD
from weir.engine.conformance.findings import Finding, Judgement, PartResult
from weir.engine.conformance.judging import descriptors, parts_for
from weir.engine.conformance.page import answer, page
from weir.engine.conformance.running import read
from weir.engine.conformance.workshop import Workshop
from weir.model.catalog import read_scheduler
from weir.model.document import shape

GOOD = CODEGEN / "tests" / "schedulers"
PART = {(part.mode, part.kind): part for part in PARTS}
SHAPES, RACES = PART["shapes", ADDRESS], PART["graphs", THREAD]
HERE = Path("/home/a/schedulers/mine")

RACE = """==================
WARNING: ThreadSanitizer: data race (pid=7)
  Write of size 1 at 0x7b0400000010 by thread T3 (mutexes: write M0):
    #0 bool std::exchange<bool, bool>(bool&, bool&&) /usr/include/c++/14/utility:102 (thread+0x1)
    #1 weir::schedulers::Mine::work(weir::Worker&) /home/a/schedulers/mine/mine.hpp:44 (thread+0x2)
    #2 operator() /w/runtime/src/run.cpp:277 (thread+0x3)

  Previous write of size 1 at 0x7b0400000010 by thread T2:
    #0 weir::Node<weir::testing::Affine>::step() /w/runtime/include/weir/node.hpp:60 (thread+0x4)
    #1 operator() /w/runtime/src/run.cpp:277 (thread+0x3)

  Thread T3 'worker1' (tid=9, running) created by main thread at:
    #0 pthread_create /x/tsan.cpp:1 (thread+0x5)
SUMMARY: ThreadSanitizer: data race /home/a/schedulers/mine/mine.hpp:44 in work
"""
ADDRESS_ERROR = """=================================================================
==3==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010 at pc 0x1 bp 0x2 sp 0x3
READ of size 8 at 0x602000000010 thread T1 (worker0)
    #0 0x55d in weir::schedulers::Mine::take() /home/a/schedulers/mine/mine.hpp:31
    #1 0x55e in main /w/runtime/tests/conformance/main.cpp:70

freed by thread T0 here:
    #0 0x7f in operator delete(void*) asan_new_delete.cpp:1
"""
UNDEFINED = "/home/a/schedulers/mine/mine.hpp:12:9: runtime error: division by zero\n    #0 0x1 in x /y/z.hpp:3\n"


def said(*events: dict) -> str:
    return "".join(json.dumps(event) + "\n" for event in events)


CASE = {"event": "case", "case": "chain, park", "seed": 3}


def finding_of(stdout: str, stderr: str, code: int | None, part=SHAPES) -> Finding:
    [finding] = read(stdout, stderr, code, part, HERE).findings
    return finding


def test_a_finding_of_the_program():
    tried = read(said(CASE, {"event": "finding", "claim": "answers", "case": "chain, park", "seed": 3,
                             "text": "op4: items 1, must be 2\ngraph: x"},
                      {"event": "smaller", "text": "op0 source 1\n"},
                      {"event": "tried", "runs": 9, "cases": 2}), "", 1, SHAPES, HERE)
    [finding] = tried.findings
    assert (tried.runs, tried.cases, tried.cut_short) == (9, 2, True)
    assert (finding.claim, finding.message, finding.detail) == ("answers", "op4: items 1, must be 2", "graph: x")
    assert (finding.case, finding.seed, finding.smaller) == ("chain, park", 3, "op0 source 1")


def test_a_program_that_does_not_say_what_it_tried_has_a_finding():
    assert finding_of("", "", 0).message == "the program ended with exit code 0"
    assert finding_of(said(CASE), "", 0).case == "chain, park"


def test_a_program_that_ended_well_has_no_finding():
    events = said(CASE, {"event": "note", "text": "far"}, {"event": "tried", "runs": 9, "cases": 2})
    tried = read(events, "", 0, SHAPES, HERE)
    assert not tried.findings and tried.notes == ("far",) and not tried.cut_short


def test_a_data_race_names_the_two_places():
    found = finding_of(said(CASE), RACE, 66, RACES)
    assert found.claim == "races" and found.message.startswith("data race between")
    assert found.places == ("/home/a/schedulers/mine/mine.hpp:44", "/w/runtime/include/weir/node.hpp:60")
    assert found.case == "chain, park" and found.build == THREAD


@pytest.mark.parametrize(("stderr", "code", "message"), [
    (ADDRESS_ERROR, 1, "heap-use-after-free at /home/a/schedulers/mine/mine.hpp:31"),
    (UNDEFINED, 1, "division by zero at /home/a/schedulers/mine/mine.hpp:12"),
    ("terminate called without an active exception\n", -6,
     "the program ended with SIGABRT: terminate called without an active exception"),
    ("", -11, "the program ended with SIGSEGV"),
    ("weir_conformance: no\n", 3, "the program ended with exit code 3: weir_conformance: no"),
])
def test_how_a_program_died(stderr: str, code: int, message: str):
    found = finding_of(said(CASE), stderr, code)
    assert (found.claim, found.message, found.case) == ("memory", message, "chain, park")


def test_a_program_that_fails_without_a_finding_has_one():
    warning = {"event": "warning", "claim": "timers", "case": "c", "seed": 1, "text": "polls"}
    tried = read(said(CASE, warning), "", 1, SHAPES, HERE)
    assert [(f.claim, f.severity) for f in tried.findings] == [("timers", "warning"), ("memory", "error")]
    tried = read(said(CASE) + '{"event": "findi', "", 1, SHAPES, HERE)
    assert [f.claim for f in tried.findings] == ["memory"]
    assert [f.claim for f in read(said(CASE), "", None, SHAPES, HERE).findings] == ["liveness"]


def judgement(*tried: PartResult, **more) -> Judgement:
    return Judgement("mine", HERE, checked={"descriptor": "read", "header": "compiled"}, tried=list(tried), **more)


def verdicts(it: Judgement) -> dict[str, str]:
    return {row.claim.id: row.verdict for row in it.rows}


def test_what_a_finding_cut_short_does_not_count_as_right():
    stuck = Finding("liveness", "nothing moves", part="shapes", build=ADDRESS, case="chain", seed=2)
    it = judgement(PartResult(SHAPES, 3, 1, findings=(stuck,)))
    assert not it.ok
    assert verdicts(it) == {**dict.fromkeys((c.id for c in CLAIMS), "not_tried"), "descriptor": "ok", "header": "ok",
                            "liveness": "failed", "answers": "open", "ending": "open", "memory": "open"}


def test_a_warning_does_not_fail():
    polls = Finding("timers", "polls", "warning", part="timers", build=ADDRESS)
    it = judgement(PartResult(PART["timers", ADDRESS], 3, 1, findings=(polls,)))
    assert it.ok and verdicts(it)["timers"] == "warning" and verdicts(it)["liveness"] == "ok"


def test_the_page_has_every_claim_the_findings_and_one_command_each():
    wrong = Finding("answers", "op1: items 3", detail="\n".join(map(str, range(100))), part="graphs", build=ADDRESS,
                    case="random graph", seed=17, smaller="op0 source")
    text = page([judgement(PartResult(PART["graphs", ADDRESS], 17, 17, findings=(wrong,)), seconds=3.0)])
    for claim in CLAIMS:
        assert f"\n{claim.id} " in text and claim.says in text
    assert "1. answers: op1: items 3" in text and "op0 source" in text
    assert f"again: weir test --scheduler-path {HERE} --only graphs --seed 17" in text
    assert text.splitlines()[-1] == "1 scheduler: mine failed; 3 s"
    assert all(len(line) <= 120 for line in text.splitlines()) and len(text.splitlines()) < 70


def test_what_all_has_found_is_tried_again_with_all():
    stuck = Finding("liveness", "nothing moves", part="shapes", build=ADDRESS, case="chain", seed=702)
    drawn = Finding("answers", "items 3", part="graphs", build=ADDRESS, case="random graph", seed=17)
    text = page([judgement(PartResult(SHAPES, 3, 1, findings=(stuck, drawn)), thorough=True)])
    assert (f"again: weir test --scheduler-path {HERE} --only shapes --all\n" in text
            and "--only graphs --seed 17\n" in text)


def test_what_goes_against_the_same_claim_is_reported_in_a_line():
    stuck = [Finding("liveness", "nothing moves", detail="worker0 is asleep", part=part.name, build=part.kind,
                     case=case)
             for part, case in ((SHAPES, "chain"), (RACES, "random graph"))]
    text = page([judgement(*(PartResult(SHAPES, 3, 1, findings=(finding,)) for finding in stuck))])
    assert text.count("worker0 is asleep") == 1 and text.count("   again: ") == 1
    assert "   also in races, thread sanitizer: random graph\n" in text and "mine: 2 findings" in text


def test_the_documentation_has_a_page_with_every_claim():
    documented = (ROOT / "docs" / "write-a-scheduler.md").read_text()
    for claim in CLAIMS:
        assert re.search(rf"^    {claim.id} +{re.escape(claim.says)}", documented, re.MULTILINE), claim.id
    for name in PART_NAMES:
        assert f"| `{name}` |" in documented


def test_the_answer_keeps_to_its_schema():
    race = Finding("races", "data race", part="races", build=THREAD, places=("a:1", "b:2"), seed=4)
    document = answer([judgement(PartResult(RACES, 2, 2, findings=(race,)))])
    jsonschema.Draft202012Validator(shape.schema("conformance")).validate(document)
    assert document["ok"] is False and document["schedulers"][0]["findings"][0]["places"] == ["a:1", "b:2"]
    schema = shape.schema("conformance")
    assert schema["$defs"]["claim"]["enum"] == [claim.id for claim in CLAIMS]


def test_the_programs_know_the_claims():
    text = (ROOT / "runtime/tests/finding.hpp").read_text()
    names = re.findall(r'"(\w+)"', text[text.index("kNames"):])
    assert names and set(names) <= {claim.id for claim in CLAIMS}


def test_a_seed_leaves_the_random_graphs_alone():
    assert {part.mode for part in parts_for([], False, 4) if part.of == TASKS} == {"graphs"}
    assert [part.kind for part in parts_for(["races"], False, 4) if part.of == TASKS] == [THREAD]
    usual, thorough = parts_for([], False, None), parts_for([], True, None)
    assert all(a.seconds <= b.seconds and a.rounds < b.rounds for a, b in zip(usual, thorough, strict=True))


def test_a_folder_of_schedulers_or_one(tmp_path: Path):
    shutil.copytree(GOOD / "one_queue", tmp_path / "all" / "one_queue")
    for folder in (tmp_path / "all", tmp_path / "all" / "one_queue"):
        assert descriptors([folder]) == [tmp_path / "all" / "one_queue" / "scheduler.json"]


@pytest.mark.parametrize(("words", "code", "told"), [
    (("--scheduler-path", "."), 3, "contains no scheduler"),
    (("--scheduler-path", str(GOOD), "--only", "shape"), 2, "did you mean `shapes`?"),
    (("--scheduler-path", str(GOOD), "--only", "shapes", "--only", "graphs", "--seed", "3"), 2, "and shapes has none"),
    (("--scheduler-path", str(GOOD), "--block-path", "."), 2, "--block-path excludes --scheduler-path"),
    (("--json",), 2, "--scheduler-path"),
    (("--seed", "3"), 2, "--scheduler-path"),
])
def test_impossible_requests_are_reported(words, code, told, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["test", *words]) == code
    assert told in capsys.readouterr().err


def changed(tmp_path: Path, **texts: str) -> Path:
    """Return one_queue with replaced texts, `old=new` by file."""
    folder = shutil.copytree(GOOD / "one_queue", tmp_path / "one_queue")
    for name, change in texts.items():
        file = folder / f"{'scheduler.json' if name == 'facts' else 'one_queue.hpp'}"
        old, new = change.split(" => ")
        assert old in file.read_text()
        file.write_text(file.read_text().replace(old, new))
    return folder


@pytest.mark.parametrize(("texts", "claim", "told"), [
    ({"facts": '"park"], => "sleep"],'}, "descriptor", "sleep"),
    ({"facts": '"id": "one_queue" => "id": "two_queues"'}, "descriptor", "differs from the name of the folder"),
    ({"code": '#include "weir/job_pool.hpp" => '}, "header", "one_queue.hpp does not compile by itself"),
    ({"facts": '"id": "steps" => "id": "pace"'}, "header", "pace"),
])
def test_what_is_wrong_before_anything_runs(tmp_path, capsys, texts, claim, told):
    assert main(["test", "--scheduler-path", str(changed(tmp_path, **texts)), "--json"]) == 4
    [scheduler] = json.loads(capsys.readouterr().out)["schedulers"]
    [found] = scheduler["findings"]
    assert found["claim"] == claim and told in found["message"] + found["detail"]
    left = {row["claim"]: row["verdict"] for row in scheduler["claims"] if row["claim"] not in ("descriptor", "header")}
    # Without a descriptor its kind is unknown.
    assert left.pop("schedule") == ("not_tried" if claim == "descriptor" else "not_held")
    assert set(left.values()) == {"not_tried"}


@pytest.mark.parametrize(("name", "not_held"), [("one_queue", {"schedule"}), ("looped", {"timers", "fairness"})])
def test_what_is_not_cpp_is_not_tried_and_held_to_what_is_for_its_kind(tmp_path, capsys, name, not_held):
    folder = shutil.copytree(GOOD / name, tmp_path / name)
    (folder / f"{name}.hpp").rename(folder / f"{name}.py")
    assert main(["test", "--scheduler-path", str(folder), "--json"]) == 0
    [scheduler] = json.loads(capsys.readouterr().out)["schedulers"]
    assert {row["claim"] for row in scheduler["claims"] if row["verdict"] == "not_held"} == not_held
    assert main(["test", "--scheduler-path", str(folder)]) == 0
    told = capsys.readouterr().out
    assert f"{name}.hpp is missing, and the kit tests only schedulers in C++" in told
    assert f"none failed; {name} not tried" in told


def test_a_warning_in_the_header_is_a_finding_and_its_program_is_made_all_the_same(tmp_path):
    folder = changed(tmp_path, code="Queue queue; => Queue queue; int unused;")
    scheduler, faults = read_scheduler(folder / "scheduler.json")
    [found], makes_program = Workshop.open(tmp_path / "build").header_findings(scheduler)
    assert not faults and makes_program
    assert found.message.startswith("one_queue.hpp compiles with warnings: unused variable")
    assert "one_queue.hpp:21" in found.places[0]
