"""The compiler of a deployment: found, asked for its version, and tried before it is relied on."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from weir.diagnostics import WeirError, diagnostic
from weir.generation.host import cpu_identity, missing


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


def find_compiler(name: str, flags: Sequence[str]) -> Compiler:
    """WeirError (E_COMPILER_MISSING, E_COMPILER_REFUSED) when it is not there, or does not take these flags."""
    path = shutil.which(name)
    if path is None:
        raise WeirError(missing(name, "E_COMPILER_MISSING"))
    version = _output([path, "--version"]).stdout.partition("\n")[0].strip()
    trial = _output([path, "-std=c++20", "-fsyntax-only", "-x", "c++", *flags, "-"])
    if trial.returncode != 0:
        why = next((line for line in trial.stderr.splitlines() if "error" in line), trial.stderr.strip()[:200])
        raise WeirError(diagnostic("E_COMPILER_REFUSED", "", f"{name} ({version}) refuses {' '.join(flags)}: {why}",
                                   "change `build` of the deployment"))
    return Compiler(path, version, tuple(flags))


def file_identity(program: str) -> str:
    """Changes when another file is behind the name of a program."""
    path = os.path.realpath(program)
    try:
        status = os.stat(path)
    except OSError:
        return path
    return f"{path} {status.st_size} {status.st_mtime_ns}"


def helpers_identity(compiler: str) -> str:
    """Changes when another file is behind a program that a compiler calls, or CMake after it: each may be upgraded."""
    asked = [_output([compiler, f"-print-prog-name={name}"]).stdout.strip() for name in ("cc1plus", "as")]
    near = os.pathsep.join((os.path.dirname(compiler), os.environ.get("PATH", os.defpath)))  # as CMake looks for it
    found = [shutil.which(name, path=near) or name for name in (*asked, "ar", "ranlib") if name]
    return "\n".join(map(file_identity, found))


def _output(command: list[str]) -> subprocess.CompletedProcess:
    try:
        return subprocess.run(command, input="", capture_output=True, text=True, errors="replace", timeout=60,
                              env={**os.environ, "LC_ALL": "C"})
    except (OSError, subprocess.SubprocessError) as error:
        raise WeirError(diagnostic("E_COMPILER_MISSING", "", f"{command[0]} cannot be run: {error}")) from None
