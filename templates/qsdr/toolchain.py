"""Build the generated cargo project like every Rust program of Weir."""

from __future__ import annotations

from weir.engine.generation.rust import toolchain
from weir.engine.generation.rust.toolchain import MADE_ANEW, REFUSED, build, program
from weir.engine.targets.interface import GenerationInput, Tools

__all__ = ["MADE_ANEW", "REFUSED", "build", "find", "program"]

#: Version of the crate in Cargo.toml.
VERSION = "0.1.0"


def find(subject: GenerationInput) -> Tools:
    """Return the tools. Raises WeirError (E_RUNTIME_MISSING) without a suitable cargo."""
    return toolchain.find(subject, VERSION)
