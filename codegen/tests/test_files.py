"""Files that are written whole or not at all, and the files of locks."""

import os
import signal
from pathlib import Path

import pytest
from conftest import CODEGEN
from weir.files import lock_file, write_whole
from weir.measuring.processes import machine_lock


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
