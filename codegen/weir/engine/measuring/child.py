"""Run one measured process: start it, read its output, pass on interrupts, and kill it if it does not end."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from weir.diagnostics import WeirError, not_started
from weir.engine.targets.interface import Ended
from weir.machine.environment import ISOLATION
from weir.machine.processes import INTERRUPTS, die_with_parent
from weir.sure import sure

#: After its own time limit, a program has this long to write its results.
GRACE_S = 30.0
LAST_LINES = 8

#: Command that holds a program back: it waits for a line on its stdin, and then becomes the program, with the same pid.
GATE = ("/bin/sh", "-c", 'read -r _ && exec "$@" </dev/null', "sh")


class Interrupts:
    """While entered, counts Ctrl-C, SIGTERM and SIGHUP and passes them to the program, instead of ending Weir at once.
    """

    def __init__(self) -> None:
        self.count = 0
        self._child: subprocess.Popen | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            for number in INTERRUPTS:
                # Respect nohup: ignored signals stay ignored.
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _handle(self, *_: object) -> None:
        self.count += 1
        if self._child is not None:
            # Two interrupts ask the program to stop, the third kills it.
            _send(self._child, signal.SIGINT if self.count <= 2 else signal.SIGKILL)

    def watch(self, child: subprocess.Popen | None) -> None:
        """Send interrupts to `child` from now on; None: to no process."""
        self._child = child
        if child is not None and self.count:
            _send(child, signal.SIGINT)


def _send(child: subprocess.Popen, number: int) -> None:
    if child.poll() is None:
        try:
            child.send_signal(number)
        except ProcessLookupError:
            pass


def run_child(command: Sequence[str], folder: Path, log: Path, timeout_s: float, interrupts: Interrupts,
              on_progress: Callable[[dict], None] | None = None, before_start: Callable[[int], None] | None = None,
              progress_in: Callable[[str], dict | None] | None = None,
              inside: Callable[[], AbstractContextManager[Sequence[str]]] = lambda: nullcontext(())) -> Ended:
    """Run `command` in `folder`. Its stdout and stderr go to `log`, except progress objects.

    The program has its own session, so that Ctrl-C reaches it only through Weir. `before_start` gets the process id
    before the program runs. The program starts within the context `inside`, which yields words to put before the
    command. Raises OSError if the program cannot start, WeirError (E_TOOL_MISSING) if it does not exist; a held program
    then ends with 126 or 127.
    """
    last: deque[str] = deque(maxlen=LAST_LINES)
    with open(log, "w", encoding="utf-8", errors="replace") as file:
        with inside() as before:
            child = _started(command, folder, before_start is not None, before)
        interrupts.watch(child)
        overdue = threading.Event()

        def end_overdue() -> None:
            overdue.set()
            _send(child, signal.SIGKILL)

        timer = threading.Timer(timeout_s + GRACE_S, end_overdue)
        timer.daemon = True
        try:
            if before_start:
                before_start(child.pid)
                _let_go(child)
            timer.start()
            for line in child.stdout or ():
                progress = (progress_in or progress_of)(line) if on_progress else None
                if on_progress and progress is not None:
                    on_progress(progress)
                else:
                    file.write(line)
                    last.append(line.rstrip())
            code = child.wait()
        finally:
            timer.cancel()
            interrupts.watch(None)
            if child.poll() is None:
                child.kill()
                child.wait()
    return Ended(code, overdue.is_set(), tuple(last))


def _started(command: Sequence[str], folder: Path, held: bool, before: Sequence[str]) -> subprocess.Popen:
    try:
        return subprocess.Popen([*before, *(GATE if held else ()), *command], cwd=folder,
                                stdin=subprocess.PIPE if held else subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
                                preexec_fn=die_with_parent)
    except (FileNotFoundError, PermissionError) as error:
        if error.filename != command[0]:
            raise
        raise WeirError(not_started(error, "the run")) from None


def _let_go(child: subprocess.Popen) -> None:
    with contextlib.suppress(BrokenPipeError), sure(child.stdin):  # an interrupted program may have ended
        sure(child.stdin).write("\n")


def progress_of(line: str) -> dict | None:
    """Return the progress object in a line, None for another line."""
    if not line.startswith("{"):
        return None
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) and "phase" in value else None


def emit_progress(value: dict) -> None:
    """Write one object of `--progress=json` to stderr. Ignores errors: a closed stderr does not stop a run."""
    with contextlib.suppress(OSError):
        print(json.dumps(value), file=sys.stderr, flush=True)


def interesting_environment() -> dict[str, str]:
    """Return environment variables that change a run, except that of an isolation: run.json has it elsewhere."""
    prefixes = ("WEIR_", "LTTNG_", "VOLK_", "LD_", "MALLOC_", "GLIBC_")
    return {name: value for name, value in sorted(os.environ.items())
            if name.startswith(prefixes) and name != ISOLATION}
