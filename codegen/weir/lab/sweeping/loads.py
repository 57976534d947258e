"""Loads of a sweep as shares of what contenders sustain: of a named one, the same for all, or of each its own.

What is sustained is searched for before anything else (`weir rate`), at the middle of the other axes; the runs of that
are in no table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from weir.diagnostics import WeirError, diagnostic
from weir.lab.sweeping.point import Axis, Cell
from weir.model.document.sweeps import DEPLOYMENT
from weir.read.reporting.quantities import duration, si

#: The column, which no parameter can be called; on the command line, that each contender has its own.
AXIS, EACH = "LOAD", "*"
WORDS = "share of what is sustained"
#: Of a contender that sustains nothing: its points are not measured.
NOT_FOUND = "E_SWEEP_LOADS"
LATENCY_S, LOSS = 0.01, 0.005
#: Of a search: its trials and their sum at least, their exceed ratio, the width of the answer, and how many times as
#: long as the latency a trial is at least: a load that is too high by one part in so many is no more than that late at
#: its end.
FULL, QUICK = (1.0, 5.0, 0.5, 0.05, 20.0), (0.5, 1.0, 0.5, 0.1, 10.0)
#: Seconds for each contender, and for all of `--quick`; or as many trials, where these take longer.
BUDGET_S, QUICK_BUDGET_S, TRIALS = 180.0, 90.0, 20
#: Whole numbers are offered where that changes a load by no more than this share.
ROUNDED = 1e-3


@dataclass(frozen=True)
class Loads:
    """`parameter`: of the project, which what is offered goes by; `of`: a deployment, None for each its own; `place`:
    where in the project this stands, or "". `found`: what `parameter` is at a share of 1, by deployment; {} before the
    search.
    """

    parameter: str
    of: str | None
    place: str = ""
    latency_s: float = LATENCY_S
    loss: float = LOSS
    found: Mapping[str, float] = field(default_factory=dict)

    def trial_s(self, quick: bool) -> float:
        """Of the last goal of a search."""
        least, *_, times = QUICK if quick else FULL
        return max(least, times * self.latency_s)

    def budget_s(self, quick: bool, searches: int) -> float:
        """Of each of so many, at most."""
        return max(QUICK_BUDGET_S / max(1, searches) if quick else BUDGET_S, TRIALS * self.trial_s(quick))

    def text_at(self, deployment: str | None, share: float) -> str | None:
        """The parameter as `--set` takes it; None where it is not known."""
        whole = self.found.get(self.of or str(deployment))
        if whole is None:
            return None
        value = whole * share
        return str(round(value)) if abs(round(value) - value) <= ROUNDED * value else repr(value)

    def searched(self, deployments: Sequence[str]) -> list[str]:
        """Which of those that are measured are searched. WeirError where the named one is none of them."""
        if self.of is None:
            return list(deployments)
        if self.of not in deployments:
            raise WeirError(diagnostic("E_SWEEP_KEY", f"{self.place}/of" if self.place else "",
                                       f"the sweep does not measure `{self.of}`, whose loads it is to have",
                                       "it measures " + ", ".join(deployments)))
        return [self.of]


def check(loads: Loads, axes: Sequence[Axis]) -> None:
    """WeirError where the loads would not be of a deployment, or the parameter is varied as well."""
    for axis in axes:
        if axis.has_contenders and axis.key != DEPLOYMENT and len(axis.values) > 1:
            raise WeirError(diagnostic("E_SWEEP_LOADS", loads.place, "what is sustained is of deployments, and "
                                       f"{axis.key} is varied", "each may be a deployment of its own"))
        if axis.key in (loads.parameter, f"/parameters/{loads.parameter}/value"):
            raise WeirError(diagnostic("E_SWEEP_LOADS", loads.place, f"{loads.parameter} is varied, and a load as well",
                                       "leave one of them out"))


def check_same(was: Mapping | None, now: Loads | None) -> None:
    """WeirError (E_SWEEP_CHANGED) where a sweep that was begun had others. `was`: as sweep.json has them."""
    if (was and (was["parameter"], was["of"], was["goal"]["latency_s"], was["goal"]["loss_ratio"])) != (
            now and (now.parameter, now.of, now.latency_s, now.loss)):
        raise WeirError(diagnostic("E_SWEEP_CHANGED", "", "the loads are others than at the beginning"))


def values_of(found: Mapping) -> dict[str, float]:
    """`Loads.found`, of what sweep.json has."""
    return {it["deployment"]: it["value"] for it in found["found"] if it["value"] is not None}


def why_not(found: Mapping) -> dict[str, str]:
    """By deployment, of those that have no value."""
    return {it["deployment"]: it["why"] for it in found["found"] if it["value"] is None}


def remarks(found: Mapping) -> list[str]:
    """What a reader has to know of the loads that sweep.json has."""
    goal = found["goal"]
    whose = f"what {found['of']} sustains, for all" if found["of"] else "what each contender sustains itself"
    said = [f"loads are shares of {whose}: at most {100 * goal['loss_ratio']:g} % later than "
            f"{duration(1e9 * goal['latency_s'])} in trials of {goal['final_trial_s']:g} s, searched for before the "
            "sweep; in no figure"]
    for it in found["found"]:
        if it["value"] is None:
            said.append(f"{it['deployment']}: not measured: {it['why']}")
            continue
        upper = "" if it["upper_items_per_s"] is None else f", {si(it['upper_items_per_s'], 'items/s')} is not"
        disturbed = f"; others disturbed {it['disturbed']} of {it['trials']} trials" if it["disturbed"] else ""
        said.append(f"{it['deployment']}: {si(it['lower_items_per_s'], 'items/s')} is sustained{upper} "
                    f"({found['parameter']}={it['value']:.6g}){disturbed}")
    return said


def split(loads: Loads, cells: Sequence[Cell]) -> tuple[list[Cell], list[Cell]]:
    """Those whose load is known, and those that there is none for."""
    lost = [cell for cell in cells if loads.text_at(cell.deployment, 1.0) is None]
    return [cell for cell in cells if cell not in lost], lost
