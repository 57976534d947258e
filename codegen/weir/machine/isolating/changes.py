"""Kinds of changes to a machine, each with how to read, set and restore it."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from weir.machine.isolating.machine import Machine
from weir.model.planning.topology import parse_list, parse_mask, write_list

#: Outcomes of undoing a change. The last two must be reported.
PUT_BACK, NOT_MADE, GONE, CHANGED_SINCE, FAILED = "put back", "not made", "gone", "changed since", "failed"

#: A process in a group may fork while the group is emptied, so emptying is repeated for this long.
_EMPTYING_S = 2.0


@dataclass(frozen=True)
class Change:
    """Change to the machine. `at`: the file, the task (`TID START`) or the unit. `before`: the old value. `to`: the new
    one.

    For a group, `before` has the CPUs of its tasks after the isolation, and `to` those inside the group. `home` is the
    group to which the tasks return. A group of loops has neither, because its processes are killed.
    """

    kind: str
    at: str
    before: str
    to: str
    home: str = ""

    def now(self, machine: Machine) -> str | None:
        """Return the current value in the form of `before` and `to`, None if it no longer exists. Raises OSError."""
        return KINDS[self.kind].now(machine, self)

    def make(self, machine: Machine) -> None:
        """Make the change. Raises OSError."""
        KINDS[self.kind].put(machine, self, False)

    def put_back(self, machine: Machine) -> tuple[str, str]:
        """Restore the value and return the outcome, with the reason if needed. A value that another program has
        changed since stays unchanged.
        """
        try:
            now = self.now(machine)
            if now is None:
                return GONE, ""
            if not self._same(now, self.to):
                return (NOT_MADE, "") if self._same(now, self.before) else (CHANGED_SINCE, f"it is {now or 'empty'}")
            KINDS[self.kind].put(machine, self, True)
            now = self.now(machine)
        except OSError as error:
            return FAILED, error.strerror or str(error)
        return (PUT_BACK, "") if now is None or self._same(now, self.before) else (FAILED, f"it stays {now}")

    def value(self, back: bool) -> str:
        """Return the value that makes the change, or with `back` the one that undoes it."""
        return self.before if back else self.to

    def _same(self, one: str, other: str) -> bool:
        read = KINDS[self.kind].read
        return read(one) == read(other)

    def words(self) -> str:
        """Return the change in words."""
        return KINDS[self.kind].words.format(self.at.split()[0])


@dataclass(frozen=True)
class Kind:
    """Kind of change. `place`: pattern of a valid `at`, which protects all other files from a bad journal. `words`: for
    people. `put` makes the change or undoes it.

    `several`: the words for a number of such changes together; empty: each is reported by itself.
    """

    place: str
    words: str
    now: Callable[[Machine, Change], str | None]
    put: Callable[[Machine, Change, bool], None]
    read: Callable[[str], object] = str
    several: str = ""


def _cpus(text: str) -> frozenset[int]:
    return parse_list(text.replace(" ", ","))


def _file_says(machine: Machine, change: Change) -> str | None:
    try:
        return machine.text(change.at)
    except FileNotFoundError:
        return None


def _write_file(machine: Machine, change: Change, back: bool) -> None:
    machine.write(change.at, change.value(back))


def task_at(tid: int, start: int) -> str:
    """Return the place of a task: its id and its start time."""
    return f"{tid} {start}"


def _affinity(machine: Machine, change: Change) -> str | None:
    tid, start = map(int, change.at.split())
    task = machine.task(tid)
    if task is None or task.start != start:
        return None
    try:
        return write_list(machine.affinity(tid))
    except (FileNotFoundError, ProcessLookupError):
        return None


def _set_affinity(machine: Machine, change: Change, back: bool) -> None:
    with contextlib.suppress(ProcessLookupError):
        machine.set_affinity(int(change.at.split()[0]), _cpus(change.value(back)))


def _unit_has(machine: Machine, change: Change) -> str | None:
    return machine.call("systemctl", "show", "--property=AllowedCPUs", "--value", change.at)


def _set_unit(machine: Machine, change: Change, back: bool) -> None:
    machine.call("systemctl", "--no-ask-password", "set-property", "--runtime", change.at,
                 f"AllowedCPUs={change.value(back)}")


#: By controller: the file that shows whether a group uses it, and its content if the group does not.
_UNUSED = {"cpuset": {"cpuset.cpus": ""}, "cpu": {"cpu.max": "max 100000", "cpu.weight": "100"}}


def _controlled(machine: Machine, change: Change) -> str | None:
    """Return the controller's name if groups below have it, "" if not, and another text if another program uses it."""
    folder, unused = change.at.rpartition("/")[0], _UNUSED[change.to]
    if change.to not in machine.text(change.at).split():
        return ""
    used = [name for name in machine.names(folder, "*") if not re.fullmatch(_GROUP, name)
            and any(_says(machine, f"{folder}/{name}/{file}") not in ("", usual) for file, usual in unused.items())]
    return f"used by {used[0]}" if used else change.to


def _says(machine: Machine, path: str) -> str:
    try:
        return machine.text(path)
    except OSError:
        return ""


def _control(machine: Machine, change: Change, back: bool) -> None:
    machine.write(change.at, f"{'-' if back else '+'}{change.to}")


def _group_there(machine: Machine, change: Change) -> str | None:
    return change.to if machine.has(change.at) else None


def _make_or_empty(machine: Machine, change: Change, back: bool) -> None:
    if not back:
        machine.make_group(change.at)
        return
    _empty(machine, change.at, lambda pid: _send_home(machine, change, pid), "moved out of it")
    machine.remove_group(change.at)


def _make_or_end(machine: Machine, change: Change, back: bool) -> None:
    if not back:
        machine.make_group(change.at)
        return
    _empty(machine, change.at, machine.end, "ended")
    machine.remove_group(change.at)


def _empty(machine: Machine, group: str, one: Callable[[int], None], done: str) -> None:
    deadline = time.monotonic() + _EMPTYING_S
    while members := machine.text(f"{group}/cgroup.procs").split():
        if time.monotonic() > deadline:
            raise OSError(0, f"processes {', '.join(members)} cannot be {done}")
        if "0" in members:  # a pid of 0 would mean our own process group
            raise OSError(0, "it has a process of another PID namespace")
        for pid in members:
            one(int(pid))
        time.sleep(0.001)


def _send_home(machine: Machine, change: Change, pid: int) -> None:
    """Move a process back to its home group, and restore the CPUs of its threads."""
    threads = [int(name) for name in machine.names(f"proc/{pid}/task", "[0-9]*")]
    with contextlib.suppress(ProcessLookupError):
        machine.write(f"{change.home}/cgroup.procs", str(pid))
    for tid in threads:
        with contextlib.suppress(OSError):
            if machine.affinity(tid) == _cpus(change.to):
                machine.set_affinity(tid, _cpus(change.before))


_GROUP = r"weir-[0-9a-f]{16}"
#: In the order of undoing. Groups precede tasks, because the CPUs of a group limit those of its tasks.
KINDS = {
    "governor": Kind(r"sys/devices/system/cpu/cpu\d+/cpufreq/scaling_governor", "{}", _file_says, _write_file),
    "interrupt": Kind(r"proc/irq/\d+/smp_affinity_list", "{}", _file_says, _write_file, _cpus, "interrupts"),
    "interrupts_to_come": Kind(r"proc/irq/default_smp_affinity", "{}", _file_says, _write_file, parse_mask),
    "group": Kind(rf"[\w./@:-]+/{_GROUP}", "the group {}", _group_there, _make_or_empty, _cpus),
    "loops": Kind(rf"[\w./@:-]+/{_GROUP}", "the group {}", _group_there, _make_or_end),
    "controller": Kind(r"[\w./@:-]+/cgroup\.subtree_control", "{}", _controlled, _control),
    "unit": Kind(r"[\w.@:\\-]+\.(slice|scope)", "{}", _unit_has, _set_unit, _cpus),
    "task": Kind(r"\d+ \d+", "task {}", _affinity, _set_affinity, _cpus, "tasks"),
}


def change_of(value: object) -> Change | None:
    """Return the change in a journal's entry, None if the entry is malformed or names a place outside its kind."""
    if not isinstance(value, dict) or value.keys() != {"kind", "at", "before", "to", "home"} or \
            not all(isinstance(text, str) for text in value.values()):
        return None
    change = Change(**value)
    kind = KINDS.get(change.kind)
    if kind is None or not re.fullmatch(kind.place, change.at) or ".." in f"{change.at}/{change.home}".split("/"):
        return None
    try:
        known = change.kind != "controller" or change.to in _UNUSED
        return change if known and kind.read(change.before) is not None and kind.read(change.to) is not None else None
    except ValueError:
        return None
