"""Page of findings: as text for people, as JSON for programs."""

from __future__ import annotations

import itertools
import shlex
import textwrap
from collections.abc import Sequence
from pathlib import Path

from weir.engine.conformance.claims import CLAIMS, NONE
from weir.engine.conformance.findings import (
    ERROR,
    FAILED,
    NOT_APPLICABLE,
    NOT_TRIED,
    OK,
    OPEN,
    WARNED,
    Finding,
    Judgement,
)
from weir.engine.conformance.planning_context import BLOCKS

_WORDS = {OK: "ok", FAILED: "FAILED", WARNED: "warning", OPEN: "cut short", NOT_TRIED: "not tried",
          NOT_APPLICABLE: "n/a"}
_WIDTH = 120
#: Most lines of detail: for the first finding of a scheduler, and for the first finding on each other claim.
_FIRST, _OTHERS = 24, 6


def again(judgement: Judgement, finding: Finding | None = None) -> str:
    """Return the command that repeats the test of a finding, or of the scheduler."""
    words = ["weir", "test", "--scheduler-path", _shown(judgement.folder)]
    if finding is not None and finding.part:
        words += ["--only", finding.part]
    if finding is not None and finding.case.startswith("random graph"):
        words += ["--seed", str(finding.seed)]
    elif judgement.thorough:
        words.append("--all")
    return shlex.join(words)


def plan_of(judgement: Judgement, finding: Finding) -> str:
    """Return the command that shows the plan of a finding's graph, "" if the finding has no graph."""
    words = ["weir", "plan", _shown(Path(finding.project)), "--scheduler-path", _shown(judgement.folder.parent),
             "--block-path", _shown(BLOCKS)]
    return shlex.join(words) if finding.project else ""


def _shown(folder: Path) -> str:
    """Return the path relative to the working directory if it is inside."""
    here = Path.cwd()
    return str(folder.relative_to(here)) if folder.is_relative_to(here) and folder != here else str(folder)


def page(judgements: Sequence[Judgement]) -> str:
    """Return each scheduler's table and findings; the last line has the totals."""
    parts = [_scheduler(judgement) for judgement in judgements]
    failed = [judgement.id for judgement in judgements if judgement.failed]
    untried = [judgement.id if not judgement.runs else f"{judgement.id} ({', '.join(judgement.idle)})"
               for judgement in judgements if not judgement.failed and (judgement.idle or not judgement.runs)]
    count = f"{len(judgements)} scheduler{'' if len(judgements) == 1 else 's'}"
    last = [f"{', '.join(failed) or 'none'} failed", *([f"{', '.join(untried)} not tried"] if untried else []),
            f"{sum(j.seconds for j in judgements):.0f} s"]
    return "\n\n".join([*parts, f"{count}: {'; '.join(last)}"])


def _scheduler(judgement: Judgement) -> str:
    errors = sum(f.severity == ERROR for f in judgement.findings)
    warnings = len(judgement.findings) - errors
    nothing = "nothing found" if judgement.runs else "not tried"
    verdict = f"{errors} finding{'' if errors == 1 else 's'}" if errors else nothing
    if warnings:
        verdict += f", {warnings} warning{'' if warnings == 1 else 's'}"
    lines = [f"{judgement.id}: {verdict}   ({_shown(judgement.folder)}, {judgement.seconds:.0f} s)", ""]
    lines += _table(judgement)
    if judgement.not_run:
        lines += ["", *textwrap.wrap(f"not tried: {judgement.not_run}", _WIDTH, subsequent_indent="  ")]
    for why, names in itertools.groupby(judgement.idle, judgement.idle.get):
        if why != judgement.not_run:
            lines += ["", *textwrap.wrap(f"not tried: {', '.join(names)}: {why}", _WIDTH, subsequent_indent="  ")]
    lines += ["", f"again: {again(judgement)}"]
    groups = itertools.groupby(judgement.findings, lambda finding: (finding.claim, finding.severity))
    for number, (_, (first, *others)) in enumerate(groups, 1):
        lines += ["", *_finding(judgement, first, number)]
        lines += [line for finding in others for line in _wrapped(_also(finding, first))]
    return "\n".join(lines)


def _table(judgement: Judgement) -> list[str]:
    rows = [("claim", "requirement, and how it was tested", "verdict", "part")]
    wide = max(len(claim.id) for claim in CLAIMS)
    for row in judgement.rows:
        parts = "all" if len(row.claim.parts) > 2 else " ".join(row.parts)
        rows.append((row.claim.id, row.claim.says, _WORDS[row.verdict], parts))
        tried = row.tried if row.verdict != NOT_TRIED or row.tried != judgement.not_run else ""
        rows += [("", line, "", "") for line in textwrap.wrap(tried, 78, initial_indent="  ", subsequent_indent="  ")]
    return [f"{claim:{wide}}  {said:80} {verdict:9}  {part}".rstrip() for claim, said, verdict, part in rows]


def _finding(judgement: Judgement, finding: Finding, number: int) -> list[str]:
    severity = "" if finding.severity == ERROR else "warning: "
    lines = textwrap.wrap(f"{number}. {finding.claim}: {severity}{finding.message}", _WIDTH, subsequent_indent="   ")
    if finding.case:
        lines += _wrapped(_where(finding))
    lines += _wrapped(finding.hint) if finding.hint else []
    lines += [f"   {place}" for place in finding.places if place not in finding.message]
    most = _FIRST if number == 1 else _OTHERS
    detail = f"a smaller graph that fails too:\n{finding.smaller}\nthe graph:\n" if finding.smaller else ""
    kept = (detail + finding.detail).splitlines()
    lines += [_cut(f"     {line}") for line in kept[:most]]
    if len(kept) > most:
        lines.append(f"     … {len(kept) - most} more lines, see --json")
    if finding.project:
        lines.append(f"   its plan: {plan_of(judgement, finding)}")
    return [*lines, f"   again: {again(judgement, finding)}"]


def _where(finding: Finding) -> str:
    seed = f", seed {finding.seed}" if finding.seed is not None else ""
    build = "" if finding.build == NONE else f", {finding.build} sanitizer"
    return f"in {finding.part}{build}: {finding.case}{seed}" if finding.case else "again"


def _also(finding: Finding, first: Finding) -> str:
    return f"also {_where(finding)}" + (f": {finding.message}" if finding.message != first.message else "")


def _cut(line: str) -> str:
    return line if len(line) <= _WIDTH else line[:_WIDTH - 1] + "…"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent="   ", subsequent_indent="   ")


def answer(judgements: Sequence[Judgement]) -> dict[str, object]:
    """Return the output of `weir test --scheduler-path DIR --json` (schema/conformance.schema.json)."""
    return {"ok": all(judgement.ok for judgement in judgements),
            "seconds": round(sum(judgement.seconds for judgement in judgements), 1),
            "schedulers": [_as_json(judgement) for judgement in judgements]}


def _as_json(judgement: Judgement) -> dict[str, object]:
    return {
        "id": judgement.id, "folder": str(judgement.folder), "ok": judgement.ok,
        "seconds": round(judgement.seconds, 1), "again": again(judgement),
        "claims": [{"claim": row.claim.id, "says": row.claim.says, "tried": row.tried, "verdict": row.verdict,
                    "parts": list(row.parts)} for row in judgement.rows],
        "parts": [{"part": t.part.name, "mode": t.part.mode, "build": t.part.kind, "runs": t.runs, "cases": t.cases,
                   "cut_short": t.cut_short} for t in judgement.tried],
        "findings": [{"claim": f.claim, "severity": f.severity, "message": f.message, "hint": f.hint,
                      "detail": f.detail, "part": f.part, "build": f.build, "case": f.case, "seed": f.seed,
                      "places": list(f.places), "smaller": f.smaller, "project": f.project,
                      "plan": plan_of(judgement, f), "again": again(judgement, f)} for f in judgement.findings]}
