"""Schedulers in their folders -> judgements."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from weir.catalog import SchedulerType, read_scheduler
from weir.conformance.claims import NONE, SCHEDULES, TASKS, THOROUGH, THREAD, Part
from weir.conformance.desk import Desk
from weir.conformance.findings import Finding, Judgement, parts_named
from weir.conformance.planned import finding_of, refused, try_plans
from weir.conformance.running import run_part
from weir.conformance.scheduled import Bench, chosen, try_scheduled
from weir.conformance.subject import header_of
from weir.conformance.workshop import WARNINGS, Workshop
from weir.diagnostics import WeirError, diagnostic
from weir.planning.topology import this_machine

Say = Callable[[str], None]


def descriptors(folders: Sequence[Path]) -> list[Path]:
    """The scheduler.json files of folders that hold schedulers, or are one. WeirError where a folder has none."""
    found: list[Path] = []
    for folder in folders:
        own = folder / "scheduler.json"
        files = [own] if own.is_file() else sorted(folder.glob("*/scheduler.json"))
        if not files:
            raise WeirError(diagnostic("E_FILE_MISSING", "", f"there is no scheduler in {folder}",
                                       "a scheduler is a folder with a scheduler.json: DIR/<id>"))
        found += [file.resolve() for file in files]
    return list(dict.fromkeys(found))


def parts_for(names: Sequence[str], everything: bool, seed: int | None) -> tuple[Part, ...]:
    """What is to be run. `seed`: that random graph alone."""
    parts = parts_named(names)
    if seed is not None:
        parts = tuple(part for part in parts if part.drawn)
    if everything:
        parts = tuple(dataclasses.replace(p, seconds=p.seconds * THOROUGH, rounds=p.rounds * THOROUGH) for p in parts)
    return parts


def judge(file: Path, parts: Sequence[Part], workshop: Workshop, say: Say = lambda _: None, seed: int | None = None,
          thread_prefix: Sequence[str] = ()) -> Judgement:
    """Tries one scheduler. `thread_prefix`: what runs a program of the thread sanitizer (`setarch -R`)."""
    started = time.monotonic()
    scheduler, faults = read_scheduler(file)
    judgement = Judgement(file.parent.name if scheduler is None else scheduler.id, file.parent)
    try:
        judgement.statics += [Finding("descriptor", fault.message.removeprefix(f"{file}: "),
                                      detail="\n".join(filter(None, (fault.pointer, fault.hint)))) for fault in faults]
        judgement.checked["descriptor"] = "read and checked, as every verb does"
        if scheduler is None:
            judgement.not_run = "there is no valid descriptor"
        else:
            _judge_code(scheduler, judgement, parts, workshop, say, seed, thread_prefix)
    finally:
        judgement.seconds = time.monotonic() - started
    return judgement


def _judge_code(scheduler: SchedulerType, judgement: Judgement, parts: Sequence[Part], workshop: Workshop, say: Say,
                seed: int | None, thread_prefix: Sequence[str]) -> None:
    judgement.ways = (SCHEDULES,) if scheduler.planner else (TASKS,)
    header = header_of(scheduler)
    if not header.is_file() and (scheduler.planner or scheduler.source.is_file()):
        judgement.not_run = f"there is no {header.name}, and the kit tries what is C++"
        return
    found, steps_tasks = workshop.header_findings(scheduler)
    judgement.statics += found
    judgement.checked["header"] = _header_said(scheduler)
    if found and not steps_tasks:
        judgement.not_run = "there is no program without the header"
        return
    if scheduler.requires and not scheduler.planner:
        judgement.not_run = f"the kit has no graphs whose blocks are all {', '.join(scheduler.requires)}"
        return
    if scheduler.planner and steps_tasks and not scheduler.requires:
        judgement.ways = (SCHEDULES, TASKS)
    mine = [part for part in parts if part.of in judgement.ways]
    with workshop.held(scheduler):
        _try_schedules(scheduler, judgement, [p for p in mine if p.of == SCHEDULES], workshop, say, seed, thread_prefix)
        _try_tasks(scheduler, judgement, [p for p in mine if p.of == TASKS], workshop, say, seed, thread_prefix)


def _try_tasks(scheduler: SchedulerType, judgement: Judgement, parts: Sequence[Part], workshop: Workshop, say: Say,
               seed: int | None, thread_prefix: Sequence[str]) -> None:
    for kind in dict.fromkeys(part.kind for part in parts):
        say(f"{scheduler.id}: building with the {kind} sanitizer")
        program = workshop.program(scheduler, kind)
        for part in (part for part in parts if part.kind == kind):
            say(f"{scheduler.id}: {part.mode} with the {kind} sanitizer")
            judgement.tried.append(run_part(program, part, scheduler.folder, workshop.place(scheduler), seed,
                                            thread_prefix if kind == THREAD else ()))


def _try_schedules(scheduler: SchedulerType, judgement: Judgement, parts: Sequence[Part], workshop: Workshop, say: Say,
                   seed: int | None, thread_prefix: Sequence[str]) -> None:
    desk = Desk.of(scheduler, this_machine(), workshop.place(scheduler)) if parts else None
    for part in (part for part in parts if part.kind == NONE):
        say(f"{scheduler.id}: planning random graphs")
        judgement.tried.append(try_plans(desk, part, seed))
    for kind in dict.fromkeys(part.kind for part in parts if part.kind != NONE):
        own = [part for part in parts if part.kind == kind]
        choice = chosen(desk, max(part.rounds for part in own), seed)
        # A plan that is wrong is a finding of the first part that wanted to run it, unless `plans` has one.
        known = any(finding.claim == "schedule" for finding in judgement.findings)
        faults = [finding_of(desk, own[0], *choice.faulty)] if choice.faulty and not known else []
        program = Path()
        if choice.builds:
            say(f"{scheduler.id}: building {len(choice.generated)} random graphs with the {kind} sanitizer")
            program = workshop.scheduled_program(scheduler, kind, choice.generated)
        for part in own:
            say(f"{scheduler.id}: {part.mode} with the {kind} sanitizer")
            tried = try_scheduled(Bench(program, choice.builds[:part.rounds], part, workshop.place(scheduler),
                                        scheduler.folder, thread_prefix if kind == THREAD else ()))
            more = (faults, refused(choice.refusals)) if part is own[0] else ([], [])
            judgement.tried.append(dataclasses.replace(tried, findings=(*tried.findings, *more[0]),
                                                       notes=(*tried.notes, *more[1])))


def _header_said(scheduler: SchedulerType) -> str:
    count = sum(p.id != scheduler.job_count for p in scheduler.parameters)
    return f"{' '.join(WARNINGS)}; {count} parameter{'' if count == 1 else 's'}"
