"""Test `weir compare`: pairs of runs, verdicts, lists, and exit codes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from comparing_world import VALIDATOR, compared, no_waiting_for_the_disk, of, runs  # noqa: F401
from stored_runs import EXAMPLES, example, store
from test_run_verb import prepared
from weir import cli
from weir.engine.measuring.run_directory import load_run
from weir.engine.measuring.runnable import Finished
from weir.read.comparing.estimates import BETTER, SAME, WORSE, verdict_of
from weir.read.comparing.metrics import BY_ID
from weir.read.comparing.statistics import MIN_ROUNDS, holm
from weir.read.reporting.comparison import interval, percent, ratio


@pytest.mark.parametrize("factor, verdict, code", [(1.0, "no difference", 0), (0.95, "worse", 1), (1.05, "better", 0)])
def test_a_block_of_one_set_is_a_pair(factor, verdict, code, tmp_path, capsys) -> None:
    a, b = runs(tmp_path / "a"), runs(tmp_path / "b", factor)
    ended, one = of(capsys, a, b)
    assert (ended, one["verdict"]) == (code, verdict)
    assert (one["design"], one["rounds"], one["same_work"]) == ("interleaved", 8, True)
    gate = one["metrics"][0]
    assert gate["id"] == "throughput_items_per_s" and gate["gate"]
    assert gate["interval"][0] <= gate["ratio"] <= gate["interval"][1]
    assert gate["ratio"] == pytest.approx(factor, rel=0.01)


def test_the_machine_slowing_down_for_both_sides_of_a_block_changes_nothing(tmp_path, capsys) -> None:
    for i in range(8):
        speed = 1e9 * 0.7 ** (i % 3)
        store(tmp_path / "a", throughput=speed, repetition=i, paced=False)
        store(tmp_path / "b", throughput=speed * (0.95 + 0.001 * (i % 2)), repetition=i, paced=False,
              changes={"binary_hash": "1" * 64})
    code, one = of(capsys, tmp_path / "a", tmp_path / "b")
    assert code == 1 and one["metrics"][0]["interval"][1] < 0.96


def test_runs_one_after_the_other_are_not_paired(tmp_path, capsys) -> None:
    a, b = runs(tmp_path / "a", set_id=1), runs(tmp_path / "b", 0.95, set_id=2, minute=20)
    code, one = of(capsys, a, b)
    assert (code, one["design"]) == (1, "one after the other")
    assert cli.main(["compare", str(a), str(b)]) == 1
    assert "measured one after the other" in capsys.readouterr().out


def test_runs_made_in_turns_are_paired_by_time(tmp_path, capsys) -> None:
    for i in range(8):
        first, second = ("a", "b") if i % 2 else ("b", "a")
        store(tmp_path / first, repetition=0, seed=100 + 2 * i, minute=2 * i, paced=False)
        store(tmp_path / second, repetition=0, seed=101 + 2 * i, minute=2 * i + 1, paced=False)
    code, one = of(capsys, tmp_path / "a", tmp_path / "b")
    assert (code, one["design"], one["rounds"]) == (0, "in turns", 8)


@pytest.mark.parametrize("count, changes, words, because", [
    (7, {}, [], "7 runs of each side count, but a verdict needs 8"), (8, {"status": "failed"}, [], "no run of B is ok"),
    (8, {"latency": None, "latency_pairs": None}, ["--metric", "p50_ns"], "p50_ns was not measured in B")])
def test_why_there_is_no_verdict_is_reported(count, changes, words, because, tmp_path, capsys) -> None:
    a, b = runs(tmp_path / "a", count=count), runs(tmp_path / "b", 0.5, count=count, changes=changes)
    code, one = of(capsys, a, b, *words)
    assert (code, one["because"]) == (4, because)
    assert [metric["interval"] for metric in one["metrics"] if metric["gate"]] in ([], [None])


@pytest.mark.parametrize("status", ["failed", "invalid", "partial", "timeout"])
def test_runs_that_are_not_ok_are_listed_and_take_their_block_with_them(status, tmp_path, capsys) -> None:
    a, b = runs(tmp_path / "a", count=9), runs(tmp_path / "b", count=8)
    store(b, throughput=1.0, repetition=8, seed=1, paced=False, status=status, reason="it broke")
    code, one = of(capsys, a, b)
    assert (code, one["rounds"]) == (0, 8)
    assert [(n["side"], n["status"]) for n in one["left_out"]] == [("B", status), ("A", "ok")]
    assert one["left_out"][0]["why"] == ["E_TEST: it broke"]
    assert cli.main(["compare", str(a), str(b)]) == 0
    assert "E_TEST: it broke" in capsys.readouterr().out


def test_flagged_runs_count_and_are_listed(tmp_path, capsys) -> None:
    flag = {"reasons": [{"code": "W_MACHINE_SLOW", "message": "the machine was slow"}] * 2}
    code, one = of(capsys, runs(tmp_path / "a"), runs(tmp_path / "b", changes=flag))
    assert code == 0 and len(one["flagged"]) == 8
    assert one["flagged"][0]["why"] == ["W_MACHINE_SLOW: the machine was slow"] * 2
    assert cli.main(["compare", str(tmp_path / "a"), str(tmp_path / "b")]) == 0
    assert "W_MACHINE_SLOW: 8 runs of B; the first: the machine was slow" in capsys.readouterr().out


def test_copies_of_a_run_count_once(tmp_path, capsys) -> None:
    a, b = runs(tmp_path / "a", count=4), runs(tmp_path / "b", 0.5, count=4)
    for side, copies in ((a, 2), (b, 1)):
        for path in list(side.iterdir()):
            for i in range(copies):
                shutil.copytree(path, side / f"{path.name}-copy{i}")
    code, one = of(capsys, a, b)
    assert (code, one["verdict"], one["rounds"], one["a"]["runs"]) == (4, "not enough data", 4, 4)
    assert one["headline"][:2] == ["left out 8 copies of runs of A: each run counts once",
                                   "left out 4 copies of runs of B: each run counts once"]
    shutil.copytree(a, tmp_path / "c")
    assert of(capsys, a, tmp_path / "c")[1]["because"] == "A and B share some runs"


def measures(monkeypatch: pytest.MonkeyPatch, folder: Path, run_all: Callable) -> None:
    monkeypatch.setattr("weir.cli.verbs._running.prepare", prepared(folder))
    monkeypatch.setattr("weir.engine.measuring.runner.run_all", run_all)


@pytest.mark.parametrize("form", ["--json", "--markdown"])
def test_two_deployments_of_a_project_are_measured_in_turns_and_compared(form, tmp_path, capsys, monkeypatch) -> None:
    project, out, asked = EXAMPLES / "quickstart.weir.json", tmp_path / "runs", []

    def run_all(runnables, options, listener):
        asked.append((options.repetitions, options.items, [it.plan["deployment"] for it in runnables]))
        store(options.out, deployment="flow", seed=9)  # of another command
        for i in range(options.repetitions):
            for name, speed, binary in (("flow", 1e9, "1" * 64), ("single_thread", 5e8, "2" * 64)):
                path = store(options.out, deployment=name, repetition=i, throughput=speed * (1 + i / 1e4), seed=3,
                             paced=False, changes={"binary_hash": binary})
                listener.finished(Finished(path, load_run(path).results, json.loads(project.read_text())))

    measures(monkeypatch, tmp_path, run_all)
    words = ["compare", str(project), "flow", "single_thread", "--out", str(out), "--items", "2k",
             "--metric", "throughput_items_per_s", "--threshold", "2.5", "--confidence", "0.9", "--despite", "cpu",
             "--despite", "digest", form]
    assert cli.main(words) == 1
    said = capsys.readouterr()
    assert asked == [(16, 2000, ["flow", "single_thread"])]
    assert f"the runs are in {out}; to compare again: weir compare {out} {out} --a-deployment flow" in said.err
    assert ("--metric throughput_items_per_s --threshold 2.5 --confidence 0.9 --despite cpu --despite digest"
            in said.err)
    if form == "--json":
        answer = json.loads(said.out)
        VALIDATOR.validate(answer)
        assert [(it["a"]["deployment"], it["b"]["deployment"], it["design"], it["rounds"], it["verdict"])
                for it in answer["comparisons"]] == [("flow", "single_thread", "interleaved", 16, "worse")]
    else:
        assert said.out.startswith("**Performance: worse**") and "flow → single\\_thread" in said.out


@pytest.mark.parametrize("count", [0, 1])
def test_a_comparison_that_is_interrupted_says_where_its_runs_are(count, tmp_path, capsys, monkeypatch) -> None:
    project = EXAMPLES / "quickstart.weir.json"

    def run_all(runnables, options, listener):
        for _ in range(count):
            path = store(options.out)
            listener.finished(Finished(path, load_run(path).results, json.loads(project.read_text())))
        raise KeyboardInterrupt

    measures(monkeypatch, tmp_path, run_all)
    out = str(tmp_path / "runs")
    assert cli.main(["compare", str(project), "flow", "single_thread", "--out", out]) == 4
    said = capsys.readouterr()
    where = f"interrupted; the finished runs are in {out}" if count else "interrupted before the first run"
    assert not said.out and where in said.err and (out in said.err) == bool(count)


@pytest.mark.parametrize("words, said", [
    (["P", "flow"], "is a project; two of its deployments are missing"),
    (["P", "flow", "flow"], "A and B are the same deployment, `flow`"),
    (["P", "flow", "singel_thread"], "did you mean `single_thread`?"),
    (["P", "flow", "single_thread", "--a-set", "1"], "--a-set selects existing runs"),
    (["a", "b", "--repeat", "3"], "--repeat applies only when Weir measures deployments"),
    (["R", "R", "--metric", "speed"], "unknown metric"), (["R", "R", "--deployment", "flo"], "did you mean"),
    (["R", "R", "--deployment", "flow", "--a-deployment", "flow"], "--deployment excludes --a-deployment")])
def test_words_that_do_not_fit_are_refused_before_anything_is_measured(words, said, tmp_path, capsys) -> None:
    meant = {"P": str(EXAMPLES / "quickstart.weir.json"), "R": str(runs(tmp_path, count=1))}
    assert cli.main(["compare", *(meant.get(word, word) for word in words)]) == 2
    captured = capsys.readouterr()
    assert said in captured.err and not captured.out


def test_folders_of_blocks_may_be_named_beside_runs(tmp_path, capsys) -> None:
    words = [str(runs(tmp_path / "a")), str(runs(tmp_path / "b", 1.5)), "--block-path", str(tmp_path)]
    assert cli.main(["compare", *words]) == 0 and "better" in capsys.readouterr().out


def test_paced_runs_are_judged_by_their_latency(tmp_path, capsys) -> None:
    latencies = np.linspace(1e4, 1e6, 2000)
    a = runs(tmp_path / "a", paced=True, latencies=latencies)
    b = runs(tmp_path / "b", paced=True, latencies=latencies * 1.5, changes={"binary_hash": "1" * 64})
    code, one = of(capsys, a, b)
    assert (code, one["metrics"][0]["id"], one["metrics"][0]["verdict"]) == (1, "p99_ns", "worse")
    code, one = of(capsys, a, b, "--metric", "throughput_items_per_s")
    assert code == 0
    others = {m["id"]: m["verdict"] for m in one["metrics"] if not m["gate"]}
    assert others["p50_ns"] == "worse" and "elapsed_s" not in others


def test_of_the_other_metrics_eight_blocks_can_show_a_difference() -> None:
    least = 2 / 2**MIN_ROUNDS
    others = sum(metric.beside for metric in BY_ID.values())
    assert max(holm([least] * others)) < 0.05


def test_other_work_is_compared_and_the_difference_listed(tmp_path, capsys) -> None:
    more = example("quickstart", run={"items": 12345, "trace": {"backend": "memory"}})
    a, b = runs(tmp_path / "a"), runs(tmp_path / "b", 0.9, project=more)
    code, one = of(capsys, a, b)
    said = "item counts differ: 100\u202f000\u202f000 and 12\u202f345"
    assert (code, one["verdict"], one["because"]) == (
        4, "not comparable", f"{said}; --despite items compares them anyway")
    code, one = of(capsys, a, b, "--despite", "items")
    assert (code, one["same_work"]) == (1, False)
    assert one["headline"][0] == said
    assert one["headline"][1].startswith("A and B did not do the same work: run · warmup_items")
    told = {(d["part"], d["pointer"], d["says_a"], d["says_b"]) for d in one["differences"]}
    assert {(part, place, "100000000", "12345")
            for part, place in (("project", "/run/items"), ("request", "/items"))} <= told


def test_runs_of_two_kinds_on_one_side_are_not_comparable(tmp_path, capsys) -> None:
    a = runs(tmp_path / "a")
    store(a, repetition=9, paced=False, changes={"binary_hash": "1" * 64})
    code, one = of(capsys, a, runs(tmp_path / "b"))
    assert (code, one["verdict"]) == (4, "not comparable") and "2 binaries" in one["because"]


def two_deployments(out: Path, factors: dict[str, float]) -> Path:
    project = EXAMPLES / "null_rand_latency.weir.json"
    for name, factor in factors.items():
        runs(out, factor, project=project, deployment=name, latencies=[])
    return out


def test_deployments_are_paired_by_name_and_share_the_error(tmp_path, capsys) -> None:
    a = two_deployments(tmp_path / "a", {"flow": 1.0, "single_thread": 1.0, "thread_per_block": 1.0})
    b = two_deployments(tmp_path / "b", {"flow": 1.0, "single_thread": 0.8})
    code, answer = compared(capsys, a, b)
    assert {c["a"]["deployment"]: c["verdict"] for c in answer["comparisons"]} == {
        "flow": "no difference", "single_thread": "worse"}
    assert (code, answer["verdict"], answer["interval_confidence"]) == (1, "worse", 0.975)
    assert answer["without_partner"] == ["A has thread_per_block"]
    code, answer = compared(capsys, a, b, "--deployment", "flow")
    assert (code, len(answer["comparisons"]), answer["interval_confidence"]) == (0, 1, 0.95)
    code, answer = compared(capsys, two_deployments(tmp_path / "c", {"thread_per_block": 1.0}), b)
    assert (code, answer["verdict"], answer["comparisons"]) == (4, "not comparable", [])


def test_a_gate_does_not_pass_while_something_is_without_a_partner(tmp_path, capsys) -> None:
    a = runs(runs(tmp_path / "a", deployment="flow", latencies=[]), deployment="single_thread", latencies=[])
    b = runs(tmp_path / "b", deployment="single_thread", latencies=[])
    runs(b, deployment="flow", latencies=[], changes={"seed": 7})
    code, answer = compared(capsys, a, b)
    assert (code, answer["verdict"]) == (4, "not comparable")
    assert [one["verdict"] for one in answer["comparisons"]] == ["no difference"]
    assert answer["without_partner"] == ["A has seed=1 · flow", "B has seed=7 · flow"]
    options = "--deployment flow --a-point seed=1 --b-point seed=7"
    assert answer["because"] == f"flow differs in seed: {options} pairs two of them"
    assert compared(capsys, a, b, *options.split())[0] == 0
    for form in ((), ("--markdown",)):
        assert cli.main(["compare", str(a), str(b), *form]) == 4
        assert "flow differs in seed" in capsys.readouterr().out
    # A deployment that one side lacks is named, and only a selection omits it.
    for run in b.glob("*-flow-*"):
        shutil.rmtree(run)
    code, answer = compared(capsys, a, b)
    assert (code, answer["without_partner"]) == (4, ["A has flow"]) and answer["because"].startswith("B has no flow; ")
    code, answer = compared(capsys, a, b, "--deployment", "single_thread")
    assert (code, answer["because"]) == (0, "")


def test_two_deployments_of_one_set_are_compared_with_each_other(tmp_path, capsys) -> None:
    a = two_deployments(tmp_path / "a", {"flow": 1.0, "single_thread": 0.9})
    code, one = of(capsys, a, a, "--a-deployment", "flow", "--b-deployment", "single_thread")
    assert (code, one["design"], one["verdict"]) == (1, "interleaved", "worse")
    assert any(d["part"] == "deployment" for d in one["differences"])


@pytest.mark.parametrize("named", ["--a-deployment", "--b-deployment"])
def test_a_side_with_one_deployment_needs_no_choice(named, tmp_path, capsys) -> None:
    one, several = two_deployments(tmp_path / "a", {"flow": 1.0}), tmp_path / "b"
    two_deployments(several, {"single_thread": 0.9, "thread_per_block": 1.0})
    sides = (one, several) if named == "--b-deployment" else (several, one)
    _, found = of(capsys, *sides, named, "single_thread")
    assert {found[side]["deployment"] for side in "ab"} == {"flow", "single_thread"}
    # A side with several takes the other side's choice, and says how to choose if it lacks that one.
    _, found = of(capsys, several, two_deployments(tmp_path / "c", {"single_thread": 1.0, "flow": 1.0}), named,
                  "single_thread")
    assert {found[side]["deployment"] for side in "ab"} == {"single_thread"}
    lacking, other = ("a", "b") if named == "--b-deployment" else ("b", "a")
    third = two_deployments(tmp_path / "d", {"thread_per_block": 1.0, "flow": 1.0})
    sides = (third, several) if lacking == "a" else (several, third)
    assert cli.main(["compare", *map(str, sides), f"--{other}-deployment", "single_thread"]) == 2
    said = capsys.readouterr().err
    assert f"choose one of {lacking.upper()} with --{lacking}-deployment: flow, thread_per_block" in said


def test_markdown_is_short_and_its_text_cannot_break_out(tmp_path, capsys) -> None:
    runs(tmp_path / "a"), runs(tmp_path / "b", 0.9, changes={"parameters": {"a|b<script>": 1}})
    file = tmp_path / "said.md"
    words = ["compare", str(tmp_path / "a"), str(tmp_path / "b"), "--markdown", "-o", str(file)]
    assert cli.main(words) == 1 and capsys.readouterr().out == ""
    text = file.read_text()
    assert text.startswith("**Performance: worse**") and "a\\|b&lt;script>" in text
    assert len(text.splitlines()) < 60


@pytest.mark.parametrize("option", [("--threshold", "-1"), ("--threshold", "x"), ("--confidence", "95")])
def test_numbers_out_of_range_are_usage_errors(option, capsys) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["compare", "a", "b", *option])
    assert ended.value.code == 2 and f"`{option[1]}`" in capsys.readouterr().err


def test_an_empty_folder_and_a_damaged_run_are_reported(tmp_path, capsys) -> None:
    (tmp_path / "empty").mkdir()
    assert cli.main(["compare", str(tmp_path / "empty"), str(tmp_path / "empty")]) == 4
    assert "E_RUN_NONE" in capsys.readouterr().err
    a, b = runs(tmp_path / "a"), runs(tmp_path / "b")
    next(b.iterdir()).joinpath("run.json").write_text("{")
    assert cli.main(["compare", str(a), str(b)]) == 4
    captured = capsys.readouterr()
    assert "is damaged" in captured.err and "7 runs of each side count" in captured.out


@pytest.mark.parametrize("interval, threshold, verdict", [
    ((0.90, 0.98), 1.0, "down"), ((0.90, 0.995), 1.0, "same"), ((0.90, 0.995), 0.0, "down"), ((0.9, 1.1), 0.0, "same"),
    ((1.02, 1.1), 1.0, "up"), ((1.005, 1.1), 1.0, "same")])
def test_the_whole_interval_must_lie_beyond_the_threshold(interval, threshold, verdict) -> None:
    of_rate, of_time = {"down": (WORSE, BETTER), "up": (BETTER, WORSE), "same": (SAME, SAME)}[verdict]
    assert verdict_of(BY_ID["throughput_items_per_s"], interval, threshold) == of_rate
    assert verdict_of(BY_ID["p99_ns"], interval, threshold) == of_time


@pytest.mark.parametrize("ratio, words", [
    (1.048, "+4.80 %"), (0.5, "−50.0 %"), (2.99, "+199.0 %"), (3, "×3.0"), (0, "−100.0 %"), (0.05, "÷20.0"),
    (22.14, "×22.1"), (1234.4, "×1\u202f234")])
def test_a_ratio_is_a_change_and_from_three_on_a_multiple(ratio, words) -> None:
    assert percent(ratio) == words


@pytest.mark.parametrize("of, ends, said, words", [
    (1.03, (1.012, 1.048), "+3.00 %", "+1.20 % … +4.80 %"), (2, (1.4, 3.6), "×2.0", "×1.40 … ×3.6"),
    (0.473, (0.25, 1.02), "÷2.1", "÷4.0 … ×1.02"), (0.5, None, "−50.0 %", "–")])
def test_a_ratio_and_its_interval_are_said_in_one_way(of, ends, said, words) -> None:
    measured = SimpleNamespace(ratio=of, interval=ends, short_windows=0)
    assert (ratio(measured), interval(measured)) == (said, words)


def test_a_report_of_two_folders_shows_their_comparison(tmp_path, capsys) -> None:
    a, b = runs(tmp_path / "a", count=8, latencies=[]), runs(tmp_path / "b", 0.9, count=8, latencies=[])
    page = tmp_path / "page.html"
    assert cli.main(["report", str(a), str(b), "--compare", "-o", str(page)]) == 0
    text = page.read_text()
    assert "<h1>Worse</h1>" in text and "throughput_items_per_s" in text and "8 rounds, interleaved" in text
    assert "bootstrap interval of B over A" in text
    assert cli.main(["report", str(a), "--compare", "-o", str(page)]) == 2
    assert "--compare takes two" in capsys.readouterr().err


def test_sets_of_one_folder_are_told_apart(tmp_path, capsys) -> None:
    runs(tmp_path, set_id=1)
    runs(tmp_path, 0.95, set_id=2, minute=20)
    ids = sorted({json.loads(path.read_text())["set"]["id"] for path in tmp_path.glob("*/run.json")})
    code, one = of(capsys, tmp_path, tmp_path, "--a-set", ids[0], "--b-set", ids[1])
    assert (code, one["a"]["runs"], one["b"]["runs"]) == (1, 8, 8)
    assert of(capsys, tmp_path, tmp_path, "--a-set", ids[1], "--b-set", ids[0])[1]["verdict"] == "better"
    assert cli.main(["compare", str(tmp_path), str(tmp_path), "--a-set", "nobodys"]) not in (0, 1)
    assert "no run of the set `nobodys`" in capsys.readouterr().err
