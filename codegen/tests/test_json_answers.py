"""Every `--json` answer has a schema, and keeps to it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from conftest import CODEGEN
from planning import EXAMPLES, MACHINES
from stored_runs import store
from weir import cli
from weir.model.document import shape

#: verb -> schema of its answer; `run` prints a list of them. Those of `build`, `run`, `tune`, `rate` and `bench` are
#: held against theirs where the tests build, run and measure; those of `new` in test_new.py, of `isolate` in
#: test_isolate_verb.py, of `test` in test_conformance.py.
SCHEMAS = {"validate": "diagnostics", "design": "design", "plan": "plan", "topology": "machine", "doctor": "doctor",
           "catalog": "catalog", "build": "build",
           "generate": "generate", "run": "results", "runs list": "runs", "bench": "bench", "new project": "new",
           "new block": "new",
           "new scheduler": "new", "new target": "new", "import": "import", "export": "import",
           "compare": "compare", "tune": "tune", "rate": "rate", "sweep": "sweep_answer", "report": "sweep_outline",
           "history": "history", "reproduce": "reproduce", "rerun": "rerun", "adopt": "adopt", "test": "conformance",
           "isolate": "isolation"}
PROJECT = str(EXAMPLES / "quickstart.weir.json")
TWO_CORE = ("--machine", str(MACHINES / "two_core.json"))


def verbs_with_json(parser: argparse.ArgumentParser, name: tuple[str, ...] = ()) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, inner in action.choices.items():
                yield from verbs_with_json(inner, (*name, word))
        elif "--json" in action.option_strings:
            yield " ".join(name)


def test_every_verb_with_json_has_a_schema() -> None:
    assert set(verbs_with_json(cli.build_parser([]))) == set(SCHEMAS)


@pytest.mark.parametrize("words", [("validate", PROJECT), ("validate", PROJECT, "--values"),
                                   ("plan", PROJECT, *TWO_CORE), ("topology",), ("topology", *TWO_CORE),
                                   ("doctor",), ("doctor", PROJECT),
                                   ("catalog",)], ids=" ".join)
def test_answers_keep_to_their_schema(words: tuple[str, ...], capsys: pytest.CaptureFixture) -> None:
    assert cli.main([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema(SCHEMAS[words[0]])).validate(answer)


@pytest.mark.parametrize("project,machine,code,codes", [
    (PROJECT, "two_core", 0, []),
    (str(CODEGEN / "tests" / "bad" / "E_CYCLE.weir.json"), "two_core", 1, ["E_CYCLE"]),
    (PROJECT, "not_there", 3, ["E_FILE_MISSING"]),
    ("not_there.weir.json", "two_core", 3, ["E_FILE_MISSING"]),
])
def test_a_plan_with_its_diagnostics_keeps_to_its_schema(project: str, machine: str, code: int, codes: list[str],
                                                         capsys: pytest.CaptureFixture) -> None:
    assert cli.main(["plan", project, "--diagnostics", "--machine", str(MACHINES / f"{machine}.json")]) == code
    answer = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("plan_answer")).validate(answer)
    assert answer["ok"] == (answer["plan"] is not None) == (code == 0)
    assert [d["code"] for d in answer["diagnostics"] if d["severity"] == "error"] == codes
    for part, found in (("plan", answer["plan"]), ("machine", answer["machine"])):
        if found is not None:
            jsonschema.Draft202012Validator(shape.schema(part)).validate(found)


def test_what_was_generated_keeps_to_its_schema(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    out = tmp_path / "out"
    assert cli.main(["generate", PROJECT, *TWO_CORE, "-o", str(out), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("generate")).validate(answer)
    assert answer["directory"] == str(out) and "source_map.json" in answer["files"]
    assert all((out / name).is_file() for name in answer["files"])


@pytest.mark.parametrize("verb", ["generate", "build", "run", "plan"])
def test_a_verb_that_fails_says_why_in_json(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    options = ["-o", str(tmp_path / "out")] if verb == "generate" else []
    assert cli.main([verb, PROJECT, "--deployment", "none_such", "--json", *options]) == 2
    answer = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("diagnostics")).validate(answer)
    assert answer["ok"] is False and answer["diagnostics"][0]["code"] == "E_DEPLOYMENT_UNKNOWN"


def test_the_list_of_runs_keeps_to_its_schema(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    store(tmp_path)
    store(tmp_path, latencies=[], status="failed", repetition=1)
    assert cli.main(["runs", "list", "--json", "--out", str(tmp_path)]) == 0
    rows = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("runs")).validate(rows)
    assert [(row["status"], row["p50_ns"] is None) for row in rows] == [("ok", False), ("failed", True)]


def test_positions_keep_to_their_schema(capsys: pytest.CaptureFixture) -> None:
    assert cli.main(["layout", PROJECT]) == 0
    positions = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("layout")).validate(positions)
    assert set(positions) == {block["id"] for block in json.loads(Path(PROJECT).read_text())["graph"]["blocks"]}
