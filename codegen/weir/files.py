"""Atomic writing of files, and reading of untrusted files without blocking."""

from __future__ import annotations

import errno
import os
import pwd
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO

_KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket",
          stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}

#: Names of inherited file descriptors, such as a shell's `<(…)` or a pipe into /dev/stdin.
_INHERITED = re.compile(r"/dev/stdin|/dev/fd/[0-9]+|/proc/self/fd/[0-9]+")


def read_bounded(path: Path | str, most: int) -> bytes:
    """Read at most one byte more than `most`, which tells the caller that the file is too large. Raises OSError.

    A named pipe, a device or a folder is an error, and never blocks. Inherited descriptors, such as /dev/stdin or
    `<(…)`, may be pipes, because the user has given them a writer on the command line.
    """
    name = os.fspath(path)
    if _INHERITED.fullmatch(name):
        with open(name, "rb") as file:
            return file.read(most + 1)
    # Check before opening, because opening a pipe unblocks its writer. Check again afterwards, because another file may
    # have replaced it in between.
    _want_file(os.stat(name))
    with open(os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        _want_file(os.fstat(file.fileno()))
        return file.read(most + 1)


def lock_file(path: Path | str, mode: int = 0o644, flags: int = os.O_RDWR | os.O_CREAT) -> BinaryIO:
    """Open the file of a lock, and create it if it does not exist. Does not take the lock.

    Raises OSError if the name belongs to a link, a named pipe or anything but a file, because opening a pipe would wait
    for another program.
    """
    handle = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, mode)
    try:
        _want_file(os.fstat(handle))
    except OSError as error:
        os.close(handle)
        raise OSError(error.errno, f"the lock {path} is in the way: {error.strerror}") from None
    return open(handle, "r+b" if flags & os.O_RDWR else "rb", buffering=0)


def user_folder(variable: str, usual: str) -> Path:
    """Return a folder of this user: the value of an environment variable, else `usual` in the home folder.

    A relative path is ignored. An empty HOME is, too, because the password database also has the home folder. Raises
    OSError without a home folder.
    """
    given = os.environ.get(variable, "")
    if os.path.isabs(given):
        return Path(given)
    home = os.environ.get("HOME", "")
    if not os.path.isabs(home):
        with suppress(KeyError):
            home = pwd.getpwuid(os.geteuid()).pw_dir
    if not os.path.isabs(home):
        raise FileNotFoundError(errno.ENOENT, f"user {os.geteuid()} has no home folder: set HOME, or {variable}")
    return Path(home, usual)


def disk_bytes(path: Path) -> int:
    """Return the disk usage of a folder in bytes, 0 if it does not exist."""
    total = 0
    for folder, _, files in os.walk(path):
        for name in files:
            try:
                total += os.lstat(os.path.join(folder, name)).st_blocks * 512
            except OSError:
                continue
    return total


def _want_file(status: os.stat_result) -> None:
    kind = stat.S_IFMT(status.st_mode)
    if kind != stat.S_IFREG:
        raise OSError(errno.EINVAL, f"it is {_KINDS.get(kind, 'something else')} and not a file")


def write_whole(path: Path, data: bytes | str) -> None:
    """Write a file atomically: temporary file, fsync, rename. Keeps the mode of a replaced file. Raises OSError."""
    with whole_file(path) as file:
        file.buffer.write(data.encode() if isinstance(data, str) else data)


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """Yield a file to write piece by piece. It replaces `path` only if the block ends without an exception."""
    path = Path(os.path.realpath(path))
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, path.stat().st_mode & 0o7777 if path.exists() else 0o666 & ~umask())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def umask() -> int:
    """Return the umask, from /proc if possible. Setting and restoring it would expose files that other threads create
    in between.
    """
    try:
        with open("/proc/self/status", encoding="utf-8", errors="replace") as file:
            return next(int(line.split()[1], 8) for line in file if line.startswith("Umask:"))
    except (OSError, StopIteration):
        mask = os.umask(0o077)
        os.umask(mask)
        return mask
