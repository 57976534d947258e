"""Checks of the tools for tracing and counting, and of the libraries of blocks."""

from __future__ import annotations

from weir.machine.doctoring.machine_view import NOTE, MachineView, Verdict, ok, unknown
from weir.tracers import LTTNG, NOT_ENABLED

_LIBRARIES = ("usr/lib", "usr/lib/*-linux-*", "usr/lib64", "usr/local/lib", "usr/local/lib/*-linux-*")
_CAP_SYS_ADMIN, _CAP_PERFMON = 21, 38


def lttng(machine: MachineView) -> Verdict:
    """Check whether LTTng can record traces."""
    lacks = [name for name in ("lttng", "lttng-sessiond") if not machine.program(name)]
    if not any(machine.glob(f"{folder}/liblttng-ust.so*") for folder in _LIBRARIES):
        lacks.append("liblttng-ust")
    if not lacks:
        return ok("there", "lttng, its session daemon and lttng-ust are installed")
    concerns = {it.name: "LTTng traces its runs"
                for it in machine.deployments if it.trace in (LTTNG, NOT_ENABLED)}
    message = f"{', '.join(lacks)} {'is' if len(lacks) == 1 else 'are'} not installed, so events stay in memory"
    if machine.deployments and not concerns:
        return ok("not there", message + "; no deployment uses it for traces")
    return Verdict(NOTE, "not there", message, (f"{machine.sudo}apt-get install lttng-tools liblttng-ust-dev",),
                   concerns=concerns)


def kernel_tracer(machine: MachineView) -> Verdict:
    """Check LTTng's kernel tracer, which records events of the kernel during a run."""
    modules = f"lib/modules/{machine.release}"
    built = any(machine.glob(f"{modules}/{folder}/**/lttng-tracer.ko*") for folder in ("updates", "extra"))
    lacks = {}
    if "lttng_tracer " not in (machine.text("proc/modules") or "") and not built:
        lacks["lttng-modules"] = f"{machine.sudo}apt-get install lttng-modules-dkms"
    if " tracefs " not in (machine.text("proc/self/mounts") or "") and not machine.exists("sys/kernel/tracing/events"):
        lacks["tracefs"] = f"{machine.sudo}mount -t tracefs nodev /sys/kernel/tracing"
    if not lacks:
        return ok("there", "events of Linux can be traced")
    message = (f"without {' and '.join(lacks)}, events of Linux cannot be traced, such as which thread ran instead "
               "of a worker")
    if "nomodule" in machine.command_line:
        return Verdict(NOTE, "not there", message, remedy="cannot be changed here, because this Linux has no support "
                                                          "for modules")
    return Verdict(NOTE, "not there", message, tuple(lacks.values()))


def perf_counters(machine: MachineView) -> Verdict:
    """Check which hardware counters the CPUs offer."""
    found = sorted(path.rpartition("/")[2] for kind in ("cpu", "cpu_core", "cpu_atom", "armv*")
                   for path in machine.glob(f"sys/bus/event_source/devices/{kind}"))
    if not found:
        return Verdict(NOTE, "none", "the CPUs have no accessible hardware counters: cycles, instructions and cache "
                                     "misses cannot be counted",
                       remedy="cannot be changed inside a virtual machine, because its host decides"
                       if machine.virtual else "Linux has no driver for the counters of this CPU")
    paranoid = machine.number("proc/sys/kernel/perf_event_paranoid")
    if paranoid is None:
        return unknown("this Linux was built without perf_event_open")
    value = f"{', '.join(found)}, perf_event_paranoid {paranoid}"
    if paranoid <= 1 or machine.has_capability(_CAP_PERFMON) or machine.has_capability(_CAP_SYS_ADMIN):
        return ok(value, "hardware counters can be read")
    what = "only events outside of Linux itself may be counted" if paranoid == 2 else ("this user may not count any "
                                                                                        "events")
    return Verdict(NOTE, value, f"{what} (perf_event_paranoid is {paranoid})",
                   (f"{machine.sudo}sysctl -w kernel.perf_event_paranoid=1",))


def volk_profile(machine: MachineView) -> Verdict:
    """Check whether VOLK finds its profile. The paths are in VOLK's order."""
    own, home = machine.variable("VOLK_CONFIGPATH"), machine.variable("HOME")
    places = [*([f"{own}/volk/volk_config"] if own else ()), *([f"{home}/.volk/volk_config"] if home else ()),
              "/etc/volk/volk_config"]
    profile = next((path for path in places if machine.exists(path.lstrip("/"))), None)
    volk_machine = machine.volk_machine()
    on = f" on the machine `{volk_machine}`" if volk_machine else ""
    if profile:
        return ok(volk_machine, f"VOLK chooses its kernels{on} according to {profile}")
    concerns = {it.name: "some of its blocks call VOLK" for it in machine.deployments if it.volk}
    message = f"VOLK was never profiled, so it uses the kernels{on} that are probably fastest"
    if machine.deployments and not concerns and not any(it.volk is None for it in machine.deployments):
        return ok(volk_machine, message + "; no deployment calls it")
    install = () if machine.program("volk_profile") else (f"{machine.sudo}apt-get install libvolk-bin",)
    return Verdict(NOTE, volk_machine, message, (*install, "volk_profile"),
                   "this takes minutes, and later runs differ from earlier ones",
                   concerns)
