"""Folders with files of Weir and of others, for the tests of ownership."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from weir import cli
from weir.engine.generation.emit import write_tree

OLD = {"manifest.json": b"1", "src/main.cpp": b"int main() {}\n", "gone.cpp": b"old"}
NEW = {"manifest.json": b"2", "src/main.cpp": b"int main() { return 0; }\n", "src/more.hpp": b"new"}

#: A manifest that is not a generated project's.
EXTENSION = {"manifest_version": 3, "name": "An extension", "version": "1.0"}


def weir(*words: object) -> int:
    return cli.main([*map(str, words)])


def snapshot(folder: Path) -> dict[str, object]:
    """Return everything in a folder; a link as its target text."""
    return {str(p.relative_to(folder)): os.readlink(p) if p.is_symlink() else p.read_bytes() if p.is_file() else None
            for p in folder.rglob("*")}


def cached(tmp_path: Path, name: str, used: float) -> Path:
    """Return a build of the cache that was last used at that time."""
    folder = tmp_path / "builds" / (name * 32)
    write_tree(OLD, folder)
    (folder / "build").mkdir()
    (folder / "build" / "build.json").write_text("{}")
    os.utime(folder / "build" / "build.json", (used, used))
    return folder


def nth(runs: Path, number: int) -> Path:
    return sorted(runs.glob("2026*"))[number]


def copies(runs: Path) -> Path:
    """Return a user's folder with copies of two files of a run, under the run's name by chance."""
    folder = runs.parent / "elsewhere" / nth(runs, 0).name
    folder.mkdir(parents=True)
    for name in ("results.json", "run.json"):
        shutil.copy(nth(runs, 0) / name, folder)
    (folder / "thesis.tex").write_text("mine")
    return folder
