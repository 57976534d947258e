"""Answer of `weir sweep --dry-run`: points, runs and estimated time."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from weir.diagnostics import WeirError
from weir.lab.sweeping import axes, best, loads_search, prediction, ready
from weir.lab.sweeping.best import SearchCandidate, runs_of
from weir.lab.sweeping.points import Points
from weir.model.document import jsontext
from weir.model.planning.machine import Machine
from weir.sure import sure


@dataclass(frozen=True)
class DryRun:
    """Sweep before its measurement. `tried`: candidates of the search for best sizes, [] without a search.

    `machine`: the planned one if it is another machine.
    """

    project: str
    points: Points
    tried: Sequence[SearchCandidate]
    quick: bool
    items: int | None
    machine: Machine | None = None

    @property
    def _seconds(self) -> list[float | None]:
        """Return the predicted seconds of each stated point."""
        return [prediction.seconds(one.planned.plan, self.items) for one in self.points.stated]

    @property
    def _sides(self) -> int:
        """Return the number of runs of each point in a round. The estimate assumes that best sizes take the same time.
        """
        return 2 if self.points.definition.best else 1

    @property
    def runs(self) -> int:
        """Return the number of runs of the sweep, without those of a search."""
        return self.points.definition.repetitions * self._sides * len(self.points.stated)

    @property
    def predicted_s(self) -> float | None:
        """Return the predicted seconds of all runs; None if a point has no prediction."""
        each = self._seconds
        return None if None in each else self.points.definition.repetitions * self._sides * sum(map(sure, each))

    def unbuilt(self) -> set[Path]:
        """Return the cache folders of programs that are not built yet, without those that cannot be built here.

        If loads are searched first, the final programs differ from these, but their number is the same.
        """
        missing = set()
        for one in self.points.stated:
            with contextlib.suppress(WeirError):
                folder, is_built = one.pipeline.place_of(one.planned.plan)
                missing |= {folder} if self.search_s or not is_built else set()
        return missing

    @property
    def search_s(self) -> float:
        """Return the maximum seconds of a search for loads."""
        return self._loads[1] if self.points.definition.loads and not self.points.definition.loads.found else 0.0

    @property
    def _search(self) -> tuple[int, float | None]:
        """Return the runs of the search and their predicted seconds, None if one has no prediction."""
        runs = runs_of(self.tried, self.quick)
        each = [(often, prediction.seconds(one.opened.planned.plan, self.items)) for one, often in runs]
        known = all(seconds is not None for _, seconds in each)
        return round(sum(often for _, often in runs)), sum(o * sure(s) for o, s in each) if known else None

    @property
    def _loads(self) -> tuple[int, float]:
        """Return the number of searches for sustainable rates and their maximum seconds."""
        count = len(loads_search.places(self.points))
        return count, count * sure(self.points.definition.loads).budget_s(self.quick, count)

    def json_text(self) -> str:
        """Return the answer of `--json`."""
        definition, names = self.points.definition, axes.columns(self.points.definition.axes)
        seconds, (runs, search_s) = self._seconds, self._search
        return jsontext.write({
            "project": self.project, "sweep": definition.name, "points": [
                {"values": dict(zip(names, one.cell.values)), "predicted_s": it}
                for one, it in zip(self.points.stated, seconds)],
            "rounds": definition.repetitions, "runs": self.runs, "predicted_s": self.predicted_s,
            "loads": dict(zip(("of", "searches", "at_most_s"), (definition.loads.of, *self._loads)))
                     if definition.loads and self.search_s else None,
            "search": {"candidates": len(self.tried), "runs": runs, "predicted_s": search_s}
            if definition.best else None,
            "left_out": [{"values": dict(zip(names, it.cell.values)), "code": it.code, "message": it.message}
                         for it in self.points.unfit]})

    def text(self) -> str:
        """Return the report for people."""
        definition = self.points.definition
        names, seconds = axes.columns(definition.axes), self._seconds
        lines = [f"  {name:<18}  {', '.join(map(axis.words_of, axis.values))}"
                 for axis, name in zip(definition.axes, names)]
        count = self._sides * len(seconds)
        lines += [f"for {self.machine.name or self.machine.architecture}: {len(self.machine.allowed_cores)} cores, "
                  f"{len(self.machine.allowed)} CPUs"] if self.machine else []
        # Other reasons were reported when the points were opened.
        lines += ready.lines_on([it for it in self.points.unfit if it.code in ready.NOT_HERE])
        lines.append(f"{count} points in {definition.repetitions} rounds: {self.runs} runs")
        lines.append(f"predicted time after the build: {self._time()}; Weir repeats disturbed rounds")
        return "\n".join([*lines, *self._load_lines(), *self._search_lines(names)]) + "\n"

    def _time(self) -> str:
        """Return the time of all runs as text. Time limits bound that of runs without a prediction."""
        rounds, each = self.points.definition.repetitions * self._sides, self._seconds
        known = [it for it in each if it is not None]
        unknown = [one.planned.plan.run.timeout_s for one, it in zip(self.points.stated, each) if it is None]
        said = [prediction.words(rounds * sum(known)) if known else "unknown"]
        if unknown:
            runs = f"{rounds * len(unknown)} runs" + ("" if not known else " without a prediction")
            said.append(f"at most {runs} × {max(unknown):g} s" if all(unknown) else f"{runs} without a time limit")
        return ", ".join(said) if not known else " and ".join(said)

    def _load_lines(self) -> list[str]:
        of = self.points.definition.loads
        if not of or not self.search_s:
            return []
        count, seconds = self._loads
        whose = f"the rate that {of.of} sustains" if of.of else f"the rate that each of {count} contenders sustains"
        return [f"before that, Weir searches for {whose}, in at most {prediction.words(seconds)} after the build; "
                "loads are shares of this rate, but the prediction uses the project's own load"]

    def _search_lines(self, names: Sequence[str]) -> list[str]:
        definition = self.points.definition
        if not definition.best:
            return []
        runs, seconds = self._search
        at = best.point(self.tried, definition.axes, names)
        where = f" at {axes.label(list(at.values()), list(at))}" if at else ""
        return [f"before that, Weir searches for the best sizes by {definition.best}{where}: {len(self.tried)} "
                f"candidates of {len(best.by_contender(self.tried))} contenders, {runs} runs, "
                + (f"predicted time {prediction.words(seconds)}" if seconds is not None else "without a prediction")
                + f", after building {len(self.tried)} programs"]
