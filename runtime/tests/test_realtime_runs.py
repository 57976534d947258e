"""Test a program's report about its policies: requested, granted or refused by Linux, and why."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from fixture_program import LIMIT_S, PROGRAM, codes, environment, needs_program, results_of, run

pytestmark = needs_program

FIFO = {"policy": "fifo", "priority": 5, "runtime_us": 0, "deadline_us": 0, "period_us": 0}
OTHER = {**FIFO, "policy": "other", "priority": 0, "timer_slack_ns": 70_000}
DEADLINE = {**OTHER, "policy": "deadline", "runtime_us": 500, "deadline_us": 10_000, "period_us": 10_000}
WITHOUT_RIGHTS = ["prlimit", "--rtprio=0:0", "setpriv", "--bounding-set=-sys_nice", "--inh-caps=-sys_nice"]
can_drop = pytest.mark.skipif(os.geteuid() != 0 or not all(map(shutil.which, ("prlimit", "setpriv"))),
                              reason="only root has a right that it can drop, with prlimit and setpriv")


def messages(results: dict, code: str) -> list[str]:
    return [reason["message"] for reason in results["reasons"] if reason["code"] == code]


def refused(results: dict) -> str:
    return " ".join(it for code in ("W_NOT_GRANTED", "E_NOT_GRANTED") for it in messages(results, code)
                    if it.startswith("priority"))


def unslacked(scheduling: dict) -> dict:
    return {key: value for key, value in scheduling.items() if key != "timer_slack_ns"}


def urgent(out: Path, *before: str, fixture: str = "urgent", code: int = 0) -> dict:
    items = () if fixture == "urgent" else ("--items", "20k")  # its own item count takes ten seconds
    words = [*before, PROGRAM, "--out", str(out), "--trace", "memory", *items]
    done = subprocess.run(words, env=environment(fixture), capture_output=True, text=True, timeout=LIMIT_S)
    assert done.returncode == code, done.stderr
    return results_of(out)


def test_one_worker_has_a_policy_and_the_other_a_slack(tmp_path):
    r = urgent(tmp_path)
    assert r["planned"]["priority"] == OTHER and r["planned"]["threads"] == {"w0": {**FIFO, "timer_slack_ns": 1}}
    if refused(r):
        pytest.skip(refused(r))
    assert r["status"] == "ok" and not codes(r) & {"W_NOT_GRANTED", "E_NOT_GRANTED"}
    granted = r["granted"]["priority"]
    assert unslacked(granted["w0"]) == FIFO and granted["w1"] == OTHER
    assert {it["name"]: {key: it[key] for key in OTHER} for it in r["threads"]} == granted


def test_a_deadline_is_granted_or_the_run_is_not_valid(tmp_path):
    done = run("due", "--items", "20k", out=tmp_path)
    r = results_of(tmp_path)
    assert done.returncode == (4 if refused(r) else 0) and r["status"] == ("invalid" if refused(r) else "ok")
    if refused(r):
        pytest.skip(refused(r))
    assert {name: unslacked(it) for name, it in r["granted"]["priority"].items()} == dict.fromkeys(
        ("w0", "w1"), unslacked(DEADLINE))
    assert unslacked(r["planned"]["priority"]) == unslacked(DEADLINE)


@can_drop
def test_a_missing_right_is_reported_with_the_command_that_grants_it(tmp_path):
    r = urgent(tmp_path, *WITHOUT_RIGHTS)
    assert messages(r, "W_NOT_GRANTED") == [
        "priority of worker w0: Operation not permitted: priority 5 needs CAP_SYS_NICE or a higher limit than 0: "
        "sudo prlimit --pid $$ --rtprio=5:5"]
    assert r["status"] == "ok"
    assert r["granted"]["priority"] == {"w0": {**OTHER, "timer_slack_ns": 1}, "w1": OTHER}
    r = urgent(tmp_path, *WITHOUT_RIGHTS, fixture="due", code=4)
    assert r["status"] == "invalid" and len(messages(r, "E_NOT_GRANTED")) == 2
    assert "worker w0: Operation not permitted: a deadline needs CAP_SYS_NICE" in refused(r)


@can_drop
def test_the_command_that_it_names_is_enough(tmp_path):
    may = ["prlimit", "--rtprio=5:5", *WITHOUT_RIGHTS[2:]]
    if subprocess.run([*may[:2], "true"], capture_output=True).returncode != 0:
        pytest.skip("root itself may not raise this limit here")
    assert unslacked(urgent(tmp_path, *may)["granted"]["priority"]["w0"]) == FIFO


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can keep a program to some of the CPUs of a machine")
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one CPU is all of them")
def test_a_deadline_on_some_of_the_cpus_is_refused_by_name(tmp_path):
    r = urgent(tmp_path, "taskset", "--cpu-list", "0", fixture="due", code=4)
    assert "must be allowed on every CPU of its root domain" in refused(r)


def cpu_groups() -> Path | None:
    """Return the mount point of the version 1 control groups for CPU time."""
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, at, kind, options, *_ = line.split()
        if kind == "cgroup" and "cpu" in options.split(",") and (Path(at) / "cpu.rt_runtime_us").exists():
            return Path(at)
    return None


@pytest.fixture
def group():
    groups = cpu_groups()
    if groups is None or not os.access(groups, os.W_OK):
        pytest.skip("no control groups of version 1 with shares of real time that may be made")
    own = groups / f"weir-test-{os.getpid()}"
    own.mkdir()
    yield own
    own.rmdir()


def test_a_group_without_a_share_of_real_time_is_reported_by_its_file(tmp_path, group):
    def enter() -> None:
        (group / "tasks").write_text("0")

    done = subprocess.run([PROGRAM, "--out", str(tmp_path)], env=environment("urgent"), capture_output=True, text=True,
                          timeout=LIMIT_S, preexec_fn=enter)
    assert done.returncode == 0, done.stderr
    assert f"its control group has no real-time share: echo 950000 | sudo tee {group}/cpu.rt_runtime_us" in refused(
        results_of(tmp_path))


def test_a_spinning_worker_is_reported_as_throttled(tmp_path):
    runtime_us, period_us = (int(Path(f"/proc/sys/kernel/sched_rt_{name}_us").read_text())
                             for name in ("runtime", "period"))
    if not 0 < runtime_us < period_us == 1_000_000:
        pytest.skip("this kernel does not stop real-time threads each second")
    for attempt in range(4):  # another real-time process may take its CPU
        done = run("spins", "--items", "210k", out=tmp_path / str(attempt))  # 2.1 s
        assert done.returncode == 0, done.stderr
        r = results_of(tmp_path / str(attempt))
        if refused(r):
            pytest.skip(refused(r))
        [thread] = r["threads"]
        if thread["run_delay_s"] is None:
            pytest.skip("this kernel does not count how long threads wait for a CPU")
        if thread["run_delay_s"] < 0.05 * r["elapsed_s"] / 2 and thread["cpu_time_s"] > 0.97 * r["elapsed_s"]:
            pytest.skip("nobody else wanted the CPU, and this kernel stops nobody for nobody")
        if told := messages(r, "N_REALTIME_THROTTLED"):
            break
    [message] = told
    assert message.startswith("Linux stopped worker w0 for ") and "kernel.sched_rt_runtime_us" in message


def test_a_worker_with_the_policy_other_is_never_reported_as_throttled(tmp_path):
    assert run("paced", "--items", "30k", out=tmp_path).returncode == 0
    assert "N_REALTIME_THROTTLED" not in codes(results_of(tmp_path))
