"""Test `weir sweep`: its requests, its messages before anything runs, and its page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import CODEGEN
from planning import EXAMPLES, MACHINES, chain
from stored_runs import COUNTED, ENERGY, store
from sweep_world import DEPLOYED, program, sweep
from weir import cli
from weir.diagnostics import WeirError
from weir.engine.measuring.results import DISTURBED_ABOVE
from weir.engine.measuring.run_directory import load_run
from weir.engine.pipeline import Pipeline
from weir.lab.sweeping import axes, definition, experiment, noise, point, ready, state
from weir.lab.sweeping.drawings import MOST_PANELS
from weir.lab.sweeping.request import SweepRequest, words
from weir.lab.sweeping.sizes import BEST
from weir.lab.sweeping.table import COLUMNS, kinds, row_of
from weir.model.check import check
from weir.model.document.shape import SCHEMA_FOLDER, schema
from weir.model.document.sweeps import OF_DEPLOYMENT, OF_RUN
from weir.model.planning.machine import read_machine
from weir.read.comparing.statistics import MIN_ROUNDS
from weir.read.comparing.work import EQUAL_WITHIN, HELD
from weir.read.reporting.report import REFRESH


def asked(document: dict, vary: list[str], name: str | None = None, twice: bool = False) -> axes.SweepDefinition:
    return definition.sweep_definition(document, name, vary, None, twice=twice)


# Requests

def test_every_point_is_spanned_and_the_last_axis_is_the_fastest():
    it = asked(DEPLOYED, ["deployment=one,other", "stages=1,3"])
    made = axes.cells(it, DEPLOYED, None)
    assert [cell.values for cell in made] == [("one", 1), ("one", 3), ("other", 1), ("other", 3)]
    assert [cell.deployment for cell in made] == ["one", "one", "other", "other"]
    assert [dict(cell.sets) for cell in made][:2] == [{"stages": "1"}, {"stages": "3"}]


def test_settings_have_names_and_are_those_of_their_deployment():
    made = axes.cells(asked(DEPLOYED, ["deployment=one,other", "chunk_items=64", "items=2k", "trace=off"]), DEPLOYED,
                      None)
    assert dict(made[1].sets) == {"/deployments/1/chunk_items": "64", "/run/items": "2k"} and made[1].trace == "off"


CASED = {**DEPLOYED, "cases": {"size": {
    "small": {"/parameters/stages/value": 1, "/deployments/0/chunk_items": 64},
    "large": {"/parameters/stages/value": 3}}}}


def test_a_case_sets_several_places_under_one_name():
    made = axes.cells(asked(CASED, ["size=small,large", "chunk_items=128"]), CASED, None)
    assert [cell.sets for cell in made] == [
        {"/parameters/stages/value": "1", "/deployments/0/chunk_items": "128"},
        {"/parameters/stages/value": "3", "/deployments/0/chunk_items": "128"}]
    # The order of the axes makes no difference: chunks of 128 items are what the column says.
    turned = axes.cells(asked(CASED, ["chunk_items=128", "size=small,large"]), CASED, None)
    assert [cell.sets for cell in turned] == [cell.sets for cell in made]
    assert [axes.label(cell.values, ["size", "chunk_items"]) for cell in made][0] == "size=small · chunk_items=128"


def test_an_unknown_case_is_reported_with_those_that_exist():
    with pytest.raises(WeirError) as refused:
        axes.cells(asked(CASED, ["size=large_one"]), CASED, None)
    [fault] = refused.value.diagnostics
    assert (fault.code, fault.hint) == ("E_SWEEP_KEY", "did you mean `large`?")
    [fault] = check(json.dumps({**CASED, "sweeps": [{"name": "s", "vary": {"size": ["small", "huge"]}}]})).diagnostics
    assert (fault.code, fault.pointer) == ("E_SWEEP_KEY", "/sweeps/0/vary/size/1")
    assert check(json.dumps({**CASED, "sweeps": [{"name": "s", "vary": {"size": ["small", "large"]}}]})).valid


def test_buffers_can_be_of_equal_bytes_whatever_their_items_are(tmp_path):
    project = tmp_path / "p.weir.json"
    document = chain(1, "float_to_integer")
    document["graph"]["blocks"][2] = {"id": "stage", "type": "float_to_integer", "parameters": {"item_type": "i16"}}
    project.write_text(json.dumps({**document, "deployments": [{"name": "one", "scheduler": "thread_per_block"}]}))
    base = Pipeline.open(project, machine=MACHINES / "two_core.json", here=read_machine(MACHINES / "two_core.json"))
    base.valid()
    it = asked(base.checked.project.document, ["buffer_bytes=64k,65536"])
    made = axes.cells(it, base.checked.project.document, None)
    assert [cell.buffers for cell in made] == [("/deployments/0/buffers", 64_000), ("/deployments/0/buffers", 65_536)]
    text = json.dumps(base.checked.project.document).encode()
    opened = ready.opened(base, text, made, it.axes, axes.columns(it.axes), MACHINES / "two_core.json", {})
    assert {stream.bytes for stream in opened[1].planned.plan.streams} == {65_536}
    assert len({stream.item_type for stream in opened[1].planned.plan.streams}) == 2


@pytest.mark.parametrize("vary, words, said", [
    ("items=1M,2M", ["--items", "3M"], "--items sets a value that an axis varies"),
    ("trace=of,lttng", [], "unknown tracer"),
    ("trace=off,lttng", ["--trace", "off"], "--trace sets a value that an axis varies"),
    ("stages=1", ["--param", "nosuch.x=1"], "no such parameter"),
    ("deployment=true", [], "the project has no deployment `true`")])
def test_what_would_measure_something_else_is_refused_before_it_does(vary, words, said, tmp_path, capsys):
    out = tmp_path / "out"
    assert cli.main(["sweep", str(EXAMPLES / "saxpy_chain.weir.json"), "--vary", vary, "--out", str(out),
                     *words]) in (1, 2)
    assert said in capsys.readouterr().err and not out.exists()


@pytest.mark.parametrize("vary", [["deployment=*"], ["scheduler=flow,single_thread", "items=1k,2k", "chunk_items=8"]])
def test_a_project_that_says_nothing_of_how_it_is_run_can_be_swept(vary, tmp_path, capsys):
    project = tmp_path / "p.weir.json"
    project.write_text(json.dumps({key: value for key, value in chain(1).items() if key not in ("run", "deployments")}))
    assert cli.main(["sweep", str(project), *(word for it in vary for word in ("--vary", it)), "--dry-run"]) == 0
    assert f"{4 if len(vary) > 1 else 1} points" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", "true", "2G"])
def test_what_is_no_count_of_bytes_is_refused(text):
    with pytest.raises(WeirError, match=f"buffer_bytes={text}"):
        axes.cells(asked(DEPLOYED, [f"buffer_bytes={text}"]), DEPLOYED, None)


def test_a_parameter_that_is_called_as_something_else_is_the_parameter():
    def asked_of(name: str, values: str, **more) -> axes.SweepDefinition:
        return definition.sweep_definition({**DEPLOYED, "parameters": {name: {"value": 2}}}, None,
                                           [f"{name}={values}"], None, **more)

    def cells_of(it: axes.SweepDefinition, name: str, deployment: str | None = None) -> list[axes.Cell]:
        return axes.cells(it, {**DEPLOYED, "parameters": {name: {"value": 2}}}, deployment)

    assert [dict(cell.sets) for cell in cells_of(asked_of("items", "3"), "items")] == [{"items": "3"}]
    twice = cells_of(asked_of("aa", "1,2", twice=True), "aa")
    assert [dict(cell.sets) for cell in twice] == [{"aa": "1"}, {"aa": "1"}, {"aa": "2"}, {"aa": "2"}]
    [axis] = asked_of("blocks", "1,2,3,4,5,6,7,8").axes
    assert axis.quick().values == (1, 5, 8) and not axis.has_contenders
    sized = cells_of(asked_of("chunk_items", "1,2", best="throughput"), "chunk_items", "one")
    assert [cell.values for cell in sized][2:] == [(BEST, 1), (BEST, 2)]


def test_the_command_line_replaces_an_axis_of_the_project_and_adds_others():
    document = {**DEPLOYED, "sweeps": [{"name": "s", "vary": {"stages": [1, 2], "gain": [0.5]}, "repetitions": 12,
                                        "hold": ["flags"]}]}
    it = asked(document, ["stages=7", "workers=1,2"], name="s")
    assert [(axis.key, axis.values) for axis in it.axes] == [("stages", (7,)), ("gain", (0.5,)), ("workers", (1, 2))]
    assert (it.repetitions, it.hold) == (12, ("flags",))


@pytest.mark.parametrize("key, count, left",
                         [("stages", 12, (1, 7, 12)), ("stages", 2, (1, 2)), ("deployment", 9, (1, 2, 3, 4))])
def test_quick_has_the_ends_and_the_middle_and_the_first_contenders(key, count, left):
    values = tuple(range(1, count + 1))
    assert axes.Axis(key, values, tuple(map(str, values))).quick().values == left


def test_the_quick_form_keeps_what_the_command_line_names_and_says_what_it_leaves_out():
    vary = {"deployment": ["one"], "stages": [1, 2, 3, 4, 5], "gain": [0.25, 0.5, 1]}
    it = {**DEPLOYED, "sweeps": [{"name": "s", "vary": vary, "quick": {"vary": {"stages": [1], "gain": [0.5]}}}]}
    it["deployments"] = [{"name": name, "scheduler": "flow"} for name in ("one", "two", "three", "four", "five")]
    named = definition.sweep_definition(it, "s", ["deployment=*", "stages=4,5,6,7"], None, quick=True)
    assert [axis.values for axis in named.axes] == [("one", "two", "three", "four", "five"), (4, 5, 6, 7), (0.5,)]
    assert named.notes == ("--quick leaves out gain=0.25,1",)
    whole = [definition.sweep_definition(it, "s", [], None, quick) for quick in (False, True)]
    assert [it.notes for it in whole] == [(), ("--quick leaves out stages=2,3,4,5; gain=0.25,1",)]


def test_a_sweep_of_the_command_line_says_that_no_sweep_of_the_project_is_used(capsys):
    words = ["sweep", str(EXAMPLES / "saxpy_chain.weir.json"), "--vary", "stages=1", "--dry-run"]
    assert cli.main(words) == 0
    assert "none of the project's sweeps (stages" in capsys.readouterr().err
    assert cli.main([*words, "--sweep", "stages"]) == 0
    assert "none of the project's sweeps" not in capsys.readouterr().err


def test_an_object_is_one_value_of_an_axis(tmp_path, capsys):
    own = {"isolate": {"cpus": [1]}}
    project = tmp_path / "p.weir.json"
    project.write_text(json.dumps({**DEPLOYED, "sweeps": [
        {"name": "s", "vary": {"deployment": ["one"], "environment": ["as_is", own]}}]}))
    words = ["sweep", str(project), "--dry-run", "--json", "--machine", str(MACHINES / "two_core.json")]
    for more in ([], ["--sweep", "s", "--vary", 'environment=as_is,{"isolate": {"cpus": [1]}}']):
        assert cli.main([*words, *more]) == 0
        assert [point["values"]["environment"] for point in json.loads(capsys.readouterr().out)["points"]] == [
            "as_is", own]
    assert cli.main([*words[:3], "--machine", words[-1]]) == 0
    assert 'as_is, {"isolate": {"cpus": [1]}}' in capsys.readouterr().out
    for text, said in (('{"isolate":{"cpus":[1]}', "is no JSON value"), ('{"isolat":{"cpus":[1,2]}}', "did you mean")):
        assert cli.main([*words, "--vary", f"environment={text}"]) in (1, 2)
        assert said in capsys.readouterr().err
    assert [axis.values for axis in asked(DEPLOYED, ["/deployments/0/affinity/w0=[0,1],[1],x"]).axes] == [
        ([0, 1], [1], "x")]


@pytest.mark.parametrize("vary, code, said", [
    ("stage=1", "E_SWEEP_KEY", "`stages`"), ("stages", "E_USAGE", "key=value"), ("=3", "E_USAGE", "key=value"),
    ("stages=", "E_USAGE", "key=value"), ("stages=1,1", "E_USAGE", "appears twice"),
    ("deployment=on", "E_DEPLOYMENT_UNKNOWN", "`one`")])
def test_an_unknown_axis_is_reported(vary, code, said):
    with pytest.raises(WeirError) as error:
        axes.cells(asked(DEPLOYED, [vary]), DEPLOYED, None)
    [fault] = error.value.diagnostics
    assert fault.code == code and said in f"{fault.message} {fault.hint}"


def test_a_sweep_of_more_points_than_anybody_measures_is_refused():
    many = ",".join(map(str, range(400)))
    with pytest.raises(WeirError, match="160000 points"):
        axes.cells(asked(DEPLOYED, [f"stages={many}", f"gain={many}"]), DEPLOYED, None)


# Before anything runs

def on_file(tmp_path: Path, **changes) -> str:
    path = tmp_path / "p.weir.json"
    document = json.loads((EXAMPLES / "saxpy_chain.weir.json").read_text())
    path.write_text(json.dumps({**document, **changes}))
    return str(path)


def test_a_value_that_does_not_validate_is_reported_at_its_place_before_anything_runs(tmp_path, capsys):
    project = on_file(tmp_path, sweeps=[{"name": "s", "vary": {"stages": [1, 0, 2]}}])
    assert cli.main(["sweep", project, "--out", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert "/sweeps/0/vary/stages/1: error" in said and "stages=0" in said
    assert not (tmp_path / "out").exists()


def test_a_dry_run_says_what_would_be_measured_and_does_nothing(tmp_path, capsys):
    words = ["sweep", str(EXAMPLES / "saxpy_chain.weir.json"), "--vary", "stages=1,2", "--vary",
             "deployment=static,fused",
             "--repetitions", "5", "--dry-run"]
    assert cli.main(words) == 0
    said = capsys.readouterr().out
    assert "4 points in 5 rounds: 20 runs" in said and "predicted time after the build" in said
    assert cli.main([*words, "--json", "--out", str(tmp_path / "out")]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["runs"] == 20 and all(point["predicted_s"] > 0 for point in answer["points"])
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("options, said", [
    ([], ""), (["--seed", "7"], ""), (["--repetitions", "3"], ""), (["--vary", "stages=1,2,3"], ""),
    (["--seed", "8"], "--seed"), (["--repeats", "1"], "--repeats"), (["--vary", "stages=1"], "--vary"),
    (["--quick"], "--quick"),
    (["--block-path", "/tmp"], "--block-path"), (["--repeats", "0"], "")])
def test_resume_takes_up_what_was_requested_and_refuses_something_else(options, said, tmp_path):
    begun = sweep(tmp_path / "out", program(tmp_path / "world")).at
    parsed = cli.build_parser(["sweep"]).parse_args(["sweep", "q.weir.json", "--resume", *options])
    request = SweepRequest.of(vars(parsed))
    if said:
        with pytest.raises(WeirError, match=f"{said}: the sweep has another value"):
            request.resumed(begun.value)
    else:
        assert request.resumed(begun.value) == SweepRequest("q.weir.json", vary=("stages=1,2,3",))


@pytest.mark.parametrize("spoil", [
    lambda value: value["request"].clear(), lambda value: value["points"][0]["values"].clear(),
    lambda value: value["columns"].pop()])
def test_a_sweep_whose_file_does_not_fit_together_is_damaged(spoil, tmp_path):
    at = sweep(tmp_path / "out", program(tmp_path / "world")).at
    value = json.loads((tmp_path / "out" / "sweep.json").read_text())
    assert state.read_state(tmp_path / "out").id == at.id
    spoil(value)
    (tmp_path / "out" / "sweep.json").write_text(json.dumps(value))
    with pytest.raises(WeirError, match="damaged"):
        state.read_state(tmp_path / "out")


@pytest.mark.parametrize("name", ["notes.txt", "sweep.json"])
def test_a_folder_with_other_things_in_it_is_not_swept_into(name, tmp_path, capsys):
    out = tmp_path / "out"
    out.mkdir()
    (out / name).write_text("mine")
    assert cli.main(["sweep", str(EXAMPLES / "saxpy_chain.weir.json"), "--vary", "stages=1", "--out", str(out)]) == 2
    assert ("E_SWEEP_FOLDER" in capsys.readouterr().err and (out / name).read_text() == "mine"
            and len(list(out.iterdir())) == 1)


def test_a_damaged_sweep_is_not_continued(tmp_path, capsys):
    (tmp_path / "sweep.json").write_text("{")
    assert cli.main(["sweep", str(EXAMPLES / "saxpy_chain.weir.json"), "--resume", "--out", str(tmp_path)]) == 2
    assert "damaged" in capsys.readouterr().err and (tmp_path / "sweep.json").read_text() == "{"


def test_two_sweeps_do_not_measure_into_one_folder(tmp_path):
    with state.alone(tmp_path), pytest.raises(WeirError, match="another sweep"):
        with state.alone(tmp_path):
            pass


# docs/sweeps.md

PAGE = (CODEGEN.parent / "docs" / "sweeps.md").read_text(encoding="utf-8")


def test_a_row_has_what_calls_took_and_how_full_buffers_were(tmp_path):
    def hop(count: int, waiting: float | None, work: float | None) -> dict:
        empty = dict.fromkeys(("p5_ns", "p50_ns", "p95_ns", "p99_ns", "p999_ns", "max_ns"))
        return {"from": "a", "to": "b", "pipe": None, "count": count, "lost": 0,
                "waiting": {"mean_ns": waiting, **empty},
                "work": {"mean_ns": work, **empty}}

    it = json.loads((store(tmp_path / "a") / "results.json").read_text())
    blocks = [{**block, "busy_ns": 1_000_000 * (i + 1),
               "items_per_call": {"p5": 1.0, "p50": 10.0 * (i + 1), "p95": 64.0, "distribution": None}}
              for i, block in enumerate(it["blocks"][:3])]
    edges = [{"from": "a.out", "to": "b.in", "buffer_items": 64, "fill_mean": fill, "fill_over_time": None}
             for fill in (0.25, None, 0.75, 0.5)]
    row = row_of(load_run(store(tmp_path / "b", changes={
        "blocks": blocks, "edges": edges, "hops": [hop(10, 300.0, 100.0), hop(30, 100.0, 300.0), hop(0, None, None)]})),
                 {}, {})
    assert (row["busy_s"], row["items_per_call_p50"], row["buffer_fill"]) == (0.006, 20.0, 0.5)
    assert row["waiting_share"] == (10 * 300 + 30 * 100) / (40 * 400)
    assert row["run_delay_s"] == 0.0
    few = row_of(load_run(store(tmp_path / "c", changes={"hops": None, "edges": []})), {}, {})
    assert (few["busy_s"], few["waiting_share"], few["buffer_fill"]) == (None, None, None)
    assert (few["cycles"], few["counted"], few["joules"]) == (None, None, None)
    seen = row_of(load_run(store(tmp_path / "d", changes={"cpu_counters": COUNTED, "energy": ENERGY})), {}, {})
    assert {name: seen[name] for name in COUNTED if name != "user_only"} == \
        {name: value for name, value in COUNTED.items() if name != "user_only"}
    assert (seen["joules"], seen["items_per_joule"]) == (30.0, 1e8)
    assert kinds([seen], ["cycles", "joules"]) == {"cycles": "integer", "joules": "number"}


def test_the_page_has_every_column_and_every_row_has_them(tmp_path):
    section = PAGE.partition("## The table")[2].partition("\n## ")[0]
    told = [name for line in section.splitlines() if line.startswith("| `")
            for name in re.findall(r"`(\w+)`", line.split("|")[1])]
    assert sorted(told) == sorted(COLUMNS)
    it = sweep(tmp_path / "out", program(tmp_path / "world"), repetitions=1)
    it.go_on()
    assert all(set(row) == {*COLUMNS, "stages"} for row in it.record.rows.values())


def test_the_page_has_the_axes_and_the_promises_of_the_code():
    axes_told = PAGE.partition("| axis | sets |")[2].partition("\n\n")[0]
    assert set(re.findall(r"`(\w+)`", "".join(line.split("|")[1] for line in axes_told.splitlines()
                                              if line.startswith("| `")))) == \
        {"trace", "buffer_bytes", *OF_RUN, *OF_DEPLOYMENT}
    held = PAGE.partition("| `hold` | compared values |")[2].partition("\n\n")[0]
    known = schema("project")["properties"]["sweeps"]["items"]["properties"]["hold"]["items"]["enum"]
    assert set(re.findall(r"^\| `(\w+)`", held, re.MULTILINE)) == set(HELD) == set(known)


def test_each_axis_of_the_schema_is_a_setting_of_the_run_or_of_a_deployment():
    text = (SCHEMA_FOLDER / "project.schema.json").read_text(encoding="utf-8")
    assert text.count('"x-axis"') == len(OF_RUN) + len(OF_DEPLOYMENT) > 15


def test_the_numbers_of_the_page_are_those_of_the_code():
    page = " ".join(PAGE.split())
    assert f"There are {definition.REPETITIONS} rounds unless" in page and definition.REPETITIONS == MIN_ROUNDS
    assert f"more than {100 * DISTURBED_ABOVE:.0f} %" in page and experiment.REPEATS == 2 and "at most twice" in page
    assert ((point.QUICK_VALUES, point.QUICK_CONTENDERS, experiment.QUICK_S) == (3, 4, 270.0)
            and "at most 3 values of an axis" in page)
    assert f"(by default {noise.REPETITIONS} rounds)" in page and f"it draws {noise.DRAWN}" in page
    assert f"(of {', '.join(map(str, noise.ROUNDS[:-1]))} and {noise.ROUNDS[-1]})" in page and noise.FOUND == 0.9
    assert EQUAL_WITHIN == 0.1 and "agree within 10 %" in page
    assert f"(of more than {MOST_PANELS} values, the ends and some between)" in page
    assert "reloads itself every 10 s" in page and 'content="10"' in REFRESH


def test_the_words_of_a_sweep_have_all_that_decided_about_it():
    known = SweepRequest("P").as_json().keys()
    folders = [name for name in known if name.endswith("_path")] + ["machine", "profile"]
    request = {"sweep": "s", "vary": ["stages=1,2"], "sets": ["a=1"], "params": ["b.c=2"], "best": "p99", "aa": True,
               "loads_of": "d",
               "deployment": "e", "repetitions": 9, "repeats": 1, "seed": 8, "items": 7, "trace": "off", "quick": True,
               "fitting": True}
    assert set(request) | set(folders) == known
    value = {"source": "P", "request": request, "repetitions": 3, "repeats": 0, "seed": 5}
    assert words(value) == [
        "weir", "sweep", "P", "--sweep", "s", "--vary", "stages=1,2", "--set", "a=1", "--param", "b.c=2", "--loads-of",
        "d",
        "--deployment", "e", "--items", "7", "--trace", "off", "--repetitions", "3", "--repeats", "0", "--seed", "5",
        "--best=p99",
        "--aa", "--quick", "--fitting"]
    del request["loads_of"]  # as in older sweeps, before loads existed
    assert "--loads-of" not in words(value)


def test_items_of_the_command_line_come_before_those_of_the_project(tmp_path, capsys):
    file = tmp_path / "p.weir.json"
    file.write_text(json.dumps({**chain(1), "deployments": [{"name": "one", "scheduler": "flow"}],
                                "run": {"items": 10**9},
                                "sweeps": [{"name": "s", "vary": {"deployment": ["one"]},
                                            "items": {"one": 2 * 10**12}}]}))
    seconds = []
    for more in ([], ["--set", "/run/items=1000"]):
        assert cli.main(["sweep", str(file), "--dry-run", "--json", *more]) == 0
        seconds.append(json.loads(capsys.readouterr().out)["predicted_s"])
    assert seconds[0] > 100 * seconds[1]
