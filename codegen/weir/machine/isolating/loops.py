"""Endless loops: their program, their CPU time, and their time slice in the kernel."""

from __future__ import annotations

import ctypes
import os
import platform
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Any

#: Program of the loops. It prints `ready`, and on a line of input forks the number of loops in its argument and prints
#: their process ids. On a second line it lets all loops start. It kills them when its input is closed, and they end if
#: it is killed. It is in Python, which every machine with Weir has, so there is nothing to build. A loop uses only user
#: time, makes no system calls, and needs little of the caches.
PROGRAM = """
import ctypes, os, signal, sys
print("ready", flush=True)
if not sys.stdin.readline():
    sys.exit()
prctl, parent, loops = ctypes.CDLL(None).prctl, os.getpid(), []
held, let_go = os.pipe()
for _ in range(int(sys.argv[1])):
    try:
        loop = os.fork()
    except OSError:
        break
    if not loop:
        prctl(1, signal.SIGKILL)
        os.close(let_go)
        if os.getppid() != parent:
            os._exit(1)
        os.read(held, 1)
        while True:
            pass
    loops.append(loop)
print(*loops, flush=True)
sys.stdin.readline()
os.close(let_go)
sys.stdin.read()
for loop in loops:
    os.kill(loop, signal.SIGKILL)
    os.waitpid(loop, 0)
"""
#: Numbers of sched_setattr and sched_getattr on machines where they differ from those of new machines.
_CALLS = {"x86_64": (314, 315), "i686": (351, 352), "armv7l": (380, 381), "ppc64le": (355, 356), "s390x": (345, 346)}
_OF_NEW_MACHINES = (274, 275)
#: struct sched_attr, its first version: size, policy, flags, nice, priority, runtime, deadline, period.
_ATTRIBUTES = struct.Struct("=IIQiIQQQ")
_LIBC = ctypes.CDLL(None, use_errno=True)


def used_s(pids: Iterable[int]) -> float:
    """Return the total CPU time of these processes in seconds, without those that have ended."""
    return sum(_used_ns(pid) for pid in pids) / 1e9


def _used_ns(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()[0])
    except (OSError, LookupError, ValueError):
        return 0


def set_slice(pid: int, slice_us: int) -> int | None:
    """Request a time slice for an ordinary process, and return its slice in us afterwards. None if the kernel sets
    slices itself. Raises OSError.
    """
    numbers = _CALLS.get(platform.machine(), _OF_NEW_MACHINES)
    size, policy, flags, nice, *_ = _ATTRIBUTES.unpack(_attributes(numbers[1], pid))
    wanted = _ATTRIBUTES.pack(size, policy, flags, nice, 0, slice_us * 1000, 0, 0)
    _call(numbers[0], pid, ctypes.create_string_buffer(wanted, len(wanted)), 0)
    return _ATTRIBUTES.unpack(_attributes(numbers[1], pid))[5] // 1000 or None


def _attributes(number: int, pid: int) -> bytes:
    buffer = ctypes.create_string_buffer(_ATTRIBUTES.size)
    _call(number, pid, buffer, _ATTRIBUTES.size, 0)
    return buffer.raw


def _call(number: int, pid: int, buffer: ctypes.Array[Any], *rest: int) -> None:
    if _LIBC.syscall(ctypes.c_long(number), ctypes.c_int(pid), buffer, *map(ctypes.c_uint, rest)):
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
