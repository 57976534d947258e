"""Test `weir tune` around its search: candidates, files and messages. Nothing is compiled."""

from __future__ import annotations

import json
import math
import signal
import sys
import time
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from conftest import answered, keeps_to
from planning import EXAMPLES, chain, checked, deployed, machine, plan
from target_world import TARGETS, small
from target_world import written as written_project
from weir import cli, compilers
from weir.cli.verbs._progress import SearchProgress
from weir.cli.verbs.tune import _without_best
from weir.diagnostics import WeirError, diagnostic
from weir.engine.pipeline import Measured, Pipeline
from weir.lab.tuning import laboratory, written
from weir.lab.tuning.answer import TuneAnswer, interval_of
from weir.lab.tuning.candidate import GIVEN_UP, PROJECT, SIZES, THROUGHPUT, Candidate, Outcome, Trial
from weir.lab.tuning.laboratory import Laboratory
from weir.lab.tuning.maps import map_of
from weir.lab.tuning.search import Search
from weir.lab.tuning.space import Builder, Space, decided
from weir.model.check import check
from weir.model.document import jsontext
from weir.model.ownership import OF_A_RUN
from weir.model.planning.placement import explicit
from weir.model.planning.plan import make_plan
from weir.model.planning.profile import BlockCost, Profile
from weir.standard_output import prints_to_stderr

PROFILE = Profile({"source": BlockCost(0.2), "limit": BlockCost(0.2), "stage": BlockCost(1.5), "sink": BlockCost(3.0)})


def builder_of(source: Path | dict, deployment: str | None = None, on: str = "two_core") -> tuple[Pipeline, Builder]:
    text = source if isinstance(source, Path) else json.dumps(source)
    here = machine(on)
    given = Pipeline.open(text, here=here)

    def reopen(text: bytes, profile: Profile | None = None) -> Pipeline:
        return Pipeline.open(text, directory=given.checked.project.directory, here=here, catalog=given.checked.catalog,
                             profile=profile)

    return given, Builder(given, given.checked.project.deployment(deployment), reopen)


def space_of(source: Path | dict, profile: Profile | None = None, **more) -> tuple[Builder, Space]:
    _, builder = builder_of(source, **more)
    return builder, builder.space(profile)


#: Together they have forks, joins, rates, repeated blocks, peer runtimes and experiments.
EACH_TIME = ("diamond", "fm_receiver", "null_rand_latency", "realtime_radio")


@pytest.mark.parametrize("path", [pytest.param(path, id=path.name, marks=() if path.name.split(".")[0] in EACH_TIME
                                               else pytest.mark.slow) for path in sorted(EXAMPLES.glob("*.weir.json"))])
def test_everything_to_choose_from_is_a_valid_project_and_another_program(path: Path) -> None:
    builder, space = space_of(path)
    given = checked(path)
    own = {deployment.name for deployment in given.project.deployments}
    assert own <= {one.name for one in space.candidates} | {one.scheduler for one in space.skipped}
    seen = set()
    for one in space.candidates:
        it = check(builder.text(one.name, one.entry), directory=path.parent)
        assert not [d for d in it.diagnostics if d.severity == "error"], it.diagnostics
        plan = make_plan(it.project, it.graph, it.catalog, machine("two_core"), trace_with="memory").plan
        # Builds use no profile, and agree with the prediction from the profile.
        assert [w.instances for w in plan.workers] == [w.instances for w in space.plans[one.name].workers]
        assert one.origin == PROJECT or decided(plan, {"fuse"}) not in seen
        seen.add(decided(plan, {"fuse"}))
        assert plan.run.metrics == "none" and plan.trace.backend == "memory"
    assert [one.name for one in space_of(path)[1].candidates] == [one.name for one in space.candidates]
    assert any(one.auto and one.first for one in space.candidates)


def test_what_there_is_no_time_to_plan_is_left_out_but_for_one_by_cost() -> None:
    _, builder = builder_of(EXAMPLES / "null_rand_latency.weir.json")
    candidates = builder.space(None, late=lambda: True).candidates
    assert [one.auto for one in candidates if one.origin != PROJECT] == [True]
    assert [one.auto for one in candidates if one.first].count(True) == 1


def test_switches_of_a_scheduler_are_tried_both_ways_where_that_makes_a_difference() -> None:
    def ways(document: dict) -> set:
        _, space = space_of(document)
        return {one.entry.get("parameters", {}).get("fuse", False) for one in space.candidates
                if one.scheduler == "replicated"}

    assert ways({**chain(3), "deployments": [{"name": "d", "scheduler": "flow"}]}) == {False, True}
    assert ways({**chain(1), "deployments": [{"name": "d", "scheduler": "flow"}]}) == {False}


def test_a_worker_for_each_cpu_is_tried_where_cores_have_several() -> None:
    document = {**chain(12), "deployments": [{"name": "d", "scheduler": "single_thread"}]}

    def tried(on: str) -> dict[int, set[str]]:
        _, space = space_of(document, PROFILE, on=on)
        found: dict[int, set[str]] = {}
        for it in (one.entry for one in space.candidates if one.entry["scheduler"] == "work_stealing"):
            found.setdefault(it["workers"], set()).add(it["wait"])
        return found

    smt, plain = tried("quad_smt"), tried("two_core")  # 3 cores with 6 CPUs, and 2 with 2
    assert smt[6] == {"park"} and smt[3] == {"spin", "park"}
    assert set(smt) == {2, 3, 6} and set(plain) == {2}


def test_a_scheduler_that_cannot_run_the_graph_is_named() -> None:
    _, space = space_of(EXAMPLES / "null_rand_latency.weir.json")
    scheduled = {"circuit", "fused", "replicated", "static"}
    others = {"gnuradio", "futuresdr_flow", "futuresdr_smol", "futuresdr_flow_128k", "futuresdr_smol_128k",
              "futuresdr010_flow", "futuresdr010_smol", "by_hand", "by_hand_64k"}
    assert {(it.scheduler, it.code) for it in space.skipped} == {
        *((name, "E_RATE_NOT_STATIC") for name in scheduled), *((name, "N_OTHER_TARGET") for name in others)}
    assert all(("stage" if it.scheduler in scheduled else "`cpp_app`") in it.why for it in space.skipped)
    assert not {*scheduled} & {one.scheduler for one in space.candidates}


def test_blocks_are_not_profiled_under_a_deployment_that_is_wrong() -> None:
    wrong = {"name": "wrong", "scheduler": "single_thread", "buffers": {"none.out->x.in": {"items": 1}}}
    document = {**chain(2), "deployments": [wrong, {"name": "good", "scheduler": "flow"}]}
    _, builder = builder_of(document, "good")
    assert builder.simplest()[0] != "wrong"


def test_what_is_not_searched_is_as_in_the_deployment_that_it_starts_from() -> None:
    kept = {"build": {"march": "x86-64-v3"}, "memory": {"lock": True}, "environment": "isolate",
            "interference": {"loops": 2, "cpu_limit": 0.5}}
    document = deployed(chain(2), affinity={"w0": [1]}, **kept)
    _, space = space_of(document)
    others = [one for one in space.candidates if one.origin != PROJECT]
    assert others and all(kept.items() <= one.entry.items() for one in others)
    made, names = written.with_tuned(document, {THROUGHPUT: others[0]})
    assert kept.items() <= made["deployments"][-1].items() and made["deployments"][-1]["name"] == names[THROUGHPUT]
    assert not any("affinity" in one.entry for one in others if one.origin != SIZES)


def test_the_environment_makes_another_candidate() -> None:
    around = ({}, {"environment": "isolate"}, {"disturb": {"loops": 2}}, {"disturb": {"loops": 2, "cpu_limit": 0.5}})
    # One worker on a named CPU, so that nothing else is planned differently.
    one = {"scheduler": "single_thread", "affinity": {"w0": [1]}}
    assert len({decided(plan(deployed(chain(2), **one, **more)).plan, set()) for more in around}) == 4


def test_what_a_profile_decided_is_written_as_a_map_that_decides_it_again() -> None:
    given, _ = builder_of(deployed(chain(4, pipes=3)))
    graph = given.checked.graph
    for worker_of in ({i.name: f"w{i.pipe % 2}" for i in graph.instances},
                      {i.name: "w1" if i.block_id == "sink" or i.copy == 3 else "w0" for i in graph.instances},
                      {i.name: f"w{n % 3}" for n, i in enumerate(graph.instances)},
                      {i.name: "w1" if (i.pipe, i.copy) == (1, 2) else "w0" for i in graph.instances}):
        patterns = map_of(graph, worker_of)
        assert explicit(graph, patterns) == (worker_of, [], [])
    pipes = map_of(graph, {i.name: "w0" if i.pipe < 2 else "w1" for i in graph.instances})
    assert pipes == {"*@p0..1": "w0", "*@p2": "w1"}
    plain = checked(chain(4)).graph
    cut = map_of(plain, {i.name: "w1" if i.block_id == "sink" or (i.copy or 0) > 1 else "w0" for i in plain.instances})
    assert cut == {"source": "w0", "limit": "w0", "stage[0..1]": "w0", "stage[2..3]": "w1", "sink": "w1"}


def test_with_a_profile_auto_lies_elsewhere() -> None:
    found = []
    for profile in (None, PROFILE):
        _, space = space_of(deployed(chain(4), scheduler="single_thread"), profile)
        found.append(next(one for one in space.candidates if one.auto and one.first))
    assert found[0].entry["placement"] != found[1].entry["placement"]
    assert found[1].entry["placement"]["map"]["sink"] == "w1"
    assert found[1].predicted < found[0].predicted  # stages cost more than y = a x + b


def test_the_copy_has_the_best_under_free_names_and_is_valid(tmp_path: Path) -> None:
    document = deployed(chain(2))
    document["deployments"].append({"name": "tuned_throughput", "scheduler": "single_thread"})
    _, space = space_of(document)
    one = next(c for c in space.candidates if c.auto)
    before = json.dumps(document)
    made, names = written.with_tuned(document, {"throughput": one, "p99": one})
    assert names == {"throughput": "tuned_throughput_2", "p99": "tuned_throughput_2"} and json.dumps(document) == before
    written.write(tmp_path / "out.weir.json", made)
    again = check(tmp_path / "out.weir.json")
    made_of = [d.name for d in again.project.deployments]
    assert again.graph and made_of == ["d", "tuned_throughput", "tuned_throughput_2"]
    own = next(c for c in space.candidates if c.origin == PROJECT)
    same, names = written.with_tuned(document, {"throughput": own})
    assert same == document and names == {"throughput": own.name}


def test_where_the_copy_goes() -> None:
    assert written.default_output("dir/mine.weir.json", "x") == Path("dir/mine.tuned.weir.json")
    assert written.default_output("mine.json", "x") == Path("mine.tuned.weir.json")
    assert written.default_output("-", "x") == Path("x.tuned.weir.json")


def answer_of(trials: list[Trial], **more) -> TuneAnswer:
    candidates = [trial.candidate for trial in trials]
    left = Candidate("left", "flow", "sizes", 2e9), Candidate("behind", "flow", "sizes", 1.0)
    search = Search([*candidates, *left], THROUGHPUT, 60.0, None, lambda: 0.0,
                    trials={trial.candidate.name: trial for trial in trials}, finalists=trials)
    return TuneAnswer("p", search, 59.0, PROFILE, "", False, [], {"throughput": "tuned_throughput"},
                      "p.tuned.weir.json", **more)


def latencies(value: float) -> dict[str, float]:
    return {"p50_ns": value / 10, "p95_ns": value / 2, "p99_ns": value}


def test_the_answer_as_text_and_as_json() -> None:
    auto = Trial(Candidate("flow-auto", "flow", "choice", 1.5e9, auto=True),
                 [Outcome(1e9 + n * 1e6, latencies(1000.0)) for n in range(9)])
    fast = Trial(Candidate("static", "static", "choice", 2e9),
                 [Outcome(2e9 + n * 1e6, latencies(5000.0), disturbed=n > 6) for n in range(9)])
    wrong = Trial(Candidate("pool", "pool", "choice", 1e9), [Outcome(fault="a wrong answer")], "a wrong answer")
    answer = answer_of([auto, fast, wrong])
    document = answer.as_json()
    keeps_to("tune", document)
    assert [row["name"] for row in document["tried"]] == ["static", "flow-auto", "pool"]
    assert document["front"] == ["static", "flow-auto"] and not document["tried"][2]["front"]
    assert document["best"]["throughput"]["ratio_to_auto"] == pytest.approx(2.004 / 1.004)
    low, high = document["tried"][0]["interval"]
    assert low <= document["tried"][0]["items_per_s"] <= high and document["tried"][2]["interval"] is None
    assert {one["name"]: one["why"] for one in document["left_out"]} == {
        "left": "time", "behind": "predicted to be far behind"}
    text = answer.text()
    assert "tuned_throughput, 2.00 Gitems/s (2.00 times as good as auto)" in text and "pool: a wrong answer" in text
    assert "left out, because the time was too short: left" in text and "other programs disturbed 2 of 18 runs" in text
    assert _without_best(answer_of([wrong]).search).diagnostics[0].message.endswith("valid measurement: a wrong answer")
    assert _without_best(answer_of([]).search).diagnostics[0].message.endswith("valid measurement")
    assert "in 59 s of 60 s\n" in text
    late = replace(answer, elapsed_s=85.0, before_s=30.0)
    assert "in 85 s: 55 s of 60 s, after 30 s to prepare\n" in late.text()
    nothing = replace(answer_of([wrong]), names={}, output=None)
    assert "No deployment has a valid measurement." in nothing.text()


def test_the_answer_has_the_placement() -> None:
    given, builder = builder_of(deployed(chain(4), workers=2))
    auto = next(one for one in builder.space(None).candidates if one.auto)
    plan = builder.space(None).plans[auto.name]
    answer = replace(answer_of([Trial(auto, [Outcome(1e9)])]), plans={auto.name: plan},
                     start=("d", given.plan("d").plan)).as_json()
    keeps_to("tune", answer)
    start, found = answer["start"]["plan"], answer["tried"][0]["plan"]
    names = {i.name for i in given.checked.graph.instances}
    for it in (start, found):
        assert {name for worker in it["workers"] for name in worker["instances"]} == names
        assert it["chunk_items"][0] <= it["chunk_items"][1]
    assert answer["start"]["name"] == "d" and start["scheduler"] == "flow" and len(start["workers"]) == 2
    rings = [s.planned_items for s in plan.streams if s.kind == "ring"]
    assert found["ring_items"] == ([min(rings), max(rings)] if rings else None)
    assert answer_of([Trial(auto, [Outcome(1e9)])]).as_json()["tried"][0]["plan"] is None  # it was not built


def test_the_answer_that_the_editor_is_tested_with_is_one() -> None:
    recorded = json.loads((EXAMPLES.parent / "editor/tests/data/tuned_answer.json").read_text())
    keeps_to("tune", recorded)


def test_progress_says_what_is_run_and_what_is_left(capsys: pytest.CaptureFixture) -> None:
    progress = SearchProgress(60.0, True)
    progress("looking", 0, 2, 9)
    progress.begins("one")
    progress.begins("two")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    for line in lines:
        keeps_to("progress", line)
    told = [(line["deployment"], line["done"], line["left"]) for line in lines]
    assert told == [(None, 0, 9), ("one", 0, 9), ("two", 1, 9)]
    people = SearchProgress(60.0, False)
    people("looking", 0, 2, 9)
    people.begins("one")
    people("looking", 1, 2, 9)
    assert capsys.readouterr().err.count("looking") == 1


def test_a_listener_learns_which_candidate_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def run(_, __, listener, ___) -> Measured:
        listener.runs("d", "run")
        listener.samples([])
        return Measured([], False)

    monkeypatch.setattr(laboratory, "measure", run)
    given, builder = builder_of(deployed(chain(2)))
    heard: list[object] = []
    Laboratory(Pipeline.open, builder.text, given.checked.catalog, tmp_path, False, "p", lambda text: None,
               begins=heard.append)._measured([])
    assert heard == ["d"]


def test_few_runs_have_no_interval() -> None:
    assert interval_of([1.0] * 7) is None
    low, high = interval_of([100.0, 101.0, 99.0, 100.0, 102.0, 98.0, 100.0, 100.5])
    assert 98.0 <= low < 100.5 < high <= 102.0 or low < high


QUICKSTART = str(EXAMPLES / "quickstart.weir.json")


def said(capsys: pytest.CaptureFixture, *words: object) -> tuple[int, str]:
    code = cli.main(["tune", *map(str, words)])
    return code, capsys.readouterr().err


def test_diagnostics_before_anything_is_built(tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch) -> None:
    monkeypatch.setattr(Pipeline, "build", lambda *_, **__: pytest.fail("something is built"))
    out = tmp_path / "out.weir.json"
    out.write_text("mine")
    assert said(capsys, QUICKSTART, "-o", out)[0] == 3 and out.read_text() == "mine"
    assert "E_OUTPUT_EXISTS" in said(capsys, QUICKSTART, "-o", out)[1]
    code, text = said(capsys, QUICKSTART, "-o", tmp_path / "b.weir.json", "--budget", "0.5s")
    assert code == 2 and "E_TUNE_BUDGET: a budget of 0.5 s is too short; the minimum is 2 s" in text
    assert said(capsys, QUICKSTART, "-o", tmp_path / "no" / "b.weir.json")[0] == 3
    assert "E_FILE_IO" in said(capsys, QUICKSTART, "-o", tmp_path, "--force")[1]
    code, text = said(capsys, QUICKSTART, "-o", tmp_path / "b.weir.json", "--deployment", "none_such")
    assert code == 2 and "E_DEPLOYMENT_UNKNOWN" in text
    code, text = said(capsys, EXAMPLES.parent / "codegen/tests/bad/E_CYCLE.weir.json", "-o", tmp_path / "b.weir.json")
    assert code == 1 and "E_CYCLE" in text
    code, text = said(capsys, written_project(tmp_path, small()), "--target-path", TARGETS, "--goal", "p99")
    assert code == 2 and "E_TUNE_LATENCY" in text
    for budget in ("", "-5s", "5 s", "2d", "nan", "0"):
        with pytest.raises(SystemExit):
            cli.main(["tune", QUICKSTART, f"--budget={budget}"])
        capsys.readouterr()


def test_a_target_that_compiles_nothing_is_searched_in_its_budget(alone: Path, capsys: pytest.CaptureFixture) -> None:
    """Tune a project of a target outside the tree with real runs."""
    project = written_project(alone, small(items=20_000))
    before = project.read_text()
    code = cli.main(["tune", str(project), "--target-path", str(TARGETS), "--budget", "10s", "--json",
                     "--out", str(alone / "runs")])
    answer = answered(capsys, "tune")
    assert code == 0 and answer["best"]["throughput"]["name"] == "np" and answer["output"] is None
    assert answer["tried"][0]["runs"] >= 1 and answer["profile"] is None
    assert answer["start"]["name"] == "np" and answer["start"]["plan"] == answer["tried"][0]["plan"]
    assert project.read_text() == before and not (alone / "p.tuned.weir.json").exists()
    runs = list((alone / "runs").iterdir())
    made = {it.name for run in runs for it in run.iterdir()} - {"answer.json"}  # which is the target's
    assert not [name for name in made if not any(fnmatchcase(name, own) for own in OF_A_RUN)], "OF_A_RUN lacks a name"
    asked = [json.loads((run / "run.json").read_text())["request"].get("metrics") for run in sorted(runs)]
    assert "profile" in asked and None in asked
    assert runs and all(json.loads((run / "results.json").read_text())["verification"]["ok"] for run in runs)


def test_the_text_of_a_candidate_has_it_alone() -> None:
    builder, space = space_of(EXAMPLES / "saxpy_chain.weir.json")
    one = next(c for c in space.candidates if c.origin != PROJECT)
    document, _ = jsontext.read(builder.text(one.name, one.entry))
    assert [entry["name"] for entry in document["deployments"]] == [one.name] and "sweeps" not in document


def test_a_build_that_takes_too_long_is_given_up_and_its_compilers_end(monkeypatch: pytest.MonkeyPatch,
                                                                       tmp_path: Path) -> None:
    ended: list[int] = []

    before = sys.stdout

    def forever(*_: object, **__: object) -> None:
        with prints_to_stderr():
            time.sleep(0.6)  # the compiler starts after the build is given up
            ended.append(compilers.run(["sh", "-c", "sleep 600; true"]))
        raise WeirError(diagnostic("E_BUILD_FAILED", "", "ended"))

    monkeypatch.setattr(Pipeline, "build", forever)
    given, builder = builder_of(deployed(chain(2)))
    lab = Laboratory(lambda text: Pipeline.open(text, here=machine("two_core"), catalog=given.checked.catalog),
                     builder.text, given.checked.catalog, tmp_path, False, "p", lambda text: None,
                     end=time.monotonic() + 0.3)
    [one] = [Candidate("d", "flow", PROJECT, 1e9, entry={"scheduler": "flow"})]
    assert lab.build([one]) == ({"d": GIVEN_UP}, False) and not lab.ready
    assert sys.stdout is before  # builds redirect it
    assert ended == [-signal.SIGTERM]
    # Before the first measurement there is no time limit.
    monkeypatch.setattr(Pipeline, "build", lambda *_, **__: (_ for _ in ()).throw(
        WeirError(diagnostic("E_BUILD_FAILED", "", "the compiler's word"))))
    assert "the compiler's word" in replace(lab, end=math.inf).build([one])[0]["d"]
