"""What compiler, linker and CMake printed -> diagnostics that lead to a place in the code, and from it to a block.

Read as text, as g++, clang++, ld and CMake have printed it for decades: their JSON would bypass ccache.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from weir.catalog import Catalog
from weir.diagnostics import Diagnostic, Place, diagnostic, pointer
from weir.document.project import Project
from weir.generation.source_map import blocks_at

MOST_ERRORS = 20

_ERROR = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+)(?::(?P<column>\d+))?: (?:fatal )?error: (?P<message>.*)$")
_PLACE = re.compile(r"^\s*(?:In file included from |from )?(?P<file>[^\s:][^:]*):(?P<line>\d+)(?:[:,]|$)(?P<rest>.*)$")
_INSTANTIATED = re.compile(r"required (?:from|by)|requested here|in instantiation of")
_PROGRAM = re.compile(r"^[\w./+-]*(?:\+\+|clang|cc1plus)[\w.-]*: (?:fatal )?error: (?P<message>.*)$")
_IN_FUNCTION = re.compile(r"in function [`'](.*)':")
_LINKER = re.compile(r"(?P<message>undefined (?:reference to|(?:\w+ )?symbol:) [`']?(?P<symbol>.*?)'?|"
                     r"multiple definition of [`'](?P<twice>.*?)'.*|cannot find -l\S+.*)$")
_CMAKE = re.compile(r"^CMake Error(?: at (?P<file>[^:]+):(?P<line>\d+))?")
_CALLED_FROM = re.compile(r"^\s+CMakeLists\.txt:(?P<line>\d+) \(")
_CLASS = re.compile(r"weir::blocks::([A-Za-z_]\w*)")


@dataclass
class Fault:
    """One error. `through`: the places that it was reached through, the nearest first; `names`: what else tells it."""

    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    through: list[tuple[str, int]] = field(default_factory=list)
    included: list[tuple[str, int]] = field(default_factory=list)
    names: str = ""
    symbol: str = ""


def faults(text: str, folder: Path) -> list[Fault]:
    """The errors in the output of a build that ran in `folder`, in order, each once. Files become relative to the
    generated project around it."""
    lines = text.splitlines()
    found = [*_compiled(lines, folder), *_linked(lines), *_configured(lines, folder)]
    return list({(f.file, f.line, f.message): f for f in reversed(found)}.values())[::-1]


def _relative(file: str, folder: Path) -> str:
    """ccache has the compiler name files from the build folder; others are named in full."""
    path, root = Path(os.path.normpath(folder / file)), folder.parent
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def _compiled(lines: Iterable[str], folder: Path) -> Iterator[Fault]:
    """g++ says before an error how it came there, clang++ how it was instantiated after it."""
    included: list[tuple[str, int]] = []
    through: list[tuple[str, int]] = []
    last, in_chain = None, False
    for line in lines:
        if error := _ERROR.match(line):
            last = Fault(error["message"], _relative(error["file"], folder), int(error["line"]),
                         int(error["column"] or 0), through, included)
            yield last
            through, in_chain = [], False
        elif program := _PROGRAM.match(line):
            yield Fault(program["message"])
        elif place := _PLACE.match(line):
            where = (_relative(place["file"], folder), int(place["line"]))
            if "from " in line[:len(line) - len(place["rest"])]:
                included = [*included, where] if in_chain else [where]
                in_chain = True
            elif _INSTANTIATED.search(place["rest"]):
                (last.through if last and "requested here" in line else through).append(where)


def _linked(lines: Iterable[str]) -> Iterator[Fault]:
    """ld names the function before what it misses, lld after it."""
    function, last = "", None
    for line in lines:
        if within := _IN_FUNCTION.search(line):
            function = within[1]
        if last and line.startswith(">>> referenced by "):
            last.names += line
        if (fault := _LINKER.search(line)) and not _ERROR.match(line):
            last = Fault(fault["message"], names=f"{function} {line}", symbol=fault["symbol"] or fault["twice"] or "")
            yield last


def _configured(lines: list[str], folder: Path) -> Iterator[Fault]:
    """The message stands indented below; where a module complains, the place is the call in our own file."""
    for i, line in enumerate(lines):
        if error := _CMAKE.match(line):
            below = list(itertools.takewhile(lambda it: not it or it[0] == " " or it.startswith("Call Stack"),
                                             lines[i + 1:]))
            message = itertools.takewhile(lambda it: not it.startswith("Call Stack"), below)
            said = " ".join(it.strip() for it in message if it.strip())
            called = next((found["line"] for it in below if (found := _CALLED_FROM.match(it))), None)
            file = "../CMakeLists.txt" if called else os.path.join("..", error["file"]) if error["file"] else ""
            yield Fault(said or line, _relative(file, folder) if file else "", int(called or error["line"] or 0))


@dataclass(frozen=True)
class Explainer:
    """Knows whose code a place is. `map`: the project's `source_map.json`."""

    project: Project
    catalog: Catalog
    map: Mapping

    def diagnostics(self, found: list[Fault], compiler: str, log: Path) -> list[Diagnostic]:
        said = [self._diagnostic(fault, compiler, log) for fault in found[:MOST_ERRORS]]
        if len(found) > MOST_ERRORS:
            said.append(diagnostic("E_BUILD_FAILED", "", f"{len(found) - MOST_ERRORS} more errors",
                                   f"all of it is in {log}"))
        return said

    def _diagnostic(self, fault: Fault, compiler: str, log: Path) -> Diagnostic:
        blocks, hint = self.blocks_of(fault), f"all of it is in {log}"
        source = self._source(fault.file)
        place = Place(fault.file, fault.line, fault.column, source, blocks) if fault.file or blocks else None
        said = f"{source or fault.file}:{fault.line}: {fault.message}" if fault.file else fault.message
        if not blocks:
            return diagnostic("E_BUILD_FAILED", "", f"the generated project does not build with {compiler}: {said}",
                              hint, place=place)
        names = ", ".join(f"`{name}`" for name in blocks[:3]) + (" and others" if len(blocks) > 3 else "")
        if library := self._library(fault):
            return diagnostic("E_LIBRARY_MISSING", self._pointer(blocks[0]),
                              f"{names} cannot be built: {library} is not installed", hint, place=place)
        return diagnostic("E_BLOCK_BUILD", self._pointer(blocks[0]), f"the code of {names} does not build: {said}",
                          hint, place=place)

    def blocks_of(self, fault: Fault) -> tuple[str, ...]:
        """By the place, narrowed to the instances that it was reached through; else by names in the message."""
        regions = self.map["regions"]
        here = blocks_at(self.map, fault.file, fault.line)
        through = next((found for place in fault.through if (found := blocks_at(self.map, *place))), ())
        if here or through:
            return tuple(block for block in here if block in through) or here or through
        for text in (fault.names, fault.message):
            classes = {name.lower() for name in _CLASS.findall(text)}
            if found := self._of_region(it for it in regions if it["kind"] == "header"
                                        and it["name"].replace("_", "").lower() in classes):
                return found
        for place in fault.included:
            if self._is_header(place[0]):
                return blocks_at(self.map, *place)
        return self._of_symbol(fault.symbol)

    def _library(self, fault: Fault) -> str:
        """The library that CMake looked for at this place."""
        return next((it["name"] for it in self.map["regions"] if it["kind"] == "library" and it["file"] == fault.file
                     and it["first_line"] <= fault.line <= it["last_line"]), "")

    def _of_symbol(self, symbol: str) -> tuple[str, ...]:
        """The blocks of the one header that has the name that the linker misses: what is inlined has lost its class."""
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
        """The file that a copy in the generated project was made of, "" where it is not a block's."""
        kind = next((it["name"] for it in self.map["regions"] if it["file"] == file and it["kind"] == "header"), "")
        block = self.catalog.blocks.get(kind)
        return str(Path(os.path.abspath(block.folder)) / Path(file).name) if block else ""

    def _pointer(self, block: str) -> str:
        blocks = self.project.document["graph"]["blocks"]
        return next((pointer("graph", "blocks", i) for i, it in enumerate(blocks) if it.get("id") == block), "")
