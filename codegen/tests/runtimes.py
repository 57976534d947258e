"""Installed peer runtimes. A CI that must have all of them fails without one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest


def _gnuradio() -> str:
    there = subprocess.run(["pkg-config", "--exists", "gnuradio-runtime"], check=False).returncode == 0
    return "" if there else "GNU Radio 3.10 is not installed (apt install gnuradio-dev)"


def _cargo() -> str:
    cargo = shutil.which("cargo")
    said = subprocess.run([cargo, "--version"], check=False, capture_output=True, text=True).stdout if cargo else ""
    version = re.match(r"cargo (\d+)\.(\d+)", said)
    there = version and tuple(map(int, version.groups())) >= (1, 89)
    return "" if there else "there is no cargo 1.89 or newer (apt install cargo-web rustc-web)"


#: Target -> reason why it cannot run here, or "".
LACKING = {"gnuradio3": _gnuradio, "futuresdr": _cargo, "qsdr": _cargo}


def want(target: str) -> None:
    """Skip the test if the target cannot run, by name; fail if CI requires it."""
    if why := LACKING[target]():
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
