"""Prints docs/diagnostics.md: the registry of codes, each with the message for an invalid project of the tests.

/usr/bin/python3 docs/make_diagnostics.py > docs/diagnostics.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CODEGEN = ROOT / "codegen"
BAD = CODEGEN / "tests" / "bad"
sys.path.insert(0, str(CODEGEN))

from weir.codes import CODES, ERROR, EXIT_CODES  # noqa: E402
from weir.diagnostics import Diagnostic  # noqa: E402
from weir.model.check import check  # noqa: E402

KINDS = {
    "project": "Faults of a project file. `weir validate` finds them all, and so does every verb that reads "
               "a project.",
    "flowgraph": "Faults of a GNU Radio Companion file that `weir import` reads.",
    "descriptor": "Faults of the folder of a block, scheduler or target.",
    "usage": "Faults of a command line.",
    "environment": "Missing tools, rights or disk space on the machine.",
    "run": "Faults of runs and of their directories.",
}
HEAD = """# Diagnostics

Every finding has a code, a severity, a JSON Pointer into the project file (where there is one), a message and a hint.
An error (`E_`) keeps the verb from doing its work; a warning (`W_`) does not. A code never changes its meaning.
`weir validate P --json` prints findings as data. Where there is an obvious mend, they have `fixes`: the nearest name,
the limit of a range, a block that converts. The editor has a button for each.

This page is printed by `docs/make_diagnostics.py` from `codegen/weir/codes.py` and the bad projects of the tests."""


def page() -> str:
    """Return the page, with one newline at its end."""
    return "\n\n".join([HEAD, *(section for kind in KINDS for section in _kind(kind))]) + "\n"


def _kind(kind: str) -> Iterator[str]:
    yield f"## {kind.capitalize()} (exit code {EXIT_CODES[kind]})\n\n{KINDS[kind]}"
    for name, code in sorted(CODES.items()):
        if code.kind == kind:
            severity = "" if code.severity == ERROR else " Warning."
            example = _example(name)
            yield f"### {name}\n\n{_sentence(code.meaning)}{severity} {_sentence(code.hint)}" + (
                f"\n\n{example}" if example else "")


def _example(name: str) -> str:
    file = BAD / f"{name}.weir.json"
    if not file.exists():
        return ""
    found = check(file, directory=BAD, scheduler_paths=[CODEGEN / "tests/fixtures/schedulers"],
                  target_paths=[CODEGEN / "tests/fixtures/targets"]).diagnostics
    return _as_printed(next(d for d in found if d.code == name), file.name)


def _as_printed(d: Diagnostic, file: str) -> str:
    lines = [f"{file}:{d.pointer}: {d.severity} {d.code}: {d.message}", f"    hint: {d.hint}"]
    return "\n".join("    " + line for line in lines)


def _sentence(text: str) -> str:
    return (text if text.startswith("`") else text[0].upper() + text[1:]) + "."


if __name__ == "__main__":
    sys.stdout.write(page())
