"""Turn build errors in generated code into diagnostics that point to the code and to the block it comes from."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from weir.diagnostics import Diagnostic, Place, diagnostic, pointer
from weir.engine.generation.source_map import blocks_at
from weir.engine.targets.interface import Fault
from weir.model.catalog import Catalog
from weir.model.document.project import Project

MOST_ERRORS = 20


@dataclass(frozen=True)
class Explainer:
    """Finds the blocks of a place in generated code. `map` is the project's `source_map.json`."""

    project: Project
    catalog: Catalog
    map: Mapping

    def diagnostics(self, found: list[Fault], compiler: str, log: Path) -> list[Diagnostic]:
        """Return a diagnostic for each error of the compiler, up to MOST_ERRORS."""
        said = [self._diagnostic(fault, compiler, log) for fault in found[:MOST_ERRORS]]
        if len(found) > MOST_ERRORS:
            said.append(diagnostic("E_BUILD_FAILED", "", f"{len(found) - MOST_ERRORS} more errors",
                                   f"the whole output is in {log}"))
        return said

    def _diagnostic(self, fault: Fault, compiler: str, log: Path) -> Diagnostic:
        blocks, hint = self.blocks_of(fault), f"the whole output is in {log}"
        source = self._source(fault.file)
        place = Place(fault.file, fault.line, fault.column, source, blocks) if fault.file or blocks else None
        said = f"{source or fault.file}:{fault.line}: {fault.message}" if fault.file else fault.message
        if not blocks:
            return diagnostic("E_BUILD_FAILED", fault.pointer,
                              f"the generated project does not build with {compiler}: {said}", hint, place=place)
        names = ", ".join(f"`{name}`" for name in blocks[:3]) + (" and others" if len(blocks) > 3 else "")
        if library := self._library(fault):
            return diagnostic("E_LIBRARY_MISSING", self._pointer(blocks[0]),
                              f"{names} cannot be built: {library} is not installed", hint, place=place)
        return diagnostic("E_BLOCK_BUILD", self._pointer(blocks[0]), f"the code of {names} does not build: {said}",
                          hint, place=place)

    def blocks_of(self, fault: Fault) -> tuple[str, ...]:
        """Return the blocks at the error's place and its instantiation chain, else those that the message names."""
        regions = self.map["regions"]
        here = blocks_at(self.map, fault.file, fault.line)
        through = next((found for place in fault.through if (found := blocks_at(self.map, *place))), ())
        if here or through:
            return tuple(block for block in here if block in through) or here or through
        for types in fault.types:
            if found := self._of_region(it for it in regions if it["kind"] == "header"
                                        and it["name"].replace("_", "").lower() in types):
                return found
        for place in fault.included:
            if self._is_header(place[0]):
                return blocks_at(self.map, *place)
        return self._of_symbol(fault.symbol)

    def _library(self, fault: Fault) -> str:
        """Return the library that CMake looked for at this place."""
        return next((it["name"] for it in self.map["regions"] if it["kind"] == "library" and it["file"] == fault.file
                     and it["first_line"] <= fault.line <= it["last_line"]), "")

    def _of_symbol(self, symbol: str) -> tuple[str, ...]:
        """Return the blocks of the only header that contains the missing symbol: inlined code has lost its class."""
        name = re.search(r"([A-Za-z_]\w*)\s*(?:\(|$)", symbol)
        if name is None:
            return ()
        headers = [it for it in self.map["regions"] if it["kind"] == "header"
                   and re.search(rf"\b{name[1]}\b", self._text(it["file"]))]
        return self._of_region(headers) if len({it["name"] for it in headers}) == 1 else ()

    def _text(self, file: str) -> str:
        try:
            return Path(self._source(file)).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""

    @staticmethod
    def _of_region(regions: Iterable[Mapping]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(block for region in regions for block in region["blocks"]))

    def _is_header(self, file: str) -> bool:
        return any(it["file"] == file and it["kind"] == "header" for it in self.map["regions"])

    def _source(self, file: str) -> str:
        """Return the original file of a copy in the generated project, "" if it is not a block's."""
        kind = next((it["name"] for it in self.map["regions"] if it["file"] == file and it["kind"] == "header"), "")
        block = self.catalog.blocks.get(kind)
        return str(Path(os.path.abspath(block.folder)) / Path(file).name) if block else ""

    def _pointer(self, block: str) -> str:
        blocks = self.project.document["graph"]["blocks"]
        return next((pointer("graph", "blocks", i) for i, it in enumerate(blocks) if it.get("id") == block), "")
