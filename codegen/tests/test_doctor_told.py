"""Test the output of `weir doctor`, its page in the handbook, and what runs and reports keep of it."""

from __future__ import annotations

import json
import os
import re
import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from conftest import CODEGEN, answered
from doctor_world import CPU, FREE, REALTIME, view_of
from machine_trees import LAPTOP, write_tree
from planning import EXAMPLES, chain, checked, deployed, machine
from stored_runs import store
from weir import cli
from weir.diagnostics import WeirError
from weir.engine.generation.build import Built
from weir.engine.measuring import runner
from weir.engine.measuring.listener import Listener
from weir.engine.measuring.runnable import RunOptions, Tools
from weir.engine.pipeline import Pipeline
from weir.engine.targets.interface import Program
from weir.machine.doctoring import clocks, machine_view, sharing
from weir.machine.doctoring.examination import CHECKS, examine, findings_of_run, page
from weir.machine.doctoring.machine_view import MachineView
from weir.model.document import jsontext
from weir.read.reporting.report import make_report
from weir.read.reporting.sections import load_runs


def test_the_page_of_the_handbook_lists_every_check():
    text = (CODEGEN.parent / "docs" / "doctor.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \|", text.partition("## Checks")[2], re.MULTILINE)
    assert listed == [check.id for check in CHECKS]
    assert set(re.findall(r"^\| `(\w+)` \|", text.partition("\n## ")[0], re.MULTILINE)) == set(machine_view.SEVERITIES)
    assert f"from {sharing._MANY} a second" in text and f"more than {sharing._MUCH:.0%}".replace("%", " %") in text
    assert f"more than {sharing._MUCH_STOLEN:.0%}".replace("%", " %") in text
    assert f"within {clocks._NEAR_MILLIDEGREES // 1000} K" in text


def answer(capsys, *words: str) -> dict:
    assert cli.main(["doctor", *words, "--json"]) == 0
    return answered(capsys, "doctor")


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(machine_view, "SAMPLE_S", 0.02)


def test_it_runs_on_this_machine(capsys, at_once):
    found = answer(capsys)
    assert {finding["id"] for finding in found["findings"]} == {check.id for check in CHECKS}
    ranks = [machine_view.SEVERITIES.index(finding["severity"]) for finding in found["findings"]]
    assert ranks == sorted(ranks) and found["project"] is None and not any(it["concerns"] for it in found["findings"])
    assert not any("could not be read" in finding["message"] for finding in found["findings"])


def test_it_names_the_deployments_of_a_project(capsys, at_once):
    project = str(EXAMPLES / "quickstart.weir.json")
    found = answer(capsys, project)
    assert found["project"] == project and "flow" in found["deployments"]
    named = {concern["deployment"] for finding in found["findings"] for concern in finding["concerns"]}
    assert named <= set(found["deployments"])


SWEEPS = [
    {"name": "policies", "vary": {"policy": ["fifo"], "priority": [10, 20], "stages": [1, 2]}},
    {"name": "single", "vary": {"deployment": ["d", "e"], "/deployments/1/threads/w0/policy": ["fifo", "rr"]}},
    {"name": "around", "vary": {"loops": [0, 3], "cpu_limit": [0.2, 0.4], "stages": [4]}},
    {"name": "others", "vary": {"wait": ["spin", "park"], "environment": [1, 2], "workers": [1, 2]}},
    {"name": "wrong", "vary": {"loops": [1, 2]}, "where": ["1 / (loops - 1) > 0"]}]


@pytest.mark.parametrize("sweeps, named", [
    (SWEEPS[:1], ["policies: d · policy=fifo · priority=10", "policies: d · policy=fifo · priority=20"]),
    (SWEEPS[1:2], ["single: e · policy=rr"]), (SWEEPS[2:3], ["around: d · loops=3"]),
    (SWEEPS[3:4], []), (SWEEPS[4:], [])])
def test_it_names_the_points_of_sweeps_that_ask_for_what_no_deployment_does(sweeps, named, tmp_path, capsys, at_once):
    own = {"scheduler": "flow", "workers": 1, "wait": "park"}
    count = {"value": 1}
    both = [{"name": "d", **own}, {"name": "e", **own, "threads": {"w0": {"policy": "fifo", "priority": 7}}}]
    document = {**chain({"expr": "stages"}), "parameters": {"stages": count, "environment": count}, "sweeps": sweeps,
                "deployments": both}
    (tmp_path / "p.weir.json").write_text(json.dumps(document))
    assert answer(capsys, str(tmp_path / "p.weir.json"))["deployments"] == ["d", "e", *named]


def test_a_right_that_a_point_of_a_sweep_needs_is_missed(tmp_path, capsys, monkeypatch, at_once):
    monkeypatch.setattr(machine_view, "MachineView", partial(MachineView, write_tree(tmp_path / "root", LAPTOP)))
    document = {**deployed(chain(1), require=["priority"], workers=1),
                "sweeps": [{"name": "s", "vary": {"policy": ["fifo"], "priority": [50]}}]}
    (tmp_path / "p.weir.json").write_text(json.dumps(document))
    [found] = [it for it in answer(capsys, str(tmp_path / "p.weir.json"))["findings"] if it["id"] == "realtime_rights"]
    assert found["severity"] == "broken"
    assert [it["deployment"] for it in found["concerns"]] == ["s: d · policy=fifo · priority=50"]


def test_a_project_that_does_not_load_is_reported_as_usual(capsys):
    bad = str(Path(__file__).parent / "bad/E_CYCLE.weir.json")
    assert cli.main(["doctor", bad]) == 1
    assert "E_CYCLE" in capsys.readouterr().err
    assert cli.main(["doctor", "not_there.weir.json", "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["diagnostics"][0]["code"] == "E_FILE_MISSING"


def test_a_strange_file_of_this_machine_shows_no_traceback(monkeypatch, capsys, at_once):
    monkeypatch.setattr(MachineView, "text", lambda self, path: "garbage")
    assert answer(capsys)["machine"]["cpus"] == len(os.sched_getaffinity(0))


def test_the_page_has_the_worst_first_and_what_mends_it(tmp_path):
    findings = examine(view_of(tmp_path, LAPTOP, deployments=[FREE, replace(FREE, name="too"), REALTIME]))
    about = {"machine": {"cpu": "A laptop", "host": "h", "cpus": 4, "kernel": "6.1"}, "project": "p.weir.json",
             "deployments": ["free", "too", "urgent"]}
    text = page(about, findings, colour=False)
    order = [line.split()[0] for line in text.splitlines()
             if line[:9].strip() and line[:7].strip() in machine_view.SEVERITIES]
    assert order == sorted(order, key=machine_view.SEVERITIES.index) and order[0] == "broken"
    assert text.count("deployments `free`, `too`, `urgent`: workers are pinned to CPUs 2-3\n") == 1
    assert f"\n         $ echo performance | sudo tee /{CPU}/cpu*/cpufreq/scaling_governor\n" in text
    assert text.endswith("\n9 things make measurements noisy here, and 1 that the project requests does not work\n")
    assert "\033" not in text and "\033[1;31mbroken" in page(about, findings, colour=True)


def test_a_machine_cannot_drive_the_terminal(tmp_path):
    findings = examine(view_of(tmp_path, {"sys/hypervisor/type": "\033[31mxen"}))
    about = {"machine": {"cpu": "\033[2J", "host": "h", "cpus": 4, "kernel": "6.1"}, "project": None, "deployments": []}
    assert "\033" not in page(about, findings, colour=False)


def test_what_every_run_is_told_takes_no_time_and_leaves_out_what_is_ok(tmp_path):
    def pause(_: float) -> None:
        raise AssertionError("a run waits for no second")

    laptop = replace(view_of(tmp_path, LAPTOP, deployments=[FREE]), pause=pause)
    told = findings_of_run(laptop)
    assert {"load", "steal"}.isdisjoint(finding["id"] for finding in told) and told[0]["severity"] == "noisy"
    assert not any(finding["severity"] == "ok" for finding in told)
    smt = next(finding for finding in told if finding["id"] == "smt")
    assert "its sibling, CPU 0" in smt["concern"] and smt["commands"]
    here = [time.perf_counter()]
    for _ in range(5):
        findings_of_run(replace(laptop))  # nothing read so far
        here.append(time.perf_counter())
    assert min(b - a for a, b in zip(here, here[1:])) < 0.05


@pytest.mark.parametrize("kind, calls", [("multiply_const", True), ("copy", False)])
def test_a_run_is_told_of_volk_where_its_blocks_call_it(kind, calls, tmp_path, monkeypatch):
    looked = []

    def on_laptop(here: MachineView) -> list:
        looked.extend(findings_of_run(replace(view_of(tmp_path / "root", LAPTOP), deployments=here.deployments)))
        return []

    pipeline = Pipeline(checked(deployed(chain(1, kind))), here=machine("two_core"))
    built = Built(Program.of(tmp_path / "none"), tmp_path, Tools(""), "", 0.0, False)
    runnable = replace(pipeline.runnable(pipeline.plan("d"), built, "weir run q"), verify=None)
    monkeypatch.setattr(runner, "findings_of_run", on_laptop)
    with pytest.raises(WeirError):  # the program is missing
        runner.run_all([runnable], RunOptions(tmp_path / "runs", trace="off"), Listener(str))
    assert looked and ("volk_profile" in {finding["id"] for finding in looked}) == calls


def told(check: str, severity: str, **more: object) -> dict:
    return {"id": check, "title": check.title(), "severity": severity, "value": "1", "message": f"{check} <is> so",
            "concern": "", "commands": [], "remedy": "", **more}


def add_findings(path: Path, *findings: dict) -> None:
    run = json.loads((path / "run.json").read_text())
    (path / "run.json").write_text(jsontext.write({**run, "findings": list(findings)}))


def test_a_report_shows_what_was_found_the_warnings_first(tmp_path):
    first, second = store(tmp_path / "runs"), store(tmp_path / "runs", repetition=1)
    noisy = told("turbo", "noisy", commands=["echo 1 | sudo tee /x"], concern="it is fast", remedy="all goes slower")
    add_findings(first, told("lock", "broken"), noisy, told("tick", "note"), told("governor", "unknown"))
    add_findings(second, noisy)
    text = make_report(load_runs([tmp_path / "runs"])).partition("<h2>Environment</h2>")[2]
    in_order = ("What did not work", "Lock (in 1 of 2 runs): lock &lt;is&gt; so", "What makes measurements noisy here",
                "Turbo: turbo &lt;is&gt; so", "It is fast.", "<pre>echo 1 | sudo tee /x</pre>", "All goes slower.",
                "Clock source", "What else is worth knowing", "Tick (in 1 of 2 runs)")
    places = [text.index(words) for words in in_order]
    assert places == sorted(places) and text.count("Turbo: turbo") == 1 and "Governor:" not in text


def test_a_report_of_runs_that_were_told_nothing_says_nothing(tmp_path):
    store(tmp_path / "runs")
    text = make_report(load_runs([tmp_path / "runs"]))
    assert "What makes measurements noisy" not in text and "What else is worth knowing" not in text
