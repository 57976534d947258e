"""One `weir isolate`: what earlier ones left is put back, CPUs are kept free, a program runs, all is put back."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from weir.diagnostics import WeirError, diagnostic, not_started, printable
from weir.machine.environment import ISOLATION
from weir.machine.isolating import journal
from weir.machine.isolating.changes import FAILED
from weir.machine.isolating.isolation import Isolation
from weir.machine.isolating.machine import Machine
from weir.machine.isolating.recovering import Recovered, begun, recover, refuse_second
from weir.machine.isolating.restoring import Settled
from weir.machine.isolating.signals import Signals
from weir.machine.isolating.words import words
from weir.model.planning.surroundings import Chosen
from weir.model.planning.topology import write_list


@dataclass
class Record:
    """What `-o` and `--json` tell; isolation.schema.json has the meaning."""

    command: Sequence[str] = ()
    recovered: Sequence[Recovered] = ()
    isolation: dict[str, Any] | None = None
    settled: Sequence[Settled] = ()
    exit_code: int | None = None

    @property
    def all_is_back(self) -> bool:
        """Whether nothing is left to put back."""
        return not (any(one.left for one in self.recovered) or any(one.outcome == FAILED for one in self.settled))

    def as_json(self) -> dict[str, object]:
        """Returns what `isolate --json` prints."""
        return {"format": 1, "command": list(self.command), "exit_code": self.exit_code, "isolation": self.isolation,
                "changes": [one.as_json() for one in self.settled],
                "recovered": [one.as_json() for one in self.recovered]}


def restore(machine: Machine, say: Callable[[str], None]) -> Record:
    """What isolations left that were killed. WeirError where one is in force, or no journal can be read."""
    try:
        where = journal.folder()
        with journal.locked(where):
            record = Record(recovered=recover(machine, where, again=True))
            refuse_second(where)
    except OSError as error:
        raise WeirError(diagnostic("E_FILE_IO", "", f"the journals cannot be read: {error}")) from None
    _tell([line for one in record.recovered for line in one.words()] or ["no isolation left anything to put back"], say)
    return record


def isolate(machine: Machine, chosen: Chosen, governor: str | None, command: Sequence[str], output: int | None,
            say: Callable[[str], None]) -> Record:
    """Runs it there. `output`: where its standard output goes, None for where ours does.

    WeirError where nothing can be isolated or started.
    """
    if shutil.which(command[0]) is None:
        raise WeirError(diagnostic("E_TOOL_MISSING", "", f"there is no program `{printable(command[0])}` to run",
                                   "give its path, or put its folder into PATH"))
    record = Record(command=command)
    with Signals() as signals:
        def recovered(those: Sequence[Recovered]) -> None:
            record.recovered = those
            _tell([line for one in those for line in one.words()], say)

        book = begun(machine, write_list(chosen.cpus), recovered)
        try:
            with book, Isolation(chosen, governor, book) as isolation:
                if signals.pending:
                    record.exit_code = 128 + signals.pending[0]
                else:
                    record.exit_code = _run(isolation, record, output, signals, say)
        finally:
            record.settled = book.settled
            _tell(book.told(), say)
    return record


def _run(isolation: Isolation, record: Record, output: int | None, signals: Signals, say: Callable[[str], None]) -> int:
    with isolation.inside() as before:
        record.isolation = isolation.summary()
        done, *not_done = words(record.isolation)
        _tell([f"isolates {done}", *not_done], say)
        variable = json.dumps(Record(isolation=record.isolation).as_json())
        try:
            child = subprocess.Popen([*before, *record.command], stdout=output, env=os.environ | {ISOLATION: variable})
        except OSError as error:
            raise WeirError(not_started(error, "`weir isolate`")) from None
        signals.started(child)
    code = child.wait()
    return 128 - code if code < 0 else code


def _tell(lines: Sequence[str], say: Callable[[str], None]) -> None:
    for line in lines:
        say(line)
