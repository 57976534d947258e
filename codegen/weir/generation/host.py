"""This machine as generation sees it: its CPU's kind, the cache, and which Debian package has a program."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from weir.diagnostics import Diagnostic, diagnostic

_PACKAGES = {"clang++": "clang"}


def cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "weir" / "builds"


def cpu_identity() -> str:
    """What -march=native depends on."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return os.uname().machine
    kept = dict.fromkeys(line for line in lines
                         if line.startswith(("model", "flags", "Features", "CPU ", "cpu family")))
    return hashlib.sha256("\n".join(kept).encode()).hexdigest()


def missing(program: str, code: str) -> Diagnostic:
    """That it is not installed, and what to install; `g++-12` is of the package of that name."""
    name, _, version = program.partition("-")
    package = _PACKAGES.get(name, name) + (f"-{version}" if version else "")
    return diagnostic(code, "", f"{program} is not installed", f"on Debian: apt install {package}")
