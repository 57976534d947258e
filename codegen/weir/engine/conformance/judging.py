"""Judge the schedulers of given folders."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic
from weir.engine.conformance.claims import NONE, SCHEDULES, TASKS, THOROUGH, THREAD, Part
from weir.engine.conformance.findings import Finding, Judgement, parts_named
from weir.engine.conformance.planned import finding_of, refused, try_plans
from weir.engine.conformance.planning_context import PlanningContext
from weir.engine.conformance.running import run_part
from weir.engine.conformance.scheduled import RunSetup, chosen, try_scheduled
from weir.engine.conformance.subject import header_of
from weir.engine.conformance.workshop import WARNINGS, Workshop
from weir.model.catalog import SchedulerType, read_scheduler
from weir.model.planning.topology import this_machine

Say = Callable[[str], None]


def descriptors(folders: Sequence[Path]) -> list[Path]:
    """Return the scheduler.json files of folders that contain schedulers or are one.

    Raises WeirError if a folder has none.
    """
    found: list[Path] = []
    for folder in folders:
        own = folder / "scheduler.json"
        files = [own] if own.is_file() else sorted(folder.glob("*/scheduler.json"))
        if not files:
            raise WeirError(diagnostic("E_FILE_MISSING", "", f"{folder} contains no scheduler",
                                       "give the folder DIR/<id> with the scheduler.json, or DIR itself"))
        found += [file.resolve() for file in files]
    return list(dict.fromkeys(found))


def parts_for(names: Sequence[str], everything: bool, seed: int | None) -> tuple[Part, ...]:
    """Return the parts to run. With a `seed`, only the random graph of that seed."""
    parts = parts_named(names)
    if seed is not None:
        parts = tuple(part for part in parts if part.drawn)
    if everything:
        parts = tuple(dataclasses.replace(p, seconds=p.seconds * THOROUGH, rounds=p.rounds * THOROUGH) for p in parts)
    return parts


def judge(file: Path, parts: Sequence[Part], workshop: Workshop, say: Say = lambda _: None, seed: int | None = None,
          thread_prefix: Sequence[str] = ()) -> Judgement:
    """Test one scheduler. `thread_prefix` is the command that starts a thread-sanitizer program (`setarch -R`)."""
    started = time.monotonic()
    scheduler, faults = read_scheduler(file)
    judgement = Judgement(file.parent.name if scheduler is None else scheduler.id, file.parent)
    try:
        judgement.statics += [Finding("descriptor", fault.message.removeprefix(f"{file}: "), detail=fault.pointer,
                                      hint=fault.hint) for fault in faults]
        judgement.checked["descriptor"] = "read and validated, as in every verb"
        if scheduler is None:
            judgement.not_run = "scheduler.json is not valid"
        else:
            _Trial(scheduler, judgement, workshop, say, seed, tuple(thread_prefix)).run(parts)
    finally:
        judgement.seconds = time.monotonic() - started
    return judgement


@dataclasses.dataclass(frozen=True)
class _Trial:
    """Test of one scheduler with a valid descriptor; fills in its judgement."""

    scheduler: SchedulerType
    judgement: Judgement
    workshop: Workshop
    say: Say
    seed: int | None
    thread_prefix: tuple[str, ...]

    def run(self, parts: Sequence[Part]) -> None:
        if not self._can_run():
            return
        schedules, tasks = ([p for p in parts if p.of == way and way in self.judgement.ways]
                            for way in (SCHEDULES, TASKS))
        with self.workshop.scheduler_lock(self.scheduler):
            if schedules:
                self._try_schedules(schedules)
            self._try_tasks(tasks)

    def _can_run(self) -> bool:
        """Check the code, and set `ways` and `not_run` of the judgement."""
        scheduler, judgement, header = self.scheduler, self.judgement, header_of(self.scheduler)
        judgement.ways = (SCHEDULES,) if scheduler.planner else (TASKS,)
        if not header.is_file() and (scheduler.planner or scheduler.source.is_file()):
            judgement.not_run = f"{header.name} is missing, and the kit tests only schedulers in C++"
            return False
        found, steps_tasks = self.workshop.header_findings(scheduler)
        judgement.statics += found
        judgement.checked["header"] = _header_said(scheduler)
        if found and not steps_tasks:
            judgement.not_run = "no program can be built, because the header does not compile"
        elif scheduler.requires and not scheduler.planner:
            judgement.not_run = f"the kit has no graphs with only {', '.join(scheduler.requires)} blocks"
        elif scheduler.planner and steps_tasks and not scheduler.requires:
            judgement.ways = (SCHEDULES, TASKS)
        return not judgement.not_run

    def _try_tasks(self, parts: Sequence[Part]) -> None:
        for kind in dict.fromkeys(part.kind for part in parts):
            self._report(f"building with the {kind} sanitizer")
            program = self.workshop.program(self.scheduler, kind)
            for part in (part for part in parts if part.kind == kind):
                self._report(f"{part.mode} with the {kind} sanitizer")
                self.judgement.tried.append(run_part(program, part, self.scheduler.folder, self._place, self.seed,
                                                     self._prefix(kind)))

    def _try_schedules(self, parts: Sequence[Part]) -> None:
        context = PlanningContext.of(self.scheduler, this_machine(), self._place)
        for part in (part for part in parts if part.kind == NONE):
            self._report("planning random graphs")
            self.judgement.tried.append(try_plans(context, part, self.seed))
        for kind in dict.fromkeys(part.kind for part in parts if part.kind != NONE):
            self._try_built(context, kind, [part for part in parts if part.kind == kind])

    def _try_built(self, context: PlanningContext, kind: str, parts: Sequence[Part]) -> None:
        choice, program = chosen(context, max(part.rounds for part in parts), self.seed), Path()
        if choice.builds:
            self._report(f"building {len(choice.generated)} random graphs with the {kind} sanitizer")
            program = self.workshop.scheduled_program(self.scheduler, kind, choice.generated)
        # Report a wrong plan once: under the first part that would run it, unless part `plans` already has it.
        known = any(finding.claim == "schedule" for finding in self.judgement.findings)
        faults = [finding_of(context, parts[0], *choice.faulty)] if choice.faulty and not known else []
        notes = refused(choice.refusals)
        for part in parts:
            self._report(f"{part.mode} with the {kind} sanitizer")
            tried = try_scheduled(RunSetup(program, choice.builds[:part.rounds], part, self._place,
                                           self.scheduler.folder, self._prefix(kind)))
            self.judgement.tried.append(dataclasses.replace(tried, findings=(*tried.findings, *faults),
                                                            notes=(*tried.notes, *notes)))
            faults, notes = [], []

    @property
    def _place(self) -> Path:
        return self.workshop.place(self.scheduler)

    def _prefix(self, kind: str) -> tuple[str, ...]:
        return self.thread_prefix if kind == THREAD else ()

    def _report(self, text: str) -> None:
        self.say(f"{self.scheduler.id}: {text}")


def _header_said(scheduler: SchedulerType) -> str:
    count = len(scheduler.fields)
    return f"{' '.join(WARNINGS)}; {count} parameter{'' if count == 1 else 's'}"
