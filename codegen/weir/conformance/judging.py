"""Schedulers in their folders -> judgements."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from weir.catalog import SchedulerType, read_scheduler
from weir.conformance.claims import THOROUGH, THREAD, Part
from weir.conformance.findings import Finding, Judgement, Tried, parts_named
from weir.conformance.running import run_part
from weir.conformance.subject import header_of
from weir.conformance.workshop import WARNINGS, Workshop
from weir.diagnostics import WeirError, diagnostic

Say = Callable[[str], None]
_BEFOREHAND = ("{} makes its schedules beforehand, and the kit's graphs have none: neither its plans nor its runs are "
               "tried here. Only Weir's own differential tests run random graphs under such a scheduler, which is the "
               "one in codegen/tests/schedulers; `weir run --verify` tries yours on a graph of your own")


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
        parts = tuple(part for part in parts if part.mode == "graphs")
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
    if other := _not_for_the_kit(scheduler):
        judgement.not_run = other
        return
    found, makes_program = workshop.header_findings(scheduler)
    judgement.statics += found
    judgement.checked["header"] = _header_said(scheduler)
    if not makes_program:
        judgement.not_run = _BEFOREHAND.format(scheduler.planner) if scheduler.planner and not found else \
            "there is no program without the header"
        return
    if scheduler.requires:
        judgement.not_run = f"the kit has no graphs whose blocks are all {', '.join(scheduler.requires)}"
        return
    with workshop.held(scheduler):
        for kind in dict.fromkeys(part.kind for part in parts):
            say(f"{scheduler.id}: building with the {kind} sanitizer")
            program = workshop.program(scheduler, kind)
            prefix = thread_prefix if kind == THREAD else ()
            for part in (part for part in parts if part.kind == kind):
                say(f"{scheduler.id}: {part.mode} with the {kind} sanitizer")
                judgement.tried.append(_tried(program, part, scheduler, workshop, seed, prefix))


def _tried(program: Path, part: Part, scheduler: SchedulerType, workshop: Workshop, seed: int | None,
           prefix: Sequence[str]) -> Tried:
    return run_part(program, part, scheduler.folder, workshop.place(scheduler), seed, prefix)


def _not_for_the_kit(scheduler: SchedulerType) -> str:
    """Why a scheduler has no C++ to try, "" where it has some or should have."""
    if header_of(scheduler).is_file():
        return ""
    if scheduler.planner:
        return _BEFOREHAND.format(scheduler.planner)
    if scheduler.source.is_file():
        return f"its code is {scheduler.source.name}, and the kit tries what is C++"
    return ""


def _header_said(scheduler: SchedulerType) -> str:
    count = sum(p.id != scheduler.job_count for p in scheduler.parameters)
    return f"{' '.join(WARNINGS)}; {count} parameter{'' if count == 1 else 's'}"
