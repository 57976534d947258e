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


def _cargo(least: int = 89, how: str = "apt install cargo-web rustc-web") -> str:
    cargo = shutil.which("cargo")
    said = subprocess.run([cargo, "--version"], check=False, capture_output=True, text=True).stdout if cargo else ""
    version = re.match(r"cargo (\d+)\.(\d+)", said)
    there = version and tuple(map(int, version.groups())) >= (1, least)
    return "" if there else f"there is no cargo 1.{least} or newer ({how})"


def _newer_cargo() -> str:
    return _cargo(95, "rustup update stable")


#: Target -> reason why it cannot run here, or "".
LACKING = {"gnuradio3": _gnuradio, "gnuradio4": _gnuradio4, "futuresdr": _cargo, "futuresdr010": _newer_cargo,
           "qsdr": _cargo}


def want(target: str) -> None:
    """Skip the test if the target cannot run, by name; fail if CI requires it. No CI has GNU Radio 4 or a recent cargo,
    which have no package.
    """
    if why := LACKING[target]():
        if os.environ.get("CI") == "true" and target not in ("gnuradio4", "futuresdr010"):
            pytest.fail(why)
        pytest.skip(why)
