"""Build the generated CMake project like every C++ program of Weir."""

from __future__ import annotations

from weir.engine.generation.cpp.toolchain import MADE_ANEW, REFUSED, build, find, program

__all__ = ["MADE_ANEW", "REFUSED", "build", "find", "program"]
