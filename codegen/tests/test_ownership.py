"""Test that generating into a folder replaces only Weir's files there, even if it is interrupted anywhere."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from owned_folders import EXTENSION, NEW, OLD, snapshot, weir
from planning import EXAMPLES
from weir.diagnostics import WeirError
from weir.engine.generation.emit import write_tree
from weir.model import ownership
from weir.model.document import shape
from weir.model.ownership import MARKER, Marker


def refused(files: dict[str, bytes], out: Path) -> tuple[str, str]:
    """Return (code, message) of the refusal; nothing may have changed."""
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


@pytest.mark.parametrize("manifest", [
    EXTENSION, {**EXTENSION, "files": {}}, [],
    {"format": 1, "files": {"plan.json": "0" * 64, "project.json": "0" * 64}}])
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
def test_a_file_that_was_edited_is_reported_and_kept(tree, name):
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
    """Check that a folder that became a link is treated as someone else's, with everything behind the link."""
    elsewhere = shutil.move(tree / "src", tmp_path / "elsewhere")
    if not there:
        (elsewhere / "main.cpp").unlink()
    (tree / "src").symlink_to(elsewhere)
    assert refused(NEW, tree)[0] == "E_OUTPUT_EXISTS"
    write_tree({"manifest.json": b"3"}, tree)
    assert (elsewhere / "main.cpp").exists() == there and (tree / "src").is_symlink()


@pytest.mark.parametrize("to", ["folder", "empty", "file", "nowhere"])
def test_a_marker_that_claims_a_linked_staging_folder_leads_nowhere(tree, tmp_path, to):
    """Forge a marker, as it may come with a cloned folder. The link may lead to any file of the user's."""
    victim = tmp_path / "docs"
    if to == "file":
        victim.write_text("mine")
    elif to != "nowhere":
        (victim / "src").mkdir(parents=True)
        (victim / "src" / "more.hpp").write_text("mine")
        (victim / "src" / "main.cpp").write_text("mine")
        if to == "empty":
            shutil.rmtree(victim / "src")
    (tree / ".weir-staging").symlink_to(victim)
    value = json.loads((tree / MARKER).read_text())
    value["files"][".weir-staging/"] = None
    (tree / MARKER).write_text(json.dumps(value))
    code, message = refused(NEW, tree)
    assert code == "E_OUTPUT_EXISTS" and ".weir-staging" in message


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
    """Return a tree without a marker, as earlier versions wrote: only the manifest lists the files of `generate`."""
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
    """Forge a marker, as it may come with a cloned or unpacked folder."""
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


CALLS = [(os, "replace"), (os, "rmdir"), (os, "unlink"), (os, "mkdir"), (Path, "open"), (os, "fsync"), (os, "rename")]


def cut_at(monkeypatch: pytest.MonkeyPatch, step: int, end: Callable[[], None]) -> None:
    """End the process before call number `step` that changes the disk."""
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
            done, refusal = True, None

            def fails() -> None:
                nonlocal done
                done = False
                raise OSError(5, "Input/output error")

            with pytest.MonkeyPatch.context() as patch:
                cut_at(patch, step, fails)
                try:
                    write_tree(NEW, out)
                except WeirError as error:
                    refusal = error
            marked = ownership.read(out)
            if refusal and (marked is None or len(marked.files) == len(OLD)):
                assert snapshot(out) == was, f"step {step}: neither as it was nor on its way"
        assert {n: (out / n).read_bytes() for n in theirs} == theirs, f"step {step}"
        for name, data in OLD.items() if before else ():
            now = (out / name).read_bytes() if (out / name).exists() else None
            assert now in (data, NEW.get(name)), f"step {step}: half of {name}"
        write_tree(NEW, out)
        files = {name: data for name, data in snapshot(out).items() if data is not None and name != MARKER}
        assert files == {**NEW, **theirs}, f"step {step}"
    assert step > (10 if before else 5)
