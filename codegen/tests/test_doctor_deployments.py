"""Findings of `weir doctor` that depend on the deployments of a project, read from their plans."""

from __future__ import annotations

from dataclasses import replace

import pytest
from doctor_world import CPU, DEADLINE, FIFO, FLAT_OUT, FLOATING, FREE, LOCKED, REALTIME, limited, look
from golden_kinds import KINDS
from machine_trees import CONTAINER, LAPTOP, NEITHER, V1, V2, limits, status
from planning import chain, deployed, plan
from test_doctor import FOUND
from weir.machine.doctoring.deployed import Deployed
from weir.machine.doctoring.examination import CHECKS

CPUSET = {"proc/self/mounts": "cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0\n", "proc/self/cgroup": "3:cpuset:/me"}

MAY_ALL = {"proc/self/status": status("0-3", uid=0, caps=1 << 23),
           "proc/self/mounts": "cgroup /c/cpuset cgroup rw,cpuset 0 0\ncgroup /c/cpu cgroup rw,cpu 0 0\n"}

#: check, deployment, machine, severity, effect on the deployment ("": none)
CONCERNED = [
    ("isolation_rights", replace(FREE, isolates=True), LAPTOP, "noisy", "it requests CPUs of its own for its runs"),
    ("isolation_rights", replace(FREE, isolates=True), NEITHER, "noisy", "it requests CPUs of its own for its runs"),
    ("isolation_rights", replace(FREE, loops=4, require=("interference",)), {}, "broken",
     "it requests 4 loops as interference load"),
    ("isolation_rights", replace(FREE, isolates=True, loops=4), MAY_ALL, "ok", ""),
    ("isolation_rights", FREE, LAPTOP, "ok", ""),
    ("isolation", replace(FREE, isolates=True), {f"{CPU}/isolated": ""}, "ok", ""),
    ("cpus", replace(FREE, workers={"w0": [2], "w1": [9]}), {}, "broken", "pinned to CPU 9, which is not available"),
    ("cpus", Deployed("many", {f"w{i}": [] for i in range(9)}), {}, "noisy", "take turns on CPUs 0-3, including"),
    ("cpus", replace(FLOATING, workers={f"w{i}": [] for i in range(9)}), {}, "note", "9 workers take turns on"),
    ("cpus", FLOATING, {"proc/self/status": status("0-1"), f"{CPU}/isolated": ""}, "note", "each CPU has a worker"),
    ("cpus", FREE, LAPTOP, "ok", ""),
    ("cpus", FREE, {"sys/fs/cgroup/user.slice/cpuset.cpus.effective": "0-2"}, "broken", "w1 is pinned to CPU 3, which"),
    ("cpus", FREE, {"sys/fs/cgroup/user.slice/cpuset.cpus.effective": "0-3"}, "ok", ""),
    ("cpus", FREE, {**CPUSET, "sys/fs/cgroup/cpuset/me/cpuset.effective_cpus": "0-2"}, "broken", "pinned to CPU 3, "),
    ("cpus", FREE, {**CPUSET, "sys/fs/cgroup/cpuset/me/cpuset.cpus": "0-2"}, "broken", "w1 is pinned to CPU 3, which"),
    ("cpus", FREE, {f"{CPU}/isolated": ""}, "broken", "to CPUs 2-3, outside of the CPU mask of Weir"),
    ("cpus", replace(FLOATING, workers={f"w{i}": [] for i in range(9)}, pieces=True), {}, "ok", ""),
    ("cpus", replace(FREE, workers={f"w{i}": [3] for i in range(4)}),
     {"proc/self/status": status("0"), f"{CPU}/isolated": ""}, "noisy", "4 workers take turns on CPUs 0,3"),
    ("cpus", replace(FLOATING, workers={f"w{i}": [] for i in range(4)}, pieces=True), {}, "ok", ""),
    ("cpus", replace(FREE, workers={"a": [2], "b": [9]}, pieces=True), {}, "broken", "b is pinned to CPU 9"),
    ("smt", FREE, LAPTOP, "noisy", "w0 is pinned to CPU 2, and other programs may run on its sibling, CPU 0"),
    ("smt", replace(FREE, workers={"w0": [1], "w1": [3]}), LAPTOP, "noisy",
     "w0 is pinned to CPU 1 and w1 to its sibling, CPU 3"),
    ("smt", FREE, {**LAPTOP, f"{CPU}/isolated": "0-1"}, "ok", ""),
    ("smt", FLOATING, LAPTOP, "ok", ""),
    ("isolation", FREE, LAPTOP, "note", "workers are pinned to CPUs 2-3, where other programs may run"),
    ("isolation", FLOATING, {}, "note", "no worker is pinned, so none ever runs on CPUs 2-3"),
    ("isolation", FLOATING, LAPTOP, "ok", ""),
    ("interrupts", FREE, LAPTOP, "noisy", "workers are pinned to CPUs 2-3"),
    ("interrupts", FLAT_OUT, LAPTOP, "note", "workers are pinned to CPUs 2-3"),
    ("interrupts", FLOATING, LAPTOP, "ok", ""),
    ("interrupts", FREE, {}, "ok", ""),
    ("clock_source", FREE, LAPTOP, "noisy", "each event of the trace reads the clock"),
    ("clock_source", FLAT_OUT, LAPTOP, "note", ""),
    ("cpu_quota", FREE, V2, "noisy", "Linux stops all of its 2 workers again and again"),
    ("cpu_quota", replace(FREE, workers={"w0": [1]}), V2, "ok", ""),
    ("mitigations", FLOATING, LAPTOP, "note", "workers park when they wait"),
    ("mitigations", FREE, LAPTOP, "note", ""),
    ("tick", FREE, LAPTOP, "note", "workers are pinned to CPUs 2-3, which the timer interrupts"),
    ("tick", FLAT_OUT, LAPTOP, "ok", ""),
    ("huge_pages", replace(FREE, hugepages=True), CONTAINER, "broken", "will not get any"),
    ("huge_pages", FREE, CONTAINER, "ok", ""),
    ("memory", replace(FREE, buffer_bytes=2**29), limited(2**30, 2**29 + 1), "broken", "its buffers need 512 MiB"),
    ("memory", replace(FREE, buffer_bytes=2**40), {}, "broken", "its buffers need 1048576 MiB"),
    ("memory_lock", LOCKED, LAPTOP, "noisy", "at least 17 MiB with the stacks of workers"),
    ("memory_lock", replace(LOCKED, require=("memory_lock",)), LAPTOP, "broken", "at least 17 MiB"),
    ("memory_lock", FREE, LAPTOP, "ok", ""),
    ("realtime_rights", REALTIME, LAPTOP, "broken", "its workers request fifo 50"),
    ("realtime_rights", replace(REALTIME, require=()), LAPTOP, "noisy", "its workers request fifo 50"),
    ("realtime_rights", replace(REALTIME, realtime={"w1": FIFO}), LAPTOP, "broken", "request fifo 50 (w1)"),
    ("realtime_rights", replace(REALTIME, realtime={"w0": DEADLINE}), {"proc/self/limits": limits(rtprio="99")},
     "broken", "request deadline 1/2/4 us (w0)"),
    ("realtime_rights", FREE, LAPTOP, "ok", ""),
    ("realtime_throttle", REALTIME, LAPTOP, "noisy", "fifo 50 and spin, so Linux stops them for 50 ms"),
    ("realtime_throttle", replace(REALTIME, wait="park"), LAPTOP, "note", ""),
    ("realtime_throttle", replace(REALTIME, realtime={"w0": FIFO, "w1": DEADLINE}), LAPTOP, "noisy",
     "its workers have fifo 50 (w0) and spin"),
    ("realtime_throttle", replace(REALTIME, realtime={"w1": DEADLINE}), LAPTOP, "ok", ""),
    ("realtime_throttle", FREE, LAPTOP, "ok", ""),
    ("realtime_group", REALTIME, V1, "broken", "its workers request fifo 50"),
    ("realtime_group", replace(REALTIME, realtime={"w1": DEADLINE}), V1, "ok", ""),
    ("realtime_group", FREE, V1, "ok", ""),
    ("lttng", FREE, LAPTOP, "note", "LTTng traces its runs"),
    ("lttng", FLAT_OUT, LAPTOP, "ok", ""),
    ("volk_profile", replace(FREE, volk=True), LAPTOP, "note", "some of its blocks call VOLK"),
    ("volk_profile", replace(FREE, volk=False), LAPTOP, "ok", ""),
]


@pytest.mark.parametrize("check, deployment, machine, severity, said", CONCERNED,
                         ids=[f"{row[0]}-{row[1].name}-{number}" for number, row in enumerate(CONCERNED)])
def test_with_a_project_it_counts_what_its_deployments_ask_for(check, deployment, machine, severity, said, tmp_path):
    found = look(tmp_path, check, machine, deployments=[deployment])
    assert found.severity == severity
    assert said in found.concerns.get(deployment.name, "") and bool(said) == bool(found.concerns)


def test_latency_checks_name_the_deployments_that_measure_latency(tmp_path):
    assert set(look(tmp_path, "tick", LAPTOP, deployments=[FREE, FLAT_OUT]).concerns) == {"free"}


def test_each_check_is_tested_with_and_without_its_fault():
    tried = {row[0] for row in FOUND if row[2] not in ("ok", "unknown")}
    by_project = {row[0] for row in CONCERNED} | {"load", "steal"}
    assert {check.id for check in CHECKS} == tried | by_project
    assert len({check.id for check in CHECKS}) == len(CHECKS)


def test_deployments_are_read_from_their_plans():
    document = deployed(chain(2), workers=2, affinity={"w0": [0], "w1": [1]}, policy="rr", priority=7,
                        memory={"lock": True}, require=["priority"], wait="spin")
    made = plan({**document, "run": {"trace": {"backend": "off"}}}, "two_core", "d").plan.as_json()
    it = Deployed.of_plan(made)
    assert (it.pinned, it.policies(), it.highest_priority) == ({"w0": [0], "w1": [1]}, "rr 7", 7)
    assert it.lock and it.require == ["priority"]
    assert not it.with_deadline and not it.latency and not it.pieces
    assert it.buffer_bytes == sum(stream["bytes"] for stream in made["streams"] if "over" not in stream) > 0
    assert Deployed.of_plan(made, "memory").latency


def test_policies_of_single_workers_are_read_from_plans_too():
    document = deployed(chain(2), workers=2, wait="park", policy="rr", priority=7, threads={
        "w0": {"policy": "deadline", "runtime_us": 1000, "deadline_us": 2000, "period_us": 2000}})
    it = Deployed.of_plan(plan(document, "two_core", "d").plan.as_json())
    assert it.policies() == "deadline 1000/2000/2000 us (w0), rr 7 (w1)" and it.with_deadline
    assert it.policies(("rr",)) == "rr 7 (w1)" and it.highest_priority == 7
    only = deployed(chain(2), workers=2, wait="park", threads={"sink": {"policy": "fifo", "priority": 9}})
    it = Deployed.of_plan(plan(only, "two_core", "d").plan.as_json())
    assert (it.policies(), list(it.realtime)) == ("fifo 9 (w1)", ["w1"])


@pytest.mark.parametrize("kind, size", [
    ("by_hand", 49152), ("scheduled", 320 + 68 + 483328), ("stepped", 15872 + 1984 + 33792 + 3 * 5242880)])
def test_memory_that_streams_share_counts_once(kind, size):
    document, deployment = KINDS[kind]
    assert Deployed.of_plan(plan(document, "two_core", deployment).plan.as_json()).buffer_bytes == size


def test_blocks_that_are_to_share_cpus_are_not_too_many():
    placed = plan(deployed(chain(4), scheduler="gnuradio310", workers=2, placement={"strategy": "contiguous"}))
    alone = plan(deployed(chain(4), scheduler="gnuradio310"))
    assert not placed.diagnostics and not alone.diagnostics
    assert [Deployed.of_plan(it.plan.as_json()).pieces for it in (placed, alone)] == [True, False]


@pytest.mark.parametrize("workers, said", [
    ({f"w{i}": [] for i in range(9)}, "fewer workers, or other CPUs"), ({"w0": [9]}, "other CPUs"),
    ({"w0": [2]}, "other CPUs, or start Weir with a wider mask (`taskset`)"), ({"w0": [0]}, "")])
def test_the_hint_for_missing_cpus_would_help(workers, said, tmp_path):
    found = look(tmp_path, "cpus", {f"{CPU}/isolated": ""}, deployments=[replace(FREE, workers=workers)])
    assert found.remedy == said
