"""Test the shelf of compiled runtimes: mere presence is never trusted, and leftovers are cleaned up."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from owned_folders import snapshot
from weir.engine.generation.cpp import runtimes
from weir.engine.generation.cpp.shelf import READ, Shelf, not_now
from weir.model import ownership

KEY = "0123456789abcdef" * 2


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the missing folder of kept runtimes."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "weir" / "runtimes"


def keep(archive: bytes = b"compiled", key: str = KEY) -> Path:
    """Keep a runtime as a build does."""
    said: list[str] = []
    with runtimes.kept(key, said.append) as one:
        (runtimes.folder() / "made.a").write_bytes(archive)
        one.keep(runtimes.folder() / "made.a", [])
    (runtimes.folder() / "made.a").unlink()
    assert not said and one.archive is None
    return runtimes.folder() / key


def found(key: str = KEY) -> tuple[bytes | None, list[str]]:
    said: list[str] = []
    with runtimes.kept(key, said.append) as one:
        if one.archive is None:
            one.keep(Path("/dev/null"), [])
    return one.archive, said


def not_a_marker(folder: Path) -> None:
    (folder / ownership.MARKER).write_text("{}")


def a_runs_marker(folder: Path) -> None:
    ownership.mark(folder, ownership.Marker(ownership.RUN, KEY, ownership.WHOLE))


def anothers_key(folder: Path) -> None:
    ownership.mark(folder, ownership.Marker(ownership.RUNTIME, "f" * 32, ownership.read(folder).files))


def nothing_claimed(folder: Path) -> None:
    ownership.mark(folder, ownership.Marker(ownership.RUNTIME, KEY, {}))


def without_hash(folder: Path) -> None:
    files = ownership.read(folder).files
    ownership.mark(folder, ownership.Marker(ownership.RUNTIME, KEY, {**files, runtimes.ARCHIVE: None}))


def without_what_was_read(folder: Path) -> None:
    files = {runtimes.ARCHIVE: ownership.read(folder).files[runtimes.ARCHIVE]}
    ownership.mark(folder, ownership.Marker(ownership.RUNTIME, KEY, files))


def a_link(folder: Path) -> None:
    (folder / runtimes.ARCHIVE).rename(folder.parent / "elsewhere")
    (folder / runtimes.ARCHIVE).symlink_to(folder.parent / "elsewhere")


def a_linked_folder(folder: Path) -> None:
    folder.rename(folder.parent / "elsewhere")
    folder.symlink_to(folder.parent / "elsewhere")


WRONG = [
    (lambda it: (it / runtimes.ARCHIVE).write_bytes(b"compiled!"), "changed since Weir wrote it"),
    (lambda it: (it / ownership.MARKER).unlink(), "Weir did not create"),
    (not_a_marker, "Weir did not create"), (a_runs_marker, "Weir did not create"),
    (anothers_key, "Weir did not create"), (nothing_claimed, "Weir did not create"),
    (without_hash, "Weir did not create"), (without_what_was_read, "Weir did not create"),
    (lambda it: (it / READ).write_text("{ }"), "changed since Weir wrote it"),
    (a_link, "is not a file"), (a_linked_folder, "is not a folder"),
    (lambda it: it.chmod(0o755), "chmod 700"), (lambda it: it.parent.chmod(0o777), "chmod 700"),
    (lambda it: (shutil.rmtree(it), it.write_text("a file")), "is not a folder"),
]


@pytest.mark.parametrize(("spoil", "why"), WRONG, ids=range(len(WRONG)))
def test_what_is_not_as_it_should_be_is_neither_used_nor_changed(spoil: Callable, why: str, kept: Path) -> None:
    spoil(keep())
    before = snapshot(kept.parent)
    archive, [said] = found()
    assert archive is None and why in said and said.startswith("compiling the runtime again: ")
    assert str(kept) in said and "/proc/" not in said
    assert snapshot(kept.parent) == before


def test_what_another_user_has_put_there_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    keep()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    archive, [said] = found()
    assert archive is None and "belongs to another user" in said


def test_other_users_have_no_access_with_any_umask(kept: Path) -> None:
    before = os.umask(0)
    try:
        folder = keep()
    finally:
        os.umask(before)
    assert [path.stat().st_mode & 0o777 for path in (kept, folder)] == [0o700, 0o700] and found() == (b"compiled", [])


def test_those_that_were_used_longest_ago_go_and_strangers_stay(monkeypatch: pytest.MonkeyPatch, kept: Path) -> None:
    monkeypatch.setattr(runtimes, "KEPT", 2)
    keys = [digit * 32 for digit in "abcd"]
    for age, key in enumerate(keys[:2]):
        os.utime(keep(key=key) / ownership.MARKER, (1000 + age, 1000 + age))
    (kept / keys[1] / "notes.txt").write_text("mine")
    stranger = kept / ("e" * 32)
    stranger.mkdir()
    (stranger / "file").write_text("mine")
    os.utime(stranger, (1, 1))
    assert found(keys[0]) == (b"compiled", [])  # reused, so the other one is the oldest now
    keep(key=keys[2])
    assert [(kept / key / runtimes.ARCHIVE).exists() for key in keys[:3]] == [True, False, True]
    assert (kept / keys[1] / "notes.txt").read_text() == "mine" and (stranger / "file").read_text() == "mine"


@pytest.mark.parametrize("lose", [
    lambda it: (it / runtimes.ARCHIVE).unlink(), lambda it: (it / READ).unlink(),
    lambda it: (shutil.rmtree(it), it.mkdir(mode=0o700))])
def test_one_of_which_something_is_gone_is_made_again(lose: Callable[[Path], object]) -> None:
    lose(keep())
    keep(b"again")
    assert found() == (b"again", [])


def test_what_was_left_where_one_was_killed_goes_and_what_is_made_stays(kept: Path) -> None:
    keep(key="a" * 32)
    assert [path.name for path in kept.iterdir()] == ["a" * 32]
    names = [f".{'b' * 32}.abcd_123", f"{'b' * 32}.lock", f"{'c' * 32}.lock", f".{'d' * 32}.abcd_123", ".mine.abcd_123"]
    for name in names:
        (kept / name).mkdir() if name.startswith(".") else (kept / name).touch()
        if name.startswith("."):
            (kept / name / runtimes.ARCHIVE).write_text("half")
    with Shelf(kept, ownership.RUNTIME, runtimes.ARCHIVE, 8).making("d" * 32, lambda: None):
        keep()
        assert {path.name for path in kept.iterdir()} == {"a" * 32, KEY, f"{'d' * 32}.lock", *names[3:]}
    assert {path.name for path in kept.iterdir()} == {"a" * 32, KEY, ".mine.abcd_123"}


def test_who_waited_for_a_lock_that_was_removed_locks_the_next(kept: Path) -> None:
    """Check this because a finished builder removes the lock: a waiting one must not work beside the next."""
    kept.mkdir(parents=True)
    shelf = Shelf(kept, ownership.RUNTIME, runtimes.ARCHIVE, 8)
    waiting, entered, leave = threading.Event(), threading.Event(), threading.Event()

    def second() -> None:
        with shelf.making(KEY, waiting.set):
            entered.set()
            leave.wait()

    thread = threading.Thread(target=second)
    with shelf.making(KEY, lambda: None):
        thread.start()
        waiting.wait()
    entered.wait()
    try:
        with pytest.raises(BlockingIOError), shelf.making(KEY, not_now):
            pass
    finally:
        leave.set()
        thread.join()
    assert not any(kept.iterdir())
