"""Test `weir test --scheduler-path` when little or nothing runs: an untested property is never called right."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from test_conformance import GOOD, PART, RACES, SHAPES, judgement, verdicts
from weir.cli import main
from weir.engine.conformance.claims import ADDRESS, PARTS, THREAD
from weir.engine.conformance.findings import Judgement, PartResult
from weir.engine.conformance.page import page


def test_nothing_is_right_if_nothing_ran():
    it = judgement(*(PartResult(part, 0, 0) for part in PARTS))
    assert {claim for claim, verdict in verdicts(it).items() if verdict != "not_tried"} == {"descriptor", "header"}
    text = page([it])
    assert text.startswith("mine: not tried ") and "nothing found" not in text
    assert text.splitlines()[-1] == "1 scheduler: none failed; mine not tried; 0 s"


def test_a_part_of_which_nothing_ran_is_reported_and_fails_who_asked_for_it():
    tried = (PartResult(SHAPES, 9, 2), PartResult(PART["fairness", ADDRESS], 0, 2),
             PartResult(PART["shapes", THREAD], 4, 2), PartResult(RACES, 0, 0))
    it = judgement(*tried)
    assert it.ok and tuple(it.idle) == ("fairness",) and verdicts(it)["races"] == verdicts(it)["answers"] == "ok"
    text = page([it])
    assert "loads on four pipes: 2 in 0 runs" in text and "\nnot tried: fairness: nothing ran" in text
    assert text.splitlines()[-1] == "1 scheduler: none failed; mine (fairness) not tried; 0 s"
    assert judgement(*tried, requested=("races",)).ok and not judgement(*tried, requested=("races", "fairness")).ok


@pytest.mark.parametrize(("words", "code"), [
    ((), 0), (("--only", "fairness"), 4), (("--only", "shapes"), 0), (("--seed", "3"), 4)])
def test_what_is_requested_by_name_must_run(words, code, monkeypatch, capsys):
    def one(file, parts, *_) -> Judgement:
        return judgement(*(PartResult(part, 0 if part.mode == "fairness" or part.drawn else 1, 1) for part in parts))
    monkeypatch.setattr("weir.engine.conformance.judging.judge", one)
    assert main(["test", "--scheduler-path", str(GOOD), "--json", *words]) == code
    assert {json.loads(capsys.readouterr().out)["ok"]} == {code == 0}


@pytest.fixture
def looped(tmp_path: Path) -> Path:
    return shutil.copytree(GOOD / "looped", tmp_path / "looped")


@pytest.mark.parametrize(("old", "new", "told"), [
    ("struct Looped {", "struct Other {", "Looped"),
    pytest.param("std::int64_t passes = 4;", "", "passes", marks=pytest.mark.slow),
    pytest.param("Run& run, const WorkerSchedules& schedules) const {",
                 "Run& run, int, WorkerSchedules schedules) const {", "looped has run(", marks=pytest.mark.slow),
    pytest.param("    Params params;", "    explicit Looped(int);\n    Params params;", "Looped",
                 marks=pytest.mark.slow),
])
def test_the_class_of_a_planner_is_what_programs_need(looped, capsys, old, new, told):
    header = looped / "looped.hpp"
    assert old in header.read_text()
    header.write_text(header.read_text().replace(old, new))
    assert main(["test", "--scheduler-path", str(looped), "--json"]) == 4
    [found] = json.loads(capsys.readouterr().out)["schedulers"][0]["findings"]
    assert found["claim"] == "header" and "the class does not match its descriptor" in found["message"]
    assert told in found["message"] + found["detail"]
