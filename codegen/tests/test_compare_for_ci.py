"""Test what CI systems read: JUnit, the Bencher Metric Format, the plot in Markdown, the action and the template."""

from __future__ import annotations

import json
import re
import subprocess
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest
import yaml
from comparing_world import no_waiting_for_the_disk, runs  # noqa: F401
from conftest import CODEGEN
from weir import cli

CI = CODEGEN.parent / "ci"
PROJECT = CODEGEN.parent / "examples/null_rand_latency.weir.json"


def printed(capsys: pytest.CaptureFixture, *words: object) -> tuple[int, str]:
    capsys.readouterr()
    code = cli.main(["compare", *map(str, words)])
    return code, capsys.readouterr().out


def sides(folder: Path) -> tuple[Path, Path]:
    """Return two folders. `flow` became slower, `thread_per_block` did not, and `single_thread` has too few runs."""
    a, b = folder / "a", folder / "b"
    for deployment, factor, count in (("flow", 0.9, 8), ("thread_per_block", 1.0, 8), ("single_thread", 1.0, 3)):
        runs(a, project=PROJECT, deployment=deployment, count=count, latencies=[])
        runs(b, factor, project=PROJECT, deployment=deployment, count=count, latencies=[])
    return a, b


def test_junit_has_a_test_for_each_deployment(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    code, text = printed(capsys, *sides(tmp_path), "--junit")
    [suite] = root = xml.fromstring(text)
    assert code == 1 and root.tag == "testsuites"
    assert [(suite.get(name), root.get(name)) for name in ("tests", "failures", "skipped")] == [("3", "3"), ("1", "1"),
                                                                                             ("1", "1")]
    cases = {case.get("name"): case for case in suite.iter("testcase")}
    [failure] = cases["flow"].iter("failure")
    assert failure.get("message") == "throughput worse" and "throughput_items_per_s" in str(failure.text)
    assert not cases["thread_per_block"].findall("failure") and not cases["thread_per_block"].findall("skipped")
    [skipped] = cases["single_thread"].iter("skipped")
    assert "a verdict needs 8" in str(skipped.get("message"))


def test_points_without_a_counterpart_are_skipped_tests(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    a, b = sides(tmp_path)
    runs(a, project=PROJECT, deployment="thread_pool", latencies=[])
    _, text = printed(capsys, a, b, "--junit")
    [case] = [it for it in xml.fromstring(text).iter("testcase") if "thread_pool" in str(it.get("name"))]
    assert "no counterpart" in str(case.find("skipped").get("message"))  # type: ignore[union-attr]


def test_the_bencher_metric_format_has_the_candidates_numbers(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    _, text = printed(capsys, *sides(tmp_path), "--bencher")
    found = json.loads(text)
    assert set(found) == {"flow", "thread_per_block", "single_thread"}
    rate = found["flow"]["throughput_items_per_s"]
    assert set(rate) == {"value", "lower_value", "upper_value"}
    assert 0.88e9 < rate["lower_value"] <= rate["value"] <= rate["upper_value"] < 0.92e9


def test_markdown_draws_the_intervals(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    _, text = printed(capsys, *sides(tmp_path), "--markdown", "--threshold", "5")
    [plot] = re.findall(r"^```\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    head, *lines = plot.splitlines()
    of = {line.split()[0]: line for line in lines}
    zero = head.index("0 ") if "0 " in head else head.index("0")
    assert set(of) == {"flow", "thread_per_block"} and "−" in head and "+" in head
    assert of["flow"].index("●") < of["flow"].index("┊") < of["flow"].index("│")
    assert abs(of["thread_per_block"].index("●") - of["flow"].index("│")) <= 2 and zero
    # Multiples have no place on this axis.
    runs(tmp_path / "c", 0.1, project=PROJECT, deployment="flow", latencies=[])
    assert "```" not in printed(capsys, tmp_path / "a", tmp_path / "c", "--deployment", "flow", "--markdown")[1]


def test_the_forms_exclude_each_other(capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit):
        cli.main(["compare", "a", "b", "--junit", "--markdown"])


def options_of(script: str) -> set[str]:
    return set(re.findall(r"--[a-z]+", script)) - {"--quiet", "--depth"}


def test_the_action_and_the_template_call_the_script_as_it_is(tmp_path: Path) -> None:
    help_text = subprocess.run([CI / "compare-commits.sh", "--help"], capture_output=True, text=True, check=True).stdout
    action = yaml.safe_load((CI / "github/action.yml").read_text())
    step = action["runs"]["steps"][0]
    assert options_of(step["run"].partition('"$SCRIPT"')[2].partition("||")[0]) <= options_of(help_text)
    used = re.findall(r"inputs\.([\w-]+)", (CI / "github/action.yml").read_text())
    assert set(used) == set(action["inputs"])
    template = yaml.safe_load((CI / "gitlab/weir.yml").read_text())[".weir-compare"]
    assert options_of(template["script"][0]) <= options_of(help_text)
    assert template["allow_failure"] == {"exit_codes": 4}


@pytest.mark.parametrize("words, said", [
    ((), "usage:"), (("p.weir.json", "HEAD", "--rounds"), "--rounds needs a value"),
    (("p.weir.json", "HEAD", "--nothing"), "unknown option --nothing"),
    (("p.weir.json", "nowhere"), "there is no commit nowhere")])
def test_the_script_refuses_what_it_does_not_know(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    done = subprocess.run([CI / "compare-commits.sh", *words], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2 and said in done.stderr and not list(tmp_path.glob("weir-comparison"))
