"""The generated CMake project becomes a program, as every C++ program of Weir's; with GNU Radio, where there is one."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from shutil import which

from weir.diagnostics import WeirError, diagnostic
from weir.generation import cmake
from weir.generation.cpp import toolchain
from weir.generation.cpp.toolchain import MADE_ANEW, REFUSED, build, program
from weir.targets.interface import Subject, Tools

__all__ = ["MADE_ANEW", "REFUSED", "build", "find", "program"]

LIBRARY, PACKAGE = "gnuradio-runtime", "gnuradio-dev"


def find(subject: Subject) -> Tools:
    """WeirError (E_RUNTIME_MISSING) where there is no GNU Radio 3.10."""
    found = version()
    if found is None or not found.startswith("3.10."):
        raise WeirError(diagnostic(
            "E_RUNTIME_MISSING", subject.plan.deployment.pointer,
            f"{subject.scheduler.title} is not installed: pkg-config knows "
            + (f"{LIBRARY} {found}" if found else f"no {LIBRARY}"), f"on Debian: apt install {PACKAGE}"))
    tools = toolchain.find(subject)
    return replace(tools, runtime=found, identity=f"{tools.identity}\nGNU Radio {found}\n{cmake.library_identity(LIBRARY)}")


def version() -> str | None:
    """As pkg-config has it. None where GNU Radio is not installed."""
    program = which("pkg-config")
    if program is None:
        return None
    asked = subprocess.run([program, "--modversion", LIBRARY], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                           errors="replace")
    return asked.stdout.strip() if asked.returncode == 0 else None
