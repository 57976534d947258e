"""Checks of the CPU frequencies and of the clock."""

from __future__ import annotations

from weir.machine.doctoring.machine_view import CPUS, NOISY, NOTE, MachineView, Verdict, ok, unknown
from weir.model.planning.topology import cpu_words

#: Clock sources that are the CPU's own counter, and others that a program can read without a system call.
_COUNTERS = ("tsc", "arch_sys_counter", "riscv_clocksource", "timebase")
_WITHOUT_CALL = ("kvm-clock", "hyperv_clocksource_tsc_page")
_CLOCK = "sys/devices/system/clocksource/clocksource0"
#: A part this close to its trip point is about to be throttled.
_NEAR_MILLIDEGREES = 5000
_OF_THE_HOST = "cannot be changed inside a virtual machine, because its host decides"


def governor(machine: MachineView) -> Verdict:
    """Check how the CPU frequencies are chosen."""
    found = machine.per_cpu("cpufreq/scaling_governor")
    if not found:
        return unknown("Linux does not report the frequencies of the CPUs", _OF_THE_HOST if machine.virtual else
                       "Linux has no driver for them, or the firmware hides them")
    value = ", ".join(sorted(set(found.values())))
    wrong = [cpu for cpu, name in found.items() if name not in ("performance", "userspace")]
    if not wrong:
        return ok(value, f"the governor is `{value}`")
    paths = [f"{CPUS}/cpu{cpu}/cpufreq/scaling_governor" for cpu in wrong]
    everywhere = len(wrong) == len(found)
    return Verdict(NOISY, value, f"the governor of {'every CPU' if everywhere else cpu_words(wrong)} is "
                   f"`{', '.join(sorted({found[cpu] for cpu in wrong}))}`: the clock follows the load",
                   (machine.write("performance",
                                  *([f"{CPUS}/cpu*/cpufreq/scaling_governor"] if everywhere else paths)),))


def turbo(machine: MachineView) -> Verdict:
    """Check whether CPUs exceed their nominal frequency."""
    for path, on in ((f"{CPUS}/intel_pstate/no_turbo", "0"), (f"{CPUS}/cpufreq/boost", "1")):
        text = machine.text(path)
        if text is not None and text != on:
            return ok("off", "turbo is off")
        if text is not None:
            return Verdict(NOISY, "on", "turbo is on: the frequency of a CPU depends on its temperature and on the "
                                        "load of the others",
                           (machine.write(int(on == "0"), path),), "every CPU becomes slower, but equally")
    return unknown("Linux does not report whether turbo is on", _OF_THE_HOST if machine.virtual else "")


def throttling(machine: MachineView) -> Verdict:
    """Check whether heat has slowed CPUs down."""
    # Threads of a core, and CPUs of a package, show the same count.
    counted = [int(text) for name in ("core", "package")
               for text in machine.per_cpu(f"thermal_throttle/{name}_throttle_count").values() if text.isdigit()]
    hot, zones = [], machine.glob("sys/class/thermal/thermal_zone*")
    for zone in zones:
        kinds = [path for path in machine.glob(f"{zone}/trip_point_*_type") if machine.text(path) in ("passive", "hot")]
        trips = [machine.number(f"{path.removesuffix('type')}temp") or 0 for path in kinds]
        now, limit = machine.number(f"{zone}/temp"), min((trip for trip in trips if trip > 0), default=None)
        if now is not None and limit is not None and now >= limit - _NEAR_MILLIDEGREES:
            hot.append(f"{machine.text(f'{zone}/type')} has {now / 1000:.0f} °C, and slows down from "
                       f"{limit / 1000:.0f} °C on")
    if not counted and not zones:
        return unknown("Linux reports no temperatures", _OF_THE_HOST if machine.virtual else "")
    events = max(counted, default=0)
    value, remedy = f"{events} times since it started", "let the machine cool down, clean the fan, or turn turbo off"
    if hot:
        return Verdict(NOISY, value, "; ".join(hot), remedy=remedy)
    if events:
        return Verdict(NOTE, value, f"heat slowed the machine down {value}", remedy=remedy)
    return ok("never" if counted else "cool", "heat slowed no CPU down" if counted else
              "every part is cooler than its limit")


def clock_source(machine: MachineView) -> Verdict:
    """Check which clock source Linux uses."""
    now = machine.text(f"{_CLOCK}/current_clocksource")
    if not now:
        return unknown("Linux does not report its clock")
    if now in _COUNTERS:
        return ok(now, f"the clock is the CPU's counter (`{now}`)")
    concerns = {it.name: "each event of the trace reads the clock" for it in machine.deployments if it.latency}
    severity = NOTE if now in _WITHOUT_CALL or machine.deployments and not concerns else NOISY
    message = (f"the clock is `{now}`, which the host of the virtual machine corrects" if now in _WITHOUT_CALL else
               f"the clock is `{now}`: each reading needs a system call, which takes a microsecond or more")
    counter = next((name for name in machine.clock_sources if name in _COUNTERS), None)
    if counter:
        return Verdict(severity, now, message, (machine.write(counter, f"{_CLOCK}/current_clocksource"),),
                       concerns=concerns)
    if " tsc" in (machine.text("proc/cpuinfo") or ""):
        how = machine.boot_with("tsc=reliable")
        return Verdict(severity, now, f"{message}; Linux does not trust the CPU's counter", concerns=concerns, **how)
    return Verdict(severity, now, message, remedy="the CPU has no counter that Linux accepts", concerns=concerns)
