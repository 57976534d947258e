"""The program that `app_main` made of fixture_app.cpp: run, and what it wrote."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import jsonschema
import pytest

SCHEMA_FILE = Path(__file__).resolve().parents[2] / "codegen/weir/schema/results.schema.json"
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


def codes(results: dict) -> set[str]:
    return {reason["code"] for reason in results["reasons"]}
