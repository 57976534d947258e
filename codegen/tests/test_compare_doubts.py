"""Test verdicts of `weir compare` when the machine disturbed one side or both."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from comparing_world import edited, no_waiting_for_the_disk, of, runs  # noqa: F401
from stored_runs import store
from weir import cli


def test_a_side_on_a_slowed_machine_is_flagged_beside_the_other(tmp_path, capsys) -> None:
    def speed_check(items_per_s: float) -> dict:
        return {"speed_check": {"cpu": 0, "seconds": 0.05,
                                "before_items_per_s": items_per_s, "after_items_per_s": None}}

    a, b = runs(tmp_path / "a", changes=speed_check(10e9)), runs(tmp_path / "b", set_id=2, changes=speed_check(7e9))
    _, one = of(capsys, a, b)
    assert [n["side"] for n in one["flagged"]] == ["B"] * 8
    assert one["flagged"][0]["why"][0].startswith("W_MACHINE_SLOWED: the machine was 30 % slower")
    assert one["headline"] == [
        "the machine was slower, or changed its speed, in all 8 runs of B, none of A, so verdicts against B are in "
        "doubt"]
    assert "in doubt" in [metric["verdict"] for metric in one["metrics"]]


DISTURBED = {"code": "W_DISTURBED", "message": "others had 30 % of the time of the run's 2 CPUs"}


def of_disturbed(out: Path, factor: float, share: float, **options) -> Path:
    """Store runs of which `share` was disturbed."""
    for i in range(8):
        reasons = [DISTURBED] if i < 8 * share else []
        store(out, throughput=1e9 * factor * (1 + 0.001 * i), repetition=i, paced=False, **options,
              changes={"binary_hash": f"{round(factor * 1e6):064x}", "reasons": reasons})
    return out


@pytest.mark.parametrize("factor, a, b, verdict, code", [
    (0.9, 0, 1, "in doubt", 4), (1.1, 1, 0, "in doubt", 4), (0.9, 0.25, 0.75, "in doubt", 4),
    # The interference did not favour the better side, or affected both sides alike.
    (1.1, 0, 1, "better", 0), (0.9, 1, 0, "worse", 1), (0.9, 1, 1, "worse", 1), (0.9, 0.25, 0.5, "worse", 1),
    (1.0, 0, 1, "no difference", 0)])
def test_of_a_side_that_was_disturbed_a_difference_is_in_doubt(factor, a, b, verdict, code, tmp_path, capsys) -> None:
    sides = of_disturbed(tmp_path / "a", 1.0, a), of_disturbed(tmp_path / "b", factor, b)
    ended, one = of(capsys, *sides)
    assert (ended, one["verdict"], one["metrics"][0]["verdict"]) == (code, verdict, verdict)
    told = {"A": round(8 * a), "B": round(8 * b)}
    said = "other programs disturbed " + " and ".join(
        f"{'all 8' if n == 8 else f'{n} of 8'} runs of {name}" for name, n in told.items() if n) + "".join(
        f", none of {name}" for name, n in told.items() if not n)
    assert one["because"].startswith(said) == (verdict == "in doubt")
    if abs(a - b) < 0.5:  # both were disturbed: the difference stands, but not for a quiet machine
        said += ": this affects both sides, so the verdict stands, but the difference on an idle machine is unknown"
    assert one["headline"] == ([] if verdict == "in doubt" else [said])  # at the verdict, and once


@pytest.mark.parametrize("factor, had, verdict, code", [
    (7.4, (0.85, 0.84), "in doubt", 4), (0.5, (0.06, 0.06), "in doubt", 4), (1.0, (0.85, 0.84), "no difference", 0),
    (1.1, (0.05, 0.05), "better", 0), (1.1, (0.85, 0.02), "better", 0)])
def test_interference_on_both_sides_makes_nothing_better(factor, had, verdict, code, tmp_path,
                                                         capsys) -> None:
    def with_others(foreign: float) -> Callable[[dict], object]:
        return lambda results: results["environment"].update(other_programs=foreign)

    sides = edited(runs(tmp_path / "a"), with_others(had[0])), edited(runs(tmp_path / "b", factor), with_others(had[1]))
    ended, one = of(capsys, *sides)
    assert (ended, one["verdict"]) == (code, verdict)
    said = (f"other programs used {had[0]:.0%} of the CPUs in runs of A and {had[1]:.0%} in runs of B (medians), but "
            "a verdict allows at most 5%").replace("%", " %")
    assert one["because"].startswith(said) == (verdict == "in doubt")


def test_doubts_beside_no_difference_are_reported_with_it(tmp_path, capsys) -> None:
    a, b = of_disturbed(tmp_path / "a", 1.0, 0), of_disturbed(tmp_path / "b", 1.0, 1)
    edited(b, lambda results: results["latency"].update(p50_ns=10 * results["latency"]["p50_ns"]))
    assert of(capsys, a, b)[1]["says"] == "no difference shown in throughput, latency in doubt"


def test_a_doubt_stands_at_the_verdict_in_every_form(tmp_path, capsys) -> None:
    sides = [str(of_disturbed(tmp_path / "a", 1.0, 0)), str(of_disturbed(tmp_path / "b", 0.9, 1))]
    said = "other programs disturbed all 8 runs of B, none of A: this may explain the difference"
    assert cli.main(["compare", *sides]) == 4
    [first, second] = [line for line in capsys.readouterr().out.splitlines() if "flow: " in line or said in line]
    assert first.startswith("flow: in doubt") and second.startswith(f"  {said}")
    assert cli.main(["compare", *sides, "--markdown"]) == 4
    [row] = [line for line in capsys.readouterr().out.splitlines() if said in line]
    assert "| flow | ⚪ in doubt: " in row
    page = tmp_path / "page.html"
    assert cli.main(["report", *sides, "--compare", "-o", str(page)]) == 0
    html = page.read_text()
    assert "<h1>In doubt</h1>" in html and "<h2>flow: in doubt</h2>\n<p>Other programs disturbed all 8" in html
    assert "worse" not in html[html.index("<table>"):html.index("</table>")]


def test_too_few_runs_of_a_disturbed_side_say_so_first(tmp_path, capsys) -> None:
    b = runs(tmp_path / "b", 0.5, count=3, changes={"reasons": [DISTURBED]})
    code, one = of(capsys, runs(tmp_path / "a", count=3), b)
    assert (code, one["verdict"], one["headline"]) == (
        4, "not enough data", ["other programs disturbed all 3 runs of B, none of A"])


@pytest.mark.parametrize("change, verdict", [
    ({}, "in doubt"), ({"binary_hash": "1" * 64}, "worse"), ({"metrics": "profile"}, "worse"),
    ({"binary_hash": None}, "worse")])
def test_one_program_measured_twice_is_neither_better_nor_worse(change, verdict, tmp_path, capsys) -> None:
    a = runs(tmp_path / "a", changes=change if change.get("binary_hash", "") is None else {})
    shutil.copytree(a, tmp_path / "b")
    edited(tmp_path / "b", lambda results: results.update(
        {"throughput_items_per_s": 0.8 * results["throughput_items_per_s"], **change,
         "run_id": f"{results['run_id']}-again"}))
    code, one = of(capsys, a, tmp_path / "b")
    assert (code, one["verdict"]) == (1 if verdict == "worse" else 4, verdict)
    assert one["because"].startswith("A and B are the same program, run in the same way") == (verdict == "in doubt")
