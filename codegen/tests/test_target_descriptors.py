"""Test that names in a target.json cannot leave its folder or the generated project; faults come before any write."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import write_descriptor
from owned_folders import NEW, OLD, snapshot
from target_world import copied, small, weir, written
from weir.diagnostics import WeirError
from weir.engine.generation.emit import write_tree
from weir.model import ownership
from weir.model.catalog import load_catalog
from weir.model.target_type import RESERVED

FILE = {"template": "main.py.j2", "output": "main.py"}
COPY = {"from": "target", "files": ["engine.py"], "to": "app"}
OUTSIDE = ["../precious.txt", "a/../../precious.txt", "..", ".", "", "/etc/x", "a//b", "a/", "./a", "a/./b", "a\n"]


def said(folder: Path, **changes: object) -> list[tuple[str, str]]:
    """Return (code, pointer) of each fault in the numpy target with changed facts; its Python only fails."""
    mine, tree = copied(folder / "targets", "mine", **changes), folder / "weir"
    for file in mine.glob("*.py"):
        file.write_text("raise SystemExit('it was executed')\n")
    for there in ("block-library/reference", "runtime/src"):
        (tree / there).mkdir(parents=True)
    write_descriptor(tree / "runtime/schedulers", "scheduler", {
        "format": 1, "id": "own", "title": "own", "workers": "one", "placement": False, "max_workers": 1,
        "wait": ["park"]})
    try:
        load_catalog(target_paths=[mine.parent], root=tree)
    except WeirError as error:
        assert all(str(mine / "target.json") in d.message and d.hint for d in error.diagnostics)
        return [(d.code, d.pointer) for d in error.diagnostics]
    return []


@pytest.mark.parametrize("name", OUTSIDE)
def test_names_that_lead_elsewhere_are_told(name: str, tmp_path: Path) -> None:
    for at, changes in {
            "/files/0/output": {"files": [{**FILE, "output": name}]},
            "/files/0/template": {"files": [{**FILE, "template": name}]},
            "/copies/0/from": {"copies": [{**COPY, "from": name}]},
            "/copies/0/files/0": {"copies": [{**COPY, "files": [name]}]},
            "/needs/block/0": {"needs": {"block": [name]}}, "/needs/scheduler/0": {"needs": {"scheduler": [name]}},
            "/program": {"program": name}, "/copies/0/to": {"copies": [{**COPY, "to": name}]}}.items():
        wanted = [] if (name, at) == (".", "/copies/0/to") else [("E_DESCRIPTOR", at)]
        folder = tmp_path / at.replace("/", "_")
        assert said(folder, **changes) == wanted, (at, name)


@pytest.mark.parametrize(("changes", "at"), [
    ({"files": [{"template": "gone.j2", "output": "a"}]}, "/files/0/template"),
    ({"files": [{"template": "schedulers", "output": "a"}]}, "/files/0/template"),
    ({"files": [FILE, {**FILE, "template": "README.md.j2"}]}, "/files/1/output"),
    ({"files": [FILE, {**FILE, "output": "main.py/a"}]}, "/files/1/output"),
    ({"files": [{**FILE, "output": "manifest.json"}]}, "/files/0/output"),
    ({"files": [{**FILE, "output": ".weir-owned.json"}]}, "/files/0/output"),
    ({"files": [{**FILE, "output": "build/main.py"}]}, "/files/0/output"),
    ({"copies": [{**COPY, "to": "build"}]}, "/copies/0/to"),
    ({"copies": [{**COPY, "from": "block-library/gone"}]}, "/copies/0/from"),
    ({"copies": [{**COPY, "files": ["a**"]}]}, "/copies/0/files/0"),
    ({"copies": [{**COPY, "to": "{nope}"}]}, "/copies/0/to"),
    ({"needs": {"block": ["{nope}.py"]}}, "/needs/block/0"), ({"program": "build/{id}"}, "/program"),
    ({"words": ["{compiler}", "{nope}"]}, "/words/1"), ({"words": ["-{}"]}, "/words/0"),
    ({"words": ["-{extra_flags}"]}, "/words/0")])
def test_what_could_not_be_generated_is_reported(changes: dict, at: str, tmp_path: Path) -> None:
    assert said(tmp_path, **changes) == [("E_DESCRIPTOR", at)]


def test_allowed_descriptors(tmp_path: Path) -> None:
    assert said(tmp_path, files=[{**FILE, "output": "a.b/..c/{x}.py"}], program="build/{project}.py",
                words=["{compiler}", "-{optimisation}-{march}", "{extra_flags}", "{", "{{"],
                copies=[{**COPY, "to": "a/{id}"}, {**COPY, "files": ["**/*.py", "[ab]?.py"], "to": "."},
                        {"from": "runtime/src", "files": ["*.h"], "to": "b"}]) == []


def test_validate_says_it(alone: Path, capsys: pytest.CaptureFixture) -> None:
    copied(alone / "targets", words=["{nope}"])
    assert weir("validate", written(alone, small()), "--target-path", alone / "targets") == 3
    error = capsys.readouterr().err
    assert "E_DESCRIPTOR" in error and "`{nope}`" in error and "`{march}`" in error and "/words/0" in error


@pytest.mark.parametrize("name", ["../precious.txt", "/precious.txt", "a/../../precious.txt", ownership.MARKER,
                                  ".weir-staging/main.py", "", "."])
@pytest.mark.parametrize("there", [False, True])
def test_what_is_written_lies_in_the_folder_whoever_asks(name: str, there: bool, tmp_path: Path) -> None:
    (tmp_path / "precious.txt").write_text("mine\n")
    if there:
        write_tree(OLD, tmp_path / "out")
    before = snapshot(tmp_path)
    with pytest.raises(WeirError) as caught:
        write_tree({**NEW, name: b"theirs"}, tmp_path / "out")
    assert caught.value.diagnostics[0].code == "E_DESCRIPTOR" and snapshot(tmp_path) == before


def generated(folder: Path, capsys: pytest.CaptureFixture, **changes: object) -> str | list[str]:
    """Return the files of a project of the numpy target with changed facts, or the diagnostics."""
    if not (folder / "targets").exists():
        copied(folder / "targets", "mine", **changes)
    path = ("--target-path", folder / "targets")
    capsys.readouterr()
    if code := weir("generate", written(folder, small()), *path, "-o", folder / "made"):
        assert code == 3 and not (folder / "made").exists()
        return capsys.readouterr().err
    return sorted(name for name in snapshot(folder / "made") if (folder / "made" / name).is_file())


@pytest.mark.parametrize(("changes", "said"), [
    ({"copies": [{"from": "scheduler", "files": ["scheduler.json"], "to": "main.py"}]}, "main.py/scheduler.json"),
    ({"files": [{**FILE, "output": "app/engine.py"}]}, "app/engine.py"),
    ({"copies": [{"from": "blocks", "files": ["block.json"], "to": "all"}]}, "would both become all/block.json")])
def test_two_files_for_one_place_are_reported(changes: dict, said: str, alone: Path, capsys) -> None:
    error = generated(alone, capsys, **changes)
    assert "E_DESCRIPTOR_DUPLICATE" in error and said in error


def test_copies_into_the_project_itself(alone: Path, capsys) -> None:
    """Check also that folders that match a pattern are not copied."""
    made = generated(alone, capsys, copies=[{"from": "target", "files": ["**/*.py", "schedulers", "e*"], "to": "."}])
    assert {"engine.py", "in_order.py", "view.py", "main.py"} <= set(made) and "schedulers" not in made
    assert set(made) & set(RESERVED) == set(RESERVED) - {".weir-staging", "build", ".git"}
    assert set(made) == set(json.loads((alone / "made" / ownership.MARKER).read_text())["files"]) | {ownership.MARKER}


def test_a_template_that_is_no_text_is_reported(alone: Path, capsys) -> None:
    (copied(alone / "targets") / "main.py.j2").write_bytes(b"\xff")
    error = generated(alone, capsys)
    assert "E_TARGET_CODE" in error and "main.py.j2: 'utf-8' codec" in error
