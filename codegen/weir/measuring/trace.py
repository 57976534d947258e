"""A recorded trace as boundaries, the way latency.py joins them."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from weir.measuring import ctf_reader
from weir.measuring.latency import Boundaries

#: Distributions package the bindings for their own Python only.
SYSTEM_PYTHON = "/usr/bin/python3"


class TraceUnreadable(Exception):
    """The trace is damaged, incomplete or not there; the message says what the reader said."""


class ReaderMissing(Exception):
    """The Python bindings of Babeltrace 2 are not installed."""


@dataclass(frozen=True)
class Trace:
    """`events` counts every event read, `discarded` those that the tracer dropped; tx and rx are by block index."""

    events: int
    discarded: int
    tx: dict[int, Boundaries] = field(default_factory=dict)
    rx: dict[int, Boundaries] = field(default_factory=dict)


def read_trace(path: Path) -> Trace:
    """The trace below `path`.

    TraceUnreadable where it cannot be read to its end, ReaderMissing without the bindings.
    """
    if not any(path.rglob("metadata")):
        raise TraceUnreadable("no trace was written")
    with tempfile.TemporaryDirectory(prefix="weir-trace-") as folder:
        columns = Path(folder) / "columns.npz"
        for python in dict.fromkeys((sys.executable, SYSTEM_PYTHON)):
            done = subprocess.run([python, "-B", ctf_reader.__file__, str(path), str(columns)], capture_output=True,
                                  text=True, errors="replace", start_new_session=True)
            if done.returncode != ctf_reader.NO_BINDINGS:
                break
        else:
            raise ReaderMissing("the Python bindings of Babeltrace 2 are not installed (package python3-bt2)")
        if done.returncode != 0:
            said = " ".join(done.stderr.split())[:300]
            raise TraceUnreadable(said if done.returncode > 0 and said else f"the reader ended with {done.returncode}")
        with np.load(columns) as data:
            return Trace(int(data["events"]), int(data["discarded"]), *(_by_block(data, side) for side in (0, 1)))


def _by_block(data: np.lib.npyio.NpzFile, side: int) -> dict[int, Boundaries]:
    rows = np.flatnonzero(data["received"] == side)
    blocks, k, times, due = (data[name][rows] for name in ("block", "k", "time_ns", "scheduled_ns"))
    found = {}
    for block in np.unique(blocks):
        at = blocks == block
        found[int(block)] = Boundaries(k[at].astype(np.uint64), times[at].astype(np.int64), due[at].astype(np.int64))
    return found
