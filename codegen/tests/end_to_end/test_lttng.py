"""Test sessions of a real LTTng: recorded events, discarded events, and what remains after every way to end."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from lttng_world import burst_program, in_world, missing, needs_lttng
from weir.engine.measuring import lttng_daemon
from weir.engine.measuring.event_stream import TraceUnreadable
from weir.engine.measuring.lttng import EVENT_BYTES, LARGEST_SUB_BUFFER, SUB_BUFFERS, sub_buffer_bytes
from weir.engine.measuring.trace import read_trace


@pytest.fixture(scope="module")
def burst(tmp_path_factory) -> str:
    reason = missing()
    if reason:
        pytest.skip(reason)
    binary = tmp_path_factory.mktemp("burst") / "burst"
    burst_program(binary)
    return str(binary)


def babeltrace_counts(trace: Path) -> dict[str, int]:
    text = subprocess.run(["babeltrace2", str(trace)], check=True, capture_output=True, text=True).stdout
    return {name: sum(f" weir:{name}:" in line for line in text.splitlines()) for name in ("tx", "rx")}


@needs_lttng
def test_everything_is_recorded_and_nothing_is_left_behind(tmp_path, burst):
    ended = in_world(tmp_path, """
session = lttng.Session("one", out / "trace", predicted_events=40000)
with session:
    during = leftovers()
    recorded(session, burst, "20000").wait()
report(during=during, discarded=session.outcome.discarded, failure=session.outcome.failure)
""", burst)
    assert ended["during"] == {"sessions": ["weir-one"], "notes": ["weir-one.json"], "daemon": True}
    assert ended["discarded"] == 0 and ended["failure"] == ""
    assert (ended["sessions"], ended["notes"], ended["daemon"]) == (None, [], False)
    trace = read_trace(tmp_path / "trace")
    assert babeltrace_counts(tmp_path / "trace") == {"tx": 20000, "rx": 20000}
    assert trace.events == 40000 and trace.discarded == 0
    assert sorted(trace.tx[0].k) == list(range(1, 20001))
    size = sum(f.stat().st_size for f in (tmp_path / "trace").rglob("*") if f.is_file())
    assert size / trace.events < EVENT_BYTES


@needs_lttng
def test_buffers_too_small_for_the_burst_are_reported(tmp_path, burst):
    ended = in_world(tmp_path, """
lttng.SMALLEST_SUB_BUFFER = 4096
session = lttng.Session("small", out / "trace", predicted_events=10)
with session:
    recorded(session, burst, "200000").wait()
report(discarded=session.outcome.discarded)
""", burst)
    trace = read_trace(tmp_path / "trace")
    assert ended["discarded"] > 0
    assert trace.events + ended["discarded"] == 400000
    assert trace.discarded == ended["discarded"]


@needs_lttng
def test_a_session_records_the_program_that_it_tracks_and_no_other(tmp_path, burst):
    ended = in_world(tmp_path, """
session = lttng.Session("ours", out / "trace", predicted_events=4000)
with session:
    subprocess.run([burst, "1000"], check=True)
    ours = recorded(session, burst, "500", "wait", stdout=subprocess.PIPE)
    assert ours.stdout.readline() == b"half\\n"
    subprocess.run([burst, "1000"], check=True)
    ours.communicate(b"\\n", timeout=60)
report(failure=session.outcome.failure)
""", burst)
    assert ended["failure"] == "" and babeltrace_counts(tmp_path / "trace") == {"tx": 500, "rx": 500}


@needs_lttng
def test_a_session_that_cannot_be_told_its_program_says_so(tmp_path):
    ended = in_world(tmp_path, """
session = lttng.Session("told", out / "trace", predicted_events=10)
with session:
    session.track(-1)
report(failure=session.outcome.failure)
""")
    assert ended["failure"].startswith("`lttng track`")


@needs_lttng
def test_an_exception_in_the_run_cleans_up(tmp_path):
    ended = in_world(tmp_path, """
try:
    with lttng.Session("broken", out / "trace", predicted_events=10):
        raise ZeroDivisionError
except ZeroDivisionError:
    report()
""")
    assert (ended["sessions"], ended["notes"], ended["daemon"]) == (None, [], False)


@needs_lttng
def test_a_daemon_killed_in_mid_run_shows(tmp_path, burst):
    ended = in_world(tmp_path, """
session = lttng.Session("orphan", out / "trace", predicted_events=400000)
with session:
    program = recorded(session, burst, "200000", "wait", stdout=subprocess.PIPE)
    assert program.stdout.readline() == b"half\\n"
    os.kill(daemon_pid(), signal.SIGKILL)
    # The consumer daemon survives its parent otherwise, and would write on.
    time.sleep(0.5)
    program.communicate(b"\\n", timeout=60)
report(discarded=session.outcome.discarded, failure=session.outcome.failure, code=program.returncode)
""", burst)
    assert ended["code"] == 0, "the exit code proves nothing: that is why the counts are checked"
    assert ended["discarded"] is None and ended["failure"]
    assert ended["notes"] == []


def test_no_lttng_is_reported(tmp_path, monkeypatch):
    from weir.engine.measuring import lttng

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with pytest.raises(lttng.Unavailable, match="`lttng` is not installed"):
        lttng.Session("none", tmp_path / "trace").__enter__()
    assert list((tmp_path / "weir" / "lttng").iterdir()) == []


def test_ctrl_c_at_the_terminal_does_not_reach_commands_to_the_daemon(tmp_path, monkeypatch):
    (tmp_path / "lttng").write_text("#!/bin/sh\nexec cut -d ' ' -f 6 /proc/self/stat\n")
    (tmp_path / "lttng").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert int(lttng_daemon.lttng("create")) != os.getsid(0)


def test_a_disk_too_full_for_the_trace_is_reported_before_anything_starts(tmp_path):
    from weir.engine.measuring import lttng

    with pytest.raises(lttng.NoSpace, match="MiB"):
        lttng.Session("huge", tmp_path / "trace", predicted_events=10**15).__enter__()


def test_a_missing_or_damaged_trace_is_unreadable(tmp_path):
    with pytest.raises(TraceUnreadable, match="no trace"):
        read_trace(tmp_path)
    pytest.importorskip("bt2")
    (tmp_path / "metadata").write_text("/* CTF 1.8 */ nonsense")
    with pytest.raises(TraceUnreadable):
        read_trace(tmp_path)


@pytest.mark.parametrize("events, cpus, memory",
                         [(0, 1, 1 << 30), (10**6, 2, 8 << 30), (10**9, 64, 64 << 20), (10, 512, 0)])
def test_buffers_hold_the_burst_as_far_as_memory_allows(events, cpus, memory):
    size = sub_buffer_bytes(events, cpus, memory)
    assert size & (size - 1) == 0 and 64 << 10 <= size <= LARGEST_SUB_BUFFER
    holds = events * EVENT_BYTES <= size * (SUB_BUFFERS - 1)
    full = 2 * size * SUB_BUFFERS * cpus > memory or 2 * size > LARGEST_SUB_BUFFER
    assert holds or full
