"""Test folders of the cache, whose files are run and trusted: they are used only if they belong to this user alone."""

from __future__ import annotations

import grp
import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from owned_folders import snapshot
from planning import chain, checked, plan
from weir.diagnostics import WeirError
from weir.engine.generation import build as building
from weir.engine.generation import host
from weir.engine.measuring import trace_reader
from weir.engine.verifying import cache as verified
from weir.engine.verifying.verification import Verification

OPEN = [("weir", 0o777), ("weir/builds", 0o777), ("weir/builds", 0o702), ("weir/builds", 0o720), ("weir", 0o730)]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a cache that only its permissions protect."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(grp, "getgrgid", lambda group: SimpleNamespace(gr_name="all", gr_mem=[]))
    before = os.umask(0)
    yield tmp_path
    os.umask(before)


def opened() -> str:
    """Return why the folder of builds is not used, "" if it is."""
    try:
        with host.own_folder(host.cache_folder()) as place:
            assert place.samefile(host.cache_folder())
    except OSError as error:
        return error.strerror
    return ""


def test_it_is_closed_whatever_the_umask_is(cache: Path) -> None:
    assert opened() == "" and opened() == ""
    assert [(cache / name).stat().st_mode & 0o777 for name in ("weir", "weir/builds")] == [0o700, 0o700]


@pytest.mark.parametrize(("folder", "mode"), OPEN)
def test_where_others_may_write_nothing_is_used(folder: str, mode: int, cache: Path) -> None:
    opened()
    (cache / folder).chmod(mode)
    assert f"other users can write to {cache / folder}:" in opened()
    assert (cache / folder).stat().st_mode & 0o777 == mode


def test_others_may_read(cache: Path) -> None:
    """Check this because folders made by earlier versions are readable for others."""
    (cache / "weir" / "builds").mkdir(mode=0o755, parents=True)
    (cache / "weir").chmod(0o755)
    assert opened() == ""


def test_a_group_of_ones_own_is_nobody_else(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def group(name: str, *members: str, gid: int = os.getgid()) -> str:
        monkeypatch.setattr(host.pwd, "getpwuid", lambda _: SimpleNamespace(pw_name="me", pw_gid=gid))
        monkeypatch.setattr(grp, "getgrgid", lambda _: SimpleNamespace(gr_name=name, gr_mem=list(members)))
        return opened()

    opened()
    (cache / "weir" / "builds").chmod(0o770)
    assert group("me") == group("me", "me") == ""
    assert group("me", "you") and group("users") and group("me", gid=os.getgid() + 1)
    (cache / "weir" / "builds").chmod(0o772)
    assert group("me")


def test_folders_of_others_are_not_used(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert opened() == f"{cache / 'weir'} belongs to another user"


def test_what_a_link_leads_to_is_looked_at(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Link the cache, which may lie on another disk."""
    (cache / "weir").mkdir(mode=0o700)
    (cache / "weir" / "builds").symlink_to(cache / "elsewhere")
    assert opened() == "No such file or directory"
    (cache / "elsewhere").mkdir(mode=0o700)
    assert opened() == ""
    (cache / "elsewhere").chmod(0o777)
    assert "other users can write to" in opened()
    real = os.fstat
    there = (cache / "elsewhere").stat()
    monkeypatch.setattr(host.os, "fstat", lambda handle: SimpleNamespace(
        st_uid=real(handle).st_uid + os.path.samestat(real(handle), there), st_mode=0o700, st_gid=0))
    assert opened() == f"{cache / 'weir' / 'builds'} belongs to another user"


def test_nothing_is_built_or_run_where_others_may_write(cache: Path) -> None:
    opened()
    (cache / "weir" / "builds").chmod(0o777)
    before = snapshot(cache)
    it = checked(chain(1))
    with pytest.raises(WeirError, match="other users can write to .*builds") as caught:
        building.build_cached(plan(chain(1)).plan, it.project, it.catalog)
    assert caught.value.diagnostics[0].code == "E_FILE_PERMISSION" and snapshot(cache) == before


def test_no_reader_of_traces_is_run_where_others_may_write(cache: Path) -> None:
    binary = trace_reader._folder() / trace_reader.BINARY
    binary.parent.mkdir(parents=True)
    binary.write_text("theirs")
    for folder in (cache / "weir", binary.parent.parent):
        folder.chmod(0o700)
    assert trace_reader.native_reader() == binary
    binary.parent.parent.chmod(0o777)
    with pytest.raises(trace_reader.ReaderMissing, match="other users can write to"):
        trace_reader.native_reader()


def test_no_verification_is_believed_where_others_may_write(cache: Path) -> None:
    found = Verification(True, 10, "numpy", None, "0" * 64, (), "")
    verified.store("key", found)
    assert verified.load("key") == found
    verified.ANSWERS.folder.chmod(0o777)
    verified.store("other", found)
    assert verified.load("key") is None and not (verified.ANSWERS.folder / "other.json").exists()
