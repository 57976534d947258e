"""Signals while CPUs are isolated: none of them leaves anything behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from typing import Any

from weir.machine.processes import INTERRUPTS
from weir.sure import sure


class Signals:
    """While it is entered, signals go to the program, and wait until there is one: nothing is done by halves.

    `pending` are those that came before.
    """

    def __init__(self) -> None:
        self.pending: list[int] = []
        self._child: subprocess.Popen[Any] | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Signals:
        for number in (*INTERRUPTS, signal.SIGQUIT) if threading.current_thread() is threading.main_thread() else ():
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup's wish is kept
                self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def started(self, child: subprocess.Popen[Any]) -> None:
        """Passes signals on to the child from now on, and those that came before."""
        self._child = child
        for number in self.pending:
            self._pass_on(number)

    def _handle(self, number: int, _: Any) -> None:
        if self._child is None:
            self.pending.append(number)
        elif number not in (signal.SIGINT, signal.SIGQUIT) or not _at_the_terminal():
            self._pass_on(number)  # else the terminal has told the program itself

    def _pass_on(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            sure(self._child).send_signal(number)


def _at_the_terminal() -> bool:
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)
