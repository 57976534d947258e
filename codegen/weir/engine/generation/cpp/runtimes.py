"""Compiled runtimes that are kept, so that a changed graph costs the compiler its own source alone.

A runtime is the archive that a build made of a generated project's copy of the runtime. It is used again where its
sources, the rules that build it, the tools and the headers of the system are the same: then it is the same bytes.
Where the shelf is not as it should be, all is built.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from weir.engine.generation.cpp import shelf
from weir.engine.generation.cpp.shelf import Unusable
from weir.model import ownership

ARCHIVE = "libweir_runtime.a"
#: Each is less than a megabyte: there is one for each compiler, with a trace and without.
KEPT = 8
_NAME = "runtimes"


@dataclass(frozen=True)
class Kept:
    """`archive`: what was kept; None where it is to be compiled, and then given to `keep`.

    With it goes what the compiler read besides what is in the key; None where nobody knows.
    """

    archive: bytes | None
    keep: Callable[[Path, Sequence[Path] | None], None]


@contextlib.contextmanager
def kept(key: str, say: Callable[[str], None]) -> Iterator[Kept]:
    """While it is entered nobody else makes the same. What is wrong with the cache is said, and is no error."""
    with contextlib.ExitStack() as stack:
        try:
            place = stack.enter_context(shelf.opened(_NAME, ownership.RUNTIME, ARCHIVE, KEPT))
            archive = place.load(key)
            if archive is None:
                stack.enter_context(place.making(key, lambda: say("waiting for another build of the runtime")))
                archive = place.load(key)
        except (OSError, Unusable) as error:
            say(f"the runtime is compiled anew: {shelf.said(error, _NAME)}")
            yield Kept(None, lambda *_: None)
            return

        def keep(made: Path, read: Sequence[Path] | None) -> None:
            try:
                if read is None:
                    raise Unusable("it is not known which files the compiler read")
                place.keep(key, made.read_bytes(), read)
            except (OSError, Unusable) as error:
                say(f"the compiled runtime is not kept: {shelf.said(error, _NAME)}")

        yield Kept(archive, keep)


def folder() -> Path:
    """Where compiled runtimes are kept."""
    return shelf.folder_of(_NAME)
