"""Control groups: find the hierarchy and its owner, make groups with their own CPUs, and limit CPU time."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass

from weir.machine.isolating.changes import Change
from weir.machine.isolating.machine import Machine
from weir.model.planning.isolation_check import PERIOD_US
from weir.model.planning.topology import parse_list, write_list

SYSTEMD, VERSION_2, VERSION_1, AFFINITY = "systemd", "cgroup2", "cgroup1", "affinity"
WORDS = {SYSTEMD: "systemd", VERSION_2: "cgroup v2", VERSION_1: "cgroup v1", AFFINITY: "only its affinity"}
#: Slice for the scope of a program. It is outside the slices whose CPUs are restricted.
SLICE = "weir.slice"


@dataclass(frozen=True)
class Hierarchy:
    """Control-group hierarchy with the controller. `home` is our own group in it."""

    by: str
    mount: str
    home: str


def found(machine: Machine, controller: str = "cpuset") -> Hierarchy | None:
    """Return the hierarchy with this controller, None if there is none. Version 2 has it only if version 1 does not.
    Raises OSError.
    """
    own = [line.split(":", 2) for line in machine.text("proc/self/cgroup").splitlines()]
    for line in machine.text("proc/self/mounts").splitlines():
        _, at, kind, options, *_ = line.split()
        mount = at.lstrip("/")
        if kind == "cgroup2" and machine.has(f"{mount}/cgroup.controllers") and \
                controller in machine.text(f"{mount}/cgroup.controllers").split():
            by = SYSTEMD if machine.has("run/systemd/system") else VERSION_2
            return Hierarchy(by, mount, _home(machine, mount, next((path for _, name, path in own if not name), "/")))
        if kind == "cgroup" and controller in options.split(","):
            path = next((path for _, names, path in own if controller in names.split(",")), "/")
            return Hierarchy(VERSION_1, mount, _home(machine, mount, path))
    return None


def _home(machine: Machine, mount: str, path: str) -> str:
    """Return our own group. In a container the path may be the host's, and the mount may be the group itself."""
    folder = f"{mount}/{path.strip('/')}".rstrip("/")
    return folder if ".." not in path and machine.has(folder) else mount


def units(machine: Machine, where: Hierarchy, free: frozenset[int]) -> Iterator[Change]:
    """Yield the changes that restrict all of systemd's units to the remaining CPUs. Raises OSError."""
    online = machine.online()
    for name in machine.names(where.mount, "*.slice") + machine.names(where.mount, "*.scope"):
        if name != SLICE:
            before = machine.call("systemctl", "show", "--property=AllowedCPUs", "--value", name)
            has = parse_list(before.replace(" ", ",")) or online
            if has & free:
                yield Change("unit", name, before, write_list(has - free or online - free))


def lacking(machine: Machine, where: Hierarchy, controller: str = "cpuset") -> Change | None:
    """Return the change that gives groups of version 2 the controller, None if they have it. Raises OSError."""
    path = f"{where.mount}/cgroup.subtree_control"
    if where.by != VERSION_2 or controller in machine.text(path).split():
        return None
    return Change("controller", path, "", controller)


def free_name(machine: Machine, folder: str) -> str:
    """Return an unused group name, with a random part so that no other program takes it."""
    return next(name for name in (f"{folder}/weir-{secrets.token_hex(8)}" for _ in range(100))
                if not machine.has(name))


def fill(machine: Machine, where: Hierarchy, group: str, cpus: frozenset[int], free: frozenset[int] | None) -> str:
    """Give a new group its CPUs. In version 2, also make the `free` CPUs exclusive to it, if there are any.

    Return why other programs may still use them, "" if they may not. Raises OSError.
    """
    if where.by == VERSION_1:
        machine.write(f"{group}/cpuset.mems", machine.text(f"{where.mount}/cpuset.mems"))
        machine.write(f"{group}/cpuset.cpus", write_list(cpus))
        return ""
    if free is None:
        machine.write(f"{group}/cpuset.cpus", write_list(cpus))
        return ""
    machine.write(f"{group}/cpuset.cpus", write_list(free))
    try:
        machine.write(f"{group}/cpuset.cpus.partition", "root")
        state = machine.text(f"{group}/cpuset.cpus.partition")
    except OSError as error:
        state = error.strerror or str(error)
    if state == "root":
        return ""
    machine.write(f"{group}/cpuset.cpus", write_list(cpus))
    return state


#: Weight equal to one process beside the group, and the largest weight that the kernel accepts.
_SHARES, _MOST_SHARES = 1024, 262_144
_WEIGHT, _MOST_WEIGHT = 100, 10_000


@dataclass(frozen=True)
class Group:
    """Control group that limits CPU time. `by` is as in `Hierarchy`. All methods that read or write raise OSError."""

    machine: Machine
    by: str
    path: str

    def weigh(self, processes: int) -> None:
        """Give the group the weight of this number of processes, so that only the limit has an effect."""
        name, each, most = ("cpu.shares", _SHARES, _MOST_SHARES) if self.by == VERSION_1 else \
            ("cpu.weight", _WEIGHT, _MOST_WEIGHT)
        self.machine.write(f"{self.path}/{name}", str(min(each * processes, most)))

    def limit(self, quota_us: int) -> None:
        """Set the CPU time for each period."""
        if self.by == VERSION_1:
            self.machine.write(f"{self.path}/cpu.cfs_period_us", str(PERIOD_US))
            self.machine.write(f"{self.path}/cpu.cfs_quota_us", str(quota_us))
        else:
            self.machine.write(f"{self.path}/cpu.max", f"{quota_us} {PERIOD_US}")

    def limited(self) -> float | None:
        """Return the limit in CPUs as Linux reports it, None for no limit."""
        quota, period = (self.machine.text(f"{self.path}/cpu.cfs_{name}_us") for name in ("quota", "period")) \
            if self.by == VERSION_1 else self.machine.text(f"{self.path}/cpu.max").split()
        return None if quota in ("max", "-1") else int(quota) / int(period)

    def throttled_s(self) -> float | None:
        """Return the time in seconds that the group was throttled so far, summed over all CPUs; None if Linux does not
        report it.
        """
        try:
            counters = dict(line.split() for line in self.machine.text(f"{self.path}/cpu.stat").splitlines())
        except OSError:
            return None
        per_s = {"throttled_usec": 1e6, "throttled_time": 1e9}
        return next((int(counters[name]) / of for name, of in per_s.items() if name in counters), None)


def to_make(machine: Machine, where: Hierarchy) -> tuple[list[Change], Group]:
    """Return the change that makes a group, and the group. In version 1 it is inside our own group. In version 2 our
    group has processes, so groups in it would have no controller. Raises OSError.
    """
    folder = where.home if where.by == VERSION_1 else where.mount
    path, missing = free_name(machine, folder), lacking(machine, where, "cpu")
    return [*([missing] if missing else []), Change("loops", path, "", "loops")], Group(machine, where.by, path)


def of_process(machine: Machine, pid: int, where: Hierarchy) -> Group:
    """Return the group that systemd made for a process."""
    lines = machine.text(f"proc/{pid}/cgroup").splitlines()
    path = next((line.split(":", 2)[2] for line in lines if line.startswith("0::")), "/")
    return Group(machine, where.by, f"{where.mount}/{path.strip('/')}")


def scope_words(unit: str, quota_us: int | None, processes: int, inside: bool, user: bool) -> list[str]:
    """Return the command with which systemd starts a program in its own group, next to ours or `inside` Weir's slice.
    """
    return ["systemd-run", *(["--user"] if user else []), "--scope", "--quiet", "--collect", "--no-ask-password",
            f"--unit={unit}", *([f"--slice={SLICE}"] if inside else ["--slice-inherit"]),
            f"--property=CPUWeight={min(_WEIGHT * processes, _MOST_WEIGHT)}",
            *([f"--property=CPUQuota={100 * quota_us / PERIOD_US:.2f}%"] if quota_us is not None else []), "--"]
