"""Faults during a run: kills, dying daemons, full disks, closed terminals, two at once.

A fault may cost the measurement. It never leaves a process, a session or half a run directory behind, and the kept
files say what happened.
"""

from __future__ import annotations

import json
import os
import pty
import random
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import pytest
from lttng_world import CODEGEN, command, environment, needs_lttng
from weir_process import ended, project, start, wait_for_worker, weir

MARK = "WEIR_TEST_MARK"
KILLS = min(30, 4 * int(os.environ.get("WEIR_FUZZ", "1")))
NOBODY = 65534
SHORT = ("--items", "1M")
needs_mounts = pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("unshare"),
                                  reason="a small file system can only be mounted by root")


@pytest.fixture
def world(tmp_path: Path) -> dict[str, str]:
    """Return an environment with a mark that identifies every descendant process, whatever its parent."""
    return {**environment(tmp_path), MARK: uuid.uuid4().hex}


@pytest.fixture
def paced(tmp_path: Path, world: dict[str, str]) -> Path:
    """Return the built project, which takes half a minute; with SHORT, one second."""
    return built(project(tmp_path, 30), world)


def built(path: Path, world: dict[str, str]) -> Path:
    subprocess.run(weir("generate", "--build", path), env=world, check=True, capture_output=True, timeout=600)
    return path


def everything_of(world: dict[str, str]) -> dict[int, str]:
    """Return pid -> command line of the processes that still live."""
    found, mark = {}, f"{MARK}={world[MARK]}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
    return found


def assert_all_gone(world: dict[str, str], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while everything_of(world) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert everything_of(world) == {}


def notes(tmp_path: Path) -> list[str]:
    return [p.name for p in (tmp_path / "runtime" / "weir" / "lttng").glob("*")]


@needs_lttng
def test_a_run_killed_at_any_moment_leaves_nothing_that_others_stumble_over(tmp_path, world, paced):
    out = tmp_path / "runs"
    began = time.monotonic()
    ended(start(tmp_path, paced, world, *SHORT, private=True), 0)
    whole_s, chance = time.monotonic() - began, random.Random(1)
    for number in range(KILLS):
        # One kill in each part of the run, at a random moment within it.
        process = start(tmp_path, paced, world, *SHORT, private=True)
        time.sleep(whole_s * (number + chance.random()) / KILLS)
        process.kill()
        process.communicate()
        assert_all_gone(world)
        assert notes(tmp_path) == [], f"kill {number}"
        listed = subprocess.run(weir("runs", "list", "--json", "--out", out), env=world, capture_output=True, text=True)
        assert listed.returncode == 0 and "skipped" not in listed.stderr
        assert {row["status"] for row in json.loads(listed.stdout)} == {"ok"}
    [result] = ended(start(tmp_path, paced, world, *SHORT, private=True), 0)
    assert (result["status"], result["trace"]["backend"]) == ("ok", "lttng")
    assert not list(out.glob(".*"))
    reported = subprocess.run(weir("report", out, "-o", tmp_path / "r.html"), env=world, capture_output=True, text=True)
    assert reported.returncode == 0 and "skipped" not in reported.stderr


@needs_lttng
def test_a_killed_run_takes_its_session_out_of_a_daemon_of_somebody_else(tmp_path, world, paced):
    script = f"""
import json, os, signal, subprocess, sys, time
from weir.engine.measuring import lttng_daemon
from lttng_world import daemon_pid
subprocess.run(["lttng-sessiond", "--daemonize", "--no-kernel"], check=True)
process = subprocess.Popen({weir("run", paced, *SHORT, "--out", tmp_path / "runs")!r}, stderr=subprocess.DEVNULL)
while not lttng_daemon.session_names():
    time.sleep(0.02)
during = lttng_daemon.session_names()
process.kill(); process.wait()
deadline = time.monotonic() + 20
while lttng_daemon.session_names() and time.monotonic() < deadline:
    time.sleep(0.05)
after = lttng_daemon.session_names()
os.kill(daemon_pid(), signal.SIGTERM)
print(json.dumps([during, after]))
"""
    done = subprocess.run(command(sys.executable, "-c", script), env=world, capture_output=True, text=True, timeout=120)
    during, after = json.loads(done.stdout)
    assert len(during) == 1 and during[0].startswith("weir-") and after == []
    assert_all_gone(world)


@pytest.mark.slow
def test_a_run_killed_while_it_builds_does_not_spoil_the_next_build(tmp_path, world):
    path = project(tmp_path, 0.1, f"built{uuid.uuid4().hex[:8]}")
    for _ in range(2):
        process = start(tmp_path, path, world, "--trace", "off")
        assert "compiling" in next(line for line in process.stderr if "compiling" in line)
        time.sleep(0.3)
        process.kill()
        process.communicate()
    [result] = ended(start(tmp_path, path, world, "--trace", "off"), 0)
    assert result["status"] == "ok"
    assert_all_gone(world)


@needs_lttng
@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0 or CODEGEN.stat().st_mode & 0o5 != 0o5,
                    reason="only root can become another user, who must be able to read the tree")
def test_an_ordinary_user_traces_with_a_daemon_of_their_own(world):
    home = Path(tempfile.mkdtemp(prefix="weir-user-"))
    try:
        os.chown(home, NOBODY, NOBODY)
        theirs = {**world, "HOME": str(home), "LTTNG_HOME": str(home), "XDG_RUNTIME_DIR": "/nowhere",
                  "XDG_CACHE_HOME": str(home / "cache"), "CCACHE_DIR": str(home / "ccache"), "TMPDIR": str(home),
                  "WEIR_LOCK": str(home / "lock")}
        done = subprocess.run(weir("run", project(home, 0.5), "--json", "--keep-trace", "--out", home / "runs"),
                              env=theirs, capture_output=True, text=True, user=NOBODY, group=NOBODY, extra_groups=[],
                              cwd=home, timeout=300)
        assert done.returncode == 0, done.stderr
        [result] = json.loads(done.stdout)
        assert (result["status"], result["trace"]["backend"]) == ("ok", "lttng")
        assert result["trace"]["discarded"] == 0 and result["latency"]["lost"] == 0
        assert list(home.glob("runs/*/trace")) and list(home.rglob("weir-trace-reader"))
        assert_all_gone(world)
    finally:
        shutil.rmtree(home)


def dense(tmp_path: Path, seconds: float) -> Path:
    """Return a project with many times the predicted events: its paced source is called again until an item is due."""
    trace = {"backend": "lttng", "probe_granularity": 1000, "events": ["work"]}
    return project(tmp_path, seconds, "dense", run={"items": int(1e6 * seconds), "timeout_s": 100, "trace": trace})


def on_a_small_disk(folder: Path, size: str, *words: object) -> list[str]:
    """Return the command in the private place, with a tmpfs of that size at `folder`, which is copied to `folder`.kept.
    """
    folder.mkdir()
    if subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", folder], capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    script = (f"mount -t tmpfs -o size={size} tmpfs {folder} && \"$@\"; code=$?; "
              f"cp -a {folder} {folder}.kept; exit $code")
    return command("sh", "-c", script, "sh", *map(str, words))


@needs_lttng
@needs_mounts
@pytest.mark.slow
def test_a_trace_that_fills_the_disk_is_stopped_and_what_is_there_is_kept(tmp_path, world):
    path, small = built(dense(tmp_path, 8), world), tmp_path / "small"
    done = subprocess.run(on_a_small_disk(small, "24m", *weir("run", path, "--json", "--out", small)), env=world,
                          capture_output=True, text=True, timeout=300)
    assert done.returncode == 4, done.stderr
    [result] = json.loads(done.stdout)
    assert result["status"] == "invalid"
    [reason] = [r["message"] for r in result["reasons"] if r["code"] == "E_DISK_FULL"]
    assert "disk" in reason
    assert [sink["items"] for sink in result["sinks"]] == [8_000_000], "the run itself went on"
    [kept] = (tmp_path / "small.kept").iterdir()
    assert kept.name == result["run_id"] and not (kept / ".reserve").exists()
    assert json.loads((kept / "results.json").read_text()) == result
    assert sum(p.stat().st_size for p in (kept / "trace").rglob("*") if p.is_file()) > 1 << 20
    shown = subprocess.run(weir("runs", "trace", kept, "-o", tmp_path / "t.json"), env=world, capture_output=True,
                           text=True)
    assert shown.returncode in (0, 4) and "Traceback" not in shown.stderr
    assert_all_gone(world)


@needs_lttng
@needs_mounts
@pytest.mark.slow
def test_a_disk_that_somebody_else_fills_in_mid_run_is_named(tmp_path, world, paced):
    small = tmp_path / "small"
    goes = f"{small}/.incomplete-*/stdout.log"
    fill = (f"(until ls {goes}; do sleep 0.1; done; sleep 1; head -c 64M /dev/zero > {small}/theirs; sleep 1) "
            ">/dev/null 2>&1 & exec \"$@\"")
    done = subprocess.run(on_a_small_disk(small, "32m", "sh", "-c", fill, "sh",
                                          *weir("run", paced, "--items", "6M", "--json", "--out", small)),
                          env=world, capture_output=True, text=True, timeout=300)
    assert "Traceback" not in done.stderr
    whole = [p for p in (tmp_path / "small.kept").iterdir() if p.name != "theirs"]
    [result] = json.loads(done.stdout)
    assert done.returncode == 4 and result["status"] == "invalid"
    assert "E_DISK_FULL" in [r["code"] for r in result["reasons"]]
    assert [p.name for p in whole] == [result["run_id"]]
    assert json.loads((whole[0] / "results.json").read_text()) == result
    assert_all_gone(world)


@needs_mounts
def test_a_disk_too_small_for_what_memory_recorded_is_reported_and_nothing_half_written_stays(tmp_path, world):
    trace = {"backend": "lttng", "probe_granularity": 1}
    path = project(tmp_path, 0, "every", run={"items": 500_000, "timeout_s": 100, "trace": trace})
    small = tmp_path / "small"
    done = subprocess.run(on_a_small_disk(small, "12m", *weir("run", built(path, world), "--out", small)), env=world,
                          capture_output=True, text=True, timeout=300)
    assert "tracing in memory instead" in done.stderr
    assert done.returncode == 3, done.stderr
    assert f"E_DISK_FULL: cannot write the results of one in {small}" in done.stderr
    assert "Traceback" not in done.stderr
    assert list((tmp_path / "small.kept").iterdir()) == []
    assert_all_gone(world)


@needs_mounts
def test_a_folder_that_may_not_be_written_is_reported_before_anything_runs(tmp_path, world, paced):
    locked = tmp_path / "locked"
    locked.mkdir()
    script = f"mount -t tmpfs -o ro tmpfs {locked} && exec \"$@\""
    done = subprocess.run(["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh",
                           *weir("run", paced, "--trace", "off", "--out", locked)], env=world, capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == 3 and "E_FILE_PERMISSION" in done.stderr and str(locked) in done.stderr
    assert "Traceback" not in done.stderr and done.stdout == ""


@needs_lttng
@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow),
                                    pytest.param(signal.SIGHUP, marks=pytest.mark.slow)])
def test_a_traced_run_that_is_interrupted_ends_in_order(tmp_path, world, paced, number):
    interrupt(tmp_path, world, paced, number)


@needs_lttng
@pytest.mark.slow
def test_a_run_with_millions_of_events_ends_soon_after_ctrl_c(tmp_path, world):
    path = built(dense(tmp_path, 60), world)
    result, seconds = interrupt(tmp_path, world, path, signal.SIGINT, after=2)
    print(f"{result['trace']['events']} events, {seconds:.1f} s")
    assert result["trace"]["events"] > 10**5 and seconds < 60


def interrupt(tmp_path: Path, world: dict[str, str], path: Path, number: int, after: float = 1) -> tuple[dict, float]:
    """Return the result, and the time from the signal to the end."""
    process = start(tmp_path, path, world, private=True)
    wait_for_worker(process.pid, "w0")
    time.sleep(after)
    process.send_signal(number)
    began = time.monotonic()
    [result] = ended(process, 4)
    seconds = time.monotonic() - began
    assert result["status"] == "partial" and result["trace"]["backend"] == "lttng"
    assert 0 < result["sinks"][0]["items"] < result["sinks"][0]["expected"]
    assert_all_gone(world)
    assert notes(tmp_path) == [] and [p.name for p in (tmp_path / "runs").iterdir()] == [result["run_id"]]
    return result, seconds


@needs_lttng
@pytest.mark.slow
def test_a_terminal_that_goes_away_ends_the_run_in_order(tmp_path, world, paced):
    pid, terminal = pty.fork()
    if pid == 0:
        words = command(*weir("run", paced, "--out", tmp_path / "runs"))
        os.execvpe(words[0], words, world)
    wait_for_worker(pid, "w0")
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) in (0, 4)
    [run] = (tmp_path / "runs").iterdir()
    assert json.loads((run / "results.json").read_text())["status"] == "partial"
    assert_all_gone(world)
    assert notes(tmp_path) == []


@needs_lttng
def test_ctrl_c_at_a_terminal_reaches_the_run_once(tmp_path, world, paced):
    pid, terminal = pty.fork()
    if pid == 0:
        words = command(*weir("run", paced, "--trace", "memory", "--out", tmp_path / "runs"))
        os.execvpe(words[0], words, world)
    wait_for_worker(pid, "w0")
    os.write(terminal, b"\x03")
    said = b""
    while select.select([terminal], [], [], 60)[0]:
        try:
            said += os.read(terminal, 4096)
        except OSError:
            break
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 4
    assert b"partial" in said and b"Traceback" not in said
    assert len(list((tmp_path / "runs").iterdir())) == 1
    assert_all_gone(world)


def test_half_a_run_directory_is_no_run_to_any_verb(tmp_path, world):
    half = tmp_path / "runs" / "20260102T030405Z-paced-one-000000"
    half.mkdir(parents=True)
    (half / "results.json").write_text('{"status": "ok"')
    for words, code in ((("runs", "list", "--out", half.parent), 0), (("report", half.parent, "-o", tmp_path / "r"), 4),
                        (("runs", "trace", half, "-o", tmp_path / "t"), 4), (("runs", "rm", half), 4)):
        done = subprocess.run(weir(*words), env=world, capture_output=True, text=True)
        assert done.returncode == code and "damaged" in done.stderr and "Traceback" not in done.stderr
    assert (half / "results.json").exists()
