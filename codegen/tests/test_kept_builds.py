"""Test that the cache limits builds by their size on the disk, not by their number."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from owned_folders import cached
from weir.engine.generation import build as building
from weir.files import disk_bytes


def test_as_many_builds_stay_as_there_is_room_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the most recently used builds: hundreds of small ones, or a few large ones."""
    monkeypatch.setattr(building, "_in_use", {}, raising=False)
    folders = [cached(tmp_path, str(i), 1000 + i) for i in range(8)]
    for folder, size in zip(folders, (1, 1, 400, 90, 5, 2, 1, 1)):
        _record_size(folder, size)
    monkeypatch.setattr(building, "KEPT_BYTES", 101)
    building._prune(folders[-1])
    assert [f.exists() for f in folders] == [False] * 3 + [True] * 5
    _record_size(folders[-1], 102)
    building._prune(folders[-1])
    assert [f.exists() for f in folders] == [False] * 7 + [True], "the newest is kept however large it is"


def _record_size(folder: Path, size: int) -> None:
    record = folder / "build" / "build.json"
    used = record.stat().st_mtime
    record.write_text(json.dumps({"bytes": size}))
    os.utime(record, (used, used))


@pytest.mark.parametrize("record", ["{", "{}", "[]", '{"bytes": null}'])
def test_a_build_that_does_not_say_how_large_it_is_is_looked_at(tmp_path: Path, record: str) -> None:
    folder = cached(tmp_path, "a", 1000)
    (folder / "build" / "object").write_bytes(bytes(100_000))
    (folder / "build" / "build.json").write_text(record)
    assert building._size(folder) == disk_bytes(folder) >= 100_000
    _record_size(folder, 7)
    assert building._size(folder) == 7
