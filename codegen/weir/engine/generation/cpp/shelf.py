"""Cache folder for compiled files, by a key of all inputs.

The folder must belong to this user and be closed to others, and entries must have the bytes that Weir wrote. Otherwise
Weir uses nothing and removes nothing, and `Unusable` says why. Weir repairs entries that are incomplete because a build
was interrupted or a user freed space.
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

#: File beside an entry: path, size and time of each file that the compiler read and that the key does not cover.
READ = "read.json"
_KEY = re.compile("[0-9a-f]{32}")
#: Names of a lock and of an unfinished entry, which remain if their process is killed.
_LEFT = re.compile(rf"({_KEY.pattern})\.lock|\.({_KEY.pattern})\.[a-z0-9_]{{8}}")


class Unusable(Exception):
    """The shelf cannot be used; the message says why."""


def folder_of(name: str) -> Path:
    """Return the folder of a shelf in the cache."""
    return cache_folder().with_name(name)


@contextlib.contextmanager
def opened(name: str, kind: str, file: str, most: int) -> Iterator[Shelf]:
    """Open a folder of this user's cache, created if missing. Raises OSError, also if other users may write there."""
    with own_folder(folder_of(name)) as place:
        yield Shelf(place, kind, file, most)


def key(ingredients: Mapping[str, str]) -> str:
    """Return the key of named inputs."""
    whole = hashlib.sha256()
    for name, value in sorted(ingredients.items()):
        whole.update(f"{len(name)} {name} {len(value)} {value}\n".encode())
    return whole.hexdigest()[:32]


@dataclass(frozen=True)
class Shelf:
    """An open cache folder. All access goes through the folder whose owner and permissions were checked.

    Each key has one `file`. `kind` is the kind in the marker, and `most` the number of entries to keep.
    """

    place: Path
    kind: str
    file: str
    most: int

    def load(self, key: str) -> bytes | None:
        """Return the entry, None if it is missing or outdated. Raises OSError, and Unusable if it is not Weir's."""
        kept = self.place / key
        try:
            _want(kept, kept.lstat(), stat.S_ISDIR)
            marker = self._marker(kept)
            if marker is None or not all(marker.files.get(name) for name in (self.file, READ)):
                if not any(kept.iterdir()):
                    return None
                raise Unusable(f"Weir did not create {kept}")
            data, read = (_whole(kept / name, sure(marker.files[name])) for name in (self.file, READ))
        except FileNotFoundError:
            return None  # a file of the entry is gone or just being removed: `keep` replaces the rest
        if any(now(path) != then for path, then in json.loads(read).items()):
            return None
        with contextlib.suppress(OSError):
            os.utime(kept / ownership.MARKER)
        return data

    def keep(self, key: str, made: bytes, read: Sequence[Path]) -> None:
        """Store an entry atomically and remove the least recently used ones.

        Raises OSError, also if something else has that name.
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
        """Hold the lock of an entry that is being made. Calls `waits` if another process holds it. Raises OSError."""
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
        """Remove what killed processes left of this entry; the caller holds its lock."""
        for path in self.place.iterdir():
            left = _LEFT.fullmatch(path.name)
            if left and left[2] == key and path.is_dir() and not path.is_symlink():
                ownership.remove(path, ownership.WHOLE)

    def _by_use(self) -> list[Path]:
        """Return Weir's entries, most recently used first."""
        times = {}
        for path in self.place.iterdir():
            if _KEY.fullmatch(path.name) and self._marker(path):
                with contextlib.suppress(OSError):
                    times[path] = (path / ownership.MARKER).stat().st_mtime
        return sorted(times, key=times.__getitem__, reverse=True)

    def _marker(self, folder: Path) -> ownership.Marker | None:
        """Return the marker of an entry, None if Weir does not own it."""
        marker = None if folder.is_symlink() else ownership.read(folder)
        return marker if marker and (marker.kind, marker.id) == (self.kind, folder.name) else None


def now(path: str) -> list[int] | None:
    """Return size and time of a file, which change with its content; None if it does not exist."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return [status.st_size, status.st_mtime_ns]


def _whole(path: Path, hashes: Sequence[str]) -> bytes:
    _want(path, path.lstat(), stat.S_ISREG)
    data = path.read_bytes()
    if ownership.sha256(data) not in hashes:
        raise Unusable(f"{path} changed since Weir wrote it")
    return data


def _want(path: Path, status: os.stat_result, kind: Callable[[int], bool]) -> None:
    if not kind(status.st_mode):
        raise Unusable(f"{path} is not a {'folder' if kind is stat.S_ISDIR else 'file'}")
    if status.st_uid != os.geteuid():
        raise Unusable(f"{path} belongs to another user")
    if kind is stat.S_ISDIR and status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise Unusable(f"other users can access {path}: run chmod 700 on it")


def not_now() -> None:
    """Raise BlockingIOError, to skip an entry whose lock another process holds."""
    raise BlockingIOError


def said(error: Exception, name: str) -> str:
    """Return an error's text with the shelf's real path in place of /proc/self/fd/N."""
    return re.sub("/proc/self/fd/[0-9]+", lambda _: str(folder_of(name)), str(error))
