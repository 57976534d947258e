"""Record the Linux kernel's events of a run's threads in a tracefs instance, from before the program to its end.

This needs root. Linux filters by process (`set_event_pid`, including child processes). It records other threads only
when they take a CPU from a thread of the run, hand one over or wake it, so a busy machine costs no more. Weir removes
the instance at the end; the next run removes that of a killed run.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import subprocess
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from weir.engine.measuring.kernel_events import BESIDES, EVENTS, Event, read
from weir.machine.processes import is_alive, place, start_time
from weir.sure import sure

TRACING = Path("/sys/kernel/tracing")
#: Mount points of tracefs, the older one last.
PLACES = (TRACING, Path("/sys/kernel/debug/tracing"))
#: Buffer size in KiB: most and least per CPU, and most in total. An event takes about 70 bytes.
MOST_KIB, LEAST_KIB, ALL_KIB = 16 << 10, 1 << 10, 256 << 10
#: Name of Weir's instances: pid, its start time, and a hash of the host or container.
_OURS = re.compile(r"weir-(\d+)-(\d+)-([0-9a-f]{8})")


class Unavailable(Exception):
    """Kernel events are not available; the message says why."""


@dataclass(frozen=True)
class Recorded:
    """Kernel events by time. `lost` is the number dropped. `why_not` says why nothing was recorded, else ""."""

    events: Sequence[Event] = field(default_factory=tuple)
    lost: int = 0
    why_not: str = ""


class KernelTrace:
    """Kernel trace, entered around the program by the thread that starts it. Does nothing unless `wanted`."""

    def __init__(self, wanted: bool, tracing: Path | None = None):
        """Take the folder of tracefs, for tests; None: the machine's."""
        self.wanted = wanted
        self.recorded = Recorded()
        self._tracing = tracing
        self._instance: Path | None = None

    def __enter__(self) -> KernelTrace:
        if self.wanted:
            try:
                self._begin()
            except (OSError, Unavailable) as error:
                self._remove()
                self.recorded = Recorded(why_not=_words(error))
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self._remove()
        elif self._instance is not None:
            with contextlib.suppress(OSError):
                _write(self._instance / "tracing_on", "0")

    def finish(self) -> None:
        """Read the recorded events. Takes time, so call it when nothing waits for it."""
        if self._instance is None:
            return
        try:
            self.recorded = self._read()
        except OSError as error:
            self.recorded = Recorded(why_not=_words(error))
        finally:
            self._remove()

    def _begin(self) -> None:
        tracing = self._tracing or _tracefs()
        instances = tracing / "instances"
        remove_leftovers(instances)
        own = instances / f"weir-{os.getpid()}-{start_time(os.getpid())}-{_here()}"
        with contextlib.suppress(OSError):
            own.rmdir()  # left by an earlier run of this process
        own.mkdir()
        self._instance = own
        _write(own / "trace_clock", "mono")
        _write(own / "buffer_size_kb", str(max(LEAST_KIB, min(MOST_KIB, ALL_KIB // (os.cpu_count() or 1)))))
        _write(own / "options/event-fork", "1")
        _write(own / "set_event_pid", str(threading.get_native_id()))
        for event in (*EVENTS, *BESIDES):
            if event in EVENTS or (own / "events" / event).exists():
                _write(own / "events" / event / "enable", "1")

    def _read(self) -> Recorded:
        lost = 0
        for stats in sure(self._instance).glob("per_cpu/cpu*/stats"):
            counters = dict(line.split(": ", 1) for line in stats.read_text().splitlines() if ": " in line)
            lost += sum(int(counters.get(name, 0)) for name in ("overrun", "commit overrun", "dropped events"))
        with open(sure(self._instance) / "trace", encoding="utf-8", errors="replace") as lines:
            return Recorded(sorted(read(lines), key=lambda event: event.time_ns), lost)

    def _remove(self) -> None:
        """Remove the instance. If that fails, the next run removes it."""
        instance, self._instance = self._instance, None
        if instance is not None:
            with contextlib.suppress(OSError):
                instance.rmdir()


def remove_leftovers(instances: Path) -> None:
    """Remove the instances of runs that were killed."""
    for path in instances.iterdir():
        ours = _OURS.fullmatch(path.name)
        if ours and ours[3] == _here() and not is_alive({"pid": int(ours[1]), "start": int(ours[2])}):
            with contextlib.suppress(OSError):
                path.rmdir()


def _tracefs() -> Path:
    """Return the folder of tracefs. Mounts it if necessary and leaves it mounted, as most distributions do."""
    if os.geteuid() != 0:
        raise Unavailable("only root may read the trace of Linux")
    for found in PLACES:
        if (found / "instances").is_dir():
            return found
    try:
        done = subprocess.run(["mount", "-t", "tracefs", "nodev", str(TRACING)], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace", timeout=10)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"tracefs is not mounted, and mounting it failed: {error}") from None
    if done.returncode != 0 or not (TRACING / "instances").is_dir():
        said = " ".join(done.stderr.split()) or "Linux has no tracefs"
        raise Unavailable(f"tracefs is not mounted, and mounting it failed: {said}")
    return TRACING


def _here() -> str:
    return hashlib.sha256(place()["host"].encode()).hexdigest()[:8]


def _words(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def _write(path: Path, text: str) -> None:
    """Write to an existing file in one call, as files of the kernel require."""
    file = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(file, text.encode())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        os.close(file)
