"""Test `weir import`: output of a program run without the runner becomes a run directory if everything fits."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import jsonschema
import pytest
from stored_runs import EXAMPLES, TESTS, store
from weir import cli
from weir.engine.generation.emit import generate, write_tree
from weir.engine.measuring.other_programs import runtime_parameters
from weir.engine.measuring.run_directory import load_run
from weir.engine.pipeline import Pipeline
from weir.model.check import check
from weir.model.document import shape
from weir.model.planning.expected import expected_items

MACHINE = sorted((TESTS / "machines").glob("*.json"))[0]
ID = "20260102T030405Z-quickstart-flow-abcdef"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a generated project with the results of a run in its folder `run`, as the program writes them."""
    pipeline = Pipeline.open(EXAMPLES / "quickstart.weir.json", machine=MACHINE)
    checked = pipeline.checked
    write_tree(generate(pipeline.plan().plan, checked.project, checked.catalog), tmp_path / "tree")
    results = json.loads((store(tmp_path / "stored") / "results.json").read_text())
    results |= {"run_id": ID, "requested": None, "offered_items_per_s": None, "binary_hash": None}
    (tmp_path / "tree" / "run").mkdir()
    write(tmp_path / "tree" / "run" / "results.json", results)
    return tmp_path / "tree"


def write(path: Path, value: dict) -> None:
    path.write_text(json.dumps(value))


def change(path: Path, **values: object) -> None:
    write(path, {**json.loads(path.read_text()), **values})


def adopt(*words: str | Path) -> int:
    return cli.main(["import", *map(str, words), "--machine", str(MACHINE)])


def listing(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_it_becomes_a_run_directory_and_its_folder_stays(tree: Path, tmp_path: Path, capsys) -> None:
    before, out = listing(tree), tmp_path / "runs"
    assert adopt(tree / "run", "--out", out, "--folder", EXAMPLES, "--json") == 0
    [answer] = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("adopt")).validate([answer])
    run = load_run(out / ID)
    assert listing(tree) == before and answer["run"] == str(out / ID)
    assert run.run["adopted"]["from"] == str(tree / "run") and run.run["request"]["folder"] == str(EXAMPLES)
    assert (run.run["started"], run.run["exit_code"], run.run["argv"]) == ("2026-01-02T03:04:05.000Z", None, [])
    assert run.results["requested"]["chunk_items"] is not None and run.results["binary_hash"] is None
    made = set(os.listdir(out / ID))
    assert {"project.json", "plan.json", "machine.json", "blocks.csv"} <= made
    assert "latency.hgrm" not in made  # the program computed its percentiles and kept no samples
    assert cli.main(["report", str(out), "-o", str(tmp_path / "r.html")]) == 0
    capsys.readouterr()
    change(tree / "run" / "results.json", run_id=ID[:-1] + "0")
    other = tmp_path / "other"
    assert adopt(tree / "run", "--out", other) == 0
    capsys.readouterr()
    assert cli.main(["compare", str(out), str(other), "--json"]) == 4  # too few runs for a verdict, which it reports
    one = json.loads(capsys.readouterr().out)["comparisons"][0]
    assert one["verdict"] == "not enough data", one


def test_the_project_is_found_above_the_results_here_or_where_it_is_named(tree: Path, tmp_path: Path, capsys,
                                                                          monkeypatch) -> None:
    away = tmp_path / "away" / "run"
    away.parent.mkdir()
    (away.parent / "manifest.json").write_text("{}")  # a web application's, for example
    (tree / "run").rename(away)
    assert adopt(away, "--out", tmp_path / "none") == 4
    assert "--tree" in capsys.readouterr().err and not (tmp_path / "none").exists()
    assert adopt(away, "--tree", tree, "--out", tmp_path / "named") == 0
    monkeypatch.chdir(tree)
    assert adopt(away, "--out", tmp_path / "here") == 0


def test_a_project_that_is_not_that_of_the_run_is_refused(tree: Path, tmp_path: Path, capsys) -> None:
    for name, values in (("plan.json", {"policy": "fifo"}), ("project.json", {"title": "another"})):
        whole = (tree / name).read_bytes()
        change(tree / name, **values)
        assert adopt(tree / "run", "--out", tmp_path / "runs") == 4
        assert "E_RUN_DIRECTORY" in capsys.readouterr().err
        (tree / name).write_bytes(whole)
    assert not (tmp_path / "runs").exists()


def test_an_edited_source_is_seen_by_its_hash(tree: Path, tmp_path: Path) -> None:
    (tree / "src" / "main.cpp").write_text("// mine\n")
    assert adopt(tree / "run", "--out", tmp_path / "runs") == 0
    sources = load_run(tmp_path / "runs" / ID).run["sources"]
    listed = json.loads((tree / "manifest.json").read_text())["files"]
    assert {name for name in listed if listed[name] != sources[name]} == {"src/main.cpp"}


def test_the_program_counts_where_it_was_not_built_again(tree: Path, tmp_path: Path) -> None:
    binary, results = tree / "build" / "quickstart", tree / "run" / "results.json"
    binary.parent.mkdir()
    binary.write_bytes(b"program")
    ended = results.stat().st_mtime
    for when, known in ((ended - 1, True), (ended + 1, False)):
        os.utime(binary, (when, when))
        out = tmp_path / f"runs-{known}"
        assert adopt(tree / "run", "--out", out) == 0
        assert (load_run(out / ID).results["binary_hash"] is not None) is known


@pytest.mark.parametrize("run_id", ["mine", "", "20260102T030405Z-../../../x-abcdef", "99999999T999999Z-a-b-abcdef"])
def test_a_name_of_another_kind_is_not_taken_over(run_id: str, tree: Path, tmp_path: Path) -> None:
    change(tree / "run" / "results.json", run_id=run_id or "-")
    assert adopt(tree / "run", "--out", tmp_path / "runs") == 0
    [made] = (tmp_path / "runs").iterdir()
    assert load_run(made).results["run_id"] == made.name and made.name != run_id


def test_several_are_one_set_and_none_is_adopted_twice(tree: Path, tmp_path: Path, capsys) -> None:
    for number in (1, 2):
        (tree / "many" / str(number)).mkdir(parents=True)
        write(tree / "many" / str(number) / "results.json",
              {**json.loads((tree / "run" / "results.json").read_text()), "run_id": f"{ID[:-1]}{number}"})
    assert adopt(tree / "many", "--out", tmp_path / "runs") == 0
    runs = [load_run(path) for path in sorted((tmp_path / "runs").iterdir())]
    assert len({run.run["set"]["id"] for run in runs}) == 1 and [run.run["round"] for run in runs] == [0, 1]
    assert adopt(tree / "many", "--out", tmp_path / "runs") == 3
    assert "E_OUTPUT_EXISTS" in capsys.readouterr().err
    assert adopt(runs[0].path, "--out", tmp_path / "runs") == 4
    assert "is already a run directory" in capsys.readouterr().err
    assert adopt(tree, "--out", tmp_path / "again") == 0 and adopt(tmp_path, "--out", tmp_path / "x") == 4


def test_another_machine_is_not_taken_for_that_of_the_plan(tree: Path, tmp_path: Path, capsys) -> None:
    assert cli.main(["import", str(tree / "run"), "--out", str(tmp_path / "runs")]) == 0
    assert "another machine" in capsys.readouterr().err and not (tmp_path / "runs" / ID / "machine.json").exists()
    other = sorted((TESTS / "machines").glob("*.json"))[1]
    assert cli.main(["import", str(tree / "run"), "--out", str(tmp_path / "x"), "--machine", str(other)]) == 3
    assert "E_MACHINE" in capsys.readouterr().err


def test_who_reports_or_compares_such_a_folder_is_told(tree: Path, tmp_path: Path, capsys) -> None:
    for words in (["report", tree / "run", "-o", tmp_path / "r.html"], ["compare", tree / "run", tree / "run"],
                  ["reproduce", tree / "run"]):
        assert cli.main(list(map(str, words))) == 4
        said = capsys.readouterr().err
        assert "made without `weir run`" in said and f"weir import {tree / 'run'}" in said


def test_a_real_program_that_is_run_by_hand(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setenv("WEIR_LOCK", str(tmp_path / "lock"))
    tree, out = tmp_path / "tree", tmp_path / "runs"
    unoptimised = ["--set", '/deployments/0/build={"optimisation": "O0"}']  # it is compiled twice
    assert cli.main(["generate", "--build", str(EXAMPLES / "quickstart.weir.json"), *unoptimised, "-o", str(tree)]) == 0
    words = ["--items", "300000", "--warmup-items", "1000", "--trace", "memory", "--param", "gain.constant=3", "--out",
             "run"]
    subprocess.run([tree / "build" / "quickstart", *words], cwd=tree, check=True, capture_output=True)
    assert cli.main(["import", str(tree / "run"), "--out", str(out)]) == 0
    [adopted] = map(load_run, out.iterdir())
    assert adopted.status == "ok" and adopted.results["latency"]["count"] > 0
    # The items expected of adopted programs equal those that Weir's own program reports.
    checked = check(EXAMPLES / "quickstart.weir.json")
    assert expected_items(checked.graph, checked.rates, 300_000) == {
        sink["id"]: sink["expected"] for sink in adopted.results["sinks"]}
    plan = json.loads((adopted.path / "plan.json").read_text())
    assert {**checked.project.parameters, **runtime_parameters(plan, checked.graph), "gain.constant": 3.0} == {
        name: value for name, value in adopted.results["parameters"].items() if not name.startswith("scheduler.")}
    assert "gain.constant=3" in adopted.run["request"]["params"] and (tree / "run" / "events.bin").is_file()
    assert len((adopted.path / "latency.hgrm").read_text().splitlines()) > 5
    capsys.readouterr()
    assert cli.main(["reproduce", str(adopted.path), "--out", str(tmp_path / "again"), "--json"]) == 0
    [answer] = json.loads(capsys.readouterr().out)
    assert answer["same"] == {"plan": True, "sources": True, "binary": True}
    [again] = map(load_run, (tmp_path / "again").iterdir())
    assert again.results["sinks"] == adopted.results["sinks"]
