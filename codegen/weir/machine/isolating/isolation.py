"""Isolation of CPUs for one program while it runs, by all means that the machine permits."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from typing import Any

from weir.diagnostics import WeirError, diagnostic, trying
from weir.machine.isolating import groups
from weir.machine.isolating.changes import Change, task_at
from weir.machine.isolating.machine import CPUS
from weir.machine.isolating.undo_log import ChangeSet, Refused, UndoLog, needs
from weir.machine.processes import identity
from weir.model.planning.isolation_check import Chosen
from weir.model.planning.topology import cpu_words, parse_list, parse_mask, write_list

#: The default governor, and the setting that changes nothing.
USUAL, KEEP = "performance", "keep"
#: New tasks may start while others are moved, so moving is repeated.
_PASSES = 3


class Isolation:
    """Isolation that takes effect on entry. Its undo log undoes it. `governor`: None for the default one, if the
    machine has governors. `shared`: other programs shall run on these CPUs nevertheless, so the group cannot have them
    exclusively.
    """

    def __init__(self, chosen: Chosen, governor: str | None, undo_log: UndoLog, shared: bool = False) -> None:
        self._machine, self._changes, self._shared = undo_log.machine, ChangeSet(undo_log), shared
        self._governor, self.chosen, self.by = governor, chosen, groups.AFFINITY
        self._group = self._home = ""
        self._exclusive = False
        self._pid = os.getpid()
        self._before = self._machine.affinity(self._pid)

    def __enter__(self) -> Isolation:
        self._make_group()
        self._move_tasks()
        self._move_interrupts()
        self._set_governor()
        self._leave(self._beside)
        return self

    def __exit__(self, *_: object) -> None:
        self._leave(self._before)

    @property
    def _beside(self) -> frozenset[int]:
        """Return the CPUs on which Weir itself runs during the isolation."""
        return self._before - self.chosen.free or self.chosen.left

    @contextlib.contextmanager
    def inside(self) -> Iterator[Sequence[str]]:
        """Yield the words to put before a command. Programs started in this context run on the isolated CPUs.

        Raises WeirError if no program may run there.
        """
        try:
            yield self._enter()
        finally:
            self._leave(self._beside)

    def summary(self) -> dict[str, Any]:
        """Return the record for `run.json`: what was done and what was not."""
        changes = self._changes
        return {"id": changes.undo_log.id, **identity(), "cpus": write_list(self.chosen.cpus),
                "free": write_list(self.chosen.free), "siblings": write_list(self.chosen.siblings), "by": self.by,
                "tasks": changes.count("task"), "interrupts": changes.count("interrupt"),
                "governor": next((change.to for change in changes.made if change.kind == "governor"), None),
                "refused": [one.as_json() for one in self.refused()]}

    def refused(self) -> list[Refused]:
        """Return what was not done."""
        return self._changes.refused()

    def lacking(self) -> list[Refused]:
        """Return the refusals that leave other programs on the CPUs or that were requested by name. Other refusals are
        only reported.
        """
        deciding = [*([] if self._exclusive else ["task"]), *(["governor"] if self._governor else [])]
        return [one for one in self.refused() if one.kind in deciding]

    def _make_group(self) -> None:
        machine, chosen = self._machine, self.chosen
        try:
            where = groups.found(machine)
            if where is None:
                self._changes.note("group", "a CPU set", "no control groups with CPU sets are mounted here",
                                   "Linux with cpuset")
            elif where.by == groups.SYSTEMD:
                if self._changes.make(list(groups.units(machine, where, chosen.free))):
                    self.by = groups.SYSTEMD
            else:
                missing = groups.lacking(machine, where)
                if missing is None or self._changes.make([missing]):
                    self._own_group(where)
        except OSError as error:
            self._changes.note("group", "a CPU set", error.strerror or str(error), needs(error, "group"))

    def _own_group(self, where: groups.Hierarchy) -> None:
        machine, chosen = self._machine, self.chosen
        name = groups.free_name(machine, where.mount)
        if self._changes.make([Change("group", name, write_list(self._before), write_list(chosen.cpus), where.home)]):
            shared = groups.fill(machine, where, name, chosen.cpus, None if self._shared else chosen.free)
            if shared:
                self._changes.note("group", "a partition of CPUs", shared,
                                   "CPUs that no other group claims exclusively")
            self._exclusive = where.by == groups.VERSION_2 and not self._shared and not shared
            self._group, self._home, self.by = name, where.home, where.by

    def _move_tasks(self) -> None:
        tried: set[str] = set()
        for _ in range(_PASSES):
            changes = [change for change in self._tasks_there() if change.at not in tried]
            if not changes:
                return
            tried.update(change.at for change in changes)
            self._changes.make(changes)

    def _tasks_there(self) -> Iterator[Change]:
        """Yield the tasks that may run on the CPUs to be freed. Per-CPU threads of Linux are left out, because they run
        only on demand.
        """
        for task in self._machine.tasks():
            if task.bound or task.tid == self._pid:
                continue
            with contextlib.suppress(OSError):  # it has ended
                cpus = self._machine.affinity(task.tid)
                if cpus & self.chosen.free:
                    yield Change("task", task_at(task.tid, task.start), write_list(cpus),
                                 write_list(cpus - self.chosen.free or self.chosen.left))
                    if task.name == "irqbalance":
                        self._changes.note("interrupt", "interrupts", "irqbalance runs, and may move them back",
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
        self._changes.make(changes)
        with contextlib.suppress(OSError):  # a kernel without interrupts to move
            path = "proc/irq/default_smp_affinity"
            text = machine.text(path)
            cpus = parse_mask(text)
            if machine.interrupts() and cpus & free:
                self._changes.make([Change("interrupts_to_come", path, text, _mask(cpus - free or self.chosen.left))])

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
        # CPUs may share a governor, so one write can change it for several CPUs.
        for change in changes:
            if self._machine.text(change.at) != wanted:
                self._changes.make([change])
        if none:
            self._changes.note("governor", f"the governor of {cpu_words(frozenset(none))}",
                               "Linux does not control their frequency",
                               "a driver of cpufreq; in a virtual machine, one on its host")
        for cpu, others in refused:
            self._changes.note("governor", f"the governor of CPU {cpu}", f"`{wanted}` is not available, only {others}")

    def _enter(self) -> Sequence[str]:
        """Move this process to the CPUs of the program, or return the words before a command that start it there."""
        if self.by == groups.SYSTEMD:
            scope, cpus = f"weir-{self._changes.undo_log.id}.scope", write_list(self.chosen.cpus)
            change = Change("unit", scope, "", cpus)
            with trying("write down how to put things back"):
                self._changes.undo_log.announce([change])
            return ("systemd-run", "--scope", "--quiet", "--collect", f"--unit={scope}", f"--slice={groups.SLICE}",
                    f"--property=AllowedCPUs={cpus}", "--")
        if self._group:
            try:
                self._machine.write(f"{self._group}/cgroup.procs", str(self._pid))
            except OSError as error:
                self._changes.note("group", f"the group {self._group}", error.strerror or str(error),
                                   needs(error, "group"))
                self._group, self.by = "", groups.AFFINITY
        try:
            self._machine.set_affinity(self._pid, self.chosen.cpus)
        except OSError as error:
            if not self._group:
                raise WeirError(diagnostic(
                    "E_ISOLATE_CPUS", "",
                    f"Weir may not run anything on {cpu_words(self.chosen.cpus)}: {error.strerror}",
                    "its control group decides; root can make a new one")) from None
        return ()

    def _leave(self, cpus: frozenset[int]) -> None:
        if self._group:
            with contextlib.suppress(OSError):
                self._machine.write(f"{self._home}/cgroup.procs", str(self._pid))
        with contextlib.suppress(OSError):
            self._machine.set_affinity(self._pid, cpus)


def _mask(cpus: frozenset[int]) -> str:
    """Return the CPU mask in words of 32 bits, the highest first."""
    words: list[str] = []
    value = sum(1 << cpu for cpu in cpus)
    while value or not words:
        words.append(f"{value & 0xffffffff:08x}")
        value >>= 32
    return ",".join(reversed(words))
