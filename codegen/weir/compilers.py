"""Compilers, and the tools that start them: they end when this process does, however it ends.

Each command has a process group of its own. A guard, which is a shell with a pipe from us, ends the group when the pipe
closes: then we are gone, also by SIGTERM or kill -9. The module imports nothing of Weir's: the launcher runs it as a
program, with the command as its arguments.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import IO

#: Compiles under sanitizers in a quarter of g++'s time, and Qt in two thirds. Tests use it; users' programs do not.
QUICK = "clang++-19"
#: How soon a program that the launcher started notices that the launcher is gone.
_LAUNCHER_S = 0.2
#: Of a command that was told to end.
_GRACE_S = 2.0
#: Reads the group to guard, then either another line, or the end of the pipe. SIGTERM first, which Ninja hands on: its
#: compilers have groups of their own.
_GUARD = """read -r group || exit 0
read -r _ && exit 0
kill -s TERM -- "-$group"
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    kill -s 0 -- "-$group" || exit 0
    sleep 0.1
done
kill -s KILL -- "-$group"
"""

_running: set[subprocess.Popen] = set()


@contextlib.contextmanager
def started(command: Sequence[str], **options) -> Iterator[subprocess.Popen]:
    """Starts a command, and ends it if it still goes when this is left. `options`: of Popen.

    OSError where it cannot be started.
    """
    # The guard is there first: nothing goes on unguarded.
    guard = subprocess.Popen(["/bin/sh", "-c", _GUARD], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, cwd="/", start_new_session=True)
    try:
        child = subprocess.Popen(command, process_group=0, **options)
        _running.add(child)
        try:
            _tell(guard, f"{child.pid}\n")
            yield child
        finally:
            if child.poll() is None:
                _end(child, guard)
            _running.discard(child)
    finally:
        if not _pipe(guard).closed:
            _tell(guard, "\n")
            _pipe(guard).close()
        # One that has a group to end is not waited for.
        threading.Thread(target=guard.wait, daemon=True).start()


def run(command: Sequence[str], **options) -> int:
    """Runs a command to its end, without input. Returns its exit code as Popen has it.

    OSError where it cannot be started.
    """
    with started(command, stdin=subprocess.DEVNULL, **options) as child:
        return child.wait()


def end_all() -> None:
    """Ends all commands that other threads of this process run."""
    for child in list(_running):
        if child.returncode is None:
            _signal(child, signal.SIGTERM)


def _pipe(guard: subprocess.Popen) -> IO[bytes]:
    assert guard.stdin is not None
    return guard.stdin


def _tell(guard: subprocess.Popen, line: str) -> None:
    with contextlib.suppress(OSError):
        os.write(_pipe(guard).fileno(), line.encode())


def _end(child: subprocess.Popen, guard: subprocess.Popen) -> None:
    """End a command, usually at once. The guard waits for commands that ignore SIGTERM."""
    _signal(child, signal.SIGTERM)
    _pipe(guard).close()
    try:
        child.wait(_GRACE_S)
    except subprocess.TimeoutExpired:
        _signal(child, signal.SIGKILL)
        child.wait()


def _signal(child: subprocess.Popen, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, number)


def main() -> int:
    """Run our arguments as a command, and end it if our parent process ends."""
    parent = os.getppid()
    with started(sys.argv[1:], stdin=subprocess.DEVNULL) as child:
        while os.getppid() == parent:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return child.wait(_LAUNCHER_S)
    return 128 + signal.SIGTERM


if __name__ == "__main__":
    sys.exit(main())
