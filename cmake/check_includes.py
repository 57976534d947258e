"""Fails when a header of the editor is included against the arrows core <- shell <- features <- app, when folders
include each other in a circle (docs/architecture.md, section 11), or when a header is outside of weir::editor.

    check_includes.py ROOT

Headers are included by their path below editor/.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from check_imports import circles

#: Each may include itself and what is to its left.
LAYERS = ("core", "shell", "features", "app")
#: The end of a header: one that opens it for the classes of others alone, and closes it before its own, is outside.
NAMESPACE = re.compile(r"^\} *// namespace weir::editor(::\w+)?\s*\Z", re.MULTILINE)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


def folder_of(path: Path, editor: Path) -> str:
    """`features/canvas` of what is there; `app` of the window."""
    return "/".join(path.relative_to(editor).parts[:-1])


def included(root: Path) -> Iterator[tuple[Path, str, str]]:
    """File, its folder, and a folder that it includes a header of."""
    editor = root / "editor"
    files = sorted(path for layer in LAYERS for path in (editor / layer).rglob("*.[hc]*")
                   if path.suffix in (".h", ".cpp"))
    homes = {str(path.relative_to(editor)): folder_of(path, editor) for path in files if path.suffix == ".h"}
    for path in files:
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            if name in homes:
                yield path, folder_of(path, editor), homes[name]


def bare(root: Path) -> Iterator[str]:
    """Includes of a header of the editor by its name alone, a sentence each."""
    editor = root / "editor"
    names = {path.name for layer in LAYERS for path in (editor / layer).rglob("*.h")}
    for path in sorted(path for layer in LAYERS for path in (editor / layer).rglob("*.[hc]*")):
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")) if path.suffix in (".h", ".cpp") else ():
            if name in names:
                yield f"{path.relative_to(root)} includes {name} without its folder"


def outside(root: Path) -> Iterator[str]:
    """Headers that are not in the namespace of the editor to their end, a sentence each."""
    folders = [root / "editor" / name for name in (*LAYERS, "tests", "bench")]
    for path in sorted(path for folder in folders for path in folder.rglob("*.h")):
        if not NAMESPACE.search(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(root)} is outside of the namespace weir::editor"


def layer_of(folder: str) -> int:
    """The number of the layer that a folder belongs to."""
    return LAYERS.index(folder.split("/")[0])


def faults(root: Path) -> Iterator[str]:
    """Includes against the arrows, and circles of them, a sentence each."""
    graph: dict[str, set[str]] = {}
    for path, mine, theirs in included(root):
        if layer_of(theirs) > layer_of(mine):
            yield f"{path.relative_to(root)} includes of {theirs}: {' <- '.join(LAYERS)}"
        if theirs != mine:
            graph.setdefault(mine, set()).add(theirs)
    yield from circles(graph)


def main(root: Path) -> int:
    """Prints what is wrong under `root`; returns 1 if anything is."""
    found = [*bare(root), *outside(root), *faults(root)]
    for fault in found:
        print(f"  {fault}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
