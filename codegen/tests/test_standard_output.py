"""Test that standard output has only the answer of a verb, whatever else prints."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys

import pytest
from conftest import CODEGEN
from planning import EXAMPLES
from weir import cli
from weir.cli.verbs import catalog

BODY = """
import os, sys
from weir import standard_output
with standard_output.put_away():
    print("answer ä")
    os.system("echo child")
    os.write(1, b"library\\n")
    with standard_output.prints_to_stderr():
        print("Python")
    sys.stdout.buffer.write(b"bytes\\n")
print("afterwards")
os.system("echo afterwards too")
"""


@pytest.mark.parametrize(("redirection", "answer", "people"), [
    ("", "answer ä\nbytes\nafterwards\nafterwards too\n", {"child", "library", "Python"}),
    ("2>&-", "answer ä\nbytes\nafterwards\nafterwards too\n", set()),
    (">&-", "", None)])
def test_the_answer_alone_goes_to_standard_output(redirection: str, answer: str, people: set | None, tmp_path) -> None:
    body = BODY if redirection != ">&-" else "from weir import standard_output\nwith standard_output.put_away(): pass"
    done = subprocess.run(["sh", "-c", f'exec "$0" -c "$1" {redirection}', sys.executable, body], capture_output=True,
                          cwd=os.path.dirname(os.path.dirname(__file__)), env={**os.environ, "PYTHONUTF8": "1"})
    assert done.stdout.decode() == answer and done.returncode == 0
    assert people is None or set(done.stderr.decode().split()) == people


def test_a_stdout_of_somebody_elses_stays_as_it_is(capsys) -> None:
    from weir import standard_output

    before = sys.stdout
    with standard_output.put_away():
        assert sys.stdout is before
        print("the answer")
    assert sys.stdout is before and capsys.readouterr().out == "the answer\n"


def test_code_of_others_that_outlives_its_verb_takes_nothing_back(monkeypatch) -> None:
    from weir.standard_output import prints_to_stderr

    first, second = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stdout", first)
    with prints_to_stderr():
        sys.stdout = second
    assert sys.stdout is second


@pytest.mark.parametrize(("redirection", "code", "why"), [
    (">/dev/full", "E_DISK_FULL", "No space left on device"), (">&-", "E_FILE_IO", "it is closed")])
@pytest.mark.parametrize("words", ["validate {}", "--help", "plan --json {}.gone"])
def test_a_failed_write_is_reported(words: str, redirection: str, code: str, why: str) -> None:
    shell = f'exec "$0" -m weir {words.format(EXAMPLES / "quickstart.weir.json")} {redirection}'
    done = subprocess.run(["sh", "-c", shell, sys.executable], capture_output=True, text=True, cwd=CODEGEN)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.splitlines()[-2] == f"weir: error {code}: cannot write to standard output: {why}"


def test_what_another_file_refuses_is_not_said_of_it(monkeypatch, capsys) -> None:
    def full(_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(catalog, "run", full)
    assert cli.main(["catalog"]) == 3 and "standard output" not in capsys.readouterr().err
