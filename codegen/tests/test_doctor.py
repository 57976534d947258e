"""What `weir doctor` finds on recorded machines and on this one, and what runs and reports keep of it."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from conftest import CODEGEN
from machine_trees import (BOTH, CONTAINER, HYBRID, LAPTOP, NEITHER, SERVER, SINGLE, V1, V2, Tree, limits, status,
                           write_tree)
from planning import EXAMPLES, chain, checked, deployed, machine, plan
from stored_runs import store

from weir import cli
from weir.diagnostics import WeirError
from weir.doctoring import clocks, seen, sharing, sight
from weir.doctoring.deployed import Deployed
from weir.doctoring.examination import CHECKS, examine, told_to_run
from weir.doctoring.page import page, summary
from weir.doctoring.sight import Sight
from weir.document import jsontext, shape
from weir.generation.build import Built
from weir.measuring import runner
from weir.measuring.listener import Listener
from weir.measuring.runnable import RunOptions, Tools
from weir.pipeline import Pipeline
from weir.planning.topology import cpu_words
from weir.reporting.report import make_report
from weir.reporting.sections import load_runs
from weir.targets.interface import Program

FREE = Deployed("free", {"w0": [2], "w1": [3]}, require=("affinity",))
FIFO = {"policy": "fifo", "priority": 50}
DEADLINE = {"policy": "deadline", "runtime_us": 1, "deadline_us": 2, "period_us": 4}
REALTIME = replace(FREE, name="urgent", realtime={"w0": FIFO, "w1": FIFO}, require=("priority",))
LOCKED = replace(FREE, name="locked", lock=True, buffer_bytes=2**20)
FLOATING = Deployed("floating", {"w0": [], "w1": []}, wait="park")
FLAT_OUT = replace(FREE, name="flat_out", trace="off")
CPU = "sys/devices/system/cpu"
IDLE = "cpu  110 0 110 10780 0 0 0 0 0 0"


def sight_of(root: Path, *changes: Tree, deployments: Sequence[Deployed] = (), later: str = IDLE) -> Sight:
    """`later`: what /proc/stat says after a second."""
    write_tree(root, *changes)
    return Sight(root, deployments, {"PATH": "/usr/local/bin:/usr/bin", "HOME": "/home/me"}, lambda: "avx2_64_mmx",
                 lambda _: (root / "proc/stat").write_text(later) and None)


def look(root: Path, check: str, *changes: Tree, **more) -> seen.Seen:
    return next(finding.seen for finding in examine(sight_of(root, *changes, **more)) if finding.check.id == check)


@pytest.mark.parametrize("deployments", [[], [FREE, LOCKED], [REALTIME]], ids=["no project", "a project", "fifo"])
def test_nothing_is_wrong_with_a_server_that_was_made_ready(deployments, tmp_path):
    findings = examine(sight_of(tmp_path, deployments=deployments))
    wrong = {finding.check.id: finding.seen for finding in findings if finding.seen.severity != seen.OK}
    assert wrong == {} and len(findings) == len(CHECKS)
    assert summary(findings) == "nothing makes measurements noisy here"


def firmware(vendor: str, product: str) -> Tree:
    return {"sys/class/dmi/id/sys_vendor": vendor, "sys/class/dmi/id/product_name": product}


def limited(most: int, used: int, stat: str = "") -> Tree:
    """The memory of a group above ours, in bytes."""
    group = "sys/fs/cgroup/user.slice/memory"
    return {f"{group}.max": str(most), f"{group}.current": str(used), f"{group}.stat": f"anon 1\n{stat}\nslab 1"}


def limited_v1(most: int, used: int) -> Tree:
    group = "sys/fs/cgroup/memory/me/memory"
    return {"proc/self/mounts": "cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n",
            "proc/self/cgroup": "4:memory:/me",
            f"{group}.limit_in_bytes": str(most), f"{group}.usage_in_bytes": str(used)}


#: check, machine, severity, value, words of what is said, words of the commands
FOUND = [
    ("governor", LAPTOP, "noisy", "powersave", "every CPU is `powersave`", "echo performance | sudo tee"),
    ("governor", HYBRID, "noisy", "performance, schedutil", "CPUs 4-7 is `schedutil`",
     f"/{CPU}/cpu7/cpufreq/scaling_governor"),
    ("governor", CONTAINER, "unknown", None, "tells nothing", ""),
    ("turbo", LAPTOP, "noisy", "on", "as its heat", f"echo 1 | sudo tee /{CPU}/intel_pstate/no_turbo"),
    ("turbo", {f"{CPU}/intel_pstate/no_turbo": None, f"{CPU}/cpufreq/boost": "1"}, "noisy", "on", "turbo is on",
     "echo 0"),
    ("turbo", {f"{CPU}/intel_pstate/no_turbo": None, f"{CPU}/cpufreq/boost": "0"}, "ok", "off", "turbo is off", ""),
    ("turbo", SINGLE, "unknown", None, "does not tell", ""),
    ("throttling", LAPTOP, "noisy", "17 times since it started",
     "x86_pkg_temp has 93 °C, and is slowed down from 95 °C", ""),
    ("throttling", {f"{CPU}/cpu0/thermal_throttle/package_throttle_count": "3"}, "note", "3 times since it started",
     "slowed down for its heat 3 times", ""),
    ("throttling", SINGLE, "unknown", None, "tells no temperatures", ""),
    ("clock_source", LAPTOP, "noisy", "hpet", "a call of the kernel", "echo tsc | sudo tee"),
    ("clock_source", CONTAINER, "note", "kvm-clock", "its host corrects", "echo tsc | tee"),
    ("clock_source", SINGLE, "ok", "arch_sys_counter", "the CPU's counter", ""),
    ("clock_source", {"sys/devices/system/clocksource/clocksource0/current_clocksource": "acpi_pm",
                      "sys/devices/system/clocksource/clocksource0/available_clocksource": "acpi_pm"},
     "noisy", "acpi_pm", "does not trust the CPU's counter", "tsc=reliable"),
    ("smt", LAPTOP, "note", "on", "threads of 2 cores: 0+2, 1+3", "echo off | sudo tee"),
    ("smt", HYBRID, "note", "on", "threads of 2 cores: 0+1, 2+3", "echo off | sudo tee"),
    ("smt", SINGLE, "ok", None, "no two CPUs", ""),
    ("isolation", LAPTOP, "note", "none", "keeps no CPU free", "isolcpus=1-3 nohz_full=1-3"),
    ("isolation", V2, "ok", "CPU 1", "keeps CPU 1 free", ""),
    ("isolation", SINGLE, "note", "none", "keeps no CPU free", ""),
    ("interrupts", {"proc/interrupts": None}, "unknown", None, "cannot be read", ""),
    ("load", LAPTOP, "noisy", "2%",
     "8 tasks could run besides this one, and the load of the last minute is 6.31 on 4 CPUs", "top -b"),
    ("load", {"proc/loadavg": None}, "unknown", None, "does not tell", ""),
    ("hypervisor", SINGLE, "unknown", None, "nothing tells", ""),
    ("hypervisor", {"proc/cpuinfo": None}, "unknown", None, "nothing tells", ""),
    ("hypervisor", {**SINGLE, **firmware("Amazon EC2", "m6g.large")}, "noisy", "Amazon EC2 m6g.large", "EC2", ""),
    ("hypervisor", {**SINGLE, **firmware("Amazon EC2", "m6g.metal")}, "unknown", None, "nothing tells", ""),
    ("hypervisor", {**SINGLE, **firmware("Microsoft Corporation", "Virtual Machine")}, "noisy",
     "Microsoft Corporation Virtual Machine", "runs this machine", ""),
    ("hypervisor", {**SINGLE, **firmware("Microsoft Corporation", "Surface")}, "unknown", None, "nothing tells", ""),
    ("hypervisor", firmware("QEMU", "Standard PC"), "noisy", "QEMU Standard PC", "runs this machine", ""),
    ("hypervisor", firmware("Dell Inc.", "PowerEdge"), "ok", "none", "no virtual machine", ""),
    ("steal", SINGLE, "ok", "0.0%", "0.0% of the CPUs' time was stolen", ""),
    ("steal", {}, "ok", "0.0%", "this is no virtual machine", ""),
    ("hypervisor", CONTAINER, "noisy", "QEMU Standard PC", "QEMU Standard PC runs this machine", ""),
    ("hypervisor", {"sys/hypervisor/type": "xen"}, "noisy", "xen", "xen runs this machine", ""),
    ("cpu_quota", V1, "noisy", "0.5 CPUs", "that of 0.5 CPUs",
     "echo -1 | sudo tee /sys/fs/cgroup/cpu,cpuacct/users/me/cpu.cfs_quota_us"),
    ("cpu_quota", V2, "noisy", "1.5 CPUs", "that of 1.5 CPUs", "echo max | sudo tee /sys/fs/cgroup/user.slice/cpu.max"),
    ("cpu_quota", BOTH, "ok", "none", "no control group limits", ""),
    ("cpu_quota", NEITHER, "unknown", None, "no control group can be seen", ""),
    ("cpu_quota", CONTAINER, "unknown", None, "no control group can be seen", ""),
    ("mitigations", LAPTOP, "note", "spectre_v2", "1 guard", "mitigations=off"),
    ("mitigations", {f"{CPU}/vulnerabilities/meltdown": None, f"{CPU}/vulnerabilities/spectre_v2": None},
     "unknown", None, "does not tell", ""),
    ("tick", LAPTOP, "note", "250 Hz, preemption voluntary", "250 times a second", "nohz_full=1-3"),
    ("tick", {f"{CPU}/nohz_full": "", "boot/config-6.1.0-18-amd64": "CONFIG_HZ=1000\nCONFIG_PREEMPT_RT=y\n"}, "note",
     "1000 Hz, preemption real-time", "1000 times a second", ""),
    ("tick", {f"{CPU}/nohz_full": "", "proc/cmdline": "preempt=full"}, "note",
     "250 Hz, preemption full", "", "nohz_full"),
    ("tick", SINGLE, "unknown", None, "configuration is not there", ""),
    ("numa_balancing", {"proc/sys/kernel/numa_balancing": "1", "sys/devices/system/node/node1/cpulist": "2-3"},
     "noisy", "on", "between 2 nodes", "sudo sysctl -w kernel.numa_balancing=0"),
    ("numa_balancing", {"proc/sys/kernel/numa_balancing": "1"}, "ok", "on", "one memory node", ""),
    ("numa_balancing", {"sys/devices/system/node/node1/cpulist": "2-3"}, "ok", "off", "moves no memory", ""),
    ("huge_pages", LAPTOP, "note", "always", "differs from run to run", "echo madvise | sudo tee"),
    ("huge_pages", CONTAINER, "ok", "never", "never", ""),
    ("huge_pages", {"sys/kernel/mm/transparent_hugepage/enabled": None}, "unknown", None, "does not tell", ""),
    ("memory", LAPTOP, "noisy", "1.0 of 15.3 GiB free", "391 MiB in swap", "sudo swapoff -a && sudo swapon -a"),
    ("memory", {"proc/swaps": LAPTOP["proc/swaps"]}, "note", "14.3 of 15.3 GiB free", "391 MiB in swap", "swapoff"),
    ("memory", limited(2**30, 10**9), "noisy", "0.1 of 1.0 GiB free", "free to our control group, nothing in swap", ""),
    ("memory", limited(2**30, 10**9, "inactive_file 900000000"), "ok", "0.9 of 1.0 GiB free", "our control group", ""),
    ("memory", {"sys/fs/cgroup/user.slice/memory.max": "max", "sys/fs/cgroup/user.slice/memory.current": "9"}, "ok",
     "14.3 of 15.3 GiB free", "GiB free, nothing in swap", ""),
    ("memory", limited_v1(2**29, 2**28), "ok", "0.2 of 0.5 GiB free", "our control group", ""),
    ("memory", limited_v1(2**63 - 4096, 2**28), "ok", "14.3 of 15.3 GiB free", "GiB free, nothing in swap", ""),
    ("memory", {**LAPTOP, **limited(2**33, 2**20), "proc/swaps": None}, "noisy", "1.0 of 15.3 GiB free",
     "GiB free, nothing in swap", ""),
    ("memory", {**LAPTOP, **limited(2**29, 2**20), "proc/swaps": None}, "noisy", "0.5 of 0.5 GiB free",
     "our control group", ""),
    ("memory", {"proc/meminfo": None}, "unknown", None, "does not tell", ""),
    ("memory_lock", LAPTOP, "note", "8000 KiB", "at most 8000 KiB",
     "sudo prlimit --pid $$ --memlock=unlimited:unlimited"),
    ("memory_lock", {"proc/self/status": status("0-1", caps=1 << 14), "proc/self/limits": limits("65536")}, "ok",
     "unlimited", "any memory", ""),
    ("memory_lock", {"proc/self/limits": None}, "unknown", None, "cannot be read", ""),
    ("realtime_rights", LAPTOP, "note", "0", "no real-time priority may be asked for",
     "sudo prlimit --pid $$ --rtprio=99:99"),
    ("realtime_rights", {"proc/self/status": status("0-1", caps=1 << 23), "proc/self/limits": limits(rtprio="0")}, "ok",
     "99", "any priority", ""),
    ("realtime_rights", {"proc/self/limits": None}, "unknown", None, "cannot be read", ""),
    ("realtime_throttle", LAPTOP, "note", "95%", "95% of a CPU", "sudo sysctl -w kernel.sched_rt_runtime_us=-1"),
    ("realtime_throttle", {"proc/sys/kernel/sched_rt_period_us": None}, "unknown", None, "does not tell", ""),
    ("realtime_group", V1, "note", "0 us", "/sys/fs/cgroup/cpu,cpuacct/users/me has no share",
     "echo 950000 | sudo tee /sys/fs/cgroup/cpu,cpuacct/users/me/cpu.rt_runtime_us"),
    ("realtime_group", BOTH, "ok", "400000 us", "lets real-time threads run", ""),
    ("realtime_group", V2, "ok", None, "no share of real-time of their own", ""),
    ("realtime_group", NEITHER, "ok", None, "no share of real-time of their own", ""),
    ("lttng", LAPTOP, "note", "not there", "lttng, lttng-sessiond, liblttng-ust are not installed",
     "sudo apt-get install lttng-tools liblttng-ust-dev"),
    ("lttng", {"usr/lib/x86_64-linux-gnu/liblttng-ust.so.1": None}, "note", "not there", "liblttng-ust is not",
     "liblttng-ust"),
    ("kernel_tracer", LAPTOP, "note", "not there", "without lttng-modules and tracefs,",
     "sudo apt-get install lttng-modules-dkms sudo mount -t tracefs nodev /sys/kernel/tracing"),
    ("kernel_tracer", {"proc/modules": None, "proc/cmdline": "nomodule"}, "note", "not there", "without lttng-modules,",
     ""),
    ("kernel_tracer", {"proc/modules": None, "lib/modules/6.1.0-18-amd64/updates/dkms/lttng-tracer.ko": "",
                       "sys/kernel/tracing/events/enable": None,
                       "proc/self/mounts": "tracefs /sys/kernel/tracing tracefs rw 0 0\n"}, "ok", "there", "can", ""),
    ("perf_counters", LAPTOP, "note", "cpu, perf_event_paranoid 3", "may count nothing",
     "kernel.perf_event_paranoid=1"),
    ("perf_counters", HYBRID, "note", "cpu_atom, cpu_core, perf_event_paranoid 2", "outside the kernel", "sysctl"),
    ("perf_counters", CONTAINER, "note", "none", "no hardware counters", ""),
    ("perf_counters", {"proc/sys/kernel/perf_event_paranoid": None}, "unknown", None, "perf_event_open", ""),
    ("volk_profile", LAPTOP, "note", "avx2_64_mmx", "never profiled", "sudo apt-get install libvolk-bin volk_profile"),
    ("volk_profile", {"home/me/.volk/volk_config": "", "etc/volk/volk_config": None}, "ok", "avx2_64_mmx",
     "by /home/me/.volk/volk_config", ""),
]


@pytest.mark.parametrize("check, machine, severity, value, said, command", FOUND,
                         ids=[f"{row[0]}-{row[2]}-{number}" for number, row in enumerate(FOUND)])
def test_what_a_machine_shows_is_found(check, machine, severity, value, said, command, tmp_path):
    found = look(tmp_path, check, machine)
    assert (found.severity, found.value) == (severity, value)
    assert said in found.message and command in " ".join(found.commands) and bool(command) == bool(found.commands)
    assert found.commands or found.remedy or severity in ("ok", "unknown"), "nothing is said of what mends it"


def test_the_page_of_the_handbook_lists_every_check():
    text = (CODEGEN.parent / "docs" / "doctor.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \|", text.partition("## What is looked at")[2], re.MULTILINE)
    assert listed == [check.id for check in CHECKS]
    assert set(re.findall(r"^\| `(\w+)` \|", text.partition("## What")[0], re.MULTILINE)) == set(seen.SEVERITIES)
    assert f"from {sharing._MANY} a second" in text and f"more than {sharing._MUCH:.0%}".replace("%", " %") in text
    assert f"more than {sharing._MUCH_STOLEN:.0%}".replace("%", " %") in text
    assert f"within {clocks._NEAR_MILLIDEGREES // 1000} K" in text


def test_each_check_was_tried_where_all_is_well_and_where_it_is_not():
    tried = {row[0] for row in FOUND if row[2] not in ("ok", "unknown")}
    by_project = {row[0] for row in CONCERNED} | {"load", "steal"}
    assert {check.id for check in CHECKS} == tried | by_project
    assert len({check.id for check in CHECKS}) == len(CHECKS)


CPUSET = {"proc/self/mounts": "cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0\n", "proc/self/cgroup": "3:cpuset:/me"}

MAY_ALL = {"proc/self/status": status("0-3", uid=0, caps=1 << 23),
           "proc/self/mounts": "cgroup /c/cpuset cgroup rw,cpuset 0 0\ncgroup /c/cpu cgroup rw,cpu 0 0\n"}

#: check, deployment, machine, severity, what it means for the deployment; "": nothing
CONCERNED = [
    ("surroundings", replace(FREE, isolates=True), LAPTOP, "noisy", "CPUs are to be kept free for its runs"),
    ("surroundings", replace(FREE, isolates=True), NEITHER, "noisy", "CPUs are to be kept free for its runs"),
    ("surroundings", replace(FREE, loops=4, require=("disturbance",)), {}, "broken", "4 loops are to disturb its runs"),
    ("surroundings", replace(FREE, isolates=True, loops=4), MAY_ALL, "ok", ""),
    ("surroundings", FREE, LAPTOP, "ok", ""),
    ("isolation", replace(FREE, isolates=True), {f"{CPU}/isolated": ""}, "ok", ""),
    ("cpus", replace(FREE, workers={"w0": [2], "w1": [9]}), {}, "broken", "w1 is pinned to CPU 9, which it cannot"),
    ("cpus", Deployed("many", {f"w{i}": [] for i in range(9)}), {}, "noisy", "take turns on CPUs 0-3, also those"),
    ("cpus", replace(FLOATING, workers={f"w{i}": [] for i in range(9)}), {}, "note", "9 workers take turns on"),
    ("cpus", FLOATING, {"proc/self/status": status("0-1"), f"{CPU}/isolated": ""}, "note", "each CPU has a worker"),
    ("cpus", FREE, LAPTOP, "ok", ""),
    ("cpus", FREE, {"sys/fs/cgroup/user.slice/cpuset.cpus.effective": "0-2"}, "broken", "w1 is pinned to CPU 3, which"),
    ("cpus", FREE, {"sys/fs/cgroup/user.slice/cpuset.cpus.effective": "0-3"}, "ok", ""),
    ("cpus", FREE, {**CPUSET, "sys/fs/cgroup/cpuset/me/cpuset.effective_cpus": "0-2"}, "broken", "pinned to CPU 3, "),
    ("cpus", FREE, {**CPUSET, "sys/fs/cgroup/cpuset/me/cpuset.cpus": "0-2"}, "broken", "w1 is pinned to CPU 3, which"),
    ("cpus", FREE, {f"{CPU}/isolated": ""}, "broken", "to CPUs 2-3, outside of the mask Weir was started with"),
    ("cpus", replace(FLOATING, workers={f"w{i}": [] for i in range(9)}, pieces=True), {}, "ok", ""),
    ("cpus", replace(FREE, workers={f"w{i}": [3] for i in range(4)}),
     {"proc/self/status": status("0"), f"{CPU}/isolated": ""}, "noisy", "4 workers take turns on CPUs 0,3"),
    ("cpus", replace(FLOATING, workers={f"w{i}": [] for i in range(4)}, pieces=True), {}, "ok", ""),
    ("cpus", replace(FREE, workers={"a": [2], "b": [9]}, pieces=True), {}, "broken", "b is pinned to CPU 9"),
    ("smt", FREE, LAPTOP, "noisy", "w0 is pinned to CPU 2, whose sibling is CPU 0, where others may run"),
    ("smt", replace(FREE, workers={"w0": [1], "w1": [3]}), LAPTOP, "noisy",
     "w0 is pinned to CPU 1 and w1 to its sibling, CPU 3"),
    ("smt", FREE, {**LAPTOP, f"{CPU}/isolated": "0-1"}, "ok", ""),
    ("smt", FLOATING, LAPTOP, "ok", ""),
    ("isolation", FREE, LAPTOP, "note", "workers are pinned to CPUs 2-3, where others may run"),
    ("isolation", FLOATING, {}, "note", "no worker is pinned, so none ever runs on CPUs 2-3"),
    ("isolation", FLOATING, LAPTOP, "ok", ""),
    ("interrupts", FREE, LAPTOP, "noisy", "workers are pinned to CPUs 2-3"),
    ("interrupts", FLAT_OUT, LAPTOP, "note", "workers are pinned to CPUs 2-3"),
    ("interrupts", FLOATING, LAPTOP, "ok", ""),
    ("interrupts", FREE, {}, "ok", ""),
    ("clock_source", FREE, LAPTOP, "noisy", "each event of the trace reads the clock"),
    ("clock_source", FLAT_OUT, LAPTOP, "note", ""),
    ("cpu_quota", FREE, V2, "noisy", "its 2 workers are stopped again and again"),
    ("cpu_quota", replace(FREE, workers={"w0": [1]}), V2, "ok", ""),
    ("mitigations", FLOATING, LAPTOP, "note", "workers park as they wait"),
    ("mitigations", FREE, LAPTOP, "note", ""),
    ("tick", FREE, LAPTOP, "note", "workers are pinned to CPUs 2-3, which are interrupted"),
    ("tick", FLAT_OUT, LAPTOP, "ok", ""),
    ("huge_pages", replace(FREE, hugepages=True), CONTAINER, "broken", "will not get them"),
    ("huge_pages", FREE, CONTAINER, "ok", ""),
    ("memory", replace(FREE, buffer_bytes=2**29), limited(2**30, 2**29 + 1), "broken", "its buffers take 512 MiB"),
    ("memory", replace(FREE, buffer_bytes=2**40), {}, "broken", "its buffers take 1048576 MiB"),
    ("memory_lock", LOCKED, LAPTOP, "noisy", "17 MiB at least with the stacks of workers"),
    ("memory_lock", replace(LOCKED, require=("memory_lock",)), LAPTOP, "broken", "17 MiB at least"),
    ("memory_lock", FREE, LAPTOP, "ok", ""),
    ("realtime_rights", REALTIME, LAPTOP, "broken", "its workers are to have fifo 50"),
    ("realtime_rights", replace(REALTIME, require=()), LAPTOP, "noisy", "its workers are to have fifo 50"),
    ("realtime_rights", replace(REALTIME, realtime={"w1": FIFO}), LAPTOP, "broken", "are to have fifo 50 (w1)"),
    ("realtime_rights", replace(REALTIME, realtime={"w0": DEADLINE}), {"proc/self/limits": limits(rtprio="99")},
     "broken", "are to have deadline 1/2/4 us (w0)"),
    ("realtime_rights", FREE, LAPTOP, "ok", ""),
    ("realtime_throttle", REALTIME, LAPTOP, "noisy", "fifo 50 and spin: they are stopped for 50 ms"),
    ("realtime_throttle", replace(REALTIME, wait="park"), LAPTOP, "note", ""),
    ("realtime_throttle", replace(REALTIME, realtime={"w0": FIFO, "w1": DEADLINE}), LAPTOP, "noisy",
     "its workers have fifo 50 (w0) and spin"),
    ("realtime_throttle", replace(REALTIME, realtime={"w1": DEADLINE}), LAPTOP, "ok", ""),
    ("realtime_throttle", FREE, LAPTOP, "ok", ""),
    ("realtime_group", REALTIME, V1, "broken", "its workers are to have fifo 50"),
    ("realtime_group", replace(REALTIME, realtime={"w1": DEADLINE}), V1, "ok", ""),
    ("realtime_group", FREE, V1, "ok", ""),
    ("lttng", FREE, LAPTOP, "note", "its runs are traced by LTTng"),
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


def test_what_matters_to_latencies_is_said_of_the_deployments_that_measure_them(tmp_path):
    assert set(look(tmp_path, "tick", LAPTOP, deployments=[FREE, FLAT_OUT]).concerns) == {"free"}


@pytest.mark.parametrize("later, check, severity, value", [
    (IDLE, "load", "ok", "2%"), (IDLE, "steal", "ok", "0.0%"),
    ("cpu  500 0 500 9800 0 0 0 0 0 0", "load", "noisy", "100%"),
    ("cpu  100 0 100 10700 0 0 0 100 0 0", "steal", "noisy", "10.0%"),
    (str(SERVER["proc/stat"]), "steal", "unknown", None)])
def test_load_and_stolen_time_are_those_of_a_second(later, check, severity, value, tmp_path):
    found = look(tmp_path, check, later=later)
    assert (found.severity, found.value) == (severity, value)


def test_interrupts_are_sent_to_the_cpus_without_workers(tmp_path):
    found = look(tmp_path, "interrupts", LAPTOP, deployments=[FREE])
    assert found.commands[0] == "sudo systemctl stop irqbalance"
    assert found.commands[1].startswith("for irq in 25 26; do echo 0-1 | sudo tee /proc/irq/$irq/smp_affinity_list")
    assert "2 interrupts of devices" in found.message and "iwlwifi (25) 700000, i8042 (26) 100" in found.message
    everywhere = replace(FREE, workers={f"w{cpu}": [cpu] for cpu in range(4)})
    told = look(tmp_path, "interrupts", LAPTOP, deployments=[everywhere])
    assert not told.commands and "leave one to the interrupts" in told.remedy


def test_root_needs_no_sudo_and_a_container_asks_its_host(tmp_path):
    findings = {finding.check.id: finding.seen for finding in examine(sight_of(tmp_path, CONTAINER))}
    assert not any("sudo" in command for found in findings.values() for command in found.commands)
    assert findings["clock_source"].remedy == "on the host, not in this container"
    assert "docker run --ulimit memlock=-1" in findings["memory_lock"].remedy
    assert "whoever starts this virtual machine adds" in findings["mitigations"].remedy


def test_a_file_as_no_kernel_wrote_it_so_far_stops_nothing(tmp_path):
    strange = dict.fromkeys(SERVER, "\x00 strange 9-x")
    findings = examine(sight_of(tmp_path, strange, deployments=[FREE]))
    assert len(findings) == len(CHECKS)
    assert any("could not be read" in finding.seen.message for finding in findings)
    nothing = examine(Sight(tmp_path / "none", [FREE], {}, pause=lambda _: None))
    assert {finding.seen.severity for finding in nothing} <= set(seen.SEVERITIES)


@pytest.mark.parametrize("online", [None, "garbage", ""])
def test_where_sys_does_not_tell_the_mask_says_which_cpus_there_are(online, tmp_path):
    found = look(tmp_path, "cpus", {f"{CPU}/online": online, "proc/self/status": status("0-2")})
    assert (found.severity, found.message) == ("ok", "Weir may use CPUs 0-2")


def test_no_cpu_is_made_up_where_nothing_tells(tmp_path):
    found = look(tmp_path, "cpus", {f"{CPU}/online": None, "proc/self/status": None})
    assert (found.severity, found.message) == (
        "unknown", "it could not be read: LookupError: nothing tells which CPUs are online")


def test_a_strange_file_of_this_machine_shows_no_traceback(monkeypatch, capsys, at_once):
    monkeypatch.setattr(Sight, "text", lambda self, path: "garbage")
    assert answer(capsys)["machine"]["cpus"] == len(os.sched_getaffinity(0))


def test_the_commands_are_commands(tmp_path):
    for number, tree in enumerate((LAPTOP, HYBRID, CONTAINER, V1, V2)):
        for finding in examine(sight_of(tmp_path / str(number), tree, deployments=[FREE, REALTIME, LOCKED])):
            for command in finding.seen.commands:
                assert subprocess.run(["sh", "-n", "-c", command]).returncode == 0 and shlex.split(command)
    [edit] = [command for command in look(tmp_path / "0", "mitigations", LAPTOP).commands if "sed" in command]
    grub = tmp_path / "0/etc/default/grub"
    subprocess.run(edit.removeprefix("sudo ").replace("/etc/default/grub", str(grub)), shell=True, check=True)
    assert grub.read_text() == 'GRUB_CMDLINE_LINUX="mitigations=off "'


@pytest.mark.parametrize("cpus, words", [([3], "CPU 3"), ([0, 1, 2, 5], "CPUs 0-2,5"), ([], "CPUs none")])
def test_cpus_are_named_as_the_kernel_lists_them(cpus, words):
    assert cpu_words(cpus) == words


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
    made = json.loads((CODEGEN / "tests/golden" / kind / "plan.json").read_text())
    assert Deployed.of_plan(made).buffer_bytes == size


def test_blocks_that_are_to_share_cpus_are_not_too_many():
    placed = plan(deployed(chain(4), scheduler="gnuradio310", workers=2, placement={"strategy": "contiguous"}))
    alone = plan(deployed(chain(4), scheduler="gnuradio310"))
    assert not placed.diagnostics and [it.code for it in alone.diagnostics] == ["W_OVERSUBSCRIBED"]
    assert [Deployed.of_plan(it.plan.as_json()).pieces for it in (placed, alone)] == [True, False]


@pytest.mark.parametrize("workers, said", [
    ({f"w{i}": [] for i in range(9)}, "fewer workers, or other CPUs"), ({"w0": [9]}, "other CPUs"),
    ({"w0": [2]}, "other CPUs, or a wider mask (`taskset`)"), ({"w0": [0]}, "")])
def test_what_mends_a_lack_of_cpus_is_what_would(workers, said, tmp_path):
    found = look(tmp_path, "cpus", {f"{CPU}/isolated": ""}, deployments=[replace(FREE, workers=workers)])
    assert found.remedy == said


def answer(capsys, *words: str) -> dict:
    assert cli.main(["doctor", *words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("doctor")).validate(found)
    return found


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(sight, "SAMPLE_S", 0.02)


def test_it_runs_on_this_machine(capsys, at_once):
    found = answer(capsys)
    assert {finding["id"] for finding in found["findings"]} == {check.id for check in CHECKS}
    ranks = [seen.SEVERITIES.index(finding["severity"]) for finding in found["findings"]]
    assert ranks == sorted(ranks) and found["project"] is None and not any(it["concerns"] for it in found["findings"])
    assert not any("could not be read" in finding["message"] for finding in found["findings"])


def test_it_names_the_deployments_of_a_project(capsys, at_once):
    project = str(EXAMPLES / "quickstart.weir.json")
    found = answer(capsys, project)
    assert found["project"] == project and "flow" in found["deployments"]
    named = {concern["deployment"] for finding in found["findings"] for concern in finding["concerns"]}
    assert named <= set(found["deployments"])


def test_a_project_that_does_not_load_is_said_as_ever(capsys):
    bad = str(Path(__file__).parent / "bad/E_CYCLE.weir.json")
    assert cli.main(["doctor", bad]) == 1
    assert "E_CYCLE" in capsys.readouterr().err
    assert cli.main(["doctor", "not_there.weir.json", "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["diagnostics"][0]["code"] == "E_FILE_MISSING"


def test_the_page_has_the_worst_first_and_what_mends_it(tmp_path):
    findings = examine(sight_of(tmp_path, LAPTOP, deployments=[FREE, replace(FREE, name="too"), REALTIME]))
    about = {"machine": {"cpu": "A laptop", "host": "h", "cpus": 4, "kernel": "6.1"}, "project": "p.weir.json",
             "deployments": ["free", "too", "urgent"]}
    text = page(about, findings, colour=False)
    order = [line.split()[0] for line in text.splitlines() if line[:9].strip() and line[:7].strip() in seen.SEVERITIES]
    assert order == sorted(order, key=seen.SEVERITIES.index) and order[0] == "broken"
    assert text.count("deployments `free`, `too`, `urgent`: workers are pinned to CPUs 2-3\n") == 1
    assert f"\n         $ echo performance | sudo tee /{CPU}/cpu*/cpufreq/scaling_governor\n" in text
    assert text.endswith("\n9 things make measurements noisy here, and 1 that the project asks for does not work\n")
    assert "\033" not in text and "\033[1;31mbroken" in page(about, findings, colour=True)


def test_a_machine_cannot_drive_the_terminal(tmp_path):
    findings = examine(sight_of(tmp_path, {"sys/hypervisor/type": "\033[31mxen"}))
    about = {"machine": {"cpu": "\033[2J", "host": "h", "cpus": 4, "kernel": "6.1"}, "project": None, "deployments": []}
    assert "\033" not in page(about, findings, colour=False)


def test_what_every_run_is_told_takes_no_time_and_leaves_out_what_is_ok(tmp_path):
    def pause(_: float) -> None:
        raise AssertionError("a run waits for no second")

    laptop = replace(sight_of(tmp_path, LAPTOP, deployments=[FREE]), pause=pause)
    told = told_to_run(laptop)
    assert {"load", "steal"}.isdisjoint(finding["id"] for finding in told) and told[0]["severity"] == "noisy"
    assert not any(finding["severity"] == "ok" for finding in told)
    smt = next(finding for finding in told if finding["id"] == "smt")
    assert "whose sibling is CPU 0" in smt["concern"] and smt["commands"]
    here = [time.perf_counter()]
    for _ in range(5):
        told_to_run(replace(laptop))  # which has read nothing yet
        here.append(time.perf_counter())
    assert min(b - a for a, b in zip(here, here[1:])) < 0.05


@pytest.mark.parametrize("kind, calls", [("multiply_const", True), ("copy", False)])
def test_a_run_is_told_of_volk_where_its_blocks_call_it(kind, calls, tmp_path, monkeypatch):
    looked = []

    def on_laptop(here: Sight) -> list:
        looked.extend(told_to_run(replace(sight_of(tmp_path / "root", LAPTOP), deployments=here.deployments)))
        return []

    pipeline = Pipeline(checked(deployed(chain(1, kind))), here=machine("two_core"))
    built = Built(Program.of(tmp_path / "none"), tmp_path, Tools(""), "", 0.0, False)
    runnable = replace(pipeline.runnable(pipeline.plan("d"), built, "weir run q"), verify=None)
    monkeypatch.setattr(runner, "told_to_run", on_laptop)
    with pytest.raises(WeirError):  # the program is not there
        runner.run_all([runnable], RunOptions(tmp_path / "runs", trace="off"), Listener(str))
    assert looked and ("volk_profile" in {finding["id"] for finding in looked}) == calls


def told(check: str, severity: str, **more: object) -> dict:
    return {"id": check, "title": check.title(), "severity": severity, "value": "1", "message": f"{check} <is> so",
            "concern": "", "commands": [], "remedy": "", **more}


def add_findings(path: Path, *findings: dict) -> None:
    run = json.loads((path / "run.json").read_text())
    (path / "run.json").write_text(jsontext.write({**run, "findings": list(findings)}))


def test_a_report_shows_what_was_found_the_warnings_first(tmp_path):
    first, second = store(tmp_path / "runs"), store(tmp_path / "runs", repetition=1)
    noisy = told("turbo", "noisy", commands=["echo 1 | sudo tee /x"], concern="it is fast", remedy="all goes slower")
    add_findings(first, told("lock", "broken"), noisy, told("tick", "note"), told("governor", "unknown"))
    add_findings(second, noisy)
    text = make_report(load_runs([tmp_path / "runs"])).partition("<h2>Environment</h2>")[2]
    in_order = ("What did not work", "Lock (in 1 of 2 runs): lock &lt;is&gt; so", "What makes measurements noisy here",
                "Turbo: turbo &lt;is&gt; so", "It is fast.", "<pre>echo 1 | sudo tee /x</pre>", "All goes slower.",
                "Clock source", "What else is worth knowing", "Tick (in 1 of 2 runs)")
    places = [text.index(words) for words in in_order]
    assert places == sorted(places) and text.count("Turbo: turbo") == 1 and "Governor:" not in text


def test_a_report_of_runs_that_were_told_nothing_says_nothing(tmp_path):
    store(tmp_path / "runs")
    text = make_report(load_runs([tmp_path / "runs"]))
    assert "What makes measurements noisy" not in text and "What else is worth knowing" not in text
