"""Run one program of the kit, and read its JSON lines or its crash report."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from weir.engine.conformance.claims import ADDRESS, THREAD, Part
from weir.engine.conformance.findings import ERROR, WARNING, Finding, PartResult
from weir.engine.conformance.sanitizers import ended_by

FOUND = 1
#: Seconds without progress after which a run counts as stuck, not counting time in which a worker waits for a CPU.
LIMIT_S = {ADDRESS: 5, THREAD: 10}
#: Extra time before the kit kills a program that its own watchdog could not end.
_GRACE_S = 900.0


def run_part(program: Path, part: Part, scheduler: Path, logs: Path, seed: int | None = None,
             prefix: Sequence[str] = ()) -> PartResult:
    """Run one part and read its output. `scheduler` is its folder; the output stays in `logs`."""
    command = [*prefix, str(program), part.mode, "--seconds", str(part.seconds), "--rounds", str(part.rounds)]
    if seed is not None:
        command += ["--seed", str(seed), "--once-more"]
    out, err = (logs / f"{part.kind}-{part.mode}.{end}" for end in ("out", "err"))
    with out.open("wb") as stdout, err.open("wb") as stderr:
        try:
            code = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
                                  env=environment_for(part.kind), timeout=_GRACE_S + 10 * part.seconds,
                                  check=False).returncode
        except subprocess.TimeoutExpired:
            code = None
    return read(out.read_text(encoding="utf-8", errors="replace"), err.read_text(encoding="utf-8", errors="replace"),
                code, part, scheduler)


def environment_for(kind: str) -> dict[str, str]:
    """Return the environment of a program in this build."""
    return {**os.environ, "WEIR_TEST_LIMIT_S": str(LIMIT_S[kind]), "LC_ALL": "C",
            "TSAN_OPTIONS": "halt_on_error=1:exitcode=66:history_size=4", "UBSAN_OPTIONS": "print_stacktrace=1",
            "ASAN_OPTIONS": "detect_leaks=0" if _traced() else ""}


def _traced() -> bool:
    """Return whether a debugger traces this process: LeakSanitizer does not work then."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return False
    return "TracerPid:\t0" not in status


def read(stdout: str, stderr: str, code: int | None, part: Part, scheduler: Path) -> PartResult:
    """Return the result from a program's output and its exit code (None: it did not end in time)."""
    runs = cases = 0
    through = False
    case, seed, smaller = "", None, ""
    notes: list[str] = []
    found: list[Finding] = []
    seen: set[tuple[str, int]] = set()
    for event in _events(stdout):
        match event.get("event"):
            case "case":
                case, seed = event["case"], event["seed"]
                runs += 1
                seen.add((case, seed))
            case "finding" | "warning" as kind:
                message, _, detail = event["text"].partition("\n")
                found.append(Finding(event["claim"], message, ERROR if kind == "finding" else WARNING, detail.rstrip(),
                                     case=event["case"], seed=event["seed"]))
            case "smaller":
                smaller = event["text"].rstrip()
            case "note":
                notes.append(event["text"])
            case "tried":
                runs, cases, through = event["runs"], event["cases"], True
    errors = [f for f in found if f.severity == ERROR]
    if code is None:
        found.append(Finding("liveness", "the program did not end", detail=stderr[-2000:], case=case, seed=seed))
    elif code not in (0, FOUND) or (not errors if code == FOUND else not through):  # a scheduler may call exit(0)
        ended = ended_by(stderr, code, scheduler)
        found.append(replace(ended, case=case, seed=seed))
    found = [replace(f, part=part.name, build=part.kind, smaller=smaller if f.severity == ERROR else "") for f in found]
    return PartResult(part, runs, cases or len(seen), tuple(notes), tuple(found))


def _events(stdout: str) -> list[dict]:
    """Return the events of the complete lines: a crashed program may leave an incomplete last line."""
    events = []
    for line in stdout.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict):
            events.append(event)
    return events
