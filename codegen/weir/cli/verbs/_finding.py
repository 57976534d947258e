"""What helps to find a block beside its own words: GNU Radio's names for it, and what follows it in Weir's examples."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from weir import ROOT
from weir.files import read_bounded
from weir.interop.grc import table
from weir.model.document import jsontext
from weir.model.document.shape import check_shape


def what_finds(blocks: Iterable[str], root: Path = ROOT) -> Iterator[dict[str, object]]:
    """`gnuradio` and `followed_by` of each of the blocks, as the answer of `weir catalog --json` has them."""
    names, next_to = _gnuradio_names(), followers(_examples(root))
    for block in blocks:
        yield {"gnuradio": names[block], "followed_by": dict(next_to[block].most_common())}


def _gnuradio_names() -> Mapping[str, list[str]]:
    """A block of GNU Radio that becomes several here is what the first of them does."""
    names = defaultdict(list)
    for name in table.block_names():
        parts = [part for rule in table.rules(name)[:1] for part in rule.parts[:1]]
        for part in parts:
            names[part.type].append(name)
    return names


def _examples(root: Path) -> Iterator[Mapping]:
    for file in sorted((root / "examples").glob("**/*.weir.json")):
        project, problems = jsontext.read(read_bounded(file, jsontext.MAX_BYTES))
        if not problems and isinstance(project, dict) and not check_shape(project.get("graph"), "project", "graph"):
            yield project


def followers(projects: Iterable[Mapping]) -> Mapping[str, Counter[str]]:
    """Type of a block -> types of the blocks that its outputs lead to, with the number of connections."""
    counts: Mapping[str, Counter[str]] = defaultdict(Counter)
    for project in projects:
        types = {block["id"]: block["type"] for block in project["graph"]["blocks"]}
        for source, _, target, _ in project["graph"]["connections"]:
            if source in types and target in types:
                counts[types[source]][types[target]] += 1
    return counts
