"""Compare Weir's trace reader with Babeltrace's Python bindings, on whole traces and on damaged ones of all kinds."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from ctf_by_hand import write_counters
from lttng_world import burst_program, command, environment, missing, needs_lttng
from weir.engine.measuring import trace_reader
from weir.engine.measuring.event_stream import (
    EVENTS,
    RECORD,
    EventStream,
    Reader,
    ReaderMissing,
    TraceUnreadable,
    bindings_reader,
    find_reader,
)
from weir.engine.measuring.trace import read_trace
from weir.engine.measuring.trace_reader import native_reader

BOUNDARIES = 2000
DAMAGES = 2 * int(os.environ.get("WEIR_FUZZ", "1"))

RECORD_A_BURST = """
import sys
from pathlib import Path
from lttng_world import recorded
from weir.engine.measuring import lttng
out, smallest, *program = sys.argv[1:]
lttng.SMALLEST_SUB_BUFFER = int(smallest)
small = int(smallest) < 65536
# With events whose number cannot be foretold a session takes the largest buffers that memory allows.
events = () if small else ("work_entry", "work_exit", "park", "unpark", "steal")
with lttng.Session("burst", Path(out), events, predicted_events=0 if small else 2 * 10**7) as session:
    assert recorded(session, *program).wait() == 0
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if missing():
        pytest.skip(missing())
    folder = tmp_path_factory.mktemp("traces")
    burst_program(folder / "burst")
    return folder


def record(place: Path, name: str, *words: str, smallest: int = 65536) -> Path:
    subprocess.run(command(sys.executable, "-c", RECORD_A_BURST, str(place / name), str(smallest),
                           str(place / "burst"), *words), env=environment(place), check=True, timeout=300)
    return place / name


@pytest.fixture(scope="module")
def whole(place: Path) -> Path:
    return record(place, "whole", str(BOUNDARIES), "all")


def read(trace: Path, reader: Reader, *names: str) -> tuple[np.ndarray, list[dict], str]:
    """Return (records, streams, description of damage)."""
    stream, chunks, wrong = EventStream(trace, names, reader), [np.empty(0, RECORD)], ""
    try:
        for chunk in stream:
            chunks.append(chunk)
    except TraceUnreadable as error:
        wrong = str(error)
    return np.concatenate(chunks), stream.streams, wrong


def both(trace: Path, *names: str) -> tuple[np.ndarray, list[dict], str]:
    """Return the answer of both readers, which must agree."""
    ours = read(trace, Reader((str(native_reader()),)), *names)
    theirs = read(trace, bindings_reader(), *names)
    assert np.array_equal(ours[0], theirs[0]) and bool(ours[2]) == bool(theirs[2]), (ours[1:], theirs[1:])
    assert sorted(map(str, ours[1])) == sorted(map(str, theirs[1]))
    return ours


@needs_lttng
def test_every_event_arrives_with_its_fields(whole):
    records, streams, wrong = both(whole)
    assert not wrong and sum(s["events"] for s in streams) == len(records) == 6 * BOUNDARIES
    assert not any(s["discarded_events"] or s["discarded_packets"] for s in streams)
    by_event = {name: records[records["event"] == i] for i, name in enumerate(EVENTS)}
    k = np.arange(1, BOUNDARIES + 1)
    for name, who, value, since_ns in (
            ("tx", 0, k, np.where(k % 2, k, 0)), ("rx", 1, k, -k), ("work_entry", 0, 0 * k, 0 * k),
            ("work_exit", 0, 3 * k, 0 * k), ("park", 2, 0 * k, 0 * k), ("unpark", 2, 0 * k, 0 * k)):
        rows = by_event[name]
        assert (rows["id"] == who).all() and len(rows) == BOUNDARIES
        assert np.array_equal(rows["value"], value) and np.array_equal(rows["since_ns"], since_ns), name
    assert len(set(records["thread"].tolist())) == 1 and records["thread"][0] > 0
    assert (np.diff(records["time_ns"]) >= 0).all() and set(records["cpu"].tolist()) <= {s["cpu"] for s in streams}
    assert not len(by_event["steal"]) and (records["reserved"] == 0).all()


@needs_lttng
@pytest.mark.parametrize("names", [("tx",), ("rx", "tx"), ("park", "steal"), ("steal",)])
def test_only_the_requested_events_are_handed_on_and_all_are_counted(whole, names):
    records, streams, wrong = both(whole, *names)
    assert {EVENTS[event] for event in set(records["event"].tolist())} == set(names) - {"steal"}
    assert not wrong and sum(s["events"] for s in streams) == 6 * BOUNDARIES


@needs_lttng
def test_an_event_that_weir_does_not_have_is_refused(whole):
    assert "no event `nonsense`" in read(whole, Reader((str(native_reader()),)), "nonsense")[2]


@needs_lttng
def test_discarded_events_are_counted(place):
    # The kernel decides how far the consumer falls behind; it falls further behind in a longer burst.
    for boundaries in (100_000, 400_000, 1_600_000):
        trace = record(place, f"small-{boundaries}", str(boundaries), smallest=4096)
        records, streams, wrong = both(trace)
        discarded = sum(s["discarded_events"] for s in streams)
        assert not wrong and len(records) + discarded == 2 * boundaries
        if discarded:
            break
    assert discarded
    assert read_trace(trace).discarded == discarded


@pytest.mark.parametrize(("counters", "discarded"), [
    ((0, 0, 0), 0), ((0, 5, 5, 9), 9), ((0, 7, 0, 7, 0), 7), ((0, 7, 3, 9, 4), 9)])
def test_a_counter_of_discarded_events_that_goes_back_is_no_count(tmp_path, counters, discarded):
    """Use the counters that LTTng leaves when many threads overrun the buffers of two CPUs."""
    records, streams, wrong = both(write_counters(tmp_path / "trace", counters))
    assert not wrong and len(records) == len(counters) and [s["discarded_events"] for s in streams] == [discarded]


@needs_lttng
def test_a_trace_without_events_is_empty(place):
    records, streams, wrong = both(record(place, "empty", "0"))
    assert not wrong and not len(records) and not any(s["events"] for s in streams)


@needs_lttng
@pytest.mark.parametrize("metadata", [b"", b"/* CTF 1.8 */ nonsense", b"\x75\xd1\x1d\xc1" + bytes(60), None])
def test_damaged_metadata_is_reported(whole, tmp_path, metadata):
    trace = shutil.copytree(whole, tmp_path / "trace")
    [file] = trace.rglob("metadata")
    file.write_bytes(file.read_bytes()[:len(file.read_bytes()) // 2] if metadata is None else metadata)
    assert both(trace)[2]


def channels(trace: Path) -> list[Path]:
    return sorted((p for p in trace.rglob("weir_*") if p.is_file() and p.suffix != ".idx" and p.stat().st_size),
                  key=lambda p: p.stat().st_size)


@needs_lttng
@pytest.mark.parametrize("keep", [0.0, 0.5])
def test_a_truncated_trace_is_said_to_be_one(whole, tmp_path, keep):
    trace = shutil.copytree(whole, tmp_path / "trace")
    largest = channels(trace)[-1]
    with open(largest, "r+b") as file:
        file.truncate(int(largest.stat().st_size * keep))
    records, _, wrong = both(trace)
    assert wrong and len(records) < 6 * BOUNDARIES


@needs_lttng
@pytest.mark.parametrize("seed", range(DAMAGES))
def test_both_readers_agree_about_damaged_packets(whole, tmp_path, seed):
    trace, chance = shutil.copytree(whole, tmp_path / "trace"), random.Random(seed)
    largest = channels(trace)[-1]
    data = bytearray(largest.read_bytes())
    for _ in range(chance.randint(1, 20)):
        data[chance.randrange(min(len(data), 4096 if seed % 2 else len(data)))] = chance.randrange(256)
    largest.write_bytes(data)
    both(trace)


@needs_lttng
def test_a_reader_that_is_killed_makes_the_trace_unreadable(whole):
    assert read(whole, Reader(("sh", "-c", "kill -ABRT $$")))[2] == "the reader ended with -6"
    records, _, wrong = read(whole, Reader(("sh", "-c", "head -c 60 /dev/zero; echo lost >&2; exit 1")))
    assert len(records) == 1 and wrong == "lost"


@needs_lttng
def test_a_stream_that_is_left_early_leaves_no_process(whole):
    stream = iter(EventStream(whole, reader=Reader(("sh", "-c", "while :; do head -c 1310720 /dev/zero; done"))))
    next(stream)
    [reader] = [p for p in Path("/proc").glob("[0-9]*/stat") if _parent(p) == os.getpid() and _parent(p)]
    stream.close()
    assert not reader.exists()


def _parent(stat: Path) -> int:
    try:
        return int(stat.read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def without_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *hidden: str) -> None:
    """Use an empty cache, and a PATH without some programs."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("c++", "g++", "cc", "cmake", "pkg-config", "make", "ninja", "sh", "as", "ld"):
        if name not in hidden and shutil.which(name):
            (tools / name).symlink_to(shutil.which(name))
    monkeypatch.setenv("PATH", str(tools))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize("hidden, package", [(("c++", "g++", "clang++"), "g++"), (("cmake",), "cmake"),
                                             (("pkg-config",), "pkgconf"), ((), "libbabeltrace2-dev")])
def test_without_its_tools_the_bindings_read_and_say_that_they_are_slow(tmp_path, monkeypatch, hidden, package):
    pytest.importorskip("bt2")
    without_tools(tmp_path, monkeypatch, *hidden)
    if not hidden:
        monkeypatch.setattr(trace_reader, "LIBRARY", "no-such-library")
    reader = find_reader()
    assert reader.command[-1].endswith("ctf_reader.py")
    assert "slow" in reader.note and package in reader.note
    assert not list(tmp_path.rglob("weir-trace-reader"))


def test_without_any_reader_all_that_is_missing_is_named(tmp_path, monkeypatch):
    without_tools(tmp_path, monkeypatch, "cmake")
    monkeypatch.setattr("weir.engine.measuring.event_stream.SYSTEM_PYTHON", "/nowhere/python3")
    monkeypatch.setattr(sys, "executable", shutil.which("true", path="/usr/bin:/bin"))
    monkeypatch.setattr(subprocess, "run", _failing)
    with pytest.raises(ReaderMissing, match="cmake.*python3-bt2"):
        find_reader()


def _failing(command: list[str], **_: object) -> subprocess.CompletedProcess:
    return subprocess.CompletedProcess(command, 1, "", "")


def test_sources_that_do_not_compile_are_a_slow_reader_not_a_failure(tmp_path, monkeypatch):
    pytest.importorskip("bt2")
    broken = shutil.copytree(trace_reader.SOURCE, tmp_path / "source")
    (broken / "main.cpp").write_text("#error out of order")
    monkeypatch.setattr(trace_reader, "SOURCE", broken)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert "out of order" in find_reader().note


@needs_lttng
def test_the_slow_reader_shows_in_what_was_read(whole, tmp_path, monkeypatch):
    pytest.importorskip("bt2")
    monkeypatch.setattr(trace_reader, "LIBRARY", "no-such-library")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    trace = read_trace(whole)
    assert "libbabeltrace2-dev" in trace.note and trace.events == 6 * BOUNDARIES


@needs_lttng
@pytest.mark.slow
def test_a_million_events_take_about_a_second_and_memory_does_not_grow_with_the_trace(place):
    taken = {}
    for boundaries in (500_000, 2_000_000):
        trace = record(place, f"large{boundaries}", str(boundaries))
        best, peak = 1e9, 0
        for _ in range(3):
            process = subprocess.Popen([native_reader(), trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            read = partial(process.stdout.read, 1 << 20)
            read_bytes = sum(map(len, iter(read, b"")))
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
            best, peak = min(best, usage.ru_utime + usage.ru_stime), max(peak, usage.ru_maxrss)
            assert read_bytes == 2 * boundaries * RECORD.itemsize and status == 0
        taken[boundaries] = (best, peak)
        shutil.rmtree(trace)
    print({n: f"{s:.2f} s of a CPU, {kib / 1024:.1f} MiB" for n, (s, kib) in taken.items()})
    assert taken[2_000_000][1] < taken[500_000][1] + 8192, "KiB"
    assert taken[500_000][0] < 3, "seconds of a CPU; 0.4 on an idle machine"
