"""Test that every `--json` answer has a schema and keeps to it."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import CODEGEN, answered, keeps_to
from planning import EXAMPLES, MACHINES
from stored_runs import store
from weir import cli

PROJECT = str(EXAMPLES / "quickstart.weir.json")
TWO_CORE = ("--machine", str(MACHINES / "two_core.json"))


#: Prints nothing.
SILENT = {"edit"}


def verbs(parser: argparse.ArgumentParser, name: tuple[str, ...] = ()) -> Iterator[tuple[str, bool]]:
    """Yield every verb, or action of a verb, and whether it takes --json."""
    inner = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    for action in inner:
        for word, of_verb in action.choices.items():
            yield from verbs(of_verb, (*name, word))
    if not inner:
        yield " ".join(name), "--json" in parser._option_string_actions


def test_every_verb_takes_json_and_a_schema_says_what_it_answers() -> None:
    """Check that schemas exist; answers are validated here and in the tests that build, run and measure."""
    schemas = [json.loads(path.read_text()) for path in (CODEGEN / "weir" / "schema").glob("*.schema.json")]
    said = " ".join(f"{it.get('title', '')}. {it.get('description', '')}" for it in schemas)
    for verb, takes_json in verbs(cli.build_parser([])):
        assert takes_json == (verb not in SILENT), verb
        assert verb in SILENT or re.search(rf"\bweir {verb}\b", said), verb


@pytest.mark.parametrize("words,schema", [
    (("validate", PROJECT), "diagnostics"), (("validate", PROJECT, "--values"), "diagnostics"),
    (("plan", PROJECT, *TWO_CORE), "plan"), (("doctor", "--topology"), "machine"),
    (("doctor", "--topology", *TWO_CORE), "machine"), (("doctor",), "doctor"), (("doctor", PROJECT), "doctor"),
    (("catalog",), "catalog"), (("format", PROJECT, "--check"), "format"), (("format", "--layout", PROJECT), "layout"),
    (("export", "--picture", PROJECT), "picture")])
def test_answers_keep_to_their_schema(words: tuple[str, ...], schema: str, capsys: pytest.CaptureFixture) -> None:
    assert cli.main([*words, "--json"]) == 0
    answered(capsys, schema)


@pytest.mark.parametrize("project,machine,code,codes", [
    (PROJECT, "two_core", 0, []),
    (str(CODEGEN / "tests" / "bad" / "E_CYCLE.weir.json"), "two_core", 1, ["E_CYCLE"]),
    (PROJECT, "not_there", 3, ["E_FILE_MISSING"]),
    ("not_there.weir.json", "two_core", 3, ["E_FILE_MISSING"]),
])
def test_a_plan_with_its_diagnostics_keeps_to_its_schema(project: str, machine: str, code: int, codes: list[str],
                                                         capsys: pytest.CaptureFixture) -> None:
    assert cli.main(["plan", project, "--diagnostics", "--machine", str(MACHINES / f"{machine}.json")]) == code
    answer = answered(capsys, "plan_answer")
    assert answer["ok"] == (answer["plan"] is not None) == (code == 0)
    assert [d["code"] for d in answer["diagnostics"] if d["severity"] == "error"] == codes
    for part, found in (("plan", answer["plan"]), ("machine", answer["machine"])):
        if found is not None:
            keeps_to(part, found)


def test_what_was_generated_keeps_to_its_schema(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    out = tmp_path / "out"
    assert cli.main(["generate", PROJECT, *TWO_CORE, "-o", str(out), "--json"]) == 0
    answer = answered(capsys, "generate")
    assert answer["directory"] == str(out) and "source_map.json" in answer["files"]
    assert all((out / name).is_file() for name in answer["files"])


@pytest.mark.parametrize("words", [("generate", "-o", "{}"), ("generate", "--build"), ("run",), ("plan",)])
def test_a_verb_that_fails_says_why_in_json(words: tuple[str, ...], tmp_path: Path,
                                            capsys: pytest.CaptureFixture) -> None:
    options = [word.format(tmp_path / "out") for word in words]
    assert cli.main([*options, PROJECT, "--deployment", "none_such", "--json"]) == 2
    answer = answered(capsys, "diagnostics")
    assert answer["ok"] is False and answer["diagnostics"][0]["code"] == "E_DEPLOYMENT_UNKNOWN"


def test_the_list_of_runs_keeps_to_its_schema(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    store(tmp_path)
    store(tmp_path, latencies=[], status="failed", repetition=1)
    assert cli.main(["runs", "list", "--json", "--out", str(tmp_path)]) == 0
    rows = answered(capsys, "runs")
    assert [(row["status"], row["p50_ns"] is None) for row in rows] == [("ok", False), ("failed", True)]
