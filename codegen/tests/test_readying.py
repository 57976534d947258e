"""Test that preparations beside a build end with it, and that the next build removes those of a killed one."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from weir.engine.measuring import trace_reader
from weir.engine.measuring.readying import readying
from weir.machine.processes import identity, is_alive, place
from weir.model import ownership

GONE = {"pid": 4_194_305, "start": 1}  # above any pid of Linux


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that is the whole PATH, without lttng, for a cmake; the cache is beside it."""
    folder = tmp_path / "tools"
    folder.mkdir()
    for name in ("c++", "make", "pkg-config"):
        script(folder / name, "exit 0")
    for name in ("PATH", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(folder if name == "PATH" else tmp_path))
    return folder


def script(file: Path, body: str) -> None:
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)


def workplaces(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in tmp_path.glob("weir/tools/*/build-*"))


def test_the_compile_of_the_reader_ends_with_a_build_that_fails(tools: Path, tmp_path: Path) -> None:
    script(tools / "cmake", f"/bin/sleep 30 & echo $! > {tmp_path}/half; /bin/mv {tmp_path}/half {tmp_path}/pid; wait")
    with pytest.raises(ZeroDivisionError), readying({"lttng"}):
        deadline = time.monotonic() + 20
        while not (tmp_path / "pid").exists():
            assert time.monotonic() < deadline
            time.sleep(0.02)
        compiler = identity(int((tmp_path / "pid").read_text()))
        assert is_alive(compiler) and len(workplaces(tmp_path)) == 1
        failed = time.monotonic()
        raise ZeroDivisionError
    deadline = failed + 15
    while is_alive(compiler) and time.monotonic() < deadline:  # the kernel ends it soon, but not at once
        time.sleep(0.01)
    assert not is_alive(compiler) and time.monotonic() < deadline and workplaces(tmp_path) == []


def test_what_a_killed_build_left_goes_with_the_next_and_nothing_else(tools: Path, tmp_path: Path) -> None:
    script(tools / "cmake", f'[ "$1" != --build ] || echo made > "$2/{trace_reader.BINARY}"')
    old = trace_reader._folder().with_name("trace-reader-0000")
    for name, kind, live in (("gone", trace_reader.BINARY, GONE), ("lives", trace_reader.BINARY, identity()),
                             ("other", "somebody's", GONE), ("bare", "", None)):
        work = old / f"build-{name}"
        (work / "CMakeFiles").mkdir(parents=True)
        (work / "CMakeFiles" / "a.o").touch()
        if kind:
            ownership.mark(work, ownership.Marker(ownership.BUILD, kind, ownership.WHOLE, {**live, **place()}))
    old.parent.chmod(0o700)
    (tmp_path / "weir").chmod(0o700)
    assert trace_reader.native_reader().read_text() == "made\n"
    assert workplaces(tmp_path) == ["build-bare", "build-lives", "build-other"]
