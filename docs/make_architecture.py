"""Rewrite the diagrams of docs/architecture.md from the imports and includes of the sources.

/usr/bin/python3 docs/make_architecture.py [--check]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "architecture.md"
sys.path.insert(0, str(ROOT / "cmake"))

import check_imports  # noqa: E402
import check_includes  # noqa: E402

Graph = Mapping[str, set[str]]


def reduced(graph: Graph) -> dict[str, list[str]]:
    """Return the transitive reduction of an acyclic graph: drop an arrow if a longer path replaces it."""
    reached: dict[str, set[str]] = {}
    for node in TopologicalSorter(graph).static_order():
        others = graph.get(node, set())
        reached[node] = others.union(*(reached[other] for other in others))
    return {node: sorted(other for other in others if not any(other in reached[it] for it in others))
            for node, others in sorted(graph.items())}


def of_packages(root: Path) -> tuple[dict[str, set[str]], dict[str, dict[str, set[str]]]]:
    """Return the imports between the packages of codegen/weir, and those between the folders of each package."""
    known = check_imports.modules(root / "codegen" / "weir")
    folders = {name for name, path in known.items() if path.name == "__init__.py" and name.count(".") == 2}
    packages: dict[str, set[str]] = {name: set() for name in check_imports.ORDER}
    inner: dict[str, dict[str, set[str]]] = {name: {} for name in check_imports.ORDER}
    for folder in folders:
        inner[check_imports.part_of(folder)][folder.split(".")[2]] = set()
    for name, path in known.items():
        mine = check_imports.part_of(name)
        for other in check_imports.imports(name, path, known) if mine in packages else ():
            theirs = check_imports.part_of(other)
            here, there = (".".join(it.split(".")[:3]) for it in (name, other))
            if theirs in packages and theirs != mine:
                packages[mine].add(theirs)
            elif here != there and {here, there} <= folders:
                inner[mine][here.split(".")[2]].add(there.split(".")[2])
    return packages, inner


def of_editor(root: Path) -> tuple[dict[str, set[str]], dict[str, dict[str, set[str]]]]:
    """Return the includes between the layers of the editor, and those between the folders of `features`."""
    layers: dict[str, set[str]] = {name: set() for name in check_includes.LAYERS}
    features: dict[str, set[str]] = {it.name: set() for it in (root / "editor" / "features").iterdir() if it.is_dir()}
    for _, here, there in check_includes.included(root):
        mine, theirs = here.split("/"), there.split("/")
        if mine[0] != theirs[0]:
            layers[mine[0]].add(theirs[0])
        elif mine[0] == "features" and mine[1] != theirs[1]:
            features[mine[1]].add(theirs[1])
    return layers, {"features": features}


def diagram(outer: Graph, inner: Mapping[str, Graph]) -> str:
    """Return a Mermaid flowchart: a box for each of `outer`, with the arrows inside it."""
    names = [*outer, *(name for graph in inner.values() for name in graph)]
    if len(set(names)) != len(names):
        raise ValueError(f"two folders have one name: {', '.join(sorted(it for it in names if names.count(it) > 1))}")
    return "\n".join(["```mermaid", "flowchart LR", *_lines(outer, inner), "```"])


def _lines(outer: Graph, inner: Mapping[str, Graph]) -> Iterator[str]:
    for name, graph in inner.items():
        if graph:
            yield from (f"  subgraph {name}", *(f"    {line}" for line in _arrows(graph)), "  end")
    yield from (f"  {line}" for line in _arrows(outer))


def _arrows(graph: Graph) -> Iterator[str]:
    targets = {other for others in graph.values() for other in others}
    for node, others in reduced(graph).items():
        if others:
            yield f"{node} --> {' & '.join(others)}"
        elif node not in targets:
            yield node


def renewed(text: str, root: Path = ROOT) -> str:
    """Return the page with the diagrams of the sources under `root`."""
    for name, graphs in (("packages", of_packages(root)), ("editor", of_editor(root))):
        begin, end = f"<!-- begin: {name}, by docs/make_architecture.py -->\n", f"<!-- end: {name} -->"
        if (text.count(begin), text.count(end)) != (1, 1):
            raise ValueError(f"{PAGE.name} needs one place for the diagram `{name}`, between `{begin}` and `{end}`")
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}{diagram(*graphs)}\n{end}{rest.partition(end)[2]}"
    return text


def main(arguments: Sequence[str]) -> int:
    """Write the page, or with --check only compare it. Returns 1 if it is out of date, 2 for other arguments."""
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    page = PAGE.read_text(encoding="utf-8")
    made = renewed(page)
    if arguments:
        return int(made != page)
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
