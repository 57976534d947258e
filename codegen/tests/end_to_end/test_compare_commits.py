"""Test the script of CI: two commits of a repository, measured and compared, without a network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest
from conftest import CODEGEN
from planning import UNOPTIMISED

SCRIPT = CODEGEN.parent / "ci/compare-commits.sh"


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b", *words], cwd=folder, check=True,
                   capture_output=True)


def commit(folder: Path, stages: int, message: str) -> None:
    """Commit a project whose work grows with the number of stages."""
    document = {
        "schema_version": 1, "name": "chain",
        "graph": {"blocks": [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
                             {"id": "limit", "type": "head"},
                             {"id": "stage", "type": "multiply_const", "repeat": stages},
                             {"id": "sink", "type": "null_sink"}],
                  "connections": [["source", "out", "limit", "in"], ["limit", "out", "stage", "in"],
                                  ["stage", "out", "sink", "in"]]},
        "deployments": [{"name": "one", "scheduler": "single_thread", "build": UNOPTIMISED}],
        "run": {"items": 10_000_000, "trace": {"backend": "off"}}}
    (folder / "chain.weir.json").write_text(json.dumps(document))
    git(folder, "add", "."), git(folder, "commit", "-qm", message)


def compared(folder: Path, base: str, out: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SCRIPT, "chain.weir.json", base, "--rounds", "8", "--out", out,
                           "--weir", f"{sys.executable} -m weir"], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(CODEGEN)}, timeout=500)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q")
    commit(tmp_path, 2, "Begin")
    commit(tmp_path, 12, "Do much more")
    return tmp_path


def test_a_slower_commit_fails_and_each_file_says_so(repository: Path) -> None:
    done = compared(repository, "HEAD~1", "out")
    out = repository / "out"
    answer = json.loads((out / "comparison.json").read_text())["comparisons"][0]
    assert answer["rounds"] == 8 and answer["design"] == "interleaved" and answer["metrics"][0]["interval"][1] < 0.8
    # On a busy machine, the machine may explain even this difference.
    assert (done.returncode, answer["verdict"]) in ((1, "worse"), (4, "in doubt")), done.stderr
    text = (out / "comparison.md").read_text()
    assert text.startswith(f"**Performance: {answer['verdict']}**") and "A is " in text
    failures = [it.get("message") for it in xml.parse(out / "junit.xml").iter("failure")]
    assert failures == (["throughput worse"] if done.returncode == 1 else [])
    [measures] = json.loads((out / "bencher.json").read_text()).values()
    assert measures["throughput_items_per_s"]["value"] == pytest.approx(answer["metrics"][0]["b"])
    # Nothing is left behind in the repository.
    said = subprocess.run(["git", "worktree", "list"], cwd=repository, capture_output=True, text=True).stdout
    assert len(said.splitlines()) == 1


@pytest.mark.slow
def test_a_commit_like_its_base_is_no_regression(repository: Path) -> None:
    (repository / "notes.txt").write_text("nothing measured")
    git(repository, "add", "."), git(repository, "commit", "-qm", "Add notes")
    done = compared(repository, "HEAD~1", "out")
    assert done.returncode in (0, 4) and not list(xml.parse(repository / "out/junit.xml").iter("failure")), done.stderr
