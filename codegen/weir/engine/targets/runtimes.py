"""Compatibility for targets outside of the tree that were written before `Subject.runtime`."""

from __future__ import annotations

from weir.engine.targets.interface import Subject
from weir.model.installed import InstalledRuntime


def found(subject: Subject) -> InstalledRuntime:
    """Return the target's runtime. Raises WeirError (E_RUNTIME_MISSING)."""
    return subject.runtime()
