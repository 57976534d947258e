"""Cache of g++'s precompiled headers of the runtime: parsing them is a third of the time to compile a graph.

Weir precompiles them beside a build, with the graph's own compiler command. They hold the graph's includes before those
of its blocks, in the same order. The object file therefore has the same bytes, and graphs with the same flags share the
headers. Weir skips precompilation for options that change the bytes (debug information names the files). A compilation
with precompiled headers bypasses ccache: Weir keeps whole builds, so a graph to compile is usually new. After any
failure, Weir compiles without precompiled headers.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from weir import compilers
from weir.besides import begun
from weir.diagnostics import WeirError
from weir.engine.generation import cmake, cmake_commands
from weir.engine.generation.cpp import shelf
from weir.engine.generation.cpp.shelf import Unusable
from weir.engine.generation.host import cpu_identity
from weir.engine.generation.kept import AnswerCache
from weir.engine.targets.interface import Workshop
from weir.model import ownership

#: The compiler finds it by the name without `.gch`; that file need not exist.
FILE = "graph.hpp.gch"
#: Number of headers kept, one for each set of flags. Each has about 100 MB.
KEPT = 6
#: Folder in a build's folder in which the headers are made.
MADE_IN = "headers/"
_NAME = "headers"
#: Key -> number of builds so far that could have made the headers.
_USES = AnswerCache("flags", 64)
#: The graph's own source, and the header with its structs.
SOURCE, HEADER = "src/main.cpp", "src/flowgraph.hpp"
#: Start of the includes that differ from graph to graph.
_BLOCKS = '#include "blocks/'
_INCLUDES = re.compile("^#include .*$", re.MULTILINE)
_OTHER_BYTES = re.compile("-g.*|-flto")
#: A busy machine makes the headers after this many builds: only then do they save more than they cost.
_WORTH_IT = 2
#: Options of the graph's command that name outputs -> number of words of each.
_OUTCOME = {"-o": 2, "-c": 2, "-MT": 2, "-MF": 2, "-MD": 1}


def _is_busy() -> bool:
    """Return whether all CPUs were busy in the last minute, as in tests or sweeps that build many programs."""
    return os.getloadavg()[0] >= len(os.sched_getaffinity(0))


@dataclass(frozen=True)
class Headers:
    """Precompiled headers of a project. `key` covers all inputs; `flags` is the compiler with its options."""

    shop: Workshop
    key: str
    text: str
    flags: tuple[str, ...]

    @property
    def file(self) -> Path:
        """Return the path of the precompiled header."""
        return shelf.folder_of(_NAME) / self.key / FILE

    @contextlib.contextmanager
    def beside(self) -> Iterator[None]:
        """Precompile the headers while the context is entered, on an idle CPU; give up if not finished at the end.

        At the second use of a key (the third on a busy machine), Weir waits for the result and reports it: these flags
        will probably be used again. Does nothing if another build is at work or the cache is unusable.
        """
        stored = _USES.load(self.key)
        before = stored if isinstance(stored, int) else 0
        due, patient = not _is_busy() or before >= _WORTH_IT, before > 0
        with contextlib.ExitStack() as stack:
            try:
                place = stack.enter_context(_shelf())
                stack.enter_context(place.making(self.key, shelf.not_now))
                there = place.load(self.key) is not None
                if not there:
                    _USES.store(self.key, before + 1)
                kept = stack.enter_context(self._made(place, patient)) if due and not there else None
            except (OSError, Unusable):
                kept = None
            yield
            if kept and patient:
                kept()

    @contextlib.contextmanager
    def _made(self, place: shelf.Shelf, patient: bool) -> Iterator[Callable[[], None]]:
        """Precompile the headers while the context is entered; yield a function that waits for them. Raises OSError."""
        folder = self.shop.folder / MADE_IN
        folder.mkdir()
        source, rule = folder / FILE.removesuffix(".gch"), folder / "rule.d"
        source.write_text(self.text, encoding="utf-8")
        command = [*self.flags, "-x", "c++-header", str(source), "-o", str(folder / FILE), "-MD", "-MF", str(rule)]
        if patient:
            self.shop.say("compiling the graph, and precompiling its headers for later builds")

        def keep() -> None:
            with contextlib.suppress(OSError, Unusable):
                if child.wait() == 0:
                    own = self.shop.directory.resolve()  # files of the project are in the key
                    read = [path for path in map(Path, cmake.prerequisites(rule))
                            if not path.resolve().is_relative_to(own)]
                    place.keep(self.key, (folder / FILE).read_bytes(), read)

        def remove() -> None:
            with contextlib.suppress(OSError):
                ownership.remove(self.shop.folder, {MADE_IN: None}, MADE_IN)

        with contextlib.ExitStack() as last, contextlib.ExitStack() as first:
            last.callback(remove)
            # The child inherits the build's lock, so no other build starts here before it has ended. It stays in this
            # session: autogroup would give a new session its own share of the CPUs, whatever its nice value.
            child = first.enter_context(compilers.started(
                command if patient else ["nice", "-n", "19", *command], cwd=self.shop.folder,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                env=cmake.build_environment(self.shop.directory), close_fds=False))
            kept = begun(keep)
            last.callback(kept)
            yield kept

    def used(self, compile: Callable[[Sequence[str]], None]) -> bool:
        """Call `compile` with the options to use the headers. Return False if there are none or they must not be used.

        Checks the kept header while the compiler runs.
        """
        if not self.file.exists():
            return False
        wrong = begun(self._what_is_wrong)
        try:
            compile(["-include", str(self.file.with_suffix(""))])
        except WeirError:
            self.shop.note("the build fails with the precompiled headers: compiling without them")
            return False
        if why := wrong():
            self.shop.say(f"compiling the graph again: {why}")
        return not why

    def _what_is_wrong(self) -> str:
        """Return why the kept headers must not be used, "" if they are valid."""
        try:
            with _shelf() as place:
                return "" if place.load(self.key) else "system headers changed since Weir precompiled them"
        except (OSError, Unusable) as error:
            return shelf.said(error, _NAME)


def of(shop: Workshop, runtime_key: str, commands: cmake_commands.Commands | None) -> Headers | None:
    """Return the headers of a project; None if it cannot use any.

    `runtime_key` covers the runtime's headers, the tools and the system.
    """
    compiles = [words for words in commands or () if words[-2:] == ["-c", str(shop.directory / SOURCE)]]
    header = shop.directory / HEADER
    if len(compiles) != 1 or not header.is_file():
        return None
    words = _without(compiles[0], _OUTCOME)
    compiler = shop.tools.paths["compiler"]
    words = without_ccache(words)
    known = words[0] == compiler and os.path.basename(compiler).startswith("g++")
    if not known or any(map(_OTHER_BYTES.fullmatch, words)):
        return None
    includes = _INCLUDES.findall(header.read_text(encoding="utf-8"))
    text = "\n".join((*takewhile(lambda line: not line.startswith(_BLOCKS), includes), ""))
    key = shelf.key({"runtime": runtime_key, "cpu": cpu_identity() if "-march=native" in words else "", "text": text,
                     "command": "\n".join(cmake_commands.in_any(shop.directory, words))})
    return Headers(shop, key, text, tuple(words))


def without_ccache(words: Sequence[str]) -> list[str]:
    """Return the command without a leading ccache."""
    return list(words[1:] if words[0] == cmake.LAUNCHER else words)


def _without(words: Sequence[str], options: dict[str, int]) -> list[str]:
    kept, left = [], 0
    for word in words:
        left = left or options.get(word, 0)
        if left:
            left -= 1
        else:
            kept.append(word)
    return kept


def _shelf() -> contextlib.AbstractContextManager[shelf.Shelf]:
    return shelf.opened(_NAME, ownership.HEADERS, FILE, KEPT)
