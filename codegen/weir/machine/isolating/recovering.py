"""Recovery: undo the changes of killed isolations from their journals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic
from weir.machine.isolating.changes import FAILED, PUT_BACK
from weir.machine.isolating.journal import Journal, LeftJournal, folder, kept, locked
from weir.machine.isolating.machine import Machine
from weir.machine.isolating.undo_log import UndoLog, UndoResult, not_undone, put_all_back, set_aside


@dataclass(frozen=True)
class Recovered:
    """Isolation whose process is gone. `note`: a remark for the user. `left`: its journal, if it stays."""

    kept: LeftJournal
    undone: Sequence[UndoResult]
    note: str = ""
    left: Path | None = None

    def as_json(self) -> dict[str, object]:
        """Return the fields as plain JSON values."""
        return {"id": self.kept.id, "pid": self.kept.owner.get("pid"), "cpus": self.kept.cpus,
                "changes": [one.as_json() for one in self.undone], "note": self.note,
                "journal": None if self.left is None else str(self.left)}

    def words(self) -> list[str]:
        """Return the report, one sentence each."""
        back, first = sum(one.outcome == PUT_BACK for one in self.undone), "an isolation left an unreadable journal"
        if self.kept.owner:
            what = "an isolation" if self.kept.cpus else "a run that was disturbed"
            first = (f"{what} was killed before it could undo its changes (process {self.kept.owner['pid']}): Weir has "
                     f"now undone {back} change{'s' * (back != 1)}")
        return [first, *not_undone(self.undone), *([self.note] if self.note else [])]


def recover(machine: Machine, where: Path, again: bool = False) -> list[Recovered]:
    """Undo the changes in all journals of a locked folder. Raises OSError if they cannot be read.

    `again`: try changes again that could not be undone before.
    """
    return [_recovered(machine, one) for one in kept(where, again) if not one.elsewhere and not one.alive]


def refuse_second(where: Path, within: str = "") -> None:
    """Raise WeirError if an isolation other than `within` is active. Raises OSError."""
    for one in kept(where):
        if one.alive and one.id != within:
            does = f"isolates CPUs {one.cpus}" if one.cpus else "disturbs a run"
            raise WeirError(diagnostic("E_ISOLATE_BUSY", "", f"process {one.owner['pid']} {does}"))


def begun(machine: Machine, cpus: str, said: Callable[[list[Recovered]], None], within: str = "") -> UndoLog:
    """Return the undo log for changes to the machine, after undoing those of killed isolations. `said` is called with
    these.

    `cpus`: the CPUs to isolate, "" for none. Raises WeirError if another isolation is active.
    """
    try:
        where = folder()
        with locked(where):
            said(recover(machine, where))
            refuse_second(where, within)
            return UndoLog(machine, Journal(where, cpus))
    except OSError as error:
        return UndoLog(machine, None, error.strerror or str(error))


def recover_before(say: Callable[[str], None]) -> None:
    """Undo the changes of killed isolations before Weir examines the machine."""
    try:
        where = folder(make=False)
        if not kept(where):
            return
        with locked(where):
            recovered = recover(Machine(), where)
    except OSError:
        return  # a verb that changes the machine reports the error
    for line in (line for one in recovered for line in one.words()):
        say(line)


def _recovered(machine: Machine, one: LeftJournal) -> Recovered:
    if one.owner and not one.of_this_boot:
        undone, note = [], "the machine was rebooted since, which undid it"
    else:
        undone = put_all_back(machine, one.changes, one.since) if one.owner else []
        note = ""
    if one.damaged:
        aside = one.put_aside()
        return Recovered(one, undone, f"its journal is damaged and kept as {aside}; Weir does not undo its unreadable "
                                       "changes", aside)
    if any(change.outcome == FAILED for change in undone):
        aside = one.put_aside()
        return Recovered(one, undone, set_aside(aside), aside)
    one.remove()
    return Recovered(one, undone, note)
