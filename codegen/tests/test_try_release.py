"""Test setup/try-release.sh up to the system that it makes; the rest is tested by running it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "setup/try-release.sh"
NAMESPACES = ["unshare", "--mount", "--pid", "--fork", "--mount-proc", "true"]
needs_namespaces = pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("git")
                                      or subprocess.run(NAMESPACES, capture_output=True).returncode != 0,
                                      reason="needs root, namespaces and git")


class World:
    """A PATH with our mmdebstrap and id, and a folder that does not exist yet."""

    def __init__(self, folder: Path):
        self.bin, self.folder = folder / "bin", folder / "a system"
        self.bin.mkdir()
        self.command("mmdebstrap", "exit 9\n")
        self.command("id", "echo 0\n")

    def command(self, name: str, script: str) -> None:
        path = self.bin / name
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(0o755)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(["env", "--default-signal", SCRIPT, *arguments], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True,
                                env={**os.environ, "PATH": f"{self.bin}:/usr/sbin:/usr/bin:/sbin:/bin"})

    def run(self, *arguments: str) -> tuple[int, str, str]:
        process = self.start(*arguments)
        output, errors = process.communicate(timeout=60)
        return process.returncode, output, errors

    def processes(self) -> list[Path]:
        """Return the processes with our PATH."""
        def environment(process: Path) -> bytes:
            try:
                return (process / "environ").read_bytes()
            except OSError:  # it has just ended
                return b""
        return [p for p in Path("/proc").glob("[0-9]*") if os.fsencode(self.bin) in environment(p)]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.mark.parametrize("arguments", [(), ("trixie",)])
def test_without_a_release_and_a_folder_it_says_what_it_wants(world: World, arguments: tuple[str, ...]):
    code, _, errors = world.run(*arguments)
    assert code == 2 and errors.startswith("usage: ")


def test_it_says_that_it_needs_root(world: World):
    world.command("id", "echo 1000\n")
    code, _, errors = world.run("trixie", str(world.folder))
    assert code == 3 and "needs root" in errors and not world.folder.exists()


def test_an_unknown_step_is_named_before_anything_is_made(world: World):
    code, _, errors = world.run("trixie", str(world.folder), "run", "fly")
    assert code == 2 and "unknown step fly" in errors and not world.folder.exists()


def test_a_folder_with_something_in_it_stays_as_it_is(world: World):
    world.folder.mkdir()
    (world.folder / "mine").write_text("mine")
    code, _, errors = world.run("trixie", str(world.folder))
    assert code == 2 and "is not empty" in errors and os.listdir(world.folder) == ["mine"]


@needs_namespaces
def test_a_step_that_fails_is_in_the_table_and_its_output_in_the_log(world: World):
    world.command("mmdebstrap", 'echo "$@"; echo no such release >&2; exit 9\n')
    code, output, _ = world.run("no_such", str(world.folder))
    table, log = ((world.folder / "logs" / name).read_text() for name in ("table", "system.log"))
    assert code == 1 and output.endswith(table) and "FAILED, exit code 9" in table
    assert "no such release" in log and "no such release" in output


@needs_namespaces
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_leaves_no_process_and_no_mount(world: World, number: signal.Signals):
    world.command("mmdebstrap",
                  f"cd '{world.folder}' && mkdir system && mount -t tmpfs tmpfs system && touch ready && sleep 900\n")
    process = world.start("trixie", str(world.folder))
    while not (world.folder / "ready").exists():
        assert process.poll() is None
        time.sleep(0.01)
    assert world.processes()
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and "interrupted" in errors
    assert str(world.folder).replace(" ", "\\040") not in Path("/proc/self/mounts").read_text()
    deadline = time.monotonic() + 60
    while world.processes():  # the kernel ends them after the script
        assert time.monotonic() < deadline
        time.sleep(0.01)
