"""The load curve: what of the trials tells how latency and loss go with the load, up to where it breaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from weir.lab.rating.trials import Measured

#: Shares of the sustainable rate at which the curve is looked at besides the loads of the search.
SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)


@dataclass(frozen=True)
class Point:
    """Of all trials of a load: medians over them; `disturbed`: how many of them others disturbed."""

    load: float
    trials: int
    disturbed: int
    loss_ratio: float
    p50_ns: float | None
    p99_ns: float | None

    def as_json(self) -> dict[str, object]:
        """Returns it as plain JSON values."""
        return {"load_items_per_s": self.load, "trials": self.trials, "disturbed": self.disturbed,
                "loss_ratio": self.loss_ratio, "p50_ns": self.p50_ns, "p99_ns": self.p99_ns}


def curve(trials: Sequence[Measured]) -> list[Point]:
    """By load, ascending."""
    points = []
    for load in sorted({trial.load for trial in trials}):
        own = [trial for trial in trials if trial.load == load]
        points.append(Point(load, len(own), sum(it.disturbed for it in own), median(it.loss_ratio for it in own),
                            _median([it.p50_ns for it in own]), _median([it.p99_ns for it in own])))
    return points


def _median(values: Sequence[int | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(median(known)) if known else None
