"""Test files that are written completely or not at all, and lock files."""

import os
import pwd
import signal
from pathlib import Path

import pytest
from conftest import CODEGEN
from planning import EXAMPLES
from weir import cli
from weir.files import lock_file, user_folder, write_whole
from weir.machine.processes import machine_lock


def test_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "p.json"
    file.write_text("old")
    file.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(file)
    write_whole(link, "new")
    assert file.read_text() == "new" and link.is_symlink() and file.stat().st_mode & 0o777 == 0o640

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError):
        write_whole(file, "newer")
    assert file.read_text() == "new"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.json", "p.json"]


def test_a_lock_is_a_file_and_nothing_else_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("elsewhere")
    signal.alarm(20)
    try:
        for name, why in {"pipe": "named pipe", "link": "symbolic links", ".": "directory"}.items():
            with pytest.raises(OSError, match=why):
                lock_file(tmp_path / name)
        monkeypatch.setenv("WEIR_LOCK", str(tmp_path / "pipe"))
        with machine_lock(lambda: pytest.fail("nobody has it")):
            pass
    finally:
        signal.alarm(0)
    with lock_file(tmp_path / "lock") as lock:
        assert not os.get_inheritable(lock.fileno()) and not (tmp_path / "elsewhere").exists()


def test_every_lock_is_opened_so() -> None:
    locking = {path for path in (CODEGEN / "weir").rglob("*.py") if "fcntl.flock(" in path.read_text()}
    assert len(locking) > 5
    for path in locking:
        assert "lock_file(" in path.read_text() or "os.O_DIRECTORY" in path.read_text(), path


def test_what_is_not_absolute_is_no_home_and_no_folder_of_a_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/there")
    monkeypatch.setenv("HOME", "/home/me")
    assert user_folder("XDG_CACHE_HOME", ".cache") == Path("/there")
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    assert user_folder("XDG_CACHE_HOME", ".cache") == Path("/home/me/.cache")
    for home in ("", "here", None):
        monkeypatch.setenv("HOME", home) if home is not None else monkeypatch.delenv("HOME")
        assert user_folder("XDG_CACHE_HOME", ".cache") == Path(pwd.getpwuid(os.geteuid()).pw_dir, ".cache")
    monkeypatch.setattr(os, "geteuid", lambda: 4242424)
    with pytest.raises(OSError, match="user 4242424 has no home folder: set HOME, or XDG_CACHE_HOME"):
        user_folder("XDG_CACHE_HOME", ".cache")


def test_without_a_home_a_build_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    for name in ("XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)
    assert cli.main(["generate", "--build", str(EXAMPLES / "quickstart.weir.json")]) == 3
    assert "cannot find a place for the build" in capsys.readouterr().err
