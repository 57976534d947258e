"""Build the generated project: its C++ like every C++ program of Weir, then GNU Radio's blocks around it."""

from __future__ import annotations

from weir.engine.generation.cpp.gnuradio4 import MADE_ANEW, REFUSED, build, find, program

__all__ = ["MADE_ANEW", "REFUSED", "build", "find", "program"]
