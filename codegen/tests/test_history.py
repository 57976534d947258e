"""Test `weir runs history`: series, their changes, and the rate of false alarms."""

from __future__ import annotations

import base64
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from conftest import CODEGEN, answered
from stored_runs import example, store
from test_revision import git, make_repository
from weir import cli
from weir.cli.verbs._runs_history import METRICS
from weir.diagnostics import WeirError
from weir.read.comparing import simulation
from weir.read.comparing.metrics import BY_ID
from weir.read.history import change_points as points
from weir.read.history.answer import BETTER, WORSE, HistoryAnswer
from weir.read.history.series import COMMIT, DAY, SHORT, read_runs, series_of

# Statistics

NOISES = {name: simulation.NOISES[name] for name in ("normal", "lognormal", "heavy-tailed")}


@pytest.mark.parametrize("n", [8, 10, 20, 40])
def test_no_more_series_without_a_change_are_called_changed_than_the_level_says(n):
    """Use several kinds of noise, which do not matter to ranks; the last kind shows that."""
    kinds = [*[NOISES["normal"]] * 3, NOISES["heavy-tailed"]]
    dice = np.random.default_rng(n)
    said = [points.p_value(np.exp(kinds[i % 4](dice, n))) <= points.LEVEL for i in range(1000)]
    assert np.mean(said) <= points.LEVEL + 3 * math.sqrt(points.LEVEL * (1 - points.LEVEL) / 1000)


def test_as_many_series_together_keep_to_the_level_too():
    """Count a false alarm in any of five series of twelve."""
    dice, said = np.random.default_rng(5), 0
    for _ in range(1000):
        p_values = [points.p_value(np.exp(NOISES["normal"](dice, 12))) for _ in range(5)]
        said += any(level is not None for level in points.levels(p_values))
    assert said / 1000 <= points.LEVEL + 3 * math.sqrt(points.LEVEL * (1 - points.LEVEL) / 1000)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("n, at, size", [(20, 7, 0.93), (40, 25, 0.95), (12, 6, 1.10)])
def test_a_planted_change_is_found_where_it_is_and_as_large_as_it_is(noise, n, at, size):
    dice, found, placed, sized = np.random.default_rng(n), 0, 0, 0
    for _ in range(100):
        logs = NOISES[noise](dice, n)
        logs[at:] += math.log(size)
        changes = points.changes(np.exp(logs), points.LEVEL)
        if changes:
            it = min(changes, key=lambda change: abs(change.at - at))
            found, placed = found + 1, placed + (it.first <= at <= it.last)
            sized += it.interval[0] <= size <= it.interval[1]
            assert it.first <= it.at <= it.last and it.interval[0] <= it.ratio <= it.interval[1]
    assert found >= 70 and placed >= 0.88 * found and sized >= 0.88 * found


def test_several_changes_are_each_found_beside_their_neighbours():
    dice = np.random.default_rng(1)
    logs = NOISES["normal"](dice, 45)
    logs[15:] += math.log(0.9)
    logs[30:] += math.log(1.2)
    first, second = points.changes(np.exp(logs), points.LEVEL)
    assert first.first <= 15 <= first.last and second.first <= 30 <= second.last
    assert first.interval[0] < 0.9 < first.interval[1] and second.interval[0] < 1.2 < second.interval[1]


def test_a_single_outlier_and_equal_values_are_no_change():
    assert points.p_value([1.0] * 12) == 1.0
    assert points.changes([1.0, 1.01, 0.99, 1.0, 1.02, 5.0, 0.98, 1.0, 1.01, 0.99, 1.02, 1.0], points.LEVEL) == []


def test_a_series_is_not_tested_where_it_could_not_show_anything():
    assert points.testable([7]) == [] and points.testable([8]) == [0] and points.least_p(8) <= 0.05
    assert points.testable([8, 20, 20]) == [1, 2] and points.testable([7, 40]) == [1]
    assert len(points.testable([20] * 60)) == 60
    assert all(points.least_p(n) <= points.LEVEL / len(points.testable([n] * 5)) for n in (8, 10, 12))


def test_the_levels_are_holms():
    assert points.levels([0.04, 0.001, 0.02]) == [0.05, 0.05 / 3, 0.025] and points.levels([0.04, 0.03]) == [None, None]
    assert points.levels([0.03, 0.02]) == [0.05, 0.025] and points.levels([]) == []


# Runs in a folder

def stored(folder: Path, number: int, throughput: float, *, repetition: int = 0, revision: str | None = "",
           foreign: float = 0.0,
           cpu: str = "A", **more) -> Path:
    """Store a run of the commit of that number, with this share of other programs' CPU time."""
    environment = {"kernel": "Linux 6.1", "cpu": cpu, "cpus": 4, "governor": None, "turbo": True, "smt": False,
                   "isolated_cpus": "",
                   "mitigations": {}, "clock_source": "tsc", "compiler": "g++ 12", "flags": "-O3",
                   "flush_to_zero": False, "timer_hz": 250,
                   "volk_machine": None, "git_revision": 20 * f"{number:02x}" if revision == "" else revision,
                   "load": [0.5, 0.4, 0.3],
                   "runnable": 0, "steal": 0.0, "other_programs": foreign}
    return store(folder, throughput=throughput, minute=number, repetition=repetition, seed=number, latencies=[],
                 changes={"environment": environment, **more.pop("changes", {})}, **more)


def series(folder: Path, *names: str, by: str = COMMIT):
    return series_of(read_runs([folder]), [BY_ID[name] for name in names or ("throughput_items_per_s",)], by)


def test_a_series_has_a_value_a_commit_in_the_order_of_time(tmp_path):
    for number in (2, 0, 1):
        for repetition, throughput in enumerate((1.0e9, 1.1e9, 1.2e9)):
            stored(tmp_path, number, throughput * (1 + number), repetition=repetition)
    [it] = series(tmp_path)
    assert [group.name for group in it.groups] == [(20 * f"{n:02x}")[:SHORT] for n in (0, 1, 2)]
    assert [group.value(False) for group in it.groups] == pytest.approx([1.1e9, 2.2e9, 3.3e9], rel=0.01)
    assert [len(group.values) for group in it.groups] == [3, 3, 3]


def test_commits_stand_as_in_the_repository_whenever_they_were_measured(tmp_path, capsys, monkeypatch):
    """Check this because old commits are measured later, to find the cause of a number."""
    repository = make_repository(tmp_path / "repository")
    commits = [git(repository, "rev-parse", "HEAD")]
    for number in range(2):
        git(repository, "commit", "--quiet", "--allow-empty", "-m", str(number))
        commits.append(git(repository, "rev-parse", "HEAD"))
    runs = tmp_path / "runs"
    for minute, revision in enumerate((commits[2], commits[0], commits[1] + "-dirty", commits[1])):
        stored(runs, minute, 1e9, revision=revision)

    def asked(*options: str) -> dict:
        assert cli.main(["runs", "history", str(runs), "--json", *options]) == 0
        return json.loads(capsys.readouterr().out)

    def names(answer: dict) -> list[str]:
        return [group["name"] for group in answer["series"][0]["groups"]]

    first, middle, last = (commit[:SHORT] for commit in commits)
    dirty = f"{middle}-dirty 2026-01-02"
    monkeypatch.chdir(tmp_path)
    assert (asked()["order"], names(asked())) == ("first_runs", [last, first, dirty, middle])
    by_git = ("git", [first, dirty, middle, last])
    assert (asked("--repository", str(repository))["order"], names(asked("--repository", str(repository)))) == by_git
    monkeypatch.chdir(repository)
    assert (asked()["order"], names(asked())) == by_git
    assert cli.main(["runs", "history", str(runs)]) == 0
    assert capsys.readouterr().out.startswith("4 runs of 4 commits in the order of git, 2026")
    stored(runs, 5, 1e9, revision="a" * 40)  # a commit that this repository does not have
    assert names(asked())[0] == last
    for options, why in (((), "lacks commits of some runs"), (("--by", "day"), "values are per day")):
        assert cli.main(["runs", "history", str(runs), "--repository", str(repository), *options]) != 0
        assert why in capsys.readouterr().err


def test_what_differs_from_its_commit_is_of_its_day_and_days_are_there_without_commits(tmp_path):
    for number, revision in enumerate(("a" * 40, "a" * 40 + "-dirty", None)):
        stored(tmp_path, number, 1e9, revision=revision)
    runs = read_runs([tmp_path])
    assert not runs.commits
    [it] = series_of(runs, [BY_ID["throughput_items_per_s"]], COMMIT)
    assert [group.name for group in it.groups] == ["aaaaaaaaaa", "aaaaaaaaaa-dirty 2026-01-02", "2026-01-02"]
    [it] = series_of(runs, [BY_ID["throughput_items_per_s"]], DAY)
    assert [(group.name, len(group.values)) for group in it.groups] == [("2026-01-02", 3)]


def test_machines_points_and_flowgraphs_are_never_of_one_series(tmp_path):
    stored(tmp_path, 0, 1e9)
    stored(tmp_path, 1, 1e9, cpu="B")
    stored(tmp_path, 2, 1e9, sets={"stages": "2"})
    stored(tmp_path, 3, 1e9, deployment="single_thread")
    other = json.loads(example("quickstart"))
    other["graph"]["blocks"].append({"id": "beside", "type": "null_source", "state": "disabled"})
    stored(tmp_path, 4, 1e9, project=json.dumps(other).encode())
    found = series(tmp_path)
    assert len(found) == 5 and all(len(one.groups) == 1 for one in found)
    assert sum("(flowgraph 2)" in one.label for one in found) == 1 and len({one.machine for one in found}) == 2
    answer = HistoryAnswer(read_runs([tmp_path]), found, COMMIT)
    assert any(line.startswith("2 machines, each with its own series") for line in answer.remarks())


def test_runs_of_a_disturbed_block_are_reported_with_and_without(tmp_path):
    for number in range(12):
        for repetition in (0, 1):
            # The second run of every commit is disturbed, and slow from the 7th on. Without these runs there is no
            # change.
            slow = 0.5 if repetition and number >= 6 else 1.0
            stored(tmp_path, number, 1e9 * slow * (1 + 0.001 * (number * 7 % 12)), repetition=repetition,
                   foreign=0.5 * repetition)
    [it] = series(tmp_path)
    assert it.disturbed == 12 and it.groups[7].value(True) > it.groups[7].value(False)
    answer = HistoryAnswer(read_runs([tmp_path]), [it], COMMIT)
    [[change], []] = [found.changes for found in (answer.found[0], answer.undisturbed[0])]
    assert change.at == 6 and answer.found[0].verdict(change) == WORSE
    assert re.search(r"worse -\d\d\.\d % .* \| none shown$", answer.text().rstrip())


def test_a_block_with_one_disturbed_run_is_disturbed_whole(tmp_path):
    for deployment, foreign in (("flow", 0.5), ("single_thread", 0.0)):
        stored(tmp_path, 3, 1e9, deployment=deployment, foreign=foreign)
    runs = read_runs([tmp_path])
    assert len(runs.disturbed) == 2


def test_what_is_not_ok_or_cannot_be_read_is_counted_and_nowhere_else(tmp_path, capsys):
    stored(tmp_path, 0, 1e9)
    stored(tmp_path, 1, 1e6, status="failed")
    broken = stored(tmp_path, 2, 1e9)
    (broken / "results.json").write_text("{")
    assert cli.main(["runs", "history", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert ("left out: 1 run with a status other than ok" in said and "skipped: " in said
            and said.startswith("1 run of 1 commit in the order of their first runs, 2026"))
    assert "not enough data: 1 values, but at least 8 are needed" in said


def test_folders_of_sweeps_are_folders_of_runs_and_a_search_is_none(tmp_path):
    for number in range(2):
        stored(tmp_path / f"sweep{number}", number, 1e9)
        stored(tmp_path / f"sweep{number}" / "search" / "1", number + 10, 9e9)
    assert [run.results["throughput_items_per_s"] for run in read_runs([tmp_path]).all] == [1e9, 1e9]
    assert len(read_runs([tmp_path, tmp_path / "sweep1"]).all) == 2
    with pytest.raises(WeirError, match="no run that is ok"):
        (tmp_path / "empty").mkdir()
        read_runs([tmp_path / "empty"])


# Messages

def history(folder: Path) -> None:
    """Store 14 commits, of which the last 6 are 8 % slower."""
    dice = np.random.default_rng(2)
    for number in range(14):
        level = 1e9 * (0.92 if number >= 8 else 1.0)
        for repetition in range(2):
            stored(folder, number, level * math.exp(0.005 * dice.standard_normal()), repetition=repetition)


def test_a_planted_regression_is_reported_in_words_as_json_and_on_the_page(tmp_path, capsys):
    history(tmp_path / "runs")
    page = tmp_path / "history.html"
    assert cli.main(["runs", "history", str(tmp_path / "runs"), "-o", str(page), "--metric",
                     "throughput_items_per_s"]) == 0
    said = capsys.readouterr().out
    at = (20 * "08")[:SHORT]
    [(ratio, low, high)] = re.findall(rf"worse (-[\d.]+) % \((-[\d.]+) \.\. (-[\d.]+) %\) at {at} \(2026-01-02", said)
    assert float(low) <= -8.0 <= float(high) and float(low) <= float(ratio) <= float(high)
    assert cli.main(["runs", "history", str(tmp_path / "runs"), "--json"]) == 0
    answer = answered(capsys, "history")
    [one] = answer["series"]
    assert one["metric"] == "throughput_items_per_s" and one["undisturbed"] is None and len(one["groups"]) == 14
    [change] = one["all"]["changes"]
    assert change["at"] == at and change["verdict"] == WORSE and change["from"] <= at <= change["to"]
    text = page.read_text()
    assert f"at {at}" in text and "weir runs history" in text and "{{" not in text
    tables = [base64.b64decode(data).decode() for data in re.findall(r'href="data:text/csv;base64,([^"]+)"', text)]
    [table] = [table for table in tables if table.startswith("point,machine,metric,commit")]
    assert table.count("\n") == 15
    assert (tmp_path / "history_figures" / "throughput_items_per_s_1.pdf").is_file()


def test_less_latency_is_better_and_more_throughput(tmp_path):
    for number in range(16):
        stored(tmp_path, number, 1e9 * (1 + number / 1000),
               changes={"elapsed_s": (1.0 if number < 8 else 0.8) + number / 1000})
    answer = HistoryAnswer(read_runs([tmp_path]), series(tmp_path, "elapsed_s", "throughput_items_per_s"), COMMIT)
    elapsed, throughput = answer.found
    assert {elapsed.verdict(change) for change in elapsed.changes} == {BETTER}
    assert {throughput.verdict(change) for change in throughput.changes} == {BETTER}


def test_what_the_machine_did_itself_stands_beside_a_change(tmp_path):
    for slow, folder in ((0.9, tmp_path / "machine"), (1.0, tmp_path / "program")):
        for number in range(14):
            control = 4e9 * (slow if number >= 7 else 1.0) * (1 + 0.001 * (number * 5 % 14))
            stored(folder, number, 1e9 * (0.9 if number >= 7 else 1.0) * (1 + 0.001 * (number * 3 % 14)),
                   changes={"speed_check": {"cpu": 0, "seconds": 0.05, "before_items_per_s": control,
                                        "after_items_per_s": control}})
    told = [HistoryAnswer(read_runs([tmp_path / of]), series(tmp_path / of), COMMIT) for of in ("machine", "program")]
    assert re.search(r"worse -9\.\d % .*; the bare kernel -(9|10)\.\d %\)", told[0].text())
    assert "bare kernel" not in told[1].text()
    [change] = told[1].as_json()["series"][0]["all"]["changes"]
    assert change["control"]["interval"][0] <= 1 <= change["control"]["interval"][1]


@pytest.mark.parametrize("words, code, said", [
    (["--metric", "speed"], 2, "unknown metric"), (["--metric", "p99_ns"], 4, "no run has p99_ns"),
    (["--figures", "f"], 2, "needs -o"),
    (["--at", "stages=9"], 4, "has no run at stages=9"), (["--at", "nosuch=1"], 2, "nosuch")])
def test_what_cannot_be_shown_is_reported(words, code, said, tmp_path, capsys):
    stored(tmp_path, 0, 1e9)
    assert cli.main(["runs", "history", str(tmp_path), *words]) == code
    assert said in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_said_to_be_none(tmp_path, capsys):
    assert cli.main(["runs", "history", str(tmp_path / "none")]) == 3
    assert "E_FILE_MISSING" in capsys.readouterr().err


# docs/history.md

PAGE = " ".join((CODEGEN.parent / "docs" / "history.md").read_text(encoding="utf-8").split())


def test_the_numbers_of_the_page_are_those_of_the_code():
    assert f"fewer than {points.LEAST} commits" in PAGE
    assert f"at least {points.LEAST_SIDE} values on either side" in PAGE
    assert points.LEVEL == 0.05 and points.CONFIDENCE == 0.95 and f"{points.DRAWN:,} permutations" in PAGE
    assert f"`{METRICS[0]}`, `{METRICS[1]}` and `{METRICS[2]}`" in PAGE and f"first {SHORT} digits" in PAGE
