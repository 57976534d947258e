"""Work that is done while something else is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol, TypeVar

Made = TypeVar("Made", covariant=True)


class Ending(Protocol[Made]):
    def __call__(self, timeout_s: float | None = None) -> Made:
        """Waits for it, and gives or raises what came of it. TimeoutError where it still goes after so long."""


def begun(work: Callable[[], Made]) -> Ending[Made]:
    """Begins it in a thread of its own."""
    made: list[Made] = []
    raised: list[BaseException] = []

    def do() -> None:
        try:
            made.append(work())
        except BaseException as error:
            raised.append(error)

    def ended(timeout_s: float | None = None) -> Made:
        thread.join(timeout_s)
        if thread.is_alive():
            raise TimeoutError
        if raised:
            raise raised[0]
        return made[0]

    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    return ended
