"""A place where a test may start and kill session daemons without touching anybody else's.

root's daemon lives in /run/lttng whatever the environment says, so root gets a mount namespace with an empty one;
others get a folder of their own by LTTNG_HOME.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

CODEGEN = Path(__file__).resolve().parents[2]
MOUNT = "mount -t tmpfs tmpfs /run/lttng && mount -t tmpfs -o mode=1777 tmpfs /dev/shm && exec \"$@\""


def _prefix() -> list[str]:
    if os.geteuid() == 0:
        return ["unshare", "--mount", "--propagation", "private", "sh", "-c", MOUNT, "sh"]
    return []


def missing() -> str:
    """Why LTTng cannot be tried here, "" where it can."""
    absent = [t for t in ("lttng", "lttng-sessiond", "babeltrace2", "gcc", "unshare") if not shutil.which(t)]
    if absent:
        return f"not installed: {', '.join(absent)}"
    if os.geteuid() == 0:
        Path("/run/lttng").mkdir(exist_ok=True)
        if subprocess.run([*_prefix(), "true"], capture_output=True).returncode != 0:
            return "no private mount namespace can be made"
    return ""


needs_lttng = pytest.mark.skipif(bool(missing()), reason=missing())


def burst_program(binary: Path) -> None:
    """Compiles lttng_burst.c."""
    subprocess.run(["gcc", "-O2", f"-I{CODEGEN.parent / 'runtime' / 'src'}",
                    str(Path(__file__).parent / "lttng_burst.c"), "-o", str(binary), "-llttng-ust", "-ldl"], check=True)


def daemon_pid() -> int | None:
    """The pid that the session daemon of this place has written down."""
    home = Path(os.environ["LTTNG_HOME"]) / ".lttng"
    try:
        return int(((Path("/run/lttng") if os.geteuid() == 0 else home) / "lttng-sessiond.pid").read_text())
    except (OSError, ValueError):
        return None


def environment(folder: Path) -> dict[str, str]:
    """The variables of that place, for `command`. Unix socket names are short: the home is not in pytest's folder."""
    home = tempfile.mkdtemp(prefix="weir-lttng-")
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    runtime = folder / "runtime"
    runtime.mkdir(exist_ok=True)
    return {**os.environ, "LTTNG_HOME": home, "WEIR_LOCK": str(folder / "run.lock"), "XDG_RUNTIME_DIR": str(runtime),
            "PYTHONPATH": f"{CODEGEN}:{Path(__file__).parent}", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1"}


def command(*arguments: str) -> list[str]:
    """The command that runs `arguments` in that place."""
    return [*_prefix(), *arguments]
