"""Native trace reader, built from codegen/native/trace_reader when first needed, and kept in the cache."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import threading
import time
from pathlib import Path
from typing import BinaryIO

from weir import PACKAGE, compilers
from weir.engine.generation.cmake import build_environment
from weir.engine.generation.host import cache_folder, own_folder, scratch_folder
from weir.files import lock_file
from weir.machine.processes import may_live
from weir.model import ownership
from weir.sure import sure

SOURCE = PACKAGE.parent / "native" / "trace_reader"
BINARY = "weir-trace-reader"
LIBRARY = "babeltrace2"
PREFIX, WORK = "trace-reader-", "build-"
BUILD_TIMEOUT_S = 300.0
POLL_S = 0.05


class ReaderMissing(Exception):
    """No reader is available, and none can be built; the message says what is missing."""


def native_reader(given_up: threading.Event | None = None) -> Path:
    """Return the reader's binary, built if needed.

    Raises ReaderMissing if it cannot be built, or if `given_up` is set, which also stops the build.
    """
    given_up = given_up or threading.Event()
    try:
        folder = _folder()
        binary = folder / BINARY
        with own_folder(folder.parent):
            if not binary.is_file():
                folder.mkdir(exist_ok=True)
                _clean(folder.parent)
                with lock_file(folder / "lock") as lock:
                    _take(lock, given_up)
                    if not binary.is_file():
                        _check_tools()
                        with scratch_folder(folder, WORK, ownership.BUILD, BINARY) as work:
                            _build_in(work, binary, lock.fileno(), given_up)
        return binary
    except OSError as error:
        raise ReaderMissing(f"the trace reader cannot be built: {error}") from None


def _folder() -> Path:
    """Return the folder for this version of the sources and this kind of machine: machines may share a home folder."""
    whole = hashlib.sha256(os.uname().machine.encode())
    for path in sorted(SOURCE.iterdir()):
        whole.update(f"\n{path.name}\n".encode() + path.read_bytes())
    return cache_folder().with_name("tools") / f"{PREFIX}{whole.hexdigest()[:16]}"


def _take(lock: BinaryIO, given_up: threading.Event) -> None:
    while True:
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if given_up.wait(POLL_S):
                raise ReaderMissing("Weir stopped waiting for its build") from None


def _clean(tools: Path) -> None:
    """Remove the leftovers of killed builds of any version, if their process is gone and no build runs."""
    for work in tools.glob(f"{PREFIX}*/{WORK}*"):
        marker = ownership.read(work)
        ours = marker is not None and (marker.kind, marker.id) == (ownership.BUILD, BINARY)
        if ours and not may_live(sure(marker).live):
            with contextlib.suppress(OSError), lock_file(work.parent / "lock") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                ownership.remove(work, sure(marker).files)


def _build_in(work: Path, binary: Path, lock: int, given_up: threading.Event) -> None:
    for command in (["cmake", "-S", str(SOURCE), "-B", str(work), "-DCMAKE_BUILD_TYPE=Release"],
                    ["cmake", "--build", str(work)]):
        code, text = _step(command, work, lock, given_up)
        if code != 0:
            said = [line.strip() for line in text.splitlines() if "rror" in line]
            raise ReaderMissing(f"the trace reader failed to build: {'; '.join(said[:3])[:300] or code}")
    # Move it into place atomically: the linker writes in place.
    os.replace(work / BINARY, binary)


def _step(command: list[str], work: Path, lock: int, given_up: threading.Event) -> tuple[int, str]:
    """Run a command; return its exit code and output. If the step ends early, so does the compiler."""
    # Children inherit the lock: if Weir is killed, no other process builds here until they have ended.
    deadline = time.monotonic() + BUILD_TIMEOUT_S
    with compilers.started(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           text=True, errors="replace", env=build_environment(work), pass_fds=(lock,)) as process:
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                text, _ = process.communicate(timeout=POLL_S)
                return process.returncode, text
            if given_up.is_set() or time.monotonic() > deadline:
                raise ReaderMissing("building the trace reader " + ("was given up" if given_up.is_set()
                                                                    else "takes too long"))


def _check_tools() -> None:
    packages = [package for tools, package in ((("c++", "g++", "clang++"), "g++"), (("cmake",), "cmake"),
                                               (("pkg-config",), "pkgconf"), (("ninja", "make"), "make"))
                if not any(map(shutil.which, tools))]
    if not packages and subprocess.run(["pkg-config", "--exists", LIBRARY], stdin=subprocess.DEVNULL,
                                       capture_output=True).returncode != 0:
        packages = ["libbabeltrace2-dev"]
    if packages:
        plural = "s are" if len(packages) > 1 else " is"
        raise ReaderMissing(f"the package{plural} not installed: {', '.join(packages)}")
