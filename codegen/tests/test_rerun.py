"""Test `weir reproduce` of runs: damaged directories are refused, and a repeated run reports differences."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from stored_runs import EXAMPLES, TESTS, store
from weir import cli
from weir.engine.measuring.listener import Listener
from weir.engine.measuring.run_directory import load_run
from weir.engine.measuring.runnable import Finished
from weir.engine.rerunning.remake import read_remake
from weir.model.document import shape


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
def test_files_that_were_changed_are_reported_by_their_hash(name: str, said: str, stored: Path, capsys) -> None:
    change(stored / name, **({"title": "another"} if name == "project.json" else {"policy": "fifo"}))
    assert cli.main(["reproduce", str(stored)]) == 4
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("name", ["project.json", "plan.json", "machine.json", "run.json", "results.json"])
@pytest.mark.parametrize("text", [None, "{", "[]"], ids=["missing", "half", "list"])
def test_a_damaged_directory_is_an_error_and_begins_nothing(name: str, text: str | None, stored: Path, tmp_path: Path,
                                                            capsys) -> None:
    (stored / name).unlink() if text is None else (stored / name).write_text(text)
    assert cli.main(["reproduce", str(stored), "--out", str(tmp_path / "again")]) == 4
    captured = capsys.readouterr()
    assert "E_RUN_DIRECTORY" in captured.err and name in captured.err and not (tmp_path / "again").exists()


def test_where_paths_started_must_be_there(stored: Path, capsys) -> None:
    run = json.loads((stored / "run.json").read_text())
    change(stored / "run.json", request={**run["request"], "folder": "/no/such/folder"})
    assert cli.main(["reproduce", str(stored)]) == 3
    assert "--folder" in capsys.readouterr().err


def wanting(run: Path, **request: object) -> Path:
    """Return the run with this request in its run.json."""
    change(run / "run.json", request={**json.loads((run / "run.json").read_text())["request"], **request})
    return run


@pytest.fixture
def begun(monkeypatch) -> list[str]:
    """Return the deployments that would be built; none is."""
    names: list[str] = []
    monkeypatch.setattr("weir.cli.verbs._reproduce_runs._runnable", lambda remake, *_: names.append(remake.deployment))
    monkeypatch.setattr("weir.engine.measuring.runner.run_all", lambda *_: [])
    return names


ASKED = [("--block-path", str(TESTS / "fixtures")), ("--scheduler-path", str(TESTS / "fixtures" / "schedulers")),
         ("--target-path", str(TESTS / "targets")),
         ("--allow-path", "/")]


@pytest.mark.parametrize(("option", "folder"), ASKED, ids=lambda it: it)
def test_what_run_json_asks_for_must_be_granted_again(option: str, folder: str, stored: Path, begun: list[str],
                                                      capsys) -> None:
    wanting(stored, catalog_paths={option: [folder]})
    assert cli.main(["reproduce", str(stored)]) == 2 and begun == []
    said = capsys.readouterr().err
    assert "E_UNTRUSTED" in said and f"{option} {folder}" in said
    assert f"weir reproduce {stored} --trust" in said and f"weir reproduce {stored} {option} {folder}" in said
    for other, elsewhere in ASKED:
        if other != option:
            assert cli.main(["reproduce", str(stored), other, elsewhere]) == 2 and begun == []
    for granted in ([option, folder], ["--trust"]):
        cli.main(["reproduce", str(stored), *granted])
        assert begun == ["flow"]
        begun.clear()


def test_who_sits_at_the_terminal_is_asked(stored: Path, begun: list[str], monkeypatch) -> None:
    wanting(stored, catalog_paths={"--allow-path": ["/"]})
    questions: list[str] = []
    for answer in (False, True):
        monkeypatch.setattr("weir.cli.verbs._reproduce_runs.confirmed",
                            lambda question, answer=answer: questions.append(question) or answer)
        assert (cli.main(["reproduce", str(stored)]) == 2) is (not answer) and bool(begun) is answer
    assert len(questions) == 2 and "--allow-path /" in questions[0]


def test_a_file_that_a_block_is_given_must_be_granted(tmp_path: Path, begun: list[str], capsys) -> None:
    run = store(tmp_path / "runs", project=EXAMPLES / "from_file" / "from_file.weir.json")
    folder = str(EXAMPLES / "from_file")
    wanting(run, folder="/")
    assert cli.main(["reproduce", str(run)]) == 2  # its relative paths start at the folder that run.json names
    assert "--folder /" in capsys.readouterr().err
    cli.main(["reproduce", str(run), "--folder", folder])
    assert len(begun) == 1
    source = json.loads((run / "plan.json").read_text())["blocks"][0]["block"]
    wanting(run, params=[f"{source}.path=/etc/passwd"])
    assert cli.main(["reproduce", str(run), "--folder", folder]) == 2 and len(begun) == 1
    assert "/etc/passwd" in capsys.readouterr().err
    wanting(run, params=[f"{source}.repeat=true"])
    cli.main(["reproduce", str(run), "--folder", folder])
    assert len(begun) == 2


def test_code_that_was_kept_and_changed_is_refused(stored: Path, begun: list[str], capsys) -> None:
    name, data = "schedulers/mine/mine.hpp", b"// mine"
    file = stored / "sources" / name
    file.parent.mkdir(parents=True)
    change(stored / "run.json", kept={name: hashlib.sha256(data).hexdigest()})
    for text, said in ((None, "is gone"), (b"// yours", "was changed after the run")):
        if text:
            file.write_bytes(text)
        assert cli.main(["reproduce", str(stored), "--trust"]) == 4 and said in capsys.readouterr().err
    file.write_bytes(data)
    (file.parent / "more.hpp").write_bytes(b"")
    assert cli.main(["reproduce", str(stored), "--trust"]) == 4 and "was added after the run" in capsys.readouterr().err
    assert begun == []


def test_runs_that_are_done_again_are_compared_with_each_other(tmp_path: Path, capsys, monkeypatch) -> None:
    out, wrong = tmp_path / "out", [{"id": "sink", "items": 1000, "expected": 1000, "digest": "f" * 16}]
    runs = [store(out / "a", deployment="flow"), store(out / "b", deployment="single_thread", changes={"sinks": wrong})]
    project = json.loads((EXAMPLES / "quickstart.weir.json").read_text())

    def run_all(runnables: list, options: object, listener: Listener) -> None:
        for path in runs:
            listener.finished(Finished(path, load_run(path).results, project))

    monkeypatch.setattr("weir.cli.verbs._reproduce_runs._runnable", lambda *_: None)
    monkeypatch.setattr("weir.engine.measuring.runner.run_all", run_all)
    assert cli.main(["reproduce", *map(str, runs), "--trust", "--out", str(out)]) == 4
    assert "did equal work, but the digests of sink differ" in capsys.readouterr().err


def test_ctrl_c_while_it_waits_for_the_machine_still_gives_an_answer(stored: Path, capsys, monkeypatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("weir.cli.verbs._reproduce_runs._runnable", lambda *_: None)
    monkeypatch.setattr("weir.engine.measuring.runner.run_all", interrupted)
    assert cli.main(["reproduce", str(stored)]) == 4
    assert "interrupted before the run was repeated" in capsys.readouterr().out
    assert cli.main(["reproduce", str(stored), "--json"]) == 4
    assert json.loads(capsys.readouterr().out) == []


@pytest.mark.slow
def test_runs_are_done_again_from_their_directories_alone(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("WEIR_LOCK", str(tmp_path / "lock"))
    project = tmp_path / "there" / "p.weir.json"
    project.parent.mkdir()
    project.write_bytes((EXAMPLES / "quickstart.weir.json").read_bytes())
    for seed in (2, 3):
        assert cli.main(["run", str(project), "--items", "300000", "--trace", "memory",
                         "--set", "/run/warmup_items=1000", "--set", f"/run/seed={seed}", "--json", "--out",
                         str(tmp_path / str(seed))]) == 0
    capsys.readouterr()
    project.unlink()
    [first], [second] = ((tmp_path / seed).iterdir() for seed in ("2", "3"))
    again = tmp_path / "again"
    assert cli.main(["reproduce", str(first), str(second), "--repeat", "2", "--json", "--out", str(again)]) == 0
    answers = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("rerun")).validate(answers)
    assert [answer["same"] for answer in answers] == [{"plan": True, "sources": True, "binary": True}] * 2
    assert [answer["status"] for answer in answers] == ["ok", "ok"]
    made = {side: [json.loads((run / "run.json").read_text()) for run in (again / side).iterdir()] for side in "ab"}
    assert len({run["set"]["id"] for runs in made.values() for run in runs}) == 1
    assert [sorted(run["round"] for run in runs) for runs in made.values()] == [[0, 1], [0, 1]]
    assert all(run["request"]["items"] == 300000 for runs in made.values() for run in runs)
    seeds = {side: {json.loads((run / "results.json").read_text())["seed"] for run in (again / side).iterdir()}
             for side in "ab"}
    assert seeds == {"a": {2}, "b": {3}}
    assert cli.main(["compare", str(again / "a"), str(again / "b"), "--json"]) == 4
    [one] = json.loads(capsys.readouterr().out)["comparisons"]
    assert (one["design"], one["blocks"], one["verdict"]) == ("interleaved", 2, "not enough data")


@pytest.mark.slow
def test_the_measured_proof_runs_and_continues_where_it_stopped(tmp_path: Path) -> None:
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
