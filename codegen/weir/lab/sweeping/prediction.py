"""Predicted time of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weir.model.planning.plan import Plan

#: Overhead of a run in seconds: speed checks, start and analysis.
BESIDES_S = 0.6


def seconds(plan: Plan, items: int | None) -> float | None:
    """Return the predicted seconds of a run, None without a prediction or a number of items."""
    each = items or plan.run.items
    if plan.predicted is None or not each:
        return None
    return each * len(plan.metered) / plan.predicted.items_per_s + BESIDES_S


def words(seconds: float) -> str:
    """Return a duration as text."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
