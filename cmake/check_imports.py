"""Fail if a module of codegen/weir imports a package to its right, or itself through others (docs/architecture.md).

    check_imports.py ROOT

Imports are read from the syntax tree: those within functions and those for the type checker count, too.
"""

from __future__ import annotations

import ast
import graphlib
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

#: Packages of `weir/`, from left to right: each may import itself and those to its left. The modules beside them
#: (files, diagnostics and the like) import no package.
ORDER = ("model", "machine", "engine", "read", "lab", "interop", "cli")
#: Prefixes of the modules of Weir that a target's Python may import; the last is for protocols.
TEMPLATES_MAY = ("weir.diagnostics", "weir.sure", "weir.engine.targets", "weir.engine.generation.cpp",
                 "weir.engine.generation.rust", "weir.engine.generation.cmake", "weir.engine.generation.cmake_commands",
                 "weir.engine.generation.natives", "weir.engine.generation.text", "weir.engine.generation.host",
                 "weir.model.planning.plan", "weir.model.catalog", "weir.model.document", "weir.model.folder_code",
                 "weir.model.ownership", "weir.engine.measuring.results", "weir.engine.measuring.weir_protocol",
                 "weir.engine.generation.trusted", "weir.model.flowgraph.replacing", "weir.interop.grc",
                 "weir.model.check")


def modules(package: Path) -> dict[str, Path]:
    """Return the file of each module by its dotted name, including `weir`."""
    return {".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__"): path
            for path in sorted(package.rglob("*.py"))}


def imports(name: str, path: Path, known: Mapping[str, Path]) -> set[str]:
    """Return the modules of Weir that this one imports. A package counts as its `__init__`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            # `from weir.model import check` imports a module, `from weir.model.catalog import Catalog` a name in a
            # module.
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            found.update(one if one in known or node.module == "weir" and part_of(one) in ORDER else node.module
                         for one in whole)
    return {other for other in found if other.split(".")[0] == "weir"} - {name}


def part_of(name: str) -> str:
    """Return the package of a module: `weir.model.planning.plan` -> model."""
    return (name.split(".") + [""])[1]


def wrong_arrows(graph: Mapping[str, set[str]]) -> Iterator[str]:
    """Yield a sentence for each import of a module from the right of its package in ORDER."""
    for name, others in graph.items():
        mine = part_of(name)
        known = ORDER[:ORDER.index(mine) + 1] if mine in ORDER else ()
        for other in sorted(others):
            if part_of(other) in set(ORDER) - set(known) and name not in ("weir", "weir.__main__"):
                yield f"{name} imports {other}: {mine} may import only packages to its left in {' '.join(ORDER)}"


def wrong_in_templates(root: Path, known: Mapping[str, Path]) -> Iterator[str]:
    """Yield a sentence for each import of a target that TEMPLATES_MAY lacks: targets may not import the engines."""
    for path in sorted((root / "templates").glob("*/*.py")):
        for other in sorted(imports(path.stem, path, known)):
            if not any(other == it or other.startswith(it + ".") for it in TEMPLATES_MAY):
                yield f"{path.relative_to(root)} imports {other}: a target may import {' '.join(TEMPLATES_MAY)}"


def circles(graph: Mapping[str, set[str]]) -> Iterator[str]:
    """Yield a cycle of imports, if there is one."""
    try:
        graphlib.TopologicalSorter({name: sorted(others) for name, others in graph.items()}).prepare()
    except graphlib.CycleError as error:
        yield "an import cycle: " + " -> ".join(reversed(error.args[1]))


def main(root: Path) -> int:
    """Print the violations under `root`. Returns 1 if there are any."""
    known = modules(root / "codegen" / "weir")
    graph = {name: imports(name, path, known) for name, path in known.items()}
    faults = [*wrong_arrows(graph), *circles(graph), *wrong_in_templates(root, known)]
    for fault in faults:
        print(f"  {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
