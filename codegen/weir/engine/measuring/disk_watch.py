"""Check that a disk has room for runs, and stop a run before its disk is full."""

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
#: The watch stops a run below this free space, which is left for the results.
SMALLEST_FREE_BYTES = 4 << 20
#: Reserved for the results, in case the disk fills faster than Weir checks.
RESERVE_BYTES = 1 << 20
RESERVE = ".reserve"


def check_folder(out: Path) -> None:
    """Check, before building, that a folder can keep runs. Leaves nothing behind.

    Raises WeirError if the folder cannot be written or the disk is almost full.
    """
    there = next(folder for folder in (out, *out.parents) if os.path.lexists(folder))
    with trying(f"keep runs in {out}"):
        with tempfile.TemporaryFile(dir=there) as file:
            os.posix_fallocate(file.fileno(), 0, SMALLEST_FREE_BYTES)


class DiskWatch:
    """While entered, calls `on_full` once, on its own thread, when the disk of `folder` is nearly full.

    `free_bytes` is the free space at that time, else None. A reserve file is deleted at that moment.
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
            self._give_back()  # unsupported, or almost no space: the watch notices the latter
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
    """Yield the folder for run directories: `out`, or a temporary one if it is None.

    Raises WeirError if it cannot keep runs.
    """
    if out:
        check_folder(out.absolute())
        yield out.absolute()
        return
    with tempfile.TemporaryDirectory(prefix=prefix) as folder:
        check_folder(Path(folder))
        yield Path(folder)
