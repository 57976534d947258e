"""Commands and files over OpenSSH."""

from __future__ import annotations

import os
import shlex
import subprocess
import tarfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from weir.diagnostics import WeirError, diagnostic, not_started, trying
from weir.interop.boards.board import Board

#: Command that connects, as GIT_SSH_COMMAND for git.
SSH = "WEIR_SSH"
#: No questions: a board is reached by a key. A dead connection ends after 15 seconds.
_OPTIONS = ("-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5",
            "-o", "ServerAliveCountMax=3")
#: Exit code of ssh if the connection fails.
_NO_CONNECTION = 255
#: Longest answer of a command, in characters.
_MOST = 1 << 20


class ConnectionLost(WeirError):
    """There is no connection (E_BOARD)."""


class Link:
    """Connection to a board. Each command and each transfer is an ssh of its own."""

    def __init__(self, board: Board):
        self.board = board
        self._ssh = [*shlex.split(os.environ.get(SSH, "ssh")), *_OPTIONS, board.destination]

    def run(self, script: str, *words: str) -> str:
        """Run a script of sh with these arguments and return its output. Raises WeirError (E_BOARD) if it fails."""
        with self._started(script, words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as child:
            said, errors = child.communicate()
        self._check(child.returncode, errors)
        return said[:_MOST].decode("utf-8", "replace")

    def put(self, files: Iterable[tuple[Path, str]], folder: str) -> None:
        """Copy files, each to its place below a folder of the board. Raises as `run`, and OSError."""
        script = 'mkdir -p "$1" && tar -xzf - -C "$1"'
        with self._started(script, (folder,), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as child:
            try:
                assert child.stdin is not None
                with child.stdin as pipe, tarfile.open(fileobj=pipe, mode="w|gz") as archive:
                    for path, name in files:
                        archive.add(path, name, recursive=False, filter=_as_anyone)
            except BrokenPipeError:
                pass  # ssh says why
            errors = child.stderr.read() if child.stderr else b""
        self._check(child.returncode, errors)

    def get(self, folder: str, into: Path) -> None:
        """Copy the files of a folder of the board, if it exists, into an existing folder. Raises as `run`, and OSError.
        """
        script = 'mkdir -p "$1" && cd "$1" && tar -cf - .'
        with self._started(script, (folder,), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            try:
                with tarfile.open(fileobj=child.stdout, mode="r|") as archive:
                    for member in archive:
                        _extract(archive, member, into)
            except (tarfile.TarError, EOFError):
                child.stdout.read()
                self._check(child.wait() or 1, child.stderr.read() if child.stderr else b"")
            errors = child.stderr.read() if child.stderr else b""
        self._check(child.returncode, errors)

    @contextmanager
    def following(self, script: str, *words: str) -> Iterator[subprocess.Popen]:
        """Run a script while the block reads its output. Afterwards raises as `run`."""
        with self._started(script, words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as child:
            try:
                yield child
                errors = child.stderr.read() if child.stderr else b""
                child.wait()
            finally:
                if child.poll() is None:
                    child.kill()
        self._check(child.returncode, errors)

    def _started(self, script: str, words: Sequence[str], stdin: int, stdout: int) -> subprocess.Popen:
        # The login shell of the board may be any shell: only single quotes mean the same in all.
        command = shlex.join(["sh", "-c", script, "sh", *words])
        try:
            # Ctrl-C reaches the board through Weir, not by ending the connection.
            return subprocess.Popen([*self._ssh, command], stdin=stdin, stdout=stdout,
                                    stderr=subprocess.PIPE, start_new_session=True)
        except FileNotFoundError as error:
            raise WeirError(not_started(error, "the connection to a board")) from None

    def _check(self, code: int, errors: bytes) -> None:
        said = errors.decode("utf-8", "replace").strip().splitlines()[-1:]
        if code == _NO_CONNECTION:
            to, why = self.board.destination, said[0] if said else "ssh failed"
            raise ConnectionLost(diagnostic("E_BOARD", "", f"no connection to {to}: {why}",
                                            f"`ssh {to}` must work without a password; `ssh-copy-id {to}` installs "
                                            "your key"))
        if code:
            raise WeirError(diagnostic("E_BOARD", "", f"{self.board.name}: {said[0] if said else f'exit code {code}'}"))


def _as_anyone(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def _extract(archive: tarfile.TarFile, member: tarfile.TarInfo, into: Path) -> None:
    """Extract a file or a folder. Whatever else a board sends, or elsewhere, is left out."""
    name = PurePosixPath(member.name)
    if name.is_absolute() or ".." in name.parts:
        return
    with trying(f"write {into / name}"):
        if member.isdir():
            (into / name).mkdir(parents=True, exist_ok=True)
        elif member.isfile():
            content: IO[bytes] | None = archive.extractfile(member)
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            with open(into / name, "wb") as file:
                while content and (block := content.read(1 << 20)):
                    file.write(block)
