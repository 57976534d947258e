"""Find the compiler of a deployment, ask for its version, and try its flags."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from weir.diagnostics import WeirError, diagnostic
from weir.engine.generation.host import cpu_identity, file_identity, missing


@dataclass(frozen=True)
class Compiler:
    """A compiler that accepts the flags.

    `version` is the first line of its --version output, `flags` are those for the flowgraph's own source, and `headers`
    are the folders that it searches for system headers.
    """

    path: str
    version: str
    flags: tuple[str, ...]
    headers: tuple[str, ...] = ()

    @property
    def identity(self) -> str:
        """Return a text that changes if the same source and flags may give other code."""
        native = cpu_identity() if "-march=native" in self.flags else ""
        return "\n".join((self.path, self.version, " ".join(self.flags), native))


def find_compiler(name: str, flags: Sequence[str]) -> Compiler:
    """Return a compiler.

    Raises WeirError: E_COMPILER_MISSING if it is not installed, E_COMPILER_REFUSED if it rejects the flags.
    """
    path = shutil.which(name)
    if path is None:
        raise WeirError(missing(name, "E_COMPILER_MISSING"))
    version = _output([path, "--version"]).stdout.partition("\n")[0].strip()
    trial = _output([path, "-v", "-std=c++20", "-fsyntax-only", "-x", "c++", *flags, "-"])
    if trial.returncode != 0:
        why = next((line for line in trial.stderr.splitlines() if re.search(r"(^|: )error: ", line)),
                   trial.stderr.strip()[-200:])
        raise WeirError(diagnostic("E_COMPILER_REFUSED", "", f"{name} ({version}) rejects {' '.join(flags)}: {why}",
                                   "change `build` of the deployment"))
    searched = trial.stderr.partition("#include <...> search starts here:\n")[2].partition("End of search list")[0]
    return Compiler(path, version, tuple(flags), tuple(map(str.strip, searched.splitlines())))


def helpers_identity(compiler: str) -> str:
    """Return a text that changes if a program that the compiler or CMake calls is upgraded."""
    said = _output([compiler, "-print-search-dirs"]).stdout.splitlines()
    own = [line.partition("=")[2] for line in said if line.startswith("programs:")]
    # The compiler searches its own folders; CMake also searches the compiler's folder.
    near = os.pathsep.join((*own, os.path.dirname(compiler), os.environ.get("PATH", os.defpath)))
    found = (shutil.which(name, path=near) for name in ("cc1plus", "as", "ld", "ar", "ranlib"))
    return "\n".join(map(file_identity, filter(None, found)))


def headers_identity(folders: Iterable[str]) -> str:
    """Return a text that changes if a package adds or replaces headers in these folders or their subfolders.

    Package managers rename new headers into place, which changes the folder's modification time. There are too many
    headers to check each.
    """
    found = []
    for folder in folders:
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            inner = sorted(entry.path for entry in entries if entry.is_dir())
            found += [f"{path} {os.stat(path).st_mtime_ns}" for path in (folder, *inner)]
    return "\n".join(found)


def _output(command: list[str]) -> subprocess.CompletedProcess:
    try:
        return subprocess.run(command, input="", capture_output=True, text=True, errors="replace", timeout=60,
                              env={**os.environ, "LC_ALL": "C"})
    except (OSError, subprocess.SubprocessError) as error:
        raise WeirError(diagnostic("E_COMPILER_MISSING", "", f"{command[0]} cannot be run: {error}")) from None
