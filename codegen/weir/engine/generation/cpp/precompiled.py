"""The runtime's headers as g++ has parsed them, kept: a third of what a graph costs it is to read them again.

They are made beside a build, by the compiler's command for the graph, and change nothing: what it includes before its
blocks, in its order, so that the object is the same bytes; other graphs with the same flags include the same. They are
not made for what writes other bytes (debug information names the files). ccache is not asked where they are used:
builds are kept whole, so a graph that is compiled is a new one, as a rule. Whatever goes wrong with them, it is
compiled without.
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
from weir.engine.generation.kept import Answers
from weir.engine.targets.interface import Workshop
from weir.model import ownership

#: The compiler finds it by the name without `.gch`, which no file needs to have.
FILE = "graph.hpp.gch"
#: Each is a hundred megabytes: there is one for each set of flags.
KEPT = 6
#: Where they are made, in a build's folder.
MADE_IN = "headers/"
_NAME = "headers"
#: Key -> how many builds might have made them.
_SEEN = Answers("flags", 64)
#: The graph's own source, and where that has it.
SOURCE, HEADER = "src/main.cpp", "src/flowgraph.hpp"
#: Where those begin that differ from graph to graph.
_BLOCKS = '#include "blocks/'
_INCLUDES = re.compile("^#include .*$", re.MULTILINE)
_OTHER_BYTES = re.compile("-g.*|-flto")
#: Builds of a machine whose CPUs are all busy until they are made: with those to come they cost less than they save.
_WORTH_IT = 2
#: Options of the graph's command that say what becomes of the source, with their arguments.
_OUTCOME = {"-o": 2, "-c": 2, "-MT": 2, "-MF": 2, "-MD": 1}


def _is_busy() -> bool:
    """Whether every CPU had something to do in the last minute, as where tests or sweeps build one program of many."""
    return os.getloadavg()[0] >= len(os.sched_getaffinity(0))


@dataclass(frozen=True)
class Headers:
    """Those of a project. `key`: of all that they depend on; `flags`: the compiler with all that it is told of them."""

    shop: Workshop
    key: str
    text: str
    flags: tuple[str, ...]

    @property
    def file(self) -> Path:
        """The header that was parsed before."""
        return shelf.folder_of(_NAME) / self.key / FILE

    @contextlib.contextmanager
    def beside(self) -> Iterator[None]:
        """Makes them while it is entered, on a CPU that has nothing else to do; what is not ready then is given up.

        The second time it is waited for, and told, unless the build fails: these flags are there to stay. Where the
        machine is busy, that is the third time. Where another build is at it, or they cannot be kept, nothing is made.
        """
        seen = _SEEN.load(self.key)
        before = seen if isinstance(seen, int) else 0
        due, patient = not _is_busy() or before >= _WORTH_IT, before > 0
        with contextlib.ExitStack() as stack:
            try:
                place = stack.enter_context(_shelf())
                stack.enter_context(place.making(self.key, shelf.not_now))
                there = place.load(self.key) is not None
                if not there:
                    _SEEN.store(self.key, before + 1)
                kept = stack.enter_context(self._made(place, patient)) if due and not there else None
            except (OSError, Unusable):
                kept = None
            yield
            if kept and patient:
                kept()

    @contextlib.contextmanager
    def _made(self, place: shelf.Shelf, patient: bool) -> Iterator[Callable[[], None]]:
        """Makes them while it is entered; gives what waits for them. OSError."""
        folder = self.shop.folder / MADE_IN
        folder.mkdir()
        source, rule = folder / FILE.removesuffix(".gch"), folder / "rule.d"
        source.write_text(self.text, encoding="utf-8")
        command = [*self.flags, "-x", "c++-header", str(source), "-o", str(folder / FILE), "-MD", "-MF", str(rule)]
        if patient:
            self.shop.say("compiling the graph, and its headers for the graphs to come")

        def keep() -> None:
            with contextlib.suppress(OSError, Unusable):
                if child.wait() == 0:
                    own = self.shop.directory.resolve()  # what is the project's is in the key
                    read = [path for path in map(Path, cmake.prerequisites(rule))
                            if not path.resolve().is_relative_to(own)]
                    place.keep(self.key, (folder / FILE).read_bytes(), read)

        def remove() -> None:
            with contextlib.suppress(OSError):
                ownership.remove(self.shop.folder, {MADE_IN: None}, MADE_IN)

        with contextlib.ExitStack() as last, contextlib.ExitStack() as first:
            last.callback(remove)
            # Nobody builds here before it too is gone: it inherits the build's lock. It has no session of its own,
            # which would have CPUs of its own, however nice it is.
            child = first.enter_context(compilers.started(
                command if patient else ["nice", "-n", "19", *command], cwd=self.shop.folder,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                env=cmake.build_environment(self.shop.directory), close_fds=False))
            kept = begun(keep)
            last.callback(kept)
            yield kept

    def used(self, compile: Callable[[Sequence[str]], None]) -> bool:
        """Hands `compile` the words that take them. False where there are none, or it is to be compiled without them.

        Whether they are what was kept is found out meanwhile.
        """
        if not self.file.exists():
            return False
        wrong = begun(self._what_is_wrong)
        try:
            compile(["-include", str(self.file.with_suffix(""))])
        except WeirError:
            self.shop.note("so it does not build: it is compiled without the headers that are kept")
            return False
        if why := wrong():
            self.shop.say(f"the graph is compiled anew: {why}")
        return not why

    def _what_is_wrong(self) -> str:
        """"" where they are what was kept."""
        try:
            with _shelf() as place:
                return "" if place.load(self.key) else "headers of the system are not those that were kept any more"
        except (OSError, Unusable) as error:
            return shelf.said(error, _NAME)


def of(shop: Workshop, runtime_key: str, commands: cmake_commands.Commands | None) -> Headers | None:
    """None where a project's have no use. `runtime_key`: of the runtime's headers, the tools and the system."""
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
    """The command without ccache in front."""
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
