"""The checks, and what they find. A new one is a function of a `Sight` and a line of `CHECKS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from weir.machine.doctoring import clocks, kernel, rights, sharing, tools
from weir.machine.doctoring.sight import OK, SEVERITIES, Seen, Sight, unknown


@dataclass(frozen=True)
class Check:
    """`why` it matters, to anybody. `in_runs`: every run is told, too; not what it measures for itself, or what takes
    a while. `of_kernel`: the kernel's, which nobody in a container changes.
    """

    id: str
    title: str
    look: Callable[[Sight], Seen]
    why: str
    in_runs: bool = True
    of_kernel: bool = True


CHECKS = (
    Check("governor", "Frequency governor", clocks.governor,
          "a CPU that wakes up slow is measured while it speeds up: short runs and paced sources most of all"),
    Check("turbo", "Turbo", clocks.turbo,
          "what is measured first, cold, or on few CPUs looks faster than what comes later"),
    Check("throttling", "Thermal throttling", clocks.throttling,
          "a CPU that is too hot slows down, in the middle of a run"),
    Check("clock_source", "Clock source", clocks.clock_source,
          "every latency is the difference of two clock readings, and each costs what reading the clock takes"),
    Check("cpus", "CPUs for the workers", sharing.cpus,
          "workers that share a CPU wait for each other, and spinning ones for nothing"),
    Check("smt", "SMT siblings", sharing.smt,
          "two threads of one core share its units and its caches: each is slower while the other works"),
    Check("isolation", "Isolated CPUs", sharing.isolation,
          "what else the kernel lets run on a worker's CPU interrupts it, for milliseconds at times"),
    Check("interrupts", "Interrupts", sharing.interrupts,
          "an interrupt on a worker's CPU stops it for microseconds: the far end of the latencies"),
    Check("load", "Load", sharing.load, "what others compute is taken from the runs", in_runs=False, of_kernel=False),
    Check("steal", "Stolen time", sharing.steal,
          "time that a hypervisor gives to others stops a worker for milliseconds", in_runs=False),
    Check("hypervisor", "Virtual machine", sharing.hypervisor,
          "neighbours on the host change what is measured, and much of it cannot be seen from here"),
    Check("cpu_quota", "Limit of CPU time", sharing.cpu_quota,
          "a group that has used up its time is stopped until its next period, for tens of milliseconds"),
    Check("mitigations", "Mitigations", kernel.mitigations,
          "they cost the same in every run, but numbers of machines that have others are not comparable"),
    Check("tick", "Tick and preemption", kernel.tick,
          "each tick stops a worker for microseconds; when the kernel may preempt decides how long others wait"),
    Check("numa_balancing", "NUMA balancing", kernel.numa_balancing,
          "pages are taken away and moved to find out who uses them: faults in the middle of a run"),
    Check("huge_pages", "Transparent huge pages", kernel.huge_pages,
          "with huge pages a buffer misses the TLB less often, so runs with and without them differ"),
    Check("memory", "Memory and swap", kernel.memory,
          "what was swapped out has to be read again, in the middle of a run"),
    Check("memory_lock", "Locked memory", rights.memory_lock,
          "memory that is not locked may be taken away, and costs a page fault when it is used again", of_kernel=False),
    Check("surroundings", "Rights to isolate and to limit", rights.surroundings,
          "what a run may not move stays on its CPUs, and what may not be limited cannot disturb it",
          of_kernel=False),
    Check("realtime_rights", "Real-time priority", rights.realtime_rights,
          "without it, workers take turns with everything else", of_kernel=False),
    Check("realtime_throttle", "Real-time throttling", rights.realtime_throttle,
          "a worker that never sleeps is stopped once a period, for tens of milliseconds"),
    Check("realtime_group", "Real-time of the control group", rights.realtime_group,
          "in a group without a share, not even root gets a real-time priority"),
    Check("lttng", "LTTng", tools.lttng,
          "without it there are no traces to look at; latencies come from memory instead", of_kernel=False),
    Check("kernel_tracer", "Kernel tracer", tools.kernel_tracer,
          "with it, a trace shows what the kernel did instead of running a worker"),
    Check("perf_counters", "Hardware counters", tools.perf_counters, "they tell why something is slow"),
    Check("volk_profile", "VOLK profile", tools.volk_profile,
          "which kernel VOLK takes decides how fast its blocks are, here and on other machines", of_kernel=False),
)


@dataclass(frozen=True)
class Finding:
    """What a check found."""

    check: Check
    seen: Seen

    def brief(self) -> dict[str, object]:
        """Returns it as plain JSON values, without reason and deployments."""
        it = self.seen
        return {"id": self.check.id, "title": self.check.title, "severity": it.severity, "value": it.value,
                "message": it.message, "commands": list(it.commands), "remedy": it.remedy}

    def as_json(self) -> dict[str, object]:
        """Returns it as plain JSON values."""
        concerns = [{"deployment": name, "message": message} for name, message in self.seen.concerns.items()]
        return {**self.brief(), "why": self.check.why, "concerns": concerns}


def examine(sight: Sight, in_runs: bool = False) -> list[Finding]:
    """Everything that can be found, the worst first. `in_runs`: what every run is told, which takes milliseconds."""
    found = [Finding(check, _look(check, sight)) for check in CHECKS if check.in_runs or not in_runs]
    return sorted(found, key=lambda finding: SEVERITIES.index(finding.seen.severity))


def told_to_run(sight: Sight) -> list[dict[str, object]]:
    """What run.json keeps: all that is not as it should be. `sight` has the run's deployment."""
    return [{**finding.brief(), "concern": "; ".join(finding.seen.concerns.values())}
            for finding in examine(sight, in_runs=True) if finding.seen.severity != OK]


def _look(check: Check, sight: Sight) -> Seen:
    try:
        seen = check.look(sight)
    except (ValueError, LookupError, OSError) as error:  # not as any kernel wrote it so far
        return unknown(f"it could not be read: {type(error).__name__}: {error}")
    if sight.container and check.of_kernel and seen.commands:
        return replace(seen, remedy="; ".join(filter(None, ("on the host, not in this container", seen.remedy))))
    return seen
