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

#: Names of files that this process was started with: a shell's `<(…)` is one, and so is a pipe into /dev/stdin.
_INHERITED = re.compile(r"/dev/stdin|/dev/fd/[0-9]+|/proc/self/fd/[0-9]+")


def read_bounded(path: Path | str, most: int) -> bytes:
    """At most one byte more than `most`, so that the caller sees what is too large. OSError when it cannot.

    A named pipe, a device or a folder is an error, and is not waited for. What the process was started with is read
    as it is, like standard input: whoever wrote /dev/stdin or `<(…)` on the command line has given it a writer.
    """
    name = os.fspath(path)
    if _INHERITED.fullmatch(name):
        with open(name, "rb") as file:
            return file.read(most + 1)
    # Looked at before it is opened, because opening a pipe already lets its writer go on; and again afterwards, because
    # another file may have taken the name meanwhile.
    _want_file(os.stat(name))
    with open(os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        _want_file(os.fstat(file.fileno()))
        return file.read(most + 1)


def lock_file(path: Path | str, mode: int = 0o644, flags: int = os.O_RDWR | os.O_CREAT) -> BinaryIO:
    """Opens the file of a lock, and makes it where there is none. It does not take the lock.

    OSError where a link, a named pipe or something else has the name: nobody's program is waited for, as opening a pipe
    would.
    """
    handle = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, mode)
    try:
        _want_file(os.fstat(handle))
    except OSError as error:
        os.close(handle)
        raise OSError(error.errno, f"the lock {path} is in the way: {error.strerror}") from None
    return open(handle, "r+b" if flags & os.O_RDWR else "rb", buffering=0)


def user_folder(variable: str, usual: str) -> Path:
    """Returns a folder of this user's: what a variable of the environment says, else `usual` in the home folder.

    What is not absolute does not count, as little as an empty HOME: the password database has that folder, too. OSError
    where there is no home folder.
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
    """Temporary file, fsync, rename; keeps the mode of a file that is replaced. OSError when it cannot."""
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
    """Read where it can be: set and set back, another thread's files meanwhile would be open to everybody."""
    try:
        with open("/proc/self/status", encoding="utf-8", errors="replace") as file:
            return next(int(line.split()[1], 8) for line in file if line.startswith("Umask:"))
    except (OSError, StopIteration):
        mask = os.umask(0o077)
        os.umask(mask)
        return mask
