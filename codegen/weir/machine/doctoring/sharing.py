"""Checks for other users of the workers' CPUs: sibling threads, interrupts, other processes, other machines."""

from __future__ import annotations

from collections.abc import Iterator

from weir.machine.doctoring.deployed import Deployed
from weir.machine.doctoring.machine_view import BROKEN, CPUS, NOISY, NOTE, OK, MachineView, Verdict, ok, unknown
from weir.model.planning.topology import cpu_words

#: Share of the CPUs' time. A run counts as disturbed if other programs use more.
_MUCH = 0.1
#: Share of the CPUs' time that a hypervisor may give to other virtual machines.
_MUCH_STOLEN = 0.01
#: Interrupts a second on the CPUs of workers, on average since the machine started.
_MANY = 100


def cpus(machine: MachineView) -> Verdict:
    """Compare the workers of the project with the CPUs that they may use."""
    broken, spinning, full, masked = {}, {}, {}, {}
    for it in machine.deployments:
        usable = (machine.allowed | machine.isolated | it.cpus) & machine.settable
        outside = it.cpus - machine.allowed - machine.isolated
        if it.cpus - usable:
            broken[it.name] = "; ".join(f"{worker} is pinned to {cpu_words(set(cpus) - usable)}, which is not available"
                                        for worker, cpus in it.pinned.items() if set(cpus) - usable)
        elif len(it.workers) > len(usable) and not it.pieces:
            turns = f"{len(it.workers)} workers take turns on {cpu_words(usable)}"
            if it.wait == "spin":
                spinning[it.name] = f"{turns}, including workers that wait"
            else:
                full[it.name] = turns
        elif outside:
            masked[it.name] = (f"workers are pinned to {cpu_words(outside)}, outside of the CPU mask of Weir, which "
                               "`weir run` refuses")
        elif len(it.workers) == len(usable) > 1 and not it.pieces:
            full[it.name] = ("each CPU has a worker, so all other programs, including the session daemon of a trace, "
                             "take CPU time from one")
    value = str(len(machine.allowed))
    message = f"Weir may use {cpu_words(machine.allowed)}" + ("" if machine.allowed == machine.online else
                                                               f" of {cpu_words(machine.online)}")
    concerns = {**broken, **spinning, **full, **masked}
    severity = BROKEN if broken or masked else NOISY if spinning else NOTE if concerns else OK
    advice = {"fewer workers": spinning or full, "other CPUs": concerns,
              "start Weir with a wider mask (`taskset`)": masked}
    return Verdict(severity, value, message, remedy=", or ".join(filter(advice.get, advice)), concerns=concerns)


def smt(machine: MachineView) -> Verdict:
    """Check whether CPUs share cores."""
    pairs = {cpu: others for cpu, others in machine.siblings.items() if others}
    if not pairs:
        return ok("off" if machine.text(f"{CPUS}/smt/active") is not None else None,
                  "no two CPUs share a core" + (", as far as the hypervisor "
                                                           "reports" if machine.virtual else ""))
    concerns = {it.name: "; ".join(said) for it in machine.deployments if (said := list(_shared_cores(it, machine)))}
    cores = sorted({frozenset({cpu, *others}) for cpu, others in pairs.items()}, key=min)
    listed = ", ".join(["+".join(map(str, sorted(core))) for core in cores[:8]] + ["…"] * (len(cores) > 8))
    message = f"CPUs share {len(cores)} core{'s' * (len(cores) > 1)}: {listed}"
    if machine.deployments and not concerns:
        return ok("on", message + "; no worker shares its core with another one")
    controlled = machine.text(f"{CPUS}/smt/control") == "on"
    return Verdict(NOISY if concerns else NOTE, "on", message,
                   (machine.write("off", f"{CPUS}/smt/control"),) if controlled else (),
                   f"{len(cores)} CPUs remain" if controlled else "use an affinity that gives each worker a "
                                                                  "core", concerns)


def _shared_cores(it: Deployed, machine: MachineView) -> Iterator[str]:
    worker_of = {cpu: worker for worker, cpus in it.pinned.items() if len(cpus) == 1 for cpu in cpus}
    for cpu, worker in worker_of.items():
        for other in sorted(machine.siblings.get(cpu, ())):
            if other not in worker_of and other not in machine.isolated:
                yield f"{worker} is pinned to CPU {cpu}, and other programs may run on its sibling, CPU {other}"
            elif other in worker_of and other > cpu:
                yield f"{worker} is pinned to CPU {cpu} and {worker_of[other]} to its sibling, CPU {other}"


def isolation(machine: MachineView) -> Verdict:
    """Check which CPUs Linux keeps free of other work."""
    isolated = machine.isolated & machine.online
    concerns = {}
    for it in machine.deployments:
        if it.isolates:
            continue
        if it.cpus - isolated:
            concerns[it.name] = f"workers are pinned to {cpu_words(it.cpus - isolated)}, where other programs may run"
        elif isolated and not it.pinned:
            concerns[it.name] = f"no worker is pinned, so none ever runs on {cpu_words(isolated)}"
    value = cpu_words(isolated) if isolated else "none"
    message = f"Linux keeps {cpu_words(isolated) if isolated else 'no CPU'} free of other work"
    if not concerns and (isolated or machine.deployments):
        return ok(value, message)
    wanted = frozenset().union(*(it.cpus for it in machine.deployments)) & machine.online or machine.online
    wanted -= {min(machine.online)}
    listed = cpu_words(wanted).split()[1]
    if not wanted or isolated >= wanted:
        return Verdict(NOTE, value, message, remedy="name CPUs that are kept free in the `affinity` of a "
                                                    "deployment" if isolated
                       else "the only CPU cannot be kept free", concerns=concerns)
    at_boot = machine.boot_with(f"isolcpus={listed} nohz_full={listed} rcu_nocbs={listed}")
    # `weir isolate` keeps other programs away for one run. Only boot options keep the tick and the kernel's own work
    # away.
    return Verdict(NOTE, value, message, concerns=concerns, commands=(
        f"{machine.sudo}weir isolate --cpus {listed} -- weir run P", *at_boot.get("commands", ())),
        remedy=f"the first command isolates one program; for all programs: {at_boot['remedy']}")


def interrupts(machine: MachineView) -> Verdict:
    """Check the interrupts of devices. The interrupts of the timer and of Linux itself cannot be moved."""
    devices = _devices(machine)
    if devices is None:
        return unknown("/proc/interrupts cannot be read")
    pinned = frozenset().union(*(it.cpus for it in machine.deployments))
    cpus = pinned or machine.online
    there = {irq: sum(counts.get(cpu, 0) for cpu in cpus) for irq, (_, counts) in devices.items()
             if _may_fire_on(machine, irq) & cpus}
    fired = sorted((irq for irq in there if there[irq]), key=lambda irq: -there[irq])
    uptime = float((machine.text("proc/uptime") or "0").split()[0]) or 1.0
    rate = sum(there.values()) / uptime
    value = f"{rate:.3g} a second"
    most = ", ".join([f"{devices[irq][0]} ({irq}) {there[irq]}" for irq in fired[:4]] + ["…"] * (len(fired) > 4))
    message = (f"{len(there)} interrupts of devices may fire on {cpu_words(cpus)}; they fired {rate:.3g} times a "
               "second since the machine was started" + (f": {most}" if fired else ""))
    if not pinned or not there:
        return ok(value, message)
    concerns = {it.name: f"workers are pinned to {cpu_words(it.cpus)}" for it in machine.deployments if it.pinned}
    severity = NOISY if rate >= _MANY and any(it.latency for it in machine.deployments) else NOTE
    others = machine.online - pinned
    if not others:
        return Verdict(severity, value, message, remedy="workers are on every CPU: leave one CPU to the interrupts",
                       concerns=concerns)
    stop = (f"{machine.sudo}systemctl stop irqbalance",) if machine.exists("run/irqbalance") else ()
    move = (f"for irq in {' '.join(fired)}; do echo {cpu_words(others).split()[1]} | "
            f"{machine.sudo}tee /proc/irq/$irq/smp_affinity_list; done")
    return Verdict(severity, value, message, (*stop, *((move,) if fired else ())),
                   "some interrupts cannot be moved: those of a queue that belongs to a CPU", concerns)


def _devices(machine: MachineView) -> dict[str, tuple[str, dict[int, int]]] | None:
    """Return the interrupts of devices: number -> name, and its count on each CPU."""
    head, *lines = (machine.text("proc/interrupts") or "").splitlines() or [""]
    columns = [int(word[3:]) for word in head.split() if word.startswith("CPU") and word[3:].isdigit()]
    if not columns:
        return None
    rows = (line.split() for line in lines)
    return {row[0][:-1]: (row[-1], dict(zip(columns, map(int, row[1:1 + len(columns)])))) for row in rows
            if row and row[0][:-1].isdigit() and len(row) > len(columns)}


def _may_fire_on(machine: MachineView, irq: str) -> frozenset[int]:
    effective = machine.cpu_list(f"proc/irq/{irq}/effective_affinity_list")
    return effective or machine.cpu_list(f"proc/irq/{irq}/smp_affinity_list") or machine.online


def load(machine: MachineView) -> Verdict:
    """Check the load of other programs."""
    words = (machine.text("proc/loadavg") or "").split()
    if len(words) < 4 or not machine.second:
        return unknown("Linux does not report its load")
    busy = sum(machine.second[name] for name in ("user", "nice", "system", "irq", "softirq"))
    one, runnable = float(words[0]), max(0, int(words[3].split("/")[0]) - 1)
    message = (f"other programs used {busy:.0%} of the CPUs during a second, {runnable} tasks were runnable besides "
               f"this one, and the load of the last minute is {one:.2f} on {len(machine.online)} CPUs")
    if busy <= _MUCH and one <= len(machine.online):
        return ok(f"{busy:.0%}", message)
    return Verdict(NOISY, f"{busy:.0%}", message, ("top -b -n 1 | head -n 15",),
                   "end programs that are not needed; this command shows them")


def steal(machine: MachineView) -> Verdict:
    """Check how much CPU time the host steals."""
    share = machine.second.get("steal")
    if share is None:
        return unknown("Linux does not count stolen time")
    message = f"during a second, the host stole {share:.1%} of the CPUs' time"
    if share <= _MUCH_STOLEN:
        return ok(f"{share:.1%}", "no time is stolen, because this is not a virtual "
                                  "machine" if machine.virtual == "" else message)
    return Verdict(NOISY, f"{share:.1%}", message, remedy="cannot be changed inside a virtual machine: request CPUs of "
                                                          "its own, or measure again at another time")


def hypervisor(machine: MachineView) -> Verdict:
    """Check whether this is a virtual machine."""
    if machine.virtual is None:
        return unknown("it is unknown whether this is a virtual machine")
    if not machine.virtual:
        return ok("none", "this is not a virtual machine")
    return Verdict(NOISY, machine.virtual,
                   f"{machine.virtual} runs this machine: its CPUs are threads of a host, which lets others run on "
                   "them and on their sibling threads",
                   remedy="cannot be changed inside a virtual machine: measure in turns and often, or on a physical "
                          "machine")


def cpu_quota(machine: MachineView) -> Verdict:
    """Check whether a control group limits the CPU time."""
    quotas = []
    for folder in machine.groups(""):
        quota, _, period = (machine.text(f"{folder}/cpu.max") or "max").partition(" ")
        if quota != "max":
            quotas.append((int(quota) / int(period or 100_000), machine.write("max", f"{folder}/cpu.max")))
    for folder in machine.groups("cpu"):
        us, of_us = (machine.number(f"{folder}/cpu.cfs_{name}_us") for name in ("quota", "period"))
        if us and of_us and us > 0:
            quotas.append((us / of_us, machine.write(-1, f"{folder}/cpu.cfs_quota_us")))
    if not machine.groups("") and not machine.groups("cpu"):
        return unknown("no control group is visible here, so limits of CPU time are unknown")
    if not quotas:
        return ok("none", "no control group limits the CPU time")
    least = min(cpus for cpus, _ in quotas)
    value, message = f"{least:g} CPUs", f"a control group limits the CPU time to that of {least:g} CPUs"
    if least >= len(machine.allowed):
        return ok(value, message)
    concerns = {it.name: f"Linux stops all of its {len(it.workers)} workers again and again, all at once"
                for it in machine.deployments if len(it.workers) > least}
    if machine.deployments and not concerns:
        return ok(value, message + ", which no deployment reaches")
    commands = tuple(command for cpus, command in quotas if cpus < len(machine.allowed))
    return Verdict(NOISY, value, message, commands, concerns=concerns)
