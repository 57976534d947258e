"""Test the linters of `weir test`: the suite, the hooks and the pins name the same ones."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time

import lint
import pytest
import yaml
from conftest import CODEGEN
from processes import goes_on
from weir.cli.verbs import _suites as verb
from weir.engine.generation import pinned
from weir.sure import sure


def test_the_suite_and_the_hooks_run_the_same_commands():
    *commands, qmllint = next(suite.commands for suite in verb.suites(False) if suite.name == "lint")
    assert {command[-1] for command in commands} == set(lint.LINTERS) and qmllint[-1].endswith("_qmllint")
    hooks = yaml.safe_load((lint.ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    assert [hook["entry"].split()[1:] for hook in hooks] == [
        [word.removeprefix(f"{lint.ROOT}/") for word in command[1:]] for command in commands
        if command[-1] in {"ruff", "mypy", "clang-format", "codespell", "prose", "tables"}]


def test_every_linter_runs_although_another_found_something(monkeypatch, tmp_path, capfd):
    monkeypatch.setattr(verb, "LOGS", tmp_path)
    found, clean = (sys.executable, "-c", "print('E501'); raise SystemExit(1)"), (sys.executable, "-c", "pass")
    outcome = verb.run_suite(verb.Suite("lint", (found, clean, found), independent=True))
    assert (outcome.passed, outcome.failed) == (1, 2)
    assert capfd.readouterr().out.splitlines().count("E501") == 2


def test_an_interrupted_suite_leaves_no_command_running(tmp_path):
    """Check the shell and its child."""
    program = f"""
from pathlib import Path
from weir.cli.verbs import _suites as verb
verb.LOGS = Path({str(tmp_path)!r})
words = ("sh", "-c", "sleep 600 & echo $! >{tmp_path}/new && mv {tmp_path}/new {tmp_path}/pid && wait")
verb.run_suite(verb.Suite("lint", (words,), independent=True))
"""
    suite = subprocess.Popen([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": str(CODEGEN)},
                             stderr=subprocess.DEVNULL)
    until(lambda: (tmp_path / "pid").exists())
    suite.send_signal(signal.SIGINT)
    assert suite.wait(timeout=30) != 0
    until(lambda: not goes_on(int((tmp_path / "pid").read_text())))


def until(true):
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_linters_are_pinned_by_hash_and_built_for_each_release(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    asked = []

    def pip(command, **_):
        asked.append(command)
        (made := pinned.Path(command[command.index("--target") + 1])).mkdir()
        return subprocess.CompletedProcess(command, 0, "", str(made))

    monkeypatch.setattr(pinned.subprocess, "run", pip)
    for _ in range(2):
        [program, *_] = lint.ruff()
        assert program.startswith(str(tmp_path / "cache" / "weir" / "lint"))
    [command] = asked
    assert {"--require-hashes", "--no-deps"} <= set(command) and command[-1] == str(lint.ROOT / "setup" / "lint.txt")
    rows = pinned.Pinned("lint").file.read_text().replace("\\\n", " ").splitlines()
    hashes = {row.split("==")[0]: len(re.findall(r"--hash=sha256:[0-9a-f]{64}(?!\S)", row)) for row in rows
              if "==" in row}
    # Compiled packages have one file per Python: three Pythons, and two machine types.
    assert {name: hashes[name] for name in ("ruff", "mypy", "librt")} == {"ruff": 2, "mypy": 6, "librt": 6}


def test_linters_that_others_may_write_to_are_not_run(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    place = pinned.Pinned("lint").place()
    (place / "bin").mkdir(parents=True)
    monkeypatch.setattr(lint.os, "execvp", lambda *command: pytest.fail(f"it ran {command}"))
    place.parent.parent.chmod(0o700)
    place.parent.chmod(0o777)
    assert lint.main(["ruff"]) == 3
    assert "other users can write" in capsys.readouterr().err


def test_what_is_there_for_sure_is_a_fault_of_weirs_where_it_is_not():
    assert sure(0) == 0 and sure("") == ""
    with pytest.raises(TypeError, match="missing"):
        sure(None)


def test_clang_format_sees_every_cpp_file_of_the_tree():
    tracked = subprocess.run(["git", "-C", str(lint.ROOT), "ls-files", "*.cpp", "*.hpp", "*.h", "*.c", "*.cc"],
                             capture_output=True, text=True)
    if tracked.returncode:
        pytest.skip("the tree is not a clone")
    assert {str(path) for path in lint.cpp_files()} >= set(tracked.stdout.split())
