"""Test reports about SigMF recordings before a run."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest
from weir import ROOT
from weir.model.flowgraph.recordings import why_unreadable

TABLE = ROOT / "block-library" / "tests" / "unit" / "sigmf_metadata.txt"
LINES = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
BYTES = '{"global": {"core:datatype": "cu8", "core:sample_rate": 1e6}}'


def recording(folder: Path, metadata: bytes | str, data: bytes = b"x" * 8) -> Path:
    text = metadata.encode() if isinstance(metadata, str) else metadata
    (folder / "r.sigmf-meta").write_bytes(text)
    (folder / "r.sigmf-data").write_bytes(data)
    return folder / "r.sigmf-meta"


@pytest.mark.parametrize("line", LINES)
def test_validation_agrees_with_the_block(line: str, tmp_path: Path) -> None:
    """Try the same lines as sigmf_source_test.cpp."""
    said, _, text = line.partition(" ")
    why = why_unreadable(recording(tmp_path, unquote_to_bytes(text)), "c64")
    assert (why == "") == (said == "read"), why
    if said not in ("read", "refused"):
        assert said in why


@pytest.mark.parametrize(("parameters", "said"), [
    ({"sample_rate": 1e6}, ""), ({"sample_rate": 48e3}, "global.core:sample_rate is 1e+06 Hz"),
    ({"offset_items": 4}, ""), ({"offset_items": 5}, "offset_items is 5, but"),
    ({"offset_items": 4, "repeat": True}, "no item to repeat")])
def test_it_is_compared_with_the_parameters(parameters: dict, said: str, tmp_path: Path) -> None:
    why = why_unreadable(recording(tmp_path, BYTES), "c64", **parameters)
    assert said in why if said else not why


def test_what_is_not_there_yet_is_left_to_the_run(tmp_path: Path) -> None:
    assert why_unreadable(tmp_path / "r.sigmf-meta", "c64") == ""
    recording(tmp_path, BYTES)
    (tmp_path / "r.sigmf-data").unlink()
    assert why_unreadable(tmp_path / "r.sigmf-meta", "c64") == ""


def test_files_of_other_kinds_are_neither_read_nor_waited_for(tmp_path: Path) -> None:
    path = recording(tmp_path, BYTES, b"xxx")
    assert "3 bytes, not a multiple of the item's 2" in why_unreadable(path, "c64")
    assert "is named neither" in why_unreadable(tmp_path / "r.wav", "c64")
    os.truncate(path, 1 << 40)
    assert "too large" in why_unreadable(path, "c64")
    path.unlink()
    os.mkfifo(path)
    assert "not a regular file" in why_unreadable(path, "c64")
    path.unlink()
    path.mkdir()
    assert "not a regular file" in why_unreadable(path, "c64")
