"""Experiments of many runs: sweeps, searches, and Weir's own benchmark."""

from __future__ import annotations

from collections.abc import Container


def free_name(name: str, taken: Container[str], between: str = "_") -> str:
    """Return `name`, or the first numbered variant that is not taken."""
    found, number = name, 2
    while found in taken:
        found, number = f"{name}{between}{number}", number + 1
    return found
