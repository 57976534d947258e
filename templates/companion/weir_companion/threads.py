"""Threads of this process as Linux shows them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

TASKS = Path("/proc/self/task")

#: State of a thread in /proc -> words.
STATES = {"R": "runs", "S": "waits", "D": "waits for a device", "T": "is stopped", "Z": "has ended"}


def status(thread: int) -> dict[str, str]:
    """Return the fields of a thread's status; empty if there is no such thread."""
    try:
        lines = (TASKS / str(thread) / "status").read_text().splitlines()
    except OSError:
        return {}
    return {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}


def state(thread: int) -> str:
    """Return in a word what a thread does; empty if it has ended."""
    letter = status(thread).get("State", "")[:1]
    return STATES.get(letter, letter)


def may_use(wanted: Iterable[int]) -> bool:
    """Return whether Linux gives a thread at least one of these CPUs."""
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, wanted)
    except OSError:
        return False
    os.sched_setaffinity(0, before)
    return True


def cpus(text: str) -> list[int]:
    """Return the CPUs of a list such as `0-2,5`."""
    found: list[int] = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found
