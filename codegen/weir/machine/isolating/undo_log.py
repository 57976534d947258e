"""Undo log of changes to a machine. It records each change before making it, keeps a list of refusals, and undoes all
changes, even in child tasks that inherited them.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from weir.machine.isolating.changes import CHANGED_SINCE, FAILED, KINDS, Change, task_at
from weir.machine.isolating.journal import Journal
from weir.machine.isolating.machine import Machine, Task
from weir.model.planning.topology import parse_list


@dataclass(frozen=True)
class UndoResult:
    """A change and the outcome of undoing it: one of the outcomes in `changes`, with the reason."""

    change: Change
    outcome: str
    reason: str = ""

    def as_json(self) -> dict[str, str]:
        """Return the fields as plain JSON values."""
        change = self.change
        return {"kind": change.kind, "at": change.at, "before": change.before, "to": change.to,
                "outcome": self.outcome, "reason": self.reason}


def put_all_back(machine: Machine, changes: Sequence[Change], since: int) -> list[UndoResult]:
    """Undo the changes and return the outcomes. `since`: start of the isolation, in clock ticks since boot. Changes
    that are already undone stay so.
    """
    order = list(KINDS)
    ordered = sorted(changes, key=lambda change: order.index(change.kind))
    undone = [UndoResult(change, *change.put_back(machine)) for change in ordered]
    heirs = _inherited(machine, [change for change in ordered if change.kind == "task"], since)
    return undone + [UndoResult(change, *change.put_back(machine)) for change in heirs]


def not_undone(undone: Sequence[UndoResult]) -> list[str]:
    """Return what could not be restored, as text."""
    lines = []
    for one in undone:
        what, before, to = one.change.words(), one.change.before or "unset", one.change.to or "unset"
        if one.outcome == CHANGED_SINCE:
            lines.append(f"{what} was {before} and was set to {to}; it stays unchanged: {one.reason}")
        elif one.outcome == FAILED:
            lines.append(f"{what} cannot be restored to {before}: {one.reason}")
    return lines


def set_aside(journal: Path) -> str:
    """Return the note that names the journal of changes that cannot be undone. It appears only once, because no verb
    reads the journal again without a request.
    """
    return f"the journal of this isolation was moved to {journal}: `weir isolate --restore` tries again"


def _inherited(machine: Machine, moved: Sequence[Change], since: int) -> list[Change]:
    """Return changes for the tasks that moved tasks started since, if they run on the same CPUs.

    Linux's own per-CPU threads are left out, because they were not moved and cannot be.
    """
    if not moved:
        return []
    by_tid, known = {int(change.at.split()[0]): change for change in moved}, {change.at for change in moved}
    tasks = {task.tid: task for task in machine.tasks()}
    found = []
    for task in tasks.values():
        at = task_at(task.tid, task.start)
        change = _ancestor(task, tasks, by_tid)
        if task.bound or change is None or task.start < since or at in known:
            continue
        try:
            if machine.affinity(task.tid) == parse_list(change.to):
                found.append(Change("task", at, change.before, change.to))
        except OSError:
            continue  # it has ended
    return found


def _ancestor(task: Task, tasks: Mapping[int, Task], moved: Mapping[int, Change]) -> Change | None:
    """Return the change that moved the nearest ancestor process, starting with the task's own process."""
    pid = task.process
    while pid in tasks:
        change = moved.get(pid)
        if change is not None and change.at == task_at(pid, tasks[pid].start):
            return change
        pid = tasks[pid].parent
    return None


@dataclass(frozen=True)
class Refused:
    """Refused change: what, why, and what it would need ("" if nothing helps). `kind` is the kind of change."""

    kind: str
    what: str
    reason: str
    needs: str = ""

    def as_json(self) -> dict[str, str]:
        """Return the fields as plain JSON values."""
        return {"what": self.what, "reason": self.reason, "needs": self.needs}

    def __str__(self) -> str:
        return f"{self.what}: {self.reason}" + (f" (needs {self.needs})" if self.needs else "")


class UndoLog:
    """Context manager that undoes all changes on exit. `undone` then has the outcome of each change.

    If no journal can be written, `journal` is None and `why` has the reason. The log then makes no change that would
    have to be undone.
    """

    def __init__(self, machine: Machine, journal: Journal | None, why: str = "") -> None:
        self.machine, self._journal, self._why = machine, journal, why
        self._announced: list[Change] = []
        self.undone: list[UndoResult] = []
        self._note: list[str] = []

    def __enter__(self) -> UndoLog:
        return self

    def __exit__(self, *_: object) -> None:
        """Undo the changes. If one cannot be undone, set the journal aside."""
        if self._journal is not None:
            self.undone = put_all_back(self.machine, self._announced, self._journal.since)
            if not any(one.outcome == FAILED for one in self.undone):
                self._journal.remove()
                return
            with contextlib.suppress(OSError):  # the next verb tries again
                self._note = [set_aside(self._journal.put_aside())]

    def not_undone(self) -> list[str]:
        """Return, after the exit, what could not be restored, as text."""
        return [*not_undone(self.undone), *self._note]

    @property
    def id(self) -> str:
        """Return the journal's id, empty without a journal."""
        return self._journal.id if self._journal else ""

    def announce(self, changes: Sequence[Change]) -> None:
        """Record changes before they are made. Raises OSError."""
        if self._journal is None:
            raise OSError(0, self._why)
        self._journal.announce(changes)
        self._announced += changes


class ChangeSet:
    """Changes of an undo log that have one purpose."""

    def __init__(self, undo_log: UndoLog) -> None:
        self.undo_log, self.machine = undo_log, undo_log.machine
        self.made: list[Change] = []
        self._not_made: list[tuple[Change, str, str]] = []
        self._notes: list[Refused] = []

    def make(self, changes: Sequence[Change]) -> list[Change]:
        """Make the changes and return those that succeeded."""
        if not changes:
            return []
        try:
            self.undo_log.announce(changes)
        except OSError as error:
            reason = f"the journal cannot be written, so the change could not be undone: {error.strerror}"
            self._not_made += [(change, reason, "a writable journal") for change in changes]
            return []
        made = []
        for change in changes:
            try:
                change.make(self.machine)
            except OSError as error:
                self._not_made.append((change, error.strerror or str(error), needs(error, change.kind)))
            else:
                made.append(change)
        self.made += made
        return made

    def note(self, kind: str, what: str, reason: str, needed: str = "") -> None:
        """Note a refusal, and what would be needed."""
        self._notes.append(Refused(kind, what, reason, needed))

    def count(self, kind: str) -> int:
        """Return the number of changes of one kind."""
        return sum(change.kind == kind for change in self.made)

    def refused(self) -> list[Refused]:
        """Return the refusals. Refusals of one kind for the same reason are merged."""
        together: dict[tuple[str, str, str], list[Change]] = {}
        for change, reason, needed in self._not_made:
            together.setdefault((change.kind, reason, needed), []).append(change)
        return self._notes + [
            Refused(kind, f"{len(some)} {KINDS[kind].several}" if KINDS[kind].several and len(some) > 1 else
                    ", ".join(change.words() for change in some), reason, needed)
            for (kind, reason, needed), some in together.items()]


def needs(error: OSError, kind: str) -> str:
    """Return what a change of that kind would need after such a refusal."""
    if (error.errno in (errno.EPERM, errno.EACCES) or kind == "unit") and os.geteuid():
        return "root (sudo)"
    if error.errno == errno.EROFS:
        return "a container with write access there"
    if kind == "interrupt":  # root, too, gets EPERM or EIO here
        return "Linux started with isolcpus=managed_irq,LIST: it manages this interrupt itself"
    if error.errno in (errno.EPERM, errno.EACCES):
        return "a container with more rights"
    return ""
