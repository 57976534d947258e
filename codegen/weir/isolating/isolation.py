"""Keeps CPUs free for one program while it runs, by whatever the machine lets us do, and puts everything back."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from weir.diagnostics import WeirError, diagnostic, os_error
from weir.isolating import groups
from weir.isolating.changes import FAILED, KINDS, Change, task_at
from weir.isolating.choosing import Chosen
from weir.isolating.journal import Journal
from weir.isolating.machine import CPUS, Machine
from weir.isolating.restoring import Settled, put_all_back
from weir.measuring.processes import identity
from weir.planning.topology import cpu_words, parse_list, parse_mask, write_list

#: The governor where none is asked for; this one changes nothing.
USUAL, KEEP = "performance", "keep"
#: New tasks may begin while others are moved.
_PASSES = 3


@dataclass(frozen=True)
class Refused:
    """What could not be done, why, and what it would need ("" where nothing helps)."""

    what: str
    reason: str
    needs: str

    def as_json(self) -> dict[str, str]:
        return {"what": self.what, "reason": self.reason, "needs": self.needs}


class Isolation:
    """In force while it is entered. `settled`, afterwards: what became of each change.

    `journal` is None, with `why`, where none can be written: then nothing is changed that would have to be put back.
    `governor`: None for the usual one, where there are any.
    """

    def __init__(self, machine: Machine, chosen: Chosen, governor: str | None, journal: Journal | None,
                 why: str = "") -> None:
        self._machine, self._journal, self._why = machine, journal, why
        self._governor, self.chosen, self.by = governor, chosen, groups.AFFINITY
        self._announced: list[Change] = []
        self._made: list[Change] = []
        self._not_made: list[tuple[Change, str, str]] = []
        self._notes: list[Refused] = []
        self._group = self._home = ""
        self._pid = os.getpid()
        self._before = machine.affinity(self._pid)
        self.settled: list[Settled] = []

    def __enter__(self) -> Isolation:
        try:
            self._make_group()
            self._move_tasks()
            self._move_interrupts()
            self._set_governor()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def end(self) -> None:
        """Puts back what was changed. The journal stays where something cannot be."""
        self._leave()
        if self._journal is not None:
            self.settled = put_all_back(self._machine, self._announced, self._journal.owner["start"] or 0)
            if not any(one.outcome == FAILED for one in self.settled):
                self._journal.remove()

    @contextlib.contextmanager
    def inside(self) -> Iterator[Sequence[str]]:
        """While it is entered, what is started runs on the CPUs, with these words before its own.

        WeirError where nothing may run there.
        """
        try:
            yield self._enter()
        finally:
            self._leave()

    def summary(self) -> dict[str, object]:
        """What was done and what was not, as `run.json` has it."""
        return {"id": self._journal.id if self._journal else "", **identity(), "cpus": write_list(self.chosen.cpus),
                "free": write_list(self.chosen.free), "siblings": write_list(self.chosen.siblings), "by": self.by,
                "tasks": self._count("task"), "interrupts": self._count("interrupt"),
                "governor": next((change.to for change in self._made if change.kind == "governor"), None),
                "refused": [one.as_json() for one in self.refused()]}

    def refused(self) -> list[Refused]:
        """What of a kind was refused for one reason is one."""
        together: dict[tuple[str, str, str], list[Change]] = {}
        for change, reason, needs in self._not_made:
            together.setdefault((change.kind, reason, needs), []).append(change)
        return self._notes + [
            Refused(f"{len(some)} {KINDS[kind].several}" if KINDS[kind].several and len(some) > 1 else
                    ", ".join(change.words() for change in some), reason, needs)
            for (kind, reason, needs), some in together.items()]

    def _count(self, kind: str) -> int:
        return sum(change.kind == kind for change in self._made)

    def _make(self, changes: Sequence[Change]) -> list[Change]:
        """Those of them that could be made."""
        if not changes:
            return []
        try:
            if self._journal is None:
                raise OSError(0, self._why)
            self._journal.announce(changes)
        except OSError as error:
            reason = f"it cannot be written down how to put it back: {error.strerror}"
            self._not_made += [(change, reason, "a journal that can be written") for change in changes]
            return []
        self._announced += changes
        made = []
        for change in changes:
            try:
                change.make(self._machine)
            except OSError as error:
                self._not_made.append((change, error.strerror or str(error), _needs(error, change.kind)))
            else:
                made.append(change)
        self._made += made
        return made

    def _note(self, what: str, reason: str, needs: str = "") -> None:
        self._notes.append(Refused(what, reason, needs))

    def _make_group(self) -> None:
        machine, chosen = self._machine, self.chosen
        try:
            where = groups.found(machine)
            if where is None:
                self._note("a CPU set", "no control groups with CPU sets are mounted here", "a kernel with cpuset")
            elif where.by == groups.SYSTEMD:
                if self._make(list(groups.units(machine, where, chosen.free))):
                    self.by = groups.SYSTEMD
            else:
                missing = groups.controller(machine, where) if where.by == groups.VERSION_2 else None
                if missing is None or self._make([missing]):
                    self._own_group(where)
        except OSError as error:
            self._note("a CPU set", error.strerror or str(error), _needs(error, "group"))

    def _own_group(self, where: groups.Hierarchy) -> None:
        machine, chosen = self._machine, self.chosen
        name = groups.free_name(machine, where)
        if self._make([Change("group", name, write_list(self._before), write_list(chosen.cpus), where.home)]):
            shared = groups.fill(machine, where, name, chosen.cpus, chosen.free)
            if shared:
                self._note("a partition of CPUs", shared, "CPUs that no other group claims for itself")
            self._group, self._home, self.by = name, where.home, where.by

    def _move_tasks(self) -> None:
        tried: set[str] = set()
        for _ in range(_PASSES):
            changes = [change for change in self._tasks_there() if change.at not in tried]
            if not changes:
                return
            tried.update(change.at for change in changes)
            self._make(changes)

    def _tasks_there(self) -> Iterator[Change]:
        """Those that may run on what is to be free. Threads of the kernel that belong to their CPU do nothing there
        unasked."""
        for task in self._machine.tasks():
            if task.bound or task.process == self._pid:
                continue
            with contextlib.suppress(OSError):  # it has ended
                cpus = self._machine.affinity(task.tid)
                if cpus & self.chosen.free:
                    yield Change("task", task_at(task.tid, task.start), write_list(cpus),
                                 write_list(cpus - self.chosen.free or self.chosen.left))
                    if task.name == "irqbalance":
                        self._note("interrupts", "irqbalance runs, and may move them back",
                                   "sudo systemctl stop irqbalance")

    def _move_interrupts(self) -> None:
        machine, free = self._machine, self.chosen.free
        changes = []
        for number in machine.interrupts():
            with contextlib.suppress(OSError):  # it was freed
                path = f"proc/irq/{number}/smp_affinity_list"
                cpus = parse_list(machine.text(path))
                if cpus & free:
                    changes.append(Change("interrupt", path, write_list(cpus),
                                          write_list(cpus - free or self.chosen.left)))
        self._make(changes)
        with contextlib.suppress(OSError):  # a kernel without interrupts to move
            path = "proc/irq/default_smp_affinity"
            text = machine.text(path)
            cpus = parse_mask(text)
            if machine.interrupts() and cpus & free:
                self._make([Change("interrupts_to_come", path, text, _mask(cpus - free or self.chosen.left))])

    def _set_governor(self) -> None:
        wanted = self._governor or USUAL
        if wanted == KEEP:
            return
        changes, none, refused = [], [], []
        for cpu in sorted(self.chosen.cpus):
            folder = f"{CPUS}/cpu{cpu}/cpufreq"
            try:
                before = self._machine.text(f"{folder}/scaling_governor")
                offered = self._machine.text(f"{folder}/scaling_available_governors").split()
            except OSError:
                none.append(cpu)
                continue
            if wanted not in offered:
                refused.append((cpu, " ".join(offered)))
            elif before != wanted:
                changes.append(Change("governor", f"{folder}/scaling_governor", before, wanted))
        # CPUs may share one: what the first sets is set for the others.
        for change in changes:
            if self._machine.text(change.at) != wanted:
                self._make([change])
        if none:
            self._note(f"the governor of {cpu_words(frozenset(none))}", "the kernel does not set their frequency",
                       "a driver of cpufreq; of a virtual machine, its host")
        for cpu, offered in refused:
            self._note(f"the governor of CPU {cpu}", f"there is no `{wanted}`, but {offered}")

    def _enter(self) -> Sequence[str]:
        """Goes where the program is to run; returns the words before its own that bring it there."""
        if self.by == groups.SYSTEMD and self._journal is not None:
            scope, cpus = f"weir-{self._journal.id}.scope", write_list(self.chosen.cpus)
            change = Change("unit", scope, "", cpus)
            try:
                self._journal.announce([change])
            except OSError as error:
                raise WeirError(os_error(error, "write down how to put things back")) from None
            self._announced.append(change)
            return ("systemd-run", "--scope", "--quiet", "--collect", f"--unit={scope}", f"--slice={groups.SLICE}",
                    f"--property=AllowedCPUs={cpus}", "--")
        if self._group:
            try:
                self._machine.write(f"{self._group}/cgroup.procs", str(self._pid))
            except OSError as error:
                self._note(f"the group {self._group}", error.strerror or str(error), _needs(error, "group"))
                self._group, self.by = "", groups.AFFINITY
        try:
            self._machine.set_affinity(self._pid, self.chosen.cpus)
        except OSError as error:
            if not self._group:
                raise WeirError(diagnostic(
                    "E_ISOLATE_CPUS", "",
                    f"nothing may run on {cpu_words(self.chosen.cpus)} from here: {error.strerror}",
                    "its control group decides; as root a new one can be made")) from None
        return ()

    def _leave(self) -> None:
        if self._group:
            with contextlib.suppress(OSError):
                self._machine.write(f"{self._home}/cgroup.procs", str(self._pid))
        with contextlib.suppress(OSError):
            self._machine.set_affinity(self._pid, self._before)


def _mask(cpus: frozenset[int]) -> str:
    """In words of 32 bits, the highest first."""
    value, words = sum(1 << cpu for cpu in cpus), []
    while value or not words:
        words.append(f"{value & 0xffffffff:08x}")
        value >>= 32
    return ",".join(reversed(words))


def _needs(error: OSError, kind: str) -> str:
    if (error.errno in (errno.EPERM, errno.EACCES) or kind == "unit") and os.geteuid():
        return "root (sudo)"
    if error.errno == errno.EROFS:
        return "a container that may write there"
    if kind == "interrupt":  # also of root EPERM, or EIO
        return "a kernel that is started with isolcpus=managed_irq,LIST: it manages this one itself"
    if error.errno in (errno.EPERM, errno.EACCES):
        return "a container with more rights"
    return ""
