"""One command of Weir on a board: Weir and the files go there, the command runs there, and its files come back.

The board keeps a job until its files are here: a command whose connection broke goes on, and the same command here
takes it up again.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from weir import ROOT
from weir.diagnostics import WeirError, diagnostic, trying
from weir.engine.generation.build import SENT
from weir.engine.measuring.run_directory import RUN_ID
from weir.interop.boards.link import ConnectionLost, Link
from weir.lab.sweeping.state import STATE
from weir.sure import sure

Say = Callable[[str], None]

#: What a board needs of Weir's tree, and the names in it that it does not need.
_PARTS = ("weir", "setup", "codegen", "runtime", "block-library", "templates")
_WITHOUT = ("tests", "__pycache__")
#: Weir's folder on a board, below the home folder.
_HERE = ".cache/weir/board"

_STATE = f"""cd && cd "$(pwd -P)" && mkdir -p {_HERE}/weir {_HERE}/jobs && cd {_HERE} && pwd && \
if [ -d "weir/$1" ]; then echo there; else echo absent; fi && cd jobs && \
if [ ! -e "$2" ]; then echo none; elif [ -e "$2/code" ]; then echo ended; \
elif kill -0 "$(cat "$2/pid" 2>/dev/null)" 2>/dev/null; then echo running; else echo broken; fi"""
#: Starts the command in its folder, out of reach of the connection's end. Background programs of sh ignore SIGINT.
_START = 'cd "$1" && cd "files$2" && i=$3 w=$1 && shift 3 && { setsid nohup sh -c "$i" sh "$w" "$@" >/dev/null 2>&1 ' \
         "</dev/null & }"
_INSIDE = 'w=$1; shift; "$@" >"$w/out" 2>"$w/said" </dev/null & echo $! >"$w/pid"; wait $!; echo $? >"$w/code"'
_FOLLOW = 'cd "$1" && n=0; until [ -e pid ] && [ -e said ]; do n=$((n+1)); [ $n -lt 99 ] || exit 1; sleep 0.1; done; ' \
          'exec tail -c "+$(($2+1))" -s 0.2 --pid="$(cat pid)" -f said'
_END = 'cd "$1" && n=0; until [ -e code ]; do n=$((n+1)); [ $n -lt 50 ] || exit 1; sleep 0.1; done; cat code'


@dataclass(frozen=True)
class Command:
    """Command to run. `words` follow `weir`; relative paths in them start at `folder`, and a Path is an absolute one.
    `files` returns the files that it reads; `out` is the folder that it fills, None if it fills none.

    `programs` builds programs for the board, and returns them with their places below WEIR_BUILT; it gets a function
    that runs Weir there. None: the board builds them. `key` tells one job from another: the same key takes a job up
    again.
    """

    words: Sequence[str | Path]
    folder: Path
    files: Callable[[], Sequence[Path]]
    out: Path | None
    key: str
    programs: Callable[[Callable[..., str]], Sequence[tuple[Path, str]]] | None = None


def key_of(*words: str) -> str:
    """Return the key of a job that starts on this machine."""
    return hashlib.sha256("\0".join((platform.node(), *words)).encode()).hexdigest()[:16]


class Job:
    """Job of a command on a board."""

    def __init__(self, link: Link, command: Command, say: Say):
        self._link, self._command, self._say = link, command, say
        tree = list(_tree())
        self._tree_name = _identity(tree)
        base, has_tree, self.state = link.run(_STATE, self._tree_name, command.key).split("\n")[:3]
        self._weir, self._jobs = f"{base}/weir", f"{base}/jobs"
        self._folder = f"{self._jobs}/{command.key}"
        self._tree = tree if has_tree == "absent" else []

    @property
    def is_known(self) -> bool:
        """Return whether the board has the job: it runs there, or has ended there."""
        return self.state in ("running", "ended")

    def start(self) -> None:
        """Send Weir, if its version is new there, and the files, and start the command. Raises WeirError."""
        if self._tree:
            self._say(f"{self._link.board.name} gets Weir")
            part = f"{self._weir}/{self._tree_name}.{os.getpid()}"
            self._link.put([*self._tree], part)
            self._link.run('mv -T "$1" "$2" 2>/dev/null || rm -rf "$1"', part, f"{self._weir}/{self._tree_name}")
        weir, before = f"{self._weir}/{self._tree_name}/weir", []
        self._remove()
        if self._command.programs:
            programs = self._command.programs(partial(self._link.run, 'exec "$@"', weir, "--no-install"))
            self._link.put(programs, f"{self._folder}/built")
            before = ["env", f"{SENT}={self._folder}/built"]
        self._link.put([(path, f"files{path}") for path in self._command.files()], self._folder)
        at = str(self._command.folder)
        self._link.run('mkdir -p "$1/files$2"', self._folder, at)
        self._link.run(_START, self._folder, at, _INSIDE, *before, weir, "--no-install",
                       *(f"{self._folder}/files{word}" if isinstance(word, Path) else word
                         for word in self._command.words))

    def follow(self, show: Callable[[str], None]) -> int:
        """Show what the command says until it ends, and return its exit code. Ctrl-C stops it there, in order.

        Raises ConnectionLost; the command then goes on.
        """
        seen, asked = 0, 0
        while True:
            try:
                with self._link.following(_FOLLOW, self._folder, str(seen)) as tail:
                    for line in sure(tail.stdout):
                        seen += len(line)
                        show(self._here(line))
                return int(self._link.run(_END, self._folder))
            except KeyboardInterrupt:
                asked += 1
                self._link.run(f'kill -{"TERM" if asked < 3 else "KILL"} "$(cat "$1/pid")"', self._folder)

    def output(self) -> str:
        """Return the standard output of the ended command."""
        return self._here(self._link.run('cat "$1/out"', self._folder).encode())

    def fetch(self) -> None:
        """Copy what the command made to this machine, and remove the job from the board.

        Runs appear whole or not at all. Raises WeirError.
        """
        out = self._command.out
        if out is not None:
            with trying(f"write {out}"):
                out.mkdir(parents=True, exist_ok=True)
                with _beside(out) as folder:
                    self._link.get(f"{self._folder}/files{out}", folder)
                    _move(folder, out)
        self._remove()

    def _remove(self) -> None:
        self._link.run('rm -rf "$1"', self._folder)

    def _here(self, text: bytes) -> str:
        """Return a text with the paths of this machine."""
        return text.decode("utf-8", "replace").replace(f"{self._folder}/files", "")


def carried_out(link: Link, command: Command, fresh: bool, say: Say, show: Callable[[str], None],
                write: Callable[[str], object]) -> int:
    """Carry out a command on a board and return its exit code. `show` gets its messages, `write` its output.

    `fresh`: the command begins something new, so a job with its key is in the way. Raises WeirError.
    """
    job, name = Job(link, command, say), link.board.name
    if job.is_known and fresh:
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{name} has a sweep for {command.out} already",
                                   "--resume takes it up again"))
    if job.is_known:
        say(f"{name} {'is still at it' if job.state == 'running' else 'has finished it'}")
    else:
        if job.state == "broken":  # such as after a reboot
            job.fetch()
        job.start()
    try:
        code = job.follow(show)
        write(job.output())
        job.fetch()
    except ConnectionLost as error:
        [fault] = error.diagnostics
        raise WeirError(diagnostic("E_BOARD", "", f"{fault.message}; the command goes on there",
                                   "the same command takes it up again, for a sweep with --resume")) from None
    return code


def _tree() -> Iterator[tuple[Path, str]]:
    """Yield the files of Weir that a board needs, and their places there."""
    for part in _PARTS:
        path = ROOT / part
        if path.is_file():
            yield path, part
        for folder, folders, files in os.walk(path):
            folders[:] = sorted(name for name in folders if name not in _WITHOUT and not name.startswith(".")
                                and Path(folder, name) != ROOT / "runtime/model")  # as cmake/install.cmake
            yield from ((Path(folder, name), os.path.relpath(os.path.join(folder, name), ROOT))
                        for name in sorted(files) if not name.startswith("."))


def _identity(tree: Sequence[tuple[Path, str]]) -> str:
    whole = hashlib.sha256()
    with trying("read Weir's own files"):
        for path, name in tree:
            whole.update(f"{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()[:16]


@contextmanager
def _beside(out: Path) -> Iterator[Path]:
    """Create a folder in `out`, so that moves from it are renames; remove it at the end."""
    with tempfile.TemporaryDirectory(dir=out, prefix=".from-board-") as name:
        yield Path(name)


def _move(found: Path, out: Path) -> None:
    """Move runs into `out`, and the other files of a sweep, whose folder `out` then is. A run that is there stays:
    nobody changes a run.
    """
    is_sweep = (found / STATE).is_file()
    for path in sorted(found.iterdir(), key=lambda it: (not RUN_ID.fullmatch(it.name), it.name)):
        there, is_run = out / path.name, bool(RUN_ID.fullmatch(path.name))
        if is_run and there.exists() or not is_run and not is_sweep:
            continue
        if path.is_dir() and there.is_dir():
            shutil.copytree(path, there, dirs_exist_ok=True)
        else:
            os.replace(path, there)
