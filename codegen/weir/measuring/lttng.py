"""An LTTng recording session around one run: set up, sized, stopped, counted, and cleaned up after whoever was killed.

Weir stops only what it started. What it started is written down beforehand, in the user's runtime folder, so that a
later run finds the leftovers of one that could not clean up.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from weir.measuring.processes import identity, is_alive, runtime_folder, start_time

CHANNEL = "weir"
SESSION_PREFIX = "weir-"

#: Bytes of one tx in a packet: header 8, payload 20, rounded up; an rx has 8 less.
EVENT_BYTES = 32
SUB_BUFFERS = 8
SMALLEST_SUB_BUFFER, LARGEST_SUB_BUFFER = 64 << 10, 8 << 20

COMMAND_TIMEOUT_S = 30.0
DAEMON_STOP_S = 5.0


class Unavailable(Exception):
    """LTTng cannot be used here; the message says why."""


class NoSpace(Exception):
    """The trace would not fit on the disk; the message says how much it needs."""


@dataclass(frozen=True)
class Outcome:
    """What the session said when it ended. `discarded` is None, and `failure` says why, where it could not be asked."""

    discarded: int | None
    failure: str


def sub_buffer_bytes(events: int, cpus: int, memory_bytes: int) -> int:
    """A size at which a burst of all `events` on one CPU stays within the buffers, as far as the memory allows.

    One of the sub-buffers is always being read, so it does not count. A power of two, as LTTng wants it.
    """
    wanted = max(SMALLEST_SUB_BUFFER, -(-events * EVENT_BYTES // (SUB_BUFFERS - 1)))
    allowed = max(SMALLEST_SUB_BUFFER, min(LARGEST_SUB_BUFFER, memory_bytes // (SUB_BUFFERS * max(1, cpus))))
    size = 1 << (wanted - 1).bit_length()
    return size if size <= allowed else 1 << (allowed.bit_length() - 1)


def possible_cpus() -> int:
    """CPUs that LTTng makes buffers for: those that could be there, not those that are."""
    try:
        ranges = Path("/sys/devices/system/cpu/possible").read_text().strip().split(",")
        return sum(int(r.split("-")[-1]) - int(r.split("-")[0]) + 1 for r in ranges)
    except (OSError, ValueError):
        return os.cpu_count() or 1


def buffer_memory() -> int:
    """Bytes that the buffers may take in all: half of the free shared memory, at most an eighth of the memory."""
    try:
        memory = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        return min(shutil.disk_usage("/dev/shm").free // 2, memory // 8)
    except (OSError, ValueError):
        return 32 << 20


def _lttng(*arguments: str, xml: bool = False) -> str:
    """Runs one command without ever starting a daemon. Unavailable with the tool's own words where it fails."""
    command = ["lttng", "--no-sessiond", *(["--mi", "xml"] if xml else []), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=COMMAND_TIMEOUT_S,
                              stdin=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C"})
    except FileNotFoundError:
        raise Unavailable("the command `lttng` is not installed") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"`lttng {arguments[0]}`: {error}") from None
    if done.returncode != 0:
        words = " ".join((done.stderr.strip() or done.stdout.strip()).split()) or f"exit code {done.returncode}"
        raise Unavailable(f"`lttng {arguments[0]}`: {words}")
    return done.stdout


def _elements(text: str, name: str) -> Iterable[ElementTree.Element]:
    """Elements of that name, whatever the namespace of this LTTng's version is."""
    return (e for e in ElementTree.fromstring(text).iter() if e.tag.rpartition("}")[2] == name)


def session_names() -> list[str]:
    """Sessions of the daemon that answers. Unavailable when none does."""
    return [name.text or "" for session in _elements(_lttng("list", xml=True), "session")
            for name in session if name.tag.rpartition("}")[2] == "name"]


def _daemon_pid() -> int | None:
    """The pid that this user's daemon has written down."""
    home = Path(os.environ.get("LTTNG_HOME") or os.environ.get("HOME") or "/") / ".lttng"
    folder = Path("/var/run/lttng") if os.geteuid() == 0 else home
    try:
        return int((folder / "lttng-sessiond.pid").read_text())
    except (OSError, ValueError):
        return None


def _start_daemon() -> dict[str, int | None]:
    try:
        done = subprocess.run(["lttng-sessiond", "--daemonize", "--no-kernel"], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
                              timeout=COMMAND_TIMEOUT_S)
    except FileNotFoundError:
        raise Unavailable("there is no session daemon, and `lttng-sessiond` is not installed") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"the session daemon does not start: {error}") from None
    pid = _daemon_pid()
    if done.returncode != 0 or pid is None:
        words = " ".join(done.stderr.split()) or f"exit code {done.returncode}"
        raise Unavailable(f"the session daemon does not start: {words}")
    return identity(pid)


def _stop_daemon(daemon: dict[str, int | None]) -> None:
    """Ends a daemon that we started, unless somebody else has sessions in it by now."""
    if not is_alive(daemon):
        return
    try:
        if session_names():
            return
    except Unavailable:
        pass
    pid = int(daemon["pid"] or 0)
    try:
        os.kill(pid, signal.SIGTERM)
    except OSError:
        return
    deadline = time.monotonic() + DAEMON_STOP_S
    while start_time(pid) == daemon["start"] and time.monotonic() < deadline:
        time.sleep(0.02)


def _state_folder() -> Path:
    folder = runtime_folder() / "lttng"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def clean_leftovers() -> list[str]:
    """Destroys the sessions of runs that are gone, and the daemons that they alone used.

    Returns those sessions' names.
    """
    cleaned = []
    for path in sorted(_state_folder().glob(f"{SESSION_PREFIX}*.json")):
        try:
            state = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            state = {}
        if is_alive(state.get("owner")):
            continue
        try:
            _lttng("destroy", path.stem)
            cleaned.append(path.stem)
        except Unavailable:
            pass  # the daemon has gone, or it had no such session
        if is_alive(state.get("daemon")):
            _stop_daemon(state["daemon"])
        path.unlink(missing_ok=True)
    return cleaned


class Session:
    """Records `weir:tx`, `weir:rx` and the events asked for into `output` while it is entered.

    Entering raises Unavailable or NoSpace, and leaves nothing behind then. `outcome` is set once it has been left.
    """

    def __init__(self, run_id: str, output: Path, events: Iterable[str] = (), predicted_events: int = 0):
        self.name = SESSION_PREFIX + run_id
        self.output = output
        self.events = ["tx", "rx", *events]
        self.predicted_events = predicted_events
        self.outcome = Outcome(None, "the session was not started")
        self._daemon: dict[str, int | None] | None = None
        self._state: Path | None = None
        self._created = False

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
            self.outcome = self._stop()
        finally:
            self._end()

    def _check_space(self) -> None:
        needed = self.predicted_events * EVENT_BYTES * 5 // 4 + (8 << 20)
        free = shutil.disk_usage(self.output.parent).free
        if free < needed:
            raise NoSpace(f"the trace needs about {needed >> 20} MiB, and {free >> 20} MiB are free")

    def _begin(self) -> None:
        try:
            clean_leftovers()
            self._state = _state_folder() / f"{self.name}.json"
        except OSError as error:
            raise Unavailable(f"no folder to note the session in: {error}") from None
        self._note()
        try:
            session_names()
        except Unavailable:
            if shutil.which("lttng") is None:
                raise
            self._daemon = _start_daemon()
            self._note()
        _lttng("create", self.name, f"--output={self.output}")
        self._created = True
        size = sub_buffer_bytes(self.predicted_events, possible_cpus(), buffer_memory())
        _lttng("enable-channel", "--userspace", f"--session={self.name}", "--buffers-uid", "--discard",
               f"--subbuf-size={size}", f"--num-subbuf={SUB_BUFFERS}", CHANNEL)
        names = ",".join(f"weir:{event}" for event in self.events)
        _lttng("enable-event", "--userspace", f"--session={self.name}", f"--channel={CHANNEL}", names)
        _lttng("start", self.name)

    def _note(self) -> None:
        assert self._state is not None
        self._state.write_text(json.dumps({"owner": identity(), "daemon": self._daemon}), encoding="utf-8")

    def _stop(self) -> Outcome:
        try:
            _lttng("stop", self.name)
            counts = [int(e.text or 0) for e in _elements(_lttng("list", self.name, xml=True), "discarded_events")]
            return Outcome(sum(counts), "")
        except (Unavailable, ElementTree.ParseError, ValueError) as error:
            return Outcome(None, str(error))

    def _end(self) -> None:
        if self._created:
            self._created = False
            try:
                _lttng("destroy", self.name)
            except Unavailable:
                pass  # the daemon has gone, and its sessions with it
        if self._daemon:
            _stop_daemon(self._daemon)
        if self._state:
            self._state.unlink(missing_ok=True)
