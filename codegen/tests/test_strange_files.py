"""Test strange inputs (folders, pipes, endless files): they are refused at once."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from stored_runs import EXAMPLES, store
from weir import PACKAGE, cli
from weir.files import read_bounded
from weir.model.document.jsontext import MAX_BYTES

PROJECT = EXAMPLES / "quickstart.weir.json"


@pytest.fixture(autouse=True)
def no_test_hangs() -> Iterator[None]:
    """Limit the time: a test that waits for a pipe would wait forever and block all others."""
    def late(*_: object) -> None:
        raise TimeoutError("it waits")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(params=["pipe", "folder", "socket", "device"])
def strange(request, tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "strange.grc"
    with socket.socket(socket.AF_UNIX) as bound:
        if request.param == "pipe":
            os.mkfifo(path)
        elif request.param == "folder":
            path.mkdir()
        elif request.param == "socket":
            bound.bind(str(path))
        else:
            path.symlink_to("/dev/zero")
        yield path


@pytest.mark.parametrize("verb", ["validate", "plan", "format", "layout", "render", "import"])
def test_a_project_that_is_no_file_is_told(verb: str, strange: Path, capsys) -> None:
    more = ["-o", "-"] if verb == "import" else []
    assert cli.main([verb, str(strange), *more]) == 3
    said = capsys.readouterr().err
    assert "E_FILE_IO" in said and "and not a file" in said


def test_a_machine_file_that_is_none_is_told(strange: Path, capsys) -> None:
    assert cli.main(["plan", str(PROJECT), "--machine", str(strange)]) == 3
    assert "and not a file" in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["report", "rerun", "trace"])
@pytest.mark.parametrize("name", ["results.json", "run.json"])
def test_a_run_directory_with_a_pipe_in_it_is_damaged(name: str, verb: str, tmp_path: Path, capsys) -> None:
    run = store(tmp_path / "runs")
    (run / name).unlink()
    os.mkfifo(run / name)
    more = [] if verb == "rerun" else ["-o", str(tmp_path / "out")]
    assert cli.main([verb, str(run), *more]) == 4
    assert "E_R" in capsys.readouterr().err


def test_a_descriptor_that_is_a_pipe_is_reported(tmp_path: Path, capsys) -> None:
    (tmp_path / "mine").mkdir()
    os.mkfifo(tmp_path / "mine" / "block.json")
    assert cli.main(["validate", str(PROJECT), "--block-path", str(tmp_path)]) == 3
    assert "a named pipe" in capsys.readouterr().err


def test_of_a_machine_file_no_more_is_read_than_of_a_project(tmp_path: Path, capsys) -> None:
    path = tmp_path / "machine.json"
    path.touch()
    os.truncate(path, 1 << 42)  # needs no room on the disk, and exceeds any memory
    assert cli.main(["plan", str(PROJECT), "--machine", str(path)]) == 3
    said = capsys.readouterr().err
    assert "E_MACHINE" in said and str(MAX_BYTES) in said


def test_the_writer_of_a_pipe_is_not_let_go(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="a named pipe"):
        read_bounded(tmp_path / "pipe", 10)
    with pytest.raises(OSError):  # no process has it open for reading
        os.open(tmp_path / "pipe", os.O_WRONLY | os.O_NONBLOCK)


@pytest.mark.parametrize("words", ["validate -", "validate /dev/stdin", "validate /dev/fd/0", "validate <(cat)"])
def test_what_a_shell_hands_over_is_read(words: str) -> None:
    done = subprocess.run(["bash", "-c", f"cat {PROJECT} | {{ {sys.executable} -P -m weir {words}; }}"],
                          capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)}, timeout=60)
    assert done.returncode == 0, done.stderr
