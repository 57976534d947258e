"""Prepare the other needs of a run while its program compiles."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from weir.engine.measuring.lttng_daemon import Unavailable
from weir.engine.measuring.lttng_place import WaitingSession
from weir.tracers import LTTNG, NOT_ENABLED

#: Delay before loading, which would slow planning and generating: after it, the compiler runs.
HEAD_START_S = 0.5


@contextmanager
def readying(backends: set[str], modules: Sequence[str] = ()) -> Iterator[Callable[[], None]]:
    """Prepare runs with these trace back-ends. While entered, LTTng's daemon keeps running between runs.

    Also loads `modules`. Yields a function that waits until everything is ready, so that nothing disturbs the
    measurement. A failure is no error here: the run tries again and reports it. Leaving abandons unfinished
    preparations.
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
