"""Runs the program built from fixture_app.cpp and reads its output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import pytest

CODEGEN = Path(__file__).resolve().parents[2] / "codegen"
sys.path.insert(0, str(CODEGEN))

from weir.engine.measuring.ctf_reader import EVENTS, FIELDS, RECORD  # noqa: E402

SCHEMA_FILE = CODEGEN / "weir/schema/results.schema.json"
VALIDATOR = jsonschema.Draft202012Validator(json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))
PROGRAM = os.environ.get("WEIR_FIXTURE_APP", "")
LIMIT_S = 60

needs_program = pytest.mark.skipif(not PROGRAM, reason="WEIR_FIXTURE_APP names no program")


def environment(fixture: str) -> dict[str, str]:
    return {**os.environ, "WEIR_FIXTURE": fixture}


def run(fixture: str, *arguments: str, out: Path | None = None, **options) -> subprocess.CompletedProcess[str]:
    words = [PROGRAM, *(["--out", str(out)] if out else []), *arguments]
    return subprocess.run(words, env=environment(fixture), capture_output=True, text=True, timeout=LIMIT_S, **options)


def results_of(out: Path) -> dict:
    results = json.loads((out / "results.json").read_text(encoding="utf-8"))
    VALIDATOR.validate(results)
    return results


def events_of(out: Path, event: str) -> Iterator[SimpleNamespace]:
    """Yield the records of this event from the trace in memory."""
    for record in RECORD.iter_unpack((out / "events.bin").read_bytes()):
        found = SimpleNamespace(**dict(zip(FIELDS, record)))
        if EVENTS[found.event] == event:
            yield found


def codes(results: dict) -> set[str]:
    return {reason["code"] for reason in results["reasons"]}
