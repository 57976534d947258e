"""Conversion of values that are never None although their type allows it."""

from __future__ import annotations

from typing import TypeVar

Value = TypeVar("Value")


def sure(value: Value | None) -> Value:
    """Return the value, which the caller knows to exist. Raises TypeError, a bug in Weir, if it is None."""
    if value is None:
        raise TypeError("a value that is always there is missing")
    return value
