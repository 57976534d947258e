"""Test that files with former names of keys and words are read for ever, and keep their hashes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from conftest import BAD, FIXTURES
from stored_runs import store
from weir import cli
from weir.engine.measuring.run_directory import load_run
from weir.engine.pipeline import Pipeline
from weir.engine.rerunning.remake import read_remake
from weir.lab.sweeping.definition import sweep_definition
from weir.lab.sweeping.state import _respelled
from weir.model.check import check
from weir.model.document import jsontext
from weir.model.document.deployment import InterferenceSettings
from weir.model.document.essence import identity
from weir.model.document.spelling import current_document, in_former_spelling
from weir.model.planning.plan import project_digest
from weir.read.comparing.differences import differences

#: Project with every former name, and what version 0.1.0 of 2026-11-30 computed for it.
FORMER = FIXTURES / "former_spelling.weir.json"
PROJECT_HASH = "bf57d5ddb54ffb38396eec218b5e047329966fc3a750d07d6de2e291a4f5e99a"
IDENTITY = ("graph:1d4cf22552f3d99f parameters:485a8360848b9185 deployment/loaded:0911d9ac046a611a "
            "deployment/alone:f66ab45cadda0645 run:fcf316325ca8db01 rest:cba2e027925c2a8c")
OLD, NEW = "/deployments/0/disturb", "/deployments/0/interference"


def former() -> dict:
    return json.loads(FORMER.read_text(encoding="utf-8"))


def test_a_project_in_the_former_spelling_is_read_as_one_in_the_present_spelling() -> None:
    checked = check(FORMER)
    assert not checked.diagnostics and checked.project is not None
    loaded = checked.project.deployment("loaded")
    assert loaded.interference == InterferenceSettings(4, 0.5) and loaded.require == ("interference",)
    text = jsontext.write(checked.project.document)
    assert "disturb" not in text and text.count(NEW) == 3
    assert check(text.encode()).project.document == checked.project.document  # type: ignore[union-attr]


def test_both_spellings_have_the_hashes_of_the_former_one() -> None:
    present = current_document(former(), "project").value
    assert present != former() and in_former_spelling(present, "project") == former()
    for document in (former(), present):
        assert project_digest(document) == PROJECT_HASH and identity(document) == IDENTITY
        plan = Pipeline.open(jsontext.write(document).encode()).plan("loaded").plan
        assert plan.project_hash == PROJECT_HASH
        assert {"interference"} == {*plan.as_json()["require"]} and plan.as_json()["interference"]["loops"] == 4


@pytest.mark.parametrize("place", [OLD, NEW])
def test_both_spellings_of_a_place_are_set_and_varied(place: str) -> None:
    sets = {f"{place}/loops": "2", "/deployments/0/require": '["disturbance"]'}
    for document in (former(), current_document(former(), "project").value):
        pipeline = Pipeline.open(jsontext.write(document).encode(), sets=sets)
        project = pipeline.checked.loaded()
        entry = project.document["deployments"][0]
        assert entry["interference"]["loops"] == 2 and entry["require"] == ["interference"] and "disturb" not in entry
        asked = sweep_definition(project.document, None, [f"{place}/loops=1,2"], None)
        assert [axis.key for axis in asked.axes] == [f"{NEW}/loops"]
        whole = sweep_definition(project.document, "load", [f"{place}/loops=1,2"], None, quick=True)
        assert {axis.key: axis.values for axis in whole.axes}[f"{NEW}/loops"] == (1, 2)


@pytest.mark.parametrize("change, sets, pointer", [
    ({"disturb": {"loops": 4, "cpu_limit": 0.00001, "cpus": [0]}}, {}, f"{OLD}/cpu_limit"),
    ({"disturb": {"loops": -1}}, {}, f"{OLD}/loops"),
    ({"disturb": {"loops": 1}, "interference": {"loops": 2}}, {}, OLD),
    ({}, {"/deployments/0": '{"name": "a", "scheduler": "flow", "disturb": {"loops": 1}, "interference": {}}'}, OLD)])
def test_a_fault_is_reported_at_its_place_in_the_file(change: dict, sets: dict, pointer: str) -> None:
    document = former()
    document["deployments"][0] |= change
    assert [fault.pointer for fault in check(json.dumps(document), sets=sets).diagnostics] == [pointer]


def test_an_axis_in_both_spellings_is_refused() -> None:
    document = former()
    document["sweeps"][0]["vary"][f"{NEW}/loops"] = [1]
    [fault] = check(json.dumps(document)).diagnostics
    assert (fault.code, fault.pointer) == ("E_KEY_RENAMED", "/sweeps/0/vary/~1deployments~10~1disturb~1loops")


def test_format_writes_the_present_spelling_and_chooses_neither_of_two_keys(tmp_path: Path, capsys) -> None:
    shutil.copy(FORMER, tmp_path / "p.weir.json")
    assert cli.main(["format", "--check", str(tmp_path / "p.weir.json")]) == 1
    assert cli.main(["format", str(tmp_path / "p.weir.json")]) == 0
    formatted = (tmp_path / "p.weir.json").read_text(encoding="utf-8")
    assert formatted == jsontext.write(current_document(former(), "project").value)
    assert cli.main(["format", "--check", str(BAD / "E_KEY_RENAMED.weir.json")]) == 0
    capsys.readouterr()
    (tmp_path / "any.json").write_text(jsontext.write({"disturb": 1}))  # no project
    assert cli.main(["format", "--check", str(tmp_path / "any.json")]) == 0


def former_run(run: Path, to: Path) -> Path:
    """Return a copy of a run directory as it was written before the renaming."""
    shutil.copytree(run, to / run.name)
    for name in ("project", "plan"):
        path = to / run.name / f"{name}.json"
        path.write_text(jsontext.write(in_former_spelling(json.loads(path.read_text()), name)))
    results = to / run.name / "results.json"
    results.write_text(results.read_text().replace(NEW, OLD).replace('"interference"]', '"disturbance"]'))
    return to / run.name


def test_a_run_in_the_former_spelling_is_opened_compared_and_repeated(tmp_path: Path, capsys) -> None:
    sets = {f"{NEW}/loops": "2", "/deployments/0/require": '["interference"]'}
    present = store(tmp_path / "present", project=FORMER, sets=sets)
    earlier = former_run(present, tmp_path / "former")
    assert "disturbance" in (earlier / "plan.json").read_text() and OLD in (earlier / "results.json").read_text()
    now, then = load_run(present), load_run(earlier)
    assert now.results == then.results and f"{NEW}/loops" in now.results["coordinates"]["settings"]
    assert not list(differences(then, now))
    assert cli.main(["compare", str(earlier.parent), str(present.parent)]) == 4  # one run has no verdict
    assert "differ" not in capsys.readouterr().out
    remake = read_remake(earlier)
    again = Pipeline.open(remake.project, machine=remake.machine).plan(remake.deployment).plan
    assert (again.project_hash, again.hash) == (then.results["project_hash"], then.results["plan_hash"])
    assert again.as_json()["interference"]["loops"] == 2


def test_a_sweep_that_began_in_the_former_spelling_goes_on(tmp_path: Path) -> None:
    axis = f"{OLD}/loops"
    point = {"number": 0, "values": {axis: 4}}
    found = _respelled({"document": former(), "axes": [{"key": axis, "values": [4]}], "columns": [axis],
                        "points": [point], "left_out": [point]})
    assert "disturb" not in json.dumps(found)
