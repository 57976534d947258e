"""Toolchain without a compiler: a build finds Python and numpy, and checks that the program can be loaded."""

from __future__ import annotations

import platform
import re
import sys
from pathlib import Path

import numpy
from weir.engine.targets.interface import Fault, GenerationInput, Program, Tools, Workshop

#: Ignores the user's packages and environment, and writes no files beside the sources.
PYTHON = (sys.executable, "-E", "-s", "-B")
_PLACE = re.compile(r'^  File "(.+)", line (\d+)', re.MULTILINE)


def find(subject: GenerationInput) -> Tools:
    name = f"Python {platform.python_version()}, numpy {numpy.__version__}"
    return Tools(name, (sys.executable,), name)


def build(shop: Workshop) -> None:
    shop.say("loading")
    shop.step([*PYTHON, "main.py", "only=load"], faults=faults)


def program(directory: Path, subject: GenerationInput, tools: Tools) -> Program:
    files = [directory / "main.py", *(directory / name for name in ("app/engine.py", "app/weir_reference.py")),
             *sorted(directory.glob("schedulers/*.py")), *sorted(directory.glob("blocks/*/*"))]
    return Program((*PYTHON, str(files[0])), tuple(files))


def faults(output: str, folder: Path) -> list[Fault]:
    """Return the innermost frame of a traceback within the generated project."""
    root = folder.parent.resolve()
    inside = [(Path(file).resolve().relative_to(root), line) for file, line in _PLACE.findall(output)
              if Path(file).resolve().is_relative_to(root)]
    if not inside:
        return []
    file, line = inside[-1]
    return [Fault(output.rstrip().rpartition("\n")[2], str(file), int(line))]
