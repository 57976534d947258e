"""Turn the report of a sanitizer, or the signal that ended a program, into a finding."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

from weir.engine.conformance.findings import Finding

_FRAME = re.compile(r"^\s+#\d+ .*\s(?P<file>\S+):(?P<line>\d+)(?::\d+)?(?: \(|$)", re.MULTILINE)
_RACE = re.compile(r"WARNING: ThreadSanitizer: (?P<what>[^(\n]+)")
_ADDRESS = re.compile(r"ERROR: (?:Address|Leak)Sanitizer:? (?P<what>[^\n]+)")
_UNDEFINED = re.compile(r"^(?P<place>\S+:\d+):\d+: runtime error: (?P<what>.+)$", re.MULTILINE)
#: First line of each of the two sides of a race in TSan's report.
_SIDE = re.compile(r"^  (?:Previous |Atomic |As if |Mutex )?(?:atomic )?(?:read|write|Read|Write)\b.*$", re.MULTILINE)


def ended_by(stderr: str, code: int, folder: Path) -> Finding:
    """Return the finding for a program that ended with this exit code without reporting one.

    `folder` is that of the scheduler.
    """
    if race := _RACE.search(stderr):
        report = stderr[race.start():]
        sides = [report[m.start():] for m in _SIDE.finditer(report)]
        places = tuple(dict.fromkeys(place for side in sides[:2] if (place := _place(_paragraph(side), folder))))
        claim = "races" if "race" in race["what"] else "memory"
        return Finding(claim, race["what"].strip() + _between(places), detail=_shortened(report), places=places)
    if found := _ADDRESS.search(stderr):
        message = re.sub(r" on (?:unknown )?address .*", "", found["what"]).strip()
        return _memory(message, _place(stderr[found.start():], folder), stderr[found.start():])
    if found := _UNDEFINED.search(stderr):
        return _memory(found["what"].strip(), found["place"], stderr[found.start():])
    last = stderr.strip().splitlines()[-1:] or [""]
    return Finding("memory", f"the program ended with {_end(code)}" + (f": {last[0]}" if last[0] else ""),
                   detail=_shortened(stderr))


def _memory(message: str, place: str, report: str) -> Finding:
    return Finding("memory", message + (f" at {place}" if place else ""), detail=_shortened(report),
                   places=(place,) if place else ())


def _end(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def _between(places: tuple[str, ...]) -> str:
    return f" between {places[0]} and {places[1]}" if len(places) > 1 else f" at {places[0]}" if places else ""


def _paragraph(text: str) -> str:
    return text.split("\n\n", 1)[0]


def _place(text: str, folder: Path) -> str:
    """Return the innermost frame in the scheduler's folder, else in Weir's runtime, else any with a file."""
    frames = [(os.path.normpath(m["file"]), m["line"]) for m in _FRAME.finditer(_paragraph(text))]
    own = [f for f in frames if f[0].startswith(f"{folder}/")]
    weirs = [f for f in frames if "/runtime/" in f[0]]
    for file, line in [*own, *weirs, *frames][:1]:
        return f"{file}:{line}"
    return ""


def _shortened(text: str, lines: int = 60) -> str:
    kept = text.strip().splitlines()
    return "\n".join(kept[:lines] + ([f"… and {len(kept) - lines} lines more"] if len(kept) > lines else []))
