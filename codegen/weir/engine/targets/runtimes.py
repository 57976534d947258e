"""Compatibility for targets outside of the tree that were written before `GenerationInput.runtime`."""

from __future__ import annotations

from weir.engine.targets.interface import GenerationInput
from weir.model.installed import InstalledRuntime


def found(subject: GenerationInput) -> InstalledRuntime:
    """Return the target's runtime. Raises WeirError (E_RUNTIME_MISSING)."""
    return subject.runtime()
