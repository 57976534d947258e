"""Control groups: which there are, who owns them, and how one with CPUs is made."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass

from weir.machine.isolating.changes import Change
from weir.machine.isolating.machine import Machine
from weir.model.planning.topology import parse_list, write_list

SYSTEMD, VERSION_2, VERSION_1, AFFINITY = "systemd", "cgroup2", "cgroup1", "affinity"
WORDS = {SYSTEMD: "systemd", VERSION_2: "cgroup v2", VERSION_1: "cgroup v1", AFFINITY: "its affinity alone"}
#: Where the scope of a program goes: outside of what is narrowed.
SLICE = "weir.slice"


@dataclass(frozen=True)
class Hierarchy:
    """What is mounted there has the controller; `home`: our own group in it."""

    by: str
    mount: str
    home: str


def found(machine: Machine, controller: str = "cpuset") -> Hierarchy | None:
    """That with this controller; None where there is none. Version 2 has it only where version 1 has not. OSError."""
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
    """In a container the path may be that of the host, and what is mounted the group itself."""
    folder = f"{mount}/{path.strip('/')}".rstrip("/")
    return folder if ".." not in path and machine.has(folder) else mount


def units(machine: Machine, where: Hierarchy, free: frozenset[int]) -> Iterator[Change]:
    """Everything that systemd runs gets the CPUs that are left. OSError."""
    online = machine.online()
    for name in machine.names(where.mount, "*.slice") + machine.names(where.mount, "*.scope"):
        if name != SLICE:
            before = machine.call("systemctl", "show", "--property=AllowedCPUs", "--value", name)
            has = parse_list(before.replace(" ", ",")) or online
            if has & free:
                yield Change("unit", name, before, write_list(has - free or online - free))


def lacking(machine: Machine, where: Hierarchy, controller: str = "cpuset") -> Change | None:
    """What groups of version 2 need to have the controller; None where they have. OSError."""
    path = f"{where.mount}/cgroup.subtree_control"
    if where.by != VERSION_2 or controller in machine.text(path).split():
        return None
    return Change("controller", path, "", controller)


def free_name(machine: Machine, folder: str) -> str:
    """Of a group that is not there. Nobody makes one of that name by chance meanwhile."""
    return next(name for name in (f"{folder}/weir-{secrets.token_hex(8)}" for _ in range(100))
                if not machine.has(name))


def fill(machine: Machine, where: Hierarchy, group: str, cpus: frozenset[int], free: frozenset[int] | None) -> str:
    """Gives a new group its CPUs, and with version 2 those that are `free` to itself, if any.

    Returns why others may still use them, "" if not. OSError.
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
