"""Test what `weir doctor` finds on recorded machines."""

from __future__ import annotations

import shlex
import subprocess
from dataclasses import replace

import pytest
from doctor_world import CPU, FREE, IDLE, LOCKED, REALTIME, limited, look, view_of
from machine_trees import BOTH, CONTAINER, HYBRID, LAPTOP, NEITHER, SERVER, SINGLE, V1, V2, Tree, limits, status
from weir.machine.doctoring import machine_view
from weir.machine.doctoring.examination import CHECKS, examine, summary
from weir.machine.doctoring.machine_view import MachineView
from weir.model.planning.topology import cpu_words


@pytest.mark.parametrize("deployments", [[], [FREE, LOCKED], [REALTIME]], ids=["no project", "a project", "fifo"])
def test_nothing_is_wrong_with_a_server_that_was_made_ready(deployments, tmp_path):
    findings = examine(view_of(tmp_path, deployments=deployments))
    wrong = {finding.check.id: finding.verdict for finding in findings if finding.verdict.severity != machine_view.OK}
    assert wrong == {} and len(findings) == len(CHECKS)
    assert summary(findings) == "nothing makes measurements noisy here"


def firmware(vendor: str, product: str) -> Tree:
    return {"sys/class/dmi/id/sys_vendor": vendor, "sys/class/dmi/id/product_name": product}


def limited_v1(most: int, used: int) -> Tree:
    group = "sys/fs/cgroup/memory/me/memory"
    return {"proc/self/mounts": "cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n",
            "proc/self/cgroup": "4:memory:/me",
            f"{group}.limit_in_bytes": str(most), f"{group}.usage_in_bytes": str(used)}


#: check, machine, severity, value, words of the message, words of the commands
FOUND = [
    ("governor", LAPTOP, "noisy", "powersave", "every CPU is `powersave`", "echo performance | sudo tee"),
    ("governor", HYBRID, "noisy", "performance, schedutil", "CPUs 4-7 is `schedutil`",
     f"/{CPU}/cpu7/cpufreq/scaling_governor"),
    ("governor", CONTAINER, "unknown", None, "does not report", ""),
    ("turbo", LAPTOP, "noisy", "on", "depends on its temperature", f"echo 1 | sudo tee /{CPU}/intel_pstate/no_turbo"),
    ("turbo", {f"{CPU}/intel_pstate/no_turbo": None, f"{CPU}/cpufreq/boost": "1"}, "noisy", "on", "turbo is on",
     "echo 0"),
    ("turbo", {f"{CPU}/intel_pstate/no_turbo": None, f"{CPU}/cpufreq/boost": "0"}, "ok", "off", "turbo is off", ""),
    ("turbo", SINGLE, "unknown", None, "does not report", ""),
    ("throttling", LAPTOP, "noisy", "17 times since it started",
     "x86_pkg_temp has 93 °C, and slows down from 95 °C", ""),
    ("throttling", {f"{CPU}/cpu0/thermal_throttle/package_throttle_count": "3"}, "note", "3 times since it started",
     "heat slowed the machine down 3 times", ""),
    ("throttling", SINGLE, "unknown", None, "reports no temperatures", ""),
    ("clock_source", LAPTOP, "noisy", "hpet", "a system call", "echo tsc | sudo tee"),
    ("clock_source", CONTAINER, "note", "kvm-clock", "virtual machine corrects", "echo tsc | tee"),
    ("clock_source", SINGLE, "ok", "arch_sys_counter", "the CPU's counter", ""),
    ("clock_source", {"sys/devices/system/clocksource/clocksource0/current_clocksource": "acpi_pm",
                      "sys/devices/system/clocksource/clocksource0/available_clocksource": "acpi_pm"},
     "noisy", "acpi_pm", "does not trust the CPU's counter", "tsc=reliable"),
    ("smt", LAPTOP, "note", "on", "share 2 cores: 0+2, 1+3", "echo off | sudo tee"),
    ("smt", HYBRID, "note", "on", "share 2 cores: 0+1, 2+3", "echo off | sudo tee"),
    ("smt", SINGLE, "ok", None, "no two CPUs", ""),
    ("isolation", LAPTOP, "note", "none", "keeps no CPU free", "isolcpus=1-3 nohz_full=1-3"),
    ("isolation", V2, "ok", "CPU 1", "keeps CPU 1 free", ""),
    ("isolation", SINGLE, "note", "none", "keeps no CPU free", ""),
    ("interrupts", {"proc/interrupts": None}, "unknown", None, "cannot be read", ""),
    ("load", LAPTOP, "noisy", "2%",
     "8 tasks were runnable besides this one, and the load of the last minute is 6.31 on 4 CPUs", "top -b"),
    ("load", {"proc/loadavg": None}, "unknown", None, "does not report", ""),
    ("hypervisor", SINGLE, "unknown", None, "it is unknown", ""),
    ("hypervisor", {"proc/cpuinfo": None}, "unknown", None, "it is unknown", ""),
    ("hypervisor", {**SINGLE, **firmware("Amazon EC2", "m6g.large")}, "noisy", "Amazon EC2 m6g.large", "EC2", ""),
    ("hypervisor", {**SINGLE, **firmware("Amazon EC2", "m6g.metal")}, "unknown", None, "it is unknown", ""),
    ("hypervisor", {**SINGLE, **firmware("Microsoft Corporation", "Virtual Machine")}, "noisy",
     "Microsoft Corporation Virtual Machine", "runs this machine", ""),
    ("hypervisor", {**SINGLE, **firmware("Microsoft Corporation", "Surface")}, "unknown", None, "it is unknown", ""),
    ("hypervisor", firmware("QEMU", "Standard PC"), "noisy", "QEMU Standard PC", "runs this machine", ""),
    ("hypervisor", firmware("Dell Inc.", "PowerEdge"), "ok", "none", "not a virtual machine", ""),
    ("steal", SINGLE, "ok", "0.0%", "the host stole 0.0% of the CPUs' time", ""),
    ("steal", {}, "ok", "0.0%", "this is not a virtual machine", ""),
    ("hypervisor", CONTAINER, "noisy", "QEMU Standard PC", "QEMU Standard PC runs this machine", ""),
    ("hypervisor", {"sys/hypervisor/type": "xen"}, "noisy", "xen", "xen runs this machine", ""),
    ("cpu_quota", V1, "noisy", "0.5 CPUs", "that of 0.5 CPUs",
     "echo -1 | sudo tee /sys/fs/cgroup/cpu,cpuacct/users/me/cpu.cfs_quota_us"),
    ("cpu_quota", V2, "noisy", "1.5 CPUs", "that of 1.5 CPUs", "echo max | sudo tee /sys/fs/cgroup/user.slice/cpu.max"),
    ("cpu_quota", BOTH, "ok", "none", "no control group limits", ""),
    ("cpu_quota", NEITHER, "unknown", None, "no control group is visible", ""),
    ("cpu_quota", CONTAINER, "unknown", None, "no control group is visible", ""),
    ("mitigations", LAPTOP, "note", "spectre_v2", "(1) slow down", "mitigations=off"),
    ("mitigations", {f"{CPU}/vulnerabilities/meltdown": None, f"{CPU}/vulnerabilities/spectre_v2": None},
     "unknown", None, "does not report", ""),
    ("tick", LAPTOP, "note", "250 Hz, preemption voluntary", "250 times a second", "nohz_full=1-3"),
    ("tick", {f"{CPU}/nohz_full": "", "boot/config-6.1.0-18-amd64": "CONFIG_HZ=1000\nCONFIG_PREEMPT_RT=y\n"}, "note",
     "1000 Hz, preemption real-time", "1000 times a second", ""),
    ("tick", {f"{CPU}/nohz_full": "", "proc/cmdline": "preempt=full"}, "note",
     "250 Hz, preemption full", "", "nohz_full"),
    ("tick", SINGLE, "unknown", None, "configuration of Linux is missing", ""),
    ("numa_balancing", {"proc/sys/kernel/numa_balancing": "1", "sys/devices/system/node/node1/cpulist": "2-3"},
     "noisy", "on", "between 2 nodes", "sudo sysctl -w kernel.numa_balancing=0"),
    ("numa_balancing", {"proc/sys/kernel/numa_balancing": "1"}, "ok", "on", "one NUMA node", ""),
    ("numa_balancing", {"sys/devices/system/node/node1/cpulist": "2-3"}, "ok", "off", "moves no memory", ""),
    ("huge_pages", LAPTOP, "note", "always", "differ from run to run", "echo madvise | sudo tee"),
    ("huge_pages", CONTAINER, "ok", "never", "never", ""),
    ("huge_pages", {"sys/kernel/mm/transparent_hugepage/enabled": None}, "unknown", None, "does not report", ""),
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
    ("memory", {"proc/meminfo": None}, "unknown", None, "does not report", ""),
    ("memory_lock", LAPTOP, "note", "8000 KiB", "at most 8000 KiB",
     "sudo prlimit --pid $$ --memlock=unlimited:unlimited"),
    ("memory_lock", {"proc/self/status": status("0-1", caps=1 << 14), "proc/self/limits": limits("65536")}, "ok",
     "unlimited", "any memory", ""),
    ("memory_lock", {"proc/self/limits": None}, "unknown", None, "cannot be read", ""),
    ("realtime_rights", LAPTOP, "note", "0", "no real-time priority may be requested",
     "sudo prlimit --pid $$ --rtprio=99:99"),
    ("realtime_rights", {"proc/self/status": status("0-1", caps=1 << 23), "proc/self/limits": limits(rtprio="0")}, "ok",
     "99", "any priority", ""),
    ("realtime_rights", {"proc/self/limits": None}, "unknown", None, "cannot be read", ""),
    ("realtime_throttle", LAPTOP, "note", "95%", "95% of a CPU", "sudo sysctl -w kernel.sched_rt_runtime_us=-1"),
    ("realtime_throttle", {"proc/sys/kernel/sched_rt_period_us": None}, "unknown", None, "does not report", ""),
    ("realtime_group", V1, "note", "0 us", "/sys/fs/cgroup/cpu,cpuacct/users/me has no real-time share",
     "echo 950000 | sudo tee /sys/fs/cgroup/cpu,cpuacct/users/me/cpu.rt_runtime_us"),
    ("realtime_group", BOTH, "ok", "400000 us", "lets real-time threads run", ""),
    ("realtime_group", V2, "ok", None, "no real-time share of their own", ""),
    ("realtime_group", NEITHER, "ok", None, "no real-time share of their own", ""),
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
    ("perf_counters", LAPTOP, "note", "cpu, perf_event_paranoid 3", "may not count any",
     "kernel.perf_event_paranoid=1"),
    ("perf_counters", HYBRID, "note", "cpu_atom, cpu_core, perf_event_paranoid 2", "outside of Linux", "sysctl"),
    ("perf_counters", CONTAINER, "note", "none", "no accessible hardware counters", ""),
    ("perf_counters", {"proc/sys/kernel/perf_event_paranoid": None}, "unknown", None, "perf_event_open", ""),
    ("volk_profile", LAPTOP, "note", "avx2_64_mmx", "never profiled", "sudo apt-get install libvolk-bin volk_profile"),
    ("volk_profile", {"home/me/.volk/volk_config": "", "etc/volk/volk_config": None}, "ok", "avx2_64_mmx",
     "according to /home/me/.volk/volk_config", ""),
]


@pytest.mark.parametrize("check, machine, severity, value, said, command", FOUND,
                         ids=[f"{row[0]}-{row[2]}-{number}" for number, row in enumerate(FOUND)])
def test_what_a_machine_shows_is_found(check, machine, severity, value, said, command, tmp_path):
    found = look(tmp_path, check, machine)
    assert (found.severity, found.value) == (severity, value)
    assert said in found.message and command in " ".join(found.commands) and bool(command) == bool(found.commands)
    assert found.commands or found.remedy or severity in ("ok", "unknown"), "nothing is said of what mends it"


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
    assert not told.commands and "leave one CPU to the interrupts" in told.remedy


def test_root_needs_no_sudo_and_a_container_asks_its_host(tmp_path):
    findings = {finding.check.id: finding.verdict for finding in examine(view_of(tmp_path, CONTAINER))}
    assert not any("sudo" in command for found in findings.values() for command in found.commands)
    assert findings["clock_source"].remedy == "on the host, not in this container"
    assert "docker run --ulimit memlock=-1" in findings["memory_lock"].remedy
    assert "on the host of this virtual machine, add" in findings["mitigations"].remedy


def test_a_file_as_no_kernel_wrote_it_so_far_stops_nothing(tmp_path):
    strange = dict.fromkeys(SERVER, "\x00 strange 9-x")
    findings = examine(view_of(tmp_path, strange, deployments=[FREE]))
    assert len(findings) == len(CHECKS)
    assert any("cannot read the value" in finding.verdict.message for finding in findings)
    nothing = examine(MachineView(tmp_path / "none", [FREE], {}, pause=lambda _: None))
    assert {finding.verdict.severity for finding in nothing} <= set(machine_view.SEVERITIES)


@pytest.mark.parametrize("online", [None, "garbage", ""])
def test_where_sys_does_not_tell_the_mask_says_which_cpus_there_are(online, tmp_path):
    found = look(tmp_path, "cpus", {f"{CPU}/online": online, "proc/self/status": status("0-2")})
    assert (found.severity, found.message) == ("ok", "Weir may use CPUs 0-2")


def test_no_cpu_is_invented_without_information(tmp_path):
    found = look(tmp_path, "cpus", {f"{CPU}/online": None, "proc/self/status": None})
    assert (found.severity, found.message) == (
        "unknown", "Weir cannot read the value: LookupError: the list of online CPUs is missing")


def test_the_commands_are_commands(tmp_path):
    for number, tree in enumerate((LAPTOP, HYBRID, CONTAINER, V1, V2)):
        for finding in examine(view_of(tmp_path / str(number), tree, deployments=[FREE, REALTIME, LOCKED])):
            for command in finding.verdict.commands:
                assert subprocess.run(["sh", "-n", "-c", command]).returncode == 0 and shlex.split(command)
    [edit] = [command for command in look(tmp_path / "0", "mitigations", LAPTOP).commands if "sed" in command]
    grub = tmp_path / "0/etc/default/grub"
    subprocess.run(edit.removeprefix("sudo ").replace("/etc/default/grub", str(grub)), shell=True, check=True)
    assert grub.read_text() == 'GRUB_CMDLINE_LINUX="mitigations=off "'


@pytest.mark.parametrize("cpus, words", [([3], "CPU 3"), ([0, 1, 2, 5], "CPUs 0-2,5"), ([], "CPUs none")])
def test_cpus_are_named_as_the_kernel_lists_them(cpus, words):
    assert cpu_words(cpus) == words
