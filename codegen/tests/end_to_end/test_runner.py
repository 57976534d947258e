"""Test `weir run` with a real binary: what LTTng recorded, and what remains after every way in which a run can end."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import jsonschema
import pytest
from lttng_world import environment, needs_lttng
from processes import descendants
from weir.engine.measuring.lttng_daemon import daemons_of
from weir.machine.doctoring.deployed import Deployed
from weir.machine.doctoring.examination import findings_of_run
from weir.machine.doctoring.machine_view import MachineView
from weir.model.document import shape
from weir_process import GRANULARITY, RATE, ended, project, start, wait_for_worker, weir


@pytest.fixture
def world(tmp_path) -> dict[str, str]:
    return environment(tmp_path)


@pytest.fixture
def built(tmp_path, world) -> Path:
    """Return the built project, which runs for half a minute, so that a test's clock starts with the run."""
    path = project(tmp_path, 30)
    subprocess.run(weir("generate", "--build", path), env=world, check=True, capture_output=True, timeout=600)
    return path


@needs_lttng
def test_the_trace_has_what_the_item_counts_demand(tmp_path, world):
    path = project(tmp_path, 1)
    [result] = ended(start(tmp_path, path, world, "--keep-trace", private=True), 0)
    boundaries = RATE // GRANULARITY
    assert (result["status"], result["trace"]["backend"], result["trace"]["discarded"]) == ("ok", "lttng", 0)
    [trace] = (tmp_path / "runs").glob("*/trace")
    text = subprocess.run(["babeltrace2", "--clock-seconds", str(trace)], check=True, capture_output=True,
                          text=True).stdout
    events = [(m[2], int(m[3]), int(m[1].replace(".", "")), int(m[4] or 0)) for m in re.finditer(
        r"\[(\d+\.\d{9})\].* weir:(tx|rx): .*?block = \d+, k = (\d+)(?:, scheduled_ns = (\d+))?", text)]
    assert len(events) == len(text.splitlines()) == result["trace"]["events"]
    assert sorted(k for name, k, *_ in events if name == "rx") == list(range(1, boundaries + 1))
    sent_k = sorted(k for name, k, *_ in events if name == "tx")
    assert sent_k[:boundaries] == list(range(1, boundaries + 1))
    assert (result["latency"]["count"], result["latency"]["lost"]) == (boundaries, 0)


@needs_lttng
def test_a_session_daemon_killed_in_mid_run_makes_the_result_invalid(tmp_path, world):
    path = project(tmp_path, 4)
    subprocess.run(weir("generate", "--build", path), env=world, check=True, capture_output=True, timeout=600)
    process = start(tmp_path, path, world, private=True)
    wait_for_worker(process.pid, "w0")
    time.sleep(0.5)
    notes = (tmp_path / "runtime" / "weir" / "lttng").glob("*.json")
    for daemon in {pid for note in notes for pid in daemons_of(note.stem)}:
        os.kill(daemon, signal.SIGKILL)
    [result] = ended(process, 4)
    assert result["status"] == "invalid"
    assert "E_TRACE_UNREADABLE" in [r["code"] for r in result["reasons"]]
    assert list((tmp_path / "runs").glob("*/trace")), "the trace of an invalid run is kept"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_is_partial(tmp_path, world, built, number):
    process = start(tmp_path, built, world, "--trace", "memory")
    wait_for_worker(process.pid, "w0")
    time.sleep(0.5)
    process.send_signal(number)
    [result] = ended(process, 4)
    assert result["status"] == "partial"
    [sink] = result["sinks"]
    assert 0 < sink["items"] < sink["expected"]
    assert result["latency"]["lost"] == 0
    assert [p.name for p in (tmp_path / "runs").iterdir()] == [result["run_id"]]


def test_a_killed_run_leaves_nothing_that_other_verbs_see_and_the_next_run_cleans_up(tmp_path, world, built):
    process = start(tmp_path, built, world, "--trace", "memory")
    wait_for_worker(process.pid, "w0")
    [measured] = descendants(process.pid)
    process.kill()
    process.communicate()
    [left] = (tmp_path / "runs").iterdir()
    assert left.name.startswith(".incomplete-")
    listed = subprocess.run(weir("runs", "list", "--json", "--out", tmp_path / "runs"), env=world, capture_output=True,
                            text=True)
    assert json.loads(listed.stdout) == []
    deadline = time.monotonic() + 10
    while Path(f"/proc/{measured}/exe").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{measured}/exe").exists(), "what was measured must not go on"
    [result] = ended(start(tmp_path, built, world, "--trace", "off", "--items", "1000"), 0)
    assert [p.name for p in (tmp_path / "runs").iterdir()] == [result["run_id"]]


def test_the_kernel_shows_the_pinning_while_a_run_goes(tmp_path, world):
    cpu = max(os.sched_getaffinity(0))
    path = project(tmp_path, 30, "pinned", deployments=[
        {"name": "one", "scheduler": "flow", "workers": 1, "affinity": {"w0": [cpu]}}])
    subprocess.run(weir("generate", "--build", path), env=world, check=True, capture_output=True, timeout=600)
    process = start(tmp_path, path, world, "--trace", "off")
    deadline, seen = time.monotonic() + 20, ""
    while seen != str(cpu) and time.monotonic() < deadline:
        seen = wait_for_worker(process.pid, "w0")["Cpus_allowed_list"].strip()
    process.send_signal(signal.SIGINT)
    [result] = ended(process, 4)
    assert seen == str(cpu)
    assert result["planned"]["affinity"] == result["granted"]["affinity"] == {"w0": [cpu]}
    assert result["requested"]["affinity"] == {"w0": [cpu]}


def test_a_cpu_that_is_not_there_is_an_error_before_anything_is_built(tmp_path, world):
    path = project(tmp_path, 1, "absent", deployments=[
        {"name": "one", "scheduler": "flow", "workers": 1, "affinity": {"w0": [4095]}}])
    done = subprocess.run(weir("run", path, "--out", tmp_path / "runs"), env=world, capture_output=True, text=True)
    assert done.returncode == 3 and "E_CPU_MISSING" in done.stderr
    assert not (tmp_path / "runs").exists()


def test_without_lttng_the_trace_is_in_memory_and_the_result_says_so(tmp_path, world):
    path = project(tmp_path, 1)
    tools = tmp_path / "bin"
    tools.mkdir()
    for folder in map(Path, world["PATH"].split(":")):
        for tool in folder.iterdir() if folder.is_dir() else ():
            if not tool.name.startswith("lttng") and not (tools / tool.name).is_symlink():
                (tools / tool.name).symlink_to(tool)
    process = start(tmp_path, path, {**world, "PATH": str(tools)})
    out, err = process.communicate(timeout=600)
    [result] = json.loads(out)
    assert process.returncode == 0 and "tracing in memory instead" in err and "not installed" in err
    assert (result["status"], result["trace"]["backend"]) == ("ok", "memory")
    assert [r["code"] for r in result["reasons"] if r["code"].startswith("N_TRACE")] == ["N_TRACE_IN_MEMORY"]
    assert result["latency"]["count"] == RATE // GRANULARITY


CRASH = """#pragma once
#include "weir/block.hpp"
#include <csignal>
namespace weir::blocks {
template <class T> struct Crash {
    struct Params {};
    Params params;
    WorkResult work(In<T>&, Out<T>&) noexcept { std::raise(SIGSEGV); return WorkStatus::ok; }
};
}  // namespace weir::blocks
"""


def test_a_crash_is_named(tmp_path, world):
    folder = tmp_path / "blocks" / "test" / "crash"
    folder.mkdir(parents=True)
    (folder / "crash.hpp").write_text(CRASH)
    (folder / "block.json").write_text(json.dumps({
        "format": 1, "id": "crash", "title": "Crash", "documentation": "Ends the process.", "item_types": ["f32"],
        "inputs": [{"id": "in", "type": "T", "rate": 1}], "outputs": [{"id": "out", "type": "T", "rate": 1}],
        "parameters": [],
        "behaviour": {"state": "stateless", "element_wise": False, "in_place": False, "random_access": False,
                      "waits": False, "blocking_io": False},
        "accuracy": {"ulp": 0, "note": ""}, "uses": [], "vectors": []}))
    path = project(tmp_path, 1, "crashing", graph={
        "blocks": [{"id": "numbers", "type": "counter_source", "parameters": {"item_type": "f32"}},
                   {"id": "bad", "type": "crash"}, {"id": "sink", "type": "null_sink"}],
        "connections": [["numbers", "out", "bad", "in"], ["bad", "out", "sink", "in"]]})
    [result] = ended(start(tmp_path, path, world, "--trace", "memory", "--block-path", tmp_path / "blocks"), 4)
    assert result["status"] == "failed"
    assert [r["message"] for r in result["reasons"] if r["code"] == "E_CRASHED"] == ["bad: ended by SIGSEGV"]


def test_a_folder_that_cannot_be_made_is_reported(tmp_path, world, built):
    (tmp_path / "file").write_text("")
    done = subprocess.run(weir("run", built, "--items", "1000", "--trace", "off", "--out", tmp_path / "file" / "runs"),
                          env=world, capture_output=True, text=True)
    assert done.returncode == 3 and "Traceback" not in done.stderr and "cannot keep runs in" in done.stderr


def test_a_wrong_value_of_a_parameter_is_a_usage_error_and_no_run(tmp_path, world, built):
    process = start(tmp_path, built, world, "--param", "radio.rate=fast")
    _, said = process.communicate(timeout=60)
    assert process.returncode == 2 and "E_USAGE" in said and "radio.rate must be a number" in said
    assert not list((tmp_path / "runs").glob("*"))


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("unshare"),
                    reason="a small file system can only be mounted by root")
def test_a_full_disk_is_reported_and_leaves_nothing_half_written(tmp_path, world, built):
    small = tmp_path / "small"
    small.mkdir()
    script = f"mount -t tmpfs -o size=16k tmpfs {small} && \"$@\"; code=$?; ls -A {small}; exit $code"
    done = subprocess.run(["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh",
                           *weir("run", built, "--items", "1000", "--trace", "off", "--out", small)],
                          env=world, capture_output=True, text=True)
    assert done.returncode == 3 and "E_DISK_FULL" in done.stderr, done.stderr
    assert "Traceback" not in done.stderr and done.stdout == ""


def test_runs_on_one_machine_wait_for_each_other(tmp_path, world, built):
    lock = os.open(world["WEIR_LOCK"], os.O_RDONLY | os.O_CREAT, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = start(tmp_path, built, world, "--trace", "off", "--items", "1000")
        for line in process.stderr:
            if "another run is measuring" in line:
                break
        else:
            raise AssertionError("it did not say that it waits")
        assert process.poll() is None and not list((tmp_path / "runs").glob("[!.]*"))
    finally:
        os.close(lock)
    assert ended(process, 0)[0]["status"] == "ok"


def test_progress_is_one_object_a_line(tmp_path, world, built):
    process = start(tmp_path, built, world, "--trace", "off", "--items", "2000000", "--progress=json")
    _, err = process.communicate(timeout=120)
    objects = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
    assert objects and len(objects) == len(err.splitlines())
    for value in objects:
        jsonschema.Draft202012Validator(shape.schema("progress")).validate(value)
    phases = {value["phase"]: value for value in reversed(objects)}  # the first value of each
    assert all(phases[name]["deployment"] == "one" for name in ("verifying", "run", "analysing"))
    assert phases["run"]["run_id"] == phases["analysing"]["run_id"] and phases["run"]["run_id"]


def test_the_run_directory_is_complete_and_says_how_to_run_again(tmp_path, world, built):
    [result] = ended(start(tmp_path, built, world, "--trace", "memory", "--items", "100000"), 0)
    directory = tmp_path / "runs" / result["run_id"]
    assert sorted(p.name for p in directory.iterdir()) == [
        ".weir-owned.json", "blocks.csv", "latency.hgrm", "machine.json", "plan.json", "project.json", "results.json",
        "run.json", "stdout.log"]
    assert re.fullmatch(r"\d{8}T\d{6}Z-paced-one-[0-9a-f]{6}", result["run_id"])
    made = json.loads((directory / "run.json").read_text())
    assert made["command"] == f"weir run {built} --deployment one --items 100000 --trace memory"
    assert json.loads((directory / "results.json").read_text()) == result


def test_a_run_keeps_what_the_doctor_found_before_it_and_a_report_shows_it(tmp_path, world, built):
    [result] = ended(start(tmp_path, built, world, "--trace", "memory", "--items", "100000"), 0)
    directory = tmp_path / "runs" / result["run_id"]
    kept = json.loads((directory / "run.json").read_text())["findings"]
    plan = json.loads((directory / "plan.json").read_text())
    now = findings_of_run(MachineView(deployments=[Deployed.of_plan(plan, "memory", False)], variables=world))
    fleeting = ("interrupts", "memory", "throttling")
    assert [it for it in kept if it["id"] not in fleeting] == [it for it in now if it["id"] not in fleeting]
    assert {"load", "steal"}.isdisjoint(it["id"] for it in kept) and result["status"] == "ok"
    page = tmp_path / "r.html"
    subprocess.run(weir("report", directory, "-o", page), env=world, check=True, capture_output=True, timeout=600)
    shown = re.findall(r"<li>([^:]+): ", page.read_text().partition("<h2>Environment</h2>")[2])
    assert shown == [it["title"] for it in kept if it["severity"] != "unknown"] != []
