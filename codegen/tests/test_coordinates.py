"""Test coordinates of a run in an experiment: recorded, derived for older runs, and used to group runs."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from stored_runs import EXAMPLES, TESTS, planned, store
from weir import cli
from weir.engine.measuring.choosing import choose
from weir.engine.measuring.coordinates import document, params_of, settings_of
from weir.engine.measuring.listener import Listener
from weir.engine.measuring.points import by_point, in_order, labels, noun
from weir.engine.measuring.run_directory import load_run, runs_below
from weir.engine.measuring.runnable import Runnable, RunOptions
from weir.engine.measuring.runner import run_all
from weir.engine.pipeline import Pipeline
from weir.engine.targets.interface import Program, Tools
from weir.model.document import jsontext
from weir.read.reporting.report import make_report
from weir.read.reporting.sections import sections
from weir.read.reporting.summary import Summary

#: Run directories of commit b151afe, before coordinates existed.
BEFORE = TESTS / "fixtures" / "runs_before_coordinates"
QUICKSTART = EXAMPLES / "quickstart.weir.json"


def points_of(folder: Path) -> dict[str, list[str]]:
    """Return label -> names of its run directories."""
    found = by_point(map(load_run, runs_below(folder)), lambda run: run.results, lambda run: run.path)
    return {label: [run.path.name for run in found[point]] for point, label in labels(found).items()}


def test_what_was_set_is_reported_by_value_and_parameters_and_decoration_are_no_settings() -> None:
    document = {"run": {"warmup_items": {"expr": "2 * stages"}, "items": 5}, "ui": {"x": 1},
                "deployments": [{"workers": 3, "wait": "park"}]}
    places = ("stages", "/run/warmup_items", "/run/items", "/ui/x", "/deployments/0/workers", "/deployments/0/wait",
              "/gone", "/runs")
    assert settings_of(places, document, {"stages": 4}) == {
        "/run/warmup_items": 8, "/deployments/0/workers": 3, "/deployments/0/wait": "park"}


def test_the_pipeline_hands_on_what_the_command_line_set(tmp_path: Path) -> None:
    pipeline = Pipeline.open(QUICKSTART, sets={"stages": "2 + 3", "/run/warmup_items": "1k"})
    planned = pipeline.plan("single_thread")
    built = SimpleNamespace(program=Program.of(tmp_path), sources={}, tools=Tools(""))
    made = pipeline.runnable(planned, built, "weir run")
    assert (dict(made.parameters), made.settings) == ({"stages": 5}, {"/run/warmup_items": 1000})


def runnable(folder: Path, results: dict, crashes: bool | str = False, settings: dict | None = None) -> Runnable:
    """Return a program that writes these results, or crashes: always, or if `crashes`, in Python, is true."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results").write_text(json.dumps({**results, "coordinates": None, "runtime": None}))
    program = folder / "program"
    program.write_text(f"#!{sys.executable}\nimport os, shutil, sys\nif {crashes}:\n    os.kill(os.getpid(), 11)\n"
                       f"shutil.copy({str(folder / 'results')!r}, 'results.json')\n")
    program.chmod(0o755)
    checked, plan, machine = planned(QUICKSTART)
    return Runnable(checked.project.document, EXAMPLES, plan, machine.as_json(), Program.of(program), {"stages": 4},
                    "weir run q", settings=settings or {})


def test_a_run_knows_its_coordinates_and_what_it_is_built_on(tmp_path: Path) -> None:
    results = json.loads((store(tmp_path / "before") / "results.json").read_text())
    it = runnable(tmp_path, {**results, "parameters": {"gain.constant": 3}}, settings={"/run/warmup_items": 7})
    options = RunOptions(tmp_path / "runs", 2, params=("gain.constant=3",), trace="off")
    made = run_all([it], options, Listener(lambda text: None))
    plan = it.plan
    [experiment] = {load_run(one.path).run["set"]["id"] for one in made}
    assert [one.results["coordinates"] for one in made] == [
        {"experiment": experiment, "round": block, "repetition": block, "project": "quickstart", "target": "cpp_app",
         "deployment": "flow", "items": 100_000_000, "seed": 1, "trace": "off", "parameters": {"stages": 4},
         "settings": {"/run/warmup_items": 7, "gain.constant": 3}} for block in (0, 1)]
    assert made[0].results["runtime"] == {"target": "cpp_app", "version": plan["weir_version"],
                                          "kernel_object_hash": "inlined", "blocks": "shared"}


def test_a_crashed_run_is_of_the_point_that_was_asked_and_fails_the_gate(tmp_path: Path, capsys) -> None:
    results = json.loads((store(tmp_path / "before") / "results.json").read_text())
    results.update(items=5_000_000, parameters={"gain.constant": 3})
    results["trace"]["backend"] = "off"
    options = RunOptions(tmp_path / "a", 2, items=5_000_000, params=("gain.constant = 3",), trace="off")
    for side, crashes in (("a", "sys.argv[sys.argv.index('--repetition') + 1] == '1'"), ("b", True)):
        run_all([runnable(tmp_path / f"f{side}", results, crashes)], replace(options, out=tmp_path / side),
                Listener(lambda text: None))
        [(point, runs)] = by_point(map(load_run, runs_below(tmp_path / side)), lambda run: run.results).items()
        assert len(runs) == 2 and {run.results["items"] for run in runs} == {5_000_000}
        assert point.values["settings", "gain.constant"] == 3
    assert cli.main(["compare", str(tmp_path / "a"), str(tmp_path / "b")]) == 4
    assert "no run of B is ok" in capsys.readouterr().out


def test_what_a_param_set_is_read_as_programs_read_it() -> None:
    plan = {"blocks": [{"block": "b", "parameters": {"name": "x", "taps": [1.0], "on": False, "n": 1}}]}
    given = {"b.name": "3", "b.taps": "1, 2.5", "b.on": "true", "b.n": " 2.4M ", "b.else": "1e3", "b.z": "(1,x)"}
    assert params_of([f"{name}={text}" for name, text in given.items()], plan) == {
        "b.name": "3", "b.taps": [1, 2.5], "b.on": True, "b.n": 2_400_000, "b.else": 1000, "b.z": "(1,x)"}
    for damaged in ({"blocks": 1}, {"blocks": [1]}, {"blocks": [{"block": "b", "parameters": []}]}):
        assert params_of(["b.n=3"], damaged) == {"b.n": 3}


def test_an_old_run_that_failed_has_the_coordinates_of_its_request(tmp_path: Path) -> None:
    old = tmp_path / "old"
    shutil.copytree(next(runs_below(BEFORE)), old)
    as_it_was = load_run(old).results["coordinates"]
    results = json.loads((old / "results.json").read_text())
    crashed = {"status": "failed", "items": 100_000_000, "parameters": {"stages": 2}}
    (old / "results.json").write_text(json.dumps(results | crashed))
    assert load_run(old).results["coordinates"] == as_it_was


def test_damaged_files_beside_an_old_run_are_no_fault_of_a_verb(tmp_path: Path, capsys) -> None:
    shutil.copytree(BEFORE, tmp_path / "runs")
    one, other = runs_below(tmp_path / "runs")
    (one / "plan.json").write_text("[" * 200_000)
    (other / "project.json").write_text("{" * 200_000)
    for tampered, at in ((store(tmp_path / "runs"), "coordinates"), (store(tmp_path / "runs", seed=1), None)):
        results = json.loads((tampered / "results.json").read_text())
        (results[at] if at else results)["parameters"] = {"stages": [1]}
        if not at:
            del results["coordinates"]
        (tampered / "results.json").write_text(json.dumps(results))
    assert cli.main(["runs", "list", "--out", str(tmp_path / "runs")]) == 0
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 3 and "results.json is damaged" in said.err
    assert load_run(tampered).results["coordinates"]["parameters"] == {}


def test_runs_without_coordinates_get_them_of_their_directories() -> None:
    one, other = map(load_run, runs_below(BEFORE))
    assert "coordinates" not in json.loads((one.path / "results.json").read_text())
    assert one.results["coordinates"] == {
        "experiment": "0c77068b15c610d0", "round": 0, "repetition": 0, "project": "quickstart", "target": "cpp_app",
        "deployment": "single_thread", "items": 2_000_000, "seed": 1, "trace": "memory", "parameters": {"stages": 2},
        "settings": {"/run/warmup_items": 100_000, "gain.constant": 3}}
    assert other.results["coordinates"]["parameters"] == {"stages": 3} and other.results["runtime"] is None
    assert list(points_of(BEFORE)) == ["stages=2", "stages=3"]


def test_runs_without_coordinates_are_read_by_every_verb(tmp_path: Path, capsys: pytest.CaptureFixture,
                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli.main(["runs", "list", "--out", str(BEFORE)]) == 0
    assert [line.rpartition("  ")[2] for line in capsys.readouterr().out.splitlines()] == ["stages=2", "stages=3"]
    words = ["compare", str(BEFORE), str(BEFORE), "--a-point", "stages=2", "--b-point", "stages=3"]
    assert cli.main(words) == 4
    said = capsys.readouterr().out
    assert "stages=2 → stages=3: not enough data" in said and "throughput_items_per_s  461 Mitems/s" in said
    page = make_report(list(map(load_run, runs_below(BEFORE))))
    assert "<h2>Point stages=2</h2>" in page and "<h2>Point stages=3</h2>" in page and page.count("<h1>") == 1

    asked = []
    monkeypatch.setattr("weir.cli.verbs._reproduce_runs.prepare", lambda pipeline, planned, command, listener: Runnable(
        pipeline.checked.project.document, EXAMPLES, planned.plan.as_json(), {}, Program.of(tmp_path), {}, command))
    monkeypatch.setattr("weir.engine.measuring.runner.run_all", lambda runnables, *_: asked.extend(runnables))
    old = next(runs_below(BEFORE))
    cli.main(["reproduce", str(old), "--folder", str(EXAMPLES), "--trust", "--out", str(tmp_path / "again")])
    [again] = asked
    assert again.settings == load_run(old).results["coordinates"]["settings"]
    assert again.own["params"] == ("gain.constant=3",) and again.own["items"] == 2_000_000


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    """Return a folder with two repetitions of four points."""
    for at, (stages, deployment) in enumerate((s, d) for s in ("12", "3") for d in ("single_thread", "flow")):
        for repetition in range(2):
            store(tmp_path / "sweep", deployment=deployment, sets={"stages": stages}, repetition=repetition, seed=at,
                  throughput=1e9 * int(stages))
    return tmp_path / "sweep"


def test_runs_of_other_parameters_are_other_points(sweep: Path, capsys: pytest.CaptureFixture) -> None:
    assert {label: len(runs) for label, runs in points_of(sweep).items()} == dict.fromkeys(
        ("stages=12 · flow", "stages=12 · single_thread", "stages=3 · flow", "stages=3 · single_thread"), 2)
    runs = list(map(load_run, runs_below(sweep)))
    table = Summary().comparison([run.results for run in runs], ["single_thread", "flow"]).splitlines()
    assert [line.split("  ")[0] for line in table[:5]] == [
        "point", "stages=3 · single_thread", "stages=3 · flow", "stages=12 · single_thread", "stages=12 · flow"]
    assert [line.split()[3:4] for line in table[1:3]] == [["2"], ["2"]]
    [section] = sections(runs)
    assert (section.noun, [(group.name, len(group.all)) for group in section.groups]) == (
        "point", [(f"stages={n} · {d}", 2) for n in (3, 12) for d in ("flow", "single_thread")])
    assert "stages = 3, 12" in make_report(runs)
    assert cli.main(["runs", "list", "--out", str(sweep), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert len({row["point"] for row in rows}) == 4 and {row["label"] for row in rows} == set(points_of(sweep))
    assert rows[0]["coordinates"]["parameters"] == {"stages": 12}


def compared(capsys: pytest.CaptureFixture, a: Path, b: Path, *words: str) -> tuple[list[str], list[str]]:
    """Return labels of the pairs, and runs without a partner."""
    assert cli.main(["compare", str(a), str(b), "--json", *words]) == 4  # one block each
    answer = json.loads(capsys.readouterr().out)
    return [f"{it['a']['label']} -> {it['b']['label']}" for it in answer["comparisons"]], answer["without_partner"]


def test_equal_points_are_pairs_and_so_is_what_all_of_a_side_shares(tmp_path: Path, sweep: Path,
                                                                    capsys: pytest.CaptureFixture) -> None:
    few = tmp_path / "few"
    for deployment in ("flow", "single_thread"):
        store(few, deployment=deployment, sets={"stages": "3"}, seed=50)
    pairs, alone = compared(capsys, sweep, few)
    assert pairs == [f"stages=3 · {d} -> stages=3 · {d}" for d in ("flow", "single_thread")]
    assert alone == ["A has stages=12 · flow", "A has stages=12 · single_thread"]
    assert compared(capsys, sweep, few, "--at", "stages=3", "--at", "deployment=flow") == (["flow -> flow"], [])
    # All of A has 12 stages and all of B has 3, which is the compared difference.
    pairs, alone = compared(capsys, sweep, few, "--a-point", "stages=12")
    assert (pairs, alone) == ([f"stages=12 · {d} -> stages=3 · {d}" for d in ("flow", "single_thread")], [])


def test_points_are_chosen_by_name_and_value(sweep: Path, capsys: pytest.CaptureFixture) -> None:
    points = by_point(map(load_run, runs_below(sweep)), lambda run: run.results)
    for conditions, left in ((["stages=3"], 2), (["stages=2+1", "deployment=flow"], 1), (["items=100M"], 4),
                             (["trace=memory", "project=quickstart"], 4)):
        assert len(choose(points, conditions, "--at", "here")) == left, conditions
    for condition, code, said in (
            ("stagees=3", 2, "did you mean `stages`"), ("stages=4", 4, "available values: 3, 12"),
            ("xyz=1", 2, "choose one of `deployment`"), ("stages", 2, "expected name=value")):
        assert cli.main(["compare", str(sweep), str(sweep), "--at", condition]) == code
        assert said in capsys.readouterr().err


def test_a_place_that_only_some_set_has_its_value_of_the_project_in_the_others(tmp_path: Path) -> None:
    as_it_is, same, other = (store(tmp_path, seed=n, sets=sets) for n, sets in enumerate(
        ({}, {"/run/warmup_items": "10M"}, {"/run/warmup_items": "20M"})))
    assert points_of(tmp_path) == {"warmup_items=10M": [as_it_is.name, same.name], "warmup_items=20M": [other.name]}


def test_equal_settings_are_one_point_however_they_were_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    monkeypatch.setattr("weir.engine.measuring.places.document", lambda path: read.append(path) or document(path))
    defaults = ({}, {}, {"/deployments/0/chunk_items": "auto"}, {"/deployments/0/build": '{"optimisation": "O3"}'},
                {"/run/trace": '{"probe_granularity": "auto", "backend": "off"}'}, {"/run/metrics": "counters"},
                {"/graph/blocks/2/parameters/constant": "2.0"})
    for seed, sets in enumerate(defaults):
        store(tmp_path / "same", seed=seed, sets=sets, latencies=[])
    assert {label: len(names) for label, names in points_of(tmp_path / "same").items()} == {"flow": len(defaults)}
    assert len(read) == len(set(read)) == 2 * (len(defaults) - 1)  # two of the runs have equal settings
    others = ({"/deployments/0/build": '{"march": "x86-64", "optimisation": "O3"}'},
              {"/deployments/0/buffers": '{"limit.out->gain.in": {"items": 8192}}'})
    for seed, sets in enumerate(others, len(defaults)):
        store(tmp_path / "same", seed=seed, sets=sets, latencies=[])
    buffer = "/deployments/0/buffers/limit.out->gain.in/items"
    assert {label: len(names) for label, names in points_of(tmp_path / "same").items()} == {
        f"march=native · {buffer}=–": len(defaults), f"march=x86-64 · {buffer}=–": 1,
        f"march=native · {buffer}=8192": 1}


def test_what_changes_no_run_parts_no_runs(tmp_path: Path) -> None:
    document = json.loads(QUICKSTART.read_text())
    told = {**document, "title": "Another", "description": "title", "ui": {"positions": {"gain": [1, 2]}},
            "cases": {"size": {"small": {"/parameters/stages/value": 1}}},
            "sweeps": [{"name": "s", "vary": {"stages": [1, 2]}}], "run": {**document["run"], "repetitions": 7},
            "graph": {**document["graph"], "blocks": [{**it, "comment": "c"} for it in document["graph"]["blocks"]]},
            "parameters": {"stages": {**document["parameters"]["stages"], "description": "how many"}}}
    sets = {"/description": "set", "/run/repetitions": "3", "/graph/blocks/0/comment": "set"}
    for seed, (project, given) in enumerate(((QUICKSTART, {}), (QUICKSTART, sets), (jsontext.write(told), {}))):
        store(tmp_path, project=project, sets=given, seed=seed, latencies=[])
    [section] = sections(list(map(load_run, runs_below(tmp_path))))
    assert [(group.name, len(group.all)) for group in section.groups] == [("flow", 3)]
    told["graph"]["blocks"][2]["parameters"] = {"constant": 3}
    store(tmp_path, project=jsontext.write(told), seed=9, latencies=[])
    assert len(sections(list(map(load_run, runs_below(tmp_path))))) == 2


def test_what_is_set_to_its_default_is_no_point_of_its_own(tmp_path: Path) -> None:
    bare = jsontext.write({**json.loads(QUICKSTART.read_text()), "deployments": [{"name": "d", "scheduler": "flow"}],
                           "run": {"items": 1000}})
    of_deployment = {"wait": "spin", "policy": "other", "priority": "0", "memory": '{"lock": false}', "require": "[]",
                     "target": "cpp_app", "placement": '{"strategy": "contiguous"}', "chunk_items": "auto"}
    sets = {**{f"/deployments/0/{name}": text for name, text in of_deployment.items()}, "/run/metrics": "counters",
            "/run/trace": '{"probe_granularity": "auto", "events": []}'}
    for seed, given in enumerate(({}, sets)):
        store(tmp_path, project=bare, sets=given, seed=seed, latencies=[])
    assert {label: len(names) for label, names in points_of(tmp_path).items()} == {"d": 2}


def test_a_place_of_a_deployment_is_none_of_the_others(tmp_path: Path) -> None:
    for seed, chunk in enumerate(("512", "1024")):
        for deployment in ("flow", "single_thread"):
            store(tmp_path, seed=seed, deployment=deployment, sets={"/deployments/0/chunk_items": chunk}, latencies=[])
    assert {label: len(names) for label, names in points_of(tmp_path).items()} == {
        "chunk_items=512 · flow": 1, "chunk_items=1024 · flow": 1, "single_thread": 2}


def test_a_label_says_only_what_differs(tmp_path: Path) -> None:
    for number, deployment in enumerate(("flow", "flow", "single_thread")):
        store(tmp_path, deployment=deployment, seed=7, repetition=number)
    assert list(points_of(tmp_path)) == ["flow", "single_thread"]
    store(tmp_path, project=EXAMPLES / "null_rand_latency.weir.json", deployment="flow", latencies=[])
    assert set(points_of(tmp_path)) == {
        "quickstart · flow", "quickstart · single_thread", "null_rand_latency · flow"}
    runs = by_point(map(load_run, runs_below(tmp_path)), lambda run: run.results)
    assert noun(runs) == "point" and in_order(runs)[0].values["", "project"] == "null_rand_latency"
