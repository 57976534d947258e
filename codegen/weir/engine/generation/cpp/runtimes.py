"""Cache of compiled runtimes, so that a changed graph costs only the compilation of its own source.

An entry is the archive of the runtime that the build of a generated project made. Weir reuses it if its sources, its
build rules, the tools and the system headers are the same, because these give the same bytes. If the cache folder is
unusable, Weir builds everything.
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
#: Number of archives kept, one for each compiler with and without tracing. Each has less than 1 MB.
KEPT = 8
_NAME = "runtimes"


@dataclass(frozen=True)
class CachedRuntime:
    """A cache entry. `archive` is the kept archive. If it is None, the caller compiles it and passes it to `keep`.

    `keep` also takes the files that the compiler read and that the key does not cover, None if they are unknown.
    """

    archive: bytes | None
    keep: Callable[[Path, Sequence[Path] | None], None]


@contextlib.contextmanager
def kept(key: str, say: Callable[[str], None]) -> Iterator[CachedRuntime]:
    """Hold the key's lock and yield its entry. Reports problems with the cache, which are not errors."""
    with contextlib.ExitStack() as stack:
        try:
            place = stack.enter_context(shelf.opened(_NAME, ownership.RUNTIME, ARCHIVE, KEPT))
            archive = place.load(key)
            if archive is None:
                stack.enter_context(place.making(key, lambda: say("waiting for another build of the runtime")))
                archive = place.load(key)
        except (OSError, Unusable) as error:
            say(f"compiling the runtime again: {shelf.said(error, _NAME)}")
            yield CachedRuntime(None, lambda *_: None)
            return

        def keep(made: Path, read: Sequence[Path] | None) -> None:
            try:
                if read is None:
                    raise Unusable("Weir does not know which files the compiler read")
                place.keep(key, made.read_bytes(), read)
            except (OSError, Unusable) as error:
                say(f"cannot keep the compiled runtime: {shelf.said(error, _NAME)}")

        yield CachedRuntime(archive, keep)


def folder() -> Path:
    """Return the folder of the compiled runtimes."""
    return shelf.folder_of(_NAME)
