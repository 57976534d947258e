"""Unique identity of processes, the user's runtime folder, and the lock that keeps runs from overlapping."""

from __future__ import annotations

import ctypes
import fcntl
import functools
import hashlib
import os
import platform
import signal
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from weir.files import lock_file

#: Signals that end a program from outside.
INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PR_SET_PDEATHSIG = 1
#: Loaded in advance, because code between fork and exec must not wait for a lock.
LIBC = ctypes.CDLL(None)


def start_time(pid: int) -> int | None:
    """Return the start time of a process in clock ticks since boot, None if it no longer exists.

    Together with the pid it identifies a process uniquely.
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return None if fields[0] in ("Z", "X") else int(fields[19])


def identity(pid: int | None = None) -> dict[str, int | None]:
    """Return `{pid, start}` of a process, by default of this one."""
    pid = os.getpid() if pid is None else pid
    return {"pid": pid, "start": start_time(pid)}


@functools.cache
def place() -> dict[str, str]:
    """Return `{host, boot}`, within which a pid is unique. A container counts as a host, because it has its own pids.
    """
    try:
        machine = hashlib.sha256(Path("/etc/machine-id").read_bytes()).hexdigest()[:16]
    except OSError:
        machine = ""
    pids = os.readlink("/proc/self/ns/pid")
    boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return {"host": " ".join((platform.node(), machine, pids)), "boot": boot}


def is_alive(who: object) -> bool:
    """Return whether the process described by `identity` still runs. False if `who` is not such a description."""
    if not isinstance(who, dict) or not isinstance(who.get("pid"), int) or not isinstance(who.get("start"), int):
        return False
    return start_time(who["pid"]) == who["start"]


def may_live(who: object) -> bool:
    """Return whether the process described by `identity` and `place` may still run. For another host this is unknown,
    so it may.
    """
    if not isinstance(who, dict):
        return False
    here = place()
    return who.get("host") != here["host"] or who.get("boot") == here["boot"] and is_alive(who)


def die_with_parent() -> None:
    """Make this child process end when the thread that started it does. Call it before exec.

    Otherwise a measured program could keep running and disturb the next measurement.
    """
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def runtime_folder() -> Path:
    """Return a folder of this user that a reboot empties. Raises OSError if there is none, or if it belongs to another
    user.
    """
    given = os.environ.get("XDG_RUNTIME_DIR")
    if given and os.access(given, os.W_OK):
        folder = Path(given) / "weir"
    elif os.geteuid() == 0 and os.access("/run", os.W_OK):
        folder = Path("/run/weir")
    else:
        folder = Path(tempfile.gettempdir()) / f"weir-{os.geteuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    # Any user can make a folder in /tmp. A folder of another user could list processes for us to kill.
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
        raise PermissionError(13, "not a folder of this user", str(folder))
    return folder


def _open_lock() -> BinaryIO:
    """Open the lock file. All users share /run/lock. If it is not writable, the lock covers only the runs of this user.

    WEIR_LOCK names another file, for machines shared in parts that do not disturb each other.
    """
    given = os.environ.get("WEIR_LOCK")
    for path in (Path(given),) if given else (Path("/run/lock/weir.lock"), None):
        path = runtime_folder() / "run.lock" if path is None else path
        try:
            return lock_file(path, flags=os.O_RDONLY)
        except FileNotFoundError:
            pass
        except OSError:
            continue
        with suppress(OSError):
            return lock_file(path)
    raise OSError("no folder for this machine's lock exists")


@contextmanager
def machine_lock(on_wait: Callable[[], None]) -> Iterator[None]:
    """Hold the lock during a measurement. `on_wait` is called once if another run holds it."""
    try:
        lock = _open_lock()
    except OSError:
        yield  # no lock is possible: measuring without one is better than refusing
        return
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_wait()
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
