"""`weir rerun`: damaged directories are refused, and a run that is done again says what differs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from stored_runs import EXAMPLES, store

from weir import cli
from weir.comparing.remake import read_remake
from weir.document import shape


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    return store(tmp_path / "runs")


def change(file: Path, **values: object) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text()), **values}))


def test_a_run_directory_has_all_that_it_takes(stored: Path) -> None:
    remake = read_remake(stored)
    assert (remake.deployment, remake.folder) == ("flow", EXAMPLES)
    assert json.loads(remake.project)["name"] == "quickstart" and remake.request["catalog_paths"] == {}


@pytest.mark.parametrize("name, said", [("project.json", "project.json was changed"),
                                        ("plan.json", "plan.json was changed")])
def test_files_that_were_changed_are_told_by_their_hash(name: str, said: str, stored: Path, capsys) -> None:
    change(stored / name, **({"title": "another"} if name == "project.json" else {"policy": "fifo"}))
    assert cli.main(["rerun", str(stored)]) == 4
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("name", ["project.json", "plan.json", "machine.json", "run.json", "results.json"])
@pytest.mark.parametrize("text", [None, "{", "[]"], ids=["missing", "half", "list"])
def test_a_damaged_directory_is_an_error_and_begins_nothing(name: str, text: str | None, stored: Path, tmp_path: Path,
                                                           capsys) -> None:
    (stored / name).unlink() if text is None else (stored / name).write_text(text)
    assert cli.main(["rerun", str(stored), "--out", str(tmp_path / "again")]) == 4
    captured = capsys.readouterr()
    assert "E_RUN_DIRECTORY" in captured.err and name in captured.err and not (tmp_path / "again").exists()


def test_where_paths_started_must_be_there(stored: Path, capsys) -> None:
    run = json.loads((stored / "run.json").read_text())
    change(stored / "run.json", request={**run["request"], "folder": "/no/such/folder"})
    assert cli.main(["rerun", str(stored)]) == 3
    assert "--folder" in capsys.readouterr().err


def test_ctrl_c_while_it_waits_for_the_machine_still_gives_an_answer(stored: Path, capsys, monkeypatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("weir.verbs.rerun._runnable", lambda *_: None)
    monkeypatch.setattr("weir.measuring.runner.run_all", interrupted)
    assert cli.main(["rerun", str(stored)]) == 4
    assert "interrupted before it was done again" in capsys.readouterr().out
    assert cli.main(["rerun", str(stored), "--json"]) == 4
    assert json.loads(capsys.readouterr().out) == []


@pytest.mark.slow
def test_runs_are_done_again_from_their_directories_alone(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("WEIR_LOCK", str(tmp_path / "lock"))
    project = tmp_path / "there" / "p.weir.json"
    project.parent.mkdir()
    project.write_bytes((EXAMPLES / "quickstart.weir.json").read_bytes())
    for seed in (2, 3):
        assert cli.main(["run", str(project), "--items", "300000", "--trace", "memory",
                         "--set", "/run/warmup_items=1000", "--set", f"/run/seed={seed}", "--json", "--out", str(tmp_path / str(seed))]) == 0
    capsys.readouterr()
    project.unlink()
    [first], [second] = ((tmp_path / seed).iterdir() for seed in ("2", "3"))
    again = tmp_path / "again"
    assert cli.main(["rerun", str(first), str(second), "--repeat", "2", "--json", "--out", str(again)]) == 0
    answers = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("rerun")).validate(answers)
    assert [answer["same"] for answer in answers] == [{"plan": True, "sources": True, "binary": True}] * 2
    assert [answer["status"] for answer in answers] == ["ok", "ok"]
    made = {side: [json.loads((run / "run.json").read_text()) for run in (again / side).iterdir()] for side in "ab"}
    assert len({run["set"]["id"] for runs in made.values() for run in runs}) == 1
    assert [sorted(run["block"] for run in runs) for runs in made.values()] == [[0, 1], [0, 1]]
    assert all(run["request"]["items"] == 300000 for runs in made.values() for run in runs)
    seeds = {side: {json.loads((run / "results.json").read_text())["seed"] for run in (again / side).iterdir()}
             for side in "ab"}
    assert seeds == {"a": {2}, "b": {3}}
    assert cli.main(["compare", str(again / "a"), str(again / "b"), "--json"]) == 4
    [one] = json.loads(capsys.readouterr().out)["comparisons"]
    assert (one["design"], one["blocks"], one["verdict"]) == ("interleaved", 2, "not enough data")


@pytest.mark.slow
def test_the_measured_proof_runs_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    script = EXAMPLES.parent / "bench" / "statistics" / "aa.py"
    numbers = tmp_path / "numbers.json"
    words = [sys.executable, str(script), "--slower", "1", "--repeat", "8", "--seconds", "0.02", "--work",
             str(tmp_path / "work"), "-o", str(numbers)]
    environment = {**os.environ, "WEIR_LOCK": str(tmp_path / "lock")}
    for pairs in ("1", "2"):
        subprocess.run([*words, "--pairs", pairs], env=environment, check=True, capture_output=True, timeout=600)
    found = json.loads(numbers.read_text())
    assert [entry["name"] for entry in found["sets"]] == ["aa-01", "ab-01", "aa-02"]
    assert all(len(entry["a"]) == len(entry["b"]) == 8 and entry["design"] == "interleaved" for entry in found["sets"])
    starts = [entry["a"][0]["started"] for entry in found["sets"]]
    assert starts == sorted(set(starts))
    assert {entry["design"] for entry in found["neighbours"]} == {"one after the other"}
    assert sum(found["summary"]["interleaved, equal"]["verdicts"].values()) == 2
