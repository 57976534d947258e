"""Weir replaces and removes only what it wrote: in generated projects, builds, runs and the folders of runs."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from planning import EXAMPLES
from stored_runs import store

from weir import cli, ownership
from weir.diagnostics import WeirError
from weir.document import shape
from weir.generation import build as building
from weir.generation.emit import write_tree
from weir.measuring.run_directory import INCOMPLETE, remove_abandoned
from weir.ownership import MARKER, Marker, Standing
from weir.reporting.report import load_runs

OLD = {"manifest.json": b"1", "src/main.cpp": b"int main() {}\n", "gone.cpp": b"old"}
NEW = {"manifest.json": b"2", "src/main.cpp": b"int main() { return 0; }\n", "src/more.hpp": b"new"}


def weir(*words: object) -> int:
    return cli.main([*map(str, words)])


def snapshot(folder: Path) -> dict[str, object]:
    """Everything in a folder; links as what they say."""
    return {str(p.relative_to(folder)): os.readlink(p) if p.is_symlink() else p.read_bytes() if p.is_file() else None
            for p in folder.rglob("*")}


def refused(files: dict[str, bytes], out: Path) -> tuple[str, str]:
    """(code, message) of what is said; nothing may have changed."""
    before = snapshot(out.parent)
    with pytest.raises(WeirError) as caught:
        write_tree(files, out)
    assert snapshot(out.parent) == before and caught.value.exit_code == 3
    [said] = caught.value.diagnostics
    return said.code, said.message


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    write_tree(OLD, tmp_path / "out")
    return tmp_path / "out"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Three, of which the second has a trace and a file that a block wrote."""
    for number in range(3):
        files = {"trace/ust/channel_0": b"x" * 5000, "out.bin": b"items"} if number == 1 else {}
        store(tmp_path / "runs", repetition=number, seed=number, files=files)
    return tmp_path / "runs"


def nth(runs: Path, number: int) -> Path:
    return sorted(runs.glob("2026*"))[number]


# Generated projects

EXTENSION = {"manifest_version": 3, "name": "An extension", "version": "1.0"}


@pytest.mark.parametrize("manifest", [
    EXTENSION, {**EXTENSION, "files": {}}, {"format": 1, "files": {"plan.json": "0" * 64, "project.json": "0" * 64}}, []])
def test_a_folder_that_has_some_manifest_is_not_replaced(tmp_path, manifest, capsys):
    out = tmp_path / "extension"
    out.mkdir()
    (out / "manifest.json").write_text(json.dumps(manifest))
    (out / "background.js").write_text("all of it")
    assert refused(NEW, out)[0] == "E_OUTPUT_EXISTS"
    before = snapshot(tmp_path)
    assert weir("generate", EXAMPLES / "quickstart.weir.json", "-o", out) == 3
    assert "E_OUTPUT_EXISTS" in capsys.readouterr().err and snapshot(tmp_path) == before


def test_git_notes_and_the_build_stay_where_they_are(tmp_path, capsys):
    out = tmp_path / "out"
    assert weir("generate", EXAMPLES / "quickstart.weir.json", "-o", out) == 0
    theirs = {".git/config": "[core]", "notes.txt": "mine", "src/extra.hpp": "mine", "build/app": "binary",
              "weir/blocks/notes.md": "mine"}
    for name, text in theirs.items():
        (out / name).parent.mkdir(exist_ok=True)
        (out / name).write_text(text)
    (out / "empty").mkdir()
    inode = (out / ".git").stat().st_ino
    assert weir("generate", EXAMPLES / "diamond.weir.json", "-o", out) == 0
    assert {name: (out / name).read_text() for name in theirs} == theirs and (out / "empty").is_dir()
    assert (out / ".git").stat().st_ino == inode
    fresh = tmp_path / "fresh"
    assert weir("generate", EXAMPLES / "diamond.weir.json", "-o", fresh) == 0
    both, made = snapshot(out), snapshot(fresh)
    assert {name: both[name] for name in made} == made
    assert {name for name in both if (out / name).is_file()} - {name for name in made} == set(theirs)


@pytest.mark.parametrize("name", ["src/main.cpp", "gone.cpp"])
def test_a_file_that_was_edited_is_said_and_kept(tree, name):
    (tree / name).write_text("edited")
    assert refused(NEW, tree) == ("E_OUTPUT_EDITED", f"{tree}: edited since Weir wrote it: {name}")


def test_a_file_that_became_a_link_is_kept(tree, tmp_path):
    (tmp_path / "mine.cpp").write_bytes(OLD["src/main.cpp"])
    (tree / "src" / "main.cpp").unlink()
    (tree / "src" / "main.cpp").symlink_to(tmp_path / "mine.cpp")
    assert refused(NEW, tree)[0] == "E_OUTPUT_EDITED"


@pytest.mark.parametrize("make", ["file", "same_file", "folder", "link", "dangling", "staging"])
def test_a_new_file_does_not_cover_a_foreign_one(tree, tmp_path, make):
    victim = tree / ("src/more.hpp" if make != "staging" else ".weir-staging")
    if make in ("folder", "staging"):
        victim.mkdir()
    elif make in ("link", "dangling"):
        victim.symlink_to(tmp_path / ("out" if make == "link" else "nowhere"))
    else:
        victim.write_bytes(NEW["src/more.hpp"] if make == "same_file" else b"mine")
    code, message = refused(NEW, tree)
    assert code == "E_OUTPUT_EXISTS" and str(victim.relative_to(tree)) in message


@pytest.mark.parametrize("there", [True, False])
def test_links_lead_nowhere(tree, tmp_path, there):
    """A folder that became a link is somebody else's with all that is behind it."""
    elsewhere = shutil.move(tree / "src", tmp_path / "elsewhere")
    if not there:
        (elsewhere / "main.cpp").unlink()
    (tree / "src").symlink_to(elsewhere)
    assert refused(NEW, tree)[0] == "E_OUTPUT_EXISTS"
    write_tree({"manifest.json": b"3"}, tree)
    assert (elsewhere / "main.cpp").exists() == there and (tree / "src").is_symlink()


def test_what_was_deleted_is_made_again_and_a_moved_tree_is_still_weirs(tree, tmp_path):
    (tree / "src" / "main.cpp").unlink()
    (tree / "src").rmdir()
    moved = shutil.copytree(tree, tmp_path / "a" / "moved")
    write_tree(NEW, moved)
    assert {n: (moved / n).read_bytes() for n in NEW} == NEW and not (moved / "gone.cpp").exists()


def test_the_marker_says_what_was_written_and_nothing_of_when_and_where(tree, tmp_path):
    write_tree(OLD, tmp_path / "again" / "there")
    text = (tree / MARKER).read_text()
    assert text == (tmp_path / "again" / "there" / MARKER).read_text()
    value = json.loads(text)
    assert shape.check_shape(value, "owned") == [] and set(value) == {"format", "kind", "id", "files"}
    assert value["files"] == {name: [ownership.sha256(data)] for name, data in OLD.items()}
    write_tree(NEW, tree)
    write_tree(OLD, tree)
    assert (tree / MARKER).read_text() == text


def unmarked(tmp_path: Path) -> Path:
    """As Weir wrote trees before there were markers: what `generate` writes, with the manifest as the only list."""
    out = tmp_path / "out"
    assert weir("generate", EXAMPLES / "quickstart.weir.json", "-o", out) == 0
    (out / MARKER).unlink()
    return out


def test_a_tree_without_a_marker_is_weirs_where_every_hash_matches(tmp_path):
    out = unmarked(tmp_path)
    (out / "notes.txt").write_text("mine")
    assert weir("generate", EXAMPLES / "diamond.weir.json", "-o", out) == 0
    assert (out / "notes.txt").read_text() == "mine" and ownership.read(out) is not None
    assert not (out / "weir" / "blocks" / "signal_source.hpp").exists() or "signal_source" in (
        out / "src" / "flowgraph.hpp").read_text()


@pytest.mark.parametrize("what", ["edited", "deleted", "linked"])
def test_a_tree_without_a_marker_is_not_where_one_does_not(tmp_path, what):
    out = unmarked(tmp_path)
    file = out / "src" / "main.cpp"
    if what == "linked":
        file.rename(tmp_path / "main.cpp")
        file.symlink_to(tmp_path / "main.cpp")
    else:
        file.write_text("edited") if what == "edited" else file.unlink()
    assert refused(NEW, out)[0] == "E_OUTPUT_EXISTS"


@pytest.mark.parametrize("name", ["../precious", "src/../../precious", "/{}/precious"])
def test_a_marker_that_leads_out_of_its_folder_is_none(tree, tmp_path, name):
    """A marker comes with whatever was cloned or unpacked."""
    precious = tmp_path / "precious"
    precious.write_text("x")
    value = json.loads((tree / MARKER).read_text())
    value["files"][name.format(tmp_path)] = [ownership.sha256(b"x")]
    (tree / MARKER).write_text(json.dumps(value))
    assert refused(NEW, tree)[0] == "E_OUTPUT_EXISTS" and precious.exists()


def test_a_marker_with_names_alone_replaces_nothing(tree):
    ownership.mark(tree, Marker(ownership.TREE, "x", {"gone.cpp": None}))
    assert refused(NEW, tree)[0] == "E_OUTPUT_EXISTS"
    ownership.mark(tree, Marker(ownership.RUN, "x", {name: None for name in OLD}))
    assert refused(NEW, tree)[0] == "E_OUTPUT_EXISTS"


class Cut(BaseException):
    """Stands for the end of the process."""


CALLS = [(os, "replace"), (os, "rmdir"), (os, "unlink"), (os, "mkdir"), (Path, "open"), (os, "fsync"), (os, "rename")]


def cut_at(monkeypatch: pytest.MonkeyPatch, step: int, end: Callable[[], None]) -> None:
    """Before the so manieth call that changes the disk, the process ends."""
    count = 0

    def counted(original: Callable) -> Callable:
        def call(*arguments, **options):
            nonlocal count
            count += 1
            if count == step:
                end()
            return original(*arguments, **options)
        return call

    for owner, name in CALLS:
        monkeypatch.setattr(owner, name, counted(getattr(owner, name)))


def fails() -> None:
    raise OSError(5, "Input/output error")


@pytest.mark.parametrize("killed", [True, False])
@pytest.mark.parametrize("before", [OLD, None], ids=["over_an_old_one", "into_an_empty_folder"])
def test_cut_off_at_any_step_it_can_be_generated_again_and_nothing_of_others_is_lost(tmp_path, killed, before):
    theirs = {".git/config": b"[core]", "src/mine.hpp": b"mine"} if before else {}
    done, step = False, 0
    while not done:
        step += 1
        out = tmp_path / str(step)
        out.mkdir()
        if before:
            write_tree(before, out)
            ownership.write_files(out, theirs)
        was = snapshot(out)
        if killed:
            pid = os.fork()
            if pid == 0:
                with pytest.MonkeyPatch.context() as patch:
                    cut_at(patch, step, lambda: os._exit(9))
                    write_tree(NEW, out)
                    os._exit(0)
            done = os.waitpid(pid, 0)[1] == 0
        else:
            with pytest.MonkeyPatch.context() as patch:
                cut_at(patch, step, fails)
                try:
                    write_tree(NEW, out)
                    done = True
                except WeirError:
                    pass
            marked = ownership.read(out)
            if not done and (marked is None or len(marked.files) == len(OLD)):
                assert snapshot(out) == was, f"step {step}: neither as it was nor on its way"
        assert {n: (out / n).read_bytes() for n in theirs} == theirs, f"step {step}"
        for name, data in OLD.items() if before else ():
            now = (out / name).read_bytes() if (out / name).exists() else None
            assert now in (data, NEW.get(name)), f"step {step}: half of {name}"
        write_tree(NEW, out)
        files = {name: data for name, data in snapshot(out).items() if data is not None and name != MARKER}
        assert files == {**NEW, **theirs}, f"step {step}"
    assert step > (10 if before else 5)


# Builds

def cached(tmp_path: Path, name: str, used: float) -> Path:
    folder = tmp_path / "builds" / (name * 32)
    write_tree(OLD, folder)
    (folder / "build").mkdir()
    (folder / "build" / "build.json").write_text("{}")
    os.utime(folder / "build" / "build.json", (used, used))
    return folder


@pytest.fixture
def two_builds(tmp_path, monkeypatch) -> tuple[Path, Path]:
    """An old one and the newest, where one is kept."""
    monkeypatch.setattr(building, "KEPT_BUILDS", 1)
    monkeypatch.setattr(building, "_held", {})
    return cached(tmp_path, "a", 1000), cached(tmp_path, "b", 2000)


def test_a_build_that_is_used_is_not_pruned(two_builds):
    old, newest = two_builds
    building._hold(old)
    building._prune(newest)
    assert (old / "build" / "build.json").exists()
    building._held.clear()
    building._prune(newest)
    assert not old.exists() and newest.exists()


def test_a_build_that_was_finished_while_others_were_looked_at_is_not_pruned(two_builds, monkeypatch):
    """Another process takes it between the list of what is old and the lock, and ends."""
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


# Runs

def test_a_runs_marker_lists_names_and_neither_hashes_nor_a_host(runs):
    value = json.loads((nth(runs, 1) / MARKER).read_text())
    assert shape.check_shape(value, "owned") == [] and set(value) == {"format", "kind", "id", "files"}
    assert (value["kind"], value["id"]) == ("run", nth(runs, 1).name) and set(value["files"].values()) == {None}
    names = {name for name, data in snapshot(nth(runs, 1)).items() if data is not None}
    assert set(value["files"]) == names - {MARKER} | {"note.txt"} and "out.bin" in names


def test_strangers_in_a_run_stay_and_are_said(runs, capsys):
    run, theirs = nth(runs, 1), {"thesis.tex": b"mine", "trace/notes": b"mine", "data/a/b": b"mine"}
    ownership.write_files(run, theirs)
    (run / "note.txt").write_text("the run's own")
    assert weir("runs", "rm", run, "--out", runs) == 0
    said = capsys.readouterr().err
    assert all(name in said for name in theirs) and "removed 1 run" in said and "note.txt" not in said
    assert {name: data for name, data in snapshot(run).items() if data is not None} == theirs
    assert len(list(runs.iterdir())) == 3 and weir("runs", "rm", run, "--out", runs) == 4


def test_traces_alone_leave_strangers_in_them(runs):
    run = nth(runs, 1)
    (run / "trace" / "notes").write_text("mine")
    assert weir("runs", "rm", "--traces-only", "--force", "--out", runs) == 0
    assert snapshot(run / "trace") == {"notes": b"mine"} and (run / "results.json").exists()


def copies(runs: Path) -> Path:
    """A person's folder with copies of two files of a run, by chance under its name."""
    folder = runs.parent / "elsewhere" / nth(runs, 0).name
    folder.mkdir(parents=True)
    for name in ("results.json", "run.json"):
        shutil.copy(nth(runs, 0) / name, folder)
    (folder / "thesis.tex").write_text("mine")
    return folder


def test_a_folder_with_copies_of_two_files_is_not_removed(runs, capsys):
    folder = copies(runs)
    before = snapshot(folder)
    assert weir("runs", "rm", folder, nth(runs, 1), "--out", runs) == 4
    said = capsys.readouterr().err
    assert "E_RUN_DIRECTORY" in said and "thesis.tex" in said and nth(runs, 1).exists()
    assert weir("runs", "rm", "--keep", "0", "--force", "--out", folder.parent) == 0
    said = capsys.readouterr().err
    assert "left alone" in said and "removed 0 runs" in said and snapshot(folder) == before
    (folder / "thesis.tex").unlink()
    shutil.move(folder, folder.with_name("mine"))
    assert weir("runs", "rm", folder.with_name("mine"), "--out", runs) == 4


def test_what_lies_about_in_the_folder_of_runs_hides_none_and_never_makes_it_a_run(runs, capsys):
    shutil.copy(nth(runs, 0) / "results.json", runs)
    for more in ((), ("run.json", MARKER)):
        for name in more:
            shutil.copy(nth(runs, 0) / name, runs)
        capsys.readouterr()
        assert weir("runs", "list", "--json", "--out", runs) == 0
        assert len(json.loads(capsys.readouterr().out)) == 3
        assert len(load_runs([runs])) == 3
        before = snapshot(runs)
        assert weir("runs", "rm", runs, "--out", runs) == 4
        assert "E_RUN_DIRECTORY" in capsys.readouterr().err and snapshot(runs) == before
    assert weir("runs", "rm", "--keep", "0", "--force", "--out", runs) == 0
    assert sorted(p.name for p in runs.iterdir()) == [MARKER, "results.json", "run.json"]


def test_runs_without_a_marker_are_removed_where_every_file_is_one_of_runs(runs):
    (nth(runs, 1) / "out.bin").unlink()
    (nth(runs, 0) / "mine.csv").write_text("mine")
    for run in runs.iterdir():
        (run / MARKER).unlink()
    nth(runs, 2).rename(runs / "renamed")
    first, second, third = nth(runs, 0), nth(runs, 1), runs / "renamed"
    assert weir("runs", "rm", "--keep", "0", "--force", "--out", runs) == 0
    assert sorted(runs.iterdir()) == [first, third] and (first / "results.json").exists()


def test_a_copy_of_a_run_is_removed_as_the_run_is(runs, tmp_path):
    copy = shutil.copytree(nth(runs, 1), tmp_path / "kept")
    assert weir("runs", "rm", copy, "--out", runs) == 0
    assert not copy.exists() and len(list(runs.iterdir())) == 3


def test_a_run_is_moved_aside_before_it_is_removed_and_the_next_one_goes_on(runs, monkeypatch, capsys):
    run = nth(runs, 1)
    with monkeypatch.context() as patch:
        patch.setattr(ownership, "discard", lambda *_: (_ for _ in ()).throw(Cut))
        with pytest.raises(Cut):
            weir("runs", "rm", run, "--out", runs)
    assert not run.exists() and (runs / (INCOMPLETE + run.name) / "results.json").exists()
    assert weir("runs", "list", "--json", "--out", runs) == 0
    assert len(json.loads(capsys.readouterr().out)) == 2
    remove_abandoned(runs)
    assert sorted(p.name for p in runs.iterdir()) == sorted(p.name for p in (nth(runs, 0), nth(runs, 1)))


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
    """Whatever protects a stranger's file, it is this one check: with it, the file stays; with a yes, it is lost."""
    monkeypatch.setattr(building, "KEPT_BUILDS", 1)
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
    """Who wants to remove a tree of files asks `ownership`; what is listed here is one file that the same code made."""
    root = Path(ownership.__file__).parent
    found = {(str(path.relative_to(root)), word) for path in root.rglob("*.py")
             for word in ("rmtree(", ".rmdir(", "os.rename(", "os.remove(", ".unlink(", "os.replace(", "os.unlink(")
             if word in path.read_text(encoding="utf-8")}
    assert {file for file, word in found if word == "rmtree("} == set()
    assert {file for file, _ in found} <= {
        "ownership.py", "files.py", "generation/tree.py", "measuring/run_directory.py", "measuring/run_store.py",
        "measuring/recording.py", "measuring/runner.py", "measuring/trace_reader.py", "measuring/lttng_daemon.py",
        "measuring/lttng.py", "measuring/disk_watch.py", "verbs/test.py"}
