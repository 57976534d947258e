"""Control groups whose CPU time is limited."""

from __future__ import annotations

from dataclasses import dataclass

from weir.machine.isolating import groups
from weir.machine.isolating.changes import Change
from weir.machine.isolating.machine import Machine
from weir.model.planning.surroundings import PERIOD_US

#: What a group weighs against one process beside it; the most that the kernel takes.
_SHARES, _MOST_SHARES = 1024, 262_144
_WEIGHT, _MOST_WEIGHT = 100, 10_000


@dataclass(frozen=True)
class Group:
    """`by`: as `groups` has it. What reads and writes raises OSError where it cannot."""

    machine: Machine
    by: str
    path: str

    def weigh(self, processes: int) -> None:
        """As much as so many processes beside it: the limit is all that it changes."""
        name, each, most = ("cpu.shares", _SHARES, _MOST_SHARES) if self.by == groups.VERSION_1 else \
            ("cpu.weight", _WEIGHT, _MOST_WEIGHT)
        self.machine.write(f"{self.path}/{name}", str(min(each * processes, most)))

    def limit(self, quota_us: int) -> None:
        """Of each period."""
        if self.by == groups.VERSION_1:
            self.machine.write(f"{self.path}/cpu.cfs_period_us", str(PERIOD_US))
            self.machine.write(f"{self.path}/cpu.cfs_quota_us", str(quota_us))
        else:
            self.machine.write(f"{self.path}/cpu.max", f"{quota_us} {PERIOD_US}")

    def limited(self) -> float | None:
        """In CPUs, as the kernel has it; None for no limit."""
        quota, period = (self.machine.text(f"{self.path}/cpu.cfs_{name}_us") for name in ("quota", "period")) \
            if self.by == groups.VERSION_1 else self.machine.text(f"{self.path}/cpu.max").split()
        return None if quota in ("max", "-1") else int(quota) / int(period)

    def throttled_s(self) -> float | None:
        """How long it was stopped so far, on all CPUs together; None where the kernel does not tell."""
        try:
            told = dict(line.split() for line in self.machine.text(f"{self.path}/cpu.stat").splitlines())
        except OSError:
            return None
        per_s = {"throttled_usec": 1e6, "throttled_time": 1e9}
        return next((int(told[name]) / of for name, of in per_s.items() if name in told), None)


def to_make(machine: Machine, where: groups.Hierarchy) -> tuple[list[Change], Group]:
    """What makes a group there. In version 1 it is in our own one: with version 2 that has processes, and groups in it
    would have no controller. OSError.
    """
    folder = where.home if where.by == groups.VERSION_1 else where.mount
    path, missing = groups.free_name(machine, folder), groups.lacking(machine, where, "cpu")
    return [*([missing] if missing else []), Change("loops", path, "", "loops")], Group(machine, where.by, path)


def of_process(machine: Machine, pid: int, where: groups.Hierarchy) -> Group:
    """That which systemd made of a process."""
    lines = machine.text(f"proc/{pid}/cgroup").splitlines()
    path = next((line.split(":", 2)[2] for line in lines if line.startswith("0::")), "/")
    return Group(machine, where.by, f"{where.mount}/{path.strip('/')}")


def scope_words(unit: str, quota_us: int | None, processes: int, inside: bool, user: bool) -> list[str]:
    """What systemd starts a program with, in a group of its own: beside ours, or `inside` Weir's slice."""
    return ["systemd-run", *(["--user"] if user else []), "--scope", "--quiet", "--collect", "--no-ask-password",
            f"--unit={unit}", *([f"--slice={groups.SLICE}"] if inside else ["--slice-inherit"]),
            f"--property=CPUWeight={min(_WEIGHT * processes, _MOST_WEIGHT)}",
            *([f"--property=CPUQuota={100 * quota_us / PERIOD_US:.2f}%"] if quota_us is not None else []), "--"]
