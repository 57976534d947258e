"""Weir's reader of traces: built from codegen/native/trace_reader when it is first needed, and kept in the cache."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from weir.generation.cmake import build_environment
from weir.generation.host import cache_folder, own_folder

SOURCE = Path(__file__).resolve().parents[2] / "native" / "trace_reader"
BINARY = "weir-trace-reader"
LIBRARY = "babeltrace2"
BUILD_TIMEOUT_S = 300.0


class ReaderMissing(Exception):
    """There is no reader, and none can be made; the message says what it would take."""


def native_reader() -> Path:
    """The binary. ReaderMissing where it is not built yet and cannot be."""
    try:
        folder = _folder()
        binary = folder / BINARY
        with own_folder(folder.parent):
            if not binary.is_file():
                folder.mkdir(exist_ok=True)
                with open(folder / "lock", "w") as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX)
                    if not binary.is_file():
                        _build(folder, binary, lock.fileno())
        return binary
    except OSError as error:
        raise ReaderMissing(f"the trace reader cannot be built: {error}") from None


def _folder() -> Path:
    """One for each version of its sources and each kind of machine that shares this home."""
    whole = hashlib.sha256(os.uname().machine.encode())
    for path in sorted(SOURCE.iterdir()):
        whole.update(f"\n{path.name}\n".encode() + path.read_bytes())
    return cache_folder().with_name("tools") / f"trace-reader-{whole.hexdigest()[:16]}"


def _build(folder: Path, binary: Path, lock: int) -> None:
    _check_tools()
    with tempfile.TemporaryDirectory(prefix="build-", dir=folder) as work:
        _build_in(Path(work), binary, lock)


def _build_in(work: Path, binary: Path, lock: int) -> None:
    # Children inherit the lock: where we are killed, nobody builds here before they too are gone.
    for command in (["cmake", "-S", str(SOURCE), "-B", str(work), "-DCMAKE_BUILD_TYPE=Release"],
                    ["cmake", "--build", str(work)]):
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                                  env=build_environment(work), timeout=BUILD_TIMEOUT_S, pass_fds=(lock,))
        except subprocess.TimeoutExpired:
            raise ReaderMissing("building the trace reader takes too long") from None
        if done.returncode != 0:
            said = [line.strip() for line in (done.stdout + done.stderr).splitlines() if "rror" in line]
            raise ReaderMissing(f"the trace reader does not build: {'; '.join(said[:3])[:300] or done.returncode}")
    # Whole or not at all: the linker writes in place.
    os.replace(work / BINARY, binary)


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
