"""Puts back what was changed, and what was inherited from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from weir.machine.isolating.changes import CHANGED_SINCE, FAILED, KINDS, Change, task_at
from weir.machine.isolating.machine import Machine, Task
from weir.model.planning.topology import parse_list


@dataclass(frozen=True)
class Settled:
    """A change, and what became of it as it was put back: one of `changes`' outcomes, with the reason."""

    change: Change
    outcome: str
    reason: str = ""

    def as_json(self) -> dict[str, str]:
        """Returns it as plain JSON values."""
        change = self.change
        return {"kind": change.kind, "at": change.at, "before": change.before, "to": change.to,
                "outcome": self.outcome, "reason": self.reason}


def put_all_back(machine: Machine, changes: Sequence[Change], since: int) -> list[Settled]:
    """`since`: when they began, in clock ticks since boot. What is put back already stays so."""
    order = list(KINDS)
    ordered = sorted(changes, key=lambda change: order.index(change.kind))
    settled = [Settled(change, *change.put_back(machine)) for change in ordered]
    heirs = _inherited(machine, [change for change in ordered if change.kind == "task"], since)
    return settled + [Settled(change, *change.put_back(machine)) for change in heirs]


def told(settled: Sequence[Settled]) -> list[str]:
    """What is not as it was, for people."""
    lines = []
    for one in settled:
        what, before, to = one.change.words(), one.change.before or "unset", one.change.to or "unset"
        if one.outcome == CHANGED_SINCE:
            lines.append(f"{what} was {before} and was set to {to}, and is left: {one.reason}")
        elif one.outcome == FAILED:
            lines.append(f"{what} cannot be put back to {before}: {one.reason}")
    return lines


def set_aside(journal: Path) -> str:
    """Says where the journal is of what cannot be put back. Said once: no verb reads it again unasked."""
    return f"the journal of this is set aside as {journal}: `weir isolate --restore` tries again"


def _inherited(machine: Machine, moved: Sequence[Change], since: int) -> list[Change]:
    """Of the tasks that moved ones started since, those that run where these had to.

    Not the kernel's own that belong to their CPU: nobody moved them there, and nobody may move them.
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
    """The nearest process that was moved, its own one first."""
    pid = task.process
    while pid in tasks:
        change = moved.get(pid)
        if change is not None and change.at == task_at(pid, tasks[pid].start):
            return change
        pid = tasks[pid].parent
    return None
