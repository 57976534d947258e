"""A report that is renewed while its sweep goes on."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from weir.cli.verbs import say
from weir.diagnostics import WeirError, diagnostic

#: Seconds between two looks at the folder.
LOOK_S = 1.0
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def watch(folder: Path, renew: Callable[[], bool], still: Callable[[], None]) -> None:
    """Until the sweep is complete. `renew`: makes page and figures of what is measured by now, and says whether that is
    all; `still`: lets the page load itself no more.

    KeyboardInterrupt where a signal ends it. WeirError (E_SWEEP_FOLDER) where there is no sweep, or not any more.
    """
    from weir.lab.sweeping.state import read_state
    from weir.machine.processes import machine_lock

    at = read_state(folder)
    if at is None:
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{folder}: no sweep was begun there",
                                   "--watch takes the folder that `weir sweep` was given as --out"))
    with _stopping():
        try:
            drawn = None
            while True:
                now = _last_table(folder)
                if now != drawn:
                    # Nothing is drawn beside a measurement: that would disturb it.
                    with machine_lock(lambda: None):
                        if _renewed(folder, at.id, renew):
                            return
                    drawn = now
                time.sleep(LOOK_S)
                _check_there(folder, at.id)
        except BaseException:
            still()
            raise


def _renewed(folder: Path, sweep: str, renew: Callable[[], bool]) -> bool:
    try:
        return renew()
    except WeirError as error:
        _check_there(folder, sweep)
        if error.diagnostics[0].code != "E_RUN_NONE":
            raise
        say(f"{folder}: nothing is measured yet")
        return False


def _last_table(folder: Path) -> tuple[int, int] | None:
    """Another one after every block."""
    from weir.lab.sweeping.table import TABLE

    try:
        status = (folder / TABLE).stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def _check_there(folder: Path, sweep: str) -> None:
    from weir.lab.sweeping.state import read_state

    now = read_state(folder)
    if now is None or now.id != sweep:
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{folder}: the sweep is "
                                   + ("gone" if now is None else "another one by now"),
                                   "the page shows what was measured until then"))


@contextmanager
def _stopping() -> Iterator[None]:
    """Every signal that ends us does so as Ctrl-C does."""
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    # nohup's wish is kept: what was ignored stays ignored.
    before = {number: signal.signal(number, stop) for number in STOPS if signal.getsignal(number) is not signal.SIG_IGN}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def unbroken() -> Iterator[None]:
    """What takes a moment, and would else be done by half."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
