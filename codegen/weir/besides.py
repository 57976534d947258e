"""Work that is done while something else is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

Made = TypeVar("Made")


def begun(work: Callable[[], Made]) -> Callable[[], Made]:
    """Begins it in a thread of its own. What is returned waits for it, and gives or raises what came of it."""
    made: list[Made] = []
    raised: list[BaseException] = []

    def do() -> None:
        try:
            made.append(work())
        except BaseException as error:
            raised.append(error)

    def ended() -> Made:
        thread.join()
        if raised:
            raise raised[0]
        return made[0]

    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    return ended
