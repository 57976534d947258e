"""What is left of a benchmark, said while it goes on."""

from __future__ import annotations

import time
from collections.abc import Callable


class Progress:
    """Counts measurements; what is left of them is taken to last as long as those before did.

    `guess_s`: seconds of one measurement, for as long as there was none. `clock`: seconds.
    """

    def __init__(self, total: int, guess_s: float, clock: Callable[[], float] = time.monotonic):
        self._total = total
        self._guess_s = guess_s
        self._clock = clock
        self._start = clock()
        self._done = 0

    def one_done(self) -> None:
        """Counts one more run."""
        self._done += 1

    def left(self) -> str:
        """`12 of 340 measurements, about 4 min left`."""
        each_s = (self._clock() - self._start) / self._done if self._done else self._guess_s
        return f"{self._done} of {self._total} measurements, about {about(each_s * (self._total - self._done))} left"


def about(seconds: float) -> str:
    """Seconds under a minute and a half, else whole minutes."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
