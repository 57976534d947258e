"""Parse the output of compiler, linker and CMake into faults with their include and instantiation chains.

Weir parses text, which g++, clang++, ld and CMake have not changed for decades: JSON output would bypass ccache.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from weir.engine.targets.interface import Fault

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


def faults(text: str, folder: Path) -> list[Fault]:
    """Return the distinct errors in the output of a build that ran in `folder`, in order.

    File names become relative to the generated project.
    """
    lines = text.splitlines()
    found = [*_compiled(lines, folder), *_linked(lines), *_configured(lines, folder)]
    for fault in found:
        fault.types = [tuple(name.lower() for name in _CLASS.findall(text)) for text in (fault.names, fault.message)]
    return list({(f.file, f.line, f.message): f for f in reversed(found)}.values())[::-1]


def _relative(file: str, folder: Path) -> str:
    """Return the path relative to the project. With ccache, the compiler names files relative to the build folder."""
    path, root = Path(os.path.normpath(folder / file)), folder.parent
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def _compiled(lines: Iterable[str], folder: Path) -> Iterator[Fault]:
    """Yield compiler errors. g++ prints the include and instantiation chain before an error, clang++ after it."""
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
    """Yield linker errors. Ld names the function before the missing symbol, lld after it."""
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
    """Yield CMake errors. Their messages are indented. An error in a module gets the place of the call in our file."""
    for i, line in enumerate(lines):
        if error := _CMAKE.match(line):
            below = list(itertools.takewhile(lambda it: not it or it[0] == " " or it.startswith("Call Stack"),
                                             lines[i + 1:]))
            message = itertools.takewhile(lambda it: not it.startswith("Call Stack"), below)
            said = " ".join(it.strip() for it in message if it.strip())
            called = next((found["line"] for it in below if (found := _CALLED_FROM.match(it))), None)
            file = "../CMakeLists.txt" if called else os.path.join("..", error["file"]) if error["file"] else ""
            yield Fault(said or line, _relative(file, folder) if file else "", int(called or error["line"] or 0))
