"""Properties of this machine that generation needs: CPU type, cache folders, and Debian packages of programs."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import grp
import hashlib
import os
import pwd
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from weir.diagnostics import Diagnostic, diagnostic
from weir.files import lock_file, user_folder
from weir.machine.processes import identity, place
from weir.model import ownership

_PACKAGES = {"clang++": "clang"}


def cache_folder() -> Path:
    """Return the cache folder of builds, spelled as CMake spells it in the commands that Weir keeps. Raises OSError."""
    base = os.path.abspath(user_folder("XDG_CACHE_HOME", ".cache"))
    return Path("/", base.lstrip("/"), "weir", "builds")


def editor_folder(tree: str) -> Path:
    """Return the editor's build folder for a read-only source tree; each tree has its own. Raises OSError."""
    folder = cache_folder().with_name("editor")
    with own_folder(folder):
        build = folder / hashlib.sha256(os.fsencode(tree)).hexdigest()[:16]
        build.mkdir(exist_ok=True)
    return build


@contextlib.contextmanager
def own_folder(path: Path) -> Iterator[Path]:
    """Open a cache folder, created if missing, and yield a path that stays valid if the folder is renamed.

    Weir runs and trusts the files in it. So the folder and its parent must belong to this user, and no other user may
    write there. A symbolic link is fine if its target passes the check. Otherwise raises OSError and changes nothing.
    """
    path.parent.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        for folder in (path.parent, path):
            with contextlib.suppress(FileExistsError):
                folder.mkdir(mode=0o700)
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            stack.callback(os.close, handle)
            _want_own(folder, os.fstat(handle))
        yield Path(f"/proc/self/fd/{handle}")


@contextlib.contextmanager
def locked(path: Path, how: int = fcntl.LOCK_EX, inherited: bool = False) -> Iterator[None]:
    """Hold a lock whose file the holder may remove. Raises BlockingIOError if `how` says not to wait.

    With `inherited`, programs that Weir starts while it holds the lock also hold it, until they end.
    """
    with contextlib.ExitStack() as stack:
        while True:
            file = stack.enter_context(lock_file(path))
            os.set_inheritable(file.fileno(), inherited)
            fcntl.flock(file, how)
            if _leads_to(path, file):
                break  # otherwise its holder removed the file while we waited, so our lock protects nothing
        yield


def _leads_to(path: Path, file: BinaryIO) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


@contextlib.contextmanager
def scratch_folder(parent: Path, prefix: str, kind: str, name: str = "") -> Iterator[Path]:
    """Create a temporary folder marked with its owner, and remove it at the end.

    `name` is the id in the marker; "" uses the folder's name.
    """
    made = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    try:
        ownership.mark(made, ownership.Marker(kind, name or made.name, ownership.WHOLE, {**identity(), **place()}))
        yield made
    finally:
        with contextlib.suppress(OSError):
            ownership.remove(made, ownership.WHOLE)


def _want_own(folder: Path, status: os.stat_result) -> None:
    if status.st_uid != os.geteuid():
        raise PermissionError(errno.EACCES, f"{folder} belongs to another user")
    writers = status.st_mode & (stat.S_IWOTH if _is_private(status.st_gid) else stat.S_IWGRP | stat.S_IWOTH)
    if writers:
        raise PermissionError(errno.EACCES, f"other users can write to {folder}: remove it, so that Weir creates it "
                                            "again, or run chmod 700 on it if you trust its files")


def _is_private(group: int) -> bool:
    """Return whether only this user is in a group, like Debian's user groups: umask 002 is safe then."""
    try:
        user, it = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    return group == user.pw_gid and it.gr_name == user.pw_name and set(it.gr_mem) <= {user.pw_name}


def cpu_identity() -> str:
    """Return a text that changes with the code that -march=native selects."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return os.uname().machine
    kept = dict.fromkeys(line for line in lines
                         if line.startswith(("model", "flags", "Features", "CPU ", "cpu family")))
    return hashlib.sha256("\n".join(kept).encode()).hexdigest()


def file_identity(program: str) -> str:
    """Return a text that changes if a program's name leads to another file."""
    path = os.path.realpath(program)
    try:
        status = os.stat(path)
    except OSError:
        return path
    return f"{path} {status.st_size} {status.st_mtime_ns}"


def bytes_identity(path: Path) -> str | None:
    """Return the SHA-256 of a file, None if it cannot be read."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return None


def missing(program: str, code: str) -> Diagnostic:
    """Return the diagnostic for a missing program, with the package to install; `g++-12` has a package of that name."""
    name, _, version = program.partition("-")
    package = _PACKAGES.get(name, name) + (f"-{version}" if version else "")
    return diagnostic(code, "", f"{program} is not installed", f"on Debian: apt install {package}")
