"""Fail if a header of the editor is included against the order core <- shell <- features <- app, if folders include
each other in a cycle (docs/architecture.md, section 11), or if a header is outside the namespace weir::editor.

    check_includes.py ROOT

Headers are included by their path below editor/.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from check_imports import circles

#: Layers; each may include itself and those to its left.
LAYERS = ("core", "shell", "features", "app")
#: End of a header in the namespace. A header that closes the namespace before its own classes is outside.
NAMESPACE = re.compile(r"^\} *// namespace weir::editor(::\w+)?\s*\Z", re.MULTILINE)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


def folder_of(path: Path, editor: Path) -> str:
    """Return the folder of a file, such as `features/canvas`; `app` for the window."""
    return "/".join(path.relative_to(editor).parts[:-1])


def included(root: Path) -> Iterator[tuple[Path, str, str]]:
    """Yield each file, its folder, and each folder from which it includes a header."""
    editor = root / "editor"
    files = sorted(path for layer in LAYERS for path in (editor / layer).rglob("*.[hc]*")
                   if path.suffix in (".h", ".cpp"))
    homes = {str(path.relative_to(editor)): folder_of(path, editor) for path in files if path.suffix == ".h"}
    for path in files:
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            if name in homes:
                yield path, folder_of(path, editor), homes[name]


def bare(root: Path) -> Iterator[str]:
    """Yield a sentence for each include of an editor header by its name alone."""
    editor = root / "editor"
    names = {path.name for layer in LAYERS for path in (editor / layer).rglob("*.h")}
    for path in sorted(path for layer in LAYERS for path in (editor / layer).rglob("*.[hc]*")):
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")) if path.suffix in (".h", ".cpp") else ():
            if name in names:
                yield f"{path.relative_to(root)} includes {name} without its folder"


def outside(root: Path) -> Iterator[str]:
    """Yield a sentence for each header that is not in the editor's namespace to its end."""
    folders = [root / "editor" / name for name in (*LAYERS, "tests", "bench")]
    for path in sorted(path for folder in folders for path in folder.rglob("*.h")):
        if not NAMESPACE.search(path.read_text(encoding="utf-8")):
            yield f"{path.relative_to(root)} is outside of the namespace weir::editor"


def layer_of(folder: str) -> int:
    """Return the number of the folder's layer."""
    return LAYERS.index(folder.split("/")[0])


def faults(root: Path) -> Iterator[str]:
    """Yield a sentence for each include against the order, and for each cycle."""
    graph: dict[str, set[str]] = {}
    for path, mine, theirs in included(root):
        if layer_of(theirs) > layer_of(mine):
            yield f"{path.relative_to(root)} includes of {theirs}: {' <- '.join(LAYERS)}"
        if theirs != mine:
            graph.setdefault(mine, set()).add(theirs)
    yield from circles(graph)


def main(root: Path) -> int:
    """Print the violations under `root`. Returns 1 if there are any."""
    found = [*bare(root), *outside(root), *faults(root)]
    for fault in found:
        print(f"  {fault}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
