"""Conversion of values that are never None although their type allows it."""

from __future__ import annotations

from typing import TypeVar

Value = TypeVar("Value")


def sure(value: Value | None) -> Value:
    """Returns the value, which the caller knows to be there. TypeError, a fault of Weir's, where it is not."""
    if value is None:
        raise TypeError("a value that is always there is missing")
    return value
