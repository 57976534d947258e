"""Peer runtimes that are installed. Where a test is to be certain they must be: a CI that lacks one has
failed.
"""

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


#: Target -> why it cannot be run here, "" where it can.
LACKING = {"gnuradio3": _gnuradio, "futuresdr": _cargo, "qsdr": _cargo}


def want(target: str) -> None:
    """Skips the test without it, by name; fails it where CI says so."""
    if why := LACKING[target]():
        if os.environ.get("CI") == "true":
            pytest.fail(why)
        pytest.skip(why)
