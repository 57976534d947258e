"""LTTng recording session around one run: creates, sizes, stops and removes it, and counts its events."""

from __future__ import annotations

import os
import shutil
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from weir.engine.measuring.disk_watch import DiskWatch
from weir.engine.measuring.lttng_daemon import SESSION_PREFIX, Unavailable, elements, lttng
from weir.engine.measuring.lttng_place import GuardedSession

CHANNEL = "weir"

#: Bytes of one tx or rx in a packet: header 4, thread 4, payload 20, rounded up.
EVENT_BYTES = 32
SUB_BUFFERS = 8
ANY_NUMBER = 1 << 40
#: More events than any tracer writes: a count from here on is an error of the daemon.
MOST_EVENTS = 1 << 62
SMALLEST_SUB_BUFFER, LARGEST_SUB_BUFFER = 64 << 10, 8 << 20


class NoSpace(Exception):
    """The disk is too full for the trace; the message says how much it needs."""


@dataclass(frozen=True)
class Outcome:
    """Report of the session at its end. If it gave none, `discarded` is None and `failure` says why.

    `disk_full` is the message if a full disk stopped tracing, else "".
    """

    discarded: int | None
    failure: str
    disk_full: str = ""


def sub_buffer_bytes(events: int, cpus: int, memory_bytes: int) -> int:
    """Return a sub-buffer size that holds a burst of all `events` on one CPU, as far as memory allows.

    One sub-buffer is always being read, so it does not count. LTTng requires a power of two.
    """
    wanted = max(SMALLEST_SUB_BUFFER, -(-events * EVENT_BYTES // (SUB_BUFFERS - 1)))
    allowed = max(SMALLEST_SUB_BUFFER, min(LARGEST_SUB_BUFFER, memory_bytes // (SUB_BUFFERS * max(1, cpus))))
    size = 1 << (wanted - 1).bit_length()
    return size if size <= allowed else 1 << (allowed.bit_length() - 1)


def possible_cpus() -> int:
    """Return the number of CPUs that LTTng makes buffers for: all possible ones, not only those present."""
    try:
        ranges = Path("/sys/devices/system/cpu/possible").read_text().strip().split(",")
        return sum(int(r.split("-")[-1]) - int(r.split("-")[0]) + 1 for r in ranges)
    except (OSError, ValueError):
        return os.cpu_count() or 1


def buffer_memory() -> int:
    """Return bytes available to all buffers: half of the free shared memory, at most an eighth of the free memory."""
    try:
        memory = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        return min(shutil.disk_usage("/dev/shm").free // 2, memory // 8)
    except (OSError, ValueError):
        return 32 << 20


class Session:
    """Records `weir:tx`, `weir:rx` and the requested events into `output` while entered.

    It records only processes that `track` named before they started: several runs on a machine share one tracer.
    Entering raises Unavailable or NoSpace, and then leaves nothing behind. `outcome` is set at the end.
    """

    def __init__(self, run_id: str, output: Path, events: Iterable[str] = (), predicted_events: int = 0):
        self.name = SESSION_PREFIX + run_id
        self.output = output
        self.events = ["tx", "rx", *events]
        self.predicted_events = predicted_events
        self.outcome = Outcome(None, "the session was not started")
        self._place = GuardedSession(self.name, f"--output={output}")
        self._on_disk = False
        self._untracked = ""
        self._disk = DiskWatch(output.parent, self._stop_early)

    def __enter__(self) -> Session:
        self._check_space()
        try:
            self._begin()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._disk.__exit__()
            self.outcome = self._stop()
        finally:
            self._end()

    def track(self, pid: int) -> None:
        """Record the program that this process will become. A failure is reported in the outcome's `failure`."""
        try:
            lttng("track", "--userspace", f"--session={self.name}", f"--vpid={pid}")
        except Unavailable as error:
            self._untracked = str(error)

    def _check_space(self) -> None:
        needed = self.predicted_events * EVENT_BYTES * 5 // 4 + (8 << 20)
        free = shutil.disk_usage(self.output.parent).free
        if free < needed:
            raise NoSpace(f"the trace needs about {needed >> 20} MiB, but only {free >> 20} MiB are free")

    def _begin(self) -> None:
        self._place.enter()
        # The numbers of `work` calls and parkings are unpredictable: a waiting source is called repeatedly.
        burst = self.predicted_events if self.events == ["tx", "rx"] else ANY_NUMBER
        size = sub_buffer_bytes(burst, possible_cpus(), buffer_memory())
        lttng("enable-channel", "--userspace", f"--session={self.name}", "--buffers-uid", "--discard",
              f"--subbuf-size={size}", f"--num-subbuf={SUB_BUFFERS}", CHANNEL)
        # A stream belongs to a CPU, and threads move: `weir runs trace` needs the thread id.
        lttng("add-context", "--userspace", f"--session={self.name}", f"--channel={CHANNEL}", "--type=vtid")
        names = ",".join(f"weir:{event}" for event in self.events)
        lttng("enable-event", "--userspace", f"--session={self.name}", f"--channel={CHANNEL}", names)
        lttng("untrack", "--userspace", f"--session={self.name}", "--all", "--vpid")
        lttng("start", self.name)
        self._disk.__enter__()

    def _stop(self) -> Outcome:
        free = self._disk.free_bytes
        full = "" if free is None else f"the trace's disk had only {free >> 10} KiB left, so tracing stopped"
        try:
            if free is None:
                lttng("stop", self.name)
            self._on_disk = True
            counts = [int(e.text or 0) for e in elements(lttng("list", self.name, xml=True), "discarded_events")]
            # If a counter went backwards, the daemon reports an absurdly large number: count it as one dropped event.
            return Outcome(sum(count if count < MOST_EVENTS else 1 for count in counts), self._untracked, full)
        except (Unavailable, ElementTree.ParseError, ValueError) as error:
            return Outcome(None, self._untracked or str(error), full)

    def _stop_early(self) -> None:
        try:
            lttng("stop", self.name)
        except Unavailable:
            pass  # the end of the run reports why

    def _end(self) -> None:
        # `stop` has already waited for the trace; waiting again takes half a second.
        self._place.leave(wait=not self._on_disk)
