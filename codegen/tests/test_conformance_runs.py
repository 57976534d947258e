"""Test `weir test --scheduler-path`: it finds each planted fault under the right claim, and the tree's schedulers pass.

Built once for each sanitizer, plus one file for each scheduler.
"""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
from pathlib import Path

import jsonschema
import pytest
from conftest import CODEGEN
from weir import ROOT
from weir.cli import main
from weir.cli.verbs._suites import without_address_randomisation
from weir.engine.conformance import running
from weir.engine.conformance.claims import ADDRESS, PARTS, TASKS, THREAD
from weir.engine.conformance.findings import Judgement
from weir.engine.conformance.judging import judge, parts_for
from weir.engine.conformance.workshop import Workshop
from weir.model.document import shape

GOOD = CODEGEN / "tests" / "schedulers" / "one_queue"
FAULTY = CODEGEN / "tests" / "faulty_schedulers"
SLOW = pytest.mark.slow
#: Fault -> the claim that it violates, and the program run that must find it.
FAULTS = {
    "ignores_stop": ("stop", "stops", ADDRESS),
    "loses_a_wake_up": ("liveness", "shapes", ADDRESS),
    "two_at_once": ("races", "shapes", THREAD),
    "starves_the_last": ("fairness", "fairness", ADDRESS),
    "forgets_the_last": ("ending", "shapes", ADDRESS),
    "forgets_the_time": ("timers", "timers", ADDRESS),
    "sleeps_through": ("timers", "timers", ADDRESS),
    "drops_an_error": ("errors", "errors", ADDRESS),
    "lightest_first": ("fairness", "fairness", ADDRESS),
    "burns_while_waiting": ("timers", "timers", ADDRESS),
    "leaves_a_thread": ("ending", "shapes", ADDRESS),
}
#: Bad, but left to people's judgement: warnings.
WARNED = ("burns_while_waiting",)
#: Found in the first run.
EACH_TIME = ("forgets_the_last",)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the standstill limit to two seconds. Delays caused by a busy machine do not count."""
    monkeypatch.setattr(running, "LIMIT_S", {ADDRESS: 2, THREAD: 4})


def tried(folder: Path, mode: str, kind: str, seed: int | None = None, **more) -> Judgement:
    parts = [dataclasses.replace(part, **more) for part in PARTS if (part.mode, part.kind) == (mode, kind)]
    return judge(folder / "scheduler.json", parts, Workshop.open(), seed=seed,
                 thread_prefix=without_address_randomisation())


def test_every_faulty_scheduler_is_tried():
    folders = {file.parent.name for file in FAULTY.glob("*/scheduler.json")
               if "planner" not in json.loads(file.read_text())}
    assert folders == set(FAULTS)


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in EACH_TIME else SLOW) for n in FAULTS])
def test_a_planted_fault_is_found_under_its_claim(name: str):
    claim, mode, kind = FAULTS[name]
    judgement = tried(FAULTY / name, mode, kind)
    assert judgement.findings and judgement.ok == (name in WARNED)
    found = judgement.findings[0]
    assert found.claim == claim, f"{found.claim}: {found.message}\n{found.detail}"
    assert found.case and found.part == judgement.tried[0].part.name
    if claim in ("stop", "liveness", "timers", "errors") and name not in WARNED:  # states of each worker and block
        assert "worker0" in found.detail and "op0" in found.detail
    if claim == "races":
        source = FAULTY / name / f"{name}.hpp"
        assert len(found.places) == 2 and found.places[0].startswith(f"{source}:")


def test_a_good_one_passes(capsys: pytest.CaptureFixture[str]):
    assert main(["test", "--scheduler-path", str(GOOD), "--only", "shapes", "--only", "errors", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("conformance")).validate(document)
    [scheduler] = document["schedulers"]
    verdicts = {row["claim"]: row["verdict"] for row in scheduler["claims"]}
    assert verdicts["answers"] == verdicts["errors"] == verdicts["ending"] == "ok" and verdicts["races"] == "not_tried"
    assert {part["mode"]: part["runs"] for part in scheduler["parts"]} == {"shapes": 300, "errors": 162}


@SLOW
@pytest.mark.parametrize("seed", [None, 5])
def test_random_graphs_end_where_none_fits(seed: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(running, "_GRACE_S", 60.0)
    folder = shutil.copytree(ROOT / "runtime" / "schedulers" / "thread_per_block", tmp_path / "thread_per_block")
    facts = json.loads((folder / "scheduler.json").read_text())
    (folder / "scheduler.json").write_text(json.dumps({**facts, "max_workers": 1}))
    judgement = tried(folder, "graphs", ADDRESS, seconds=1, seed=seed)
    assert not judgement.findings and tuple(judgement.idle) == ("graphs",)
    assert {row.verdict for row in judgement.rows if "graphs" in row.claim.parts} == {"not_tried"}


@SLOW
@pytest.mark.parametrize("name", ["flow", "single_thread", "thread_per_block", "thread_pool", "work_stealing"])
def test_the_schedulers_of_the_tree_pass(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(running, "LIMIT_S", {ADDRESS: 10, THREAD: 20})
    seconds = 10 if "WEIR_STRESS" not in os.environ else 60
    parts = [dataclasses.replace(part, seconds=min(part.seconds, seconds)) for part in parts_for([], False, None)
             if part.of == TASKS]
    judgement = judge(ROOT / "runtime" / "schedulers" / name / "scheduler.json", parts, Workshop.open(),
                      thread_prefix=without_address_randomisation())
    assert judgement.ok, [(f.claim, f.message, f.case, f.seed, f.detail) for f in judgement.findings]
    assert {row.claim.id for row in judgement.rows if row.verdict not in ("ok", "warning")} == {"schedule"}
    assert {t.part for t in judgement.tried} == set(parts)


@SLOW
@pytest.mark.parametrize("name", ["static", "fused", "replicated", "circuit"])
def test_the_schedules_of_the_tree_pass(name: str):
    parts = [part for part in parts_for([], False, None) if part.of != TASKS]
    judgement = judge(ROOT / "runtime" / "schedulers" / name / "scheduler.json", parts, Workshop.open(),
                      thread_prefix=without_address_randomisation())
    assert judgement.ok, [(f.claim, f.message, f.case, f.seed, f.detail) for f in judgement.findings]
    assert {t.part for t in judgement.tried} == set(parts)


@pytest.mark.parametrize("name", ["static", "fused", "replicated", "circuit"])
def test_random_graphs_have_schedules_that_compute_what_they_say(name: str):
    rounds = 60 if "WEIR_STRESS" in os.environ else 10
    parts = [dataclasses.replace(part, rounds=rounds) for part in PARTS if part.mode == "plans"]
    judgement = judge(ROOT / "runtime" / "schedulers" / name / "scheduler.json", parts, Workshop.open())
    assert judgement.ok, [(f.message, f.seed, f.detail) for f in judgement.findings]
    [tried_] = judgement.tried
    assert tried_.runs == rounds and "simulated byte by byte" in tried_.notes[0]
