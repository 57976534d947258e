"""Sweep from its request to its answer, for `weir sweep` and `weir reproduce`."""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from weir import __version__
from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring.disk_watch import check_folder
from weir.engine.measuring.readying import readying
from weir.engine.measuring.runnable import Runnable, RunOptions
from weir.engine.pipeline import Pipeline
from weir.lab.sweeping import axes, best, fairness, loads, loads_search, ready, state
from weir.lab.sweeping.answer import COMPLETE, INTERRUPTED, OUT_OF_TIME, SweepAnswer
from weir.lab.sweeping.best import SearchCandidate, candidates, with_found
from weir.lab.sweeping.dry_run import DryRun
from weir.lab.sweeping.listener import SweepListener
from weir.lab.sweeping.point import Cell
from weir.lab.sweeping.points import Points, opened_points
from weir.lab.sweeping.ready import LeftOut, RunnablePoint
from weir.lab.sweeping.record import Order, Record
from weir.lab.sweeping.request import SweepRequest
from weir.lab.sweeping.searching import Search, point_of
from weir.lab.sweeping.state import State
from weir.lab.sweeping.sweep import Sweep
from weir.model.document import jsontext
from weir.model.document.digits import counted
from weir.sure import sure

#: Default number of repeats of a disturbed round.
REPEATS = 2
#: Seconds of `--quick` after the build.
QUICK_S = 270.0


@dataclass(frozen=True)
class Place:
    """Folder of a sweep and its contents at the start.

    `begun`: sweep to continue; `searched`: loads.json of a search for loads to continue, before the sweep begins.
    """

    folder: Path
    resume: bool
    begun: State | None = None
    searched: Mapping | None = None

    @classmethod
    def look(cls, folder: Path, resume: bool) -> Place:
        """Inspect a folder. Raises WeirError (E_SWEEP_FOLDER) if a sweep can neither begin nor continue there."""
        begun = state.read_state(folder) if resume else None
        searched = state.read_loads(folder) if resume and not begun else None
        if not begun:
            state.check_new(folder, resume)
        return cls(folder, resume, begun, searched)

    @property
    def has_something(self) -> bool:
        """Return whether there are measurements, so that `--resume` continues."""
        return any((self.folder / name).exists() for name in (state.STATE, state.LOADS))

    def resumed(self, request: SweepRequest) -> SweepRequest:
        """Return the folder's request, else this one. Raises WeirError (E_SWEEP_CHANGED) if they differ."""
        taken_up = self.begun.value if self.begun else self.searched
        return request.resumed(taken_up) if taken_up else request

    def check_alone(self) -> None:
        """Raise WeirError (E_SWEEP_FOLDER) if another sweep has begun in the folder since `look`."""
        now = state.read_state(self.folder)
        if self.begun is None:
            state.check_new(self.folder, self.resume)
        elif now is None or now.id != self.begun.id:
            raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{self.folder} now contains another sweep"))


@dataclass
class Experiment:
    """Sweep of a project: call `opened`, then `dry_run` or `measure`. `pipeline`: of the request's project.

    `place`: None for a dry run without a folder; `another_machine`: continue a sweep of another machine; `part`:
    numbers of the points to measure, None for all; `elsewhere`: only for a dry run, for a sweep on the machine of the
    machine file.
    """

    request: SweepRequest
    pipeline: Pipeline
    listener: SweepListener
    place: Place | None = None
    another_machine: bool = False
    part: frozenset[int] | None = None
    elsewhere: bool = False

    @property
    def runs_made(self) -> int:
        """Return the number of run directories in the folder."""
        return sum(1 for _ in self.place.folder.glob("*/results.json")) if self.place else 0

    @property
    def _begun(self) -> State | None:
        return self.place.begun if self.place else None

    def opened(self) -> Points:
        """Check and plan every point, and report the warnings. Raises WeirError with the errors of all points."""
        points = self._in_part(opened_points(self.request, self.pipeline, self._begun.value if self._begun else None,
                                             elsewhere=self.elsewhere))
        self.listener.warns(list(points.said.values()))
        for note in points.definition.notes:
            self.listener.say(note)
        unfit = [it for it in points.unfit if it.code != loads.NOT_FOUND]  # the search has reported those
        for message, count in Counter(it.message for it in unfit).items():
            self.listener.say(f"left out: {counted(count, 'point')}: {message}")
        if points.definition.loads and not self._begun:
            loads_search.check(points, self.request.params)
        return points

    def _in_part(self, points: Points) -> Points:
        if self.part is None:
            return points
        return replace(points, stated=[one for one in points.stated if one.cell.number in self.part])

    def dry_run(self, points: Points) -> DryRun:
        """Return the points to measure, with the estimated time."""
        project = self.pipeline.checked.valid().project.name
        # Nobody knows what is installed elsewhere.
        missing = [] if self.elsewhere else ready.without_runtime(points.stated)
        there, of = _without(points, missing), points.definition.loads
        for it in missing:
            if of and of.of and of.of == it.cell.deployment:
                raise WeirError(diagnostic(it.code, "", it.message))
        return DryRun(project, there, self._candidates(there), self.request.quick, self.request.items,
                      self.pipeline.machine if self.elsewhere else None)

    def measure(self, points: Points) -> SweepAnswer:
        """Measure the missing runs. Finished runs stay, however this ends.

        An interrupted sweep returns an answer; an interrupted search raises KeyboardInterrupt. Raises WeirError if a
        build fails, if results cannot be stored, or if the request does not match the folder.
        """
        place = sure(self.place)
        check_folder(place.folder.absolute())
        with state.alone(place.folder):
            place.check_alone()
            self.listener.needs(self.pipeline, [one.planned.plan for one in points.stated])
            missing = ready.without_runtime(points.stated)
            for line in ready.lines_on(missing):
                self.listener.say(line)
            with readying(self._tracers(points)) as prepared:
                prepared()
                found = None
                if points.definition.loads and not place.begun:
                    self._candidates(points)  # report errors before a search, which takes minutes
                    found, points = self.loaded(points)
                    points = _for_the_same_reason(points, missing)
                    missing = ready.without_runtime(points.stated)
                points = _without(points, missing)
                return self._measured(points, self._candidates(points), found)

    def _tracers(self, points: Points) -> set[str]:
        """Return the trace back-ends of the runs."""
        return {one.pipeline.tracer(one.planned.plan, one.cell.trace or self.request.trace) for one in points.stated}

    def loaded(self, points: Points) -> tuple[Mapping, Points]:
        """Search the sustainable rates of contenders. Returns them, and the points with their shares."""
        found = loads_search.searched(self.request, points, sure(self.place).folder,
                                      ready.machine_identity(self.pipeline), self.listener)
        with_loads = self._in_part(opened_points(self.request, self.pipeline, None, found))
        self.listener.warns([it for key, it in with_loads.said.items() if key not in points.said])
        loads_search.check_offered(with_loads, found)
        return found, with_loads

    def _candidates(self, points: Points) -> list[SearchCandidate]:
        return candidates(points, self.request.quick, self.request.items) if points.definition.best else []

    def _measured(self, points: Points, tried: Sequence[SearchCandidate], searched: Mapping | None) -> SweepAnswer:
        request, definition, names = self.request, points.definition, axes.columns(points.definition.axes)
        found = self._begun.value["best"] if self._begun else None
        sized, unfound = with_found(points, found) if found else ([], [])
        opened = [*points.stated, *sized]
        made, left_out = self._built(opened)
        left_out = [*points.unfit, *left_out]
        if not made:
            raise WeirError(diagnostic(left_out[0].code, "",
                                       f"this machine can run none of the points: {left_out[0].message}"))
        at = self._state(points, made, [*left_out, *unfound], searched)
        options = RunOptions(at.folder.absolute(), at.value["repetitions"], request.trace, request.items,
                             params=request.params)
        quick_s = QUICK_S if request.quick else None
        if quick_s and searched:
            quick_s = max(quick_s - sum(it["measured_s"] for it in searched["found"]), 1.0)
        if definition.best and not found:
            at, more, searched_s = self._search(points, tried, at, options)
            made, quick_s = [*made, *more], quick_s and max(quick_s - searched_s, 1.0)
        made.sort(key=lambda it: it[0].number)
        order = Order(at.value["seed"], len(made), at.value["repetitions"], at.value["repeats"])
        record = Record([cell for cell, _ in made], names, order)
        self.listener.begins(record)
        sweep = Sweep(at, record, [it for _, it in made], options, self.pipeline.checked.catalog,
                      self.listener.run_listener, self.listener.ran, quick_s)
        interrupted = sweep.go_on()
        return SweepAnswer(at, record, INTERRUPTED if interrupted else OUT_OF_TIME if sweep.out_of_time else COMPLETE,
                           fairness.findings(definition.axes, names, record.cells, record.latest, definition.hold),
                           sweep.ignored.words())

    def _built(self, opened: Sequence[RunnablePoint]) -> tuple[list[tuple[Cell, Runnable]], list[LeftOut]]:
        return ready.built(opened, self.request.command_at, self.listener.builds)

    def _state(self, points: Points, made: Sequence[tuple[Cell, Runnable]], left_out: Sequence[LeftOut],
               searched: Mapping | None) -> State:
        """Return sweep.json, and write a new one. Raises WeirError (E_SWEEP_CHANGED) if it does not match the request.
        """
        request, definition, project = self.request, points.definition, self.pipeline.checked.loaded()
        names = axes.columns(definition.axes)
        now = {
            "project": project.name, "source": request.project, "document": project.document,
            "sweep": definition.name, "request": request.as_json(),
            "axes": [{"key": axis.key, "values": list(axis.values)} for axis in definition.axes],
            "columns": names, "hold": list(definition.hold),
            **({"overlay": list(definition.overlay)} if definition.overlay else {}),
            **({"loads": searched} if searched else {}),
            "weir_version": __version__,
            "machine": ready.machine_identity(self.pipeline),
            "points": [point_of(cell, names, it) for cell, it in sorted(made, key=lambda it: it[0].number)],
            "left_out": [it.as_json(names) for it in left_out], "best": None}
        if self._begun:
            state.check_unchanged(self._begun.value, jsontext.read(jsontext.write(now))[0], self.another_machine)
            return self._begun
        found = State(sure(self.place).folder, {
            "schema_version": 1, "id": secrets.token_hex(8), "repetitions": definition.repetitions,
            "repeats": request.repeats if request.repeats is not None else 0 if request.quick else REPEATS,
            "seed": secrets.randbits(32) if request.seed is None else request.seed,
            "created": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"), **now})
        found.write()
        return found

    def _search(self, points: Points, tried: Sequence[SearchCandidate], at: State,
                options: RunOptions) -> tuple[State, list[tuple[Cell, Runnable]], float]:
        """Search the best sizes. Returns the sweep with them, its new points, and the seconds of the search.

        Raises KeyboardInterrupt if the search was interrupted.
        """
        built, _ = self._built([replace(one.opened, cell=one.cell) for one in tried])
        self.listener.say(f"searching for the best sizes of {len(best.by_contender(tried))} contenders: {len(tried)} "
                          "candidates")
        search = Search(at, points.definition.axes, sure(points.definition.best),
                        best.QUICK_RUNGS if self.request.quick else best.RUNGS, {cell.number: it for cell, it in built},
                        options, self.pipeline.checked.catalog, self.listener.run_listener, self.listener.ran,
                        partial(self.listener.begins, phase="search"))
        begun = time.monotonic()
        found = search.go_on(tried)
        searched_s = time.monotonic() - begun
        if found is None:
            raise KeyboardInterrupt
        opened, left_out = with_found(points, found)
        more, not_here = self._built(opened)
        names = at.value["columns"]
        grown = State(at.folder, {
            **at.value, "best": found,
            "points": sorted([*at.value["points"], *(point_of(cell, names, it) for cell, it in more)],
                             key=lambda point: point["number"]),
            "left_out": [*at.value["left_out"], *(it.as_json(names) for it in (*left_out, *not_here))]})
        grown.write()
        return grown, more, searched_s


def _without(points: Points, missing: Sequence[LeftOut]) -> Points:
    """Return the points without the missing ones."""
    gone = {it.cell.number for it in missing}
    return replace(points, stated=[one for one in points.stated if one.cell.number not in gone],
                   unfit=[*points.unfit, *missing])


def _for_the_same_reason(points: Points, missing: Sequence[LeftOut]) -> Points:
    """Return the points; those without a load because their runtime is missing have this reason."""
    reasons = {it.cell.deployment: it for it in missing}
    return replace(points, unfit=[
        replace(it, code=why.code, message=why.message)
        if it.code == loads.NOT_FOUND and (why := reasons.get(it.cell.deployment)) else it for it in points.unfit])
