"""One `weir isolate`: choose CPUs, undo the changes of killed isolations, keep the CPUs free, run a program, undo all
changes.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from weir.diagnostics import Diagnostic, WeirError, diagnostic, not_started, printable
from weir.machine.environment import ISOLATION
from weir.machine.isolating import journal
from weir.machine.isolating.changes import FAILED
from weir.machine.isolating.isolation import Isolation
from weir.machine.isolating.machine import Machine
from weir.machine.isolating.recovering import Recovered, begun, recover, refuse_second
from weir.machine.isolating.undo_log import UndoResult
from weir.machine.isolating.words import words
from weir.machine.processes import INTERRUPTS
from weir.model.planning import isolation_check
from weir.model.planning.isolation_check import Chosen, Unfit
from weir.model.planning.topology import parse_list, write_list
from weir.sure import sure

_LIST = re.compile(r"\d{1,4}(-\d{1,4})?(,\d{1,4}(-\d{1,4})?)*")


def choose(machine: Machine, requested: str | None, free_siblings: bool = False) -> Chosen:
    """Choose the CPUs to isolate. `requested`: a list of CPUs in the kernel's format.

    Without a list, choose the CPUs that the kernel isolates, or else all but those of the first core. Raises WeirError.
    """
    online = machine.online()
    cpus = frozenset() if requested is None else _listed(requested)
    try:
        return isolation_check.choose(online, machine.isolated(), online, machine.siblings, cpus, free_siblings)
    except Unfit as fault:
        more = ": --cpus names one of its threads" if not cpus and len(online) > 1 else ""
        raise WeirError(_fault(f"{fault}{more}")) from None


def _listed(requested: str) -> frozenset[int]:
    if not _LIST.fullmatch(requested):
        raise WeirError(_fault(f"`{requested}` is not a list of CPUs such as 1,4-7"))
    cpus = parse_list(requested)
    if not cpus:
        raise WeirError(_fault(f"`{requested}` contains no CPU"))
    return cpus


def _fault(message: str) -> Diagnostic:
    return diagnostic("E_ISOLATE_CPUS", "", message)


class Signals:
    """Context manager that passes signals on to the program. Before the program starts, signals wait, because Weir must
    not stop halfway through its changes.

    `pending`: the signals that arrived before the start.
    """

    def __init__(self) -> None:
        self.pending: list[int] = []
        self._child: subprocess.Popen[Any] | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Signals:
        for number in (*INTERRUPTS, signal.SIGQUIT) if threading.current_thread() is threading.main_thread() else ():
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup stays in effect
                self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def started(self, child: subprocess.Popen[Any]) -> None:
        """Pass signals on to the child, including those that arrived earlier."""
        self._child = child
        for number in self.pending:
            self._pass_on(number)

    def _handle(self, number: int, _: Any) -> None:
        if self._child is None:
            self.pending.append(number)
        elif number not in (signal.SIGINT, signal.SIGQUIT) or not _at_the_terminal():
            self._pass_on(number)  # else the terminal has sent the signal to the program, too

    def _pass_on(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            sure(self._child).send_signal(number)


def _at_the_terminal() -> bool:
    try:
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY)
    except OSError:
        return False
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return False
    finally:
        os.close(terminal)


@dataclass
class Record:
    """Result for `-o` and `--json`; isolation.schema.json explains it."""

    command: Sequence[str] = ()
    recovered: Sequence[Recovered] = ()
    isolation: dict[str, Any] | None = None
    undone: Sequence[UndoResult] = ()
    exit_code: int | None = None

    @property
    def all_is_back(self) -> bool:
        """Return whether nothing is left to restore."""
        return not (any(one.left for one in self.recovered) or any(one.outcome == FAILED for one in self.undone))

    def as_json(self) -> dict[str, object]:
        """Return the output of `isolate --json`."""
        return {"format": 1, "command": list(self.command), "exit_code": self.exit_code, "isolation": self.isolation,
                "changes": [one.as_json() for one in self.undone],
                "recovered": [one.as_json() for one in self.recovered]}


def restore(machine: Machine, say: Callable[[str], None]) -> Record:
    """Undo the changes of killed isolations. Raises WeirError if one is active or a journal cannot be read."""
    try:
        where = journal.folder()
        with journal.locked(where):
            record = Record(recovered=recover(machine, where, again=True))
            refuse_second(where)
    except OSError as error:
        raise WeirError(diagnostic("E_FILE_IO", "", f"the journals cannot be read: {error}")) from None
    _say_lines([line for one in record.recovered for line in one.words()] or ["there is nothing left to restore"], say)
    return record


def isolate(machine: Machine, chosen: Chosen, governor: str | None, command: Sequence[str], output: int | None,
            say: Callable[[str], None]) -> Record:
    """Run the command on the isolated CPUs. `output`: file descriptor of its standard output, None for ours.

    Raises WeirError if no CPU can be isolated, or if the program cannot be started.
    """
    if shutil.which(command[0]) is None:
        raise WeirError(diagnostic("E_TOOL_MISSING", "", f"the program `{printable(command[0])}` does not exist",
                                   "give its path, or put its folder into PATH"))
    record = Record(command=command)
    with Signals() as signals:
        def recovered(those: Sequence[Recovered]) -> None:
            record.recovered = those
            _say_lines([line for one in those for line in one.words()], say)

        undo_log = begun(machine, write_list(chosen.cpus), recovered)
        try:
            with undo_log, Isolation(chosen, governor, undo_log) as isolation:
                if signals.pending:
                    record.exit_code = 128 + signals.pending[0]
                else:
                    record.exit_code = _run(isolation, record, output, signals, say)
        finally:
            record.undone = undo_log.undone
            _say_lines(undo_log.not_undone(), say)
    return record


def _run(isolation: Isolation, record: Record, output: int | None, signals: Signals, say: Callable[[str], None]) -> int:
    with isolation.inside() as before:
        record.isolation = isolation.summary()
        done, *not_done = words(record.isolation)
        _say_lines([f"isolates {done}", *not_done], say)
        variable = json.dumps(Record(isolation=record.isolation).as_json())
        try:
            child = subprocess.Popen([*before, *record.command], stdout=output, env=os.environ | {ISOLATION: variable})
        except OSError as error:
            raise WeirError(not_started(error, "`weir isolate`")) from None
        signals.started(child)
    code = child.wait()
    return 128 - code if code < 0 else code


def _say_lines(lines: Sequence[str], say: Callable[[str], None]) -> None:
    for line in lines:
        say(line)
