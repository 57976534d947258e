"""Capsules for tests, packed from a sweep whose program is a script, with single changes."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from sweep_world import AXES, program, sweep
from weir import cli
from weir.interop.capsule.archive import sums
from weir.interop.capsule.layout import SUMS
from weir.lab.sweeping.point import Axis

CREDITS = ("--author", "Curie, Marie", "--author", 'The lab: "A"', "--license", "CC-BY-4.0")
_shared: list[Path] = []
#: Two contenders at one point, with as many blocks as intervals need.
BLOCKS, POINTS = 8, (AXES[0], Axis("stages", (2,), ("2",)))


def measured(folder: Path, blocks: int = BLOCKS) -> Path:
    """Return the folder of a finished sweep in `folder`."""
    out = folder / "out"
    sweep(out, program(folder / "world"), repetitions=blocks, axes=POINTS).go_on()
    return out


def packed(out: Path, *words: str) -> Path:
    capsule = out.parent / "c.zip"
    assert cli.main(["export", str(out), "-o", str(capsule), *words]) == 0
    return capsule


def shared(factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a finished sweep, `out`, and its capsule, `c.zip`. Slow, so made once."""
    if not _shared:
        folder = factory.mktemp("capsules")
        packed(measured(folder), *CREDITS)
        _shared.append(folder)
    return _shared[0]


def change_results(out: Path, of: Callable[[Mapping], bool], change: Callable[[dict], None]) -> None:
    """Change, in place, the runs of a folder for which `of` is true."""
    for file in sorted(out.glob("*/results.json")):
        value = json.loads(file.read_text())
        if of(value):
            change(value)
            file.write_text(json.dumps(value))


def bring_code(out: Path, block: Path) -> None:
    """Make every run look as if this block had been part of its build."""
    for file in sorted(out.glob("*/run.json")):
        value = json.loads(file.read_text())
        for source in sorted(path for path in block.iterdir() if path.is_file()):
            name = f"blocks/{block.name}/{source.name}"
            kept = file.parent / "sources" / name
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(source.read_bytes())
            value["kept"][name] = hashlib.sha256(source.read_bytes()).hexdigest()
        file.write_text(json.dumps(value))


def contents(capsule: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(capsule) as archive:
        return {entry.filename: archive.read(entry) for entry in archive.infolist()}


def rewritten(capsule: Path, changes: Mapping[str, bytes | None], make_sums: bool = False) -> Path:
    """Return the capsule with other contents, None for removed files. The checksums stay unless recomputed.
    """
    whole = {**contents(capsule), **changes}
    whole = {name: data for name, data in whole.items() if data is not None}
    if make_sums:
        whole[SUMS] = sums({name: data for name, data in whole.items() if name != SUMS})
    return written(capsule, list(whole.items()))


def written(capsule: Path, entries: Sequence[tuple[str | zipfile.ZipInfo, bytes]]) -> Path:
    path = capsule.with_name("changed.zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, data in entries:
            archive.writestr(entry, data)
    return path
