"""A small process that outlives us when we are killed, and then cleans up the tracing session that we leave behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

OWNER_END_S = 5.0
PACKAGES = Path(__file__).resolve().parents[2]
PROGRAM = "import sys; sys.path.insert(0, sys.argv[1]); from weir.measuring.guardian import stand_guard; stand_guard()"


class Guardian:
    """Stands guard from `start` to `dismiss`. It has a session of its own: Ctrl-C and a hang-up do not reach it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen | None = None

    def start(self) -> None:
        """Without a guardian the next run cleans up: one that cannot be started stops nothing."""
        try:
            self._process = subprocess.Popen([sys.executable, "-B", "-c", PROGRAM, str(PACKAGES)],
                                             stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                             stderr=subprocess.DEVNULL, start_new_session=True, cwd="/")
        except OSError:
            self._process = None

    def dismiss(self) -> None:
        if self._process is None:
            return
        try:
            self._process.communicate(b"all is well", timeout=OWNER_END_S)
        except (OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._process = None


def stand_guard() -> None:
    """The guardian's own program: our end of the pipe closes when we are gone, whatever ended us."""
    owner = os.getppid()
    if sys.stdin.buffer.read():
        return
    from weir.measuring.lttng_daemon import clean_leftovers

    # The kernel closes what a process has open a little before the process is gone.
    deadline = time.monotonic() + OWNER_END_S
    while os.getppid() == owner and time.monotonic() < deadline:
        time.sleep(0.01)
    clean_leftovers()
