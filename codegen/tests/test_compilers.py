"""Test that compilers end with the process that started them, however it ends, also in Ninja's process groups."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import CODEGEN
from planning import EXAMPLES
from processes import goes_on
from weir import compilers

#: Two jobs, and a tool that calls Ninja as CMake does. The compiler records its process and that of its helper.
NINJA = """
rule cxx
  command = sh -c 'echo $$$$ >>$pids; sleep 300 & echo $$! >>$pids; wait'
build a: cxx
build b: cxx
"""
DRIVER = "import sys; from weir import compilers; sys.exit(compilers.run(sys.argv[1:]))"
#: Compiles CMake's compiler checks, and hangs at everything else.
SLOW = """#!/bin/sh
case "$*" in
    *" -c "*CMakeCXX*) ;;
    *" -c "*) echo $$ >>{pids}; sleep 300 & echo $! >>{pids}; wait; exit ;;
esac
exec {compiler} "$@"
"""


def alive(pids: Path) -> list[int]:
    """Return the recorded processes that still run."""
    return [pid for pid in map(int, pids.read_text().split() if pids.exists() else []) if goes_on(pid)]


def comes_true(what: Callable[[], bool], within_s: float = 30) -> bool:
    deadline = time.monotonic() + within_s
    while not what() and time.monotonic() < deadline:
        time.sleep(0.02)
    return what()


def begun(words: list[str | Path], pids: Path, wanted: int, **options) -> subprocess.Popen:
    """Start a program and wait until its compilers run."""
    child = subprocess.Popen(words, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                             **options)
    assert comes_true(lambda: len(alive(pids)) >= wanted, 60)
    return child


@pytest.fixture
def slow(tmp_path: Path) -> tuple[list[str], Path]:
    """Return a build of two compilers with a helper each, and the file with their process numbers."""
    (tmp_path / "build.ninja").write_text(NINJA.replace("$pids", str(tmp_path / "pids")))
    return ["sh", "-c", f"ninja -j2 -C '{tmp_path}' & wait"], tmp_path / "pids"


@pytest.mark.skipif(not shutil.which("ninja"), reason="ninja is not installed")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("start", [["-c", DRIVER], ["-I", "-S", compilers.__file__]])
def test_whatever_ends_a_build_ends_its_compilers(slow, start, number) -> None:
    words, pids = slow
    child = begun([sys.executable, *start, *words], pids, 4, cwd=CODEGEN)
    child.send_signal(number)
    child.wait()
    assert comes_true(lambda: not alive(pids), 10)


@pytest.mark.skipif(not shutil.which("ninja"), reason="ninja is not installed")
def test_what_a_launcher_started_ends_with_it(slow) -> None:
    words, pids = slow
    shell = begun(["sh", "-c", '"$@" & wait', "sh", sys.executable, "-I", "-S", compilers.__file__, *words], pids, 4)
    shell.kill()
    assert comes_true(lambda: not alive(pids), 10)


def test_one_that_is_deaf_is_killed_and_one_that_ends_is_left_alone(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    deaf = f"trap '' TERM; echo $$ >>'{pids}'; while :; do sleep 0.1; done"
    with compilers.started(["sh", "-c", deaf]):
        assert comes_true(lambda: bool(alive(pids)))
    assert not alive(pids)
    # A background process stays on purpose, such as ccache's server.
    assert compilers.run(["sh", "-c", f"sleep 300 >/dev/null 2>&1 & echo $! >>'{pids}'; exit 7"]) == 7
    [left] = alive(pids)
    os.kill(left, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_verb_that_is_ended_while_it_builds_leaves_no_compiler(tmp_path: Path, number) -> None:
    pids, tools = tmp_path / "pids", tmp_path / "bin"
    tools.mkdir()
    (tools / "g++").write_text(SLOW.format(pids=pids, compiler=shutil.which("g++")))
    (tools / "g++").chmod(0o755)
    world = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "XDG_CACHE_HOME": str(tmp_path / "cache"),
             "PYTHONPATH": str(CODEGEN)}
    verb = begun([sys.executable, "-P", "-m", "weir", "generate", "--build", EXAMPLES / "quickstart.weir.json"], pids,
                 2, env=world)
    verb.send_signal(number)
    assert verb.wait(20) in (130, -number)
    assert comes_true(lambda: not alive(pids), 10)
