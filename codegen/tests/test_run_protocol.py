"""Test that docs/run-protocol.md, the runtime and the runner agree."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

import pytest
from conftest import CODEGEN
from weir.engine.measuring import weir_protocol
from weir.engine.targets.interface import Ended, Order, Program

ROOT = CODEGEN.parent
PAGE = (ROOT / "docs" / "run-protocol.md").read_text(encoding="utf-8")
PROGRAM = Program.of(Path("/p"))


def order(**more) -> Order:
    return Order(Path("/run"), Path("/project"), **more)


def ended(code: int, *lines: str) -> Ended:
    return Ended(code, False, lines)


def test_the_page_has_the_options_and_exit_codes_of_the_runtime() -> None:
    options = set(re.findall(r'^    \{"(--[a-z-]+)"', (ROOT / "runtime/src/options.cpp").read_text(), re.MULTILINE))
    assert len(options) > 15 and options == set(re.findall(r"`(--[a-z-]+)[^`]*`", PAGE.partition("## What")[0]))
    codes = re.findall(r"kExit\w+ = (\d);", (ROOT / "runtime/src/app_parts.hpp").read_text())
    assert codes == re.findall(r"^\| (\d) \|", PAGE, re.MULTILINE)
    assert weir_protocol.CRASHED_IN in (ROOT / "runtime/src/crash.cpp").read_text() and weir_protocol.CRASHED_IN in PAGE


def test_the_runner_gives_no_option_that_the_page_lacks() -> None:
    run = weir_protocol.command(PROGRAM, order(run_id="r", repetition=2, items=5, trace="memory", params=("a.b=1",),
                                               progress=True))
    assert run == ["/p", "--out", ".", "--project-dir", "/project", "--trace", "memory", "--run-id", "r",
                   "--repetition", "2", "--items", "5", "--param", "a.b=1", "--progress=json"]
    check = weir_protocol.command(PROGRAM, order(items=7, counted=True, taps=("a.out", "b.out"), timeout_s=20.0))
    assert check == ["/p", "--out", ".", "--project-dir", "/project", "--verify", "--without-reference", "--tap",
                     "a.out", "--tap", "b.out", "--items", "7", "--timeout-s", "20"]
    assert "--without-reference" not in weir_protocol.command(PROGRAM, order(counted=True))
    for word in (*run, *check):
        assert not word.startswith("--") or f"`{word.partition('=')[0]}" in PAGE, word


def test_what_an_end_means() -> None:
    assert [weir_protocol.verdict(ended(code)).kind for code in (0, 4, 2, 3, 1, -11)] == [
        "ended", "ended", "usage", "unwritten", "failed", "failed"]
    assert weir_protocol.verdict(ended(2, "error: no such option", "see --help")).said == (
        "no such option / see --help",)
    crashed = weir_protocol.verdict(ended(-11, "hello", "weir: crashed in block fir"))
    assert crashed.crashed_in == "fir" and crashed.said == ("hello",)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES])
def test_what_the_system_kept_it_from_writing(number: int) -> None:
    line = f"error: cannot write /run/results.json: {os.strerror(number)}"
    assert weir_protocol.verdict(ended(3, line)).errno == number
    assert weir_protocol.verdict(ended(3, line, "more")).errno == 0
