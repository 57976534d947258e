"""Small process that outlives Weir and cleans up its tracing session if Weir is killed or in a hurry."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

from weir import PACKAGE
from weir.sure import sure

OWNER_END_S = 5.0
#: Last messages to the guardian: nothing is left to clean up, or the guardian must clean up now.
WELL, YOURS = b"all is well", b"all is yours"
PACKAGES = PACKAGE.parent
PROGRAM = """import sys; sys.path.insert(0, sys.argv[1])
from weir.engine.measuring.guardian import stand_guard; stand_guard()"""


class Guardian:
    """Guards a tracing session from `start` to `dismiss`. Ctrl-C and a hang-up do not reach its process."""

    def __init__(self) -> None:
        self._process: subprocess.Popen | None = None

    def start(self) -> None:
        """Start the guardian. Failure is no error: the next run then cleans up."""
        try:
            self._process = subprocess.Popen([sys.executable, "-I", "-B", "-c", PROGRAM, str(PACKAGES)],
                                             stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                             stderr=subprocess.DEVNULL, start_new_session=True, cwd="/")
        except OSError:
            self._process = None

    def dismiss(self) -> None:
        """Tell the guardian that all is well, and wait for its end."""
        if self._process is None:
            return
        try:
            self._process.communicate(WELL, timeout=OWNER_END_S)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._process = None

    def take_over(self) -> bool:
        """Let the guardian clean up now, without waiting for it. Return False if there is none."""
        process, self._process = self._process, None
        if process is None:
            return False
        try:
            with sure(process.stdin) as pipe:
                pipe.write(YOURS)
        except OSError:
            return False
        threading.Thread(target=process.wait, daemon=True).start()
        return True


def stand_guard() -> None:
    """Run as the guardian: wait for the owner's message, or for its end, which closes the pipe."""
    owner = os.getppid()
    message = sys.stdin.buffer.read()
    if message == WELL:
        return
    from weir.engine.measuring.lttng_daemon import clean_leftovers

    # Linux closes a process's pipes a little before the process is gone.
    deadline = time.monotonic() + OWNER_END_S
    while message != YOURS and os.getppid() == owner and time.monotonic() < deadline:
        time.sleep(0.01)
    clean_leftovers()
