"""What is compiled once and kept in a folder of the cache, by a key of all that it depends on.

Nothing is believed because it lies there: the folder must be this user's and closed to others, and what is kept must be
what Weir wrote. Where something is not as it should be, nothing is used and nothing is removed: `Unusable` says why.
What a build that was killed has left, or somebody who made room, is made good.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from weir.engine.generation.host import cache_folder, locked, own_folder
from weir.model import ownership
from weir.sure import sure

#: Beside what is kept: path, size and time of each file that the compiler read and that is not in the key.
READ = "read.json"
_KEY = re.compile("[0-9a-f]{32}")
#: A lock, and the folder that becomes a kept one: they stay where their process is killed.
_LEFT = re.compile(rf"({_KEY.pattern})\.lock|\.({_KEY.pattern})\.[a-z0-9_]{{8}}")


class Unusable(Exception):
    """Why nothing is taken from a shelf or put there."""


def folder_of(name: str) -> Path:
    """The folder of a shelf in the cache."""
    return cache_folder().with_name(name)


@contextlib.contextmanager
def opened(name: str, kind: str, file: str, most: int) -> Iterator[Shelf]:
    """A folder of this user's cache, made where there is none. OSError, also where others may write there."""
    with own_folder(folder_of(name)) as place:
        yield Shelf(place, kind, file, most)


def key(ingredients: Mapping[str, str]) -> str:
    """Of whatever depends on these, by name."""
    whole = hashlib.sha256()
    for name, value in sorted(ingredients.items()):
        whole.update(f"{len(name)} {name} {len(value)} {value}\n".encode())
    return whole.hexdigest()[:32]


@dataclass(frozen=True)
class Shelf:
    """The open folder: what is read is read in the folder that was looked at.

    Of each key it keeps one `file`; `kind`: what its owner's marker says; `most`: how many there are.
    """

    place: Path
    kind: str
    file: str
    most: int

    def load(self, key: str) -> bytes | None:
        """What is kept; None where nothing is that still holds. Unusable where there is something else, OSError."""
        kept = self.place / key
        try:
            _want(kept, kept.lstat(), stat.S_ISDIR)
            marker = self._marker(kept)
            if marker is None or not all(marker.files.get(name) for name in (self.file, READ)):
                if not any(kept.iterdir()):
                    return None
                raise Unusable(f"{kept} is not one that Weir keeps")
            data, read = (_whole(kept / name, sure(marker.files[name])) for name in (self.file, READ))
        except FileNotFoundError:
            return None  # of what is Weir's something is gone, or just goes: `keep` replaces the rest
        if any(now(path) != then for path, then in json.loads(read).items()):
            return None
        with contextlib.suppress(OSError):
            os.utime(kept / ownership.MARKER)
        return data

    def keep(self, key: str, made: bytes, read: Sequence[Path]) -> None:
        """Whole or not at all, in the place of one that no longer holds. Those that were used longest ago go.

        OSError, also where there is something else already.
        """
        files = {self.file: made, READ: json.dumps({str(path): now(str(path)) for path in read}, indent=0).encode()}
        marker = ownership.Marker(self.kind, key, {name: (ownership.sha256(data),) for name, data in files.items()})
        if old := self._marker(self.place / key):
            ownership.remove(self.place / key, old.files)
        ownership.create(self.place / key, {**files, ownership.MARKER: marker.text().encode()}, mode=0o700)
        for unused in self._by_use()[self.most:]:
            if its := ownership.read(unused):
                ownership.remove(unused, its.files)
        for other in {found[1] or found[2] for found in map(_LEFT.fullmatch, os.listdir(self.place)) if found}:
            with contextlib.suppress(OSError), self.making(other, not_now):
                pass

    @contextlib.contextmanager
    def making(self, key: str, waits: Callable[[], None]) -> Iterator[None]:
        """Who makes the same meanwhile waits, and is told so by `waits`. OSError."""
        lock = self.place / f"{key}.lock"
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(locked(lock, fcntl.LOCK_EX | fcntl.LOCK_NB))
            except BlockingIOError:
                waits()
                stack.enter_context(locked(lock))
            try:
                yield
            finally:
                with contextlib.suppress(OSError):
                    self._tidy(key)
                    ownership.discard(self.place, lock.name)

    def _tidy(self, key: str) -> None:
        """Removes what those have left who were killed while they made it: nobody else makes it now."""
        for path in self.place.iterdir():
            left = _LEFT.fullmatch(path.name)
            if left and left[2] == key and path.is_dir() and not path.is_symlink():
                ownership.remove(path, ownership.WHOLE)

    def _by_use(self) -> list[Path]:
        """Weir's own, the last used first."""
        times = {}
        for path in self.place.iterdir():
            if _KEY.fullmatch(path.name) and self._marker(path):
                with contextlib.suppress(OSError):
                    times[path] = (path / ownership.MARKER).stat().st_mtime
        return sorted(times, key=times.__getitem__, reverse=True)

    def _marker(self, folder: Path) -> ownership.Marker | None:
        """The marker of one that Weir keeps there."""
        marker = None if folder.is_symlink() else ownership.read(folder)
        return marker if marker and (marker.kind, marker.id) == (self.kind, folder.name) else None


def now(path: str) -> list[int] | None:
    """Changes with what is in a file, as far as its size and time tell; None for one that is not there."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return [status.st_size, status.st_mtime_ns]


def _whole(path: Path, hashes: Sequence[str]) -> bytes:
    _want(path, path.lstat(), stat.S_ISREG)
    data = path.read_bytes()
    if ownership.sha256(data) not in hashes:
        raise Unusable(f"{path} is not as Weir wrote it")
    return data


def _want(path: Path, status: os.stat_result, kind: Callable[[int], bool]) -> None:
    if not kind(status.st_mode):
        raise Unusable(f"{path} is no {'folder' if kind is stat.S_ISDIR else 'file'}")
    if status.st_uid != os.geteuid():
        raise Unusable(f"{path} is another user's")
    if kind is stat.S_ISDIR and status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise Unusable(f"other users may get at {path}: chmod 700 closes it")


def not_now() -> None:
    """Raises BlockingIOError: what somebody else holds is not waited for."""
    raise BlockingIOError


def said(error: Exception, name: str) -> str:
    """With paths as a person knows them: the shelf has a name below /proc/self/fd."""
    return re.sub("/proc/self/fd/[0-9]+", lambda _: str(folder_of(name)), str(error))
