"""The generated CMake project becomes a program, as every C++ program of Weir's."""

from __future__ import annotations

from weir.engine.generation.cpp.toolchain import MADE_ANEW, REFUSED, build, find, program

__all__ = ["MADE_ANEW", "REFUSED", "build", "find", "program"]
