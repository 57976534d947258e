"""Test that each verb still reads the formats of f01e6407: its project, runs, sweep and capsule.

The `weir run`, `weir sweep` and `weir pack` of that revision wrote fixtures/f01e6407.tar.xz.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import FIXTURES, unpacked
from weir.cli import main
from weir.interop.capsule.checking import checked
from weir.interop.capsule.layout import SWEEP
from weir.lab.sweeping.state import read_state


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked(FIXTURES / "f01e6407.tar.xz", tmp_path_factory.mktemp("kept"))


def answer(capsys: pytest.CaptureFixture, *words: object) -> tuple[int, dict | list]:
    """Return the exit code of a verb and the JSON that it printed."""
    capsys.readouterr()
    code = main([*map(str, words), "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_the_project_is_valid(kept, capsys):
    code, found = answer(capsys, "validate", kept / "kept.weir.json")
    assert code == 0 and found["ok"] and not found["diagnostics"]
    assert main(["format", "--check", str(kept / "kept.weir.json")]) == 0


def test_the_runs_are_listed_compared_and_drawn(kept, capsys, tmp_path):
    code, rows = answer(capsys, "runs", "list", "--out", kept / "runs")
    assert code == 0 and [(row["deployment"], row["status"], row["p50_ns"] > 0) for row in rows] == [
        ("flow", "ok", True), ("single_thread", "ok", True)]
    code, found = answer(capsys, "compare", *sorted((kept / "runs").iterdir()))
    assert code == 4 and found["comparisons"][0]["verdict"] == "not enough data"
    page = tmp_path / "page.html"
    assert main(["report", str(kept / "runs"), "-o", str(page)]) == 0
    assert "single_thread" in page.read_text(encoding="utf-8")


def test_the_points_of_the_sweep_are_compared_and_packed(kept, capsys, tmp_path):
    code, found = answer(capsys, "compare", kept / "sweep", kept / "sweep",
                         "--a-point", "stages=1", "--b-point", "stages=3")
    assert code == 4 and [found["comparisons"][0][side]["good"] for side in "ab"] == [2, 2]
    assert main(["export", str(kept / "sweep"), "-o", str(tmp_path / "again.zip")]) == 0


def test_the_capsule_is_read(kept, tmp_path):
    capsule = checked(kept / "capsule.zip")
    capsule.unpack(tmp_path / "unpacked")
    capsule.stands(tmp_path / "unpacked")
    there = read_state(tmp_path / "unpacked" / SWEEP)
    assert there is not None and [axis["key"] for axis in there.value["axes"]] == ["stages", "trace"]


@pytest.mark.slow
def test_the_capsule_is_reproduced(kept, capsys, tmp_path):
    code, found = answer(capsys, "reproduce", kept / "capsule.zip", "--out", tmp_path / "here", "--quick", "--yes")
    assert code == 4 and found["verdict"] == "not enough data"


def test_a_run_is_done_again(kept, capsys, tmp_path):
    [flow] = (kept / "runs").glob("*-flow-*")
    code, [found] = answer(capsys, "rerun", flow, "--folder", kept, "--out", tmp_path)
    assert code == 0 and found["status"] == "ok" and found["same"]["plan"]
