"""Puts back what isolations left that were killed, by their journals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic
from weir.isolating.changes import FAILED, PUT_BACK
from weir.isolating.journal import Kept, kept
from weir.isolating.machine import Machine
from weir.isolating.restoring import Settled, put_all_back, told


@dataclass(frozen=True)
class Recovered:
    """An isolation whose process is gone. `note`: what else is to be said of it; `left`: its journal, if that stays."""

    kept: Kept
    settled: Sequence[Settled]
    note: str = ""
    left: Path | None = None

    def as_json(self) -> dict[str, object]:
        return {"id": self.kept.id, "pid": self.kept.owner.get("pid"), "cpus": self.kept.cpus,
                "changes": [one.as_json() for one in self.settled], "note": self.note,
                "journal": None if self.left is None else str(self.left)}

    def words(self) -> list[str]:
        back, first = sum(one.outcome == PUT_BACK for one in self.settled), "an isolation left what cannot be read"
        if self.kept.owner:
            first = f"an isolation was ended before it could put things back (process {self.kept.owner['pid']}): " \
                f"{back} change{'s' * (back != 1)} put back now"
        return [first, *told(self.settled), *([self.note] if self.note else [])]


def recover(machine: Machine, where: Path) -> list[Recovered]:
    """WeirError where one is in force still. OSError where the journals cannot be read."""
    there = [one for one in kept(where) if not one.elsewhere]
    recovered = [_recovered(machine, one) for one in there if not one.alive]
    for one in there:
        if one.alive:
            raise WeirError(diagnostic("E_ISOLATE_BUSY", "", f"process {one.owner['pid']} isolates CPUs {one.cpus}"))
    return recovered


def _recovered(machine: Machine, one: Kept) -> Recovered:
    if one.owner and not one.of_this_boot:
        settled, note = [], "the machine was started again since, which undid it"
    else:
        settled = put_all_back(machine, one.changes, one.since) if one.owner else []
        note = ""
    if one.damaged:
        aside = one.put_aside()
        return Recovered(one, settled, f"its journal is damaged, and kept as {aside}: what cannot be read of it is not "
                                       "put back", aside)
    if any(change.outcome == FAILED for change in settled):
        return Recovered(one, settled, "`weir isolate --restore` tries again", one.path)
    one.remove()
    return Recovered(one, settled, note)
