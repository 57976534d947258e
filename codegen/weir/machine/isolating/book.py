"""What is changed on a machine: written down before it is, what of it was refused, and all of it put back."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Sequence
from dataclasses import dataclass

from weir.machine.isolating.changes import FAILED, KINDS, Change
from weir.machine.isolating.journal import Journal
from weir.machine.isolating.machine import Machine
from weir.machine.isolating.restoring import Settled, put_all_back, set_aside, told


@dataclass(frozen=True)
class Refused:
    """What could not be done, why, and what it would need ("" where nothing helps). `kind`: of change."""

    kind: str
    what: str
    reason: str
    needs: str = ""

    def as_json(self) -> dict[str, str]:
        """Returns it as plain JSON values."""
        return {"what": self.what, "reason": self.reason, "needs": self.needs}

    def __str__(self) -> str:
        return f"{self.what}: {self.reason}" + (f" (needs {self.needs})" if self.needs else "")


class Book:
    """All that was changed is put back when it is left. `settled`, afterwards: what became of each change.

    `journal` is None, with `why`, where none can be written: then nothing is changed that would have to be put back.
    """

    def __init__(self, machine: Machine, journal: Journal | None, why: str = "") -> None:
        self.machine, self._journal, self._why = machine, journal, why
        self._announced: list[Change] = []
        self.settled: list[Settled] = []
        self._note: list[str] = []

    def __enter__(self) -> Book:
        return self

    def __exit__(self, *_: object) -> None:
        """The journal is set aside where something cannot be put back."""
        if self._journal is not None:
            self.settled = put_all_back(self.machine, self._announced, self._journal.since)
            if not any(one.outcome == FAILED for one in self.settled):
                self._journal.remove()
                return
            with contextlib.suppress(OSError):  # the next verb tries that again
                self._note = [set_aside(self._journal.put_aside())]

    def told(self) -> list[str]:
        """Says, after it was left, what is not as it was."""
        return [*told(self.settled), *self._note]

    @property
    def id(self) -> str:
        """The journal's id; empty without a journal."""
        return self._journal.id if self._journal else ""

    def announce(self, changes: Sequence[Change]) -> None:
        """Before they are made. OSError."""
        if self._journal is None:
            raise OSError(0, self._why)
        self._journal.announce(changes)
        self._announced += changes


class Page:
    """The changes of a book that have one purpose."""

    def __init__(self, book: Book) -> None:
        self.book, self.machine = book, book.machine
        self.made: list[Change] = []
        self._not_made: list[tuple[Change, str, str]] = []
        self._notes: list[Refused] = []

    def make(self, changes: Sequence[Change]) -> list[Change]:
        """Those of them that could be made."""
        if not changes:
            return []
        try:
            self.book.announce(changes)
        except OSError as error:
            reason = f"it cannot be written down how to put it back: {error.strerror}"
            self._not_made += [(change, reason, "a journal that can be written") for change in changes]
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
        """Notes what was refused, and what it needs."""
        self._notes.append(Refused(kind, what, reason, needed))

    def count(self, kind: str) -> int:
        """How many changes of one kind were made."""
        return sum(change.kind == kind for change in self.made)

    def refused(self) -> list[Refused]:
        """What of a kind was refused for one reason is one."""
        together: dict[tuple[str, str, str], list[Change]] = {}
        for change, reason, needed in self._not_made:
            together.setdefault((change.kind, reason, needed), []).append(change)
        return self._notes + [
            Refused(kind, f"{len(some)} {KINDS[kind].several}" if KINDS[kind].several and len(some) > 1 else
                    ", ".join(change.words() for change in some), reason, needed)
            for (kind, reason, needed), some in together.items()]


def needs(error: OSError, kind: str) -> str:
    """What a change of that kind would need that was refused so."""
    if (error.errno in (errno.EPERM, errno.EACCES) or kind == "unit") and os.geteuid():
        return "root (sudo)"
    if error.errno == errno.EROFS:
        return "a container that may write there"
    if kind == "interrupt":  # also of root EPERM, or EIO
        return "a kernel that is started with isolcpus=managed_irq,LIST: it manages this one itself"
    if error.errno in (errno.EPERM, errno.EACCES):
        return "a container with more rights"
    return ""
