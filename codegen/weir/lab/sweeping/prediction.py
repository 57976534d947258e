"""How long runs will take, as far as that can be told before any was made."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weir.model.planning.plan import Plan

#: Seconds of a run besides its items: its speed checks, its start, and what is made of it.
BESIDES_S = 0.6


def seconds(plan: Plan, items: int | None) -> float | None:
    """None where nothing is predicted, or nothing ends the run."""
    each = items or plan.run.items
    if plan.predicted is None or not each:
        return None
    return each * len(plan.metered) / plan.predicted.items_per_s + BESIDES_S


def words(seconds: float) -> str:
    """A duration as text."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
