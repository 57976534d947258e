"""weir sweep: its axes, its order, what it goes on with, and what it says."""

from __future__ import annotations

import base64
import csv
import json
import math
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from conftest import CODEGEN
from planning import EXAMPLES, MACHINES, chain
from stored_runs import store
from sweep_world import AXES, program, sweep

import weir
from weir import cli
from weir.check import check
from weir.comparing.statistics import MIN_BLOCKS
from weir.comparing.work import EQUAL_WITHIN, HELD
from weir.diagnostics import WeirError
from weir.document.shape import schema
from weir.document.sweeps import OF_DEPLOYMENT, OF_RUN
from weir.pipeline import Pipeline
from weir.planning.machine import read_machine
from weir.reporting.report import REFRESH
from weir.sweeping import asking, axes, changes, drawings, fairness, noise, page, ready, state
from weir.sweeping.distributions import MOST_PANELS
from weir.sweeping.answer import COMPLETE, Answer
from weir.sweeping.command import words as words_of
from weir.sweeping.estimates import estimated
from weir.measuring.run_directory import load_run
from weir.measuring.run_store import remove
from weir.sweeping.order import DISTURBED_ABOVE, Order, order_of
from weir.sweeping.record import Record, record_of
from weir.sweeping.table import COLUMNS, TABLE, row_of
from weir.verbs import sweep as verb

DEPLOYED = {**chain(2), "deployments": [{"name": "one", "scheduler": "flow"}, {"name": "other", "scheduler": "static"}],
            "parameters": {"stages": {"value": 2}, "gain": {"value": 1.0}}, "run": {"items": 1000}}


def asked(document: dict, vary: list[str], name: str | None = None, twice: bool = False) -> axes.Asked:
    return asking.asked_for(document, name, vary, None, twice=twice)


# What is asked for

def test_every_point_is_spanned_and_the_last_axis_is_the_fastest():
    it = asked(DEPLOYED, ["deployment=one,other", "stages=1,3"])
    made = axes.cells(it, DEPLOYED, None)
    assert [cell.values for cell in made] == [("one", 1), ("one", 3), ("other", 1), ("other", 3)]
    assert [cell.deployment for cell in made] == ["one", "one", "other", "other"]
    assert [dict(cell.sets) for cell in made][:2] == [{"stages": "1"}, {"stages": "3"}]


def test_settings_have_names_and_are_those_of_their_deployment():
    made = axes.cells(asked(DEPLOYED, ["deployment=one,other", "chunk_items=64", "items=2k", "trace=off"]), DEPLOYED, None)
    assert dict(made[1].sets) == {"/deployments/1/chunk_items": "64", "/run/items": "2k"} and made[1].trace == "off"


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
    ("items=1M,2M", ["--items", "3M"], "--items and an axis say the same"), ("trace=of,lttng", [], "no such tracer"),
    ("trace=off,lttng", ["--trace", "off"], "--trace and an axis say the same"),
    ("stages=1", ["--param", "nosuch.x=1"], "no such parameter"), ("deployment=true", [], "there is no deployment `true`")])
def test_what_would_measure_something_else_is_refused_before_it_does(vary, words, said, tmp_path, capsys):
    out = tmp_path / "out"
    assert cli.main(["sweep", str(EXAMPLES / "saxpy_chain.weir.json"), "--vary", vary, "--out", str(out), *words]) in (1, 2)
    assert said in capsys.readouterr().err and not out.exists()


@pytest.mark.parametrize("vary", [["deployment=*"], ["scheduler=flow,single_thread", "items=1k,2k", "chunk_items=8"]])
def test_a_project_that_says_nothing_of_how_it_is_run_can_be_swept(vary, tmp_path, capsys):
    project = tmp_path / "p.weir.json"
    project.write_text(json.dumps({key: value for key, value in chain(1).items() if key not in ("run", "deployments")}))
    assert cli.main(["sweep", str(project), *(word for it in vary for word in ("--vary", it)), "--dry-run"]) == 0
    assert f"{4 if len(vary) > 1 else 1} points" in capsys.readouterr().out


def test_a_parameter_may_be_called_as_the_axis_of_an_aa_is():
    document = {**DEPLOYED, "parameters": {"aa": {"value": 2}}}
    assert [dict(cell.sets) for cell in axes.cells(asked(document, ["aa=1,2"], twice=True), document, None)] == \
        [{"aa": "1"}, {"aa": "1"}, {"aa": "2"}, {"aa": "2"}]


def test_a_parameter_that_is_called_as_a_contender_is_none():
    document = {**DEPLOYED, "parameters": {"blocks": {"value": 2}}}
    [axis] = asking.asked_for(document, None, ["blocks=1,2,3,4,5,6,7,8"], None, quick=True).axes
    assert axis.values == (1, 5, 8) and not axis.has_contenders


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", "true", "2G"])
def test_what_is_no_count_of_bytes_is_refused(text):
    with pytest.raises(WeirError, match=f"buffer_bytes={text}"):
        axes.cells(asked(DEPLOYED, [f"buffer_bytes={text}"]), DEPLOYED, None)


def test_a_parameter_that_is_called_as_a_setting_is_the_parameter():
    document = {**DEPLOYED, "parameters": {"items": {"value": 2}}}
    assert dict(axes.cells(asked(document, ["items=3"]), document, None)[0].sets) == {"items": "3"}


def test_the_command_line_replaces_an_axis_of_the_project_and_adds_others():
    document = {**DEPLOYED, "sweeps": [{"name": "s", "vary": {"stages": [1, 2], "gain": [0.5]}, "repetitions": 12, "hold": ["flags"]}]}
    it = asked(document, ["stages=7", "workers=1,2"], name="s")
    assert [(axis.key, axis.values) for axis in it.axes] == [("stages", (7,)), ("gain", (0.5,)), ("workers", (1, 2))]
    assert (it.repetitions, it.hold) == (12, ("flags",))


@pytest.mark.parametrize("key, count, left", [("stages", 12, (1, 7, 12)), ("stages", 2, (1, 2)), ("deployment", 9, (1, 2, 3, 4))])
def test_quick_has_the_ends_and_the_middle_and_the_first_contenders(key, count, left):
    values = tuple(range(1, count + 1))
    assert axes.Axis(key, values, tuple(map(str, values))).quick().values == left


@pytest.mark.parametrize("vary, code, said", [
    ("stage=1", "E_SWEEP_KEY", "`stages`"), ("stages", "E_USAGE", "key=value"), ("=3", "E_USAGE", "key=value"),
    ("stages=", "E_USAGE", "key=value"), ("stages=1,1", "E_USAGE", "there twice"), ("deployment=on", "E_DEPLOYMENT_UNKNOWN", "`one`")])
def test_an_axis_that_there_is_not_is_said_to_be_none(vary, code, said):
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


def test_a_value_that_does_not_validate_is_told_at_its_place_before_anything_runs(tmp_path, capsys):
    project = on_file(tmp_path, sweeps=[{"name": "s", "vary": {"stages": [1, 0, 2]}}])
    assert cli.main(["sweep", project, "--out", str(tmp_path / "out")]) == 1
    said = capsys.readouterr().err
    assert "/sweeps/0/vary/stages/1: error" in said and "stages=0" in said
    assert not (tmp_path / "out").exists()


def test_a_dry_run_says_what_would_be_measured_and_does_nothing(tmp_path, capsys):
    words = ["sweep", str(EXAMPLES / "saxpy_chain.weir.json"), "--vary", "stages=1,2", "--vary", "deployment=static,fused",
             "--repetitions", "5", "--dry-run"]
    assert cli.main(words) == 0
    said = capsys.readouterr().out
    assert "4 points in 5 blocks: 20 runs" in said and "predicted, and not measured" in said
    assert cli.main([*words, "--json", "--out", str(tmp_path / "out")]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["runs"] == 20 and all(point["predicted_s"] > 0 for point in answer["points"])
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("words, said", [
    ([], ""), (["--seed", "7"], ""), (["--repetitions", "3"], ""), (["--vary", "stages=1,2,3"], ""),
    (["--seed", "8"], "--seed"), (["--repeats", "1"], "--repeats"), (["--vary", "stages=1"], "--vary"), (["--quick"], "--quick"),
    (["--block-path", "/tmp"], "--block-path"), (["--repeats", "0"], "")])
def test_resume_takes_up_what_was_asked_for_and_refuses_something_else(words, said, tmp_path):
    begun = sweep(tmp_path / "out", program(tmp_path / "world")).at
    args = cli.build_parser(["sweep"]).parse_args(["sweep", "q.weir.json", "--resume", *words])
    if said:
        with pytest.raises(WeirError, match=f"{said}: it was begun with another"):
            verb._take_up(args, begun)
    else:
        verb._take_up(args, begun)
        assert args.vary == ["stages=1,2,3"] and args.block_path == []


@pytest.mark.parametrize("spoil", [
    lambda value: value["request"].clear(), lambda value: value["points"][0]["values"].clear(), lambda value: value["columns"].pop()])
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
    assert "E_SWEEP_FOLDER" in capsys.readouterr().err and (out / name).read_text() == "mine" and len(list(out.iterdir())) == 1


def test_a_damaged_sweep_is_not_gone_on_with(tmp_path, capsys):
    (tmp_path / "sweep.json").write_text("{")
    assert cli.main(["sweep", str(EXAMPLES / "saxpy_chain.weir.json"), "--resume", "--out", str(tmp_path)]) == 2
    assert "damaged" in capsys.readouterr().err and (tmp_path / "sweep.json").read_text() == "{"


def test_two_sweeps_do_not_measure_into_one_folder(tmp_path):
    with state.alone(tmp_path), pytest.raises(WeirError, match="another sweep"):
        with state.alone(tmp_path):
            pass


# Order and blocks

def test_the_seed_decides_the_order_of_every_block_and_each_has_every_point_once():
    orders = [order_of(7, planned, again, 20) for planned in range(3) for again in range(2)]
    assert all(sorted(order) == list(range(20)) for order in orders) and len(set(orders)) == len(orders)
    assert order_of(7, 2, 1, 20) == orders[5] and order_of(8, 2, 1, 20) != orders[5]


def recorded(disturbed: list[bool], repetitions: int = 3, repeats: int = 2) -> Record:
    """Of one point, whose blocks were disturbed or not, as they were measured."""
    record = Record([axes.Cell(0, "one", {}, None, ("one",), (0,))], ["deployment"], Order(1, 1, repetitions, repeats))
    for was in disturbed:
        number = record.following.number
        record.rows[number, 0] = {"block": number, "position": 0, "point": 0}
        record._counts[number] = 1
        record._disturbed |= {number} if was else set()
    return record


@pytest.mark.parametrize("disturbed, blocks", [
    ([], [(0, 0)]), ([False, False], [(0, 0), (1, 0), (2, 0)]), ([True], [(0, 0), (0, 1)]),
    ([True, True], [(0, 0), (0, 1), (0, 2)]), ([True, True, True], [(0, 0), (0, 1), (0, 2), (1, 0)]),
    ([False, True, False, False], [(0, 0), (1, 0), (1, 1), (2, 0)])])
def test_a_disturbed_block_is_measured_again_at_most_twice(disturbed, blocks):
    record = recorded(disturbed)
    assert [(block.planned, block.again) for block in record.blocks] == blocks
    assert [record.order.of_number(block.number) for block in record.blocks] == blocks


def rows_of(folder: Path) -> list[dict]:
    with open(folder / TABLE, newline="") as file:
        return list(csv.DictReader(file))


def test_all_of_it_is_measured_in_its_order_and_the_table_has_a_row_a_run(tmp_path):
    it = sweep(tmp_path / "out", program(tmp_path / "world"))
    assert not it.go_on()
    rows = rows_of(tmp_path / "out")
    assert [(int(row["block"]), int(row["position"])) for row in rows] == [(b, p) for b in range(3) for p in range(6)]
    assert [int(row["point"]) for row in rows] == [cell for b in range(3) for cell in order_of(7, b, 0, 6)]
    assert list(rows[0])[:2] == ["deployment", "stages"]
    assert all((tmp_path / "out" / row["directory"] / "results.json").is_file() for row in rows)


def test_a_block_that_others_disturbed_is_measured_again_whole_and_stays_in_the_table(tmp_path):
    foreign = [{"foreign": 0.5}] + 11 * [{"foreign": 0.0}]
    it = sweep(tmp_path / "out", program(tmp_path / "world", environment=foreign), repetitions=1, repeats=2)
    it.go_on()
    rows = rows_of(tmp_path / "out")
    assert [(row["block"], row["repetition"], row["again"], row["block_disturbed"]) for row in rows] == \
        6 * [("0", "0", "0", "true")] + 6 * [("1", "0", "1", "false")]
    assert it.record.disturbed == 1


def test_a_run_that_is_not_ok_is_marked_and_not_averaged_in(tmp_path):
    it = sweep(tmp_path / "out", program(tmp_path / "world", statuses=["failed", "ok", "ok", "ok", "ok", "ok"]))
    it.go_on()
    rows = it.record.table()
    assert [row["status"] for row in rows].count("failed") == 3 and all("E_TEST" in row["reasons"] for row in rows
                                                                        if row["status"] == "failed")
    first = [row for row in rows if row["point"] == rows[0]["point"]]
    assert estimated(first, "throughput_items_per_s").blocks == sum(row["status"] == "ok" for row in first) < 3


def test_what_is_out_of_time_stops_between_blocks_and_goes_on_later(tmp_path):
    now = iter(range(0, 100000, 10))
    script = program(tmp_path / "world")
    it = sweep(tmp_path / "out", script, most_s=100, clock=lambda: next(now))
    assert not it.go_on() and it.out_of_time and len(it.record.whole) == 1
    later = sweep(tmp_path / "out", script)
    assert not later.go_on() and len(later.record.whole) == 3


# Going on

PLACED = ("block", "position", "point", "repetition", "again", "deployment", "stages", "seed")


def measured(folder: Path) -> list[tuple]:
    return [tuple(row[name] for name in PLACED) for row in rows_of(folder)]


def killed_at_random(tmp_path: Path, kills: int, seed: int) -> int:
    """The sweep of sweep_world killed so often, at random moments, and then let go to its end. Returns how many died."""
    dice, folder = random.Random(seed), tmp_path / "out"
    folder.mkdir()
    program(tmp_path / "world", seconds=0.05)
    environment = {**os.environ, "PYTHONPATH": f"{CODEGEN}{os.pathsep}{CODEGEN / 'tests'}", "WEIR_LOCK": str(tmp_path / "lock")}
    words = [sys.executable, str(CODEGEN / "tests" / "sweep_world.py"), str(folder)]
    died = 0
    for _ in range(kills):
        runs = len(list(folder.glob("2*Z-*")))
        with subprocess.Popen(words, env=environment) as child:
            end = time.monotonic() + 60  # its first run may take long to come, and is waited for so that all get on
            while child.poll() is None and len(list(folder.glob("2*Z-*"))) == runs and time.monotonic() < end:
                time.sleep(0.01)
            time.sleep(dice.uniform(0.0, 0.25))
            child.send_signal(dice.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGINT)))
            died += child.wait() != 0
    subprocess.run(words, env=environment, check=True)
    return died


def expect_as_if_undisturbed(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    undisturbed = sweep(tmp_path / "other", program(tmp_path / "world"))
    undisturbed.go_on()
    assert measured(folder) == measured(tmp_path / "other")
    places = [(row["block"], row["position"]) for row in rows_of(folder)]
    assert len(set(places)) == len(places) == 18
    # One that was killed before it had a marker stays for an hour: it may be of a process that makes it this moment.
    assert not list(folder.glob(".incomplete-*/*.json"))


def test_a_sweep_that_is_killed_goes_on_exactly_there(tmp_path):
    assert killed_at_random(tmp_path, kills=4, seed=1)
    expect_as_if_undisturbed(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_a_sweep_that_is_killed_ten_times_goes_on_exactly_there(seed, tmp_path):
    assert killed_at_random(tmp_path, kills=10, seed=100 + seed)
    expect_as_if_undisturbed(tmp_path)


def test_what_is_there_twice_or_of_something_else_is_in_no_table(tmp_path):
    script, said = program(tmp_path / "world"), []
    sweep(tmp_path / "out", script).go_on()
    store(tmp_path / "out", seed=9)
    again = sweep(tmp_path / "out", script, told=lambda *it: said.append(it))
    again.go_on()
    assert not said and again.ignored.others == 1 and len(rows_of(tmp_path / "out")) == 18
    assert again.ignored.words() == ["1 run directories are of something else, or there twice: no table has them"]


@pytest.mark.parametrize("foreign", [[0.5, *5 * [0.0]], 6 * [0.0]], ids=["disturbed", "quiet"])
def test_a_run_that_somebody_removes_is_made_again_and_no_other_is_taken_for_another(foreign, tmp_path):
    """Also where its block was measured again, or is disturbed now and was not."""
    noisy = [{"foreign": share} for share in (*foreign, *12 * [0.0], *6 * [0.5], *30 * [0.0])]
    script = program(tmp_path / "world", environment=noisy)
    first = sweep(tmp_path / "out", script, repetitions=2, repeats=1)
    first.go_on()
    before = {row["directory"]: (row["point"], row["block"]) for row in first.record.table()}
    remove(load_run(tmp_path / "out" / first.record.table()[0]["directory"]))
    again = sweep(tmp_path / "out", script, repetitions=2, repeats=1)
    again.go_on()
    rows = again.record.table()
    assert not again.ignored.others and {row["directory"] for row in rows} >= set(before) - {first.record.table()[0]["directory"]}
    for row in rows:
        assert before.get(row["directory"], (row["point"], row["block"])) == (row["point"], row["block"])
        run = load_run(tmp_path / "out" / row["directory"])
        assert run.results["deployment"] == row["deployment"] and run.run["set"]["point"] == row["point"]
    assert again.record.following is None


def test_a_table_keeps_what_was_measured_behind_a_gap(tmp_path):
    script = program(tmp_path / "world")
    first = sweep(tmp_path / "out", script)
    first.go_on()
    remove(load_run(tmp_path / "out" / first.record.table()[2]["directory"]))
    record, _ = record_of(first.at)
    assert len(record.rows) == 17 and record.following.number == 0 and len(record.missing(record.following)) == 1


def test_a_disk_that_was_full_ends_the_sweep_and_the_run_is_made_again(tmp_path):
    script = program(tmp_path / "world", statuses=["ok", "ok", "full", *15 * ["ok"]])
    with pytest.raises(WeirError, match="no room"):
        sweep(tmp_path / "out", script).go_on()
    assert len(rows_of(tmp_path / "out")) == 2
    again = sweep(tmp_path / "out", script)
    again.go_on()
    assert again.ignored.again == 1 and len(rows_of(tmp_path / "out")) == 18


def test_a_run_that_was_interrupted_is_made_again(tmp_path):
    script = program(tmp_path / "world", statuses=["ok", "ok", "partial", *15 * ["ok"]])
    with pytest.raises(WeirError, match="interrupted"):
        sweep(tmp_path / "out", script).go_on()
    again = sweep(tmp_path / "out", script)
    again.go_on()
    assert again.ignored.again == 1 and {row["status"] for row in rows_of(tmp_path / "out")} == {"ok"}


def test_what_is_not_as_it_was_is_refused_with_all_that_changed():
    was = {"document": {"name": "a"}, "axes": [1], "hold": [], "machine": {"host": "a", "cpu": "x"},
           "points": [{"number": 0, "scheduler": "flow", "binary_hash": "0"}, {"number": 1, "scheduler": "gnuradio310", "binary_hash": "1"}]}
    changes.check(was, was, False)
    changes.check(was, {**was, "document": {"name": "a", "title": "t"}}, False)  # a title changes no run
    now = {**was, "document": {"name": "b"}, "axes": [2], "machine": {"host": "b", "cpu": "x"},
           "points": [{"number": 0, "scheduler": "flow", "binary_hash": "2"}]}
    with pytest.raises(WeirError) as error:
        changes.check(was, now, False)
    text = " ".join(str(fault.message) for fault in error.value.diagnostics)
    assert all(words in text for words in ("the project is not", "the axes", "program of point 0", "gnuradio310 is not here", "another host"))
    with pytest.raises(WeirError) as error:
        changes.check(was, now, True)
    assert "another machine" not in " ".join(fault.message for fault in error.value.diagnostics)


# What comes of it

def test_load_gives_the_table_of_a_sweep_and_of_any_folder_of_runs(tmp_path):
    it = sweep(tmp_path / "out", program(tmp_path / "world"))
    it.go_on()
    frame = weir.load(tmp_path / "out")
    assert len(frame) == 18 and frame["throughput_items_per_s"].dtype == float and frame["verified"].isna().all()
    assert frame.groupby(["deployment", "stages"]).size().tolist() == 6 * [3]
    for stages in (1, 2):
        store(tmp_path / "runs", seed=stages, sets={"stages": str(stages)} if stages > 1 else None)
    assert len(weir.load(tmp_path / "runs")) == 2
    with pytest.raises(WeirError, match="no run directory"):
        weir.load(tmp_path / "world")


def test_a_planted_confounder_is_said_and_a_promise_that_is_not_held_comes_first(tmp_path):
    it = sweep(tmp_path / "out", program(tmp_path / "world"), repetitions=1)
    it.go_on()
    cells, names = it.record.cells, it.record.columns
    kinds = {one.kind: one for one in fairness.findings(AXES, names, cells, it.record.latest, ["buffer_bytes", "chunk_items"])}
    assert kinds["chunk_items"].state == fairness.EQUAL and kinds["chunk_items"].promised
    spoilt = next(cell.number for cell in cells if cell.deployment == "single_thread")
    path = it.record.latest[spoilt].path / "plan.json"
    plan = json.loads(path.read_text())
    for block in plan["blocks"]:
        block["chunk_items"] *= 3
    path.write_text(json.dumps(plan))
    found = fairness.findings(AXES, names, cells, it.record.latest, ["buffer_bytes", "chunk_items"])
    said = fairness.lines(found)
    assert said[0].startswith("promised, and not held: chunk items: flow → single_thread: chunk items differ by more than 10 %")
    assert any(line.startswith("held equal: buffer bytes, as promised") for line in said)


def test_what_was_granted_counts_and_not_what_was_planned(tmp_path):
    it = sweep(tmp_path / "out", program(tmp_path / "world"), repetitions=1)
    it.go_on()
    run = next(run for point, run in it.record.latest.items() if it.record.cells[point].deployment == "single_thread")
    for name in run.results["granted"]["buffers"]:
        run.results["granted"]["buffers"][name] *= 8
    kinds = {one.kind: one for one in fairness.findings(AXES, it.record.columns, it.record.cells, it.record.latest, ["buffer_bytes"])}
    assert kinds["buffer_bytes"].broken


def test_what_is_not_known_on_both_sides_is_not_held_equal(tmp_path):
    it = sweep(tmp_path / "out", program(tmp_path / "world"), repetitions=1)
    it.go_on()
    for point, run in it.record.latest.items():
        if it.record.cells[point].deployment == "single_thread":
            run.results["runtime"]["kernel_object_hash"] = None
            for block in run.results["blocks"]:
                block["calls"] = None
    found = fairness.findings(AXES, it.record.columns, it.record.cells, it.record.latest, ["kernel_hash", "items_per_call"])
    assert {one.kind for one in found if one.state == fairness.UNKNOWN} == {"kernel_hash", "items_per_call"}
    assert "not known on both sides: items per call, though it was promised; kernels, though it was promised" in fairness.lines(found)


def test_the_report_of_a_sweep_has_its_figures_its_points_and_its_data(tmp_path, capsys):
    foreign = [{"foreign": 0.5}, *17 * [{"foreign": 0.0}]]
    sweep(tmp_path / "out", program(tmp_path / "world", environment=foreign), repetitions=2, repeats=1).go_on()
    assert cli.main(["report", str(tmp_path / "out"), "-o", str(tmp_path / "page.html")]) == 0
    text = (tmp_path / "page.html").read_text()
    assert "18 runs of 6 points in 2 of 2 blocks, and 1 measured again" in text
    assert "not enough data for intervals: 3 blocks" in text.lower()
    assert "Throughput over stages" in text and "chunk items, as promised" in text
    assert "disturbed 1 of 3 blocks" in text
    assert "weir sweep q.weir.json --vary stages=1,2,3 --repetitions 2 --repeats 1 --seed 7 --out DIR" in text
    [data] = re.findall(r'href="data:text/csv;base64,([^"]+)" download="table.csv"', text)
    assert base64.b64decode(data) == (tmp_path / "out" / TABLE).read_bytes()
    rows = re.findall(r"<tr><td>(\w+ · stages=\d)</td><td class=\"n\" data-v=\"3\">3</td>", text)
    assert rows == [f"{name} · stages={n}" for name in ("flow", "single_thread") for n in (1, 2, 3)]
    drawn = {path.name for path in (tmp_path / "page_figures").iterdir()}
    assert {"throughput_items_per_s.svg", "throughput_items_per_s.pdf", "throughput_items_per_s.png"} <= drawn
    assert text.count("<svg") == text.count("<figure>") and "{{" not in text


def test_a_report_of_a_sweep_that_goes_on_says_so(tmp_path):
    now = iter(range(0, 100000, 10))
    sweep(tmp_path / "out", program(tmp_path / "world"), most_s=100, clock=lambda: next(now)).go_on()
    assert cli.main(["report", str(tmp_path / "out"), "-o", str(tmp_path / "page.html")]) == 0
    assert "6 runs of 6 points in 1 of 3 blocks, not finished" in (tmp_path / "page.html").read_text()


def test_what_there_is_so_far_is_told_with_the_runs_behind_each_point(tmp_path, capsys):
    now = iter(range(0, 100000, 10))
    going = sweep(tmp_path / "out", program(tmp_path / "world"), most_s=100, clock=lambda: next(now))
    going.go_on()
    assert cli.main(["report", str(tmp_path / "out"), "--json"]) == 0
    said = capsys.readouterr().out
    told = json.loads(said)
    jsonschema.Draft202012Validator(schema("sweep_outline")).validate(told)
    assert told["state"] == "not finished" and told["blocks"] == {"asked": 3, "measured": 1, "disturbed": 0}
    assert told["figure"] == {"x": "stages", "lines": ["deployment"], "figures": []}
    assert [it["column"] for it in told["quantities"]] == ["throughput_items_per_s"]
    assert [point["values"] for point in told["points"]] == [
        {"deployment": name, "stages": n} for name in ("flow", "single_thread") for n in (1, 2, 3)]
    for row in going.record.table():
        [run] = [run for run in told["points"][row["point"]]["runs"] if run["run_id"] == row["run_id"]]
        assert (tmp_path / "out" / run["directory"] / "results.json").exists() and run["block"] == row["block"]
        assert run["values"] == {"throughput_items_per_s": row["throughput_items_per_s"]}
        assert told["points"][row["point"]]["all"]["throughput_items_per_s"]["blocks"] == 1
    assert not list(tmp_path.glob("*.html"))
    assert cli.main(["report", str(tmp_path), "--json"]) == 2 and "with a sweep in it" in capsys.readouterr().err


def test_figures_are_over_the_longest_axis_of_numbers_with_a_line_a_contender():
    def axis(key: str, *values: object) -> axes.Axis:
        return axes.Axis(key, values, tuple(map(str, values)))

    stages, pipes, deployment, trace = axis("stages", 1, 2, 3), axis("pipes", 1, 2), axis("deployment", "a", "b"), axis("trace", "off", "lttng")
    assert drawings.shape_of([deployment, stages]) == drawings.Shape(1, (0,), ())
    assert drawings.shape_of([deployment, pipes, stages]) == drawings.Shape(2, (0,), (1,))
    assert drawings.shape_of([trace, stages]) == drawings.Shape(1, (0,), ())
    assert drawings.shape_of([deployment, trace]).x is None
    assert drawings.shape_of([deployment, pipes, stages], {"x": "pipes"}) == drawings.Shape(1, (0,), (2,))
    assert drawings.shape_of([deployment, pipes, stages], {"x": "pipes", "by": "stages"}) == drawings.Shape(1, (2,), (0,))
    assert drawings.shape_of([deployment, stages], {"kind": "bar"}).x is None


def test_a_plot_that_names_no_axis_and_no_column_is_told_when_the_project_is_read():
    def said(**plot: str) -> list[str]:
        document = {**DEPLOYED, "sweeps": [{"name": "s", "vary": {"stages": [1]}, "plot": plot}]}
        return [f"{it.code} {it.pointer}" for it in check(json.dumps(document)).diagnostics if it.severity == "error"]

    assert said(x="stages", by="stages", y="latency_p50_ns", title="any") == []
    assert said(x="stage") == ["E_SWEEP_KEY /sweeps/0/plot/x"] and said(by="deployment") == ["E_SWEEP_KEY /sweeps/0/plot/by"]
    assert said(y="speed") == ["E_SWEEP_KEY /sweeps/0/plot/y"]


# A/A

def sides(scale: float, blocks: int, seed: int = 0) -> tuple[list[dict], list[dict]]:
    dice = np.random.default_rng(seed)
    return tuple([{"block": block, "status": "ok", "throughput_items_per_s": 1e9 * math.exp(scale * dice.standard_normal()),
                   "latency_p50_ns": None, "latency_p99_ns": None} for block in range(blocks)] for _ in range(2))


def test_the_noise_is_that_of_the_two_sides_and_more_of_it_takes_more_blocks():
    needed = []
    for scale in (0.005, 0.02, 0.04):
        [it] = noise.noise_of(*sides(scale, 64))
        assert it.column == "throughput_items_per_s" and it.blocks == 64
        assert it.interval[0] < 1.0 < it.interval[1] and abs(it.ratio - 1) < scale
        # The median of |x - y| of two normal ones is 0.6745 sqrt(2) scales.
        assert it.single == pytest.approx(0.954 * scale, rel=0.35)
        needed.append(it.needed[0.05])
        assert it.needed[0.10] == 8
    assert needed[0] == 8 and needed == sorted(needed) and needed[1] <= 16 < needed[2]


def test_the_power_is_what_normal_theory_says():
    differences = 0.03 * math.sqrt(2) * np.random.default_rng(5).standard_normal(400)
    # Of a paired t-test with a standard error of 0.0424 / sqrt(16), 4.9 % against a threshold of 1 %: some 3.6 of them.
    assert noise.power(differences, math.log(0.95), 16) > 0.85 and noise.power(differences, math.log(1.05), 16) > 0.85
    assert noise.power(differences, math.log(0.98), 16) < 0.3 and noise.power(differences, math.log(0.95), 8) < 0.8
    assert noise.power(differences, 1e-9, 16) < 0.03


def test_with_too_few_blocks_nothing_is_promised():
    [it] = noise.noise_of(*sides(0.01, 7))
    assert it.interval is None and not it.needed and "found" not in it.words()


def test_an_aa_measures_everything_twice_in_each_block_and_says_what_it_can_show(tmp_path):
    it = asked(DEPLOYED, [], twice=True)
    assert [axis.key for axis in it.axes] == [noise.AXIS] and it.repetitions == 16
    both = (AXES[0], axes.Axis(noise.AXIS, noise.SIDES, noise.SIDES))
    made = sweep(tmp_path / "out", program(tmp_path / "world"), axes=both, repetitions=2)
    made.go_on()
    told = Answer(made.at, made.record, COMPLETE, [])
    said = [line for line in told.remarks() if "measured twice" in line]
    assert len(said) == 2 and said[0].startswith("flow, measured twice: throughput: second over first +0.00%")
    jsonschema.Draft202012Validator(schema("sweep_answer")).validate(told.as_json())


# What docs/sweeps.md says

PAGE = (CODEGEN.parent / "docs" / "sweeps.md").read_text(encoding="utf-8")


def test_a_row_has_what_calls_took_and_how_full_buffers_were(tmp_path):
    def hop(count: int, waiting: float | None, work: float | None) -> dict:
        empty = dict.fromkeys(("p5_ns", "p50_ns", "p95_ns", "p99_ns", "p999_ns", "max_ns"))
        return {"from": "a", "to": "b", "pipe": None, "count": count, "lost": 0, "waiting": {"mean_ns": waiting, **empty},
                "work": {"mean_ns": work, **empty}}

    it = json.loads((store(tmp_path / "a") / "results.json").read_text())
    blocks = [{**block, "busy_ns": 1_000_000 * (i + 1), "items_per_call": {"p5": 1.0, "p50": 10.0 * (i + 1), "p95": 64.0}}
              for i, block in enumerate(it["blocks"][:3])]
    edges = [{"from": "a.out", "to": "b.in", "buffer_items": 64, "fill_mean": fill} for fill in (0.25, None, 0.75, 0.5)]
    row = row_of(load_run(store(tmp_path / "b", changes={
        "blocks": blocks, "edges": edges, "hops": [hop(10, 300.0, 100.0), hop(30, 100.0, 300.0), hop(0, None, None)]})), {}, {})
    assert (row["busy_s"], row["items_per_call_p50"], row["buffer_fill"]) == (0.006, 20.0, 0.5)
    assert row["waiting_share"] == (10 * 300 + 30 * 100) / (40 * 400)
    assert row["run_delay_s"] == 0.0
    few = row_of(load_run(store(tmp_path / "c", changes={"hops": None, "edges": []})), {}, {})
    assert (few["busy_s"], few["waiting_share"], few["buffer_fill"]) == (None, None, None)


def test_the_page_has_every_column_and_every_row_has_them(tmp_path):
    section = PAGE.partition("## The table")[2].partition("\n## ")[0]
    told = [name for line in section.splitlines() if line.startswith("| `") for name in re.findall(r"`(\w+)`", line.split("|")[1])]
    assert sorted(told) == sorted(COLUMNS)
    it = sweep(tmp_path / "out", program(tmp_path / "world"), repetitions=1)
    it.go_on()
    assert all(set(row) == {*COLUMNS, "stages"} for row in it.record.rows.values())


def test_the_page_has_the_axes_and_the_promises_of_the_code():
    axes_told = PAGE.partition("| axis | sets |")[2].partition("\n\n")[0]
    assert set(re.findall(r"`(\w+)`", "".join(line.split("|")[1] for line in axes_told.splitlines() if line.startswith("| `")))) == \
        {"trace", "buffer_bytes", *OF_RUN, *OF_DEPLOYMENT}
    held = PAGE.partition("| `hold` | what |")[2].partition("\n\n")[0]
    known = schema("project")["properties"]["sweeps"]["items"]["properties"]["hold"]["items"]["enum"]
    assert set(re.findall(r"^\| `(\w+)`", held, re.MULTILINE)) == set(HELD) == set(known)


def test_the_numbers_of_the_page_are_those_of_the_code():
    page = " ".join(PAGE.split())
    assert f"There are {asking.REPETITIONS} blocks unless" in page and asking.REPETITIONS == MIN_BLOCKS
    assert f"more than {100 * DISTURBED_ABOVE:.0f} %" in page and verb.REPEATS == 2 and "at most twice" in page
    assert (axes.QUICK_VALUES, axes.QUICK_CONTENDERS, verb.QUICK_S) == (3, 4, 270.0) and "at most 3 values of an axis" in page
    assert f"({noise.REPETITIONS} blocks, unless" in page and f"{noise.DRAWN} comparisons are drawn" in page
    assert f"(of {', '.join(map(str, noise.BLOCKS[:-1]))} and {noise.BLOCKS[-1]})" in page and noise.FOUND == 0.9
    assert EQUAL_WITHIN == 0.1 and "are equal to 10 %" in page
    assert f"(of more than {MOST_PANELS} the ends and some between)" in page
    assert "loads itself again every 10 s" in page and 'content="10"' in REFRESH


def test_the_words_of_a_sweep_have_all_that_decided_about_it():
    folders = [name for name in verb.DECIDING if name.endswith("_path")] + ["machine", "profile"]
    request = {"sweep": "s", "vary": ["stages=1,2"], "sets": ["a=1"], "params": ["b.c=2"], "best": "p99", "aa": True, "loads_of": "d",
               "deployment": "e", "repetitions": 9, "repeats": 1, "seed": 8, "items": 7, "trace": "off", "quick": True, "fitting": True}
    assert set(request) | set(folders) == set(verb.DECIDING)
    value = {"request": request, "repetitions": 3, "repeats": 0, "seed": 5}
    assert words_of(value, "P") == [
        "weir", "sweep", "P", "--sweep", "s", "--vary", "stages=1,2", "--set", "a=1", "--param", "b.c=2", "--loads-of", "d",
        "--deployment", "e", "--items", "7", "--trace", "off", "--repetitions", "3", "--repeats", "0", "--seed", "5", "--best=p99",
        "--aa", "--quick", "--fitting"]
    del request["loads_of"]  # a sweep of before there were loads
    assert "--loads-of" not in words_of(value, "P")


def test_items_of_the_command_line_come_before_those_of_the_project(tmp_path, capsys):
    file = tmp_path / "p.weir.json"
    file.write_text(json.dumps({**chain(1), "deployments": [{"name": "one", "scheduler": "flow"}], "run": {"items": 10**9},
                                "sweeps": [{"name": "s", "vary": {"deployment": ["one"]}, "items": {"one": 2 * 10**12}}]}))
    seconds = []
    for more in ([], ["--set", "/run/items=1000"]):
        assert cli.main(["sweep", str(file), "--dry-run", "--json", *more]) == 0
        seconds.append(json.loads(capsys.readouterr().out)["predicted_s"])
    assert seconds[0] > 100 * seconds[1]


def test_its_commands_are_taken():
    commands = re.findall(r"^    \./weir (.+?)(?: +#.*)?$", PAGE, re.MULTILINE)
    assert len(commands) == 10
    for command in commands:
        words = shlex.split(command)
        cli.build_parser(words).parse_args(words)
