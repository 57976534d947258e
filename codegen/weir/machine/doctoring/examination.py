"""The list of checks, and their findings as JSON and as text. A new check is a function of a `MachineView` and a line
of `CHECKS`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from weir.diagnostics import printable
from weir.machine.doctoring import clocks, kernel, rights, sharing, tools
from weir.machine.doctoring.machine_view import (
    BROKEN,
    NOISY,
    NOTE,
    OK,
    SEVERITIES,
    UNKNOWN,
    MachineView,
    Verdict,
    unknown,
)


@dataclass(frozen=True)
class Check:
    """One check. `why`: why it matters. `in_runs`: whether every run makes the check, too. Slow checks, and facts that
    a run measures itself, are left out of runs. `of_kernel`: a setting of the kernel, which no container can change.
    """

    id: str
    title: str
    look: Callable[[MachineView], Verdict]
    why: str
    in_runs: bool = True
    of_kernel: bool = True


CHECKS = (
    Check("governor", "Frequency governor", clocks.governor,
          "a CPU that wakes up at a low frequency speeds up during the measurement, above all in short runs and with "
          "paced sources"),
    Check("turbo", "Turbo", clocks.turbo,
          "runs that come first, on a cold machine or on few CPUs look faster than later ones"),
    Check("throttling", "Thermal throttling", clocks.throttling,
          "a CPU that is too hot slows down in the middle of a run"),
    Check("clock_source", "Clock source", clocks.clock_source,
          "every latency is the difference of two clock readings, so it includes the cost of a reading"),
    Check("cpus", "CPUs for the workers", sharing.cpus,
          "workers that share a CPU wait for each other, and spinning workers waste CPU time"),
    Check("smt", "SMT siblings", sharing.smt,
          "two threads of one core share its execution units and caches, so each slows the other down"),
    Check("isolation", "Isolated CPUs", sharing.isolation,
          "other threads on a worker's CPU interrupt it, sometimes for milliseconds"),
    Check("interrupts", "Interrupts", sharing.interrupts,
          "an interrupt on a worker's CPU stops it for microseconds, which shows in the highest latencies"),
    Check("load", "Load", sharing.load, "other programs take CPU time from the runs", in_runs=False, of_kernel=False),
    Check("steal", "Stolen time", sharing.steal,
          "a worker stops for milliseconds when the hypervisor gives its CPU to others", in_runs=False),
    Check("hypervisor", "Virtual machine", sharing.hypervisor,
          "other virtual machines on the host change the measurements, mostly without a visible sign"),
    Check("cpu_quota", "Limit of CPU time", sharing.cpu_quota,
          "after a group has used up its time, Linux stops it until the next period, for tens of milliseconds"),
    Check("mitigations", "Mitigations", kernel.mitigations,
          "mitigations cost the same in every run, but results of machines with different mitigations are not "
          "comparable"),
    Check("tick", "Tick and preemption", kernel.tick,
          "each tick stops a worker for microseconds; the preemption mode decides how long other threads wait"),
    Check("numa_balancing", "NUMA balancing", kernel.numa_balancing,
          "Linux unmaps and moves pages to find out who uses them, which causes page faults in the middle of a run"),
    Check("huge_pages", "Transparent huge pages", kernel.huge_pages,
          "with huge pages a buffer misses the TLB less often, so runs with and without them differ"),
    Check("memory", "Memory and swap", kernel.memory,
          "Linux must read swapped memory from the disk in the middle of a run"),
    Check("memory_lock", "Locked memory", rights.memory_lock,
          "Linux may page out memory that is not locked, which costs a page fault at the next use", of_kernel=False),
    Check("isolation_rights", "Rights to isolate and to limit", rights.isolation,
          "tasks that Weir may not move stay on the run's CPUs, and without the right to limit, there is no "
          "interference load",
          of_kernel=False),
    Check("realtime_rights", "Real-time priority", rights.realtime_rights,
          "without a real-time priority, workers take turns with all other programs", of_kernel=False),
    Check("realtime_throttle", "Real-time throttling", rights.realtime_throttle,
          "once per period, Linux stops a worker that never sleeps, for tens of milliseconds"),
    Check("realtime_group", "Real-time of the control group", rights.realtime_group,
          "in a group without a share, not even root gets a real-time priority"),
    Check("lttng", "LTTng", tools.lttng,
          "without LTTng there are no traces; Weir then measures latencies from events in memory", of_kernel=False),
    Check("kernel_tracer", "Kernel tracer", tools.kernel_tracer,
          "a trace of Linux shows what ran instead of a worker"),
    Check("perf_counters", "Hardware counters", tools.perf_counters, "hardware counters show why something is slow"),
    Check("volk_profile", "VOLK profile", tools.volk_profile,
          "VOLK's choice of kernels decides how fast blocks are, here and on other machines", of_kernel=False),
)


@dataclass(frozen=True)
class Finding:
    """Result of one check."""

    check: Check
    verdict: Verdict

    def brief(self) -> dict[str, object]:
        """Return the finding as plain JSON values, without reason and deployments."""
        it = self.verdict
        return {"id": self.check.id, "title": self.check.title, "severity": it.severity, "value": it.value,
                "message": it.message, "commands": list(it.commands), "remedy": it.remedy}

    def as_json(self) -> dict[str, object]:
        """Return the fields as plain JSON values."""
        concerns = [{"deployment": name, "message": message} for name, message in self.verdict.concerns.items()]
        return {**self.brief(), "why": self.check.why, "concerns": concerns}


def examine(machine: MachineView, in_runs: bool = False) -> list[Finding]:
    """Make all checks and return the findings, the worst first. `in_runs`: only the checks of every run, which take
    milliseconds.
    """
    found = [Finding(check, _look(check, machine)) for check in CHECKS if check.in_runs or not in_runs]
    return sorted(found, key=lambda finding: SEVERITIES.index(finding.verdict.severity))


def findings_of_run(machine: MachineView) -> list[dict[str, object]]:
    """Return the findings that are not ok, for run.json. `machine` has the deployment of the run."""
    return [{**finding.brief(), "concern": "; ".join(finding.verdict.concerns.values())}
            for finding in examine(machine, in_runs=True) if finding.verdict.severity != OK]


def _look(check: Check, machine: MachineView) -> Verdict:
    try:
        verdict = check.look(machine)
    except (ValueError, LookupError, OSError) as error:  # a format that no known kernel writes
        return unknown(f"Weir cannot read the value: {type(error).__name__}: {error}")
    if machine.container and check.of_kernel and verdict.commands:
        return replace(verdict, remedy="; ".join(filter(None, ("on the host, not in this container", verdict.remedy))))
    return verdict


_WIDTH, _LABEL = 110, 9
_COLOURS = {BROKEN: "1;31", NOISY: "1;33", NOTE: "1", UNKNOWN: "2", OK: "1;32"}
_DIM, _BOLD = "2", "1"


def page(about: Mapping[str, Any], findings: Sequence[Finding], colour: bool) -> str:
    """Return the text of the report: the strongest sources of noise first, each with its remedy. `about` is {machine,
    project, deployments} of the answer. `colour` adds ANSI colours.
    """
    def paint(text: str, code: str) -> str:
        return f"\033[{code}m{text}\033[0m" if colour and text.strip() else text

    def rows(text: str, label: str = "", code: str = "") -> Iterator[str]:
        """Yield the text as wrapped rows, with the label to the left of the first row."""
        for line in textwrap.wrap(printable(text), _WIDTH - _LABEL, break_on_hyphens=False, break_long_words=False):
            yield paint(f"{label:<{_LABEL}}", _COLOURS.get(label, "")) + (paint(line, code) if code else line)
            label = ""

    machine = about["machine"]
    lines = [paint(printable(", ".join(filter(None, (machine["cpu"] or machine["host"], f"{machine['cpus']} CPUs",
                                                      f"Linux {machine['kernel']}")))), _BOLD)]
    if about["project"]:
        lines.append(printable(f"{about['project']}: {', '.join(about['deployments'])}"))
    for finding in findings:
        verdict = finding.verdict
        if verdict.severity not in (BROKEN, NOISY, NOTE):
            continue
        lines += ["", *rows(f"{finding.check.title}: {verdict.message}", verdict.severity)]
        lines += rows(finding.check.why, code=_DIM)
        for message in dict.fromkeys(verdict.concerns.values()):
            names = [f"`{name}`" for name, said in verdict.concerns.items() if said == message]
            lines += rows(f"deployment{'s' * (len(names) > 1)} {', '.join(names)}: {message}")
        # One line for each command, however long, so that it can be copied.
        lines += [f"{'':<{_LABEL}}{paint('$', _DIM)} {printable(command)}" for command in verdict.commands]
        lines += rows(verdict.remedy, code=_DIM)
    unknown_findings = [finding for finding in findings if finding.verdict.severity == UNKNOWN]
    if unknown_findings:
        lines.append("")
    for finding in unknown_findings:
        remedy = f"; {finding.verdict.remedy}" if finding.verdict.remedy else ""
        lines += rows(f"{finding.check.title}: {finding.verdict.message}{remedy}", UNKNOWN)
    good = [finding.check.title + (f" ({value})" if len(value := finding.verdict.value or "") in range(1, 13) else "")
            for finding in findings if finding.verdict.severity == OK]
    lines += ["", *rows(", ".join(good), OK)] if good else []
    return "\n".join([*lines, "", paint(summary(findings), _BOLD)]) + "\n"


def summary(findings: Sequence[Finding]) -> str:
    """Return the last line of the page."""
    noisy, broken = (sum(finding.verdict.severity == severity for finding in findings) for severity in (NOISY, BROKEN))
    things = f"{noisy} things make" if noisy > 1 else "1 thing makes" if noisy else "nothing makes"
    lacking = f", and {broken} that the project requests {'does' if broken == 1 else 'do'} not work" if broken else ""
    return f"{things} measurements noisy here{lacking}"
