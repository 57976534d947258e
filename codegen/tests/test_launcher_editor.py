"""Test the launcher with the editor: how it is built, how long that takes, and what an installed editor needs."""

from __future__ import annotations

import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from launcher_world import ROOT, Machine, bare_machine, packages, ready_machine  # noqa: F401
from test_compilers import alive, comes_true


def test_a_build_of_the_editor_that_fails_shows_why(ready: Machine):
    ready.command("cmake", "echo 'CMake Error: no Qt'; exit 1\n")
    result = ready.run("edit", "p")
    assert (result.returncode, result.stdout) == (3, "")
    assert "CMake Error: no Qt" in result.stderr and "editor.log" in result.stderr


def test_the_editor_gets_the_launcher_and_the_arguments(ready: Machine):
    ready.command("cmake", 'exit 0\n')
    editor = ready.tree / "build/editor/weir-editor"
    editor.parent.mkdir(parents=True)
    editor.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    editor.chmod(0o755)
    result = ready.run("edit", "a b.weir.json", "--screenshot", "f.png")
    assert result.stdout.splitlines() == ["--weir", str(ready.tree / "weir"), "--examples",
                                          str(ready.tree / "examples"),
                                          "a b.weir.json", "--screenshot", "f.png"]


#: Builds an editor that prints its own name.
CMAKE = """\
[ "$1" = --build ] || exit 0
printf '#!/bin/sh\\necho "$0"\\n' >"$2/weir-editor"
chmod +x "$2/weir-editor"
"""


@pytest.mark.parametrize("in_the_way", ["build", "build/editor.log/x"])
def test_an_editor_of_a_tree_that_cannot_be_written_is_built_in_the_cache(ready: Machine, tmp_path: Path,
                                                                          in_the_way: str):
    (ready.tree / in_the_way).parent.mkdir(parents=True, exist_ok=True)
    (ready.tree / in_the_way).write_text("this was built\n")
    (ready.bin / "chmod").symlink_to(shutil.which("chmod"))
    ready.command("cmake", CMAKE)
    result = ready.run("edit", HOME=str(tmp_path))
    assert result.stdout.startswith(f"{tmp_path}/.cache/weir/editor/")
    assert (tmp_path / ".cache/weir").stat().st_mode & 0o77 == 0
    ready.command("cmake", "echo 'CMake Error: no Qt'; exit 1\n")
    failed = ready.run("edit", HOME=str(tmp_path))
    assert failed.returncode == 3 and "CMake Error: no Qt" in failed.stderr and "this was built" not in failed.stderr
    nowhere = ready.run("edit", HOME="/dev/null")
    assert nowhere.returncode == 3 and "no place for the editor can be had: Not a directory" in nowhere.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_launcher_that_is_ended_leaves_no_compiler(ready: Machine, number: int):
    ready.command("cmake", f'echo $$ >"$STATE/pid"\nexec {shutil.which("sleep")} 300\n')
    launcher = subprocess.Popen([ready.tree / "weir", "edit"], env=ready.environment, stderr=subprocess.DEVNULL,
                                start_new_session=True)
    pid = ready.state / "pid"
    assert comes_true(lambda: bool(alive(pid)))
    launcher.send_signal(number)
    assert launcher.wait() == -number and comes_true(lambda: not alive(pid), 10)


@pytest.fixture
def installed(ready: Machine) -> Machine:
    (ready.tree / "installed").write_text("../the bin\n")
    return ready


def test_an_installed_editor_is_started_as_it_is(installed: Machine):
    editor = installed.tree / "../the bin/weir-editor"
    editor.parent.mkdir()
    editor.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    editor.chmod(0o755)
    result = installed.run("edit", "p.weir.json")
    assert result.stdout.splitlines()[-1] == "p.weir.json" and not (installed.tree / "build").exists()


@pytest.mark.parametrize(("verb", "said"),
                         [("edit", "installed without the editor"), ("test", "works only in the source tree"),
                                            ("bench", "works only in the source tree")])
def test_what_an_installed_weir_cannot_do_is_reported(installed: Machine, verb: str, said: str):
    result = installed.run(verb)
    assert (result.returncode, result.stdout) == (3, "") and said in result.stderr


def test_an_installed_tree_is_not_written_to(installed: Machine, tmp_path: Path):
    show = "import os, sys; print(sys.pycache_prefix)"
    installed.verb(show)
    assert installed.run("x", HOME=str(tmp_path)).stdout == f"{tmp_path}/.cache/weir/pycache\n"
    assert installed.run("x", HOME="/", XDG_CACHE_HOME="/c").stdout == "/c/weir/pycache\n"


def test_an_installed_editor_needs_nothing_to_build_it(machine: Machine):
    (machine.tree / "installed").write_text("../bin\n")
    machine.run("edit", "p")
    installed = machine.installed()
    assert packages("window", "build", "trace") <= installed and not packages("editor") & installed
    assert not any("qt6" in name and name.endswith("-dev") for name in installed)
    (machine.tree / "installed").unlink()
    machine.run("edit", "p")
    assert packages("editor", "window") <= machine.installed()


@pytest.mark.parametrize(("steps", "seconds", "left"), [("[5/100]", 60, ""), ("[30/100]", 60, "about 2 min left"),
                                                        ("[90/100]", 90, "about 10 s left")])
def test_a_build_tells_how_long_the_rest_takes(steps: str, seconds: int, left: str):
    script = f'. "{ROOT}/setup/editor.sh"; left_of "{steps}" {seconds}'
    assert subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout == left


@pytest.mark.parametrize(("objects", "done"), [(0, "[1/3]"), (1, "[1/2]"), (3, "[300/305]")])
def test_the_progress_of_a_build_is_that_of_its_slow_steps(tmp_path: Path, objects: int, done: str):
    rules = "".join(f"build {name}.o: CXX_COMPILER__ui_Release {name}.cpp\n" for name in "abc")
    (tmp_path / "build.ninja").write_text(rules + "build f.qml: CUSTOM_COMMAND g.qml\n")
    (tmp_path / "log").write_text("[299/305] Generating f.qml\n[300/305] Building CXX object a.o\n")
    script = f'. "{ROOT}/setup/editor.sh"; work_done "[300/305]" "{tmp_path}/log" "{tmp_path}" {objects}'
    assert subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout.strip() == done
