"""Private place in which a test may start and kill session daemons without touching others.

root's daemon always lives in /run/lttng, whatever the environment says. So root gets a mount namespace in which that
folder is empty; other users get a folder through LTTNG_HOME.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

CODEGEN = Path(__file__).resolve().parents[2]
MOUNT = "mount -t tmpfs tmpfs /run/lttng && mount -t tmpfs -o mode=1777 tmpfs /dev/shm && exec \"$@\""

#: Start of every script that `in_world` runs.
SCRIPT = """
import atexit, json, os, signal, subprocess, sys, time
from pathlib import Path
from weir.engine.measuring import lttng, lttng_daemon, lttng_place
from weir.machine import processes
from lttng_world import daemon_pid, end_daemon, recorded
atexit.register(end_daemon)
out, burst = Path(sys.argv[1]), sys.argv[2]
def leftovers():
    try:
        sessions = lttng_daemon.session_names()
    except lttng_daemon.Unavailable:
        sessions = None
    return {"sessions": sessions, "notes": sorted(p.name for p in lttng_daemon.state_folder().iterdir()),
            "daemon": processes.start_time(daemon_pid() or 0) is not None}
def report(**more):
    print(json.dumps({**leftovers(), **more}))
"""


def _prefix() -> list[str]:
    if os.geteuid() == 0:
        return ["unshare", "--mount", "--propagation", "private", "sh", "-c", MOUNT, "sh"]
    return []


def missing() -> str:
    """Return why LTTng cannot be tested here; "" if it can."""
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
    """Compile lttng_burst.c."""
    subprocess.run(["gcc", "-O2", f"-I{CODEGEN.parent / 'runtime' / 'src'}",
                    str(Path(__file__).parent / "lttng_burst.c"), "-o", str(binary), "-llttng-ust", "-ldl"], check=True)


def recorded(session, *words: str, **options) -> subprocess.Popen:
    """Start a program that the session records. The test can write to its standard input."""
    program = subprocess.Popen(["sh", "-c", 'read -r _ && exec "$@"', "sh", *words], stdin=subprocess.PIPE, **options)
    session.track(program.pid)
    program.stdin.write(b"\n")
    program.stdin.flush()
    return program


def daemon_pid() -> int | None:
    """Return the pid that the session daemon of this place has recorded."""
    home = Path(os.environ["LTTNG_HOME"]) / ".lttng"
    try:
        return int(((Path("/run/lttng") if os.geteuid() == 0 else home) / "lttng-sessiond.pid").read_text())
    except (OSError, ValueError):
        return None


def end_daemon() -> None:
    """Remove what a failed test left, or a user's daemon that a test started."""
    with suppress(ProcessLookupError, TypeError):
        os.kill(daemon_pid(), signal.SIGTERM)


def environment(folder: Path) -> dict[str, str]:
    """Return the variables of that place, for `command`.

    Unix socket names are short, so the home is not in pytest's folder.
    """
    home = tempfile.mkdtemp(prefix="weir-lttng-")
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    runtime = folder / "runtime"
    runtime.mkdir(exist_ok=True)
    return {**os.environ, "LTTNG_HOME": home, "WEIR_LOCK": str(folder / "run.lock"), "XDG_RUNTIME_DIR": str(runtime),
            "PYTHONPATH": f"{CODEGEN}:{Path(__file__).parent}", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1"}


def command(*arguments: str) -> list[str]:
    """Return the command that runs `arguments` in that place."""
    return [*_prefix(), *arguments]


def in_world(tmp_path: Path, body: str, burst: str = "") -> dict:
    """Return what `body` reported, in a place with its own daemon."""
    done = subprocess.run(command(sys.executable, "-c", SCRIPT + body, str(tmp_path), burst), env=environment(tmp_path),
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
