"""Test the check that protects files of others: in the cache of builds, and wherever files are removed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from owned_folders import EXTENSION, NEW, OLD, cached, copies, snapshot, weir
from stored_runs import store
from weir import PACKAGE
from weir.diagnostics import WeirError
from weir.engine.generation import build as building
from weir.engine.generation.emit import write_tree
from weir.model import ownership
from weir.model.ownership import Standing


@pytest.fixture
def two_builds(tmp_path, monkeypatch) -> tuple[Path, Path]:
    """Return an old build and the newest one, with room for one."""
    monkeypatch.setattr(building, "KEPT_BYTES", 0)
    monkeypatch.setattr(building, "_in_use", {}, raising=False)
    return cached(tmp_path, "a", 1000), cached(tmp_path, "b", 2000)


def test_a_build_that_is_used_is_not_pruned(two_builds):
    old, newest = two_builds
    building._in_use[old] = old.with_suffix(".used").open("w")
    building.fcntl.flock(building._in_use[old], building.fcntl.LOCK_SH)
    building._prune(newest)
    assert (old / "build" / "build.json").exists()
    building._in_use.clear()
    building._prune(newest)
    assert not old.exists() and newest.exists()


def test_a_build_that_was_finished_while_others_were_looked_at_is_not_pruned(two_builds, monkeypatch):
    """Let another process use and finish a build between the listing of old builds and the lock."""
    old, newest = two_builds
    flock = building.fcntl.flock

    def used_meanwhile(*arguments):
        os.utime(old / "build" / "build.json")
        return flock(*arguments)

    monkeypatch.setattr(building.fcntl, "flock", used_meanwhile)
    building._prune(newest)
    assert (old / "build" / "build.json").exists()


def test_pruning_leaves_what_is_not_weirs(two_builds):
    old, newest = two_builds
    (old / "notes.txt").write_text("mine")
    stranger = newest.with_name("c" * 32)
    stranger.mkdir()
    (stranger / "thesis.tex").write_text("mine")
    building._prune(newest)
    assert snapshot(old) == {"notes.txt": b"mine"} and (stranger / "thesis.tex").exists()


# The check itself

def foreign_manifest(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "manifest.json").write_text(json.dumps(EXTENSION))
    write_tree(NEW, tmp_path / "out")
    return tmp_path / "out" / "manifest.json"


def edited_file(tmp_path: Path) -> Path:
    write_tree(OLD, tmp_path / "out")
    (tmp_path / "out" / "src" / "main.cpp").write_text("edited")
    write_tree(NEW, tmp_path / "out")
    return tmp_path / "out" / "src" / "main.cpp"


def covered_file(tmp_path: Path) -> Path:
    write_tree(OLD, tmp_path / "out")
    (tmp_path / "out" / "src" / "more.hpp").write_text("mine")
    write_tree(NEW, tmp_path / "out")
    return tmp_path / "out" / "src" / "more.hpp"


def stranger_in_a_build(tmp_path: Path) -> Path:
    old, newest = cached(tmp_path, "a", 1000), cached(tmp_path, "b", 2000)
    (old / "notes.txt").write_text("mine")
    building._prune(newest)
    return old / "notes.txt"


def stranger_in_a_run(tmp_path: Path) -> Path:
    run = store(tmp_path / "runs")
    (run / "thesis.tex").write_text("mine")
    assert weir("runs", "rm", run, "--out", tmp_path / "runs") == 0
    return run / "thesis.tex"


def stranger_with_copies(tmp_path: Path) -> Path:
    store(tmp_path / "runs")
    folder = copies(tmp_path / "runs")
    weir("runs", "rm", folder, "--out", tmp_path / "runs")
    return folder / "thesis.tex"


@pytest.mark.parametrize("lets_it_happen", [foreign_manifest, edited_file, covered_file, stranger_in_a_build,
                                            stranger_in_a_run, stranger_with_copies])
def test_a_check_that_always_says_yes_is_noticed(tmp_path, monkeypatch, lets_it_happen):
    """Check every caller: with the real check the stranger's file stays; with one that always says yes, it is lost."""
    monkeypatch.setattr(building, "KEPT_BYTES", 0)
    file = None
    for always in (False, True):
        folder = tmp_path / str(always)
        folder.mkdir()
        if always:
            monkeypatch.setattr(ownership, "standing", lambda *_: Standing.OURS)
        try:
            file = lets_it_happen(folder)
            kept = file.exists() and file.read_bytes() not in NEW.values()
        except WeirError:
            kept = True
        assert kept != always


def test_nothing_in_weir_removes_or_replaces_past_the_check():
    """Check that code which removes a tree asks `ownership`. The list has single files that the same code made."""
    root = PACKAGE
    found = {(str(path.relative_to(root)), word) for path in root.rglob("*.py")
             for word in ("rmtree(", ".rmdir(", "os.rename(", "os.remove(", ".unlink(", "os.replace(", "os.unlink(")
             if word in path.read_text(encoding="utf-8")}
    assert {file for file, word in found if word == "rmtree("} == set()
    assert {file for file, _ in found} == {
        "model/ownership.py", "files.py", "engine/generation/tree.py", "engine/measuring/run_directory.py",
        "engine/measuring/run_store.py", "engine/measuring/recording.py", "engine/measuring/runner.py",
        "engine/measuring/trace_reader.py", "engine/measuring/lttng_daemon.py", "engine/measuring/lttng_place.py",
        "engine/measuring/disk_watch.py", "engine/generation/kept.py", "engine/conformance/scheduled.py",
        "engine/generation/pinned.py", "lab/sweeping/parquet.py", "cli/verbs/_suites.py",
        "machine/isolating/machine.py", "machine/isolating/journal.py", "engine/measuring/kernel_trace.py",
        "interop/boards/job.py", "interop/boards/crossing.py"}
