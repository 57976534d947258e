"""Test that `weir runs rm` removes what runs wrote and nothing else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from owned_folders import copies, nth, snapshot, weir
from stored_runs import store
from weir.engine.measuring.run_directory import INCOMPLETE, remove_abandoned
from weir.model import ownership
from weir.model.document import shape
from weir.model.ownership import MARKER
from weir.read.reporting.sections import load_runs


class Cut(BaseException):
    """Simulated end of the process."""


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Return three runs, of which the second has a trace and a file that a block wrote."""
    for number in range(3):
        files = {"trace/ust/channel_0": b"x" * 5000, "out.bin": b"items"} if number == 1 else {}
        store(tmp_path / "runs", repetition=number, seed=number, files=files)
    return tmp_path / "runs"


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


def test_what_strangers_had_in_a_removed_run_is_listed_as_no_damaged_run(runs, capsys):
    run, torn, unread = (nth(runs, number) for number in range(3))
    ownership.write_files(run, {"thesis.tex": b"mine", "trace/notes": b"mine"})
    assert weir("runs", "rm", run, "--out", runs) == 0 and (run / "thesis.tex").exists()
    (torn / "results.json").unlink()
    for name, data in snapshot(unread).items():
        if data is not None and name != MARKER:
            (unread / name).unlink()
    capsys.readouterr()
    assert weir("runs", "list", "--json", "--damaged", "--out", runs) == 0
    assert [row["run_id"] for row in json.loads(capsys.readouterr().out)] == [torn.name, unread.name]


def test_traces_alone_leave_strangers_in_them(runs):
    run = nth(runs, 1)
    (run / "trace" / "notes").write_text("mine")
    assert weir("runs", "rm", "--traces-only", "--force", "--out", runs) == 0
    assert snapshot(run / "trace") == {"notes": b"mine"} and (run / "results.json").exists()


def test_a_marker_that_claims_a_linked_folder_leads_nowhere(runs, tmp_path, capsys):
    run, victim = nth(runs, 0), tmp_path / "docs"
    (victim / "ust").mkdir(parents=True)
    (victim / "thesis.tex").write_text("mine")
    (run / "trace").symlink_to(victim)
    files = {**ownership.read(run).files, "trace/": None}
    ownership.mark(run, ownership.Marker(ownership.RUN, run.name, files))
    before = snapshot(victim)
    assert weir("runs", "rm", "--traces-only", run, "--out", runs) == 0
    assert "thesis.tex" in capsys.readouterr().err and (run / "trace").is_symlink() and snapshot(victim) == before
    assert weir("runs", "rm", run, "--out", runs) == 0
    assert "kept files that do not belong to the run: trace" in capsys.readouterr().err
    assert (run / "trace").is_symlink() and snapshot(victim) == before


def test_a_folder_with_copies_of_two_files_is_not_removed(runs, capsys):
    folder = copies(runs)
    before = snapshot(folder)
    assert weir("runs", "rm", folder, nth(runs, 1), "--out", runs) == 4
    said = capsys.readouterr().err
    assert "E_RUN_DIRECTORY" in said and "thesis.tex" in said and nth(runs, 1).exists()
    assert weir("runs", "rm", "--keep", "0", "--force", "--out", folder.parent) == 0
    said = capsys.readouterr().err
    assert "not removed" in said and "removed 0 runs" in said and snapshot(folder) == before
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
    first, third = nth(runs, 0), runs / "renamed"
    assert weir("runs", "rm", "--keep", "0", "--force", "--out", runs) == 0
    assert sorted(runs.iterdir()) == [first, third] and (first / "results.json").exists()


def test_runs_as_they_were_stored_before_there_were_markers_are_removed(measured):
    assert len(list(measured.iterdir())) > 5 and not list(measured.rglob(MARKER))
    assert weir("runs", "rm", "--keep", "0", "--force", "--out", measured) == 0
    assert all(p.name.endswith(".weir.json") for p in measured.iterdir())


def test_a_copy_of_a_run_is_removed_as_the_run_is(runs, tmp_path):
    copy = shutil.copytree(nth(runs, 1), tmp_path / "kept")
    assert weir("runs", "rm", copy, "--out", runs) == 0
    assert not copy.exists() and len(list(runs.iterdir())) == 3


def test_a_run_is_moved_aside_before_it_is_removed_and_the_next_one_continues(runs, monkeypatch, capsys):
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
