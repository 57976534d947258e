"""Every `--json` answer has a schema, and keeps to it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from planning import EXAMPLES, MACHINES
from stored_runs import store

from weir import cli
from weir.document import shape

#: verb -> schema of its answer; `run` prints a list of them. Those of `build`, `run` and `bench` are held against
#: theirs where the tests build, run and measure.
SCHEMAS = {"validate": "diagnostics", "plan": "plan", "topology": "machine", "catalog": "catalog", "build": "build",
           "run": "results", "runs list": "runs", "bench": "bench"}
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


@pytest.mark.parametrize("words", [("validate", PROJECT), ("plan", PROJECT, *TWO_CORE), ("topology",),
                                   ("topology", *TWO_CORE), ("catalog",)], ids=" ".join)
def test_answers_keep_to_their_schema(words: tuple[str, ...], capsys: pytest.CaptureFixture) -> None:
    assert cli.main([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema(SCHEMAS[words[0]])).validate(answer)


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
