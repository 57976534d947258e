"""Test a measured process: it waits until its process id is recorded, and can always be killed."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from weir.engine.measuring.child import Interrupts, run_child
from weir.machine.processes import start_time

WRITES_ITS_PID = "import os, pathlib, sys; pathlib.Path(sys.argv[1]).write_text(f'{os.getpid()} {sys.stdin.read()!r}')"


def words(tmp_path: Path) -> list[str]:
    return [sys.executable, "-c", WRITES_ITS_PID, str(tmp_path / "a file")]


def test_nothing_of_it_runs_before_its_process_id_is_known_and_then_it_runs_under_that(tmp_path):
    told = []

    def before_start(pid: int) -> None:
        program = Path(f"/proc/{pid}/cmdline").read_bytes().partition(b"\0")[0]
        told.append((pid, program, (tmp_path / "a file").exists()))

    ended = run_child(words(tmp_path), tmp_path, tmp_path / "log", 60, Interrupts(), before_start=before_start)
    [(pid, program, exists)] = told
    assert (ended.code, program, exists) == (0, b"/bin/sh", False)
    assert (tmp_path / "a file").read_text() == f"{pid} ''", "what held it is not its standard input"


def test_it_can_be_interrupted_while_it_is_held(tmp_path):
    with Interrupts() as interrupts:
        ended = run_child(words(tmp_path), tmp_path, tmp_path / "log", 60, interrupts,
                          before_start=lambda pid: os.kill(os.getpid(), signal.SIGINT))
    assert (ended.signal_name, interrupts.count) == ("SIGINT", 1) and not (tmp_path / "a file").exists()


def test_an_exception_while_it_is_held_ends_it(tmp_path):
    pids = []

    def before_start(pid: int) -> None:
        pids.append(pid)
        raise ZeroDivisionError

    try:
        run_child(words(tmp_path), tmp_path, tmp_path / "log", 60, Interrupts(), before_start=before_start)
    except ZeroDivisionError:
        pass
    [pid] = pids
    assert start_time(pid) is None and not (tmp_path / "a file").exists()


def test_a_held_program_that_is_not_there_ends_with_127(tmp_path):
    ended = run_child([str(tmp_path / "none")], tmp_path, tmp_path / "log", 60, Interrupts(),
                      before_start=lambda pid: None)
    assert ended.code == 127 and "none" in ended.last_lines[-1]
