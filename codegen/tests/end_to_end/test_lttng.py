"""Sessions of a real LTTng: what is recorded, what is discarded, what is left behind after every way to end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from lttng_world import burst_program, command, environment, missing, needs_lttng

from weir.measuring.lttng import EVENT_BYTES, LARGEST_SUB_BUFFER, SUB_BUFFERS, sub_buffer_bytes
from weir.measuring.event_stream import TraceUnreadable
from weir.measuring.trace import read_trace

SCRIPT = """
import json, os, signal, subprocess, sys, time
from pathlib import Path
from weir.measuring import lttng, lttng_daemon, processes
from lttng_world import daemon_pid
out, burst = Path(sys.argv[1]), sys.argv[2]
def leftovers():
    try:
        sessions = lttng_daemon.session_names()
    except lttng_daemon.Unavailable:
        sessions = None
    return {"sessions": sessions, "notes": sorted(p.name for p in lttng_daemon.state_folder().iterdir()),
            "daemon": processes.start_time(daemon_pid() or 0) is not None}
def report(**more):
    print(json.dumps({**leftovers(), **more}))
"""


@pytest.fixture(scope="module")
def burst(tmp_path_factory) -> str:
    reason = missing()
    if reason:
        pytest.skip(reason)
    binary = tmp_path_factory.mktemp("burst") / "burst"
    burst_program(binary)
    return str(binary)


def in_world(tmp_path: Path, burst: str, body: str) -> dict:
    done = subprocess.run(command(sys.executable, "-c", SCRIPT + body, str(tmp_path), burst), env=environment(tmp_path),
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def babeltrace_counts(trace: Path) -> dict[str, int]:
    text = subprocess.run(["babeltrace2", str(trace)], check=True, capture_output=True, text=True).stdout
    return {name: sum(f" weir:{name}:" in line for line in text.splitlines()) for name in ("tx", "rx")}


@needs_lttng
def test_everything_is_recorded_and_nothing_is_left_behind(tmp_path, burst):
    ended = in_world(tmp_path, burst, """
session = lttng.Session("one", out / "trace", predicted_events=40000)
with session:
    during = leftovers()
    subprocess.run([burst, "20000"], check=True)
report(during=during, discarded=session.outcome.discarded, failure=session.outcome.failure)
""")
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
    ended = in_world(tmp_path, burst, """
lttng.SMALLEST_SUB_BUFFER = 4096
session = lttng.Session("small", out / "trace", predicted_events=10)
with session:
    subprocess.run([burst, "200000"], check=True)
report(discarded=session.outcome.discarded)
""")
    trace = read_trace(tmp_path / "trace")
    assert ended["discarded"] > 0
    assert trace.events + ended["discarded"] == 400000
    assert trace.discarded == ended["discarded"]


@needs_lttng
def test_a_daemon_that_was_there_before_stays(tmp_path, burst):
    ended = in_world(tmp_path, burst, """
subprocess.run(["lttng-sessiond", "--daemonize", "--no-kernel"], check=True)
subprocess.run(["lttng", "create", "theirs", f"--output={out / 'theirs'}"], check=True, stdout=subprocess.DEVNULL)
with lttng.Session("guest", out / "trace", predicted_events=10):
    both = lttng_daemon.session_names()
after = leftovers()
os.kill(daemon_pid(), signal.SIGTERM)
print(json.dumps({**after, "both": both}))
""")
    assert sorted(ended["both"]) == ["theirs", "weir-guest"]
    assert (ended["sessions"], ended["notes"], ended["daemon"]) == (["theirs"], [], True)


@needs_lttng
def test_an_exception_in_the_run_cleans_up(tmp_path, burst):
    ended = in_world(tmp_path, burst, """
try:
    with lttng.Session("broken", out / "trace", predicted_events=10):
        raise ZeroDivisionError
except ZeroDivisionError:
    report()
""")
    assert (ended["sessions"], ended["notes"], ended["daemon"]) == (None, [], False)


@needs_lttng
def test_the_next_run_cleans_up_after_one_that_was_killed(tmp_path, burst):
    ended = in_world(tmp_path, burst, """
killed = os.fork()
if killed == 0:
    lttng.Guardian.start = lambda guardian: None  # as if it had been killed too
    with lttng.Session("killed", out / "killed", predicted_events=10):
        os.kill(os.getpid(), signal.SIGKILL)
os.waitpid(killed, 0)
before = leftovers()
cleaned = lttng_daemon.clean_leftovers()
report(before=before, cleaned=cleaned)
""")
    assert ended["before"] == {"sessions": ["weir-killed"], "notes": ["weir-killed.json"], "daemon": True}
    assert ended["cleaned"] == ["weir-killed"]
    assert (ended["sessions"], ended["notes"], ended["daemon"]) == (None, [], False)


@needs_lttng
def test_the_session_of_a_run_that_still_goes_is_left_alone(tmp_path, burst):
    ended = in_world(tmp_path, burst, """
with lttng.Session("going", out / "trace", predicted_events=10):
    cleaned = lttng_daemon.clean_leftovers()
    during = leftovers()
report(cleaned=cleaned, during=during)
""")
    assert ended["cleaned"] == [] and ended["during"]["sessions"] == ["weir-going"]


@needs_lttng
def test_a_daemon_killed_in_mid_run_shows(tmp_path, burst):
    ended = in_world(tmp_path, burst, """
session = lttng.Session("orphan", out / "trace", predicted_events=400000)
with session:
    program = subprocess.Popen([burst, "200000", "wait"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert program.stdout.readline() == b"half\\n"
    os.kill(daemon_pid(), signal.SIGKILL)
    # The consumer daemon survives its parent otherwise, and would write on.
    time.sleep(0.5)
    program.communicate(b"\\n", timeout=60)
report(discarded=session.outcome.discarded, failure=session.outcome.failure, code=program.returncode)
""")
    assert ended["code"] == 0, "the exit code proves nothing: that is why the counts are checked"
    assert ended["discarded"] is None and ended["failure"]
    assert ended["notes"] == []


def test_no_lttng_is_said(tmp_path, monkeypatch):
    from weir.measuring import lttng

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with pytest.raises(lttng.Unavailable, match="`lttng` is not installed"):
        lttng.Session("none", tmp_path / "trace").__enter__()
    assert list((tmp_path / "weir" / "lttng").iterdir()) == []


def test_a_disk_too_full_for_the_trace_is_said_before_anything_starts(tmp_path):
    from weir.measuring import lttng

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
