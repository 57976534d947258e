"""Installation of GNU Radio 4 from the user's checkout into the cache: no distribution has a package of it."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from weir import ROOT
from weir.diagnostics import WeirError, diagnostic, trying
from weir.engine.generation import cmake
from weir.engine.generation.host import own_folder
from weir.model import ownership
from weir.model.installed import kept_prefix

LIBRARY = "gnuradio4"
#: CMake project that builds the core.
RULES = ROOT / "setup" / LIBRARY
#: Files that show what a folder is, and those that a program needs.
_CHECKOUT, _VIR_SIMD = Path("core", "include", "gnuradio-4.0", "Scheduler.hpp"), Path("vir", "simd.h")
#: Compilers that can build it, in order, with the flags for their standard library. A program includes <format> and
#: <expected>; the g++ and the clang of Debian 12 have neither.
_COMPILERS = (("clang++-22", ("-stdlib=libc++",)), ("g++-15", ()), ("g++-14", ()), ("g++", ()))
_TRIAL = "#include <expected>\n#include <format>\n#include <print>\nint main() {}\n"
#: Memory that the compiler takes for one file, in GiB.
_GIB_A_JOB = 3


def install(source: Path, say: Callable[[str], None]) -> Path:
    """Build the core of the checkout `source` and install it. Return the prefix.

    Raises WeirError (E_SETUP, E_TOOL_MISSING, E_OUTPUT_EXISTS).
    """
    source = source.resolve()
    if not (source / _CHECKOUT).is_file():
        raise _error(f"{source} is no checkout of GNU Radio 4: it has no {_CHECKOUT}",
                     "get one as docs/other-runtimes.md says")
    compiler, simd = _compiler(), _vir_simd(source)
    with trying("find a place for GNU Radio 4"):
        prefix = kept_prefix(LIBRARY)
        _own(prefix)
    with trying(f"write {prefix}"), own_folder(prefix.parent / f"{LIBRARY}_build") as place, \
            tempfile.TemporaryDirectory(dir=place) as scratch:
        folder, made = Path(scratch).resolve() / "build", Path(scratch).resolve() / "made"
        jobs = _jobs()
        say(f"building GNU Radio 4 with {compiler}, {jobs} file{'s' if jobs > 1 else ''} at once; "
            "an idle CPU takes about 4 minutes")
        program = cmake.find_cmake()
        _run([program, "-S", str(RULES), "-B", str(folder), *cmake.configure_arguments(compiler),
              "-DCMAKE_BUILD_TYPE=Release", f"-DSOURCE={source}", f"-DVIR_SIMD={simd}",
              f"-DGR4_VERSION={_version(source)}", "-DCMAKE_INSTALL_LIBDIR=lib"])
        _run([program, "--build", str(folder), "--parallel", str(jobs)])
        _run([program, "--install", str(folder), "--prefix", str(made)])
        ownership.mark(made, ownership.Marker(ownership.LIBRARY, LIBRARY, ownership.WHOLE))
        _replace(prefix, made, Path(scratch).resolve() / "old")
    return prefix


def _own(prefix: Path) -> ownership.Marker | None:
    """Return the marker of the installed folder, None if there is no folder. Raises WeirError (E_OUTPUT_EXISTS) if it
    is not Weir's.
    """
    if not os.path.lexists(prefix):
        return None
    marker = None if prefix.is_symlink() else ownership.read(prefix)
    if marker is None or (marker.kind, marker.id) != (ownership.LIBRARY, LIBRARY):
        raise WeirError(diagnostic("E_OUTPUT_EXISTS", "", f"{prefix} exists, and Weir did not install it: it has no "
                                   f"{ownership.MARKER} of GNU Radio 4", "move or remove it"))
    return marker


def _replace(prefix: Path, made: Path, old: Path) -> None:
    """Rename `made` to `prefix`. An older installation moves to `old`, and is removed once the new one is in place."""
    marker = _own(prefix)
    if marker is None:
        made.rename(prefix)
        return
    prefix.rename(old)
    try:
        made.rename(prefix)
    except BaseException:
        with contextlib.suppress(OSError):
            old.rename(prefix)
        raise
    ownership.remove(old, marker.files)


def _error(message: str, hint: str = "") -> WeirError:
    return WeirError(diagnostic("E_SETUP", "", message, hint))


def _compiler() -> str:
    tried = []
    for name, flags in _COMPILERS:
        path = shutil.which(name)
        if path is None:
            continue
        if subprocess.run([path, "-std=c++23", *flags, "-fsyntax-only", "-x", "c++", "-"], input=_TRIAL.encode(),
                          capture_output=True, check=False).returncode == 0:
            return path
        tried.append(name)
    found = f"; {', '.join(tried)} cannot compile <expected>, <format> and <print>" if tried else ""
    raise _error(f"GNU Radio 4 needs clang 22 with libc++, or g++ 14 or newer{found}",
                 "on Debian 12, with its security archive: apt install clang-22 libc++-22-dev libc++abi-22-dev")


def _vir_simd(source: Path) -> Path:
    places = (source.parent / "vir-simd", source / "third_party" / "vir-simd", Path("/usr/local/include"),
              Path("/usr/include"))
    for place in places:
        if (place / _VIR_SIMD).is_file():
            return place
    raise _error(f"GNU Radio 4 needs the headers of vir-simd, and there is no {places[0] / _VIR_SIMD}",
                 f"put a checkout of vir-simd 0.4.4 into {places[0]}")


def _version(source: Path) -> str:
    """Return 4.0.0 with the revision of the checkout, if git knows it."""
    try:
        said = subprocess.run(["git", "-C", str(source), "describe", "--always", "--dirty", "--exclude", "*"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        said = ""
    return f"4.0.0-{said}" if said else "4.0.0"


def _jobs() -> int:
    """Return how many files may be compiled at once, by the CPUs and the free memory."""
    try:
        said = re.search(r"^MemAvailable: +(\d+) kB", Path("/proc/meminfo").read_text(), re.MULTILINE)
    except OSError:
        said = None
    gib = int(said[1]) / 2**20 if said else 0
    return max(1, min(len(os.sched_getaffinity(0)), int(gib / _GIB_A_JOB)))


def _run(command: Sequence[str]) -> None:
    """Run a step of the build. Raises WeirError (E_SETUP) with the first error that it prints."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                          check=False, env=cmake.build_environment(Path(command[2])))
    if done.returncode == 0:
        return
    lines = [line.strip() for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    why = next((line for line in lines if "rror" in line), lines[-1] if lines else f"exit code {done.returncode}")
    raise _error(f"GNU Radio 4 cannot be built: {why}")
