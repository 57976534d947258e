"""Build the generated CMake project like every C++ program of Weir, with GNU Radio."""

from __future__ import annotations

from dataclasses import replace

from weir.engine.generation import cmake
from weir.engine.generation.cpp import toolchain
from weir.engine.generation.cpp.toolchain import MADE_ANEW, REFUSED, build, program
from weir.engine.targets.interface import GenerationInput, Tools
from weir.sure import sure

__all__ = ["MADE_ANEW", "REFUSED", "build", "find", "program"]


def find(subject: GenerationInput) -> Tools:
    """Return the tools. Raises WeirError (E_RUNTIME_MISSING) without GNU Radio 3.10."""
    version = subject.runtime().version
    tools, library = toolchain.find(subject), sure(subject.target.runtime).library
    return replace(tools, runtime=version,
                   identity=f"{tools.identity}\nGNU Radio {version}\n{cmake.library_identity(library)}")
