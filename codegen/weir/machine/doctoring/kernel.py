"""Checks of Linux itself: memory, timer tick, and mitigations of CPU flaws."""

from __future__ import annotations

import re
from collections.abc import Iterator

from weir.machine.doctoring.machine_view import BROKEN, CPUS, NOISY, NOTE, OK, MachineView, Verdict, ok, unknown
from weir.machine.environment import linux_config
from weir.model.planning.topology import cpu_words

_HUGE = "sys/kernel/mm/transparent_hugepage/enabled"
#: Share of the memory that should be free.
_LITTLE = 0.1


def mitigations(machine: MachineView) -> Verdict:
    """Check which mitigations of CPU flaws are active."""
    states = {path.rpartition("/")[2]: machine.text(path) or "" for path in machine.glob(f"{CPUS}/vulnerabilities/*")}
    if not states:
        return unknown("Linux does not report its mitigations")
    active = [name for name, state in states.items() if state.startswith("Mitigation")]
    if not active:
        return ok("none", "no mitigation is active")
    concerns = {it.name: f"workers {it.wait} when they wait, and each time is a system call"
                for it in machine.deployments if it.wait != "spin"}
    how = machine.boot_with("mitigations=off")
    how["remedy"] += "; do so only if no untrusted code runs, because one process may then read the data of another"
    return Verdict(NOTE, ", ".join(active), f"active mitigations of CPU flaws ({len(active)}) slow down system calls "
                                            "and thread switches", concerns=concerns, **how)


def tick(machine: MachineView) -> Verdict:
    """Check whether the timer tick stops on CPUs that run one thread."""
    config = linux_config(machine.root, machine.release)
    if config is None:
        return unknown("the configuration of Linux is missing (/proc/config.gz, /boot)")
    hz, model = config.get("HZ", "?"), _preemption(machine, config)
    stopped = machine.cpu_list(f"{CPUS}/nohz_full") or frozenset()
    value = f"{hz} Hz, preemption {model}"
    message = f"the timer interrupts a busy CPU {hz} times a second" + (
        f", but on {cpu_words(stopped)}" if stopped else "") + f"; preemption: {model}"
    concerns = {it.name: f"workers are pinned to {cpu_words(it.cpus - stopped)}, which the timer interrupts" for it in
                machine.deployments if it.latency and it.cpus - stopped}
    if stopped and not concerns or machine.deployments and not any(it.latency for it in machine.deployments):
        return ok(value, message)
    wanted = (frozenset().union(*(it.cpus for it in machine.deployments)) or machine.online) - {min(machine.online)}
    if config.get("NO_HZ_FULL") != "y":
        return Verdict(NOTE, value, message, remedy="cannot be changed at run time, because this Linux was built "
                                                    "without NO_HZ_FULL", concerns=concerns)
    if not wanted - stopped:
        return Verdict(NOTE, value, message, remedy="the first CPU keeps its tick, so do not place a worker on it",
                       concerns=concerns)
    return Verdict(NOTE, value, message, concerns=concerns,
                   **machine.boot_with(f"nohz_full={cpu_words(wanted).split()[1]}"))


def _preemption(machine: MachineView, config: dict[str, str]) -> str:
    if machine.text("sys/kernel/realtime") == "1" or config.get("PREEMPT_RT") == "y":
        return "real-time"
    chosen = re.search(r"\((\w+)\)", machine.text("sys/kernel/debug/sched/preempt") or "")
    requested = next((word.partition("=")[2] for word in machine.command_line if word.startswith("preempt=")), None)
    built = {"PREEMPT": "full", "PREEMPT_LAZY": "lazy", "PREEMPT_VOLUNTARY": "voluntary", "PREEMPT_NONE": "none"}
    default = next((word for name, word in built.items() if config.get(name) == "y"), "unknown")
    return chosen[1] if chosen else requested or default


def numa_balancing(machine: MachineView) -> Verdict:
    """Check whether Linux moves memory between NUMA nodes."""
    nodes = machine.glob("sys/devices/system/node/node[0-9]*")
    state = machine.text("proc/sys/kernel/numa_balancing")
    if len(nodes) < 2 or state is None:
        return ok("off" if state in (None, "0") else "on", "there is one NUMA node" if len(nodes) < 2 else
                  "Linux moves no memory between nodes")
    if state == "0":
        return ok("off", "Linux moves no memory between nodes")
    return Verdict(NOISY, "on", f"Linux moves memory between {len(nodes)} nodes while a program runs, which stops its "
                                "threads", (f"{machine.sudo}sysctl -w kernel.numa_balancing=0",))


def huge_pages(machine: MachineView) -> Verdict:
    """Check whether Linux provides transparent huge pages."""
    chosen = re.search(r"\[(\w+)\]", machine.text(_HUGE) or "")
    if not chosen:
        return unknown("Linux does not report whether it makes huge pages")
    value, requesting = chosen[1], [it.name for it in machine.deployments if it.hugepages]
    command = (machine.write("madvise", _HUGE),)
    if value == "always":
        return Verdict(NOTE, value, "Linux gives huge pages to any process with room for one, so which buffers get "
                                    "them, and their speed, differ from run to run", command)
    if value == "never" and requesting:
        return Verdict(BROKEN, value, "Linux gives no huge pages", command,
                       concerns=dict.fromkeys(requesting, "its buffers request huge pages, but will not get any"))
    return ok(value, f"huge pages: `{value}`")


def memory(machine: MachineView) -> Verdict:
    """Check whether there is enough memory."""
    rows = re.findall(r"^(\w+):\s+(\d+) kB$", machine.text("proc/meminfo") or "", re.MULTILINE)
    sizes = {key: int(kib) for key, kib in rows}
    total, free = sizes.get("MemTotal"), sizes.get("MemAvailable", sizes.get("MemFree"))
    if not total or free is None:
        return unknown("Linux does not report how much memory is free")
    used = sum(int(line.split()[3]) for line in (machine.text("proc/swaps") or "").splitlines()[1:])
    limits = list(_group_limits(machine))
    scarce = any(left < _LITTLE * most for left, most in ((free, total), *limits))
    of_group = bool(limits) and min(limits)[0] < free
    left, most = min([(free, total), *limits])
    value = f"{left / 1024**2:.1f} of {most / 1024**2:.1f} GiB free"
    message = f"{value}{' to our control group' * of_group}, {f'{used / 1024:.0f} MiB' if used else 'nothing'} in swap"
    concerns = {it.name: f"its buffers need {it.buffer_bytes / 1024**2:.0f} MiB" for it in machine.deployments
                if it.buffer_bytes > left * 1024}
    severity = BROKEN if concerns else NOISY if scarce else NOTE if used else OK
    swapoff = (f"{machine.sudo}swapoff -a && {machine.sudo}swapon -a",) if used and used < left else ()
    return Verdict(severity, value, message, swapoff,
                   "end the programs that use the memory" + ", or raise the group's limit" * of_group
                   if concerns or scarce else "move the content of the swap back into memory" if swapoff else "",
                   concerns)


def _group_limits(machine: MachineView) -> Iterator[tuple[float, float]]:
    """Yield the free KiB and the limit in KiB of each of our control groups. Version 1 writes a huge number for no
    limit.
    """
    for controller, most, now in (("", "max", "current"), ("memory", "limit_in_bytes", "usage_in_bytes")):
        for folder in machine.groups(controller):
            limit, used = (machine.number(f"{folder}/memory.{name}") for name in (most, now))
            if limit is not None and used is not None:
                # Inactive file pages count as free, as in the kernel's MemAvailable, because the kernel reclaims them
                # on demand.
                idle = re.findall(r"^(?:total_)?inactive_file (\d+)$", machine.text(f"{folder}/memory.stat") or "",
                                  re.M)
                yield (limit - used + max(map(int, idle), default=0)) / 1024, limit / 1024
