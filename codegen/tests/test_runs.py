"""Test `weir runs`: its list, and that it removes the chosen runs and nothing else."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
from pathlib import Path

import jsonschema
import pytest
from owned_folders import snapshot
from stored_runs import store
from weir import cli
from weir.cli.verbs import runs
from weir.engine.measuring.run_directory import INCOMPLETE
from weir.engine.measuring.run_store import stored_runs
from weir.machine.processes import identity, place
from weir.model import ownership
from weir.model.document import shape
from weir.model.ownership import Marker

TRACE_BYTES = 300_000


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return five runs: three of `single_thread`, the second invalid and with its trace, and two of `flow`."""
    folder = tmp_path_factory.mktemp("made")
    for number, deployment in enumerate(("single_thread", "single_thread", "single_thread", "flow", "flow")):
        invalid = number == 1
        store(folder, repetition=number, seed=number, deployment=deployment, status="invalid" if invalid else "ok",
              files={"trace/ust/channel_0": b"x" * TRACE_BYTES} if invalid else None)
    return folder


@pytest.fixture
def out(made: Path, tmp_path: Path) -> Path:
    return shutil.copytree(made, tmp_path / "runs")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def weir(*words: object) -> int:
    return cli.main(["runs", *map(str, words)])


def listed(capsys: pytest.CaptureFixture, out: Path, *words: str) -> list[dict]:
    capsys.readouterr()
    assert weir("list", "--json", "--out", out, *words) == 0
    return json.loads(capsys.readouterr().out)


def numbers(rows: list[dict]) -> list[int]:
    return [row["repetition"] for row in rows]


@pytest.mark.parametrize("words, expected", [
    ((), [0, 1, 2, 3, 4]),
    (("--status", "invalid"), [1]),
    (("--status", "invalid", "--status", "failed"), [1]),
    (("--deployment", "flow"), [3, 4]),
    (("--deployment", "flow", "--status", "invalid"), []),
    (("--project", "quickstart"), [0, 1, 2, 3, 4]),
    (("--project", "quick"), []),
    (("--at", "deployment=flow"), [3, 4]),
    (("--at", "deployment=single_thread", "--at", "items=0.1G", "--status", "ok"), [0, 2]),
    (("--at", "/run/items=7"), []),
])
def test_the_list_is_narrowed_by_each_option(out, capsys, words, expected):
    assert numbers(listed(capsys, out, *words)) == expected


def test_sizes_are_those_of_the_disk(out, capsys):
    rows = listed(capsys, out)
    assert [row["trace_bytes"] >= TRACE_BYTES for row in rows] == [False, True, False, False, False]
    assert [row["trace_bytes"] == 0 for row in rows] == [True, False, True, True, True]
    assert all(row["size_bytes"] > row["trace_bytes"] for row in rows)


def test_large_traces_of_invalid_runs_are_pointed_at(out, capsys, monkeypatch):
    assert weir("list", "--out", out) == 0
    assert "--traces-only" not in capsys.readouterr().err
    monkeypatch.setattr(runs, "LARGE_TRACES_BYTES", TRACE_BYTES)
    assert weir("list", "--out", out) == 0
    said = capsys.readouterr()
    assert "1 invalid run take" in said.err and "`weir runs rm --status invalid --traces-only`" in said.err
    assert "trace kept" in said.out


@pytest.mark.parametrize("words, left", [
    (("--keep", "2"), [3, 4]),
    (("--keep", "0"), []),
    (("--keep", "99"), [0, 1, 2, 3, 4]),
    (("--keep", "1", "--deployment", "single_thread"), [2, 3, 4]),
    (("--status", "invalid"), [0, 2, 3, 4]),
    (("--at", "deployment=single_thread", "--keep", "1"), [2, 3, 4]),
    (("--at", "stages=99"), [0, 1, 2, 3, 4]),
    (("--older-than", "1d"), []),
    (("--older-than", "99999w"), [0, 1, 2, 3, 4]),
])
def test_what_the_options_choose_is_removed(out, capsys, words, left):
    before = {row["repetition"]: row["size_bytes"] for row in listed(capsys, out)}
    assert weir("rm", "--force", "--out", out, *words) == 0
    gone = [size for repetition, size in before.items() if repetition not in left]
    assert f"removed {len(gone)} run{'' if len(gone) == 1 else 's'}, " in capsys.readouterr().err
    assert numbers(listed(capsys, out)) == left
    assert len(list(out.iterdir())) == len(left)


def test_traces_alone_are_removed(out, capsys):
    assert weir("rm", "--traces-only", "--force", "--out", out) == 0
    assert "removed 1 trace, " in capsys.readouterr().err
    rows = listed(capsys, out)
    assert numbers(rows) == [0, 1, 2, 3, 4] and not any(row["trace_bytes"] for row in rows)


def test_a_dry_run_says_what_it_would_be_and_removes_nothing(out, capsys):
    assert weir("rm", "--keep", "3", "--dry-run", "--out", out) == 0
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 2 and "would remove 2 runs" in said.err
    assert len(listed(capsys, out)) == 5


def test_removed_runs_are_reported_as_json(out, capsys, monkeypatch):
    def told(*words, code=0):
        assert cli.main(["runs", "rm", "--out", str(out), "--keep", "0", "--json", *words]) == code
        answer = json.loads(capsys.readouterr().out)
        jsonschema.Draft202012Validator(shape.schema("removed")).validate(answer)
        return answer

    planned = told("--dry-run")
    assert planned["dry_run"] and len(planned["removed"]) > 1
    monkeypatch.setattr("weir.cli.verbs.runs.confirmed", lambda question: False)
    assert told(code=4)["removed"] == [] and list(out.iterdir())
    assert told("--force") == {**planned, "dry_run": False} and not list(out.iterdir())


def test_without_names_and_options_nothing_is_chosen(out, capsys):
    assert weir("rm", "--out", out) == 2
    assert weir("rm", "--force", "--out", out) == 2
    assert "no runs are named or selected" in capsys.readouterr().err and len(listed(capsys, out)) == 5


def test_a_selection_without_runs_is_reported(out, capsys):
    assert weir("rm", "--at", "stages=99", "--force", "--out", out) == 0
    assert "has no run at stages=99; available values: 4" in capsys.readouterr().err
    for words, said in ((("--at", "stagees=4", "--force"), "did you mean `stages`"),
                        (("--at", "stages=4"), "--force does")):
        assert weir("rm", "--out", out, *words) == 2
        assert said in capsys.readouterr().err and len(listed(capsys, out)) == 5


def test_without_a_terminal_force_is_needed(out, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert weir("rm", "--keep", "0", "--out", out) == 2
    assert "--force" in capsys.readouterr().err and len(listed(capsys, out)) == 5


@pytest.mark.parametrize("answer, left, code", [("y\n", 0, 0), ("\n", 5, 4), ("no\n", 5, 4), ("", 5, 4)])
def test_a_person_is_asked(out, capsys, monkeypatch, answer, left, code):
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    monkeypatch.setattr("sys.stderr", Terminal())
    assert weir("rm", "--keep", "0", "--out", out) == code
    assert len(listed(capsys, out)) == left


def test_named_runs_are_removed_without_a_question(out, capsys):
    paths = sorted(out.iterdir())
    assert weir("rm", paths[0].name, paths[1], "--out", out) == 0
    assert numbers(listed(capsys, out)) == [2, 3, 4]


@pytest.mark.parametrize("make", ["folder", "results_alone", "damaged", "file", "missing", "link", "parent"])
def test_nothing_but_a_run_directory_is_removed(out, tmp_path, capsys, make):
    victim = out / "victim"
    if make in ("folder", "results_alone", "damaged"):
        victim.mkdir()
        (victim / "precious").write_text("")
    if make in ("results_alone", "damaged"):
        shutil.copy(next(out.glob("2026*")) / "results.json", victim)
    if make == "damaged":
        (victim / "run.json").write_text("{")
    if make == "file":
        victim.write_text("")
    if make == "link":
        elsewhere = shutil.copytree(next(out.glob("2026*")), tmp_path / "elsewhere")
        victim.symlink_to(elsewhere)
    name = out if make == "parent" else victim
    assert weir("rm", name, "--force", "--out", out) == 4
    assert capsys.readouterr().err.splitlines()[0].startswith("weir: error E_RUN_DIRECTORY: ")
    assert len(list(out.glob("2026*"))) == 5
    if make in ("folder", "results_alone", "damaged"):
        assert (victim / "precious").exists()
    if make == "link":
        assert (elsewhere / "results.json").exists() and victim.is_symlink()


def test_a_run_can_be_named_from_within(out, capsys, monkeypatch):
    first, second, *_ = sorted(out.iterdir())
    for folder, name in ((first, "."), (second / "trace", "..")):
        monkeypatch.chdir(folder)
        assert weir("rm", name) == 0
        assert "removed 1 run," in capsys.readouterr().err
    assert numbers(listed(capsys, out)) == [2, 3, 4]


def test_one_that_is_none_keeps_all_that_were_named(out, capsys):
    assert weir("rm", sorted(out.iterdir())[0], out / "nothing", "--out", out) == 4
    assert len(listed(capsys, out)) == 5


def test_links_are_never_chosen_nor_followed(out, tmp_path, capsys):
    elsewhere = shutil.copytree(next(out.glob("2026*")), tmp_path / "elsewhere")
    (out / "link").symlink_to(elsewhere)
    first, second, *_ = sorted(out.glob("2026*"))
    kept = shutil.move(second / "trace", tmp_path / "kept")
    for run in (first, second):
        (run / "trace").symlink_to(kept)
    assert weir("rm", "--keep", "0", "--force", "--out", out) == 0
    assert sorted(str(p.relative_to(out)) for p in out.rglob("*")) == [
        str(p.relative_to(out)) for p in (first, first / "trace", second, second / "trace", out / "link")]
    assert (elsewhere / "results.json").exists() and (kept / "ust" / "channel_0").stat().st_size == TRACE_BYTES


def half_done(out: Path, end: str, live: dict | None, files: dict[str, str] | None = None) -> Path:
    """Make the folder that a killed run leaves, with the marker of its process."""
    folder = out / f"{INCOMPLETE}20260102T030405Z-quickstart-one-{end:>06}"
    folder.mkdir(parents=True)
    if live is not None:
        ownership.mark(folder, Marker(ownership.RUN, folder.name, ownership.WHOLE, live))
    for name, text in (files or {"plan.json": "{}"}).items():
        (folder / name).write_text(text)
    os.utime(folder, (0, 0))
    return folder


HERE = {**identity(), **place()}
DEAD = {"pid": 2**22 + 1, "start": 1}


@pytest.mark.parametrize("live, goes", [
    (HERE, False),
    ({**HERE, **DEAD}, True),
    ({**HERE, "start": HERE["start"] - 1}, True),
    ({**HERE, "boot": "before"}, True),
    ({**HERE, **DEAD, "host": "another"}, False),
    ({**HERE, **DEAD, "host": "another", "boot": "before"}, False),
    (None, False),
], ids=["live", "dead", "pid_of_another", "earlier_boot", "other_host", "other_host_other_boot", "no_marker"])
def test_half_done_runs_of_the_dead_of_this_host_go_and_no_others(out, capsys, live, goes):
    folder = half_done(out, "1", live)
    assert weir("list", "--out", out) == 0
    assert "unfinished runs: 1" in capsys.readouterr().err
    assert weir("rm", "--status", "failed", "--force", "--out", out) == 0
    assert folder.exists() != goes and len(listed(capsys, out)) == 5


ELSEWHERE = {**HERE, **DEAD, "host": "this container before it was started again"}


def test_a_half_done_run_of_another_host_is_removed_by_its_name_after_a_question(out, capsys, monkeypatch):
    folder = half_done(out, "1", ELSEWHERE)
    run = sorted(path for path in out.iterdir() if path != folder)[0]
    assert weir("rm", "--dry-run", folder.name, "--out", out) == 0 and folder.name in capsys.readouterr().out
    assert weir("rm", folder.name, run.name, "--out", out) == 2  # no terminal to ask
    for answer, left in (("no\n", 5), ("y\n", 4)):
        said = Terminal()
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdin", Terminal(answer))
            patch.setattr("sys.stderr", said)
            assert weir("rm", folder.name, run.name, "--out", out) == (0 if left == 4 else 4)
        assert "unfinished: 1" in said.getvalue()
        assert folder.exists() == run.exists() == (left == 5) and len(listed(capsys, out)) == left


def test_a_half_done_run_is_removed_by_its_path_and_strangers_in_it_stay(out, capsys):
    folder = half_done(out, "1", None)
    ownership.mark(folder, Marker(ownership.RUN, folder.name, {"plan.json": None}, ELSEWHERE))
    (folder / "thesis.tex").write_text("mine")
    assert weir("rm", "--force", folder, "--out", out) == 0
    assert "do not belong to the run: thesis.tex" in capsys.readouterr().err
    assert [p.name for p in folder.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("make", ["live", "no_marker", "of_a_build", "link", "missing"])
def test_a_half_done_run_that_goes_or_is_none_is_not_removed_by_its_name(out, tmp_path, capsys, make):
    folder = half_done(out, "1", HERE if make == "live" else None if make == "no_marker" else ELSEWHERE)
    if make == "of_a_build":
        ownership.mark(folder, Marker(ownership.BUILD, "x", ownership.WHOLE))
    elif make != "live":
        moved = folder.rename(tmp_path / folder.name) if make in ("link", "missing") else folder
        if make == "link":
            folder.symlink_to(moved)
    before = snapshot(tmp_path)
    assert weir("rm", "--force", folder.name, "--out", out) == 4
    assert "E_RUN_DIRECTORY" in capsys.readouterr().err and snapshot(tmp_path) == before


@pytest.mark.parametrize("words", [("--traces-only",), ("--keep", "0"), ("--project", "quickstart")])
def test_no_option_chooses_of_half_done_runs(out, words):
    folder = half_done(out, "1", ELSEWHERE)
    assert weir("rm", "--force", folder.name, *words, "--out", out) == 2 and folder.exists()


def test_a_half_done_run_that_has_not_even_a_marker_goes_when_it_is_old_and_empty(out):
    empty, young, other = (out / f"{INCOMPLETE}{name}" for name in (
        "20260102T030405Z-a-b-000001", "20260102T030405Z-a-b-000002", "mine"))
    for folder in (empty, young, other):
        folder.mkdir()
    for folder in (empty, other):
        os.utime(folder, (0, 0))
    assert weir("rm", "--status", "failed", "--force", "--out", out) == 0
    assert not empty.exists() and young.exists() and other.exists()


def test_runs_that_cannot_be_removed_are_reported(out, capsys, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refuse)
    assert weir("rm", "--keep", "4", "--force", "--out", out) == 3
    said = capsys.readouterr().err
    assert "E_FILE_PERMISSION" in said and "removed 0 runs" in said


def test_rows_say_what_a_list_of_runs_needs(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    out = shutil.copytree(made, tmp_path / "runs")
    first = sorted(path for path in out.iterdir())[0]
    (first / "note.txt").write_text("  warm machine\n", encoding="utf-8")
    results = first / "results.json"
    measured = re.sub('"metrics": *"[a-z]+"', '"metrics": "profile"', results.read_text(encoding="utf-8"))
    found = json.loads(measured)
    found["reasons"].append({"code": "W_DISTURBED", "message": "others had 68 % of the CPUs"})
    results.write_text(json.dumps(found), encoding="utf-8")
    rows = listed(capsys, out)
    assert [row["warnings"] for row in rows] == [["others had 68 % of the CPUs"], [], [], [], []]
    assert [row["profiled"] for row in rows] == [True, False, False, False, False]
    assert [row["note"] for row in rows] == ["warm machine", None, None, None, None]
    assert [row["reason"] for row in rows] == ["", "made invalid", "", "", ""]
    assert rows[0]["latencies"] == found["latency"]["count"]
    assert len({row["project_hash"] for row in rows}) == 1
    assert [row["scheduler"] for row in rows] == ["single_thread"] * 3 + ["flow"] * 2
    assert all(row["p50_ns"] < row["p99_ns"] and row["set"] for row in rows)


def test_several_folders_are_one_list_by_time_and_none_counts_twice(out: Path, capsys: pytest.CaptureFixture) -> None:
    other, link = out.parent / "other", out.parent / "link"
    other.mkdir()
    link.symlink_to(out)
    for run in sorted(out.iterdir())[1::2]:
        shutil.move(run, other)
    both = ("--out", str(link), "--out", str(other), "--out", str(other / ".." / "other"), "--out", str(out / "none"))
    rows = listed(capsys, out, *both)
    assert numbers(rows) == [0, 1, 2, 3, 4]
    assert [Path(row["path"]).parent for row in rows] == [out, other, out, other, out]
    torn = Path(rows[1]["path"])
    (torn / "results.json").unlink()
    assert [row["status"] for row in listed(capsys, out, *both, "--damaged")][-1] == "damaged"


def test_damaged_runs_are_listed_with_their_reasons_on_request(out: Path, capsys: pytest.CaptureFixture) -> None:
    torn, foreign, emptied, going, _ = sorted(out.iterdir())
    (torn / "results.json").write_bytes((torn / "results.json").read_bytes()[:1000])
    results = json.loads((foreign / "results.json").read_text())
    (foreign / "results.json").write_text(json.dumps({**results, "schema_version": 99}))
    (emptied / "results.json").unlink()
    going.rename(out / (INCOMPLETE + going.name))
    assert len(listed(capsys, out)) == 1
    rows = listed(capsys, out, "--damaged")
    jsonschema.Draft202012Validator(shape.schema("runs")).validate(rows)
    assert [row["status"] for row in rows] == ["ok", "damaged", "damaged", "damaged", "incomplete"]
    assert [row["run_id"] for row in rows[1:4]] == [torn.name, foreign.name, emptied.name]
    assert "is damaged" in rows[1]["reason"] and "/schema_version" in rows[2]["reason"]
    assert "results.json is missing" in rows[3]["reason"] and "still going" in rows[4]["reason"]


def test_runs_of_earlier_versions_are_read_and_what_they_lack_is_null(measured: Path) -> None:
    stored, faults = stored_runs(measured)
    assert len(stored) == 18 and not faults
    for run in stored:
        assert "window" not in json.loads((run.path / "results.json").read_text())
        assert run.results["window"] is None and run.results["load"]["kept_up"] is None
        assert {thread["run_delay_s"] for thread in run.results["threads"]} == {None}


def test_a_verification_that_was_stored_as_a_run_is_still_read(tmp_path: Path) -> None:
    run = store(tmp_path)
    results = json.loads((run / "results.json").read_text())
    results["verification"] = {"ok": True, "reference": "single_thread", "sinks": []}
    (run / "results.json").write_text(json.dumps(results))
    stored, faults = stored_runs(tmp_path)
    assert not faults and stored[0].results["verification"] is None
