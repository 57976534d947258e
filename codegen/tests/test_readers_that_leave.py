"""Test output to a reader that closes early, which is no failure, and to a failing disk, which is one."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

from conftest import CODEGEN

BAD_DISK = """
import errno, sys
from weir import cli
from weir.cli.verbs import catalog
def run(args):
    raise OSError(errno.EIO, "Input/output error")
catalog.run = run
sys.exit(cli.main(["catalog"]))
"""


def weir(*words: str, **streams) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, *words], env={**os.environ, "PYTHONPATH": str(CODEGEN)}, text=True,
                            stderr=subprocess.PIPE, **streams)


def test_a_pipe_without_a_reader_is_no_fault() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = weir("-m", "weir", "catalog", stdout=writing)
    os.close(writing)
    assert (process.communicate()[1], process.returncode) == ("", 0)


def test_a_closed_terminal_is_no_fault() -> None:
    ours, theirs = pty.openpty()
    os.close(ours)
    process = weir("-m", "weir", "catalog", stdout=theirs)
    os.close(theirs)
    assert (process.communicate()[1], process.returncode) == ("", 0)


def test_a_bad_disk_is_a_fault() -> None:
    process = weir("-c", BAD_DISK, stdout=subprocess.PIPE)
    said = process.communicate()[1]
    assert process.returncode == 3 and "Input/output error" in said
