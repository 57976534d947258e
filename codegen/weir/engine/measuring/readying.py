"""What a run needs besides its program, got ready while that is compiled."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from weir.engine.measuring.lttng_daemon import Unavailable
from weir.engine.measuring.lttng_place import WaitingSession
from weir.tracers import LTTNG, NOT_ENABLED

#: So long what is loaded waits, which takes turns with whoever plans and generates: then the compiler is at work.
HEAD_START_S = 0.5


@contextmanager
def readying(backends: set[str], modules: Sequence[str] = ()) -> Iterator[Callable[[], None]]:
    """For runs that are traced with these. While it is entered LTTng's daemon stays, whichever run comes and goes.

    `modules`: loaded meanwhile. Gives what waits until all is ready, for who is about to measure: none of it may
    disturb that. What cannot be had is no error here; the run looks for it again, and says so. What is not ready when
    it ends is given up.
    """
    session, traced = WaitingSession(), bool(backends & {LTTNG, NOT_ENABLED})
    needed, given_up = threading.Event(), threading.Event()
    place = threading.Thread(target=_take_place, args=[session])
    loader = threading.Thread(target=_load, args=[needed, given_up, modules, traced], daemon=True)
    begun = [place, loader] if traced else [loader]
    for thread in begun:
        thread.start()
    try:
        yield lambda: _join(needed, *begun)
    finally:
        given_up.set()
        _join(needed, *begun)
        if traced:
            session.hand_over()


def _join(needed: threading.Event, *threads: threading.Thread) -> None:
    needed.set()
    for thread in threads:
        thread.join()


def _take_place(session: WaitingSession) -> None:
    try:
        session.enter()
    except Unavailable:
        pass


def _load(needed: threading.Event, given_up: threading.Event, modules: Sequence[str], traced: bool) -> None:
    needed.wait(HEAD_START_S)
    if given_up.is_set():
        return
    for name in modules:
        with suppress(ImportError):
            importlib.import_module(name)
    if not traced:
        return
    from weir.engine.measuring.trace_reader import ReaderMissing, native_reader

    try:
        native_reader(given_up)
    except ReaderMissing:
        pass
