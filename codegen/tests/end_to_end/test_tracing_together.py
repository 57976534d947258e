"""Trace several runs at once on one machine: no run gets another's events, and a user's session stays untouched."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from lttng_world import command, environment, needs_lttng
from weir_process import GRANULARITY, RATE, project, weir

SECONDS = 2
EVENTS = 2 * SECONDS * RATE // GRANULARITY

RUN_TWO = """
import atexit, json, os, subprocess, sys, time
from pathlib import Path
from lttng_world import daemon_pid, end_daemon
from weir.machine.processes import start_time
atexit.register(end_daemon)
folder, weir = Path(sys.argv[1]), json.loads(sys.argv[2])
def run_two():
    runs = [subprocess.Popen([*weir, "--out", str(folder / name)], stderr=subprocess.PIPE, text=True,
                             env={**os.environ, "WEIR_LOCK": str(folder / f"{name}.lock")}) for name in ("a", "b")]
    said = [run.communicate()[1] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], said
def lttng(*words):
    subprocess.run(["lttng", "--no-sessiond", *words], check=True, stdout=subprocess.DEVNULL)
def daemon_lives():
    return start_time(daemon_pid() or 0) is not None
def daemon_ends():
    deadline = time.monotonic() + 20
    while daemon_lives() and time.monotonic() < deadline:
        time.sleep(0.05)
    return not daemon_lives()
"""


@pytest.fixture
def world(tmp_path: Path) -> dict[str, str]:
    return environment(tmp_path)


def run_two(tmp_path: Path, world: dict[str, str], body: str) -> None:
    path = project(tmp_path, SECONDS)
    subprocess.run(weir("generate", "--build", path), env=world, check=True, capture_output=True, timeout=600)
    words = json.dumps(weir("run", path, "--keep-trace"))
    done = subprocess.run(command(sys.executable, "-c", RUN_TWO + body, str(tmp_path), words), env=world,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def assert_both_good_and_at_once(tmp_path: Path) -> None:
    results = [json.loads(path.read_text()) for path in tmp_path.glob("[ab]/*/results.json")]
    assert [(r["status"], r["trace"]["backend"]) for r in results] == [("ok", "lttng")] * 2
    assert [(r["trace"]["events"], r["trace"]["discarded"]) for r in results] == [(EVENTS, 0)] * 2
    runs = [json.loads(path.read_text()) for path in tmp_path.glob("[ab]/*/run.json")]
    assert max(run["started"] for run in runs) < min(run["finished"] for run in runs)


def events_of(trace: Path) -> list[str]:
    return subprocess.run(["babeltrace2", str(trace)], check=True, capture_output=True, text=True).stdout.splitlines()


@needs_lttng
def test_runs_with_locks_of_their_own_have_their_own_events_alone(tmp_path, world):
    run_two(tmp_path, world, "run_two(); assert daemon_ends()")
    assert_both_good_and_at_once(tmp_path)
    for trace in tmp_path.glob("[ab]/*/trace"):
        assert len(events_of(trace)) == EVENTS, "nothing of the other run is in the files either"


@needs_lttng
def test_a_users_own_session_of_the_same_events_sees_every_run_and_disturbs_none(tmp_path, world):
    run_two(tmp_path, world, """
subprocess.run(["lttng-sessiond", "--daemonize", "--no-kernel"], check=True)
lttng("create", "theirs", f"--output={folder / 'theirs'}")
lttng("enable-event", "--userspace", "--session=theirs", "weir:*")
lttng("add-context", "--userspace", "--session=theirs", "--type=vpid")
lttng("start", "theirs")
run_two()
assert daemon_lives()
lttng("destroy", "theirs")
""")
    assert_both_good_and_at_once(tmp_path)
    assert len(events_of(tmp_path / "theirs")) == 2 * EVENTS
