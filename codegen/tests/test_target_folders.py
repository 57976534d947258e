"""Test folders of targets: odd ones are reported with advice, and nothing in them is executed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from target_world import NUMPY, answer, copied, small, weir, written
from weir.diagnostics import WeirError
from weir.engine.generation import outside_sources
from weir.model.catalog import load_catalog
from weir.model.folder_code import files_of, identity_of
from weir.model.target_type import Target


def target(folder: Path, **changes: object) -> Path:
    """Write a target.json; the target's Python only fails."""
    mine = copied(folder, "mine", **changes)
    for file in mine.glob("*.py"):
        file.write_text("raise SystemExit('it was executed')\n")
    return mine / "target.json"


def rewritten(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        file = target(folder)
        file.write_bytes(change(file.read_bytes()))
    return make


def without(name: str) -> Callable[[Path], None]:
    return lambda folder: (target(folder).parent / name).unlink()


def linked(name: str, to: str) -> Callable[[Path], None]:
    """Replace an entry of the target's folder by a link."""
    def make(folder: Path) -> None:
        link = target(folder).parent / name
        link.unlink(missing_ok=True)
        link.symlink_to(to)
    return make


def in_the_place_of(name: str, make: Callable[[Path], object]) -> Callable[[Path], None]:
    def made(folder: Path) -> None:
        file = target(folder).parent / name
        file.unlink()
        make(file)
    return made


def is_one_itself(folder: Path) -> None:
    shutil.copytree(NUMPY, folder)


def twice(folder: Path) -> None:
    target(folder)
    os.symlink(folder / "mine", folder / "other")


ODD = {
    "unknown key": (lambda f: target(f, colour=1), "E_DESCRIPTOR", "unknown key `colour`"),
    "wrong type": (lambda f: target(f, trace="off"), "E_DESCRIPTOR", "expected a list"),
    "a list": (rewritten(lambda _: b"[]"), "E_DESCRIPTOR", "expected an object"),
    "nothing": (rewritten(lambda _: b""), "E_DESCRIPTOR", "target.json"),
    "with a BOM": (rewritten(lambda text: b"\xef\xbb\xbf" + text), "E_DESCRIPTOR", "byte order mark"),
    "in UTF-16": (rewritten(lambda text: text.decode().encode("utf-16")), "E_DESCRIPTOR", "UTF-8"),
    "deep": (rewritten(lambda _: b"[" * 100_000), "E_DESCRIPTOR", "target.json"),
    "a key twice": (rewritten(lambda text: text.replace(b"{", b'{"id": "mine",', 1)), "E_DESCRIPTOR", "twice"),
    "large": (rewritten(lambda text: text + b" " * (16 << 20)), "E_DESCRIPTOR", "at most 16777216 are allowed"),
    "long": (rewritten(lambda text: text.replace(b'"Python 3"', b'"' + b"x" * (10 << 20) + b'"')), None, ""),
    "a number": (rewritten(lambda text: text.replace(b'"format": 1', b'"format": NaN')), "E_DESCRIPTOR", "NaN"),
    "a folder's path": (lambda f: target(f, id="../mine"), "E_DESCRIPTOR", "lower-case letter"),
    "another id": (lambda f: target(f, id="other"), "E_DESCRIPTOR", "differs from the name of the folder"),
    "id of Weir's own": (lambda f: copied(f, "cpp_app"), "E_DESCRIPTOR_DUPLICATE", "target `cpp_app` already exists"),
    "no view": (without("view.py"), "E_DESCRIPTOR", "no file `view.py`"),
    "no toolchain": (without("toolchain.py"), "E_DESCRIPTOR", "no file `toolchain.py`"),
    "no protocol": (without("protocol.py"), "E_DESCRIPTOR", "no file `protocol.py`"),
    "view is a folder": (in_the_place_of("view.py", Path.mkdir), "E_DESCRIPTOR", "no file `view.py`"),
    "view is a pipe": (in_the_place_of("view.py", os.mkfifo), "E_DESCRIPTOR", "no file `view.py`"),
    "a pipe": (in_the_place_of("target.json", os.mkfifo), "E_FILE_IO", "named pipe"),
    "a dangling link": (linked("target.json", "gone"), None, ""),
    "a link to itself": (linked("view.py", "view.py"), "E_DESCRIPTOR", "no file `view.py`"),
    "a hidden template": (lambda f: (target(f, files=[{"template": ".a", "output": "a"}]).parent / ".a").write_text(""),
                          "E_DESCRIPTOR", "`.a` is hidden"),
    "a file elsewhere": (linked("engine.py", str(NUMPY)), "E_DESCRIPTOR", "engine.py is a link that leads out of"),
    "a folder elsewhere": (linked("more", ".."), "E_DESCRIPTOR", "more is a link that leads out of"),
    "gone elsewhere": (linked("more", "/no/such/folder"), "E_DESCRIPTOR", "more is a link that leads out of"),
    "a circle": (linked("more", "."), "E_DESCRIPTOR", "more is a link that leads back"),
    "a wide circle": (linked("schedulers/in_order/more", "../../schedulers"), "E_DESCRIPTOR", "leads back"),
    "the folder itself": (is_one_itself, "E_FILE_MISSING", "itself a "),
    "no folder": (lambda f: f.write_text(""), "E_FILE_MISSING", "there is no folder"),
    "a folder behind itself": (lambda f: f.symlink_to(f), "E_FILE_IO", "cannot look for targets"),
    "one twice": (twice, "E_DESCRIPTOR", "differs from the name of the folder")}


@pytest.mark.parametrize("kind", ODD)
def test_odd_folders_are_reported(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    make, code, said = ODD[kind]
    make(tmp_path / "targets")
    found = answer(capsys, "catalog", "--target-path", tmp_path / "targets", code=3 if code else 0)
    faults = found.get("diagnostics", [])
    assert {fault["code"] for fault in faults} == ({code} if code else set())
    assert any(said in fault["message"] + fault["hint"] for fault in faults) or not code, faults
    assert all(fault["hint"] and len(fault["message"]) < 500 for fault in faults)


def test_a_folder_that_nobody_may_read_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate the system's refusal, because root may read everything."""
    def refused(folder: Path, *_: object) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    mine, listdir, scandir = target(tmp_path).parent, os.listdir, os.scandir
    monkeypatch.setattr(os, "listdir", lambda it: refused(it) if "schedulers" in str(it) else listdir(it))
    with pytest.raises(WeirError, match=f"cannot read {mine}/schedulers: Permission denied"):
        load_catalog(target_paths=[tmp_path])
    monkeypatch.setattr(os, "listdir", listdir)
    monkeypatch.setattr(os, "scandir", lambda it: refused(it) if str(tmp_path) in str(it) else scandir(it))
    with pytest.raises(WeirError) as caught:
        load_catalog(target_paths=[tmp_path])
    assert [d.code for d in caught.value.diagnostics] == ["E_FILE_PERMISSION"]


def test_two_folders_with_one_id_are_reported(tmp_path: Path) -> None:
    for name in ("a", "b"):
        target(tmp_path / name)
    with pytest.raises(WeirError, match=f"the target `mine` already exists in {tmp_path}/a/mine") as caught:
        load_catalog(target_paths=[tmp_path / "a", tmp_path / "b"])
    assert [d.code for d in caught.value.diagnostics] == ["E_DESCRIPTOR_DUPLICATE"]


def test_a_target_for_which_nothing_has_what_it_needs(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    target(tmp_path, needs={"block": ["{id}.vhd"], "scheduler": ["{id}.vhd"]})
    path = ("--target-path", tmp_path)
    [found] = answer(capsys, "catalog", "mine", *path)["targets"]
    assert found["schedulers"] == found["blocks"] == []
    for asked, code in (("mine", "E_TARGET_SCHEDULER"), ("another", "E_TARGET_UNKNOWN")):
        file = written(tmp_path, small(deployments=[{"name": "d", "scheduler": "flow", "target": asked}]))
        said = answer(capsys, "validate", file, *path, code=1)["diagnostics"]
        assert [(d["code"], d["pointer"]) for d in said] == [(code, "/deployments/0/target")]
        file = written(tmp_path, small(deployments=[{"name": "d", "scheduler": "flow"}]))
        assert weir("generate", file, *path, "--target", asked, "-o", tmp_path / "made") == 1
        assert code in capsys.readouterr().err and not (tmp_path / "made").exists()


def test_links_within_the_folder_are_followed_and_kept_as_what_they_lead_to(tmp_path: Path) -> None:
    mine = target(tmp_path).parent
    (mine / "real").mkdir()
    (mine / "real" / "a.py").write_text("A = 1\n")
    (mine / "real" / ".hidden").write_text("")
    before = identity_of(mine)
    (mine / "lib").symlink_to("real")
    (mine / "b.py").symlink_to(mine / "real" / "a.py")
    (mine / "__pycache__").mkdir()
    (mine / "__pycache__" / "c.py").write_text("")
    (mine / "gone").symlink_to("nothing")
    names = {str(path.relative_to(mine)) for path in files_of(mine)}
    assert names == {str(p.relative_to(NUMPY)) for p in files_of(NUMPY)} | {"real/a.py", "lib/a.py", "b.py"}
    found = load_catalog(target_paths=[tmp_path]).targets["mine"]
    assert set(outside_sources._whole(found)) == {mine / name for name in names}
    assert identity_of(mine) != before
    shutil.copytree(mine, tmp_path / "copy", ignore=shutil.ignore_patterns(".*", "__pycache__", "gone"))
    assert not (tmp_path / "copy" / "lib").is_symlink() and identity_of(tmp_path / "copy") == identity_of(mine)


def test_a_link_that_came_later_is_reported_and_not_followed(tmp_path: Path) -> None:
    found: Target = load_catalog(target_paths=[target(tmp_path).parent.parent]).targets["mine"]
    (found.folder / "more").symlink_to("/")
    with pytest.raises(WeirError, match="more: is a link that leads out of"):
        outside_sources._whole(found)
