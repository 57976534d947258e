"""Checks of the rights of a run: locked memory and real-time priority."""

from __future__ import annotations

from collections.abc import Sequence

from weir.machine.doctoring.deployed import Deployed
from weir.machine.doctoring.machine_view import BROKEN, NOISY, NOTE, MachineView, Verdict, ok, unknown
from weir.model.planning.scheduling import BY_PRIORITY, REALTIME

_CAP_IPC_LOCK, _CAP_SYS_NICE = 14, 23
_INFINITE = float("inf")


def memory_lock(machine: MachineView) -> Verdict:
    """Check how much memory may be locked."""
    limit = machine.limit("Max locked memory")
    if limit is None:
        return unknown("the limit cannot be read")
    if limit == _INFINITE or machine.has_capability(_CAP_IPC_LOCK):
        return ok("unlimited", "any memory may be locked")
    value = f"{limit / 1024:.0f} KiB"
    stack = machine.limit("Max stack size") or 0
    stack = 8 * 1024**2 if stack == _INFINITE else stack
    locking = [it for it in machine.deployments if it.lock]
    needs = {it.name: it.buffer_bytes + stack * len(it.workers) for it in locking}
    lacking = [it for it in locking if needs[it.name] > limit]
    message = f"at most {value} of memory may be locked"
    if machine.deployments and not lacking:
        return ok(value, message + ("" if locking else "; no deployment locks any"))
    concerns = {it.name: f"it locks all its memory, at least {needs[it.name] / 1024**2:.0f} MiB with the stacks of "
                         "workers" for it in lacking}
    return Verdict(_severity(lacking, "memory_lock"), value, message,
                   (f"{machine.sudo}prlimit --pid $$ --memlock=unlimited:unlimited",),
                   _lasts(machine, "memlock=-1"), concerns)


def _severity(lacking: Sequence[Deployed], right: str) -> str:
    """Return the severity: a run is invalid without a required right, and only reports a missing requested one."""
    return BROKEN if any(right in it.require for it in lacking) else NOISY if lacking else NOTE


def _lasts(machine: MachineView, options: str) -> str:
    """Return how long a raised limit lasts."""
    return (f"if the container may not raise it: docker run --ulimit {options}" if machine.container else
            "applies to this shell and the programs that it starts")


def _policies(requesting: Sequence[Deployed], among: Sequence[str] = REALTIME) -> dict[str, str]:
    return {it.name: f"its workers request {it.policies(among)}" for it in requesting}


def isolation(machine: MachineView) -> Verdict:
    """Check the rights that `environment` and `interference` of a deployment need: moving other tasks, and making
    control groups.
    """
    requesting = [it for it in machine.deployments if it.isolates or it.loops]
    lacks = ([] if machine.has_capability(_CAP_SYS_NICE) else
             ["Weir may not move the tasks of other users (CAP_SYS_NICE)"])
    for controller, what in (("cpuset", "CPUs"), ("cpu", "CPU time")):
        by_systemd = controller == "cpu" and machine.exists("run/systemd/system")
        version_2 = any(controller in (machine.text(f"{mount}/cgroup.controllers") or "").split()
                        for mount in machine.group_mounts(""))
        if not version_2 and not machine.group_mounts(controller):
            lacks.append(f"no control groups with {what} are mounted")
        elif not machine.is_root and not by_systemd:
            lacks.append(f"only root may make control groups with {what}")
    value, message = "some" if lacks else "all", "; ".join(lacks) or "Weir may move other tasks and make control groups"
    if not lacks or not requesting:
        return ok(value, message + ("; no deployment requests it" if lacks and machine.deployments else ""))
    required = any("isolation" in it.require or "interference" in it.require for it in requesting)
    concerns = {it.name: " and ".join([*(["it requests CPUs of its own for its runs"] if it.isolates else []),
                                       *([f"it requests {it.loops} loops as interference load"] if it.loops else [])])
                for it in requesting}
    return Verdict(BROKEN if required else NOISY, value, message,
                   (f"{machine.sudo}weir run P",) if machine.sudo else (),
                   "" if machine.sudo else "use a Linux, or a container, that permits it", concerns)


def realtime_rights(machine: MachineView) -> Verdict:
    """Check which real-time priorities the user may request."""
    limit = machine.limit("Max realtime priority")
    if limit is None:
        return unknown("the limit cannot be read")
    if machine.has_capability(_CAP_SYS_NICE):
        return ok("99", "any priority may be requested")
    requesting = [it for it in machine.deployments if it.highest_priority > limit or it.with_deadline]
    message = f"the highest real-time priority that may be requested is {limit:g}" if limit else \
        "no real-time priority may be requested"
    if any(it.with_deadline for it in requesting):
        return Verdict(_severity(requesting, "priority"), f"{limit:g}", "no deadline may be requested",
                       remedy="it needs CAP_SYS_NICE, and no limit is enough: run Weir as "
                              "root", concerns=_policies(requesting))
    if limit >= 99 or machine.deployments and not requesting:
        return ok(f"{limit:g}", message)
    return Verdict(_severity(requesting, "priority"), f"{limit:g}", message,
                   (f"{machine.sudo}prlimit --pid $$ --rtprio=99:99",),
                   _lasts(machine, "rtprio=99 --cap-add SYS_NICE"), _policies(requesting))


def realtime_throttle(machine: MachineView) -> Verdict:
    """Check how much CPU time real-time threads may take."""
    runtime, period = (machine.number(f"proc/sys/kernel/sched_rt_{name}_us") for name in ("runtime", "period"))
    if runtime is None or not period:
        return unknown("Linux does not report its limit")
    if runtime < 0 or runtime >= period:
        return ok("none", "real-time threads may use all of a CPU")
    share = runtime / period
    message = f"real-time threads get {share:.0%} of a CPU, and stop for the rest of each {period / 1e6:g} s"
    if machine.deployments and not any(it.highest_priority for it in machine.deployments):
        return ok(f"{share:.0%}", message + "; no deployment has any")
    concerns = {it.name: f"its workers have {it.policies(BY_PRIORITY)} and spin, so Linux stops them for "
                         f"{(period - runtime) / 1000:g} ms"
                for it in machine.deployments if it.highest_priority and it.wait == "spin"}
    return Verdict(NOISY if concerns else NOTE, f"{share:.0%}", message,
                   (f"{machine.sudo}sysctl -w kernel.sched_rt_runtime_us=-1",),
                   "a spinning worker then blocks everything else on its CPU: keep one CPU without a worker", concerns)


def realtime_group(machine: MachineView) -> Verdict:
    """Check the real-time share of our control group. A group of version 1 starts without one."""
    group = next((it for it in machine.groups("cpu") if machine.exists(f"{it}/cpu.rt_runtime_us")), None)
    if group is None:
        return ok(None, "control groups here have no real-time share of their own")
    runtime = machine.number(f"{group}/cpu.rt_runtime_us")
    if runtime:
        return ok(f"{runtime} us", f"/{group} lets real-time threads run")
    requesting = [it for it in machine.deployments if it.highest_priority]
    message = f"/{group} has no real-time share, so Linux refuses every real-time priority in it"
    if machine.deployments and not requesting:
        return ok("0 us", message + "; no deployment requests one")
    return Verdict(_severity(requesting, "priority"), "0 us", message,
                   (machine.write(950_000, f"{group}/cpu.rt_runtime_us"),),
                   concerns=_policies(requesting, BY_PRIORITY))
