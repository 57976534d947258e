"""Standard output carries only the answer of a verb. Output of other code goes to standard error.

Output past Python, by a child process or a library, uses the file descriptor. Output of Python uses `sys.stdout`, which
a verb uses itself.
"""

from __future__ import annotations

import errno
import fcntl
import io
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_FD = 1
_lock = threading.Lock()
#: Value of `sys.stdout` at each entry into third-party code. The first one is the normal value.
_outputs: list[TextIO] = []


class CannotWrite(OSError):
    """Failure to write to standard output; `strerror` gives the reason."""


class _Descriptor(io.FileIO):
    """Raw file that reports a failure of standard output as CannotWrite."""

    def write(self, data: ReadableBuffer) -> int | None:  # type: ignore[override]  # typeshed has IO.write return int
        """Write as FileIO does. Raises CannotWrite if that fails."""
        try:
            return super().write(data)
        except OSError as error:
            why = "it is closed" if error.errno == errno.EBADF else error.strerror
            raise CannotWrite(error.errno, why) from None


@contextmanager
def put_away() -> Iterator[None]:
    """Keep `sys.stdout` for a verb, and redirect its file descriptor to standard error.

    If standard output is closed, printing raises CannotWrite, and no file gets its number.
    """
    before = sys.stdout
    if before is None:
        _take_number()
    kept = fcntl.fcntl(_FD, fcntl.F_DUPFD_CLOEXEC, 3)  # at least 3, in case standard error is closed, too
    if before is not None:
        before.flush()
    # Tests have their own `sys.stdout`, which leads elsewhere.
    answer = _writing_to(kept, before) if before is None or _leads_to_descriptor(before) else before
    sys.stdout = answer
    _lead_to_stderr()
    try:
        yield
    finally:
        sys.stdout = before
        os.dup2(kept, _FD)
        if answer is before:
            os.close(kept)
        else:
            with suppress(OSError):  # the reader is gone
                answer.close()


@contextmanager
def prints_to_stderr() -> Iterator[None]:
    """Send the output of third-party code to standard error.

    Several threads may be in such code, which ends in any order: the last one restores standard output.
    """
    with _lock:
        _outputs.append(sys.stdout)
        sys.stdout = errors = sys.stderr
    try:
        yield
    finally:
        with _lock:
            output = _outputs.pop()
            # Work that outlives its verb may find a `sys.stdout` set by a later one.
            if not _outputs and sys.stdout is errors:
                sys.stdout = output


def _take_number() -> None:
    """Occupy the number of a closed standard output. Writers then still get an error."""
    nowhere = os.open(os.devnull, os.O_RDONLY)
    if nowhere != _FD:
        os.dup2(nowhere, _FD)
        os.close(nowhere)


def _leads_to_descriptor(stream: TextIO) -> bool:
    try:
        return stream.fileno() == _FD
    except (OSError, ValueError):
        return False


def _writing_to(descriptor: int, like: TextIO | None) -> io.TextIOWrapper:
    binary = io.BufferedWriter(_Descriptor(descriptor, "wb"))
    if not isinstance(like, io.TextIOWrapper):
        return io.TextIOWrapper(binary, "utf-8")
    return io.TextIOWrapper(binary, like.encoding, like.errors, None, like.line_buffering, like.write_through)


def _lead_to_stderr() -> None:
    try:
        os.dup2(2, _FD)
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _FD)
        os.close(nowhere)
