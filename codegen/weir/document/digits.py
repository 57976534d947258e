"""Long numbers in sentences."""

from __future__ import annotations


def grouped(value: float) -> str:
    """Digits in groups of three, with thin spaces that do not break; of a fraction six digits."""
    return (f"{value:,}" if isinstance(value, int) else f"{value:,.6g}").replace(",", "\u202f")
