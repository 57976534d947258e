"""Machines as files below /proc, /sys and /etc, for tests of their readers.

`SERVER` is prepared for measurements and has no fault. The other trees are differences from it, as on real machines;
None means that a file is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

Tree = Mapping[str, str | None]

_CPU = "sys/devices/system/cpu"
_LIMITS = """Limit                     Soft Limit           Hard Limit           Units
Max stack size            8388608              unlimited            bytes
Max locked memory         {memlock:<20} {memlock:<20} bytes
Max realtime priority     {rtprio:<20} {rtprio:<20}
"""
_CONFIG = "CONFIG_HZ=250\nCONFIG_NO_HZ_FULL=y\n# CONFIG_PREEMPT is not set\nCONFIG_PREEMPT_VOLUNTARY=y\n"
_STATUS = "Name:\tweir\nUid:\t{uid}\t{uid}\t{uid}\t{uid}\nCapEff:\t{caps:016x}\nCpus_allowed_list:\t{cpus}\n"
V2_MOUNT = "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n"
V1_MOUNT = "cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,cpu,cpuacct 0 0\n"
BOTH_MOUNTS = V1_MOUNT + "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n"


def limits(memlock: str = "unlimited", rtprio: str = "99") -> str:
    return _LIMITS.format(memlock=memlock, rtprio=rtprio)


def status(cpus: str, uid: int = 1000, caps: int = 0) -> str:
    return _STATUS.format(cpus=cpus, uid=uid, caps=caps)


def per_cpu(path: str, text: str | Callable[[int], str], cpus: int = 4) -> dict[str, str]:
    """Return the same file for each CPU, or the result of a function of its number."""
    return {f"{_CPU}/cpu{cpu}/{path}": text(cpu) if callable(text) else text for cpu in range(cpus)}


def interrupts(*rows: tuple[str, list[int], str]) -> str:
    """Return /proc/interrupts with rows of number, count per CPU, and name."""
    width = len(rows[0][1])
    lines = ["".join(f"       CPU{cpu}" for cpu in range(width))]
    rows += (("LOC", [9000] * width, "Local timer interrupts"),)
    lines += [f"{number:>4}:" + "".join(f"{count:>11}" for count in counts) + f"  IR-PCI-MSI  0-edge  {name}"
              for number, counts, name in rows]
    return "\n".join([*lines, " ERR:          0"])


#: Four CPUs; 2 and 3 are kept free.
SERVER: Tree = {
    "proc/cpuinfo": "processor\t: 0\nmodel name\t: A server\nflags\t\t: fpu tsc constant_tsc nonstop_tsc",
    "proc/cmdline": "BOOT_IMAGE=/vmlinuz isolcpus=2-3 nohz_full=2-3 mitigations=off",
    "proc/loadavg": "0.02 0.03 0.00 1/210 4711", "proc/uptime": "1000.00 3990.00",
    "proc/stat": "cpu  100 0 100 9800 0 0 0 0 0 0\ncpu0 25 0 25 2450 0 0 0 0 0 0",
    "proc/meminfo": "MemTotal:       16000000 kB\nMemFree:         9000000 kB\nMemAvailable:   15000000 kB",
    "proc/swaps": "Filename\tType\tSize\tUsed\tPriority",
    "proc/modules": "lttng_tracer 3000000 0 - Live 0x0000000000000000",
    "proc/interrupts": interrupts(("24", [90000, 10, 0, 0], "nvme0q0"), ("25", [0, 400, 0, 0], "eth0")),
    "proc/irq/24/effective_affinity_list": "0", "proc/irq/24/smp_affinity_list": "0-3",
    "proc/irq/25/effective_affinity_list": "1", "proc/irq/25/smp_affinity_list": "0-1",
    "proc/self/status": status("0-1"), "proc/self/limits": limits(),
    "proc/self/mounts": V2_MOUNT, "proc/self/cgroup": "0::/user.slice/session-1.scope",
    "proc/sys/kernel/osrelease": "6.1.0-18-amd64", "proc/sys/kernel/numa_balancing": "0",
    "proc/sys/kernel/perf_event_paranoid": "1",
    "proc/sys/kernel/sched_rt_runtime_us": "-1", "proc/sys/kernel/sched_rt_period_us": "1000000",
    "boot/config-6.1.0-18-amd64": _CONFIG, "etc/default/grub": 'GRUB_CMDLINE_LINUX=""',
    "etc/volk/volk_config": "volk_32f_x2_add_32f u_avx a_avx",
    "usr/bin/lttng": "", "usr/bin/lttng-sessiond": "", "usr/bin/volk_profile": "",
    "usr/lib/x86_64-linux-gnu/liblttng-ust.so.1": "",
    "sys/fs/cgroup/user.slice/session-1.scope/cpu.max": "max 100000", "sys/fs/cgroup/user.slice/cpu.max": "max 100000",
    "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never",
    "sys/kernel/tracing/events/enable": "0",
    "sys/bus/event_source/devices/cpu/type": "4",
    "sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc",
    "sys/devices/system/clocksource/clocksource0/available_clocksource": "tsc hpet acpi_pm",
    "sys/devices/system/node/node0/cpulist": "0-3",
    "sys/class/thermal/thermal_zone0/type": "x86_pkg_temp", "sys/class/thermal/thermal_zone0/temp": "41000",
    "sys/class/thermal/thermal_zone0/trip_point_0_type": "passive",
    "sys/class/thermal/thermal_zone0/trip_point_0_temp": "95000",
    f"{_CPU}/online": "0-3", f"{_CPU}/isolated": "2-3", f"{_CPU}/nohz_full": "2-3",
    f"{_CPU}/smt/active": "0", f"{_CPU}/smt/control": "off", f"{_CPU}/intel_pstate/no_turbo": "1",
    f"{_CPU}/vulnerabilities/meltdown": "Not affected", f"{_CPU}/vulnerabilities/spectre_v2": "Vulnerable",
    **per_cpu("cpufreq/scaling_governor", "performance"), **per_cpu("topology/thread_siblings_list", str),
    **per_cpu("thermal_throttle/core_throttle_count", "0"), **per_cpu("thermal_throttle/package_throttle_count", "0"),
}

#: Default settings of a distribution, on a hot day.
LAPTOP: Tree = {
    "proc/cmdline": "BOOT_IMAGE=/vmlinuz quiet", "proc/modules": "snd 1 0 - Live 0x0",
    "proc/loadavg": "6.31 4.00 3.00 9/900 4711",
    "proc/meminfo": "MemTotal:       16000000 kB\nMemFree:          200000 kB\nMemAvailable:    1000000 kB",
    "proc/swaps": "Filename\tType\tSize\tUsed\tPriority\n/dev/dm-1\tpartition\t8000000\t400000\t-2",
    "proc/self/status": status("0-3"), "proc/self/limits": limits("8192000", "0"),
    "proc/sys/kernel/perf_event_paranoid": "3", "proc/sys/kernel/sched_rt_runtime_us": "950000",
    "proc/interrupts": interrupts(("24", [90000, 10, 200, 0], "nvme0q0"), ("25", [0, 400, 700000, 0], "iwlwifi"),
                                  ("26", [50, 50, 50, 50], "i8042")),
    "proc/irq/24/effective_affinity_list": "0", "proc/irq/25/effective_affinity_list": "2",
    "proc/irq/26/effective_affinity_list": None, "proc/irq/26/smp_affinity_list": "0-3",
    "run/irqbalance/irqbalance.sock": "", "etc/volk/volk_config": None,
    "usr/bin/lttng": None, "usr/bin/lttng-sessiond": None, "usr/bin/volk_profile": None,
    "usr/lib/x86_64-linux-gnu/liblttng-ust.so.1": None, "sys/kernel/tracing/events/enable": None,
    "sys/kernel/mm/transparent_hugepage/enabled": "[always] madvise never",
    "sys/devices/system/clocksource/clocksource0/current_clocksource": "hpet",
    "sys/class/thermal/thermal_zone0/temp": "93000",
    f"{_CPU}/isolated": "", f"{_CPU}/nohz_full": "(null)", f"{_CPU}/smt/active": "1", f"{_CPU}/smt/control": "on",
    f"{_CPU}/intel_pstate/no_turbo": "0", f"{_CPU}/vulnerabilities/spectre_v2": "Mitigation: Retpolines",
    **per_cpu("cpufreq/scaling_governor", "powersave"),
    **per_cpu("topology/thread_siblings_list", lambda cpu: f"{cpu % 2},{cpu % 2 + 2}"),
    **per_cpu("thermal_throttle/core_throttle_count", "17"),
}

#: Two cores with two threads each and four small cores; several counters show the kinds.
HYBRID: Tree = {
    **LAPTOP, f"{_CPU}/online": "0-7", "proc/self/status": status("0-7"),
    "sys/bus/event_source/devices/cpu/type": None, "sys/bus/event_source/devices/cpu_core/type": "4",
    "sys/bus/event_source/devices/cpu_atom/type": "10", "proc/sys/kernel/perf_event_paranoid": "2",
    **per_cpu("topology/thread_siblings_list", 
              lambda cpu: f"{cpu // 2 * 2}-{cpu // 2 * 2 + 1}" if cpu < 4 else str(cpu), 8),
    **per_cpu("cpufreq/scaling_governor", lambda cpu: "performance" if cpu < 4 else "schedutil", 8),
}

#: A single-board computer whose kernel knows little.
SINGLE: Tree = {
    **{path: None for path in SERVER if path.startswith((f"{_CPU}/cpu", f"{_CPU}/smt", f"{_CPU}/intel", "proc/irq",
                                                         "sys/class/thermal", "sys/fs", "sys/bus", "boot"))},
    "proc/cpuinfo": "processor\t: 0\nmodel name\t: ARMv7 Processor rev 0\nFeatures\t: half thumb vfpv3",
    f"{_CPU}/online": "0", f"{_CPU}/isolated": "", f"{_CPU}/nohz_full": None, "proc/self/status": status("0", uid=0),
    "proc/interrupts": interrupts(("16", [100], "uart")), "proc/self/mounts": "proc /proc proc rw 0 0\n",
    "proc/self/cgroup": None, "etc/default/grub": None, "proc/sys/kernel/numa_balancing": None,
    "sys/devices/system/clocksource/clocksource0/current_clocksource": "arch_sys_counter",
}

#: A container in a virtual machine that cannot see its control group.
CONTAINER: Tree = {
    ".dockerenv": "", "proc/cpuinfo": "processor\t: 0\nmodel name\t: A vCPU\nflags\t\t: fpu tsc hypervisor",
    "sys/class/dmi/id/sys_vendor": "QEMU", "sys/class/dmi/id/product_name": "Standard PC",
    "proc/self/status": status("0-3", uid=0, caps=0xa80425fb), "proc/self/limits": limits("65536", "0"),
    "proc/self/mounts": "overlay / overlay rw 0 0\n", "proc/self/cgroup": "0::/",
    "proc/sys/kernel/sched_rt_runtime_us": "950000",
    "etc/default/grub": None, "sys/bus/event_source/devices/cpu/type": None,
    f"{_CPU}/isolated": "", f"{_CPU}/nohz_full": "(null)", f"{_CPU}/intel_pstate/no_turbo": None,
    f"{_CPU}/vulnerabilities/spectre_v2": "Mitigation: Retpolines",
    "sys/devices/system/clocksource/clocksource0/current_clocksource": "kvm-clock",
    "sys/devices/system/clocksource/clocksource0/available_clocksource": "kvm-clock tsc acpi_pm",
    "sys/kernel/mm/transparent_hugepage/enabled": "always madvise [never]",
    **{path: None for path in SERVER if "cpufreq" in path or "thermal" in path},
}

_V1 = "sys/fs/cgroup/cpu,cpuacct"
#: Control groups of version 1 only: ours has half a CPU, and no real-time budget.
V1: Tree = {
    "proc/self/mounts": V1_MOUNT, "proc/self/cgroup": "4:cpu,cpuacct:/users/me\n1:name=systemd:/user.slice",
    f"{_V1}/users/me/cpu.cfs_quota_us": "50000", f"{_V1}/users/me/cpu.cfs_period_us": "100000",
    f"{_V1}/users/me/cpu.rt_runtime_us": "0", f"{_V1}/users/cpu.cfs_quota_us": "-1",
    f"{_V1}/users/cpu.cfs_period_us": "100000", f"{_V1}/cpu.rt_runtime_us": "950000",
}
#: Version 2 only: a group above ours is limited, and a partition is kept free.
V2: Tree = {
    "sys/fs/cgroup/user.slice/cpu.max": "150000 100000", "sys/fs/cgroup/cpuset.cpus.isolated": "1",
    f"{_CPU}/isolated": "",
}
#: Version 1 has the controllers; version 2 is present without any.
BOTH: Tree = {**V1, "proc/self/mounts": BOTH_MOUNTS, "proc/self/cgroup": "4:cpu,cpuacct:/users/me\n0::/user.slice",
              f"{_V1}/users/me/cpu.cfs_quota_us": "-1", f"{_V1}/users/me/cpu.rt_runtime_us": "400000"}
NEITHER: Tree = {"proc/self/mounts": "proc /proc proc rw 0 0\n", "proc/self/cgroup": None}


def write_tree(root: Path, *changes: Tree) -> Path:
    """Write the files of `SERVER` with these changes; later ones override earlier ones."""
    for path, text in {key: value for tree in (SERVER, *changes) for key, value in tree.items()}.items():
        if text is not None:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
    return root
