"""The generated cargo project becomes a program, as every Rust program of Weir's."""

from __future__ import annotations

from weir.engine.generation.rust import toolchain
from weir.engine.generation.rust.toolchain import MADE_ANEW, REFUSED, build, program
from weir.engine.targets.interface import Subject, Tools

__all__ = ["MADE_ANEW", "REFUSED", "build", "find", "program"]

#: Of the crate, as Cargo.toml has it.
VERSION = "0.1.0"


def find(subject: Subject) -> Tools:
    """WeirError (E_RUNTIME_MISSING) without a cargo that can build it."""
    return toolchain.find(subject, VERSION)
