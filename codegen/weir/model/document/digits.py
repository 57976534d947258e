"""Formats long numbers for sentences."""

from __future__ import annotations

from weir.diagnostics import BETWEEN_DIGITS


def grouped(value: float) -> str:
    """Return a number with its digits in groups of three; fractions have six significant digits."""
    return (f"{value:,}" if isinstance(value, int) else f"{value:,.6g}").replace(",", BETWEEN_DIGITS)


def counted(count: int, what: str) -> str:
    """Return `1 item`, or `1,000 items` with its digits grouped."""
    return f"{grouped(count)} {what}{'' if count == 1 else 's'}"
