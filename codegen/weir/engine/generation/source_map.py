"""Map lines of the generated project to blocks, by marks in the rendered text, which Weir then removes.

A template calls `begin(kind, name, instances)` at the start of a region and `end()` at its end. Text of a project
cannot contain a mark: every escape filter drops control characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from weir.model.planning.plan import Plan

FILE = "source_map.json"
_MARK = re.compile("\x02([0-9]+)\x02|\x03|\n")


@dataclass(frozen=True)
class Region:
    """First and last line of a region in one file, counted from 1. `blocks` are its blocks, in the project's order."""

    file: str
    first_line: int
    last_line: int
    kind: str
    name: str
    blocks: tuple[str, ...]
    instances: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """Return the region as plain JSON values."""
        return {"file": self.file, "first_line": self.first_line, "last_line": self.last_line, "kind": self.kind,
                "name": self.name, "blocks": list(self.blocks), "instances": list(self.instances)}


class Marks:
    """Marks of the templates of one project."""

    def __init__(self, plan: Plan) -> None:
        self._block_of = {block.instance: block.block for block in plan.blocks}
        self._about: list[tuple[str, str, tuple[str, ...]]] = []

    def begin(self, kind: str, name: str, instances: Iterable[str] = ()) -> str:
        """Return a mark for the start of a region."""
        self._about.append((kind, name, tuple(instances)))
        return f"\x02{len(self._about) - 1}\x02"

    @staticmethod
    def end() -> str:
        """Return a mark for the end of a region."""
        return "\x03"

    def region(self, file: str, lines: tuple[int, int], kind: str, name: str, instances: Iterable[str]) -> Region:
        """Return the region between two marks."""
        instances = tuple(instances)
        blocks = tuple(dict.fromkeys(self._block_of[instance] for instance in instances))
        return Region(file, *lines, kind, name, blocks, instances)

    def taken_out(self, file: str, text: str) -> tuple[str, list[Region]]:
        """Return the text without marks, and the regions, outer ones before those within."""
        line, opened, regions = 1, [], []
        for mark in _MARK.finditer(text):
            if mark[0] == "\n":
                line += 1
            elif mark[1] is not None:
                opened.append((line, *self._about[int(mark[1])]))
            else:
                first, kind, name, instances = opened.pop()
                regions.append(self.region(file, (first, line), kind, name, instances))
        if opened:
            raise ValueError(f"{file}: the region of {opened[-1][2]} does not end")
        return (re.sub("\x02[0-9]+\x02|\x03", "", text),
                sorted(regions, key=lambda it: (it.first_line, -it.last_line)))


def as_json(regions: Mapping[str, list[Region]]) -> dict[str, object]:
    """Return the document `source_map.json`: by file, then by line."""
    return {"format": 1, "regions": [region.as_json() for _, found in sorted(regions.items()) for region in found]}


def blocks_at(document: Mapping, file: str, line: int) -> tuple[str, ...]:
    """Return the blocks of the innermost region around a line of a `source_map.json`; () if there is none."""
    around = [it for it in document["regions"] if it["file"] == file and it["first_line"] <= line <= it["last_line"]]
    return tuple(min(around, key=lambda it: it["last_line"] - it["first_line"])["blocks"]) if around else ()
