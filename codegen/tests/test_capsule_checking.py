"""Test capsules from strangers: each fault is named before any file is unpacked."""

from __future__ import annotations

import shutil
import stat
import zipfile
from pathlib import Path

import pytest
from capsules import contents, rewritten, written
from weir.diagnostics import WeirError
from weir.interop.capsule import checking, layout
from weir.interop.capsule.archive import sums, write
from weir.interop.capsule.checking import checked
from weir.model.document import jsontext

ABOUT = {"format": "weir-capsule", "schema_version": 1, "title": None, "authors": [], "license": None, "project": "p",
         "project_file": "project/p.weir.json", "summary": "s", "measured": {"from": "2026-01-02", "to": "2026-01-02"},
         "weir_version": "0.1.0", "weir_revision": None, "remarks": [], "commands": {"sweep": "weir sweep"}}
FILES = {"capsule.json": jsontext.write(ABOUT).encode(), "project/p.weir.json": b"{}", "sweep/sweep.json": b"{}",
         "sweep/a/results.json": b"{}" * 1000}


@pytest.fixture
def capsule(tmp_path: Path) -> Path:
    path = tmp_path / "c.zip"
    write(path, FILES)
    return path


def refused(path: Path) -> str:
    with pytest.raises(WeirError) as error:
        checked(path)
    assert {it.code for it in error.value.diagnostics} == {"E_CAPSULE"} and error.value.exit_code == 2
    return str(error.value)


def test_one_that_is_as_it_was_packed_is_unpacked_whole(capsule: Path, tmp_path: Path):
    it = checked(capsule)
    assert it.about == ABOUT and it.sums.keys() == FILES.keys()
    it.unpack(tmp_path / "new" / "folder")
    there = {str(path.relative_to(tmp_path / "new/folder")): path.read_bytes()
             for path in (tmp_path / "new/folder").rglob("*")
             if path.is_file()}
    assert there == {**FILES, "SHA256SUMS": sums(FILES)}
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["folder"]
    it.stands(tmp_path / "new/folder")


@pytest.mark.parametrize("changes,words", [
    ({"sweep/a/results.json": b"[]"}, "sweep/a/results.json was changed"),
    ({"sweep/a/results.json": None}, "sweep/a/results.json is missing"),
    ({"sweep/b.json": b"{}"}, "sweep/b.json was added"),
    ({"SHA256SUMS": None}, "SHA256SUMS is missing"),
    ({"SHA256SUMS": b"nonsense\n"}, "SHA256SUMS is damaged"),
    ({"SHA256SUMS": sums(FILES) + sums(FILES)}, "SHA256SUMS is damaged"),
    ({"capsule.json": None}, "capsule.json is missing")])
def test_what_was_changed_is_named(changes: dict, words: str, capsule: Path):
    assert words in refused(rewritten(capsule, changes))


@pytest.mark.parametrize("name", ["../out", "a/../../out", "/etc/out", "a//b", "./a", "a\\b", "C:out", "a/",
                                  "a\x1b[2Jb", "a\nb"])
def test_names_that_lead_elsewhere_are_refused_though_the_sums_have_them(name: str, capsule: Path, tmp_path: Path):
    path = rewritten(capsule, {name: b"x"}, make_sums=True)
    assert "is not the name of a file" in refused(path)
    assert sorted(it.name for it in tmp_path.iterdir()) == ["c.zip", "changed.zip"]


def test_links_files_that_are_folders_and_double_names_are_refused(capsule: Path):
    entries = list(contents(capsule).items())
    link = zipfile.ZipInfo("sweep/link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert "'sweep/link' is a link" in refused(written(capsule, [*entries, (link, b"/etc/passwd")]))
    assert "'sweep' is both a file and a folder" in refused(written(capsule, [*entries, ("sweep", b"x")]))
    with pytest.warns(UserWarning, match="Duplicate"):
        double = written(capsule, [*entries, entries[1]])
    assert "occurs 2 times" in refused(double)


def test_a_bomb_is_refused_before_it_is_read(capsule: Path, monkeypatch: pytest.MonkeyPatch):
    path = rewritten(capsule, {"sweep/zeros": bytes(3 << 20)}, make_sums=True)
    checked(path)  # good compression is no fault
    monkeypatch.setattr(checking, "MOST_BYTES", 2 << 20)
    monkeypatch.setattr(checking, "_hashes", lambda *_: pytest.fail("it was read"))
    assert "would unpack to 3 MiB" in refused(path)
    monkeypatch.setattr(checking, "MOST_FILES", 4)
    assert "at most 4 are allowed" in refused(path)


def test_entries_that_overlap_are_refused(capsule: Path):
    """Forge a list of entries in which one entry is as large as the file and so contains the others."""
    data = bytearray(capsule.read_bytes())
    at = data.rindex(b"PK\x01\x02")
    data[at + 20:at + 24] = len(data).to_bytes(4, "little")
    path = capsule.with_name("changed.zip")
    path.write_bytes(data)
    assert "overlap" in refused(path)


@pytest.mark.parametrize("make", [lambda data: b"no zip", lambda data: data[:len(data) // 2], lambda data: b""])
def test_a_file_that_is_no_zip_is_reported(make, capsule: Path):
    path = capsule.with_name("changed.zip")
    path.write_bytes(make(capsule.read_bytes()))
    assert "is not a zip file" in refused(path)


def test_damaged_bytes_are_reported_by_the_file_that_they_are_in(capsule: Path):
    with zipfile.ZipFile(capsule) as archive:
        entry = archive.getinfo("sweep/a/results.json")
    data = bytearray(capsule.read_bytes())
    at = entry.header_offset + 30 + len(entry.filename)
    data[at:at + entry.compress_size] = b"\xff" * entry.compress_size
    path = capsule.with_name("changed.zip")
    path.write_bytes(data)
    assert "'sweep/a/results.json' is damaged" in refused(path)


def test_a_capsule_of_another_kind_is_refused(capsule: Path):
    path = rewritten(capsule, {"capsule.json": jsontext.write({**ABOUT, "format": "x"}).encode()}, make_sums=True)
    assert "capsule.json: /format" in refused(path)
    outside = jsontext.write({**ABOUT, "project_file": "../p.weir.json"}).encode()
    assert "capsule.json: /project_file" in refused(rewritten(capsule, {"capsule.json": outside}, make_sums=True))


def test_one_without_a_project_or_a_sweep_is_refused(capsule: Path):
    for name in ("sweep/sweep.json", "project/p.weir.json"):
        assert f"{name} is missing" in refused(rewritten(capsule, {name: None}, make_sums=True))
    with pytest.raises(WeirError, match="sweep/sweep.json is damaged"):
        checked(capsule).params_that_may_be_files()


def test_a_pipe_is_reported_and_not_waited_for(tmp_path: Path):
    import os

    os.mkfifo(tmp_path / "pipe")
    assert "is not a file" in refused(tmp_path / "pipe") and "is not a file" in refused(tmp_path)
    with pytest.raises(WeirError) as error:
        checked(tmp_path / "gone.zip")
    assert error.value.diagnostics[0].code == "E_FILE_MISSING"


def test_what_was_unpacked_and_changed_is_not_continued(capsule: Path, tmp_path: Path):
    it, folder = checked(capsule), tmp_path / "unpacked"
    it.unpack(folder)
    for change, words in ((lambda: (folder / "sweep/new").write_text("x"), "sweep/new was added"),
                          (lambda: (folder / "project/p.weir.json").write_text("[]"),
                           "was changed after it was unpacked"),
                          (lambda: (folder / "project/p.weir.json").unlink(), "p.weir.json is missing")):
        change()
        with pytest.raises(WeirError, match=words):
            it.stands(folder)
    shutil.rmtree(folder)
    with pytest.raises(WeirError):
        (folder.parent / "file").write_text("")
        it.unpack(folder.parent / "file" / "below")


def test_a_disk_that_is_full_leaves_nothing_half_unpacked(capsule: Path, tmp_path: Path,
                                                          monkeypatch: pytest.MonkeyPatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checking.shutil, "copyfileobj", full)
    with pytest.raises(WeirError) as error:
        checked(capsule).unpack(tmp_path / "new")
    assert error.value.diagnostics[0].code == "E_DISK_FULL" and [it.name for it in tmp_path.iterdir()] == ["c.zip"]


def test_no_name_is_packed_that_could_not_be_unpacked(tmp_path: Path):
    with pytest.raises(WeirError, match="cannot be a name in a capsule"):
        write(tmp_path / "c.zip", {**FILES, "project/a\\b": b""})
    assert not list(tmp_path.iterdir())


def test_more_than_a_capsule_may_hold_is_not_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("weir.interop.capsule.archive.MOST_BYTES", 100)
    with pytest.raises(WeirError) as error:
        write(tmp_path / "c.zip", FILES)
    assert error.value.diagnostics[0].code == "E_CAPSULE_SIZE" and not list(tmp_path.iterdir())
    assert layout.MOST_BYTES == 2 << 30
