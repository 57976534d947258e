"""Sees whether a disk has room for runs, and sees it run full in the middle of one while there is room to say so."""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from weir.diagnostics import trying

CHECK_S = 0.2
#: With less than this left, the rest is for the results.
SMALLEST_FREE_BYTES = 4 << 20
#: Kept for them where somebody else fills the disk faster than it is looked at.
RESERVE_BYTES = 1 << 20
RESERVE = ".reserve"


def check_folder(out: Path) -> None:
    """Tries, before anything is built, whether runs can be kept in a folder. Makes nothing that stays.

    WeirError where nobody may write there, or hardly any room is left.
    """
    there = next(folder for folder in (out, *out.parents) if os.path.lexists(folder))
    with trying(f"keep runs in {out}"):
        with tempfile.TemporaryFile(dir=there) as file:
            os.posix_fallocate(file.fileno(), 0, SMALLEST_FREE_BYTES)


class DiskWatch:
    """While it is entered: calls `on_full` once, on a thread of its own, when the disk of `folder` is nearly full.

    `free_bytes` is None, or what was left then. A reserve that is part of the disk's use until then is given back.
    """

    def __init__(self, folder: Path, on_full: Callable[[], None]):
        self.free_bytes: int | None = None
        self._folder, self._on_full = folder, on_full
        self._left = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="disk watch", daemon=True)

    def __enter__(self) -> DiskWatch:
        try:
            with open(self._folder / RESERVE, "wb") as file:
                os.posix_fallocate(file.fileno(), 0, RESERVE_BYTES)
        except OSError:
            self._give_back()  # a file system without it, or hardly any room: that shows soon enough
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._left.set()
        self._thread.join()
        self._give_back()

    def _watch(self) -> None:
        while not self._left.wait(CHECK_S):
            try:
                free = shutil.disk_usage(self._folder).free
            except OSError:
                continue
            if free < SMALLEST_FREE_BYTES:
                self.free_bytes = free
                try:
                    self._on_full()
                finally:
                    self._give_back()
                return

    def _give_back(self) -> None:
        (self._folder / RESERVE).unlink(missing_ok=True)


@contextmanager
def runs_folder(out: Path | None, prefix: str) -> Iterator[Path]:
    """Of the run directories: `out`, or without one a folder that goes with them.

    WeirError where they cannot be kept there.
    """
    if out:
        check_folder(out.absolute())
        yield out.absolute()
        return
    with tempfile.TemporaryDirectory(prefix=prefix) as folder:
        check_folder(Path(folder))
        yield Path(folder)
