"""The programs that build a generated project: found, asked for their version, and tried before they are relied on."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from weir.diagnostics import Diagnostic, WeirError, diagnostic
from weir.document.deployment import Build
from weir.generation.flowgraph_view import flags

# Variables that would change what is built without a trace in the plan.
_SILENT = ("CXX", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "CPATH", "CPLUS_INCLUDE_PATH", "CMAKE_GENERATOR",
           "CMAKE_BUILD_TYPE")
_PACKAGES = {"g++": "g++", "clang++": "clang", "cmake": "cmake"}


@dataclass(frozen=True)
class Compiler:
    """`version` is the first line of what it says of itself; `flags` are those of the flowgraph's own source."""

    path: str
    version: str
    flags: tuple[str, ...]

    @property
    def identity(self) -> str:
        """Changes when the same source and flags may give other code."""
        native = cpu_identity() if "-march=native" in self.flags else ""
        return "\n".join((self.path, self.version, " ".join(self.flags), native))


def find_compiler(build: Build) -> Compiler:
    """The deployment's compiler. WeirError (E_COMPILER_MISSING, E_COMPILER_REFUSED) when it is not there or not fit."""
    path = shutil.which(build.compiler)
    if path is None:
        raise WeirError(missing(build.compiler, "E_COMPILER_MISSING"))
    version = _output([path, "--version"]).stdout.partition("\n")[0].strip()
    wanted = flags(build)
    trial = _output([path, "-std=c++20", "-fsyntax-only", "-x", "c++", *wanted, "-"])
    if trial.returncode != 0:
        why = next((line for line in trial.stderr.splitlines() if "error" in line), trial.stderr.strip()[:200])
        raise WeirError(diagnostic("E_COMPILER_REFUSED", "",
                                   f"{build.compiler} ({version}) refuses {' '.join(wanted)}: {why}",
                                   "change `build` of the deployment"))
    return Compiler(path, version, wanted)


def find_cmake() -> str:
    path = shutil.which("cmake")
    if path is None:
        raise WeirError(missing("cmake", "E_TOOL_MISSING"))
    return path


def missing(program: str, code: str) -> Diagnostic:
    name, _, version = program.partition("-")
    package = _PACKAGES.get(name, name) + (f"-{version}" if version else "")
    return diagnostic(code, "", f"{program} is not installed", f"on Debian: apt install {package}")


def build_environment(directory: Path) -> dict[str, str]:
    """The environment of a build: nothing that changes flags silently; ccache looks past the folder's name."""
    kept = {key: value for key, value in os.environ.items() if key not in _SILENT}
    return {**kept, "LC_ALL": "C", "CCACHE_BASEDIR": str(directory), "CCACHE_NOHASHDIR": "1"}


def configure_arguments(compiler: Compiler) -> list[str]:
    arguments = [f"-DCMAKE_CXX_COMPILER={compiler.path}"]
    if shutil.which("ninja"):
        arguments += ["-G", "Ninja"]
    elif not shutil.which("make"):
        raise WeirError(missing("make", "E_TOOL_MISSING"))
    # Said either way: CMake remembers the ccache of an earlier build, which may be gone.
    arguments.append(f"-DCMAKE_CXX_COMPILER_LAUNCHER={'ccache' if shutil.which('ccache') else ''}")
    return arguments


def _output(command: list[str]) -> subprocess.CompletedProcess:
    try:
        return subprocess.run(command, input="", capture_output=True, text=True, errors="replace", timeout=60,
                              env={**os.environ, "LC_ALL": "C"})
    except (OSError, subprocess.SubprocessError) as error:
        raise WeirError(diagnostic("E_COMPILER_MISSING", "", f"{command[0]} cannot be run: {error}")) from None


def cpu_identity() -> str:
    """What -march=native depends on."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return os.uname().machine
    kept = dict.fromkeys(line for line in lines
                         if line.startswith(("model", "flags", "Features", "CPU ", "cpu family")))
    return hashlib.sha256("\n".join(kept).encode()).hexdigest()
