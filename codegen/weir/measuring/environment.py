"""What a run's environment has beyond what the binary sees for itself. Whatever cannot be found out is None."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path


def _output(*command: str, folder: Path | None = None) -> str | None:
    """What a program prints, None where it is missing, fails or hangs."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=10,
                              stdin=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"})
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def git_revision(folder: Path) -> str | None:
    """The commit that is checked out around `folder`, with `-dirty` behind it where files differ from it."""
    revision = _output("git", "rev-parse", "HEAD", folder=folder)
    if not revision:
        return None
    changed = _output("git", "status", "--porcelain", "--untracked-files=no", folder=folder)
    return revision + ("-dirty" if changed else "")


def volk_machine() -> str | None:
    """The machine that VOLK picks here, by its own tool where that is installed."""
    return _output("volk-config-info", "--machine")


def volk_version() -> str | None:
    return _output("pkg-config", "--modversion", "volk")


def host() -> dict[str, object]:
    """Who ran it, for run.json: enough to tell two machines apart."""
    return {"name": platform.node(), "system": platform.platform(), "architecture": platform.machine(),
            "python": platform.python_version(), "uid": os.geteuid()}
