"""Build the generated cargo project like every Rust program of Weir."""

from __future__ import annotations

from weir.engine.generation.rust import toolchain
from weir.engine.generation.rust.toolchain import MADE_ANEW, REFUSED, program
from weir.engine.targets.interface import GenerationInput, Tools, Workshop

__all__ = ["MADE_ANEW", "REFUSED", "build", "find", "program"]

#: Version of the crate in Cargo.toml.
VERSION = "0.10.0"


def find(subject: GenerationInput) -> Tools:
    """Return the tools. Raises WeirError (E_RUNTIME_MISSING) without a suitable cargo."""
    return toolchain.find(subject, VERSION)


def build(shop: Workshop) -> None:
    """Build with any compiler that `.cargo/config.toml` suits: the crate asks for a newer one."""
    toolchain.build(shop, "--ignore-rust-version")
