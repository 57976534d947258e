"""Test loads of a sweep as shares of what contenders sustain: requested, searched for, offered and reported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import sweep_world
from conftest import CODEGEN, keeps_to
from planning import EXAMPLES
from sweep_world import program, sweep
from weir import cli
from weir.cli.verbs import open_project
from weir.cli.verbs._progress import SweepProgress
from weir.cli.verbs.sweep import INTERRUPTED
from weir.diagnostics import WeirError, diagnostic
from weir.lab.rating.answer import RateAnswer
from weir.lab.rating.search import RateBounds
from weir.lab.sweeping import axes, definition, loads, loads_search, state
from weir.lab.sweeping.experiment import Experiment, Place, _for_the_same_reason
from weir.lab.sweeping.points import opened_points
from weir.lab.sweeping.ready import LeftOut
from weir.lab.sweeping.request import SweepRequest
from weir.model.document.sweep_check import check_sweeps

CURVE = EXAMPLES / "load_curve.weir.json"
DEPLOYED = {**sweep_world.DEPLOYED, "parameters": {"load": {"value": 10}, "stages": {"value": 2}}}
STATED = {**DEPLOYED, "sweeps": [{"name": "s", "vary": {"deployment": ["one", "other"], "stages": [1, 2, 3]},
                                  "loads": {"parameter": "load", "of": "one", "shares": [0.1, 0.9], "latency": 0.5,
                                            "loss": 0.1}}]}


def points(opened: axes.SweepDefinition, found: dict[str, float]) -> list[axes.Cell]:
    return axes.cells(replace(opened, loads=replace(opened.loads, found=found)), DEPLOYED, None)


# Requests

def test_a_sweep_of_the_project_has_an_axis_of_shares():
    it = definition.sweep_definition(STATED, "s", [], None)
    assert [axis.key for axis in it.axes] == ["deployment", "stages", loads.AXIS] and it.axes[2].values == (0.1, 0.9)
    assert it.loads == loads.Loads("load", "one", "/sweeps/0/loads", 0.5, 0.1)
    assert all("load" not in cell.sets for cell in axes.cells(it, STATED, None))
    found = points(it, {"one": 200.0})
    assert {cell.sets["load"] for cell in found} == {"20", "180"} and len(found) == 12
    assert axes.label(found[0].values, axes.columns(it.axes)) == "one · stages=1 · 10 % load"


def test_each_may_have_its_own_and_the_command_line_may_say_whose():
    it = definition.sweep_definition(STATED, "s", [], None, loads_of=loads.EACH)
    assert it.loads.of is None and it.loads.searched(["one", "other"]) == ["one", "other"]
    found = points(it, {"one": 200.0, "other": 0.5})
    assert [(cell.deployment, cell.sets["load"]) for cell in found][:2] == [("one", "20"), ("one", "180")]
    assert [(cell.deployment, cell.sets["load"]) for cell in found][-2:] == [("other", "0.05"), ("other", "0.45")]
    it = definition.sweep_definition(DEPLOYED, None, ["deployment=one,other", "load=50%,12.5%"], None, loads_of="other")
    assert (it.loads == loads.Loads("load", "other") and it.axes[1].values == (0.5, 0.125)
            and it.axes[1].texts == ("50%", "12.5%"))
    assert it.loads.searched(["one", "other"]) == ["other"]


@pytest.mark.parametrize("vary, of, said", [
    (["load=50%"], None, "percentages need --loads-of"), (["stages=1,2"], "one", "needs an axis of loads"),
    (["load=50%,much"], "one", "`much` is not a percentage"), (["load=0%"], "one", "`0%` is not a percentage"),
    (["load=50%,20000%"], "one", "up to 10000%"),
    (["load=50%", "/parameters/load/value=1,2"], "one", "varies both load and the load"),
    (["load=50%", "scheduler=flow,static"], "one", "the sweep varies scheduler")])
def test_what_cannot_be_asked_for_is_refused(vary, of, said):
    with pytest.raises(WeirError, match=said):
        definition.sweep_definition(DEPLOYED, None, vary, None, loads_of=of)


def test_who_is_not_measured_has_no_shares_that_others_could_have():
    with pytest.raises(WeirError, match="refer to `gone`, which the sweep does not measure") as caught:
        loads.Loads("load", "gone", "/sweeps/0/loads").searched(["one"])
    assert caught.value.diagnostics[0].pointer == "/sweeps/0/loads/of"


@pytest.mark.parametrize("changed, at", [({"parameter": "lode"}, "parameter"), ({"of": "won"}, "of")])
def test_unknown_names_are_reported_at_their_pointers(changed, at):
    [sweep] = STATED["sweeps"]
    wrong = {**STATED, "sweeps": [{**sweep, "loads": {**sweep["loads"], **changed}}]}
    [found] = check_sweeps(wrong)
    assert (found.code, found.pointer) == ("E_SWEEP_KEY", f"/sweeps/0/loads/{at}") and "did you mean" in found.hint
    assert not check_sweeps(STATED)


# Before anything runs

def dry(capsys, *words: str) -> tuple[int, str, str]:
    code = cli.main(["sweep", str(CURVE), "--dry-run", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_dry_run_says_that_it_is_searched_for_and_for_how_long(capsys):
    words = ("--vary", "deployment=flow,single_thread", "--vary", "load=10%,90%")
    code, out, _ = dry(capsys, *words, "--loads-of", "flow")
    assert code == 0 and "4 points in 8 rounds" in out
    assert "Weir searches for the rate that flow sustains, in at most 3 min" in out
    code, out, _ = dry(capsys, *words, "--loads-of", "*", "--quick", "--json")
    answer = json.loads(out)
    keeps_to("sweep_answer", answer)
    assert answer["loads"] == {"of": None, "searches": 2, "at_most_s": 90.0}
    assert [point["values"]["LOAD"] for point in answer["points"]] == [0.1, 0.9] * 2


def test_where_nothing_is_paced_there_is_nothing_to_have_a_share_of(capsys):
    code = cli.main(["sweep", str(EXAMPLES / "saxpy_chain.weir.json"), "--vary", "stages=10%", "--loads-of", "static",
                     "--vary",
                     "deployment=static", "--dry-run"])
    assert code == 2 and "E_SWEEP_LOADS" in capsys.readouterr().err


# Search

#: Identifies this machine.
HERE = {"host": "here"}


@pytest.fixture
def bounds(monkeypatch):
    """Return deployment -> its bounds, as if searched for, and record each search."""
    bounds, searched = {}, []

    class Rate:
        def __init__(self, request, pipeline, *_):
            self.request = request

        def go(self):
            searched.append((self.request.deployment, self.request.latency_s, self.request.budget_s))
            if isinstance(bounds[self.request.deployment], BaseException):
                raise bounds[self.request.deployment]
            lower, upper, irregular = bounds[self.request.deployment]
            return RateAnswer("p", self.request.deployment, self.request.goal, self.request.latency_s, 1e9,
                              RateBounds(lower, upper, (), irregular),
                              [], {}, [], "lttng", 12.34, False)

    monkeypatch.setattr(loads_search, "Rate", Rate)
    monkeypatch.setattr(loads_search, "_program", lambda one: f"{one.planned.plan.hash} {bounds.get('compiled', '')}")
    return bounds, searched


VARY = ("--vary", "deployment=flow,single_thread", "--vary", "stages=1,6,9", "--vary", "load=10%,50%,90%")


class OpenedSweep:
    """Result of `weir sweep` with these words, before any search."""

    def __init__(self, out: Path, project: Path, *words: str):
        parsed = cli.build_parser(["sweep"]).parse_args(["sweep", str(project), "--out", str(out), *words])
        out.mkdir(exist_ok=True)
        self.place, self.request = Place.look(out, resume=True), SweepRequest.of(vars(parsed))
        if parsed.resume:
            self.request = self.place.resumed(self.request)
        self.pipeline = open_project(self.request)
        self.listener = SweepProgress(False, str(project))
        self.points = opened_points(self.request, self.pipeline)

    def searched(self, machine=HERE, points=None):
        return loads_search.searched(self.request, points or self.points, self.place.folder, machine, self.listener)

    def after(self, found):
        return opened_points(self.request, self.pipeline, None, found)


@pytest.fixture
def opened_sweep(tmp_path):
    return lambda *words: OpenedSweep(tmp_path / "out", CURVE, *VARY, *words)


def test_all_are_offered_shares_of_what_the_named_one_sustains(bounds, opened_sweep):
    found, searched = bounds
    found["flow"] = (60e6, 63e6, False)
    opened = opened_sweep("--loads-of", "flow")
    place = loads_search.places(opened.points)["flow"]
    assert place.cell.values[:2] == ("flow", 6)  # the middle of the other axes
    said = opened.searched()
    assert searched == [("flow", loads.LATENCY_S, loads.BUDGET_S)]
    # Six pipes share the load equally: 60 M items/s are 10 M per pipe.
    assert said["found"] == [{"deployment": "flow", "lower_items_per_s": 60e6, "upper_items_per_s": 63e6,
                              "irregular": False,
                              "trials": 0, "disturbed": 0, "measured_s": 12.3, "value": 10e6, "why": ""}]
    after = opened.after(said)
    assert len(after.stated) == 18 and not after.unfit
    offered = {one.cell.values: one.pipeline.checked.project.parameters["load"] for one in after.stated}
    assert all(value == round(1e7 * values[2]) for values, value in offered.items())
    loads_search.check_offered(after, said)
    assert "flow: 60.0 Mitems/s is sustained, 63.0 Mitems/s is not (load=1e+07)" in loads.remarks(said)


def test_a_contender_that_sustains_nothing_has_no_points_and_a_reason(bounds, opened_sweep):
    found, searched = bounds
    found.update(flow=(60e6, None, False), single_thread=(None, 1e3, True))
    opened = opened_sweep("--loads-of", "*", "--quick")
    said = opened.searched()
    assert [name for name, *_ in searched] == ["flow", "single_thread"] and searched[0][2] == loads.QUICK_BUDGET_S / 2
    after = opened.after(said)
    assert {one.cell.deployment for one in after.stated} == {"flow"}
    assert {(it.cell.deployment, it.code) for it in after.unfit} == {("single_thread", loads.NOT_FOUND)}
    assert any(line.startswith("single_thread: not measured: no load is sustained") for line in loads.remarks(said))
    found["flow"] = (None, None, False)
    with pytest.raises(WeirError, match="none of the contenders sustains any load"):
        opened.searched({"host": "elsewhere"})


def test_a_contender_that_cannot_be_searched_here_costs_the_others_nothing(bounds, opened_sweep):
    found, _ = bounds
    missing = WeirError(diagnostic("E_RUNTIME_MISSING", "", "GNU Radio is not installed"))
    found.update(flow=(60e6, None, False), single_thread=missing)
    opened = opened_sweep("--loads-of", "*")
    said = opened.searched()
    assert [it["why"] for it in said["found"]] == ["", "GNU Radio is not installed"]
    after = opened.after(said)
    assert {it.message for it in after.unfit} == {"GNU Radio is not installed"} and len(after.stated) == 9
    left = [LeftOut(it.cell, "E_RUNTIME_MISSING", "no GNU Radio") for it in after.unfit]
    assert {it.code for it in after.unfit} == {loads.NOT_FOUND}
    assert {(it.code, it.message) for it in _for_the_same_reason(after, left).unfit} == {
        ("E_RUNTIME_MISSING", "no GNU Radio")}
    opened = opened_sweep("--loads-of", "single_thread")
    with pytest.raises(WeirError, match="not installed"):
        opened.searched()


def test_a_sweep_that_was_begun_keeps_its_loads(bounds, opened_sweep):
    found, _ = bounds
    found["flow"] = (60e6, 63e6, False)
    opened = opened_sweep("--loads-of", "flow")
    said = opened.searched()
    loads.check_same(said, opened.points.definition.loads)
    for changed in (None, replace(opened.points.definition.loads, parameter="pipes"),
                    replace(opened.points.definition.loads, of=None),
                    replace(opened.points.definition.loads, loss=0.1)):
        with pytest.raises(WeirError, match="the loads changed"):
            loads.check_same(said, changed)
    with pytest.raises(WeirError, match="the loads changed"):
        loads.check_same(None, opened.points.definition.loads)
    loads.check_same(None, None)


# Results kept at an interruption

def test_a_search_that_is_interrupted_continues_with_the_next_contender(bounds, tmp_path, capsys):
    found, searched = bounds
    found.update(flow=(60e6, 63e6, False), single_thread=KeyboardInterrupt())
    words, out = ["sweep", str(CURVE), "--out", str(tmp_path / "out")], tmp_path / "out"
    begin = [*words, *VARY, "--loads-of", "*"]
    assert cli.main(begin) == INTERRUPTED
    assert ("to continue: weir sweep" in capsys.readouterr().err
            and [name for name, *_ in searched] == ["flow", "single_thread"])
    assert [it["deployment"] for it in state.read_loads(out)["loads"]["found"]] == ["flow"]
    assert cli.main(begin) == 2 and "contains a search for loads" in capsys.readouterr().err
    assert (cli.main([*words, "--resume", "--vary", "load=10%,20%"]) == 2
            and "E_SWEEP_CHANGED" in capsys.readouterr().err)
    assert cli.main([*words, "--resume"]) == INTERRUPTED
    assert [name for name, *_ in searched] == ["flow", "single_thread", "single_thread"]


def test_what_a_point_does_not_take_costs_no_search(bounds, tmp_path, capsys):
    """Check that a user can change a load that the search shows to exceed the maximum, and resume the sweep."""
    found, searched = bounds
    found["flow"] = (60e6, 63e6, False)
    project, out = json.loads(CURVE.read_text()), tmp_path / "out"
    project["parameters"]["load"].update(value=1_000_000, maximum=6_000_000)
    file = tmp_path / "p.weir.json"
    file.write_text(json.dumps({**project, "sweeps": []}))
    words = ["sweep", str(file), "--out", str(out)]
    assert cli.main([*words, *VARY[:-1], "load=50%,90%", "--loads-of", "flow"]) == 1
    said = capsys.readouterr().err
    assert "at most 6000000" in said and "to continue: weir sweep" in said
    project["parameters"]["load"]["maximum"] = 60_000_000
    file.write_text(json.dumps({**project, "sweeps": []}))
    opened = OpenedSweep(out, file, "--resume")
    kept, after = Experiment(opened.request, opened.pipeline, opened.listener, opened.place).loaded(opened.points)
    assert len(searched) == 1 and len(after.stated) == 12 and kept["found"][0]["value"] == 10e6


@pytest.mark.parametrize("changed", ["machine", "plan", "program", "goal", "no load"])
def test_what_was_found_of_something_else_is_searched_again(changed, bounds, opened_sweep):
    found, searched = bounds
    found.update(flow=(60e6, 63e6, False), single_thread=(9e6, None, False))
    if changed == "no load":
        found["flow"] = (None, 1e6, True)
    opened = opened_sweep("--loads-of", "*")
    opened.searched()
    if changed == "program":
        found["compiled"] = "of another compiler"
    if changed == "plan":
        opened = opened_sweep("--loads-of", "*", "--set", "pipes=3")
    wanted = opened.points.definition
    if changed == "goal":
        wanted = replace(wanted, loads=replace(wanted.loads, loss=0.1))
    opened.searched({"host": "elsewhere"} if changed == "machine" else HERE, replace(opened.points, definition=wanted))
    assert [name for name, *_ in searched][2:] == (["flow"] if changed == "no load" else ["flow", "single_thread"])


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"loads": {}, "machine": {}, "programs": {}, "request": {}}'])
def test_a_file_of_loads_that_is_none_is_reported(text, tmp_path, capsys):
    (tmp_path / state.LOADS).write_text(text)
    assert cli.main(["sweep", str(CURVE), "--out", str(tmp_path), "--resume"]) == 2
    assert "E_SWEEP_FOLDER" in capsys.readouterr().err and (tmp_path / state.LOADS).read_text() == text


@pytest.mark.parametrize("words, said", [
    (("--vary", "pipes=3,6"), "depends on more than load"),
    (("--vary", "stages=10%,50%", "--set", "load=5"), "2 times stages does not offer 2"),
    (("--param", "pace.rate=5"), "--param pace.rate=5 and the loads")])
def test_what_would_not_offer_shares_is_refused_before_anything_is_searched(words, said, capsys):
    vary = () if words[1].startswith("stages") else ("--vary", "load=10%,50%")
    code, _, err = dry(capsys, "--vary", "deployment=flow", "--loads-of", "flow", *vary, *words)
    assert code == 2 and said in err


def test_parts_that_nothing_connects_have_to_be_offered_alike(tmp_path, capsys):
    """Check this because a search offers equal loads, which says nothing about another mix."""
    document = json.loads(CURVE.read_text())
    graph = document["graph"]
    graph["blocks"] += [{**block, "id": f"{block['id']}_b"} for block in graph["blocks"]]
    graph["connections"] += [[f"{a}_b", port, f"{b}_b", into] for a, port, b, into in graph["connections"]]
    words = ["--vary", "deployment=flow", "--vary", "load=10%,50%", "--loads-of", "flow", "--dry-run"]
    for factor, code in (("load", 0), ("3 * load", 2)):
        graph["blocks"][7]["parameters"] = {"rate": {"expr": factor}}
        (tmp_path / "p.weir.json").write_text(json.dumps({**document, "sweeps": []}))
        assert cli.main(["sweep", str(tmp_path / "p.weir.json"), *words]) == code
    assert "unconnected parts" in capsys.readouterr().err


def test_small_numbers_are_not_rounded_to_another_load():
    it = loads.Loads("mega", "one", found={"one": 7.6})
    assert (it.text_at("one", 0.9) == repr(7.6 * 0.9)
            and loads.Loads("n", "one", found={"one": 2e6}).text_at("one", 0.3) == "600000")


def test_the_command_line_takes_the_place_of_what_the_project_says():
    it = definition.sweep_definition(STATED, "s", ["load=20%,40%"], None)
    assert it.loads.latency_s == 0.5 and it.loads.of == "one" and [axis.values for axis in it.axes][-1] == (0.2, 0.4)
    it = definition.sweep_definition(STATED, "s", ["load=5,6"], None)
    assert it.loads is None and [axis.key for axis in it.axes] == ["deployment", "stages", "load"]
    fixed = {**STATED, "sweeps": [{"name": "s", "vary": {"deployment": ["one"], "load": [1, 2]}}]}
    it = definition.sweep_definition(fixed, "s", ["load=50%"], None, loads_of="one")
    assert [axis.key for axis in it.axes] == ["deployment", loads.AXIS]
    with pytest.raises(WeirError, match="one axis of loads"):
        definition.sweep_definition(DEPLOYED, None, ["load=50%", "stages=50%"], None, loads_of="one")


def test_a_sweep_of_before_there_were_loads_is_read_and_continued(tmp_path):
    file = sweep(tmp_path / "out", program(tmp_path / "world")).at.folder / state.STATE
    value = json.loads(file.read_text())
    del value["request"]["loads_of"]
    file.write_text(json.dumps(value))
    request = SweepRequest("q.weir.json").resumed(state.read_state(tmp_path / "out").value)
    assert request.loads_of is None and request.vary == ("stages=1,2,3",)


# Whole sweep

@pytest.mark.slow
def test_a_sweep_is_at_shares_of_what_was_found_and_is_continued_without_another_search(tmp_path):
    out = tmp_path / "out"
    words = [sys.executable, "-m", "weir", "sweep", str(CURVE), "--out", str(out), "--json"]
    environment = {**os.environ, "PYTHONPATH": str(CODEGEN), "WEIR_LOCK": str(tmp_path / "lock")}

    def measured(*more: str) -> tuple[dict, str]:
        done = subprocess.run([*words, *more], env=environment, capture_output=True, text=True, check=True)
        return json.loads(done.stdout), done.stderr

    answer, said = measured("--vary", "deployment=flow,single_thread", "--vary", "load=10%,50%", "--loads-of", "flow",
                            "--quick")
    keeps_to("sweep_answer", answer)
    [found] = answer["loads"]["found"]
    assert "searching for the sustainable rate" in said and answer["runs"] == answer["ok"] == 12
    value = state.read_state(out).value
    assert value["loads"] == answer["loads"]
    for run in Path(out).glob("2*Z-*/results.json"):
        results = json.loads(run.read_text())
        share = next(point["values"]["LOAD"] for point in value["points"]
                     if point["number"] == json.loads((run.parent / "run.json").read_text())["set"]["point"])
        assert results["load"]["offered_items_per_s"] == pytest.approx(found["lower_items_per_s"] * share, rel=0.01)
    again, said = measured("--resume")
    assert again == answer and "sustains" not in said


# docs/sweeps.md

def test_the_numbers_of_the_page_are_those_of_the_code():
    page = " ".join((CODEGEN.parent / "docs" / "sweeps.md").read_text(encoding="utf-8").split())
    assert loads.LATENCY_S == 0.01 and loads.LOSS == 0.005 and "or 10 ms and 0.5 %" in page
    assert loads.TRIALS == 20 and "longer to finish 20 trials" in page
    assert loads.BUDGET_S == 180.0 and "at most three minutes for each contender" in page
    assert loads.QUICK_BUDGET_S == 90.0 and "with `--quick`, a minute and a half for all of them" in page
    assert (loads.FULL[0], loads.FULL[4], loads.QUICK[0], loads.QUICK[4]) == (1.0, 20.0, 0.5, 10.0)
    assert ("at least a second and at least twenty times `latency`; with `--quick`, half a second and "
            "ten times") in page


def test_trials_are_long_against_the_latency_that_they_are_judged_by():
    """Check the length: a quarter of a second accepted a load 40 % too high, which was only 100 ms late."""
    assert loads.Loads("load", None).trial_s(quick=False) == 1.0
    it = loads.Loads("load", None, latency_s=0.1)
    assert (it.trial_s(quick=True), it.trial_s(quick=False)) == (1.0, 2.0)
    assert loads.Loads("load", None, latency_s=1.0).budget_s(quick=False, searches=1) == 20 * 20.0  # enough of them
