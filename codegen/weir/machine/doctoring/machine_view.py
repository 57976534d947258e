"""View of a machine through its files, below `/` or a recorded folder, and the results of checks."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from weir.machine.doctoring.deployed import Deployed
from weir.model.planning.topology import parse_list

#: The worst first. broken: a requested feature does not work; noisy: results vary between runs or are worse at times;
#: note: matters for comparisons with other machines; unknown: the fact cannot be read.
BROKEN, NOISY, NOTE, UNKNOWN, OK = SEVERITIES = ("broken", "noisy", "note", "unknown", "ok")


@dataclass(frozen=True)
class Verdict:
    """Result of a check. `value`: the short value that the machine reports, None if it reports none. `message` is the
    same in a sentence.

    `commands`, in this order, remedy the fault. `remedy`: notes on the commands, or why there is no remedy here.
    `concerns`: deployment of the project -> consequence for it.
    """

    severity: str
    value: str | None
    message: str
    commands: tuple[str, ...] = ()
    remedy: str = ""
    concerns: Mapping[str, str] = field(default_factory=dict)


def ok(value: str | None, message: str) -> Verdict:
    """Return a check result without a fault."""
    return Verdict(OK, value, message)


def unknown(message: str, remedy: str = "") -> Verdict:
    """Return a check result for a fact that cannot be read. `message`: why."""
    return Verdict(UNKNOWN, None, message, remedy=remedy)


CPUS = "sys/devices/system/cpu"
#: Fields of a line of /proc/stat, in order.
_TIMES = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
SAMPLE_S = 1.0
#: Names in the firmware of virtual machines. They are specific, because some makers sell physical machines, too.
_HYPERVISORS = re.compile(r"\b(QEMU|KVM|Amazon EC2(?!.*\.metal)|Google Compute Engine|VMware|VirtualBox|Xen|Parallels|"
                          r"Microsoft Corporation Virtual Machine|OpenStack|Bochs|BHYVE|Apple Virtualization)\b")


@dataclass(frozen=True)
class MachineView:
    """View of a machine. `deployments`: those of the project, none without a project. `variables`: environment
    variables, None for those of this process.

    `volk_machine` asks VOLK which machine it picks. `pause` sleeps for some seconds.
    """

    root: Path = Path("/")
    deployments: Sequence[Deployed] = ()
    variables: Mapping[str, str] | None = None
    volk_machine: Callable[[], str | None] = lambda: None
    pause: Callable[[float], None] = time.sleep

    def text(self, path: str) -> str | None:
        """Return the content of a file without surrounding blanks, None if it cannot be read."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return None

    def number(self, path: str) -> int | None:
        """Return the integer in a file, None if it has none."""
        text = self.text(path)
        return int(text) if text and text.lstrip("-").isdigit() else None

    def exists(self, path: str) -> bool:
        """Return whether a path exists."""
        try:
            return (self.root / path).exists()
        except OSError:
            return False

    def glob(self, pattern: str) -> list[str]:
        """Return the matching paths by name, none if the folder may not be read."""
        try:
            return sorted(str(path.relative_to(self.root)) for path in self.root.glob(pattern))
        except OSError:
            return []

    def cpu_list(self, path: str) -> frozenset[int] | None:
        """Return the CPUs in a file of the kernel, which writes `(null)` for none."""
        text = self.text(path)
        return None if text is None else parse_list("" if text == "(null)" else text)

    def per_cpu(self, path: str, cpus: Iterable[int] | None = None) -> dict[int, str]:
        """Return the content of a file of each CPU that has it."""
        found = {cpu: self.text(f"{CPUS}/cpu{cpu}/{path}") for cpu in sorted(self.online if cpus is None else cpus)}
        return {cpu: text for cpu, text in found.items() if text is not None}

    def variable(self, name: str) -> str:
        """Return an environment variable, empty if it is not set."""
        return (os.environ if self.variables is None else self.variables).get(name, "")

    def program(self, name: str) -> bool:
        """Return whether PATH has the program."""
        return any(self.exists(f"{folder.lstrip('/')}/{name}") for folder in self.variable("PATH").split(":") if folder)

    @cached_property
    def online(self) -> frozenset[int]:
        """Return the CPUs that are online. Raises LookupError if no file lists them."""
        for text in (self.text(f"{CPUS}/online"), self.of_process("Cpus_allowed_list")):
            try:
                if cpus := parse_list(text or ""):
                    return cpus
            except ValueError:  # a format that no known kernel writes
                continue
        if self.root == Path("/"):
            return frozenset(os.sched_getaffinity(0))
        raise LookupError("the list of online CPUs is missing")

    @cached_property
    def allowed(self) -> frozenset[int]:
        """Return the CPUs of the affinity mask with which this process was started."""
        return parse_list(self.of_process("Cpus_allowed_list") or "") or self.online

    @cached_property
    def settable(self) -> frozenset[int]:
        """Return the CPUs to which a thread can be bound. A control group's CPU set refuses all other CPUs."""
        sets = [f"{folder}/cpuset.cpus.effective" for folder in self.groups("")]
        sets += [f"{folder}/cpuset.{name}" for folder in self.groups("cpuset") for name in ("effective_cpus", "cpus")]
        return self.online & next(filter(None, map(self.cpu_list, sets)), self.online)

    @cached_property
    def isolated(self) -> frozenset[int]:
        """Return the CPUs isolated by `isolcpus` or by a partition of control groups (version 2)."""
        own = self.cpu_list(f"{CPUS}/isolated") or frozenset()
        return own.union(*(self.cpu_list(f"{folder}/cpuset.cpus.isolated") or () for folder in self.group_mounts("")))

    @cached_property
    def siblings(self) -> dict[int, frozenset[int]]:
        """Return, by CPU, the other online threads of its core."""
        return {cpu: (parse_list(text) & self.online) - {cpu}
                for cpu, text in self.per_cpu("topology/thread_siblings_list").items()}

    def of_process(self, key: str) -> str | None:
        """Return the value of a line of /proc/self/status, None without that line."""
        return next((line.partition(":")[2].strip() for line in (self.text("proc/self/status") or "").splitlines()
                     if line.startswith(f"{key}:")), None)

    def has_capability(self, number: int) -> bool:
        """Return whether the process has the capability of this number."""
        return bool(int(self.of_process("CapEff") or "0", 16) >> number & 1)

    def limit(self, name: str) -> float | None:
        """Return the soft limit with this name in /proc/self/limits; infinity for unlimited."""
        for line in (self.text("proc/self/limits") or "").splitlines():
            if line.startswith(name):
                soft = line[len(name):].split()[0]
                return float("inf") if soft == "unlimited" else int(soft)
        return None

    @cached_property
    def release(self) -> str:
        """Return the kernel's release."""
        return self.text("proc/sys/kernel/osrelease") or ""

    @cached_property
    def command_line(self) -> list[str]:
        """Return the words of the kernel's command line."""
        return (self.text("proc/cmdline") or "").split()

    @cached_property
    def virtual(self) -> str | None:
        """Return the hypervisor, "" if there is none, None if it is unknown."""
        flags = next((line.split() for line in (self.text("proc/cpuinfo") or "").splitlines()
                      if line.startswith("flags")), None)
        kind = self.text("sys/hypervisor/type") or self.text("proc/device-tree/hypervisor/compatible")
        labels = (self.text(f"sys/class/dmi/id/{name}") for name in ("sys_vendor", "product_name"))
        maker = " ".join(filter(None, labels))
        if not kind and "hypervisor" not in (flags or ()) and not _HYPERVISORS.search(maker):
            return None if flags is None else ""  # only x86 has a flag for virtual machines
        by_clock = "KVM" if "kvm-clock" in self.clock_sources else "a hypervisor"
        return (kind or "").strip("\0") or maker or by_clock

    @property
    def clock_sources(self) -> list[str]:
        """Return the clock sources that the kernel could use."""
        return (self.text("sys/devices/system/clocksource/clocksource0/available_clocksource") or "").split()

    @cached_property
    def container(self) -> bool:
        """Return whether this looks like a container."""
        return any(map(self.exists, (".dockerenv", "run/.containerenv", "run/systemd/container"))) or \
            any(word in (self.text("proc/1/cgroup") or "") for word in ("docker", "kubepods", "lxc"))

    def group_mounts(self, controller: str) -> list[str]:
        """Return the mount points of control groups with this controller relative to the root (version 1), or "" for
        version 2.
        """
        mounts = [line.split() for line in (self.text("proc/self/mounts") or "").splitlines()]
        return [at.lstrip("/") for _, at, kind, options, *_ in mounts
                if (kind == "cgroup2" if not controller else kind == "cgroup" and controller in options.split(","))]

    def groups(self, controller: str) -> list[str]:
        """Return the folders of our own control group and of those above it, the nearest first. `controller` is as in
        `group_mounts`.
        """
        lines = [line.split(":", 2) for line in (self.text("proc/self/cgroup") or "").splitlines()]
        own = next((path for _, names, path in lines if controller in names.split(",")), "/").strip("/")
        found = []
        for mount in self.group_mounts(controller):
            # In a container the path may be the host's, and the mount may be the group itself.
            parts = own.split("/") if own and self.exists(f"{mount}/{own}") else []
            found += ["/".join([mount, *parts[:depth]]) for depth in range(len(parts), -1, -1)]
        return found

    @cached_property
    def second(self) -> dict[str, float]:
        """Measure for a second and return the shares of the CPUs' time by use; empty if the kernel does not count it.
        """
        before = self._times()
        self.pause(SAMPLE_S)
        spent = {name: after - before[name] for name, after in self._times().items() if name in before}
        total = sum(spent.values())
        return {name: ticks / total for name, ticks in spent.items()} if total > 0 else {}

    def _times(self) -> dict[str, int]:
        words = (self.text("proc/stat") or "").partition("\n")[0].split()
        return dict(zip(_TIMES, map(int, words[1:]))) if words[:1] == ["cpu"] else {}

    @property
    def is_root(self) -> bool:
        """Return whether the process runs as root."""
        return (self.of_process("Uid") or "1").split()[0] == "0"

    @cached_property
    def sudo(self) -> str:
        """Return the prefix of a command that only root may run."""
        return "" if self.is_root else "sudo "

    def write(self, value: object, *paths: str) -> str:
        """Return the command that writes the value into files below /."""
        return f"echo {value} | {self.sudo}tee {' '.join('/' + path for path in paths)}"

    def boot_with(self, options: str) -> dict[str, Any]:
        """Return `commands` and `remedy` that add these options to the command line of Linux."""
        if self.virtual and not self.exists("etc/default/grub"):
            return {"remedy": f"on the host of this virtual machine, add `{options}` to the command line of Linux"}
        if not self.exists("etc/default/grub"):
            return {"remedy": f"add `{options}` to the command line of Linux, and reboot"}
        return {"commands": (f"""{self.sudo}sed -i 's/^GRUB_CMDLINE_LINUX="/&{options} /' /etc/default/grub""",
                             f"{self.sudo}update-grub && {self.sudo}reboot"),
                "remedy": "the machine reboots"}
