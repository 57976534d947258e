"""Fails when a module of codegen/weir imports what is to its right, or comes back to itself (docs/architecture.md).

    check_imports.py ROOT

Imports are read from the syntax tree: those within functions and those for the type checker count, too.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

#: Modules and packages in `weir/`, from left to right: each may import itself and what is to its left. The verbs and
#: the command line may import everything. What is not listed knows nothing but files, diagnostics and its likes.
ORDER = ("document", "results_model", "ownership", "behaviour", "catalog", "catalog_text", "scaffolds", "flowgraph",
         "planning", "designing", "check", "grc", "targets", "generation", "doctoring", "measuring", "isolating",
         "verifying", "comparing", "reporting", "pipeline", "rerunning", "bench", "conformance", "tuning", "rating",
         "sweeping", "history", "capsule", "verbs", "cli", "__main__")
#: What the Python in a target's folder may import of Weir, by the beginning of its name; the last is for protocols.
TEMPLATES_MAY = ("weir.targets", "weir.generation.cpp", "weir.generation.rust", "weir.generation.cmake",
                 "weir.generation.cmake_commands", "weir.generation.natives", "weir.generation.text",
                 "weir.generation.host", "weir.planning.plan",
                 "weir.catalog", "weir.diagnostics", "weir.document", "weir.folder_code", "weir.ownership",
                 "weir.measuring.results", "weir.sure")
#: Only these know another program's flowgraphs.
KNOW_GRC = ("grc", "verbs")


def modules(package: Path) -> dict[str, Path]:
    """Dotted name, `weir` included -> file."""
    return {".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__"): path
            for path in sorted(package.rglob("*.py"))}


def imports(name: str, path: Path, known: Mapping[str, Path]) -> set[str]:
    """The modules of Weir that this one imports; a package stands for its `__init__`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            # `from weir.planning import sizing` imports a module, `from weir.catalog import Catalog` a name of one.
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            found.update(one if one in known or node.module == "weir" and part_of(one) in ORDER else node.module
                         for one in whole)
    return {other for other in found if other.split(".")[0] == "weir"} - {name}


def part_of(name: str) -> str:
    """`weir.planning.plan` -> planning."""
    return (name.split(".") + [""])[1]


def wrong_arrows(graph: Mapping[str, set[str]]) -> Iterator[str]:
    """Imports of a module from the right of its own in ORDER, a sentence each."""
    for name, others in graph.items():
        mine = part_of(name)
        for other in sorted(others):
            theirs = part_of(other)
            to_the_right = theirs in ORDER and (mine not in ORDER or ORDER.index(theirs) > ORDER.index(mine))
            if to_the_right and name != "weir":
                yield f"{name} imports {other}: {mine} knows only what is to the left of it in {' '.join(ORDER)}"
            elif theirs == "grc" and mine not in KNOW_GRC:
                yield f"{name} imports {other}: only the verbs know other programs' flowgraphs"


def wrong_in_templates(root: Path, known: Mapping[str, Path]) -> Iterator[str]:
    """A target's folder knows what is made for targets: the engines come to it, it does not go to them."""
    for path in sorted((root / "templates").glob("*/*.py")):
        for other in sorted(imports(path.stem, path, known)):
            if not any(other == it or other.startswith(it + ".") for it in TEMPLATES_MAY):
                yield f"{path.relative_to(root)} imports {other}: a target knows {' '.join(TEMPLATES_MAY)}"


def circles(graph: Mapping[str, set[str]]) -> Iterator[str]:
    """One shortest way back to itself for each module that has one, each circle once."""
    seen: set[frozenset[str]] = set()
    for start in sorted(graph):
        way = _way_back(graph, start)
        if way and frozenset(way) not in seen:
            seen.add(frozenset(way))
            yield "a circle of imports: " + " -> ".join([*way, start])


def _way_back(graph: Mapping[str, set[str]], start: str) -> list[str]:
    came: dict[str, str | None] = {start: None}
    frontier = [start]
    while frontier:
        following = []
        for name in frontier:
            for other in sorted(graph.get(name, ())):
                if other == start:
                    way = [name]
                    while (before := came[way[0]]) is not None:
                        way.insert(0, before)
                    return way
                if other not in came:
                    came[other] = name
                    following.append(other)
        frontier = following
    return []


def main(root: Path) -> int:
    """Prints what is wrong under `root`; returns 1 if anything is."""
    known = modules(root / "codegen" / "weir")
    graph = {name: imports(name, path, known) for name, path in known.items()}
    faults = [*wrong_arrows(graph), *circles(graph), *wrong_in_templates(root, known)]
    for fault in faults:
        print(f"  {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
