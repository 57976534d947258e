"""Work in other threads."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar, cast

Made = TypeVar("Made", covariant=True)
Each = TypeVar("Each")


class Ending(Protocol[Made]):
    """Handle on work that runs in another thread."""

    def __call__(self, timeout_s: float | None = None) -> Made:
        """Wait for the work, and return its result or raise its exception. Raises TimeoutError if it still runs
        afterwards.
        """


def begun(work: Callable[[], Made]) -> Ending[Made]:
    """Start the work in its own thread."""
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


def side_by_side(jobs: Sequence[Callable[[], Each]], most: int) -> list[Each]:
    """Run jobs in parallel and return their results in order.

    At most `most` jobs run at a time, and no more than there are CPUs. After a failure no further job starts, and the
    exception of the first failed job is raised. Ctrl-C does not wait for the jobs.
    """
    if len(jobs) == 1:
        return [jobs[0]()]
    made: list[Each | None] = [None] * len(jobs)
    faults: dict[int, BaseException] = {}
    todo = iter(range(len(jobs)))
    taking = threading.Lock()

    def work() -> None:
        while True:
            with taking:
                i = next(todo, None)
            if i is None or faults:
                return
            try:
                made[i] = jobs[i]()
            except BaseException as error:
                faults[i] = error

    threads = [threading.Thread(target=work, daemon=True)
               for _ in range(min(len(jobs), len(os.sched_getaffinity(0)), most))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[min(faults)]
    return cast(list[Each], made)
