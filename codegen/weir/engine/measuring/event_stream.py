"""Events of a trace as a stream of numpy records, read by another process with bounded memory.

Babeltrace 2 aborts its process on some damaged traces, so Weir never reads traces in its own process. It starts its
native reader if that can be built (`trace_reader`), else the slower `ctf_reader.py`, which gives the same output.
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

#: Event names, in the order of their numbers in a record.
EVENTS = ctf_reader.EVENTS
TX, RX, WORK_ENTRY, WORK_EXIT, PARK, UNPARK, STEAL = range(len(EVENTS))

#: `ctf_reader.RECORD` for numpy, to which padding is bytes.
RECORD = np.dtype([(name, kind.replace("x", "B")) for name, (kind, _) in ctf_reader.FIELDS.items()])
RECORDS_AT_ONCE = 32768

#: Header size of the index file that LTTng writes beside each stream, with a row for each packet.
INDEX_HEADER_BYTES = 16

#: Distributions package the bindings for their own Python only.
SYSTEM_PYTHON = "/usr/bin/python3"


class TraceUnreadable(Exception):
    """The trace is damaged, incomplete or missing; the message is the reader's."""


@dataclass(frozen=True)
class Reader:
    """Command that starts a reader; the trace's folder and event names follow.

    `note` says why it is slow, "" if it is not.
    """

    command: tuple[str, ...]
    note: str = ""


@dataclass
class EventStream:
    """Records of the events `names` below `path` in order of time, in chunks; without names, of all Weir's events.

    Iterating raises TraceUnreadable at the damage, after all records before it. Afterwards, `streams` has a row for
    each stream of the trace (a CPU, with LTTng): `{id, cpu, events, discarded_events, discarded_packets}`; it is empty
    if the reader crashed.
    """

    path: Path
    names: Sequence[str] = ()
    reader: Reader | None = None
    streams: list[dict[str, int]] = field(default_factory=list)

    def __iter__(self) -> Iterator[np.ndarray]:
        """Yield the records. Raises ReaderMissing if there is no reader."""
        if not any(self.path.rglob("metadata")):
            raise TraceUnreadable("no trace was written")
        emptied = _emptied(self.path)
        if emptied is not None:
            raise TraceUnreadable(f"{emptied.name} is empty, but its index is not")
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
        """Return the number of events of any kind in the trace."""
        return sum(stream["events"] for stream in self.streams)

    @property
    def discarded(self) -> int:
        """Return the number of events and packets that the tracer dropped."""
        return sum(stream["discarded_events"] + stream["discarded_packets"] for stream in self.streams)


def _emptied(path: Path) -> Path | None:
    """Return a stream that lost its packets: Babeltrace accepts an empty file silently."""
    for index in path.rglob("index/*.idx"):
        stream = index.parents[1] / index.stem
        if index.stat().st_size > INDEX_HEADER_BYTES and not (stream.exists() and stream.stat().st_size):
            return stream
    return None


def find_reader() -> Reader:
    """Return the native reader, built if needed, else the Python one. Raises ReaderMissing if neither is available."""
    try:
        return Reader((str(native_reader()),))
    except ReaderMissing as reason:
        try:
            return Reader(bindings_reader().command, f"Weir reads the trace with Babeltrace's slow Python "
                                                     f"bindings: {reason}")
        except ReaderMissing as also:
            raise ReaderMissing(f"{reason}; {also}") from None


def bindings_reader() -> Reader:
    """Return the reader for the Python bindings, with a Python that has them. Raises ReaderMissing if none has."""
    # Try isolated mode first: modules on PYTHONPATH may be of another program.
    for python, how in itertools.product(dict.fromkeys((sys.executable, SYSTEM_PYTHON)), ("-I", "-P")):
        try:
            found = subprocess.run([python, how, "-c", "import bt2"], capture_output=True, stdin=subprocess.DEVNULL)
        except OSError:
            continue
        if found.returncode == 0:
            return Reader((python, how, "-B", ctf_reader.__file__))
    raise ReaderMissing("the Python bindings of Babeltrace 2 are not installed (package python3-bt2)")
