"""Many runs for one question: sweeps, searches, and the benchmark of this tree."""

from __future__ import annotations

from collections.abc import Container


def free_name(name: str, taken: Container[str], between: str = "_") -> str:
    """`name`, or that with a number behind it."""
    found, number = name, 2
    while found in taken:
        found, number = f"{name}{between}{number}", number + 1
    return found
