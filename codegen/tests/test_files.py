"""Files that are written whole or not at all."""

import os
from pathlib import Path

import pytest
from weir.files import write_whole


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
