"""Compilers and build tools as child processes, which end when this process ends, however it ends.

Each command has its own process group. A guard, a shell with a pipe from us, ends the group when the pipe closes. The
pipe closes when this process ends, even by SIGTERM or kill -9. The module imports nothing from Weir, because the
launcher runs it as a program, with the command as its arguments.
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

#: Needs a quarter of g++'s time with sanitizers, and two thirds for Qt. Only tests use it, not users' programs.
QUICK = "clang++-19"
#: Interval at which a program started by the launcher checks whether the launcher still runs.
_LAUNCHER_S = 0.2
#: Time that a command gets to end after SIGTERM.
_GRACE_S = 2.0
#: Reads the group to guard. A second line means that the command has ended, and the end of the pipe that this process
#: has. SIGTERM comes first, because Ninja passes it on to its compilers, which have their own groups.
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
    """Start a command, and end it on exit if it still runs. `options`: those of Popen.

    Raises OSError if it cannot be started.
    """
    # Start the guard first, so that the command never runs unguarded.
    guard = subprocess.Popen(["/bin/sh", "-c", _GUARD], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, cwd="/", start_new_session=True)
    try:
        child = subprocess.Popen(command, process_group=0, **options)
        _running.add(child)
        try:
            _send(guard, f"{child.pid}\n")
            yield child
        finally:
            if child.poll() is None:
                _end(child, guard)
            _running.discard(child)
    finally:
        if not _pipe(guard).closed:
            _send(guard, "\n")
            _pipe(guard).close()
        # A guard with a group to end may take long, so nothing waits for it.
        threading.Thread(target=guard.wait, daemon=True).start()


def run(command: Sequence[str], **options) -> int:
    """Run a command to its end, without input. Return its exit code as Popen reports it.

    Raises OSError if it cannot be started.
    """
    with started(command, stdin=subprocess.DEVNULL, **options) as child:
        return child.wait()


def end_all() -> None:
    """End all commands that other threads of this process run."""
    for child in list(_running):
        if child.returncode is None:
            _signal(child, signal.SIGTERM)


def _pipe(guard: subprocess.Popen) -> IO[bytes]:
    assert guard.stdin is not None
    return guard.stdin


def _send(guard: subprocess.Popen, line: str) -> None:
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
