"""Facts about the environment of a run that the program cannot see for itself. Unknown facts are None."""

from __future__ import annotations

import functools
import gzip
import json
import os
import platform
import re
import subprocess
from pathlib import Path

from weir.machine.processes import is_alive
from weir.model.document.shape import check_shape

#: Environment variable with the record of the enclosing `weir isolate`.
ISOLATION = "WEIR_ISOLATION"


def _output(*command: str) -> str | None:
    """Return the output of a program, None if it is missing, fails or hangs."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=10,
                              stdin=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C"})
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def cpu_name() -> str | None:
    """Return the CPU's model name from /proc/cpuinfo, None if it is not there.

    Virtual machines may hide the number in it. Such a name gets family and model, as in runtime/src/environment.cpp.
    """
    pairs = (line.partition(":") for line in reversed(_read("/proc/cpuinfo").splitlines()))
    of = {key.strip(): value.strip() for key, _, value in pairs}
    name = of.get("model name")
    hidden = name and not re.search(r"\d", name) and {"cpu family", "model"} <= of.keys()
    return f"{name} (family {of['cpu family']}, model {of['model']})" if hidden else name


def clock_source() -> str | None:
    """Return the clock source of the kernel, None if unknown."""
    return _read("/sys/devices/system/clocksource/clocksource0/current_clocksource").strip() or None


def emulated_on() -> str | None:
    """Return the architecture of Linux if an emulator of programs, such as qemu-user, hides it. None before Linux 6.1.
    """
    arch = _read("/proc/sys/kernel/arch").strip()
    return arch if arch and _family(arch) != _family(platform.machine()) else None


def _family(architecture: str) -> str:
    """Return the same text for the architectures whose programs one CPU runs."""
    return re.sub(r"^(x86_64|i.86)$", "x86", re.sub(r"^(arm|aarch64).*", "arm", architecture))


def linux_config(root: Path, release: str) -> dict[str, str] | None:
    """Return the build configuration of Linux without the prefix CONFIG_, None if it is missing."""
    try:
        text = gzip.decompress((root / "proc/config.gz").read_bytes()).decode(errors="replace")
    except (OSError, EOFError):
        text = _read(str(root / f"boot/config-{release}"))
    return dict(re.findall(r"^CONFIG_(\w+)=(.*)$", text, re.MULTILINE)) or None


@functools.cache
def timer_hz() -> int | None:
    """Return the frequency of the timer tick in Hz for which Linux was built, None if unknown."""
    found = (linux_config(Path("/"), platform.release()) or {}).get("HZ", "")
    return int(found) if found.isdigit() else None


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def volk_machine() -> str | None:
    """Return the machine that VOLK picks, as its own tool reports it. None without the tool."""
    return _output("volk-config-info", "--machine")


def volk_version() -> str | None:
    """Return VOLK's version, None if it is not installed."""
    return _output("pkg-config", "--modversion", "volk")


def host() -> dict[str, object]:
    """Return the facts that identify a machine, for run.json."""
    return {"name": platform.node(), "system": platform.platform(), "architecture": platform.machine(),
            "python": platform.python_version(), "uid": os.geteuid()}


def isolation() -> dict[str, object] | None:
    """Return what `weir isolate` did for this process, None outside of an isolation."""
    try:
        record = json.loads(os.environ.get(ISOLATION, "null"))
    except ValueError:
        return None
    if record is None or check_shape(record, "isolation"):
        return None
    # A process that outlives its isolation still has the variable.
    return record["isolation"] if record["isolation"] and is_alive(record["isolation"]) else None
