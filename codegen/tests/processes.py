"""State of processes, as Linux reports it. A process may end between two reads, which is no error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path


def of_threads(pid: int, file: str) -> Iterator[str]:
    """Yield the text of /proc/PID/task/*/FILE for each thread that has not ended."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return
    for task in tasks:
        try:
            yield (task / file).read_text()
        except OSError:
            continue


def descendants(pid: int) -> Iterator[int]:
    """Yield the process's live descendants, as far as they have not been reparented."""
    for text in of_threads(pid, "children"):
        for child in map(int, text.split()):
            yield child
            yield from descendants(child)


def goes_on(pid: int) -> bool:
    """Return whether the process exists and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
