"""Loads of a sweep as shares of a sustainable rate: that of one deployment for all, or each contender's own.

Weir searches the sustainable rates before the sweep, like `weir rate`, at the middle of the other axes. The runs of the
search are in no table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from weir.diagnostics import WeirError, diagnostic
from weir.lab.sweeping.point import Axis, Cell
from weir.model.document.sweeps import DEPLOYMENT
from weir.read.reporting.quantities import duration, si

#: Name of the column, which no parameter can have. On the command line, `*` means each contender's own rate.
AXIS, EACH = "LOAD", "*"
WORDS = "share of the sustainable rate"
#: Code of the points of a contender that sustains no load; they are not measured.
NOT_FOUND = "E_SWEEP_LOADS"
LATENCY_S, LOSS = 0.01, 0.005
#: Parameters of a search: minimum seconds of a trial and of all trials of a load, exceed ratio, width of the answer,
#: and minimum length of a trial as a multiple of the latency. A load that is too high by 1/multiple falls behind by the
#: whole latency in such a trial.
FULL, QUICK = (1.0, 5.0, 0.5, 0.05, 20.0), (0.5, 1.0, 0.5, 0.1, 10.0)
#: Seconds for each contender, seconds for all with `--quick`, and minimum number of trials.
BUDGET_S, QUICK_BUDGET_S, TRIALS = 180.0, 90.0, 20
#: Loads are rounded to whole numbers if that changes them by at most this share.
ROUNDED = 1e-3


@dataclass(frozen=True)
class Loads:
    """Loads of a sweep. `parameter`: project parameter that sets the offered load; `of`: deployment whose sustainable
    rate they refer to, None for each contender's own; `place`: JSON pointer in the project, or ""; `found`: deployment
    -> value of `parameter` at a share of 1, {} before the search.
    """

    parameter: str
    of: str | None
    place: str = ""
    latency_s: float = LATENCY_S
    loss: float = LOSS
    found: Mapping[str, float] = field(default_factory=dict)

    def trial_s(self, quick: bool) -> float:
        """Return the seconds of a full trial."""
        least, *_, times = QUICK if quick else FULL
        return max(least, times * self.latency_s)

    def budget_s(self, quick: bool, searches: int) -> float:
        """Return the maximum seconds of each of `searches` searches."""
        return max(QUICK_BUDGET_S / max(1, searches) if quick else BUDGET_S, TRIALS * self.trial_s(quick))

    def text_at(self, deployment: str | None, share: float) -> str | None:
        """Return the parameter's value for `--set`, None if it is unknown."""
        whole = self.found.get(self.of or str(deployment))
        if whole is None:
            return None
        value = whole * share
        return str(round(value)) if abs(round(value) - value) <= ROUNDED * value else repr(value)

    def searched(self, deployments: Sequence[str]) -> list[str]:
        """Return the deployments to search. Raises WeirError if the named one is not measured."""
        if self.of is None:
            return list(deployments)
        if self.of not in deployments:
            raise WeirError(diagnostic("E_SWEEP_KEY", f"{self.place}/of" if self.place else "",
                                       f"the loads refer to `{self.of}`, which the sweep does not measure",
                                       "the sweep measures " + ", ".join(deployments)))
        return [self.of]


def check(loads: Loads, axes: Sequence[Axis]) -> None:
    """Raise WeirError if contenders are not deployments, or if another axis varies the parameter."""
    for axis in axes:
        if axis.has_contenders and axis.key != DEPLOYMENT and len(axis.values) > 1:
            raise WeirError(diagnostic("E_SWEEP_LOADS", loads.place, "only deployments have sustainable rates, but the "
                                       f"sweep varies {axis.key}", "make a deployment for each of its values"))
        if axis.key in (loads.parameter, f"/parameters/{loads.parameter}/value"):
            raise WeirError(diagnostic("E_SWEEP_LOADS", loads.place, f"the sweep varies both {loads.parameter} and the "
                                       "load that sets this parameter", "leave out one of the two"))


def check_same(was: Mapping | None, now: Loads | None) -> None:
    """Raise WeirError (E_SWEEP_CHANGED) if the sweep began with other loads. `was`: those of sweep.json."""
    if (was and (was["parameter"], was["of"], was["goal"]["latency_s"], was["goal"]["loss_ratio"])) != (
            now and (now.parameter, now.of, now.latency_s, now.loss)):
        raise WeirError(diagnostic("E_SWEEP_CHANGED", "", "the loads changed since the sweep began"))


def values_of(found: Mapping) -> dict[str, float]:
    """Return `Loads.found` from sweep.json."""
    return {it["deployment"]: it["value"] for it in found["found"] if it["value"] is not None}


def why_not(found: Mapping) -> dict[str, str]:
    """Return deployment -> reason, for deployments without a value."""
    return {it["deployment"]: it["why"] for it in found["found"] if it["value"] is None}


def remarks(found: Mapping) -> list[str]:
    """Return the remarks on the loads in sweep.json."""
    goal = found["goal"]
    whose = f"the rate that {found['of']} sustains" if found["of"] else "the rate that each contender sustains"
    said = [f"loads are shares of {whose}: at most {100 * goal['loss_ratio']:g} % of items later than "
            f"{duration(1e9 * goal['latency_s'])} in trials of {goal['final_trial_s']:g} s; Weir searched for this "
            "rate before the sweep, with runs that are in no figure"]
    for it in found["found"]:
        if it["value"] is None:
            said.append(f"{it['deployment']}: not measured: {it['why']}")
            continue
        upper = "" if it["upper_items_per_s"] is None else f", {si(it['upper_items_per_s'], 'items/s')} is not"
        disturbed = f"; other programs disturbed {it['disturbed']} of {it['trials']} trials" if it["disturbed"] else ""
        said.append(f"{it['deployment']}: {si(it['lower_items_per_s'], 'items/s')} is sustained{upper} "
                    f"({found['parameter']}={it['value']:.6g}){disturbed}")
    return said


def split(loads: Loads, cells: Sequence[Cell]) -> tuple[list[Cell], list[Cell]]:
    """Split the cells into those with a known load and the others."""
    lost = [cell for cell in cells if loads.text_at(cell.deployment, 1.0) is None]
    return [cell for cell in cells if cell not in lost], lost
