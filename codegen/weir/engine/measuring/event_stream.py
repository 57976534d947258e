"""The events of a trace as a stream of numpy records, read in a process of its own with memory that does not grow.

On some damaged traces Babeltrace 2 aborts its process: that process is never ours. It is Weir's own reader where that
can be built (`trace_reader`), else `ctf_reader.py` on Babeltrace's Python bindings, which says the same and is slow.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from weir.engine.measuring import ctf_reader
from weir.engine.measuring.trace_reader import ReaderMissing, native_reader
from weir.machine.processes import die_with_parent
from weir.sure import sure

#: Names of the events, in the order of their numbers in a record.
EVENTS = ctf_reader.EVENTS
TX, RX, WORK_ENTRY, WORK_EXIT, PARK, UNPARK, STEAL = range(len(EVENTS))

#: `ctf_reader.RECORD` for numpy, to which padding is bytes.
RECORD = np.dtype([(name, kind.replace("x", "B")) for name, (kind, _) in ctf_reader.FIELDS.items()])
RECORDS_AT_ONCE = 32768

#: Of a file that LTTng writes beside each stream, with a row for each packet.
INDEX_HEADER_BYTES = 16

#: Distributions package the bindings for their own Python only.
SYSTEM_PYTHON = "/usr/bin/python3"


class TraceUnreadable(Exception):
    """The trace is damaged, incomplete or not there; the message says what the reader said."""


@dataclass(frozen=True)
class Reader:
    """The words that start a reader, to be followed by the trace's folder and names of events.

    `note` says why it is slow, "" where it is not.
    """

    command: tuple[str, ...]
    note: str = ""


@dataclass
class EventStream:
    """Records of the events `names` below `path` in the order of time, in chunks; every event of Weir without names.

    Iterating raises TraceUnreadable at the place of a damage, after everything before it. After that, and after the
    end, `streams` has a row for each stream of the trace (a CPU, with LTTng): `{id, cpu, events, discarded_events,
    discarded_packets}`, empty where the reader did not survive.
    """

    path: Path
    names: Sequence[str] = ()
    reader: Reader | None = None
    streams: list[dict[str, int]] = field(default_factory=list)

    def __iter__(self) -> Iterator[np.ndarray]:
        """ReaderMissing where there is no reader at all."""
        if not any(self.path.rglob("metadata")):
            raise TraceUnreadable("no trace was written")
        emptied = _emptied(self.path)
        if emptied is not None:
            raise TraceUnreadable(f"{emptied.name} is empty, and its index is not")
        self.reader = self.reader or find_reader()
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen([*self.reader.command, str(self.path), *self.names], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=said, start_new_session=True,
                                       preexec_fn=die_with_parent)
            try:
                while data := sure(process.stdout).read(RECORD.itemsize * RECORDS_AT_ONCE):
                    whole = len(data) - len(data) % RECORD.itemsize
                    yield np.frombuffer(data[:whole], RECORD)
                code = process.wait()
            finally:
                sure(process.stdout).close()
                process.kill()
                process.wait()
            said.seek(0)
            self._conclude(code, said.read().decode("utf-8", "replace"))

    def _conclude(self, code: int, said: str) -> None:
        try:
            report = json.loads(said.strip().rpartition("\n")[2])
            self.streams, error = report["streams"], report["error"]
        except (ValueError, LookupError, TypeError):
            error = " ".join(said.split()) or f"the reader ended with {code}"
        if error or code:
            raise TraceUnreadable((error or f"the reader ended with {code}")[:300])

    @property
    def events(self) -> int:
        """Events in the trace, of any kind."""
        return sum(stream["events"] for stream in self.streams)

    @property
    def discarded(self) -> int:
        """Events, and packets of them, that the tracer dropped."""
        return sum(stream["discarded_events"] + stream["discarded_packets"] for stream in self.streams)


def _emptied(path: Path) -> Path | None:
    """A stream whose packets are gone: Babeltrace takes an empty file for a stream without any."""
    for index in path.rglob("index/*.idx"):
        stream = index.parents[1] / index.stem
        if index.stat().st_size > INDEX_HEADER_BYTES and not (stream.exists() and stream.stat().st_size):
            return stream
    return None


def find_reader() -> Reader:
    """Weir's own, built when it is first needed, else the bindings. ReaderMissing where neither can be had."""
    try:
        return Reader((str(native_reader()),))
    except ReaderMissing as reason:
        try:
            return Reader(bindings_reader().command, f"traces are read with Babeltrace's Python bindings, which is "
                                                     f"slow: {reason}")
        except ReaderMissing as also:
            raise ReaderMissing(f"{reason}; {also}") from None


def bindings_reader() -> Reader:
    """The reader on the Python bindings, in whichever Python has them. ReaderMissing where none has."""
    # Isolated first: what PYTHONPATH has may be another program's.
    for python, how in itertools.product(dict.fromkeys((sys.executable, SYSTEM_PYTHON)), ("-I", "-P")):
        try:
            found = subprocess.run([python, how, "-c", "import bt2"], capture_output=True, stdin=subprocess.DEVNULL)
        except OSError:
            continue
        if found.returncode == 0:
            return Reader((python, how, "-B", ctf_reader.__file__))
    raise ReaderMissing("the Python bindings of Babeltrace 2 are not installed (package python3-bt2)")
