"""Test `--on BOARD` with a real sshd on loopback, whose user has another home folder."""

from __future__ import annotations

import csv
import getpass
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import CODEGEN
from weir import cli
from weir.cli.verbs._board import _read
from weir.interop.boards.board import boards
from weir_process import project, weir

EXAMPLES = CODEGEN.parent / "examples"
CHUNKED = {"name": "one", "scheduler": "single_thread", "chunk_items": 256}
SSHD = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")
pytestmark = pytest.mark.skipif(SSHD is None, reason="openssh-server is not installed")


class Board:
    """Machine behind sshd, named `b`. `home` is its user's; `world` is the environment of Weir on this side."""

    def __init__(self, folder: Path):
        self.folder, self.home = folder, folder / "there"
        self.home.mkdir()
        for name in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
        shutil.copy(folder / "user.pub", folder / "authorized")
        with socket.socket() as any_port:
            any_port.bind(("127.0.0.1", 0))
            self.port = any_port.getsockname()[1]
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(exist_ok=True)  # sshd of root does not start without it
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"  # builds need not be made again
        (folder / "sshd_config").write_text(
            f"ListenAddress 127.0.0.1:{self.port}\nHostKey {folder}/host\nAuthorizedKeysFile {folder}/authorized\n"
            f"StrictModes no\nUsePAM no\nPidFile none\nPermitRootLogin yes\n"
            f"SetEnv HOME={self.home} XDG_CACHE_HOME={cache} WEIR_SKIP_SETUP=1 WEIR_LOCK={folder}/lock\n")
        (folder / "ssh_config").write_text(
            f"Host b\n HostName 127.0.0.1\n Port {self.port}\n User {getpass.getuser()}\n IdentityFile {folder}/user\n"
            f" IdentitiesOnly yes\n UserKnownHostsFile {folder}/known\n StrictHostKeyChecking accept-new\n")
        self.world = {**os.environ, "WEIR_SSH": f"ssh -F {folder}/ssh_config", "XDG_CONFIG_HOME": str(folder / "here"),
                      "PYTHONPATH": str(CODEGEN)}
        self._server: subprocess.Popen | None = None

    def open(self) -> None:
        """Start sshd, and wait until it listens."""
        self._server = subprocess.Popen([str(SSHD), "-D", "-e", "-f", self.folder / "sshd_config"],
                                        stderr=subprocess.DEVNULL, start_new_session=True)
        for _ in range(100):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError("sshd does not listen")

    def cut(self) -> None:
        """Kill sshd and all its connections. The programs that they started go on."""
        assert self._server is not None
        for line in subprocess.run(["ps", "-eo", "pid=,ppid=,comm="], capture_output=True, text=True,
                                   check=True).stdout.splitlines():
            pid, parent, name = line.split(None, 2)
            if name.startswith("sshd") and int(parent) in (self._server.pid, *self._connections):
                self._connections.add(int(pid))
        self._server.kill()
        self._server.wait()
        for pid in self._connections:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self._connections.clear()

    _connections: set[int] = set()

    def weir(self, *words: object, code: int = 0) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(weir(*words), env=self.world, cwd=self.folder, capture_output=True, text=True,
                              timeout=300)
        assert done.returncode == code, done.stderr
        return done

    @property
    def jobs(self) -> list[Path]:
        """Return the jobs that the board keeps."""
        return sorted((self.home / ".cache/weir/board/jobs").glob("*"))


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Board]:
    it = Board(tmp_path)
    it.open()
    it.weir("board", "add", "shelf", "b")
    yield it
    it.cut()


def test_a_run_on_a_board_comes_here_and_leaves_nothing_there(there: Board) -> None:
    path = project(there.folder, seconds=0.4)
    done = there.weir("run", path.name, "--on", "shelf")
    [run] = (there.folder / "runs").iterdir()
    results = json.loads((run / "results.json").read_text())
    assert results["status"] == "ok" and results["verification"]["ok"]
    assert "throughput" in done.stdout and f"runs/{run.name}" in done.stdout and str(there.home) not in done.stdout
    assert "shelf gets Weir" in done.stderr and not there.jobs
    # A second run sends no Weir.
    again = there.weir("run", there.folder / path.name, "--on=shelf", "--out", there.folder / "more", "--json")
    assert "gets Weir" not in again.stderr and json.loads(again.stdout)[0]["status"] == "ok"
    assert len(list((there.folder / "more").iterdir())) == 1


def test_a_sweep_outlives_its_connection_and_an_interruption_and_has_each_cell_once(there: Board) -> None:
    path = project(there.folder, seconds=0.4, deployments=[CHUNKED], sweeps=[
        {"name": "s", "vary": {"/deployments/0/chunk_items": [256, 1024]}, "repetitions": 6}])
    words = ["sweep", path, "--on", "shelf", "--out", "out", "--repeats", "0", "--json"]
    with interruptible(there, *words) as cut:
        wait_for_runs(there, 1, cut)
        there.cut()
        said = cut.communicate(timeout=60)[1]
    assert cut.returncode == 3 and "E_BOARD" in said and "--resume" in said and not (there.folder / "out").exists()
    there.open()
    assert "E_SWEEP_FOLDER" in there.weir(*words, code=2).stderr
    with interruptible(there, *words, "--resume") as stopped:
        wait_for_runs(there, 3, stopped)
        stopped.send_signal(signal.SIGINT)
        assert stopped.wait(60) == 4
    first = {run.name for run in (there.folder / "out").glob("2*Z-*")}
    assert 3 <= len(first) < 12 and not there.jobs
    answer = json.loads(there.weir(*words, "--resume").stdout)
    assert (answer["state"], answer["runs"], answer["ok"]) == ("complete", 12, 12) and not there.jobs
    with open(there.folder / "out/table.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({(row["round"], row["point"]) for row in rows}) == len(rows) == 12
    # The interrupted run is repeated and stays.
    runs = {run.name for run in (there.folder / "out").glob("2*Z-*")}
    assert first | {row["directory"] for row in rows} == runs


def interruptible(there: Board, *words: object) -> subprocess.Popen[str]:
    """Start Weir, without waiting for it."""
    return subprocess.Popen(weir(*words), env=there.world, cwd=there.folder, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def wait_for_runs(there: Board, number: int, command: subprocess.Popen[str]) -> None:
    """Wait until the board has so many runs."""
    deadline = time.monotonic() + 120
    while sum(1 for job in there.jobs for _ in Path(f"{job}/files{there.folder}/out").glob("2*/run.json")) < number:
        assert time.monotonic() < deadline and command.poll() is None
        time.sleep(0.1)


@pytest.mark.skipif(shutil.which("x86_64-linux-gnu-g++") is None, reason="stands for the cross compiler of a board")
def test_programs_for_a_board_are_built_here(there: Board) -> None:
    there.weir("board", "add", "slow", "b", "--cross", "x86_64-linux-gnu")
    path = project(there.folder, seconds=0.2, deployments=[CHUNKED], sweeps=[
        {"name": "s", "vary": {"/deployments/0/chunk_items": [256, 1024]}, "repetitions": 3}])
    # The board has no compiler.
    config = there.folder / "sshd_config"
    config.write_text(config.read_text().replace("SetEnv ", f"SetEnv PATH={without_compiler(there.folder)} "))
    there.cut()
    there.open()
    assert "E_COMPILER_MISSING" in there.weir("run", path, "--on", "shelf", code=3).stderr
    done = there.weir("run", path, "--on", "slow")
    [run] = (there.folder / "runs").iterdir()
    results = json.loads((run / "results.json").read_text())
    assert results["status"] == "ok" and results["verification"]["ok"] and "building 1 program for" in done.stderr
    assert "-march=x86-64-v2" in results["environment"]["flags"]
    answer = json.loads(there.weir("sweep", path, "--on", "slow", "--out", "s", "--repeats", "0", "--json").stdout)
    assert (answer["state"], answer["ok"]) == ("complete", 6)


def without_compiler(folder: Path) -> Path:
    """Return a folder with all programs of /usr/bin but the compilers."""
    made = folder / "bin"
    made.mkdir()
    for program in Path("/usr/bin").iterdir():
        if not any(word in program.name for word in ("g++", "gcc", "c++", "clang")):
            (made / program.name).symlink_to(program)
    return made


def test_the_files_that_a_command_reads_are_sent() -> None:
    for name, read in (("fm_receiver", {"fm_receiver/broadcast.sigmf-data", "fm_receiver/broadcast.sigmf-meta"}),
                       ("saxpy_multi_core", {"qsdr_kv260.csv"})):
        args = cli._parsed(["sweep", str(EXAMPLES / f"{name}.weir.json"), "--on", "shelf"])
        assert set(_read(args, args.options)) == {EXAMPLES / it for it in {f"{name}.weir.json", *read}}


def test_what_cannot_be_done_is_said(there: Board) -> None:
    assert "E_BOARD" in there.weir("doctor", "--on", "attic", code=3).stderr
    assert json.loads(there.weir("doctor", "--on", "shelf", "--topology", "--json").stdout)["cores"]
    assert "E_USAGE" in there.weir("board", "add", "a b", "b", code=2).stderr
    assert "ssh-copy-id" in there.weir("board", "add", "other", "nobody@127.0.0.1", code=3).stderr
    assert json.loads(there.weir("board", "list", "--json").stdout)["boards"] == [
        {"name": "shelf", "destination": "b", "cross": ""}]
    assert "E_USAGE" in there.weir("board", "add", "other", "b", "--cross", "pdp11-linux", code=2).stderr
    there.weir("board", "rm", "shelf")
    assert there.weir("board", "list").stdout == ""


def test_a_damaged_list_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from weir.diagnostics import WeirError

    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert boards() == {}
    (tmp_path / "weir").mkdir()
    (tmp_path / "weir/boards.json").write_text('{"format": 1}')
    with pytest.raises(WeirError, match="is damaged"):
        boards()
