"""Checks of the tools for tracing and counting, and of the libraries of blocks."""

from __future__ import annotations

from weir.machine.doctoring.sight import NOTE, Seen, Sight, ok, unknown
from weir.tracers import LTTNG, NOT_ENABLED

_LIBRARIES = ("usr/lib", "usr/lib/*-linux-*", "usr/lib64", "usr/local/lib", "usr/local/lib/*-linux-*")
_CAP_SYS_ADMIN, _CAP_PERFMON = 21, 38


def lttng(sight: Sight) -> Seen:
    """Check whether LTTng can record traces."""
    lacks = [name for name in ("lttng", "lttng-sessiond") if not sight.program(name)]
    if not any(sight.glob(f"{folder}/liblttng-ust.so*") for folder in _LIBRARIES):
        lacks.append("liblttng-ust")
    if not lacks:
        return ok("there", "lttng, its session daemon and lttng-ust are installed")
    concerns = {it.name: "LTTng traces its runs"
                for it in sight.deployments if it.trace in (LTTNG, NOT_ENABLED)}
    message = f"{', '.join(lacks)} {'is' if len(lacks) == 1 else 'are'} not installed, so events stay in memory"
    if sight.deployments and not concerns:
        return ok("not there", message + "; no deployment uses it for traces")
    return Seen(NOTE, "not there", message, (f"{sight.sudo}apt-get install lttng-tools liblttng-ust-dev",),
                concerns=concerns)


def kernel_tracer(sight: Sight) -> Seen:
    """Check LTTng's kernel tracer, which records events of the kernel during a run."""
    modules = f"lib/modules/{sight.release}"
    built = any(sight.glob(f"{modules}/{folder}/**/lttng-tracer.ko*") for folder in ("updates", "extra"))
    lacks = {}
    if "lttng_tracer " not in (sight.text("proc/modules") or "") and not built:
        lacks["lttng-modules"] = f"{sight.sudo}apt-get install lttng-modules-dkms"
    if " tracefs " not in (sight.text("proc/self/mounts") or "") and not sight.exists("sys/kernel/tracing/events"):
        lacks["tracefs"] = f"{sight.sudo}mount -t tracefs nodev /sys/kernel/tracing"
    if not lacks:
        return ok("there", "events of Linux can be traced")
    message = (f"without {' and '.join(lacks)}, events of Linux cannot be traced, such as which thread ran instead "
               "of a worker")
    if "nomodule" in sight.command_line:
        return Seen(NOTE, "not there", message, remedy="cannot be changed here, because this Linux has no support for "
                                                       "modules")
    return Seen(NOTE, "not there", message, tuple(lacks.values()))


def perf_counters(sight: Sight) -> Seen:
    """Check which hardware counters the CPUs offer."""
    found = sorted(path.rpartition("/")[2] for kind in ("cpu", "cpu_core", "cpu_atom", "armv*")
                   for path in sight.glob(f"sys/bus/event_source/devices/{kind}"))
    if not found:
        return Seen(NOTE, "none", "the CPUs have no accessible hardware counters: cycles, instructions and cache "
                                  "misses cannot be counted",
                    remedy="cannot be changed inside a virtual machine, because its host decides"
                    if sight.virtual else "Linux has no driver for the counters of this CPU")
    paranoid = sight.number("proc/sys/kernel/perf_event_paranoid")
    if paranoid is None:
        return unknown("this Linux was built without perf_event_open")
    value = f"{', '.join(found)}, perf_event_paranoid {paranoid}"
    if paranoid <= 1 or sight.has_capability(_CAP_PERFMON) or sight.has_capability(_CAP_SYS_ADMIN):
        return ok(value, "hardware counters can be read")
    what = "only events outside of Linux itself may be counted" if paranoid == 2 else ("this user may not count any "
                                                                                        "events")
    return Seen(NOTE, value, f"{what} (perf_event_paranoid is {paranoid})",
                (f"{sight.sudo}sysctl -w kernel.perf_event_paranoid=1",))


def volk_profile(sight: Sight) -> Seen:
    """Check whether VOLK finds its profile. The paths are in VOLK's order."""
    own, home = sight.variable("VOLK_CONFIGPATH"), sight.variable("HOME")
    places = [*([f"{own}/volk/volk_config"] if own else ()), *([f"{home}/.volk/volk_config"] if home else ()),
              "/etc/volk/volk_config"]
    profile = next((path for path in places if sight.exists(path.lstrip("/"))), None)
    machine = sight.volk_machine()
    on = f" on the machine `{machine}`" if machine else ""
    if profile:
        return ok(machine, f"VOLK chooses its kernels{on} according to {profile}")
    concerns = {it.name: "some of its blocks call VOLK" for it in sight.deployments if it.volk}
    message = f"VOLK was never profiled, so it uses the kernels{on} that are probably fastest"
    if sight.deployments and not concerns and not any(it.volk is None for it in sight.deployments):
        return ok(machine, message + "; no deployment calls it")
    install = () if sight.program("volk_profile") else (f"{sight.sudo}apt-get install libvolk-bin",)
    return Seen(NOTE, machine, message, (*install, "volk_profile"),
                "this takes minutes, and later runs differ from earlier ones",
                concerns)
