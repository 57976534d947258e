"""What a run needs besides its program, got ready while that is compiled."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from weir.measuring.lttng_daemon import Unavailable
from weir.measuring.lttng_place import WaitingSession

#: So long the reader waits, which takes turns with whoever plans and generates: then the compiler is at work.
HEAD_START_S = 0.5


@contextmanager
def readying(backends: set[str]) -> Iterator[Callable[[], None]]:
    """For runs that are traced with these. While it is entered LTTng's daemon stays, whichever run comes and goes.

    Gives what waits until all is ready, for who is about to measure: none of it may disturb that. What cannot be had is
    no error here; the run looks for it again, and says so. What is not ready when it ends is given up.
    """
    if "lttng" not in backends:
        yield lambda: None
        return
    session = WaitingSession()
    place = threading.Thread(target=_take_place, args=[session])
    needed, given_up = threading.Event(), threading.Event()
    reader = threading.Thread(target=_build_reader, args=[needed, given_up], daemon=True)
    place.start()
    reader.start()
    try:
        yield lambda: _join(needed, place, reader)
    finally:
        given_up.set()
        _join(needed, place, reader)
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


def _build_reader(needed: threading.Event, given_up: threading.Event) -> None:
    needed.wait(HEAD_START_S)
    if given_up.is_set():
        return
    from weir.measuring import trace  # noqa: F401  loaded beforehand, as is:
    from weir.measuring.trace_reader import ReaderMissing, native_reader

    with suppress(ImportError):
        import jsonschema  # noqa: F401  it takes a tenth of a second
    try:
        native_reader(given_up)
    except ReaderMissing:
        pass
