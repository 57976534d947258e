"""Test that everything made by `weir new` works at once: blocks pass their tests; project, block and scheduler run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from weir.cli import main
from weir.cli.verbs import _suites as verb


def weir(*words: str | Path) -> int:
    return main([*map(str, words)])


@pytest.fixture
def blocks(tmp_path: Path) -> Path:
    folder = tmp_path / "blocks"
    for words in (("my_block",), ("my_pair", "--inputs", 2, "--outputs", 3, "--item-type", "i16"),
                  ("my_source", "--inputs", 0, "--family", "sources", "--item-type", "c64"),
                  ("my_sink", "--outputs", 0, "--item-type", "u8", "--item-type", "f64")):
        assert weir("new", "block", *words, "-o", folder) == 0
    return folder


def test_blocks_pass_their_own_tests(blocks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    monkeypatch.setattr(verb, "LOGS", tmp_path)
    assert weir("test", "--only", "blocks", "--block-path", blocks) == 0, capsys.readouterr().out
    log = (tmp_path / "blocks.log").read_text()
    assert "1/1 Test #1: blocks.conformance" in log
    # The same suite finds a fault: a third item that the block does not give.
    descriptor = blocks / "my_block" / "block.json"
    text = descriptor.read_text()
    assert '"outputs": {"out": [1, 2, 3]}' in text
    descriptor.write_text(text.replace('"outputs": {"out": [1, 2, 3]}', '"outputs": {"out": [1, 2, 4]}'))
    assert weir("test", "--block-path", blocks) == 4
    assert "three_f32" in capsys.readouterr().out


def test_project_block_and_scheduler_run_together(blocks: Path, tmp_path: Path, capsys):
    assert weir("new", "scheduler", "my_scheduler", "-o", tmp_path / "schedulers") == 0
    assert weir("new", "project", "mine", "-o", tmp_path) == 0
    file = tmp_path / "mine.weir.json"
    project = json.loads(file.read_text())
    project["graph"]["blocks"][2]["type"] = "my_block"
    project["deployments"][0] |= {"name": "mine", "scheduler": "my_scheduler"}
    file.write_text(json.dumps(project))
    capsys.readouterr()
    assert weir("run", file, "--deployment", "mine", "--deployment", "single_thread", "--set", "/run/items=1000000",
                "--set", "/run/warmup_items=0", "--trace", "off", "--json", "--out", tmp_path / "runs",
                "--block-path", blocks, "--scheduler-path", tmp_path / "schedulers") == 0
    results = {result["deployment"]: result for result in json.loads(capsys.readouterr().out)}  # in random order
    mine, reference = results["mine"], results["single_thread"]
    assert (mine["status"], mine["scheduler"]) == ("ok", "my_scheduler")
    assert mine["sinks"][0]["items"] == 1_000_000 and mine["sinks"][0]["digest"] == reference["sinks"][0]["digest"]
    # If the folders have moved, a run is repeated from its kept copies, once the user trusts them.
    moved = tmp_path / "moved"
    moved.mkdir()
    for folder in (blocks, tmp_path / "schedulers"):
        folder.rename(moved / folder.name)
    run = next(path for path in (tmp_path / "runs").iterdir() if "-mine-mine-" in path.name)
    kept = {str(path.relative_to(run / "sources")) for path in (run / "sources").rglob("*") if path.is_file()}
    assert kept == {"blocks/my_block/block.json", "blocks/my_block/my_block.hpp", "blocks/my_block/reference.py",
                    "schedulers/my_scheduler/scheduler.json", "schedulers/my_scheduler/my_scheduler.hpp"}
    assert weir("reproduce", run, "--out", tmp_path / "again") == 2
    assert "E_UNTRUSTED" in capsys.readouterr().err and not (tmp_path / "again").exists()
    for granted in (("--trust",), ("--block-path", moved / "blocks", "--scheduler-path", moved / "schedulers")):
        assert weir("reproduce", run, "--out", tmp_path / "again", "--json", *granted) == 0
        [answer] = json.loads(capsys.readouterr().out)
        assert answer["same"] == {"plan": True, "sources": True, "binary": True}
    assert weir("runs", "rm", run) == 0 and not run.exists()
