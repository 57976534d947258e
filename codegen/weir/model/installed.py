"""Detection of installed peer runtimes by the rules in target.json. Executes none of their code."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import which

from weir.files import user_folder
from weir.model.target_type import Runtime


@dataclass(frozen=True)
class InstalledRuntime:
    """Result of a detection. `version`: None if not installed; `lacks`: what is wrong, "" if the runtime is usable."""

    version: str | None
    lacks: str


def kept_prefix(library: str) -> Path:
    """Return the prefix into which `weir doctor --install` installs a library. Raises OSError without a home folder."""
    return user_folder("XDG_CACHE_HOME", ".cache") / "weir" / library


def variable(library: str, name: str) -> str:
    """Return a variable of a library's pkg-config file, "" if it has none."""
    program = which("pkg-config")
    return _said([program, f"--variable={name}", library], library)[0] if program else ""


@cache
def look(runtime: Runtime) -> InstalledRuntime:
    """Return whether a runtime is installed, and its version."""
    if runtime.library:
        return _library(runtime)
    return _program(runtime)


def missing(runtime: Runtime | None) -> str:
    """Return what a target's runtime lacks and how to install it; "" if it is usable or the target needs none."""
    lacks = look(runtime).lacks if runtime else ""
    return f"{lacks}; {runtime.install}" if runtime and lacks else ""


def _library(runtime: Runtime) -> InstalledRuntime:
    program = which("pkg-config")
    if program is None:
        return InstalledRuntime(None, f"pkg-config, which finds {runtime.title}, is not installed")
    version, _ = _said([program, "--modversion", runtime.library], runtime.library)
    if not version:
        return InstalledRuntime(None, f"{runtime.title} is not installed: pkg-config does not know {runtime.library}")
    fits = version == runtime.version or version.startswith(f"{runtime.version}.")
    return InstalledRuntime(version, "" if fits else
                            f"{runtime.title} is required, but {runtime.library} {version} is installed")


def _program(runtime: Runtime) -> InstalledRuntime:
    program, least = which(runtime.program), _numbers(runtime.version)
    if program is None:
        return InstalledRuntime(None, f"{runtime.program} {runtime.version} or newer is required, but PATH has none")
    said, why = _said([program, "--version"])
    version = re.search(r"\d+(\.\d+)+", said)
    if version is None:  # e.g. a wrapper that finds no program to start
        return InstalledRuntime(None, f"{program} does not report its version" + (f": {why}" if why else ""))
    fits = _numbers(version[0]) >= least
    return InstalledRuntime(version[0], "" if fits else
                            f"{runtime.program} {runtime.version} or newer is required, but {program} is {version[0]}")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _said(words: list[str], library: str = "") -> tuple[str, str]:
    """Return the output of a command and the first line of its error. The output is "" if the command fails.

    pkg-config also searches the prefix of `library`, after those that the user names.
    """
    environment = dict(os.environ)
    try:
        if library:
            places = (os.environ.get("PKG_CONFIG_PATH"), str(kept_prefix(library) / "lib" / "pkgconfig"))
            environment["PKG_CONFIG_PATH"] = os.pathsep.join(filter(None, places))
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              env=environment)
    except OSError as error:
        return "", str(error.strerror)
    why = next(iter(done.stderr.strip().splitlines()), "").removeprefix("error: ")
    return done.stdout.strip() if done.returncode == 0 else "", why
