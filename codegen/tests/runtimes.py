"""Installed peer runtimes. A CI that must have all of them fails without one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest
from weir.model import installed
from weir.model.catalog import load_catalog
from weir.sure import sure


def _gnuradio() -> str:
    there = subprocess.run(["pkg-config", "--exists", "gnuradio-runtime"], check=False).returncode == 0
    return "" if there else "GNU Radio 3.10 is not installed (apt install gnuradio-dev)"


def _gnuradio4() -> str:
    lacks = installed.look(sure(load_catalog().targets["gnuradio4"].runtime)).lacks
    return f"{lacks} (./weir doctor --install gnuradio4 --source DIR)" if lacks else ""


def _cargo() -> str:
    cargo = shutil.which("cargo")
    said = subprocess.run([cargo, "--version"], check=False, capture_output=True, text=True).stdout if cargo else ""
    version = re.match(r"cargo (\d+)\.(\d+)", said)
    there = version and tuple(map(int, version.groups())) >= (1, 89)
    return "" if there else "there is no cargo 1.89 or newer (apt install cargo-web rustc-web)"


#: Target -> reason why it cannot run here, or "".
LACKING = {"gnuradio3": _gnuradio, "gnuradio4": _gnuradio4, "futuresdr": _cargo, "qsdr": _cargo}


def want(target: str) -> None:
    """Skip the test if the target cannot run, by name; fail if CI requires it. No CI has GNU Radio 4, which has no
    package.
    """
    if why := LACKING[target]():
        if os.environ.get("CI") == "true" and target != "gnuradio4":
            pytest.fail(why)
        pytest.skip(why)
